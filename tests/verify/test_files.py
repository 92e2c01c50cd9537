"""Damaged, missing, exchanged and strange files are found and named; so is another manifest."""

import json
import random
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from put_cli.errors import RunError
from put_cli.log import manifest
from put_cli.verify.faults import Fault
from put_cli.verify.run import Wish, verify

Copied = Callable[..., Path]

DAMAGES = ("missing", "shorter", "longer", "flipped", "empty", "exchanged", "other text")


def faults_of(run: Path) -> list[Fault]:
    return verify(Wish(run=run, sample=0)).findings.faults


def parts(run: Path) -> list[Path]:
    return sorted(run.glob("*/part-*.parquet"))


def damage(path: Path, kind: str, chance: random.Random) -> None:
    """Do something to a file."""
    data = bytearray(path.read_bytes())
    match kind:
        case "missing":
            path.unlink()
            return
        case "shorter":
            data = data[: chance.randrange(1, len(data))]
        case "longer":
            data += b"0"
        case "flipped":
            data[chance.randrange(len(data))] ^= 1 << chance.randrange(8)
        case "empty":
            data.clear()
        case "exchanged":
            other = chance.choice([each for each in path.parent.iterdir() if each != path])
            exchanged = other.read_bytes()
            other.write_bytes(data)
            data = bytearray(exchanged)
        case "other text":
            data = bytearray(b"# not what it was\n")
    path.write_bytes(data)


@pytest.mark.parametrize("kind", DAMAGES)
def test_a_damaged_part_is_found_and_named(copied: Copied, kind: str) -> None:
    chance = random.Random(kind)
    for number in range(2):
        run = copied("two-handed")
        path = chance.choice(parts(run))
        damage(path, kind, chance)
        faults = faults_of(run)
        name = f"{path.parent.name}/{path.name}"
        assert any(each.file == name for each in faults), (number, name, faults)


def test_a_shard_that_is_missing_altogether_is_named_once(copied: Copied) -> None:
    run = copied("two-handed")
    for path in run.glob("*/part-000001.parquet"):
        path.unlink()
    (fault,) = faults_of(run)
    assert str(fault) == (
        "tallies/part-000001.parquet: expected a finished shard, found none of its files"
    )


def test_a_file_that_no_shard_has_is_named(copied: Copied) -> None:
    for strange in ("hands/part-000099.parquet", "games/notes.txt", "plays/part-000000.parquet"):
        run = copied("two-handed")
        (run / strange).parent.mkdir(exist_ok=True)
        shutil.copy(run / "hands/part-000000.parquet", run / strange)
        assert [each.file for each in faults_of(run)] == [strange]


@pytest.mark.parametrize(
    "name", ["standings.csv", "standings.md", "standings.json", "crosstable.csv", "README.md"]
)
def test_a_changed_table_of_results_is_found_and_named(copied: Copied, name: str) -> None:
    chance = random.Random(name)
    for _ in range(2):
        run = copied("two-handed")
        text = (run / name).read_text()
        digits = [n for n, each in enumerate(text) if each in "123456789"]
        at = chance.choice(digits)
        (run / name).write_text(f"{text[:at]}{int(text[at]) - 1}{text[at + 1 :]}")
        assert {each.file for each in faults_of(run)} == {name}
    (run / name).unlink()
    (fault,) = faults_of(run)
    assert str(fault) == f"{name}: expected a file, found no such file"


def test_a_change_that_the_computer_may_make_in_the_last_bit_is_none(copied: Copied) -> None:
    run = copied("two-handed")
    path = run / "standings.json"
    data = json.loads(path.read_text())
    data["standings"][0]["rating"] *= 1 + 1e-13
    data["run"] = "elsewhere"
    path.write_text(json.dumps(data))
    assert faults_of(run) == []


def change(run: Path, keys: tuple[str | int, ...], value: Any) -> None:
    """Put another value into the manifest."""
    path = run / "manifest.json"
    data = json.loads(path.read_text())
    inner = data
    for key in keys[:-1]:
        inner = inner[key]
    assert inner[keys[-1]] != value
    inner[keys[-1]] = value
    path.write_text(json.dumps(data))


@pytest.mark.parametrize(
    ("keys", "value"),
    [
        (("seed",), 8),
        (("rules", "target"), 6),
        (("rules_fingerprint",), "0" * 16),
        (("strategies", 1, "name"), "Random"),
        (("rounds", 0, "games"), 28),
        (("rounds", 0, "match_games"), 4),
        (("rounds", 0, "log"), "games"),
        (("rounds", 0, "fingerprint"), "0" * 16),
        (("strategies", 1, "memory"), True),
    ],
)
def test_a_changed_manifest_is_found(
    copied: Copied, keys: tuple[str | int, ...], value: Any
) -> None:
    run = copied("two-handed")
    change(run, keys, value)
    assert faults_of(run)


def test_a_plan_that_contradicts_its_number_of_shards_is_refused(copied: Copied) -> None:
    run = copied("two-handed")
    change(run, ("rounds", 0, "mirror"), False)
    with pytest.raises(RunError, match=r"manifest\.json: rounds: shards: expected"):
        faults_of(run)


def test_another_seed_is_found_even_when_every_fingerprint_is_mended(copied: Copied) -> None:
    run = copied("two-handed")
    change(run, ("seed",), 8)
    made = manifest.read(run)
    from put_cli.tournament import rounds
    from tests.verify.corrupting import read, shards, write

    told = made.fingerprint(0)
    (first,) = rounds.read(made).rounds
    mended = first.shards.fingerprint(made.rules, 8, made.names)
    change(run, ("rounds", 0, "fingerprint"), mended)
    for shard in shards(run):
        write(run, "tallies", shard, read(run, "tallies", shard).to_pylist())
    assert manifest.read(run).fingerprint(0) != told
    faults = faults_of(run)
    assert all(
        each.file.startswith(("hands/", "games/", "forfeits.json", "standings.json"))
        for each in faults
    )
    assert len(faults) > 100


def test_a_generator_that_this_program_lacks_is_refused(copied: Copied) -> None:
    run = copied("two-handed")
    change(run, ("generator",), "dice/1")
    with pytest.raises(RunError, match=r"comes? from the generator 'dice/1'"):
        verify(Wish(run=run))


def test_forfeits_that_were_not_written_down_or_did_not_come_to_pass_are_found(
    copied: Copied,
) -> None:
    run = copied("two-handed")
    path = run / "forfeits.json"
    data = json.loads(path.read_text())
    assert len(data["forfeits"]) == 2
    for forfeits, what in (
        (data["forfeits"][1:], "an entry of forfeits.json"),
        ([], "an entry of forfeits.json"),
        ([*data["forfeits"], {**data["forfeits"][0], "block": 2}], "to have this forfeit"),
        ([*data["forfeits"], {**data["forfeits"][0], "block": 99}], "a match of the plan"),
        ([{**data["forfeits"][0], "reason": "slept"}, data["forfeits"][1]], "an entry of"),
    ):
        path.write_text(json.dumps({"forfeits": forfeits}))
        faults = faults_of(run)
        assert any(what in each.expected for each in faults), (what, faults)
    path.unlink()
    assert faults_of(run)
