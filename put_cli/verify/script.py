"""From the rows of a log to the acts that were done, in the kernel's own numbers.

What a row says that cannot be read, a rank that the pack lacks or words in no order, becomes no
act: the replay then differs from the log just there.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from put_cli.engine import lanes as ln
from put_cli.engine import tables as tb
from put_cli.engine.decode import words_text, words_text_of_many
from put_cli.engine.script_reader import ACTS, CHOICE, LAID_OUT, RULING
from put_cli.engine.scripted import Script
from put_cli.log.schema import Format
from put_cli.rules.machine import CHOICES, RULINGS, seat_names
from put_cli.verify.keys import Placed
from put_cli.verify.rows import numbered

Ints = npt.NDArray[np.int64]

_MOST_SAID = {"two": ln.WORDS_END // 4, "many": 7}
_CHOSEN = {act.name.lower(): 1 + n for n, act in enumerate(CHOICES)}
_RULED = {act.name.lower(): 1 + n for n, act in enumerate(RULINGS)}
_SAID = {"put": ln.SAID_PUT, "see": ln.SAID_SEE, "throw": ln.SAID_THROW}
KINDS = {kind: n for n, kind in enumerate(ln.FAULT_KINDS) if kind}


def numbers(column: pa.Array, known: Mapping[str, int]) -> npt.NDArray[Any]:
    """(R,) int8: the number of each word of a dictionary column, 0 where there is none."""
    words = column.dictionary.to_pylist()
    table = np.array([*(known.get(word, 0) for word in words), 0], np.int8)
    return numbered(column, table)


def script_of(
    form: Format,
    starts: Ints,
    hands: pa.Table,
    plays: tuple[pa.Table, Placed] | None,
    games: npt.NDArray[np.int8],
) -> Script:
    """The acts of a shard.

    `hands` are its rows in order, those of game g from starts[g] to starts[g + 1]; `plays` rows
    and places of the cards, where they are a table of their own; `games` (G,) the kind of fault
    by which each game was lost, or 0.
    """
    rules = form.rules
    ranks = {rules.cards.rank(card): card for card in range(1, rules.cards.top + 1)}
    acts = np.zeros((hands.num_rows, ACTS), np.int8)
    if plays:
        table, placed = plays
        seats = {seat: 1 + n for n, seat in enumerate(seat_names(rules))}
        hand = table["hand"].to_numpy()[placed.rows]
        at = starts[placed.unit] + hand
        seats_of = numbers(table["seat"].chunk(0), seats)[placed.rows]
        seat = seats_of.astype(np.int64) - 1
        trick = table["trick"].to_numpy()[placed.rows].astype(np.int64) - 1
        card = numbers(table["card"].chunk(0), ranks)[placed.rows]
        there = (at < starts[placed.unit + 1]) & (seat >= 0) & (trick >= 0) & (trick < 3)
        acts[at[there], (ln.MAX_CHAIRS * trick + seat)[there]] = card[there]
        coder, most = _code_of_many, _MOST_SAID["many"]
    else:
        for n, place in enumerate(("lead1", "reply1", "lead2", "reply2", "lead3", "reply3")):
            acts[:, n] = numbers(hands[place].chunk(0), ranks)
        coder, most = _code_of_two, _MOST_SAID["two"]
    if rules.partners:
        for n, side in enumerate(("eldest", "dealer")):
            acts[:, CHOICE + n] = numbers(hands[f"{side}_choice"].chunk(0), _CHOSEN)
            acts[:, LAID_OUT + n] = numbers(hands[f"{side}_laid_out"].chunk(0), ranks)
    if rules.misdeals:
        acts[:, RULING] = numbers(hands["ruling"].chunk(0), _RULED)
    said = hands["words"].chunk(0)
    codes = np.array(
        [*(_code(text, most, coder) for text in said.dictionary.to_pylist()), 0], np.int64
    )
    words = numbered(said, codes)
    forfeited = numbers(hands["ending"].chunk(0), {"forfeit": 1})
    kinds = np.repeat(games, np.diff(starts))
    return Script(starts, acts, words, np.where(forfeited, kinds, 0).astype(np.int8))


def _code(text: str | None, most: int, coder: Any) -> int:
    """Words as the kernel packs them; 0 for a text that it would not have written."""
    try:
        said = [each.split(":") for each in (text or "").split(" ") if each]
        # Two sides: every utterance but a free throw may have an answer beside it.
        code: int = coder(said) if len(said) <= 2 * most else 0
        return code
    except (ValueError, KeyError, IndexError):
        return 0


def _code_of_two(said: list[list[str]]) -> int:
    code = count = 0
    end = ln.SAID_SEEN
    waiting = False
    for place, seat, word in said:
        if word == "see":
            waiting = False
        elif word == "throw" and waiting:
            end, waiting = ln.SAID_DECLINED, False
        else:
            utterance = 1 + tb.PLACES.index(place) | "ED".index(seat) << 3
            code |= utterance << 4 * count
            count += 1
            waiting = word == "put"
            end = ln.SAID_SEEN if waiting else ln.SAID_THROWN
    if waiting:
        end = ln.SAID_UNANSWERED
    if count > _MOST_SAID["two"]:
        return 0
    code |= end << ln.WORDS_END
    return code if words_text(code) == " ".join(map(":".join, said)) else 0


def _code_of_many(said: list[list[str]]) -> int:
    if len(said) > _MOST_SAID["many"]:
        return 0
    code = 0
    for count, (place, seat, word) in enumerate(said):
        utterance = 1 + tb.PLACES.index(place) | "ABCDEF".index(seat) << 3 | _SAID[word] << 6
        code |= utterance << 8 * count
    return code if words_text_of_many(code) == " ".join(map(":".join, said)) else 0
