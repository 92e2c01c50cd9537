"""What a finished hand does to the scores: the only place where points become a game."""

from put_cli.errors import UsageError
from put_cli.rules.machine import NOBODY, Machine, Outcome, seat_names
from put_cli.rules.ruleset import RuleSet

Score = tuple[int, ...]
"""Points of each side, by seat: eldest first, the dealer last."""


def no_points(rules: RuleSet) -> Score:
    """The score at the start of a game."""
    return (0,) * rules.players


def check_score(rules: RuleSet, score: Score) -> None:
    """Refuse a score that no hand can begin with.

    Raises:
        UsageError: there are more or fewer numbers than sides, or a side has less than 0 points
            or the target already.
    """
    shown = "-".join(map(str, score))
    if len(score) != rules.players:
        raise UsageError(
            f"score: expected points of {rules.players} sides ({'-'.join(seat_names(rules))}), "
            f"got {shown}."
        )
    if not all(0 <= points < rules.target for points in score):
        raise UsageError(
            f"score: expected 0 to {rules.target - 1} points a side (the target is "
            f"{rules.target}), got {shown}."
        )


def after(rules: RuleSet, score: Score, outcome: Outcome) -> tuple[Score, int]:
    """The score after a hand, and the seat that has won the game with it (or NOBODY).

    A game won outright leaves the score as it was: the points no longer count for anything.
    Scores are capped at the target, so a hand worth 8 at 10 of 12 adds 2 (le Truc).
    """
    if outcome.outright:
        return score, outcome.winner
    if outcome.anew:
        return no_points(rules), NOBODY
    scored = tuple(
        min(points + outcome.points, rules.target) if seat == outcome.winner else points
        for seat, points in enumerate(score)
    )
    return scored, outcome.winner if rules.target in scored else NOBODY


def after_four_cards(rules: RuleSet, score: Score) -> tuple[Score, int]:
    """The same for the point that eldest scores when the dealer gave himself four cards.

    It is scored before anything else happens, and only where it wins the game is the hand over.
    """
    outcome = Machine(rules).awarded().outcome
    assert outcome is not None
    return after(rules, score, outcome)
