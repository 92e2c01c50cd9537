"""The page in a real browser: no complaint, tables that sort, ink that follows light and dark."""

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from put_cli.report.page import page
from put_cli.tournament.reviewing import review
from tests.tournament.runs import play_run

BROWSER = next(filter(None, map(shutil.which, ("chromium", "chromium-browser"))), None)

pytestmark = pytest.mark.skipif(
    BROWSER is None, reason="there is no chromium here ('apt-get install chromium' has it)"
)

FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--hide-scrollbars",
    "--enable-logging=stderr",
    "--virtual-time-budget=2000",
)

PROBE = """<script>
"use strict";
const heading = [...document.querySelectorAll("#ratings th")].find(
  (th) => th.textContent.startsWith("puts"));
const order = () => [...heading.closest("table").tBodies[0].rows].map(
  (row) => row.cells[heading.cellIndex].textContent).join(" ");
const click = () => { heading.querySelector("button").click(); return order(); };
const ratings = document.querySelector("#ratings table").parentElement;
const told = {
  cut: ratings.scrollWidth - ratings.clientWidth,
  before: order(), first: click(), second: click(), sorted: heading.getAttribute("aria-sort"),
  ink: getComputedStyle(document.querySelector("#ratings svg text")).fill,
  wide: document.documentElement.scrollWidth - document.documentElement.clientWidth,
};
document.title = "probe " + JSON.stringify(told);
</script>
"""


def browse(tmp_path: Path, file: Path, *flags: str) -> subprocess.CompletedProcess[str]:
    assert BROWSER
    done = subprocess.run(
        [BROWSER, *FLAGS, f"--user-data-dir={tmp_path / 'profile'}", *flags, file.as_uri()],
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    assert "CONSOLE" not in done.stderr, done.stderr
    return done


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("browser")
    play_run(folder / "run", "bold", "odds", "random", games=40)
    text = page(review(folder / "run", "run"))
    (folder / "report.html").write_text(text, encoding="utf-8")
    (folder / "probe.html").write_text(text.replace("</body>", f"{PROBE}</body>"), encoding="utf-8")
    return folder


@pytest.mark.parametrize("width", [1200, 420])
def test_a_browser_shows_the_page_without_complaint(
    written: Path, tmp_path: Path, width: int
) -> None:
    picture = tmp_path / "page.png"
    browse(
        tmp_path, written / "report.html", f"--window-size={width},900", f"--screenshot={picture}"
    )
    data = picture.read_bytes()
    assert data.startswith(b"\x89PNG")
    assert int.from_bytes(data[16:20], "big") == width
    assert len(data) > 10_000  # more than an empty page


@pytest.mark.parametrize(("scheme", "ink"), [("1", "rgb(27, 27, 27)"), ("0", "rgb(232, 230, 227)")])
def test_tables_sort_and_pictures_follow_the_colours_of_the_page(
    written: Path, tmp_path: Path, scheme: str, ink: str
) -> None:
    done = browse(
        tmp_path,
        written / "probe.html",
        "--window-size=500,900",
        f"--blink-settings=preferredColorScheme={scheme}",
        "--dump-dom",
    )
    found = re.search(r"<title>probe (\{.*?\})</title>", done.stdout)
    assert found, done.stdout[:500]

    told = json.loads(found[1])
    falling = sorted(told["before"].split(), key=float, reverse=True)
    assert told["first"].split() == falling
    assert told["second"].split() == falling[::-1]
    assert told["sorted"] == "ascending"
    assert told["ink"] == ink
    assert told["wide"] <= 0  # wide things scroll by themselves, never the page
    assert told["cut"] > 0


def test_no_column_of_the_ratings_is_cut_off_in_an_ordinary_window(
    written: Path, tmp_path: Path
) -> None:
    done = browse(tmp_path, written / "probe.html", "--window-size=1200,900", "--dump-dom")
    found = re.search(r"<title>probe (\{.*?\})</title>", done.stdout)
    assert found, done.stdout[:500]
    assert json.loads(found[1])["cut"] <= 0
