"""Who sits where: the matches of a call of `play` written into lanes, before a card is dealt."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from put_cli.engine import lanes as ln
from put_cli.engine.forfeits import Moment
from put_cli.engine.luck import subkey
from put_cli.engine.matches import Fixture
from put_cli.engine.players import Contestant
from put_cli.engine.tables import Tables
from put_cli.strategy import Match


@dataclass(frozen=True, eq=False)
class Seating:
    """The matches to play, a lane each, and the players of their chairs."""

    tables: Tables
    contestants: Sequence[Contestant]
    fixtures: Sequence[Fixture]
    members: list[Contestant]
    """With partners a contestant has a member in each chair of its side."""
    sides: npt.NDArray[np.int64]
    """(F, sides): positions in `contestants`."""
    chairs: npt.NDArray[np.int64]
    """(F, chairs): positions in `members`; the partners sit after the captains."""
    lanes: npt.NDArray[np.int64]
    """(F, WIDTH)."""

    def member(self, number: int, chair: int) -> Contestant:
        """Who sits in a chair of a lane."""
        return self.members[int(self.chairs[number, chair])]

    def games(self) -> int:
        """How many games all lanes have together."""
        return int(self.lanes[:, ln.GAMES].sum())

    def moment(self, number: int, chair: int) -> Moment:
        """The decision that a lane waits for."""
        fixture, lane = self.fixtures[number], self.lanes[number]
        return Moment(
            pairing=fixture.pairing,
            block=fixture.block,
            mirror=fixture.mirror,
            chair=chair,
            game=int(lane[ln.GAME]),
            hand=int(lane[ln.HAND]),
            decision=int(lane[ln.DECISION + chair]),
        )

    def match(self, number: int, chair: int) -> Match:
        """What a learning player is told when the match of a lane begins."""
        rules, fixture = self.tables.rules, self.fixtures[number]
        own, *others = self.names(fixture.chairs, chair)
        return Match(
            rules=rules.name,
            target=rules.target,
            ranks=rules.cards.ranks,
            games=fixture.games,
            name=own,
            opponent=" and ".join(others),
            players=rules.players,
        )

    def names(self, sides: Sequence[int], chair: int) -> list[str]:
        """The names at a table clockwise from a chair's own."""
        side = chair % len(sides)
        return [self.contestants[each].name for each in (*sides[side:], *sides[:side])]


def seat(
    tables: Tables, contestants: Sequence[Contestant], fixtures: Sequence[Fixture], seed: int
) -> Seating:
    """Write every match into its lane, all at once: a match may be one game long."""
    rules = tables.rules
    seats_a_side = rules.chairs // rules.players
    count = len(fixtures)
    matches = np.array(
        [(f.block, f.mirror, f.games, *f.chairs) for f in fixtures], np.int64
    ).reshape(count, 3 + rules.players)
    sides = matches[:, 3:]
    seating = Seating(
        tables,
        contestants,
        fixtures,
        [member for each in contestants for member in each.members[:seats_a_side]],
        sides,
        np.hstack([seats_a_side * sides + second for second in range(seats_a_side)]),
        np.zeros((count, ln.WIDTH), np.int64),
    )
    lanes, games = seating.lanes, matches[:, 2]
    lanes[:, ln.BLOCK], lanes[:, ln.MIRROR], lanes[:, ln.GAMES] = matches[:, :3].T
    lanes[:, ln.FIRST_ROW] = np.cumsum(games) - games
    lanes[:, ln.STATUS] = np.where(games > 0, ln.NEW_GAME, ln.FINISHED)
    _seat_players(seating, seed)
    return seating


def _seat_players(seating: Seating, seed: int) -> None:
    """The players' part of every lane: their luck, their code, whether they learn."""
    lanes, members, chairs = seating.lanes, seating.members, seating.chairs
    parameters = [
        each.native[ln.ACT].parameters.ctypes.data if ln.ACT in each.native else 0
        for each in members
    ]
    learns = np.array([each.learns for each in members])
    for first, values in (
        (ln.LUCK_KEY, _luck_keys(seating, seed)),
        (ln.PARAMETERS, np.array(parameters, np.int64)[chairs]),
        (ln.LEARNS, learns[chairs]),
        *(
            (ln.CODE + ln.MAX_CHAIRS * method, _code(members, method)[chairs])
            for method in seating.tables.methods
        ),
    ):
        lanes[:, first : first + chairs.shape[1]] = values
    lanes[:, ln.ANY_LEARNS] = learns[chairs].any(axis=1)


def _luck_keys(seating: Seating, seed: int) -> npt.NDArray[np.int64]:
    """(F, chairs): the key of each player's luck, which hangs on who plays against whom."""
    meetings, which = np.unique(seating.sides, axis=0, return_inverse=True)
    keys = []
    for sides in meetings.tolist():
        for chair in range(seating.chairs.shape[1]):
            partner = ("partner",) if chair >= len(sides) else ()
            keys.append(subkey(seed, "luck", *seating.names(sides, chair), *partner))
    made = np.array(keys, np.int64).reshape(-1, seating.chairs.shape[1])
    return made[which.ravel()]


def _code(members: Sequence[Contestant], method: int) -> npt.NDArray[np.int64]:
    """Addresses of the members' compiled code for a method; 0 where the kernel has to ask."""
    natives = [each.native.get(method) for each in members]
    return np.array([native.code if native else 0 for native in natives], np.int64)
