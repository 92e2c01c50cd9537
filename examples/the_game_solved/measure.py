"""What a solution says of its game, as plain numbers: from a policy file, nothing sampled."""

from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from put_cli.engine import tables as tb
from put_cli.engine.players import Contestant, enlist
from put_cli.errors import UsageError
from put_cli.plugins.code_store import DiskStore
from put_cli.plugins.discovery import load
from put_cli.rules.machine import DEALER, ELDEST, Ending
from put_cli.rules.ruleset import GAME, RuleSet
from put_cli.solve import policy_file, sweep
from put_cli.solve.carry import carried
from put_cli.solve.chain import LOST, WON, Chain
from put_cli.solve.conduct import Conduct, Opening, visits
from put_cli.solve.exact import exactly
from put_cli.solve.hand import Board
from put_cli.solve.meets import meets
from put_cli.solve.places import START
from put_cli.solve.response import action_values, certificate
from put_cli.solve.room import room
from put_cli.solve.solver import as_played
from put_cli.strategy import PUT

Numbers = dict[str, Any]

AGAINST = ("highest", "thrifty", "bold", "odds", "random")
"""Whom the solution meets."""

FIELD = ("random", "highest", "thrifty", "bold", "timid", "bluffer", "counter")
"""Who meet each other, for how far apart strategies come under the rules: none looks at the score,
so an encounter is one hand, and all find their way in short packs."""

PARTS = 10
"""Into which the strength of a hand, a chance, is divided."""

CLOSE = 1e-7
"""To which draws, which lead back to a score, are followed in a certificate."""

DIGITS = 6


def measured(path: Path) -> Numbers:
    """What is done, and how often, when both play a solution."""
    rules = policy_file.rules_of(path)
    with room(rules, threads=1) as (chain, board):
        low, high = policy_file.read_values(path, chain)
        conduct = Conduct(board)
        ends = np.zeros((len(chain.scores), len(chain.tree.endings)))
        said, start = [], None
        for number in range(len(chain.scores)):
            policy = as_played(board, policy_file.read_policy(path, chain, number))
            ends[number] = conduct.ends(policy)
            likely = conduct.likelihoods(policy)
            said.append(conduct.sayings(likely))
            if number == 0:
                start = conduct.opening(likely)
        often = visits(chain, ends)
        found: Numbers = {
            "rules": rules.name,
            "fingerprint": rules.fingerprint(),
            "target": rules.target,
            "scores": [
                {
                    "eldest": score.eldest,
                    "dealer": score.dealer,
                    "low": low[n],
                    "high": high[n],
                    "hands": often[n],
                    **_words_of(said[n]),
                }
                for n, score in enumerate(chain.scores)
            ],
            "game": _game(chain, often, ends, said),
            "start": [vars(each) for each in said[0]],
            "short": _short(path, chain, board, (low + high) / 2),
        }
        if start is not None:
            found["opening"] = _opening(rules, start)
    return found


def _words_of(said: Any) -> Numbers:
    return {key: sum(getattr(each, key) for each in said) for key in _WORDS}


_WORDS = ("puts", "bluffs", "seen", "throws")


def _game(chain: Chain, often: Any, ends: Any, said: Any) -> Numbers:
    """What a whole game is like when both play the solution."""
    rows = chain.tree.tables.states[chain.tree.endings]
    hands = float(often.sum())
    weighed = often[:, None] * ends
    over = weighed * np.isin(chain.following, (WON, LOST))
    thrown, winner = rows[:, tb.ENDING] == Ending.THROWN, rows[:, tb.WINNER]
    lacked = chain.tree.rules.target - np.array([(s.eldest, s.dealer) for s in chain.scores])
    # Whoever lacks one point wins nothing more with the whole game.
    outright = (rows[:, tb.POINTS] == GAME) & (lacked[:, np.clip(winner, 0, 1)] > 1)
    return {
        "hands": hands,
        "drawn": float(weighed[:, rows[:, tb.ENDING] == Ending.DRAWN].sum()) / hands,
        "thrown": float(weighed[:, thrown].sum()) / hands,
        "outright": float((over * outright).sum()),
        **{
            key: sum(share * _words_of(each)[key] for share, each in zip(often, said, strict=True))
            / hands
            for key in _WORDS
        },
    }


def _short(path: Path, chain: Chain, board: Board, values: Any) -> Numbers | None:
    """What a put is worth where one of the two stands a point short of the target.

    `own_gain`: how much, at most, a player a point short would lose by never putting in a hand;
    `their_cost`: what it costs eldest, on average, to put at once with whatever hand he is dealt,
    when the dealer is a point short and he himself is not. None where nobody can put at once.
    """
    tree = chain.tree
    conduct = Conduct(board)
    if PUT not in conduct.map.words[START.node]:
        return None
    rows, short = tree.tables.states[tree.endings], tree.rules.target - 1
    gains, costs = [], []
    for number, score in enumerate(chain.scores):
        if short not in (score.eldest, score.dealer):
            continue
        policy = as_played(board, policy_file.read_policy(path, chain, number))
        pays = chain.payoffs(number, values)
        for seat, own in ((ELDEST, score.eldest), (DEALER, score.dealer)):
            if own == short:
                # Where he has put he is paid nothing, so that the best he does is never to put.
                mute = pays.copy()
                mute[rows[:, tb.PUTS_OF + seat] > 0] = 0 if seat == ELDEST else 1
                with_puts, without = (
                    board.chance(board.sweep(seat, each, policy, sweep.BEST))
                    for each in (pays, mute)
                )
                gains.append(with_puts - without)
        if score.dealer == short and score.eldest < short:
            worth, _ = action_values(board, ELDEST, pays, policy)
            [block] = [each for node, each, _ in board.blocks(worth) if node == START.node]
            first = block[0, 0]  # (actions, hands)
            lost = first.max(axis=0) - first[conduct.map.words[START.node].index(PUT)]
            costs.append(board.chance(lost))
    return {"own_gain": max(gains), "their_cost": max(costs)}


def _opening(rules: RuleSet, start: Opening) -> Numbers:
    """What is done with each hand; `over` is (parts, ranks): the dealer's puts by part of the
    strengths, weakest first, and by the card led, worst first."""
    part = np.minimum((PARTS * start.strength).astype(int), PARTS - 1)
    over = [
        [_average(puts[part == each], start.dealt[part == each]) for puts in start.dealer_puts_over]
        for each in range(PARTS)
    ]
    return {
        "cards": [" ".join(rules.cards.rank(int(c) + 1) for c in hand) for hand in start.cards],
        **{
            key: getattr(start, key).tolist()
            for key in ("dealt", "strength", "eldest_puts", "dealer_puts", "dealer_sees")
        },
        "ranks": [rules.cards.rank(card) for card in range(1, rules.cards.top + 1)],
        "over": over,
    }


def _average(shares: Any, weights: Any) -> float:
    known = ~np.isnan(shares)
    return float(np.average(shares[known], weights=weights[known])) if known.any() else float("nan")


def met(path: Path) -> Numbers:
    """How often the solution beats the strategies of AGAINST, exactly."""
    rules, store = policy_file.rules_of(path), DiskStore()
    with (
        room(rules, threads=1) as (solved, coarse),
        room(rules, classes=False, threads=1) as (chain, fine),
    ):

        def policies(number: int) -> Any:
            return as_played(coarse, policy_file.read_policy(path, solved, number))

        return {
            name: meets(chain, coarse, fine, policies, _built_in(name, store)).wins
            for name in AGAINST
        }


def carried_over(path: Path, other: RuleSet) -> Numbers:
    """What a solution guarantees under rules that allow more, doing nothing of that."""
    with (
        room(policy_file.rules_of(path), threads=1) as (known, board),
        room(other, threads=1) as (chain, new_board),
    ):
        if known.number.keys() != chain.number.keys():
            raise UsageError(f"{other.name} and {known.tree.rules.name} have other scores.")

        @lru_cache(2)  # as many scores as draws join
        def policies(number: int) -> Any:
            same = known.number[chain.scores[number]]
            stored = policy_file.read_policy(path, known, same)
            return as_played(new_board, carried(stored, board.tree, new_board.tree))

        low, high = certificate(chain, new_board, policies, CLOSE)
    return {
        "rules": other.name,
        "scores": [
            {"eldest": score.eldest, "dealer": score.dealer, "low": low[n], "high": high[n]}
            for score in known.scores
            for n in (chain.number[score],)
        ],
    }


def field(rules: RuleSet) -> Numbers:
    """How often each of FIELD beats each of those after it, exactly, as `a b`."""
    store = DiskStore()
    players = [_built_in(name, store) for name in FIELD]
    with room(rules, classes=False, threads=1) as (chain, board):
        return {
            f"{a.name} {b.name}": exactly(chain, board, a, b).wins
            for number, a in enumerate(players)
            for b in players[number + 1 :]
        }


def _built_in(name: str, store: DiskStore) -> Contestant:
    return enlist(name, load(name).strategy, store)


def rounded(value: Any) -> Any:
    """Numbers as the file keeps them: None for nan, DIGITS digits."""
    if isinstance(value, dict):
        return {key: rounded(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [rounded(each) for each in value]
    if isinstance(value, float):
        return None if np.isnan(value) else round(float(value), DIGITS)
    return value
