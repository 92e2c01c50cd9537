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

Ints = npt.NDArray[Any]


def _coded(index: Ints, dictionary: pa.Array, kind: Any = np.int8) -> pa.Array:
    """A dictionary column; an index outside the dictionary is null."""
    missing = (index < 0) | (index >= len(dictionary))
    codes = index.astype(kind)
    if missing.any():
        codes = pa.array(np.where(missing, 0, codes).astype(kind), mask=missing)
    return pa.DictionaryArray.from_arrays(codes, dictionary, safe=False)


class Columns:
    """Makes the tables of one run: rule set and names are fixed, `Played` comes by shard."""

    def __init__(self, tables: tb.Tables, names: Sequence[str]) -> None:
        self._names = pa.array(names, pa.string())
        pack = tables.rules.cards
        # Card 0 is no card: its index falls outside, on the negative side, and is null.
        self._ranks = pa.array([pack.rank(card) for card in range(1, pack.top + 1)])
        self._cards = pa.array([pack.text(cards) for cards in triples(pack.top)])
        states = tables.states
        self._takers = states[:, tb.TAKERS : tb.TAKERS + 3].astype(np.int8)
        self._ending = states[:, tb.ENDING].astype(np.int8)
        self._winner = states[:, tb.WINNER].astype(np.int8)
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
        fixture, game, hand = played.keys
        column = dict(zip(ln.HAND_COLUMNS, played.hands, strict=True))
        state = column["state"]
        chairs = np.array([f.chairs for f in played.fixtures], np.int16).reshape(-1, 2)
        eldest_chair = column["eldest_chair"]
        forfeit = column["forfeit"] > 0
        ending, winner = self._ending[state], self._winner[state]
        if forfeit.any():
            ending = np.where(forfeit, _FORFEIT, ending)
            winner = np.where(forfeit, 1 - self._actor[state], winner)
        made: dict[str, Any] = {
            **self._key(played, fixture),
            "game": game,
            "hand": hand,
            "leg": column["leg"].astype(np.int8),
            "eldest": _coded(chairs[fixture, eldest_chair], self._names, np.int16),
            "dealer": _coded(chairs[fixture, 1 - eldest_chair], self._names, np.int16),
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
                f"trick{trick}": _coded(self._takers[state, trick - 1], _TAKERS)
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
        sizes = [f.games for f in played.fixtures]
        fixture = np.repeat(np.arange(len(sizes)), sizes)
        chairs = np.array([f.chairs for f in played.fixtures], np.int16).reshape(-1, 2)
        column = dict(zip(ln.GAME_COLUMNS, played.games, strict=True))
        starts = np.repeat(np.cumsum([0, *sizes[:-1]]), sizes) if sizes else fixture
        by = column["fault_by"]
        reasons = [played.reasons.get(row) for row in range(len(fixture))] if played.reasons else []
        made: dict[str, Any] = {
            **self._key(played, fixture),
            "game": np.arange(len(fixture)) - starts,
            "chair0": _coded(chairs[fixture, 0], self._names, np.int16),
            "chair1": _coded(chairs[fixture, 1], self._names, np.int16),
            "cut0": _coded(column["cut0"] - 1, self._ranks),
            "cut1": _coded(column["cut1"] - 1, self._ranks),
            "recuts": column["recuts"],
            "first_dealer": self._name_at(chairs, fixture, column["first_dealer"]),
            "winner": self._name_at(chairs, fixture, column["winner"]),
            **{name: column[name] for name in ("score0", "score1", "legs0", "legs1", "hands")},
            "how": _coded(column["how"], pa.array(ln.HOW)),
            "fault_by": _coded(
                np.where(by < 2, chairs[fixture, np.minimum(by, 1)], -1), self._names, np.int16
            ),
            "fault_kind": _coded(column["fault_kind"] - 1, pa.array(ln.FAULT_KINDS[1:])),
            "fault_reason": pa.array(reasons or [None] * len(fixture), pa.string()),
        }
        return _table("games", made)

    def tallies(self, played: Played) -> pa.Table:
        """The tallies table: chairs become the strategies a and b of the pairing."""
        count = dict(zip(ln.TALLY_COLUMNS, played.tallies.T, strict=True))
        mirror = np.array([f.mirror for f in played.fixtures], np.int64)
        swapped = mirror == 1
        made: dict[str, Any] = self._key(played, np.arange(len(played.fixtures)))
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
        made["forfeits_a"] = made["forfeits_b"] = np.zeros(len(mirror), np.int64)
        for cell, values in enumerate(_pair_cells(played)):
            made[f"pairs_{cell}"] = values
        return _table("tallies", made)

    def _key(self, played: Played, fixture: Ints) -> dict[str, Any]:
        keys = np.array([(f.pairing, f.block, f.mirror) for f in played.fixtures], np.int32)
        pairing, block, mirror = keys.reshape(-1, 3).T
        return {
            "pairing": pairing[fixture],
            "block": block[fixture],
            "mirror": mirror.astype(np.int8)[fixture],
        }

    def _name_at(self, chairs: Ints, fixture: Ints, chair: Ints) -> pa.Array:
        return _coded(chairs[fixture, chair], self._names, np.int16)


def _words(codes: npt.NDArray[np.int64]) -> dict[str, pa.Array]:
    """The columns about what was said; few different things are, so each is worked out once."""
    encoded = pa.array(codes).dictionary_encode()
    index = encoded.indices.to_numpy()
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
            pa.array(index, pa.int32()), pa.array(texts, pa.string()), safe=False
        ),
        "put_by": _coded(by[index], _SEATS),
        "put_at": _coded(at[index], _PLACES),
        "put_answer": _coded(answer_code[index], _ANSWERS),
    }


def _pair_cells(played: Played) -> tuple[Ints, Ints, Ints]:
    """Mirrored pairs of which a won 0, 1, 2, on the rows of mirror 0; (F,) int64 each."""
    cells = np.zeros((3, len(played.fixtures)), np.int64)
    winner = played.games[ln.GAME_COLUMNS.index("winner")]
    row = 0
    for number, fixture in enumerate(played.fixtures):
        after = row + fixture.games
        if fixture.mirror:
            # The mirror match follows its first match; a sits in chair 0 there, in 1 here.
            before = row - fixture.games
            won = (winner[before:row] == 0).astype(np.int64) + (winner[row:after] == 1)
            cells[:, number - 1] = np.bincount(won, minlength=3)
        row = after
    return cells[0], cells[1], cells[2]


def _table(name: str, made: dict[str, Any]) -> pa.Table:
    arrays = [
        value if isinstance(value, pa.Array) else pa.array(value, type=column.type, safe=False)
        for column in TABLES[name]
        for value in [made[column.name]]
    ]
    return pa.Table.from_arrays(arrays, schema=schema(name))
