"""Results of a tournament held against exact chances."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from put_cli.engine.players import INTERPRETED, Contestant
from put_cli.rules.finding import find_ruleset
from put_cli.solve.crosstable import FAR, crosstable, z_score
from put_cli.stats.lines import PairingLine
from put_cli.stats.units import Units
from put_cli.strategy import Strategy, View
from tests.solve.field import Fickle, Steady
from tests.tournament.runs import play_run


def counts(wins: int, games: int, pairs: tuple[int, int, int] = (0, 0, 0)) -> dict[str, int]:
    """The counts of a pairing that matter here."""
    named = {f"pairs_{number}": many for number, many in enumerate(pairs)}
    return {"games": games, "wins_a": wins, **named}


def line(a: str, b: str, wins: int, games: int) -> PairingLine:
    return PairingLine(
        a=a,
        b=b,
        score_a=wins / games,
        low=None,
        high=None,
        first_dealer_score=None,
        units=Units(kind="games", count=games, variance=np.eye(2)),
        counts=counts(wins, games),
    )


def test_games_of_their_own_are_as_coins() -> None:
    # 60 heads of 100: (60 - 50) / sqrt(100 / 4) standard errors.
    assert z_score(counts(60, 100), 0.5) == pytest.approx(2)
    assert z_score(counts(10, 100), 0.1) == pytest.approx(0)


def test_mirrored_games_are_counted_by_pairs() -> None:
    # Every pair won and lost once: 100 wins of 200, with no scatter at all.
    assert z_score(counts(100, 200, (0, 100, 0)), 0.5) is None
    # Pairs won or lost altogether scatter twice as much as single games would.
    assert z_score(counts(120, 200, (40, 0, 60)), 0.5) == pytest.approx(20 / 100**0.5)
    # About another chance: 40 pairs of 0 and 60 of 2 scatter about 2 * 0.5 + 0.4.
    expected = (120 - 140) / (40 * 1.4**2 + 60 * 0.6**2) ** 0.5
    assert z_score(counts(120, 200, (40, 0, 60)), 0.7) == pytest.approx(expected)


class Rememberer(Steady):
    memory = True


class Cheat(Strategy):
    def act(self, view: View) -> int:
        return view.top


def test_every_pairing_with_an_exact_chance_is_checked_and_the_others_are_told_of() -> None:
    rules = find_ruleset("cotton(pack=tiny,target=1)")
    field = [
        Contestant(name, strategy, INTERPRETED)
        for name, strategy in (
            ("steady", Steady()),
            ("fickle", Fickle()),
            ("rememberer", Rememberer()),
            ("cheat", Cheat()),
        )
    ]
    lines = [
        line("steady", "fickle", 60, 100),
        line("steady", "rememberer", 50, 100),
        line("steady", "cheat", 100, 100),
    ]
    heard: list[int] = []
    table = crosstable(rules, field, lines, threads=1, add=heard.append)
    [checked] = table.pairings
    assert (checked.a, checked.b, checked.games, checked.score) == ("steady", "fickle", 100, 0.6)
    assert checked.z == pytest.approx(z_score(counts(60, 100), checked.exact))
    told = " ".join(table.left_out)
    assert "rememberer reads the record" in told
    assert "cheat" in told
    assert sum(heard) == 3
    off = replace(table, pairings=(replace(checked, z=-FAR - 0.1), checked))
    assert [each.z for each in off.far] == [-FAR - 0.1]
    assert off.plain()["far"] == 1


@pytest.mark.long
def test_simulation_meets_the_exact_chances_of_all_built_in_strategies(tmp_path: Path) -> None:
    finished = play_run(tmp_path / "run", rules="cotton", games=20_000, log="none")
    workshop = finished.prepared.workshop
    # `equilibrium` is asked at 25 scores by everybody: what it plays has tests of its own.
    lines = [each for each in finished.standings.pairings if "equilibrium" not in (each.a, each.b)]
    table = crosstable(find_ruleset("cotton"), workshop.contestants, lines)
    assert len(table.pairings) > 50
    assert max(abs(each.z or 0) for each in table.pairings) < 4
