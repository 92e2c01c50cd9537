"""Players who never trade: what every seat may expect, exactly, against the kernel's deals.

Worked out over the turn-up and the best trump that comes after it, in whole fractions; nothing of
the program is used but the ranks.
"""

from fractions import Fraction
from math import comb, sqrt

import pytest

from put_cli.speculation import state as at
from put_cli.speculation.cards import ACE, FIVE, KNAVE, LOWEST
from put_cli.speculation.rules import Speculation
from put_cli.speculation.strategy import Speculator

from .tables import matches, play_all

DEALS = 200_000


def expected(players: int, ante: int, dealer_ante: int, payment: int) -> tuple[Fraction, Fraction]:
    """What the dealer and each other player win a deal on average."""
    hands = 3 * players
    antes = Fraction(ante * (players - 1) + ante * dealer_ante)
    dealer = other = Fraction(0)
    for up in range(LOWEST, ACE + 1):
        share = Fraction(1, 13)
        if up == ACE:
            dealer += share * antes
            continue
        payers = 8 - (up in (FIVE, KNAVE))
        # Everybody owns three of the cards in the hands, and pays for those.
        paid = payment * Fraction(3 * payers, 51)
        dealer -= share * paid
        other -= share * paid
        better = ACE - up
        for best in range(up, ACE + 1):
            # The best trump out in the end: no hand has one above it, and one has it, or it is up.
            above = ACE - best
            rest = 51 - above  # cards the hands may come from
            if best == up:
                chance = Fraction(comb(51 - better, hands), comb(51, hands))
                fixed, left, drawn = 0, rest, hands
            else:
                chance = Fraction(comb(rest - 1, hands - 1), comb(51, hands))
                fixed, left, drawn = int(best in (FIVE, KNAVE)), rest - 1, hands - 1
            among = payers - fixed - (best < KNAVE) - (best < FIVE)
            pool = antes + payment * (fixed + Fraction(drawn * among, left))
            if best == up:
                dealer += share * chance * pool
            else:  # it lies in any hand alike
                dealer += share * chance * pool / players
                other += share * chance * pool / players
    return dealer - ante * dealer_ante, other - ante


@pytest.mark.parametrize(
    ("players", "ante", "dealer_ante", "payment"),
    [(3, 2, 2, 1), (5, 2, 2, 1), (12, 1, 1, 5), (4, 3, 3, 0)],
)
def test_every_seat_wins_what_it_may_expect(
    players: int, ante: int, dealer_ante: int, payment: int
) -> None:
    rules = Speculation(
        players=players, deals=1, ante=ante, dealer_ante=dealer_ante, payment=payment
    )
    dealer, other = expected(players, ante, dealer_ante, payment)
    assert dealer + (players - 1) * other == 0
    table = matches(players, blocks=DEALS // 1000, games=1000)
    played = play_all(rules, [Speculator()] * players, table, seed=5)
    chips = played.sessions[:, at.G_CHIPS : at.G_CHIPS + players]
    for seat in range(players):
        exact = float(dealer if seat == 0 else other)
        error = chips[:, seat].std() / sqrt(DEALS)
        assert abs(chips[:, seat].mean() - exact) < 4 * error


def test_a_spare_hand_carries_the_pool_over_as_often_as_it_is_best() -> None:
    """Of the eighteen cards after the turn-up three are in the spare hand, and all are alike."""
    rules = Speculation(players=5, deals=1, spare_hand=True)
    table = matches(5, blocks=100, games=1000)
    played = play_all(rules, [Speculator()] * 5, table, seed=6)
    stays = sum(Fraction(comb(51 - b, 18), comb(51, 18)) for b in range(13)) / 13
    exact = float((1 - stays) * Fraction(3, 18))
    carried = (played.deals[:, at.D_WINNER] < 0).mean()
    error = sqrt(exact * (1 - exact) / len(played.deals))
    assert abs(carried - exact) < 4 * error
