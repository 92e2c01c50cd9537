"""What games and tallies must come to, where hands are not there to replay."""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from put_cli.engine import lanes as ln
from put_cli.engine.matches import Fixture, Played
from put_cli.rules.ruleset import RuleSet
from put_cli.stats.tally import PLACES
from put_cli.verify.rows import numbered
from put_cli.verify.script import KINDS, numbers

Ints = npt.NDArray[Any]
Bools = npt.NDArray[np.bool_]
Wrong = tuple[Any, str, str]
"""Where something is not so, the columns it is about, and what was expected."""

_HOW = {how: n for n, how in enumerate(ln.HOW)}

FROM_GAMES = (
    "games",
    "wins",
    "dealt",
    "dealt_wins",
    "pairs",
    "legs",
    "hands",
    "faults",
    "forfeits",
)
"""Counts of the tallies that the games alone decide."""

FROM_CUTS = ("games", "dealt")
"""And those that the plan and the seed decide."""


def _repeat(fixtures: Sequence[Fixture]) -> tuple[Ints, Ints]:
    """The fixture of every game, and (F, sides) who sits where."""
    games = [each.games for each in fixtures]
    chairs = np.array([each.chairs for each in fixtures], np.int64)
    return np.repeat(np.arange(len(fixtures)), games), chairs


def games_as_numbers(
    rules: RuleSet, names: Sequence[str], fixtures: Sequence[Fixture], cut: Ints, table: pa.Table
) -> Ints:
    """(columns, G) int32, as the kernel has them: cuts as worked out, the rest as logged."""
    fixture, chairs = _repeat(fixtures)
    index = {name: 1 + n for n, name in enumerate(names)}

    def side(column: str) -> Ints:
        column_ = table[column].chunk(0)
        words = column_.dictionary.to_pylist()
        known = np.array([*(index.get(word, 0) for word in words), 0]) - 1
        who = numbered(column_, known)
        at = (chairs[fixture] == who[:, None]).argmax(axis=1)
        return np.where(who < 0, ln.NO_CHAIR, at)

    made = cut.copy()
    winner = side("winner")
    put = dict(zip(ln.GAME_COLUMNS, made, strict=True))
    put["winner"][:] = np.where(winner == ln.NO_CHAIR, 0, winner)
    put["hands"][:] = table["hands"].to_numpy()
    put["how"][:] = numbers(table["how"].chunk(0), _HOW)
    put["fault_kind"][:] = numbers(table["fault_kind"].chunk(0), KINDS)
    put["fault_by"][:] = side("fault_by")
    if rules.partners:
        chair = table["fault_chair"].fill_null(ln.NO_CHAIR).to_numpy()
        put["fault_by"][:] = np.clip(chair, 0, ln.NO_CHAIR)
    for n in range(rules.players):
        put[f"score{n}"][:] = table[f"score{n}"].to_numpy()
    if rules.players == 2:
        for n in range(2):
            put[f"legs{n}"][:] = table[f"legs{n}"].to_numpy()
    return made


def tallies_of(rules: RuleSet, fixtures: Sequence[Fixture], games: Ints) -> npt.NDArray[np.int64]:
    """(F, columns) int64, as the kernel counts: what follows from the games, and else 0."""
    column = dict(zip(ln.GAME_COLUMNS, games, strict=True))
    fixture, _ = _repeat(fixtures)
    counted = np.zeros((len(fixtures), len(ln.TALLY_COLUMNS)), np.int64)
    sides = rules.players
    winner, first = column["winner"], column["first_dealer"] % sides

    def add(match: Ints, count: Any, number: Any) -> None:
        np.add.at(counted, (match, np.broadcast_to(count, match.shape)), number)

    add(fixture, ln.T_GAMES, 1)
    add(fixture, ln.T_HANDS, column["hands"])
    add(fixture, ln.T_WINS + winner, 1)
    add(fixture, ln.T_DEALT + first, 1)
    add(fixture, ln.T_DEALT_WINS + first, winner == first)
    for side in range(2):
        add(fixture, ln.T_LEGS + side, column[f"legs{side}"])
    at_fault = np.flatnonzero(column["fault_by"] != ln.NO_CHAIR)
    by = column["fault_by"][at_fault] % sides
    what = np.where(column["hands"][at_fault] > 0, ln.T_FAULTS, ln.T_FORFEITS)
    add(fixture[at_fault], what + by, 1)
    return counted


def as_played(fixtures: Sequence[Fixture], games: Ints, tallies: Ints, reasons: Any) -> Played:
    """Games and tallies without hands, for the columns to be made of them."""
    none = np.zeros((0, 0), np.int32), np.zeros((0, 0), np.int16), np.zeros(0, np.int64)
    return Played(fixtures, *none, games, tallies, reasons, differences=[])


def wrong_games(rules: RuleSet, games: Ints) -> Iterator[Wrong]:
    """What cannot be about rows of the games table, whatever the hands were."""
    column = dict(zip(ln.GAME_COLUMNS, games, strict=True))
    sides, winner = rules.players, column["winner"]
    score = np.stack([column[f"score{n}"] for n in range(sides)])
    row = np.arange(score.shape[1])
    others = score.copy()
    others[winner, row] = 0
    own = score[winner, row]
    how, faulty = column["how"], column["fault_by"] != ln.NO_CHAIR
    counted = np.isin(how, (ln.BY_POINTS, ln.BY_CONCESSION))
    yield (score < 0).any(axis=0), "score", "scores from 0"
    yield (others >= rules.target).any(axis=0), "score", f"losers below {rules.target}"
    yield counted & (own != rules.target), "score", f"the winner at {rules.target}"
    outright = ~counted & (own >= rules.target)
    yield outright, "score", f"all below {rules.target} where the game was not won on points"
    yield (how == ln.BY_FORFEIT) != faulty, "how, fault_by", "a forfeit where there is a fault"
    kind = column["fault_kind"] > 0
    yield kind != faulty, "fault_by, fault_kind", "a kind of fault where there is a fault"
    yield faulty & (winner == column["fault_by"] % sides), "winner", "not the one at fault"
    yield (column["hands"] < 1) & ~faulty, "hands", "at least 1"
    yield column["hands"] < 0, "hands", "at least 0"
    unplayed = (column["hands"] == 0) & (score != 0).any(axis=0)
    yield unplayed, "score", "no points in a game that was not played"
    if rules.rubber > 1:
        legs = np.stack([column["legs0"], column["legs1"]])
        ended = ~faulty & (legs[winner, row] != rules.wins_needed)
        yield ended, "legs", f"{rules.wins_needed} won by the winner"
        yield legs[1 - winner, row] >= rules.wins_needed, "legs", "fewer by the loser"


def wrong_tallies(
    rules: RuleSet, games: Ints, mirrored: bool, rows: dict[str, Ints]
) -> Iterator[Wrong]:
    """What cannot be about rows of the tallies, whatever the games were; in order of the plan.

    `games` (F,) are those of each match.
    """
    places = PLACES[: rules.players]
    zero = np.zeros(len(games), np.int64)

    def of(name: str, place: str) -> Ints:
        return rows.get(f"{name}_{place}", zero)

    for name, values in rows.items():
        yield values < 0, name, "at least 0"
    wins: Any = sum(of("wins", place) for place in places)
    yield rows["games"] != games, "games", "the games of the plan"
    yield wins != games, "wins", "as many as games"
    yield rows["drawn"] > rows["hands"], "drawn", "at most hands"
    unplayed: Any = sum(of("forfeits", place) for place in places)
    yield rows["hands"] < games - unplayed, "hands", "at least one a game"
    yield (unplayed == games) & (games > 0), "forfeits", "fewer than games"
    for place in places:
        puts, seen, declined = (of(name, place) for name in ("puts", "seen", "declined"))
        yield seen + declined > puts, f"puts_{place}", "at least seen and declined"
        yield of("lost", place) > seen, f"lost_{place}", "at most seen"
        if f"dealt_{place}" in rows:
            most = np.minimum(of("dealt", place), of("wins", place))
            yield of("dealt_wins", place) > most, f"dealt_wins_{place}", "at most dealt, and wins"
        yield of("points", place) > rows["hands"] * rules.target, f"points_{place}", "fewer"
    if rules.players == 2 and mirrored:
        cells = [rows[f"pairs_{n}"] for n in range(3)]
        first, again = slice(0, None, 2), slice(1, None, 2)
        pairs: Any = sum(cells)
        short = zero.astype(bool)
        short[first] = pairs[first] != games[first]
        short[again] = pairs[again] != 0
        yield short, "pairs", "as many as games, and none in mirror 1"
        won = cells[1] + 2 * cells[2]
        both = rows["wins_a"][first] + rows["wins_a"][again]
        odd = zero.astype(bool)
        odd[first] = won[first] != both
        yield odd, "pairs", "as many wins as in both mirrors"
