"""The examples do what they say: the bot plays, the file is a tournament, SQL and polars agree."""

import importlib.util
import json
import subprocess
import sys
import tomllib
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from put_cli.cli import tournament
from put_cli.cli.tournament import config_keys

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "examples"


def python(*arguments: object) -> str:
    """Run Python in the folder of the project and return what it printed."""
    command = [sys.executable, *map(str, arguments)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, encoding="utf-8")
    assert done.returncode == 0, done.stderr
    return done.stdout


def example(name: str) -> ModuleType:
    """An example as a module."""
    spec = importlib.util.spec_from_file_location(f"example_{name}", EXAMPLES / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The tournament of the file, with fewer games."""
    out = tmp_path_factory.mktemp("examples") / "run"
    config = ("--config", EXAMPLES / "tournament.toml")
    python("-m", "put_cli", "tournament", *config, "--games", 200, "--out", out, "--quiet")
    return out


def test_the_tournament_file_is_played_as_it_stands(run: Path) -> None:
    asked = tomllib.loads((EXAMPLES / "tournament.toml").read_text(encoding="utf-8"))
    made = json.loads((run / "manifest.json").read_text(encoding="utf-8"))
    standings = json.loads((run / "standings.json").read_text(encoding="utf-8"))
    assert len(made["strategies"]) == len(asked["strategies"])
    assert made["seed"] == asked["seed"]
    assert made["rules"]["target"] == 7
    assert standings["games"] == 200


def test_the_tournament_file_shows_every_key() -> None:
    text = (EXAMPLES / "tournament.toml").read_text(encoding="utf-8")
    keys = config_keys(tournament.command)
    assert [key for key in keys if f"\n{key} =" not in text.replace("# ", "")] == []


@pytest.mark.parametrize("rules", ["cotton", "hoyle", "parlett", "truc"])
def test_my_bot_plays_every_kind_of_rules_compiled_and_without_a_fault(
    rules: str, tmp_path: Path
) -> None:
    words = ("match", EXAMPLES / "my_bot.py", "thrifty", "--rules", rules, "--games", 200)
    # A strategy that cannot be compiled is refused here, and a fault has exit code 3.
    python("-m", "put_cli", *words, "--tier", "native", "--seed", 1, "--out", tmp_path / "run")


def test_sql_and_polars_give_the_same_numbers(run: Path) -> None:
    pytest.importorskip("duckdb")
    pytest.importorskip("polars")
    sql = example("puts_in_duckdb").answers(run)
    frames = example("puts_in_polars").answers(run)
    assert len(sql) == len(frames) == 3
    for relation, frame in zip(sql, frames, strict=True):
        assert relation.columns == frame.columns
        rows = relation.fetchall()
        assert len(rows) == len(frame.rows()) > 1
        for ours, theirs in zip(rows, frame.rows(), strict=True):
            assert list(ours) == [_near(value) for value in theirs]


def _near(value: Any) -> Any:
    return pytest.approx(value, rel=1e-12) if isinstance(value, float) else value


def test_the_tables_count_every_put_of_the_log(run: Path) -> None:
    pytest.importorskip("polars")
    import pyarrow.parquet as pq

    scores, strategies, cards = example("puts_in_polars").answers(run)
    log = pq.read_table(run / "hands", columns=["puts", "eldest_cards", "dealer_cards"])
    assert scores["puts"].sum() == sum(puts > 0 for puts in log["puts"].to_pylist())
    weak = [
        text
        for column in ("eldest_cards", "dealer_cards")
        for text in log[column].to_pylist()
        if not set(text) & set("32AK")
    ]
    assert strategies["weak_hands"].sum() == len(weak)
    assert cards["held"].to_list() == [weak.count(text) for text in cards["cards"]]
    assert scores["got_through"].is_between(0, 1).all()


@pytest.mark.parametrize("script", ["puts_in_duckdb.py", "puts_in_polars.py"])
def test_the_scripts_print_three_tables(script: str, run: Path) -> None:
    pytest.importorskip(script[len("puts_in_") : -len(".py")])
    printed = python(EXAMPLES / script, run)
    for column in ("their_score", "of_its_puts", "won_if_seen"):
        assert column in printed


def test_the_questions_about_more_players_are_answered(tmp_path: Path) -> None:
    duckdb = pytest.importorskip("duckdb")
    run, field = tmp_path / "run", ("odds", "bold", "timid")
    words = ("tournament", *field, "--rules", "three-handed", "--games", 90, "--quiet")
    python("-m", "put_cli", *words, "--seed", 1, "--out", run)
    connection = duckdb.connect()
    for table in ("hands", "plays"):
        connection.read_parquet(str(run / table / "*.parquet")).create_view(table)
    text = (EXAMPLES / "a_card_in_its_turn.sql").read_text(encoding="utf-8")
    cards, asked = (
        connection.execute(each).fetchall() for each in connection.extract_statements(text)
    )
    first = "SELECT count(*) FROM plays WHERE trick = 1"
    assert sum(row[2] for row in cards) == connection.sql(first).fetchall()[0][0]
    assert all(0 <= row[3] <= 1 for row in cards)
    puts = connection.sql("SELECT count(*) FROM hands WHERE puts > 0").fetchall()[0][0]
    assert {row[0] for row in asked} == set(field)
    assert sum(row[1] for row in asked) == 2 * puts > 0
