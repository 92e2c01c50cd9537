"""A module that a strategy of the tests imports whole, as authors do."""

FLOOR = 4
TABLE = (0.9, 0.5, 0.1)


def is_high(card: int) -> bool:
    """Whether a card is above the floor; calls another helper of this module."""
    return card > floor_of(card)


def floor_of(card: int) -> int:
    """The floor, whatever the card."""
    return FLOOR if card else 0
