"""The learning player and the network keep the contract and are good."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from put_cli import PUT, SEE, HandRecord, Match
from put_cli.engine.asking import stacked
from put_cli.engine.matches import Fixture
from put_cli.engine.play import play, prepare_kernel
from put_cli.engine.players import enlist
from put_cli.engine.tables import compile_rules
from put_cli.plugins.code_store import DiskStore
from put_cli.plugins.contract import assert_conforms, check, situations
from put_cli.plugins.discovery import load
from put_cli.rules.finding import find_ruleset

EXAMPLES = Path(__file__).parents[2] / "examples"
SCHOLAR = str(EXAMPLES / "scholar.py")
NETWORK = str(EXAMPLES / "network" / "network.py")


def share_won(text: str, opponent: str, games: int) -> float:
    """The share of mirrored games that it wins."""
    store = DiskStore()
    prepare_kernel(store)
    players = [enlist(each, load(each).strategy, store) for each in (text, opponent)]
    fixtures = [Fixture(0, block, m, 100, (0, 1)) for block in range(games // 200) for m in (0, 1)]
    played = play(compile_rules(find_ruleset("cotton")), players, fixtures, seed=1674)
    assert not played.reasons
    wins = sum(int(t[1 + f.mirror]) for f, t in zip(fixtures, played.tallies, strict=True))
    return wins / games


@pytest.mark.long
def test_the_scholar_keeps_the_contract() -> None:
    assert_conforms(load(SCHOLAR).strategy, rules=["cotton", "hoyle", "truc"])


@pytest.mark.long
@pytest.mark.parametrize(("opponent", "least"), [("bold", 0.60), ("timid", 0.75), ("odds", 0.47)])
def test_the_scholar_is_good(opponent: str, least: float) -> None:
    # By 400 games it has 2.5 percentage points of standard error; it wins 70, 85 and 52 %.
    assert share_won(SCHOLAR, opponent, 400) > least


def test_the_scholar_learns_what_a_put_is_worth() -> None:
    match = Match("cotton", 5, "32AKQJT987654", 100, "scholar", "bluffer")
    player = load(SCHOLAR).strategy.begin_match(match)
    asked = [
        each.view
        for each in situations(find_ruleset("cotton"), samples=60, last_trick=1)
        if each.view.asked and each.view.score < 4
    ]
    before = sum(player.act(view) == SEE for view in asked)
    for number in range(40):
        (player._theirs, player._mine) = ([0.5], [])
        player.hand_over(bluffed(number))
    after = sum(player.act(view) == SEE for view in asked)
    assert after > before


def bluffed(number: int) -> HandRecord:
    """A hand in which the opponent put, was seen and lost."""
    return HandRecord(
        game=number,
        hand=0,
        is_dealer=True,
        cards=(9, 8, 7),
        played=(9, 8, 0),
        their_played=(1, 2, 0),
        words=(("lead1", False, "put"), ("lead1", True, "see")),
        score=0,
        their_score=0,
        points=100,
        their_points=0,
        won=True,
        lost=False,
        game_over=True,
    )


def test_the_network_keeps_the_contract_in_the_batch_tier() -> None:
    report = check(load(NETWORK).strategy, samples=2, measure=False)
    assert report.ok, report.text()
    assert report.tier == "batch"
    assert "2 rule sets" in report.text()


@pytest.mark.parametrize(("opponent", "least"), [("bold", 0.73), ("closer", 0.67), ("odds", 0.54)])
def test_the_network_beats_whom_it_learned_from(opponent: str, least: float) -> None:
    # By 2000 games it has a percentage point of standard error; it wins 79, 73 and 59 %.
    assert share_won(NETWORK, opponent, 2000) > least


def test_the_weights_are_whole_numbers_whose_sums_are_exact() -> None:
    module = sys.modules[type(load(NETWORK).strategy).__module__]
    weights = module.WEIGHTS
    assert all((each == np.rint(each)).all() for each in weights.values())
    # The largest sum there can be: no input is above 3, and at most 15 are not 0.
    hidden = 3 * np.abs(weights["w1"]).sum(0) + np.abs(weights["b1"])
    largest = (hidden @ np.abs(weights["w2"]) + np.abs(weights["b2"])).max()
    assert largest < 2**53


def test_the_network_puts_with_its_best_and_not_with_its_worst() -> None:
    found = situations(find_ruleset("cotton"), samples=100, last_trick=1)
    strategy = load(NETWORK).strategy
    views = [each.view for each in found]
    chances = [view for view in views if view.asked and view.their_score < 4]
    chances.sort(key=lambda view: sum(view.cards))
    said = strategy.act_batch(stacked(chances)) == SEE
    part = len(said) // 4
    assert said[-part:].mean() > said[:part].mean() + 0.3
    assert PUT in strategy.act_batch(stacked(views))


@pytest.mark.long
def test_the_training_script_trains(tmp_path: Path) -> None:
    program = (
        "import sys; sys.path.insert(0, sys.argv[1]); import train\n"
        "train.ROUNDS, train.GAMES, train.OPPONENTS = 2, 200, ('bold',)\n"
        "weights = train.train(seed=1)\n"
        "print({name: each.shape for name, each in weights.items()})\n"
    )
    command = [sys.executable, "-c", program, str(EXAMPLES / "network")]
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "round 2 of 2" in done.stdout
    assert "'w2': (64, 6)" in done.stdout
