"""Strategy files that are sent along."""

from pathlib import Path

import pytest

from put_cli.errors import SpecError
from put_cli.plugins import discovery
from put_cli.plugins.shipping import load, pack, unpack
from tests.tournament.runs import write_strategies


def test_a_file_that_was_sent_is_the_same_strategy_by_name_package_and_source(
    tmp_path: Path,
) -> None:
    text = f"{write_strategies(tmp_path)['mixed']}:Mixed()"
    here = discovery.load(text)
    (parcel,) = pack(["random", text, text])
    (place,) = unpack([parcel], tmp_path / "there")
    assert place.here.read_bytes() == parcel.content
    there = load(text, [place], discovery.load)
    assert place.here.parent.name == parcel.digest
    for fact in ("name", "text", "package", "version", "file", "source", "parameters"):
        assert getattr(there, fact) == getattr(here, fact)
    assert type(there.strategy) is not type(here.strategy)


def test_what_was_changed_where_it_is_kept_is_written_again(tmp_path: Path) -> None:
    (parcel,) = pack([write_strategies(tmp_path)["mixed"]])
    (place,) = unpack([parcel], tmp_path / "there")
    place.here.write_text("raise SystemExit")
    assert unpack([parcel], tmp_path / "there") == (place,)
    assert place.here.read_bytes() == parcel.content


def test_a_folder_that_others_can_write_to_is_not_used(tmp_path: Path) -> None:
    (parcel,) = pack([write_strategies(tmp_path)["mixed"]])
    (place,) = unpack([parcel], tmp_path / "there")
    place.here.parent.chmod(0o777)
    with pytest.raises(SpecError, match="others than its owner"):
        unpack([parcel], tmp_path / "there")


def test_a_file_that_imports_from_beside_it_is_refused_by_name(tmp_path: Path) -> None:
    (tmp_path / "beside_shipped.py").write_text("LEVEL = 1\n")
    path = tmp_path / "leaning.py"
    path.write_text(
        "import beside_shipped\nfrom put_cli import Strategy\n\n\nclass Leaning(Strategy):\n"
        "    def act(self, view):\n        return view.highest\n"
    )
    discovery.load(str(path))
    with pytest.raises(SpecError, match=r"leaning\.py is none: it imports beside_shipped"):
        pack([str(path)])
