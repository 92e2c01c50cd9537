"""What the kernel's numbers mean: what was said in a hand, and which cards were held."""

from typing import NamedTuple

from put_cli.engine.lanes import (
    SAID_DECLINED,
    SAID_PUT,
    SAID_SEE,
    SAID_SEEN,
    SAID_THROW,
    SAID_THROWN,
    WORDS_END,
)
from put_cli.engine.tables import PLACES


class Utterance(NamedTuple):
    """One word: where (`reply1`), by which seat (0 eldest), and `put`, `see` or `throw`."""

    place: str
    seat: int
    word: str


def utterances(code: int) -> list[Utterance]:
    """Everything said, in order. `code` is a value of the kernel's words column."""
    end = code >> WORDS_END
    said = []
    rest = code & ((1 << WORDS_END) - 1)
    while rest:
        place, seat = PLACES[(rest & 7) - 1], (rest >> 3) & 1
        rest >>= 4
        last = rest == 0
        if last and end == SAID_THROWN:
            said.append(Utterance(place, seat, "throw"))
            continue
        said.append(Utterance(place, seat, "put"))
        if not last or end == SAID_SEEN:
            said.append(Utterance(place, 1 - seat, "see"))
        elif end == SAID_DECLINED:
            said.append(Utterance(place, 1 - seat, "throw"))
    return said


def words_text(code: int) -> str:
    """As the log writes it: `reply1:D:put reply1:E:see`."""
    return " ".join(f"{place}:{'ED'[seat]}:{word}" for place, seat, word in utterances(code))


def utterances_of_many(code: int) -> list[Utterance]:
    """The same for three and more players."""
    words = {SAID_PUT: "put", SAID_SEE: "see", SAID_THROW: "throw"}
    said = []
    while code:
        said.append(Utterance(PLACES[(code & 7) - 1], (code >> 3) & 7, words[(code >> 6) & 3]))
        code >>= 8
    return said


def words_text_of_many(code: int) -> str:
    """As the log writes it: `reply1:B:put reply1:C:see reply1:A:throw`."""
    return " ".join(f"{u.place}:{'ABCDEF'[u.seat]}:{u.word}" for u in utterances_of_many(code))


def triples(top: int) -> list[tuple[int, int, int]]:
    """Three cards, best first, by the kernel's number for them (`hand.cards_index`)."""
    return [
        (best, middle, worst)
        for best in range(1, top + 1)
        for middle in range(1, best + 1)
        for worst in range(1, middle + 1)
    ]
