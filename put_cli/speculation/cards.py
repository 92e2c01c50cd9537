"""The full pack of 52 with suits, whist ranks, Ace high.

A card is a number from 0 to 51: 13 times its suit plus its rank less two; a rank is a number from
2 to 14, the Ace.
"""

SUITS = "cdhs"
RANKS = "23456789TJQKA"
PACK = 52
PER_SUIT = 13
LOWEST, FIVE, KNAVE, ACE = 2, 5, 11, 14


def suit_of(card: int) -> int:
    """0 to 3: clubs, diamonds, hearts, spades."""
    return card // PER_SUIT


def rank_of(card: int) -> int:
    """2 to 14, the Ace."""
    return card % PER_SUIT + LOWEST


def pays(card: int) -> bool:
    """Whether whoever turns it pays to the pool: a Knave or a five of any suit."""
    return rank_of(card) in (KNAVE, FIVE)


def text(card: int) -> str:
    """As in `9s`: rank and suit; T is ten."""
    return RANKS[card % PER_SUIT] + SUITS[suit_of(card)]


def parse(word: str) -> int | None:
    """The card that a word such as `9s` or `10s` names; None when it names none."""
    rank, suit = word[:-1].upper().replace("10", "T"), word[-1:].lower()
    if len(rank) != 1 or len(suit) != 1 or rank not in RANKS or suit not in SUITS:
        return None
    return PER_SUIT * SUITS.index(suit) + RANKS.index(rank)


ALL_TEXTS = tuple(text(card) for card in range(PACK))
"""Every card's text by number."""
