"""put new: what it says and how it ends."""

from pathlib import Path

import pytest

from tests.cli.conftest import Put


def test_a_new_package_says_what_to_do_next(
    put: Put, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    done = put("new", "fox")
    assert (done.code, done.err) == (0, "")
    assert "put-fox/put_fox/__init__.py" in done.out
    assert 'pip install -e "./put-fox[dev]"' in done.out
    assert (tmp_path / "put-fox/pyproject.toml").is_file()


def test_a_new_file_is_checked_and_played_as_the_command_says(
    put: Put, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert "put match ./fox.py odds" in put("new", "fox", "--single-file").out
    assert put("check", "./fox.py", "--rules", "plain", "--samples", "1").code == 0
    played = put("match", "./fox.py", "odds", "--games", "20", "--seed", "1", "--quiet")
    assert (played.code, "fox" in played.out) == (0, True)


def test_a_new_player_of_speculation_is_played_as_the_command_says(
    put: Put, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    told = put("new", "hare", "--game", "speculation", "--single-file").out
    assert "put tournament --rules speculation --players 4 ./hare.py fair late eager" in told
    command = told.splitlines()[-1].split()[1:]
    played = put(*command, "--games", "8", "--seed", "1", "--quiet")
    assert (played.code, "hare" in played.out) == (0, True)


def test_a_second_time_it_is_refused_with_exit_code_2(put: Put, tmp_path: Path) -> None:
    folder = ("--folder", str(tmp_path))
    assert put("new", "fox", *folder).code == 0
    again = put("new", "fox", *folder)
    assert (again.code, again.out) == (2, "")
    assert again.err.startswith("Error: ")
    assert again.err.count("\n") == 1


def test_a_folder_that_is_not_there_is_refused(put: Put, tmp_path: Path) -> None:
    done = put("new", "fox", "--folder", str(tmp_path / "none"))
    assert done.code == 2
    assert "does not exist" in done.err
