"""Plackett-Luce: against another library, against all orders, and with what finishes level."""

from itertools import pairwise, permutations
from math import isclose

import choix
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from put_cli.stats import luce
from put_cli.stats.finishing import Orders, choices, levels_of, scores


def drawn(strengths: np.ndarray, games: int, seed: int) -> np.ndarray:
    """Finishing orders drawn from the model: levels (games, N)."""
    gumbel = np.random.default_rng(seed).gumbel(size=(games, len(strengths)))
    return (-(strengths + gumbel)).argsort(axis=1).argsort(axis=1)


def test_the_strengths_are_those_that_another_library_finds() -> None:
    levels = drawn(np.array([0.9, 0.2, 0.0, -0.4, -0.7]), 400, seed=1)
    orders = Orders(5)
    orders.add(range(5), levels)
    rankings = [tuple(np.argsort(row)) for row in levels]
    expected = choix.opt_rankings(5, rankings)
    found = luce.fit(orders.games())
    assert found == pytest.approx(expected - expected.mean(), abs=1e-4)


def test_tables_of_different_strategies_make_one_field() -> None:
    true = np.array([1.0, 0.5, 0.0, -0.5, -1.0])
    orders = Orders(5)
    for seed, members in enumerate([(0, 1, 2), (1, 3, 4), (0, 2, 4)]):
        orders.add(members, drawn(true[list(members)], 4000, seed))
    assert luce.fit(orders.games()) == pytest.approx(true, abs=0.1)


def test_an_order_is_a_choice_of_the_first_then_of_the_second_and_so_on() -> None:
    assert choices((1, 0, 2)) == (((0, 1, 2), (0.0, 1.0, 0.0)), ((0, 2), (1.0, 0.0)))


@given(st.lists(st.integers(0, 3), min_size=2, max_size=6))
def test_what_finished_level_counts_as_the_mean_of_all_ways_that_lots_could_fall(
    chips: list[int],
) -> None:
    levels = levels_of(np.array([chips]))[0]
    ways = [
        way
        for way in permutations(range(len(chips)))
        if all(chips[a] >= chips[b] for a, b in pairwise(way))
    ]
    expected: dict[tuple[tuple[int, ...], int], float] = {}
    for way in ways:
        for place in range(len(way) - 1):
            key = tuple(sorted(way[place:])), way[place]
            expected[key] = expected.get(key, 0.0) + 1 / len(ways)
    found: dict[tuple[tuple[int, ...], int], float] = {}
    for left, shares in choices(tuple(levels.tolist())):
        for place, share in zip(left, shares, strict=True):
            if share:
                found[left, place] = found.get((left, place), 0.0) + share
    assert found.keys() == expected.keys()
    assert all(isclose(found[key], expected[key]) for key in found)


def test_levels_count_how_many_finished_ahead() -> None:
    assert levels_of(np.array([[5, 9, 5, -1]])).tolist() == [[1, 0, 1, 3]]


def test_scores_are_the_gradient_of_each_order_and_vanish_at_the_maximum() -> None:
    levels = drawn(np.array([0.5, 0.0, -0.2]), 500, seed=4)
    levels[:50] = levels_of(np.array([[1, 1, 0]]))
    orders = Orders(3)
    orders.add((0, 1, 2), levels)
    strengths = luce.fit(orders.games())
    assert scores((0, 1, 2), levels, strengths).sum(axis=0) == pytest.approx(0, abs=1e-6)
    away = np.array([0.3, -0.1, -0.2])
    expected = orders.games().gradient(away)
    assert scores((0, 1, 2), levels, away).sum(axis=0) == pytest.approx(expected)
