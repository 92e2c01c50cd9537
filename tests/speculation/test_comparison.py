"""Two runs on the same deals, and how many sessions a precision takes."""

import numpy as np
import pytest

from put_cli.speculation.comparison import compare

DEALS = np.full((40, 2), 5)


def chips(seed: int) -> np.ndarray:
    """Of 40 sessions what one won and the other lost."""
    won = np.random.default_rng(seed).integers(-30, 30, 40)
    return np.stack([won, -won], axis=1)


def test_the_difference_is_that_of_the_means_and_luck_of_the_deal_falls_out() -> None:
    first = chips(1)
    better = first + np.array([[5, -5]])  # one chip a deal more in every session
    one, other = compare((first, DEALS), (better, DEALS))
    assert one.difference == pytest.approx(1.0)
    assert other.difference == pytest.approx(-1.0)
    assert one.margin == pytest.approx(0, abs=1e-9)
    assert one.alone > 1.0
    assert one.deals == 200


def test_the_margin_is_that_of_the_paired_differences() -> None:
    first, second = chips(1), chips(2)
    one, _ = compare((first, DEALS), (second, DEALS))
    apart = (second - first)[:, 0] / 5
    error = apart.std(ddof=1) / np.sqrt(40)
    assert one.margin == pytest.approx(2.0227 * error, rel=1e-4)  # t of 39 degrees


def test_sessions_that_are_not_in_both_runs_are_left_out() -> None:
    first, second = chips(1), chips(1)[:20] + 3
    longer = DEALS.copy()
    longer[3] = 6
    one, _ = compare((first, longer), (second, DEALS[:20]))
    assert one.deals == 5 * 19
    with pytest.raises(ValueError, match="two sessions of the same deals"):
        compare((first[:1], DEALS[:1]), (second[:1], DEALS[:1]))
