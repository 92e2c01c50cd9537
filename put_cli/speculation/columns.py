"""From the kernel's numbers to the tables of the log."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from put_cli.engine.lanes import FAULT_KINDS
from put_cli.log.arrays import coded, table
from put_cli.speculation import state as at
from put_cli.speculation.cards import ALL_TEXTS
from put_cli.speculation.play import Mishap, Played
from put_cli.speculation.rules import CARDS_EACH
from put_cli.speculation.schema import EVENT_WORDS, OF_EACH, PLACES, SpeculationFormat
from put_cli.speculation.telling import LETTERS

Ints = npt.NDArray[Any]

_CARDS = pa.array(ALL_TEXTS)
_WHAT = pa.array(EVENT_WORDS)
_FAULT_KINDS = pa.array(FAULT_KINDS[1:])
_COUNTED = {
    "chips": at.G_CHIPS,
    "taken": at.G_TAKEN,
    "bought": at.G_BOUGHT,
    "sold": at.G_SOLD,
    "paid": at.G_PAID,
}


def tables(
    form: SpeculationFormat, played: Played, names: Sequence[str], log: str
) -> dict[str, pa.Table]:
    """The tables that a value of --log keeps, by name; `names` are those of the contestants."""
    made = _Columns(form, played, names)
    makers = {
        "events": made.events,
        "deals": made.deals,
        "games": made.games,
        "tallies": made.tallies,
    }
    return {name: table(form, name, makers[name]()) for name in form.logged(log)}


class _Columns:
    def __init__(self, form: SpeculationFormat, played: Played, names: Sequence[str]) -> None:
        self._played = played
        self._players = form.rules.players
        self._spare_hand = form.rules.spare_hand
        self._names = pa.array(names, pa.string())
        self._letters = pa.array(list(LETTERS[: self._players]))
        self._chairs = played.matches[:, at.M_CHAIRS : at.M_CHAIRS + self._players]
        self._first: dict[int, Mishap] = {}
        for mishap in played.mishaps:
            self._first.setdefault(mishap.session, mishap)

    def _key(self, session: Ints) -> dict[str, Ints]:
        # A column at a time: events are very many, and the rows they belong to wide.
        match = self._played.sessions[:, at.G_MATCH][session]
        matches = self._played.matches
        return {
            "pairing": matches[:, at.M_PAIRING][match],
            "block": matches[:, at.M_BLOCK].astype(np.int32)[match],
            "mirror": matches[:, at.M_MIRROR].astype(np.int8)[match],
            "game": self._played.sessions[:, at.G_GAME].astype(np.int32)[session],
        }

    def _name(self, who: Ints) -> pa.Array:
        return coded(who, self._names, np.int16)

    def events(self) -> dict[str, Any]:
        """One row an event."""
        events, deals = self._played.events, self._played.deals
        column = dict(zip(at.EVENT_COLUMNS, events.T, strict=True))
        of = column["deal_row"]
        session, dealer = deals[of, at.D_SESSION], deals[of, at.D_DEALER]
        seat = column["seat"]
        match = self._played.sessions[:, at.G_MATCH][session]
        chairs = self._chairs.astype(np.int16)
        who = np.where(seat < 0, np.int16(-1), chairs[match, seat])
        return {
            **self._key(session),
            "deal": deals[of, at.D_NUMBER],
            "event": np.arange(len(events)) - deals[of, at.D_EVENTS],
            "what": coded(column["what"], _WHAT),
            "seat": self._seat(seat, dealer),
            "strategy": self._name(who),
            "card": coded(column["card"], _CARDS),
            "to": self._seat(column["to"], dealer),
            "amount": column["amount"],
            "holder": self._seat(column["holder"], dealer),
            "pool": column["pool"],
        }

    def _seat(self, seat: Ints, dealer: Ints) -> pa.Array:
        """Letters clockwise from the dealer's; null for nobody."""
        return coded(np.where(seat < 0, -1, (seat - dealer) % self._players), self._letters)

    def deals(self) -> dict[str, Any]:
        """One row a deal."""
        deals, players = self._played.deals, self._players
        session, dealer = deals[:, at.D_SESSION], deals[:, at.D_DEALER]
        chairs = self._chairs[self._played.sessions[session, at.G_MATCH]]
        row = np.arange(len(deals))
        made: dict[str, Any] = {
            **self._key(session),
            "deal": deals[:, at.D_NUMBER],
            "up": coded(deals[:, at.D_UP], _CARDS),
            "spare": self._spare(deals),
            "carried": deals[:, at.D_CARRIED],
            "pool": deals[:, at.D_POOL],
            "taken_by": self._seat(deals[:, at.D_WINNER], dealer),
        }
        for step, letter in enumerate(LETTERS[:players]):
            seat = (dealer + step) % players
            made[f"strategy_{letter}"] = self._name(chairs[row, seat])
            first = at.D_CARDS + CARDS_EACH * seat
            made[f"cards_{letter}"] = _hand(*(deals[row, first + k] for k in range(CARDS_EACH)))
            made[f"net_{letter}"] = deals[row, at.D_NET + seat]
        return made

    def _spare(self, deals: Ints) -> pa.Array:
        if not self._spare_hand:
            return pa.nulls(len(deals), pa.string())
        return _hand(*(deals[:, at.D_SPARE + k] for k in range(CARDS_EACH)))

    def games(self) -> dict[str, Any]:
        """One row a session."""
        sessions, count = self._played.sessions, len(self._played.sessions)
        chairs = self._chairs[sessions[:, at.G_MATCH]]
        by, kind = np.full(count, -1), np.full(count, -1)
        reasons: list[str | None] = [None] * count
        for session, mishap in self._first.items():
            by[session], kind[session] = chairs[session, mishap.seat], mishap.kind - 1
            reasons[session] = mishap.reason
        return {
            **self._key(np.arange(count)),
            **{f"chair{n}": self._name(chairs[:, n]) for n in range(self._players)},
            **{f"chips{n}": sessions[:, at.G_CHIPS + n] for n in range(self._players)},
            "deals": sessions[:, at.G_DEALS],
            "fault_by": self._name(by),
            "fault_kind": coded(kind, _FAULT_KINDS),
            "fault_reason": pa.array(reasons, pa.string()),
        }

    def tallies(self) -> dict[str, Any]:
        """One row a session; chairs become the strategies a, b ... of the table."""
        sessions = self._played.sessions
        row = np.arange(len(sessions))
        chair_of = np.argsort(self._chairs, axis=1)[sessions[:, at.G_MATCH]]
        faults = np.zeros((len(sessions), self._players), np.int64)
        for mishap in self._played.mishaps:
            faults[mishap.session, mishap.seat] = 1
        made: dict[str, Any] = {**self._key(row), "deals": sessions[:, at.G_DEALS]}
        for n, place in enumerate(PLACES[: self._players]):
            chair = chair_of[:, n]
            for name in OF_EACH:
                made[f"{name}_{place}"] = (
                    faults[row, chair]
                    if name == "faults"
                    else sessions[row, _COUNTED[name] + chair]
                )
        return made


def _hand(*cards: Ints) -> pa.Array:
    """Three cards as one text."""
    words = [coded(card, _CARDS).cast(pa.string()) for card in cards]
    return pc.binary_join_element_wise(*words, " ")
