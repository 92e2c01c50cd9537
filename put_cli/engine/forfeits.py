"""Forfeits that a clock or a dead process brought about: what happened once, kept as an input.

Such a thing cannot be worked out again from the plan, and may not happen again. So it is written
down to the decision, and whoever plays that match another time hands it to the engine, which ends
the match there without asking the player.
"""

from dataclasses import dataclass

from put_cli.engine import lanes as ln

BEGIN_MATCH, HAND_OVER = -2, -1
"""Stand for a decision where a learning player is told something instead."""

STRIKES = 3
"""After so many in one shard a player forfeits all its other matches there: each costs seconds."""


def struck(kind: int) -> str:
    """Why a player forfeits a match for what it did in others: SLOW or DIED."""
    done = "took too long" if kind == ln.SLOW else "ended its process"
    return f"{done} in {STRIKES} other matches"


_PLACES = {BEGIN_MATCH: "while the match began", HAND_OVER: "while it heard of a hand"}


@dataclass(frozen=True, kw_only=True)
class Moment:
    """A call of a player: which match, who, and where in it; all count from 0."""

    pairing: int
    block: int
    mirror: int
    chair: int
    game: int
    hand: int
    decision: int
    """Of this player in this hand, or one of the two names above."""

    @property
    def match(self) -> tuple[int, int, int]:
        """The key of the match."""
        return self.pairing, self.block, self.mirror


@dataclass(frozen=True, kw_only=True)
class Forfeit(Moment):
    """At this moment a player forfeited the rest of its match."""

    kind: int
    """SLOW or DIED, of `lanes.FAULT_KINDS`."""
    reason: str

    def __str__(self) -> str:
        where = _PLACES.get(self.decision, "")
        return f"{self.reason} {where}".rstrip()


def at(moment: Moment, kind: int, reason: str) -> Forfeit:
    """A forfeit at a moment."""
    assert kind in (ln.SLOW, ln.DIED)
    facts = {name: getattr(moment, name) for name in Moment.__dataclass_fields__}
    return Forfeit(**facts, kind=kind, reason=reason)


def rest_of_match(game: int, reason: str) -> str:
    """Why games were lost unplayed: the fault in a game of the match, counted from 0."""
    return f"forfeited the rest of the match: in game {game} it {reason}"
