"""Deal notation: a whole deal in one line, the dealer first, then clockwise.

    A 2c 8d Jc | B Qh 5d 6c | C 9s Ks 3h | up 7s | BQh C9s A:bid:3 C:sell B5d CKs A2c B6c A8d ...

Cards stand in the order in which they lie, the one to be turned first. Further parts are `spare`
with its three cards and `pool` with the chips carried over. Steps are cards turned and what was
said: `A:presell`, `B:offer:2`, `A:bid:3`, `C:sell`, `C:keep`. Who says nothing bids nothing,
refuses, or turns his card. A step `up` says when the turn-up is turned up: bids before it are for
the turn-up unseen, those after it for the trump that it is. Without it they are for the former.
"""

import re
from dataclasses import dataclass

from put_cli.errors import NotationError
from put_cli.speculation import cards
from put_cli.speculation.rules import CARDS_EACH, FEWEST_PLAYERS, MOST_PLAYERS
from put_cli.speculation.telling import LETTERS

MAX_LINE = 10_000
MOST_CHIPS = 10**12

WORDS = ("presell", "offer", "bid", "sell", "keep")
_NUMBERED = ("offer", "bid")
_SAID = re.compile(r"([A-L]):([a-z]+)(?::([0-9]{1,7}))?", re.ASCII)


@dataclass(frozen=True)
class Step:
    """A card turned (`word` is empty) or a word said by the player in `seat`; or UP."""

    seat: int
    word: str = ""
    number: int = 0
    card: int = -1

    def __str__(self) -> str:
        if self == UP:
            return self.word
        letter = LETTERS[self.seat]
        if not self.word:
            return letter + cards.text(self.card)
        return f"{letter}:{self.word}" + (f":{self.number}" if self.word in _NUMBERED else "")


UP = Step(-1, "up")
"""The turn-up is turned up."""


@dataclass(frozen=True)
class Line:
    """A deal as written."""

    piles: tuple[tuple[int, ...], ...]
    """By seat from the dealer's, the card to be turned first in front."""
    turn_up: int
    spare: tuple[int, ...]
    carried: int
    steps: tuple[Step, ...]

    def __str__(self) -> str:
        parts = [
            f"{letter} {' '.join(map(cards.text, pile))}"
            for letter, pile in zip(LETTERS, self.piles, strict=False)
        ]
        parts.append(f"up {cards.text(self.turn_up)}")
        if self.spare:
            parts.append(f"spare {' '.join(map(cards.text, self.spare))}")
        if self.carried:
            parts.append(f"pool {self.carried}")
        parts.append(" ".join(map(str, self.steps)))
        return " | ".join(parts)


def parse(line: str) -> Line:
    """A line in notation.

    Raises:
        NotationError: it is malformed, or no pack could have dealt it; the message names the part.
    """
    if len(line) > MAX_LINE:
        raise NotationError(f"expected at most {MAX_LINE} characters, got {len(line)}.")
    *parts, last = [part.split() for part in line.split("|")]
    piles: list[tuple[int, ...]] = []
    named: dict[str, list[str]] = {}
    for part in parts:
        head, *words = part or [""]
        if head == LETTERS[len(piles) : len(piles) + 1] and not named:
            piles.append(_cards(head, words, CARDS_EACH))
        elif head in ("up", "spare", "pool") and head not in named:
            named[head] = words
        else:
            raise NotationError(
                f"expected the cards of {LETTERS[len(piles) : len(piles) + 1] or 'nobody more'}, "
                f"'up', 'spare' or 'pool', got {' '.join(part)!r}."
            )
    if not FEWEST_PLAYERS <= len(piles) <= MOST_PLAYERS:
        raise NotationError(
            f"expected the cards of {FEWEST_PLAYERS} to {MOST_PLAYERS} players, parted by |, "
            f"got those of {len(piles)}."
        )
    if "up" not in named:
        raise NotationError("expected the turn-up, as in 'up 7s', got none.")
    turn_up = _cards("up", named["up"], 1)[0]
    spare = _cards("spare", named["spare"], CARDS_EACH) if "spare" in named else ()
    dealt = [*(card for pile in piles for card in pile), turn_up, *spare]
    for card in dealt:
        if dealt.count(card) > 1:
            raise NotationError(f"cards: {cards.text(card)} is dealt twice.")
    steps = tuple(_step(number, word, len(piles)) for number, word in enumerate(last, start=1))
    return Line(tuple(piles), turn_up, spare, _carried(named.get("pool")), steps)


def _carried(words: list[str] | None) -> int:
    if words is None:
        return 0
    text = " ".join(words)
    if not (text.isascii() and text.isdigit() and len(text) < 14 and int(text) <= MOST_CHIPS):
        raise NotationError(f"pool: expected a number of chips, got {text!r}.")
    return int(text)


def _cards(where: str, words: list[str], count: int) -> tuple[int, ...]:
    found = []
    for word in words:
        card = cards.parse(word)
        if card is None:
            raise NotationError(
                f"{where}: expected cards such as 9s or Th (suits {', '.join(cards.SUITS)}), "
                f"got {word!r}."
            )
        found.append(card)
    if len(found) != count:
        raise NotationError(f"{where}: expected {count} cards, got {len(found)}.")
    return tuple(found)


def _step(number: int, word: str, players: int) -> Step:
    if word == UP.word:
        return UP
    where = f"step {number} {word!r}"
    said = _SAID.fullmatch(word)
    letter = word[:1]
    if letter and letter in LETTERS[:players]:
        seat = LETTERS.index(letter)
        card = cards.parse(word[1:])
        if card is not None:
            return Step(seat, card=card)
        if said and said[2] in WORDS and (said[3] is not None) == (said[2] in _NUMBERED):
            return Step(seat, said[2], int(said[3] or 0))
    raise NotationError(
        f"{where}: expected a card turned such as A9s, or A:presell, A:offer:2, A:bid:3, A:sell or "
        f"A:keep, of {', '.join(LETTERS[:players])}."
    )
