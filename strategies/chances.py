"""Exact chances of a hand, and what a score is worth: the arithmetic behind `odds` and `sharper`.

The chance is that of an opponent who holds a uniformly random draw from the cards this player has
not seen and lays them in random order. A tie is nobody's, and more tricks win.
"""

from put_cli import View


def chances(
    first: int, second: int, third: int, lead: int, seen: tuple[int, ...], top: int, copies: int
) -> tuple[float, float]:
    """The chances to win the hand and to draw it, over the tricks still to be decided.

    `first`, `second` and `third` are the own cards that will meet an unknown card, 0 for none;
    `lead` is tricks won less tricks lost; `seen` are all the cards seen so far, own ones included,
    0 for none; a pack has `copies` cards of each rank 1 to `top`.

    Line the unseen cards up from the worst to the best. Those that lose to an own card, those that
    tie it and those that beat it are three stretches of the line, so the number of ordered draws
    with given results is that of three different places, each from its own stretch: inclusion and
    exclusion. A card that is not there 'ties' the whole line.
    """
    line = copies * top - seen_below(top + 1, seen)
    below1, upto1 = stretch(first, seen, copies, line)
    below2, upto2 = stretch(second, seen, copies, line)
    below3, upto3 = stretch(third, seen, copies, line)
    wins = 0
    draws = 0
    for a in range(-1, 2):  # -1: that card loses its trick, 0: ties it, 1: wins it
        low_a, high_a = (0, below1) if a > 0 else ((below1, upto1) if a == 0 else (upto1, line))
        if low_a == high_a:
            continue
        for b in range(-1, 2):
            low_b, high_b = (0, below2) if b > 0 else ((below2, upto2) if b == 0 else (upto2, line))
            if low_b == high_b:
                continue
            low_ab, high_ab = max(low_a, low_b), min(high_a, high_b)
            ab = max(0, high_ab - low_ab)
            size_a, size_b = high_a - low_a, high_b - low_b
            for c in range(-1, 2):
                if lead + a + b + c < 0:
                    continue
                low, high = (0, below3) if c > 0 else ((below3, upto3) if c == 0 else (upto3, line))
                size = high - low
                ac = max(0, min(high_a, high) - max(low_a, low))
                bc = max(0, min(high_b, high) - max(low_b, low))
                abc = max(0, min(high_ab, high) - max(low_ab, low))
                ways = (size_a * size_b - ab) * size - ac * size_b - bc * size_a + 2 * abc
                if lead + a + b + c > 0:
                    wins += ways
                else:
                    draws += ways
    ways_in_all = line * (line - 1) * (line - 2)
    return wins / ways_in_all, draws / ways_in_all


def stretch(card: int, seen: tuple[int, ...], copies: int, line: int) -> tuple[int, int]:
    """How many unseen cards are below `card`, and how many are not above it."""
    if card == 0:
        return 0, line
    return (
        copies * (card - 1) - seen_below(card, seen),
        copies * card - seen_below(card + 1, seen),
    )


def seen_below(card: int, seen: tuple[int, ...]) -> int:
    """How many of the seen cards are below `card`."""
    number = 0
    for other in seen:
        if 0 < other < card:
            number += 1
    return number


def result(card: int, other: int) -> int:
    """1, 0 or -1: `card` beats, ties or loses to `other`."""
    return int(card > other) - int(card < other)


def game_chance(view: View, mine: int, theirs: int) -> float:
    """A guess at the chance to win the game with `mine` and `theirs` points more than now.

    From needs m and t it is t / (m + t), as if every point went to the next stake: flatter than a
    race of single points, because a seen put can end the game at any score.
    """
    needs = view.target - view.score - mine
    their_needs = view.target - view.their_score - theirs
    if needs <= 0:
        return 1.0
    if their_needs <= 0:
        return 0.0
    return their_needs / (needs + their_needs)
