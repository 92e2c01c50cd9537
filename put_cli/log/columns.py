"""From the kernel's numbers to the columns of the log."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from put_cli.engine import lanes as ln
from put_cli.engine import tables as tb
from put_cli.engine.decode import triples, utterances, words_text
from put_cli.engine.play import Played
from put_cli.log.schema import TABLES, schema
from put_cli.rules.machine import Ending
from put_cli.rules.ruleset import GAME

_SEATS = pa.array(["eldest", "dealer"])
_TAKERS = pa.array(["eldest", "dealer", "tie"])
_ENDINGS = pa.array([*(ending.name.lower() for ending in Ending), "redealt", "forfeit"])
_FORFEIT = 4
_ANSWERS = pa.array(["see", "throw"])
_PLACES = pa.array(tb.PLACES)
_HOW = pa.array(ln.HOW)
_FAULT_KINDS = pa.array(ln.FAULT_KINDS[1:])

Ints = npt.NDArray[Any]


def _coded(index: Ints, dictionary: pa.Array, kind: Any = np.int8) -> pa.Array:
    """A dictionary column; a negative index is null."""
    codes = index.astype(kind, copy=False)
    missing = codes < 0
    indices = pa.array(np.maximum(codes, 0), mask=missing) if missing.any() else pa.array(codes)
    return pa.DictionaryArray.from_arrays(indices, dictionary, safe=False)


def _or_none(codes: Ints, dictionary: pa.Array) -> npt.NDArray[np.int8]:
    """The codes of a small table; those outside the dictionary, which mean nobody, become -1."""
    return np.where(codes < len(dictionary), codes, -1).astype(np.int8)


class Columns:
    """Makes the tables of one run: rule set and names are fixed, `Played` comes by shard."""

    def __init__(self, tables: tb.Tables, names: Sequence[str]) -> None:
        self._names = pa.array(names, pa.string())
        pack = tables.rules.cards
        # Card 0 is no card: its index is -1, and the column null.
        self._ranks = pa.array([pack.rank(card) for card in range(1, pack.top + 1)])
        self._cards = pa.array([pack.text(cards) for cards in triples(pack.top)])
        states = tables.states
        # Looked up by state, one small table a column.
        self._takers = [_or_none(states[:, tb.TAKERS + trick], _TAKERS) for trick in range(3)]
        self._ending = states[:, tb.ENDING].astype(np.int8)
        self._winner = _or_none(states[:, tb.WINNER], _SEATS)
        self._actor = states[:, tb.ACTOR].astype(np.int8)
        self._outright = states[:, tb.POINTS] == GAME
        mine, theirs = tb.SITUATION.index("puts_mine"), tb.SITUATION.index("puts_theirs")
        self._puts = (states[:, mine] + states[:, theirs]).astype(np.int8)
        self._seen = states[:, tb.SEEN].astype(np.int8)
        worths = sorted(set(states[:, tb.WORTH].tolist()))
        self._worths = pa.array(["game" if worth == GAME else str(worth) for worth in worths])
        self._worth = np.searchsorted(worths, states[:, tb.WORTH]).astype(np.int8)

    def hands(self, played: Played) -> pa.Table:
        """The hands table."""
        _, game, hand = played.keys
        column = dict(zip(ln.HAND_COLUMNS, played.hands, strict=True))
        # NumPy looks things up by its own index type, and would convert others each time.
        fixture, state = played.keys[0].astype(np.intp), column["state"].astype(np.intp)
        matches = _Matches(played)
        eldest_chair = column["eldest_chair"]
        forfeit = column["forfeit"] > 0
        ending, winner = self._ending[state], self._winner[state]
        if forfeit.any():
            ending = np.where(forfeit, _FORFEIT, ending)
            winner = np.where(forfeit, 1 - self._actor[state], winner)
        made: dict[str, Any] = {
            **matches.key(fixture),
            "game": game,
            "hand": hand,
            "leg": column["leg"].astype(np.int8),
            "eldest": self._name(matches.sitting(fixture, eldest_chair)),
            "dealer": self._name(matches.sitting(fixture, 1 - eldest_chair)),
            "eldest_score": column["eldest_score"],
            "dealer_score": column["dealer_score"],
            "eldest_cards": _coded(column["eldest_cards"], self._cards, np.int16),
            "dealer_cards": _coded(column["dealer_cards"], self._cards, np.int16),
            **{
                f"{act}{trick}": _coded(column[f"{act}{trick}"] - 1, self._ranks)
                for trick in (1, 2, 3)
                for act in ("lead", "reply")
            },
            **{
                f"trick{trick}": _coded(self._takers[trick - 1][state], _TAKERS)
                for trick in (1, 2, 3)
            },
            **_words(played.words),
            "puts": self._puts[state],
            "puts_seen": self._seen[state],
            "worth": _coded(self._worth[state], self._worths),
            "ending": _coded(ending, _ENDINGS),
            "winner": _coded(winner, _SEATS),
            "eldest_points": column["eldest_points"],
            "dealer_points": column["dealer_points"],
            "outright": self._outright[state] & ~forfeit,
            "game_over": column["game_over"] != 0,
            "rubber_over": column["rubber_over"] != 0,
        }
        return _table("hands", made)

    def games(self, played: Played) -> pa.Table:
        """The games table."""
        matches = _Matches(played)
        fixture = np.repeat(np.arange(len(matches.games)), matches.games)
        column = dict(zip(ln.GAME_COLUMNS, played.games, strict=True))
        by = column["fault_by"]
        offender = np.where(by < 2, matches.sitting(fixture, np.minimum(by, 1)), -1)
        reasons = [played.reasons.get(row) for row in range(len(by))] if played.reasons else []
        made: dict[str, Any] = {
            **matches.key(fixture),
            "game": np.arange(len(fixture)) - matches.starts[fixture],
            "chair0": self._name(matches.sitting(fixture, 0)),
            "chair1": self._name(matches.sitting(fixture, 1)),
            "cut0": _coded(column["cut0"] - 1, self._ranks),
            "cut1": _coded(column["cut1"] - 1, self._ranks),
            "recuts": column["recuts"],
            "first_dealer": self._name(matches.sitting(fixture, column["first_dealer"])),
            "winner": self._name(matches.sitting(fixture, column["winner"])),
            **{name: column[name] for name in ("score0", "score1", "legs0", "legs1", "hands")},
            "how": _coded(column["how"], _HOW),
            "fault_by": self._name(offender),
            "fault_kind": _coded(column["fault_kind"] - 1, _FAULT_KINDS),
            "fault_reason": pa.array(reasons or [None] * len(by), pa.string()),
        }
        return _table("games", made)

    def tallies(self, played: Played) -> pa.Table:
        """The tallies table: chairs become the strategies a and b of the pairing."""
        count = dict(zip(ln.TALLY_COLUMNS, played.tallies.T, strict=True))
        matches = _Matches(played)
        swapped = matches.mirror == 1
        made: dict[str, Any] = matches.key(np.arange(len(swapped)))
        for name in ("games", "hands", "drawn"):
            made[name] = count[name]
        # Of the games chair 1 dealt first, it won those chair 0 did not.
        dealt1 = count["games"] - count["dealt0"]
        dealt_wins1 = count["wins1"] - (count["dealt0"] - count["dealt_wins0"])
        made["dealt_a"] = np.where(swapped, dealt1, count["dealt0"])
        made["dealt_wins_a"] = np.where(swapped, dealt_wins1, count["dealt_wins0"])
        for name in ("wins", "legs", "points", "puts", "seen", "declined", "lost", "faults"):
            first, second = count[f"{name}0"], count[f"{name}1"]
            made[f"{name}_a"] = np.where(swapped, second, first)
            made[f"{name}_b"] = np.where(swapped, first, second)
        made["forfeits_a"] = made["forfeits_b"] = np.zeros(len(swapped), np.int64)
        for cell, values in enumerate(_pair_cells(played, matches)):
            made[f"pairs_{cell}"] = values
        return _table("tallies", made)

    def _name(self, who: Ints) -> pa.Array:
        return _coded(who, self._names, np.int16)


class _Matches:
    """The fixtures of a `Played` as arrays of F, to be looked up by number of fixture."""

    def __init__(self, played: Played) -> None:
        rows = [(f.pairing, f.block, f.mirror, f.games, *f.chairs) for f in played.fixtures]
        facts = np.array(rows, np.int32).reshape(-1, 6)
        self.pairing, self.block, self.mirror, self.games = facts[:, :4].T.copy()
        self.starts = np.cumsum(self.games) - self.games  # rows of the games table
        self._chairs: Ints = facts[:, 4:].astype(np.int16).ravel()

    def key(self, fixture: Ints) -> dict[str, Any]:
        """The columns that begin every table, for rows of these fixtures."""
        return {
            "pairing": self.pairing[fixture],
            "block": self.block[fixture],
            "mirror": self.mirror.astype(np.int8)[fixture],
        }

    def sitting(self, fixture: Ints, chair: Any) -> Ints:
        """Which contestant sat in this chair."""
        who: Ints = self._chairs[2 * fixture + chair]
        return who


def _words(codes: npt.NDArray[np.int64]) -> dict[str, pa.Array]:
    """The columns about what was said; few different things are, so each is worked out once."""
    encoded = pa.array(codes).dictionary_encode()
    index = encoded.indices.to_numpy().astype(np.intp)
    texts, firsts = [], []
    for code in encoded.dictionary.to_pylist():
        texts.append(words_text(code))
        said = utterances(code)
        put = next((i for i, u in enumerate(said) if u.word == "put"), None)
        if put is None:
            firsts.append((-1, -1, -1))
            continue
        answer = said[put + 1].word if put + 1 < len(said) else ""
        firsts.append(
            (
                said[put].seat,
                tb.PLACES.index(said[put].place),
                {"see": 0, "throw": 1}.get(answer, -1),
            )
        )
    by, at, answer_code = np.array(firsts, np.int8).reshape(-1, 3).T
    return {
        "words": pa.DictionaryArray.from_arrays(
            encoded.indices, pa.array(texts, pa.string()), safe=False
        ),
        "put_by": _coded(by[index], _SEATS),
        "put_at": _coded(at[index], _PLACES),
        "put_answer": _coded(answer_code[index], _ANSWERS),
    }


def _pair_cells(played: Played, matches: _Matches) -> npt.NDArray[np.int64]:
    """Mirrored pairs of which a won 0, 1, 2, on the rows of mirror 0; (3, F) int64."""
    winner = played.games[ln.GAME_COLUMNS.index("winner")]
    fixture = np.repeat(np.arange(len(matches.games)), matches.games)
    # The mirror match follows its first match; a sits in chair 0 there, in 1 here.
    again = np.flatnonzero(matches.mirror[fixture] == 1)
    match = fixture[again]
    won = (winner[again - matches.games[match]] == 0).astype(np.int64) + (winner[again] == 1)
    cells = np.bincount(3 * (match - 1) + won, minlength=3 * len(matches.games))
    return cells.reshape(-1, 3).T


def _table(name: str, made: dict[str, Any]) -> pa.Table:
    arrays = [
        value if isinstance(value, pa.Array) else pa.array(value, type=column.type, safe=False)
        for column in TABLES[name]
        for value in [made[column.name]]
    ]
    return pa.Table.from_arrays(arrays, schema=schema(name))
