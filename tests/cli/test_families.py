"""Partners, three and more players and the Laws on the command line."""

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Put


@pytest.fixture(autouse=True)
def in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Runs go to a folder of the test."""
    monkeypatch.chdir(tmp_path)


SMALL = ("--match-games", "5", "--seed", "3", "--workers", "1", "--out", "run")


def test_three_players_make_tables_and_the_standings_tell_what_par_is(put: Put) -> None:
    field = ("random", "odds", "bold", "thrifty")
    result = put("tournament", *field, "--rules", "three-handed", "--games", "30", *SMALL)
    assert result.code == 0, result.err
    assert "three-handed: 4 strategies (4 native), 4 tables of 3, 30 games each, seed 3" in (
        result.err
    )
    assert "declined" in result.out
    told = " ".join(result.out.split())
    assert "score: games won; with 3 players par is 33.3" in told
    assert "Of the games at common tables that one of the two won, those won by the row" in told
    plain = json.loads(Path("run/standings.json").read_text())
    assert (plain["players"], plain["games"], plain["total_games"]) == (3, 30, 120)
    assert [table["names"] for table in plain["tables"]] == [
        ["random", "odds", "bold"],
        ["random", "odds", "thrifty"],
        ["random", "bold", "thrifty"],
        ["odds", "bold", "thrifty"],
    ]
    assert all(table["games"] == 30 and table["hands"] > 30 for table in plain["tables"])
    assert plain["pairings"] == []
    again = put("standings", "run")
    assert again.out == result.out


def test_the_crosstable_of_more_players_shares_the_games_that_one_of_two_won(put: Put) -> None:
    field = ("random", "odds", "bold", "thrifty")
    put("tournament", *field, "--rules", "three-handed", "--games", "30", *SMALL)
    tables = json.loads(Path("run/standings.json").read_text())["tables"]
    won = {
        (name, other): sum(
            table.get(f"wins_{'abc'[table['names'].index(name)]}", 0)
            for table in tables
            if {name, other} <= set(table["names"])
        )
        for name in field
        for other in field
    }
    header, *lines = Path("run/crosstable.csv").read_text().splitlines()
    columns = header.split(",")[1:]
    for line in lines:
        row, *cells = line.split(",")
        for column, cell in zip(columns, cells, strict=True):
            if row == column:
                assert cell == ""
            else:
                both = won[row, column] + won[column, row]
                assert float(cell) == pytest.approx(won[row, column] / both, abs=1e-6)


def test_games_are_as_many_as_mirroring_needs_when_not_given(put: Put) -> None:
    field = ("random", "odds", "bold")
    result = put("match", *field, "--rules", "three-handed", *SMALL, "--log", "none", "--json")
    told = json.loads(result.out)
    assert told["games"] == told["total_games"] == 10_002


def test_match_takes_as_many_as_a_table_seats(put: Put) -> None:
    result = put("match", "random", "odds", "--rules", "three-handed")
    assert result.code == 2
    assert "three-handed is a game of 3 players, got 2 strategies." in result.err
    result = put("match", "random", "odds", "bold")
    assert "cotton is a game of 2 players, got 3 strategies." in result.err


def test_a_sample_of_tables(put: Put) -> None:
    field = ("random", "odds", "bold", "thrifty", "timid")
    result = put("tournament", *field, "--tables", "5", "--games", "4", *SMALL, "--json")
    told = json.loads(result.out)
    played = [row for row in told["pairings"] if row["games"]]
    assert len(played) == len(told["pairings"]) == 5
    assert {row["games"] for row in told["standings"]} == {8}


def test_teams_play_where_there_are_partners(put: Put) -> None:
    options = ("--rules", "four-handed", "--games", "20", *SMALL)
    result = put("tournament", "odds", "--team", "bold+counter", "--team", "odds+bold", *options)
    assert result.code == 0, result.err
    assert "four-handed: 3 sides (5 native), 3 pairings of 20 games, seed 3" in result.err
    plain = json.loads(Path("run/standings.json").read_text())
    assert [each["name"] for each in plain["strategies"]] == ["odds", "bold+counter", "odds+bold"]
    replayed = put("replay", "run", "--game", "bold+counter v odds+bold/0/0/0")
    assert replayed.code == 0
    first = replayed.out.splitlines()
    assert first[0] == "bold+counter against odds+bold"
    assert all(f"chair {chair} cuts" in first[1] for chair in range(4))
    seated = first[3]
    assert {"bold", "counter", "odds"} <= set(seated.replace(",", "").split())


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--team", "bold+counter", "odds"], "'bold+counter' is a team, and in this game nobody"),
        (["bold+counter", "odds"], "Teams play --rules four-handed, or any two-handed set of Put"),
        (["--team", "bold", "odds"], "--team: expected two strategies such as bold+counter, got"),
        (
            ["bold+counter+odds", "odds", "--rules", "four-handed"],
            "expected a team of two strategies such as bold+counter, got 'bold+counter+odds'.",
        ),
        (["bold+", "odds", "--rules", "four-handed"], "expected a team of two strategies such as"),
        (["bold+bodl", "odds", "--rules", "four-handed"], "no strategy 'bodl'. Did you mean 'bold"),
        (
            ["bold+odds", "bold+odds", "--rules", "four-handed"],
            "bold+odds is given twice ('bold+odds' and 'bold+odds')",
        ),
        (
            ["odds+odds", "odds", "--rules", "four-handed"],
            "odds is given twice ('odds+odds' and 'odds')",
        ),
        (["bold", "odds", "--rules", "three-handed"], "a table seats 3, so expected at least 3"),
        (["bold", "odds", "timid", "--tables", "1"], "expected a number from 2 to 3, got 1."),
        (["bold", "odds", "--misdeals", "1.5"], "misdeals: expected a share from 0 to 1, got 1.5"),
        (["bold", "odds", "--misdeals", "nan"], "misdeals: expected a share from 0 to 1, got nan"),
        (["bold", "odds", "--misdeals", "often"], "'often' is not a valid float"),
    ],
    ids=" ".join,
)
def test_what_cannot_be_is_one_line_and_exit_code_2(
    put: Put, arguments: list[str], says: str
) -> None:
    result = put("tournament", *arguments)
    assert result.code == 2
    assert says in result.err
    assert result.err.count("\n") == 1
    assert not Path("runs").exists()


def test_games_of_three_become_enough_to_give_everybody_every_chair(put: Put) -> None:
    field = ("bold", "odds", "timid", "--rules", "three-handed", *SMALL)
    assert "1 table of 3, 102 games each" in put("tournament", *field, "--games", "100").err
    (Path("run")).rename("mirrored")
    unmirrored = put("tournament", *field, "--games", "100", "--no-mirror")
    assert "1 table of 3, 100 games each" in unmirrored.err


def test_misdeals_is_a_knob_and_the_option_wins(put: Put) -> None:
    options = ("--games", "200", *SMALL, "--json", "--quiet")
    for text in ("cotton(misdeals=0.1)", "cotton", "cotton(misdeals=0.9)"):
        result = put("match", "random", "odds", "--rules", text, "--misdeals", "0.1", *options)
        assert json.loads(result.out)["rules"] == "cotton(misdeals=0.1)"
        manifest = json.loads(Path("run/manifest.json").read_text())
        assert manifest["format"] == {"family": "two-handed", "version": 1, "misdeals": True}
        Path("run").rename(f"run {text} kept")
    replayed = put("replay", f"run {text} kept", "--game", "0/0/0/0")
    assert replayed.code == 0


def test_a_tournament_file_knows_teams_tables_and_misdeals(put: Put) -> None:
    Path("tournament.toml").write_text(
        'strategies = ["odds", "thrifty"]\nteam = ["bold+counter"]\nrules = "four-handed"\n'
        'misdeals = 0.1\ntables = 2\ngames = 4\nseed = 1\nworkers = 1\nout = "run"\n'
    )
    result = put("tournament", "--config", "tournament.toml", "--json", "--quiet")
    assert result.code == 0, result.err
    told = json.loads(result.out)
    assert told["rules"] == "four-handed(misdeals=0.1)"
    assert [each["name"] for each in told["strategies"]] == ["odds", "thrifty", "bold+counter"]
    assert len(told["pairings"]) == 2
