"""What the kernel's numbers mean: what was said in a hand, and which cards were held."""

from typing import NamedTuple

from put_cli.engine.lanes import SAID_DECLINED, SAID_SEEN, SAID_THROWN, WORDS_END
from put_cli.engine.tables import PLACES


class Utterance(NamedTuple):
    """One word: where (`reply1`), by which seat (0 eldest, 1 dealer), `put`, `see` or `throw`."""

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


def triples(top: int) -> list[tuple[int, int, int]]:
    """Three cards, best first, by the kernel's number for them (`hand.cards_index`)."""
    return [
        (best, middle, worst)
        for best in range(1, top + 1)
        for middle in range(1, best + 1)
        for worst in range(1, middle + 1)
    ]


def utterances_many(code: int) -> list[Utterance]:
    """Everything said among three and more, in order; seats count from eldest."""
    said = []
    while code:
        place, seat, word = code & 7, (code >> 3) & 7, (code >> 6) & 3
        said.append(Utterance(PLACES[place - 1], seat, ("put", "see", "throw")[word - 1]))
        code >>= 8
    return said
