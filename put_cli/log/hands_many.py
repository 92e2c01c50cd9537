"""From the kernel's numbers to the hands, and the cards played, of three to six players."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from put_cli.engine import lanes as ln
from put_cli.engine import tables as tb
from put_cli.engine.decode import utterances_of_many, words_text_of_many
from put_cli.engine.matches import Played
from put_cli.log.arrays import FORFEIT, PLACES, Ints, Lookup, Matches, coded, table
from put_cli.rules.machine import seat_names


class _Rows:
    """What hands and plays have in common: the columns of the kernel and who sat where."""

    def __init__(self, lookup: Lookup, played: Played, names: pa.Array) -> None:
        rules = lookup.form.rules
        self.seats = seat_names(rules)
        self.column: Mapping[str, Ints] = dict(
            zip(ln.hand_columns(rules), played.hands, strict=True)
        )
        self.fixture = played.keys[0].astype(np.intp)
        self.matches = Matches(played)
        self._names = names
        _, game, hand = played.keys
        self.key = {**self.matches.key(self.fixture), "game": game, "hand": hand}

    def strategy(self, row: Any, seat: Any) -> pa.Array:
        """Names of the strategies in a seat of some rows."""
        chair = (self.column["eldest_chair"][row] + seat) % len(self.seats)
        return coded(self.matches.sitting(self.fixture[row], chair), self._names, np.int16)


def hands(lookup: Lookup, played: Played, names: pa.Array) -> pa.Table:
    """The hands table."""
    rows = _Rows(lookup, played, names)
    column, seats = rows.column, rows.seats
    letters, takers = pa.array(seats), pa.array([*seats, "tie"])
    state = column["state"] + (column["state_high"].astype(np.intp) << 15)
    forfeit = column["forfeit"] > 0
    ending, winner = lookup.ending[state], lookup.winner[state]
    if forfeit.any():
        ending = np.where(forfeit, FORFEIT, ending)
        # Who gains by a forfeit stands in the row of the game, as a chair.
        game = rows.matches.starts[rows.fixture] + played.keys[1]
        chair = played.games[ln.GAME_COLUMNS.index("winner")][game]
        winner = np.where(forfeit, (chair - column["eldest_chair"]) % len(seats), winner)
    everything = slice(None)
    made: dict[str, Any] = {
        **rows.key,
        **{f"strategy_{seat}": rows.strategy(everything, n) for n, seat in enumerate(seats)},
        **{f"score_{seat}": column[f"score{n}"] for n, seat in enumerate(seats)},
        **{f"cards_{seat}": lookup.held(column[f"cards{n}"]) for n, seat in enumerate(seats)},
        **{f"trick{n + 1}": coded(lookup.takers[n][state], takers) for n in range(3)},
        **_words(played.words, seats),
        "puts": lookup.puts[state],
        "puts_seen": lookup.seen[state],
        "worth": coded(lookup.worth[state], lookup.worths),
        "ending": coded(ending, lookup.endings),
        "winner": coded(winner, letters),
        **{f"points_{seat}": column[f"points{n}"] for n, seat in enumerate(seats)},
        "outright": lookup.outright[state] & ~forfeit,
        "game_over": column["game_over"] != 0,
    }
    if lookup.form.rules.misdeals:
        made |= lookup.laws(column, letters, 1)
    return table(lookup.form, "hands", made)


def plays(lookup: Lookup, played: Played, names: pa.Array) -> pa.Table:
    """The plays table: the cards of every hand in the order in which they were played."""
    rows = _Rows(lookup, played, names)
    column, n = rows.column, len(rows.seats)
    row, trick, seat, card = [], [], [], []
    for number in (1, 2, 3):
        leader = column[f"leader{number}"]
        cards = np.stack([column[f"card{number}_{each}"] for each in range(n)])
        for step in range(n):
            # No card was led, or this seat has thrown: then it has no card of the trick.
            there = np.flatnonzero(leader >= 0)
            at = (leader[there] + step) % n
            laid = cards[at, there]
            row.append(there[laid > 0])
            seat.append(at[laid > 0])
            card.append(laid[laid > 0])
            trick.append(np.full(len(row[-1]), number))
    rows_of, tricks = np.concatenate(row), np.concatenate(trick)
    # By hand; within one the tricks and turns already stand in order.
    order = np.argsort(rows_of, kind="stable")
    rows_of, tricks = rows_of[order], tricks[order]
    seats = np.concatenate(seat)[order]
    begins = np.flatnonzero(np.diff(3 * rows_of + tricks, prepend=-1))
    turn = np.arange(len(rows_of)) - np.repeat(begins, np.diff([*begins, len(rows_of)])) + 1
    made = {
        **{name: values[rows_of] for name, values in rows.key.items()},
        "trick": tricks,
        "turn": turn,
        "seat": coded(seats, pa.array(rows.seats)),
        "strategy": rows.strategy(rows_of, seats),
        "card": lookup.rank(np.concatenate(card)[order]),
    }
    return table(lookup.form, "plays", made)


def _words(codes: npt.NDArray[np.int64], seats: tuple[str, ...]) -> dict[str, pa.Array]:
    """The columns about what was said; few different things are, so each is worked out once."""
    encoded = pa.array(codes).dictionary_encode()
    index = encoded.indices.to_numpy().astype(np.intp)
    texts, by, at = [], [], []
    seen: list[str] = []
    thrown: list[str] = []
    for code in encoded.dictionary.to_pylist():
        said = utterances_of_many(code)
        texts.append(words_text_of_many(code))
        puts = [number for number, u in enumerate(said) if u.word == "put"]
        by.append(said[puts[0]].seat if puts else -1)
        at.append(tb.PLACES.index(said[puts[0]].place) if puts else -1)
        answers = said[puts[0] + 1 : puts[1] if len(puts) > 1 else None] if puts else []
        for word, texts_of in (("see", seen), ("throw", thrown)):
            texts_of.append("".join(sorted(seats[u.seat] for u in answers if u.word == word)))

    def groups(found: list[str]) -> pa.Array:
        known = sorted(set(found) - {""})
        numbers = [known.index(each) if each else -1 for each in found]
        return coded(np.array(numbers, np.int8)[index], pa.array(known, pa.string()))

    return {
        "words": pa.DictionaryArray.from_arrays(
            encoded.indices, pa.array(texts, pa.string()), safe=False
        ),
        "put_by": coded(np.array(by, np.int8)[index], pa.array(seats)),
        "put_at": coded(np.array(at, np.int8)[index], PLACES),
        "seen_by": groups(seen),
        "thrown_by": groups(thrown),
    }
