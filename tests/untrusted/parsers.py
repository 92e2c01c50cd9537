"""Everything that parses what a stranger may have written, as functions of bytes.

Each must return, or raise a PutError (on the command line: a click.ClickException); anything else
is a fault. `fuzz.py` feeds them for as long as one likes, `test_parsers.py` for a moment.
"""

import contextlib
import io
import json
import tempfile
from collections.abc import Callable, Iterator
from functools import cache
from itertools import zip_longest
from pathlib import Path

import click
import pyarrow as pa
import pyarrow.parquet as pq

from put_cli.cli import tournament
from put_cli.cli.options import resolve_run
from put_cli.cli.replay import _parse
from put_cli.errors import PutError
from put_cli.log import forfeits, manifest, numbers, reader
from put_cli.log.column import Column
from put_cli.log.part import read_part
from put_cli.log.schema import Format
from put_cli.plugins import spec
from put_cli.report.text import results_text, standings_csv
from put_cli.report.transcript import tell_game, tell_hand
from put_cli.rules.finding import find_ruleset, from_mapping
from put_cli.rules.notation import parse_hand
from put_cli.rules.referee import referee
from put_cli.solve import policy_file
from put_cli.solve.chain import chain_of
from put_cli.solve.table import packed
from put_cli.solve.tree import grow
from put_cli.tournament import rounds
from put_cli.tournament.circling import cycles_of
from put_cli.tournament.outcome import rate
from put_cli.tournament.removing_luck import remove_luck
from put_cli.tournament.reviewing import habits_of_run
from put_cli.verify.run import Wish, verify
from tests.untrusted.damaged import damaged_run, play_with
from tests.untrusted.solved import SOLVED, solution

REFUSED = (PutError, click.ClickException)
"""What a parser may raise."""

RULES = ("cotton", "four-handed(misdeals=0.1)", "three-handed(misdeals=0.1)")


@contextlib.contextmanager
def _file(name: str, data: bytes) -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="put-fuzz-") as folder:
        path = Path(folder, name)
        path.write_bytes(data)
        yield path


@cache
def _form(rules: str) -> Format:
    return Format(find_ruleset(rules))


def notation(data: bytes) -> None:
    """A line for `put judge`."""
    hand = parse_hand(data.decode("utf-8", "replace"))
    for rules in RULES:
        with contextlib.suppress(PutError):
            referee(find_ruleset(rules), hand)


def rules_text(data: bytes) -> None:
    """--rules."""
    text = data.decode("utf-8", "replace")
    if not text.partition("(")[0].strip().endswith(".toml"):  # a file of that name is no text
        find_ruleset(text)


def rules_file(data: bytes) -> None:
    """A rule set in TOML."""
    with _file("house.toml", data) as path:
        find_ruleset(str(path))


def rules_mapping(data: bytes) -> None:
    """The rule set in a manifest."""
    with contextlib.suppress(ValueError, RecursionError):
        found = json.loads(data)
        if isinstance(found, dict):
            from_mapping(found, "manifest")


def tournament_file(data: bytes) -> None:
    """--config."""
    with _file("tournament.toml", data) as path:
        context = click.Context(tournament.command)
        tournament.read_config(context, tournament.command.params[0], path)


def specification(data: bytes) -> None:
    """A strategy with parameters."""
    text = data.decode("utf-8", "replace")
    spec.team(text)
    spec.parse(text)


def run_manifest(data: bytes) -> None:
    """manifest.json."""
    with _file("manifest.json", data) as path:
        made = manifest.read(path.parent)
        rounds.read(made)


def forfeits_file(data: bytes) -> None:
    """forfeits.json."""
    with _file("forfeits.json", data) as path:
        forfeits.read(path.parent)


def part(data: bytes) -> None:
    """A part of the log."""
    with _file("part-000000.parquet", data) as path:
        reader.footer_of(path)
        for table in ("tallies", "games"):
            read_part(path, _form("cotton"), table, 100_000)


def latest(data: bytes) -> None:
    """runs/latest where links fail."""
    with _file("latest", data) as path:
        resolve_run(path)


def game_key(data: bytes) -> None:
    """--game of `put replay`."""
    _parse(data.decode("utf-8", "replace"), ["odds", "bold", "a v b"], 2)


def _cell(column: Column, word: str) -> object:
    """What a cell of this type can hold."""
    if pa.types.is_dictionary(column.type) or pa.types.is_string(column.type):
        return word or (None if column.null else "")
    number = int(word) if word.isdecimal() and len(word) < 5 else 0
    return bool(number) if pa.types.is_boolean(column.type) else number


def logged_rows(data: bytes) -> None:
    """Rows of the log, as `put replay` tells them."""
    with contextlib.suppress(ValueError, RecursionError):
        words = data.decode("utf-8", "replace").split("\n")
        for rules in RULES:
            form = _form(rules)
            for table, tell in (("hands", tell_hand), ("games", tell_game)):
                row: dict[str, object] = {"plays": []}
                for column, word in zip_longest(form.tables[table], words[:60], fillvalue=""):
                    if isinstance(column, Column):
                        row[column.name] = _cell(column, word)
                for line in tell(form.rules, row):
                    assert line.isprintable(), line


def tally_figures(data: bytes) -> None:
    """Any figures in tallies whose hashes fit, as they are rated and shown."""
    with damaged_run(data, ("tallies",)) as run:
        table = rate(run)
        json.dumps(table.plain(), allow_nan=False)
        results_text(table)
        standings_csv(table)
        json.dumps(cycles_of(run, 40).plain(), allow_nan=False)


def logged_figures(data: bytes) -> None:
    """Any figures and words in a log whose hashes fit, as they are counted and verified."""
    with damaged_run(data, ("hands", "games", "tallies")) as run:
        assert verify(Wish(run=run, sample=5)).seconds > 0
        for look in (
            lambda: habits_of_run(run, ()),
            lambda: remove_luck(run, None),
            lambda: numbers.endings(manifest.read(run)),
        ):
            with contextlib.suppress(PutError):
                look()


def policy(data: bytes) -> None:
    """A policy file."""
    with _file("a.policy", data) as path:
        _read_policy(path)


def policy_row(data: bytes) -> None:
    """A policy file whose checksums fit, with any facts and any row: JSON, then the policy."""
    head, _, stored = data.partition(b"\n")
    schema = pq.read_schema(io.BytesIO(solution()))
    try:
        facts, row = json.loads(head)
        table = pa.Table.from_pylist([{**row, "policy": stored}], schema)
        table = table.replace_schema_metadata({b"put.policy": json.dumps(facts).encode()})
    except (ValueError, TypeError, RecursionError, OverflowError, pa.ArrowException):
        return  # nothing that could be written
    with _file("a.policy", b"") as path:
        pq.write_table(table, path)
        _read_policy(path)


def _read_policy(path: Path) -> None:
    chain = chain_of(grow(find_ruleset(SOLVED)))
    for look in (
        lambda: policy_file.rules_of(path),
        lambda: policy_file.answers_of(path),
        lambda: policy_file.read(path, chain),
        lambda: policy_file.read_values(path, chain),
        lambda: policy_file.read_policy(path, chain, 0),
        lambda: list(packed(path)) if policy_file.solves(path, chain.tree.rules) else None,
    ):
        with contextlib.suppress(PutError):
            look()


def program(data: bytes) -> None:
    """What an external program says."""
    play_with(data)


PARSERS: dict[str, Callable[[bytes], None]] = {
    each.__name__: each
    for each in (
        notation,
        rules_text,
        rules_file,
        rules_mapping,
        tournament_file,
        specification,
        run_manifest,
        forfeits_file,
        part,
        latest,
        game_key,
        logged_rows,
        tally_figures,
        logged_figures,
        policy,
        policy_row,
        program,
    )
}
