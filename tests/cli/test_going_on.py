"""--resume, --extend, --add and --until as the command line takes them."""

import json
from collections import namedtuple

import pytest

from put_cli.tournament import run as runs
from tests.cli.conftest import Put, Result

WORDS = ("tournament", "random", "thrifty", "--games", "20", "--seed", "5", "--match-games", "10")


@pytest.fixture(autouse=True)
def _folder(in_a_folder: None) -> None: ...


def refused(result: Result, says: str) -> None:
    assert (result.code, result.out) == (2, "")
    assert says in result.err
    assert result.err.count("\n") == 1


def test_a_run_that_was_stopped_says_how_it_goes_on_and_does(
    put: Put, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*_arguments: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(runs.workers, "available_cores", lambda: 2)
        patched.setattr(runs.workers, "crew", interrupted)
        stopped = put(*WORDS, "--out", "a run", "--workers", "1")
    assert stopped.code == 130
    assert stopped.err.splitlines()[-2:] == [
        "Stopped: 0 of 1 parts are finished and kept in a run.",
        "To go on: put tournament --resume 'a run' --workers 1",
    ]
    done = put("tournament", "--resume", "a run", "--workers", "1", "--json", "--quiet")
    assert done.code == 0
    assert json.loads(done.out)["total_games"] == 20


def test_a_finished_run_is_added_to(put: Put) -> None:
    put(*WORDS, "--out", "run")
    done = put("tournament", "--extend", "run", "--games", "40", "--add", "bold")
    assert done.code == 0
    assert "The games are those of a fresh run of this size." in done.err
    assert "cotton: 3 strategies (3 native), 3 pairings of 60 games, seed 5" in done.err
    again = json.loads(put("standings", "run", "--json").out)
    assert (again["games"], again["total_games"]) == (60, 180)


def test_play_can_go_on_until_ratings_are_precise(put: Put) -> None:
    words = ("tournament", "random", "thrifty", "highest", "--seed", "5", "--match-games", "10")
    done = put(*words, "--until", "15", "--log", "none", "--out", "run")
    assert done.code == 0
    assert "until ratings are within ±15 Elo" in done.err
    assert "Every interval is within ±15 Elo" in done.out
    for line in json.loads(put("standings", "run", "--json").out)["standings"]:
        low, high = line["interval"]
        assert (high - low) / 2 <= 15


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("--resume", "run", "--seed", "6"), "was begun with --seed 5, not 6."),
        (("--resume", "run", "--rules", "hoyle"), "--rules cotton, which is not the hoyle of now"),
        (("--resume", "run", "bold"), "was begun with random thrifty, not bold"),
        (
            ("--resume", "run", "--out", "other"),
            "takes that from the run: leave out --out",
        ),
        (("--resume", "run", "--until", "5"), "leave out --until"),
        (("--resume", "run", "--extend", "run"), "expected either --resume RUN"),
        (("--add", "bold"), "expected either --resume RUN"),
        (("--resume", "run", "--add", "bold"), "expected either --resume RUN"),
        (("--extend", "run"), "--extend: expected --games, --add or --until"),
        (("--extend", "run", "bold"), "leave out STRATEGIES. To have strategies join: --add."),
        (("--extend", "run", "--seed", "5", "--games", "20"), "leave out --seed."),
        (("--extend", "run", "--until", "0"), "--until: expected Elo from 0.05 to 1000, got 0"),
        (("--until", "0"), "--until: expected Elo from 0.05 to 1000, got 0"),
    ],
)
def test_what_does_not_fit_is_refused_in_a_line(
    put: Put, words: tuple[str, ...], says: str
) -> None:
    put(*WORDS, "--out", "run")
    refused(put("tournament", *words), says)


def test_a_directory_in_use_points_to_resuming(put: Put) -> None:
    put(*WORDS, "--out", "run")
    refused(put(*WORDS, "--out", "run"), "'put tournament --resume run' goes on with a run")


def test_a_log_that_may_not_fit_is_told_before_it_begins(
    put: Put, monkeypatch: pytest.MonkeyPatch
) -> None:
    usage = namedtuple("usage", "total used free")
    monkeypatch.setattr("shutil.disk_usage", lambda _path: usage(1000, 0, 1000))
    done = put(*WORDS, "--out", "run")
    assert done.code == 0
    assert "are to be written to run, where 0 MB are free. If the disk gets full" in done.err
