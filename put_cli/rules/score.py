"""What a finished hand does to the scores: the only place where points become a game."""

from put_cli.errors import UsageError
from put_cli.rules.machine import DEALER, ELDEST, NOBODY, Outcome
from put_cli.rules.ruleset import RuleSet

Score = tuple[int, int]
"""Points of eldest and of dealer."""


def check_score(rules: RuleSet, score: Score) -> None:
    """Refuse a score that no hand can begin with.

    Raises:
        UsageError: a side has less than 0 points, or the target already.
    """
    if not all(0 <= points < rules.target for points in score):
        raise UsageError(
            f"score: expected 0 to {rules.target - 1} points a side (the target is "
            f"{rules.target}), got {score[ELDEST]}-{score[DEALER]}."
        )


def after(rules: RuleSet, score: Score, outcome: Outcome) -> tuple[Score, int]:
    """The score after a hand, and the seat that has won the game with it (or NOBODY).

    A game won outright leaves the score as it was: the points no longer count for anything.
    Scores are capped at the target, so a hand worth 8 at 10 of 12 adds 2 (le Truc).
    """
    if outcome.outright:
        return score, outcome.winner
    if outcome.anew:
        return (0, 0), NOBODY
    eldest, dealer = (
        min(points + outcome.points, rules.target) if seat == outcome.winner else points
        for seat, points in enumerate(score)
    )
    game_over = rules.target in (eldest, dealer)
    return (eldest, dealer), outcome.winner if game_over else NOBODY
