"""The report of a run: a page that needs no network, and what was traded as the log has it."""

from pathlib import Path

import pyarrow.parquet as pq
import pytest

from put_cli.log import manifest
from put_cli.report.page import save_pictures
from put_cli.speculation.page import page, parts, review
from put_cli.speculation.trade import trade_of

from .test_tournament import ran


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("runs") / "run"
    ran(folder)
    return folder


def test_every_sale_is_counted_for_who_sold_and_who_bought(run: Path) -> None:
    made = manifest.read(run)
    trade = trade_of(made)
    events = pq.read_table(run / "events").to_pandas()
    sold = events[events["what"] == "sold"]
    assert trade.count.sum() == len(sold) > 100
    assert trade.price.sum() == sold["amount"].sum()
    tallies = pq.read_table(run / "tallies").to_pandas()
    assert trade.count.sum() == sum(tallies[f"bought_{place}"].sum() for place in "abcd")
    for number, name in enumerate(made.names):
        own = sold[sold["strategy"] == name]
        assert trade.count.sum(axis=(0, 2))[number] == len(own)
        assert trade.price.sum(axis=(0, 2))[number] == own["amount"].sum()
    selling, buying = trade.gains
    assert selling.sum() + buying.sum() == pytest.approx(0, abs=1e-9)
    eager = made.names.index("eager")
    assert buying[eager] < 0 == selling[eager]  # it overpays, and never sells


def test_the_page_has_every_part_and_asks_for_nothing_from_elsewhere(run: Path) -> None:
    found = page(review(run, "runs/latest"))
    for part in parts(review(run, "runs/latest")):
        assert f'id="{part.name}"' in found
        assert part.title in found
    assert "put verify runs/latest" in found
    assert "http://" not in found.replace("http://www.w3.org", "")
    assert "https://" not in found


def test_pictures_are_saved(run: Path, tmp_path: Path) -> None:
    written = save_pictures(lambda: parts(review(run, "run")), tmp_path / "pictures")
    assert [path.name for path in written] == ["chips.png", "gains.png"]


def test_without_deals_the_page_says_what_is_not_known(tmp_path: Path) -> None:
    prepared = ran(tmp_path / "run", log="games")
    found = page(review(prepared.run, "run"))
    assert "The run logged no deals" in found
    assert 'id="gains"' not in found
