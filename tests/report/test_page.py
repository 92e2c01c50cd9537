"""The report of a run as a page: valid, alone, and with the figures of the standings."""

import re
from pathlib import Path

import html5lib
import pytest

from put_cli.log import manifest
from put_cli.report.page import page, write_pictures
from put_cli.report.text import standings_markdown
from put_cli.tournament.circling import cycles_of
from put_cli.tournament.outcome import rate
from put_cli.tournament.removing_luck import remove_luck
from put_cli.tournament.reviewing import moments_of, review
from tests.report.pages import Page
from tests.tournament.runs import play_run, write_strategies

MOST_BYTES = 2_000_000

RUNS = {
    "two-handed": {"rules": "hoyle"},
    "rubbers": {"rules": "truc-french"},
    "partners": {"rules": "four-handed(misdeals=0.1)"},
    "three": {"rules": "three-handed", "games": 60},
    "no puts": {"rules": "plain"},
    "games only": {"rules": "cotton", "log": "games"},
    "no log": {"rules": "cotton", "log": "none"},
    "two strategies": {"rules": "pigott", "field": ("bold", "odds")},
    "one block": {"rules": "cotton", "games": 2},
}


@pytest.fixture(scope="module", params=RUNS)
def run(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    settings = dict(RUNS[request.param])
    folder = tmp_path_factory.mktemp("report")
    field = settings.pop("field", ("bold", "odds", "random", "highest"))
    play_run(folder / "run", *field, **{"games": 40, **settings})
    return folder / "run"


@pytest.fixture(scope="module")
def text(run: Path) -> str:
    return page(review(run, str(run)))


def test_a_page_is_valid_html(text: str) -> None:
    html5lib.HTMLParser(strict=True).parse(text)


def test_a_page_needs_nothing_but_itself(text: str) -> None:
    found = Page(text)
    assert len(found.ids) == len(set(found.ids))
    for link in found.links:
        assert link == "data:," or link.removeprefix("#") in found.ids, link
    assert not re.findall(r"url\((?!#)|@import|https?://|//cdn", text)
    for inner in re.findall(r"url\(#([^)]*)\)", text):
        assert inner in found.ids
    assert len(text.encode()) < MOST_BYTES


def test_every_picture_says_what_it_shows(text: str) -> None:
    assert all(len(label) > 20 for label in Page(text).pictures)
    assert Page(text).pictures


def test_its_table_is_that_of_the_standings(run: Path, text: str) -> None:
    lines = standings_markdown(rate(run)).splitlines()
    rows = [
        line.strip("| ").replace("\\", "").split(" | ") for line in lines if line.startswith("|")
    ]
    _head, *shown = Page(text).tables["ratings"][0]
    assert shown == rows[2:]


def test_every_section_says_something(text: str) -> None:
    found = Page(text)
    names = {"ratings", "crosstable", "convergence", "beats", "luck", "endings", "faults", "run"}
    assert names <= set(found.words)
    assert all(len(words) > 25 for name, words in found.words.items() if name)


def test_command_seed_rules_and_versions_stand_on_it(run: Path, text: str) -> None:
    made = review(run, str(run)).made
    told = Page(text).words["run"]
    for fact in (
        "put tournament",
        str(made.seed),
        made.rules.fingerprint(),
        str(made.data["program"]),
        str(made.data["generator"]),
        *(each["name"] for each in made.strategies),
    ):
        assert fact in told


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run with faults and puts."""
    folder = tmp_path_factory.mktemp("report")
    own = write_strategies(folder)
    play_run(folder / "run", own["faulty"], "bold", "random", games=60)
    return folder / "run"


@pytest.fixture(scope="module")
def told(plain: Path) -> str:
    return page(review(plain, "run"))


def test_pictures_alone_are_those_of_the_page(plain: Path, told: str, tmp_path: Path) -> None:
    written = write_pictures(review(plain, "run"), tmp_path / "new" / "pictures")
    assert len(written) == len(Page(told).pictures)
    assert all(path.read_bytes().startswith(b"\x89PNG") for path in written)


def test_the_last_ratings_of_the_convergence_are_the_ratings(plain: Path) -> None:
    found = review(plain, "run")
    assert [m.blocks for m in found.moments] == [1, 2, 3]
    assert found.moments[-1].games == found.standings.games
    for line in found.standings.strategies:
        assert found.moments[-1].ratings[line.name] == (line.rating, line.low, line.high)
    assert found.moments[0].games * 3 == found.standings.games


def test_a_long_run_is_looked_at_a_few_times() -> None:
    looks = moments_of(1_000_000)
    assert looks[-1] == 1_000_000
    assert len(looks) < 20
    assert moments_of(1) == [1]


def test_faults_are_counted_as_in_the_standings_and_lead_to_a_game(plain: Path, told: str) -> None:
    found = Page(told)
    _head, *rows = found.tables["faults"][0]
    line = next(line for line in rate(plain).strategies if line.faults)
    assert sum(int(row[1]) for row in rows) == line.faults + line.forfeits
    assert re.fullmatch(r"faulty v \w+/\d+/[01]/\d+", rows[0][4])


def test_bluffs_and_puts_are_those_of_the_standings(plain: Path, told: str) -> None:
    _head, *rows = Page(told).tables["bluffs"][0]
    for line in rate(plain).strategies:
        row = next(row for row in rows if row[0] == line.name)
        assert float(row[1]) == pytest.approx(100 * (line.puts_per_hand or 0), abs=0.051)
        assert float(row[2]) <= float(row[1])


def test_the_luck_taken_off_is_that_of_the_command(plain: Path, told: str) -> None:
    _head, *rows = Page(told).tables["luck"][0]
    for row, (name, figure) in zip(rows, remove_luck(plain, None).ratings, strict=True):
        assert row[:2] == [name, f"{figure.raw:.1f}"]
        assert row[3:5] == [f"{figure.adjusted:.1f}", f"{figure.adjusted_error:.1f}"]


def test_circles_and_equilibria_are_those_of_the_command(plain: Path, told: str) -> None:
    places, pairs, *_ = Page(told).tables["circles"]
    found = cycles_of(plain, draws=200)
    assert [row[0] for row in places[1:]] == [place.name for place in found.places]
    assert [row[:2] for row in pairs[1:]] == [[pair.a, pair.b] for pair in found.pairs]


def test_throws_and_points_by_seat_are_on_the_page(plain: Path, told: str) -> None:
    found = Page(told)
    assert {row[0] for row in found.tables["throws"][0][1:]} <= set(manifest.read(plain).names)
    for line in rate(plain).strategies:
        row = next(row for row in found.tables["seats"][0] if row[0] == line.name)
        assert row[1] == f"{line.hands:,}"


def test_a_run_whose_luck_stays_says_why(tmp_path: Path) -> None:
    play_run(tmp_path / "run", "bold", "odds", "random", rules="cotton", games=4, log="games")
    words = Page(page(review(tmp_path / "run", "run"))).words["luck"]
    assert "No more of it was taken off: the run logged no hands" in words


def test_a_name_is_never_markup(tmp_path: Path) -> None:
    folder = tmp_path / "a <b>$x^2$ & 'c'"
    folder.mkdir()
    own = write_strategies(folder)
    play_run(tmp_path / "run", own["mixed"], "random", games=8)
    text = page(review(tmp_path / "run", "<i>run</i>"))
    assert "<i>" not in text
    html5lib.HTMLParser(strict=True).parse(text)


def test_the_same_run_makes_the_same_page(plain: Path, told: str) -> None:
    assert page(review(plain, "run")) == told
