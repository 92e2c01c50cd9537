"""The knobs of Speculation: what they may be, how they are named, what they change."""

from pathlib import Path
from typing import Any

import pytest

from put_cli.errors import RuleError
from put_cli.speculation.explain import explain
from put_cli.speculation.machine import Deal, IllegalAnswer
from put_cli.speculation.rules import Speculation, find, from_mapping, knob_help


@pytest.mark.parametrize(
    ("knobs", "says"),
    [
        ({"players": 2}, "players: expected a whole number from 3 to 12, got 2"),
        ({"players": 13}, "players"),
        ({"ante": 4}, "ante: expected a whole number from 1 to 3"),
        ({"payment": -1}, "payment"),
        ({"deals": 2.5}, "deals"),
        ({"presale": 1}, "presale: expected true or false"),
        ({"unseen": "hands"}, "unseen: expected one of none, hand, any, got 'hands'. Did you mean"),
    ],
)
def test_a_value_that_is_not_allowed_is_refused_by_its_key(
    knobs: dict[str, Any], says: str
) -> None:
    with pytest.raises(RuleError, match=says.replace(".", r"\.")):
        Speculation(**knobs)


def test_a_rule_set_is_named_after_what_differs() -> None:
    found = find("speculation(players=4, spare_hand=true)", ante=1)
    assert found is not None
    assert found.name == "speculation(players=4, ante=1, spare_hand=true)"
    assert find(found.name) == found
    assert find("speculation") == Speculation()


def test_other_games_are_not_speculation() -> None:
    assert find("cotton") is None
    assert find("missing.toml") is None


def test_an_unknown_knob_is_refused_with_the_nearest() -> None:
    with pytest.raises(RuleError, match="there is no knob 'spare'"):
        find("speculation(spare=true)")


def test_a_file_may_have_it_as_its_base(tmp_path: Path) -> None:
    path = tmp_path / "club.toml"
    path.write_text('base = "speculation"\nante = 3\npresale = false\n', encoding="utf-8")
    found = find(str(path))
    assert found is not None
    assert (found.ante, found.presale) == (3, False)


def test_a_manifest_gives_the_rule_set_back() -> None:
    rules = Speculation().changed({"players": 7, "exhaust_pack": True})
    assert from_mapping(rules.plain(), "here") == rules
    with pytest.raises(RuleError, match="here: players"):
        from_mapping({"players": "many"}, "here")


def test_rule_sets_that_play_alike_have_one_fingerprint() -> None:
    assert Speculation(players=5, deals=5).fingerprint() == Speculation().fingerprint()
    assert Speculation(ante=1).fingerprint() != Speculation().fingerprint()


def test_the_pack_lasts_for_as_many_deals_as_it_has_cards() -> None:
    assert Speculation(exhaust_pack=True).deals_a_pack == 3  # 16 cards a deal
    assert Speculation(exhaust_pack=True, players=12).deals_a_pack == 1
    assert Speculation().deals_a_pack == 1


def test_the_explanation_names_every_knob_and_the_antes() -> None:
    told = "\n".join(explain(Speculation(ante=3, dealer_ante=3, unseen="none", payment=0)))
    assert "each puts 3 into the pool, the dealer 9" in told
    assert "OFFER" not in told
    assert "pays" not in told.partition("Readings")[0].partition("TURN")[2]
    for key in knob_help():
        assert key in told
    assert max(map(len, told.splitlines())) <= 80


def test_an_answer_that_is_not_allowed_changes_nothing() -> None:
    deal = Deal(Speculation(players=3), 0, [[0, 1, 2], [3, 4, 5], [6, 7, 8]], 20)
    before = deal.question, list(deal.events), list(deal.chips)
    with pytest.raises(IllegalAnswer, match="presell: expected 0 or 1, got 2"):
        deal.answer(2)
    assert (deal.question, deal.events, deal.chips) == before


def test_a_deal_that_is_over_takes_no_answer() -> None:
    deal = Deal(Speculation(players=3, presale=False), 0, [[0, 1, 2], [3, 4, 5], [6, 7, 8]], 12)
    assert deal.winner == 0
    with pytest.raises(IllegalAnswer, match="over"):
        deal.answer(0)
