"""The third fault of a match, and a single time-out or death, forfeit the rest of the match."""

from typing import Any, ClassVar

import numpy as np
import pytest

from put_cli import SEE, THROW, Strategy, View
from put_cli.engine import lanes as ln
from put_cli.engine.forfeits import Forfeit, Moment, at
from put_cli.engine.matches import Fixture, Played
from put_cli.engine.play import play
from put_cli.engine.players import INTERPRETED, NATIVE, Contestant, enlist
from put_cli.engine.tables import compile_rules
from put_cli.rules.finding import find_ruleset
from tests.engine.faulty import Fine, fine
from tests.engine.field import STORE

GAMES = ln.GAME_COLUMNS.index
MATCH = 12


class Fails(Strategy):
    def act(self, view: View) -> int:
        return -1 if view.luck > 0.9 else fine(view)


def match_of(rules: str, own: Strategy, tier: str = INTERPRETED, **facts: Any) -> Played:
    """One match: the contestant 0 is `own`, the others commit no fault."""
    tables = compile_rules(find_ruleset(rules))
    sides = tables.rules.players
    others = [enlist(f"other{n}", Fine(), STORE, INTERPRETED) for n in range(1, sides)]
    field: list[Contestant] = [enlist("own", own, STORE, tier), *others]
    return play(tables, field, [Fixture(0, 0, 0, MATCH, tuple(range(sides)))], 7, **facts)


def assert_rest_is_forfeited(result: Played, faults: int, kind: str, sides: int) -> None:
    """After `faults` faults of chair 0 no hand is played."""
    games, (tally,) = result.games, result.tallies
    faulty = np.flatnonzero(games[GAMES("fault_kind")])
    played = games[GAMES("hands")] > 0
    last = faulty[faults - 1]
    assert played[: last + 1].all()
    assert not played[last + 1 :].any()
    assert last + 1 < MATCH
    rest = games[:, last + 1 :]
    assert (rest[GAMES("how")] == ln.BY_FORFEIT).all()
    assert (rest[GAMES("fault_by")] == games[GAMES("fault_by"), last]).all()
    assert {ln.FAULT_KINDS[each] for each in rest[GAMES("fault_kind")]} == {kind}
    assert (rest[GAMES("winner")] != 0).all()
    assert tally[ln.T_GAMES] == MATCH == tally[ln.T_WINS : ln.T_WINS + sides].sum()
    assert tally[ln.T_FAULTS] == faults
    assert tally[ln.T_FORFEITS] == MATCH - last - 1
    assert tally[ln.T_HANDS] == len(result.words)
    why = f"forfeited the rest of the match: in game {last} it {result.reasons[int(last)]}"
    assert [result.reasons[row] for row in range(last + 1, MATCH)] == [why] * (MATCH - last - 1)


@pytest.mark.parametrize("rules", ["cotton", "truc", "three-handed", "four-handed"])
def test_the_third_fault_forfeits_the_rest_of_the_match(rules: str) -> None:
    result = match_of(rules, Fails())
    sides = find_ruleset(rules).players
    assert_rest_is_forfeited(result, 3, "illegal", sides)


@pytest.mark.parametrize("tier", [INTERPRETED, NATIVE])
@pytest.mark.parametrize(("kind", "word"), [(ln.SLOW, "slow"), (ln.DIED, "died")])
def test_a_known_forfeit_ends_the_match_at_its_decision_in_every_tier(
    tier: str, kind: int, word: str
) -> None:
    asked: list[Any] = []
    free = match_of("cotton", Fine(), witness=lambda moment, name: asked.append((moment, name)))
    mine = [moment for moment, name in asked if name == "own" and moment.game == 2]
    known: Forfeit = at(mine[1], kind, "had enough")
    result = match_of("cotton", Fine(), tier, forfeits=[known])
    assert_rest_is_forfeited(result, 1, word, 2)
    assert result.reasons[2] == "had enough"
    assert result.forfeits == ()
    assert (result.games[:, :2] == free.games[:, :2]).all()
    key = result.keys[1:, -1].tolist()
    assert key == [known.game, known.hand]


class Counted(Strategy):
    """Decides many at a time, and remembers how many."""

    sizes: ClassVar[list[int]] = []

    def act_batch(self, views: View) -> Any:
        self.sizes.append(len(views.luck))
        return np.where(views.asked, SEE, np.where(views.may_play, views.highest, THROW))


def test_with_a_witness_a_batch_is_asked_one_by_one_and_the_games_are_the_same() -> None:
    tables = compile_rules(find_ruleset("cotton"))
    field = [enlist("own", Counted(), STORE), enlist("other", Fine(), STORE, INTERPRETED)]
    fixtures = [Fixture(0, block, 0, 3, (0, 1)) for block in range(4)]
    together = play(tables, field, fixtures, 7)
    assert max(Counted.sizes) > 1
    Counted.sizes.clear()
    asked: list[Moment] = []
    one_by_one = play(tables, field, fixtures, 7, witness=lambda moment, name: asked.append(moment))
    assert set(Counted.sizes) == {1}
    own = [each for each in asked if each.chair == 0]
    assert len(own) == len(set(own)) == len(Counted.sizes)
    assert np.array_equal(together.games, one_by_one.games)
