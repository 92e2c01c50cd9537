"""The referee: plays a hand in notation through the machine, card by card, and scores it.

What the machine cannot know is checked here and in `play`: who holds which card, and that the
pack could have dealt it. The turn, the words and the result are the machine's; the score is
`score.after`'s.
"""

from dataclasses import dataclass

from put_cli.errors import NotationError
from put_cli.rules.cards import Pack
from put_cli.rules.machine import NOBODY, Ending, IllegalAct, State
from put_cli.rules.notation import Hand, letters_of, names_of
from put_cli.rules.play import Play
from put_cli.rules.ruleset import RuleSet
from put_cli.rules.score import Score, after, check_score, no_points
from put_cli.rules.telling import pays


@dataclass(frozen=True, kw_only=True)
class Exchange:
    """What partners did before the tricks: eldest's side, dealer's side; None for what was not.

    `players` are the numbers of those who played, `choices` what the captains chose (give,
    receive, keep), `gifts` and `laid_out` ranks.
    """

    choices: tuple[str | None, ...]
    gifts: tuple[str | None, ...]
    laid_out: tuple[str | None, ...]
    players: tuple[int | None, ...]


@dataclass(frozen=True, kw_only=True)
class Verdict:
    """What a hand came to. Seats are 'eldest' and 'dealer' (with partners: their sides), with
    three and more players 'A', 'B' ...; None is nobody. Scores are listed by seat.

    `steps` are the acts in words. `points` is how far the winner's score rises by winning: 0 when
    the game is won `outright`, which leaves the scores as they were. `anew` says the game begins
    again.
    """

    steps: tuple[str, ...]
    ending: str
    """tricks, thrown, drawn, redealt, or awarded: a point by the Laws won the game."""
    winner: str | None
    points: int
    outright: bool
    anew: bool
    score_before: Score
    score_after: Score
    game_winner: str | None
    misdeal: str | None
    """exposed_theirs, exposed_own, faced, four_theirs or four_own."""
    ruling: str | None
    """stand, redeal or draw: what the player concerned chose."""
    law_points: tuple[int, ...]
    """Points that the Laws awarded each seat, beside those for winning."""
    exchange: Exchange | None
    """None where nobody has a partner."""

    @property
    def result(self) -> str:
        """The result in words."""
        beside = any(self.law_points) and not self.anew
        return self._hand_result() + ("; 1 point to eldest by the Laws" if beside else "")

    def _hand_result(self) -> str:
        if self.ending == "redealt":
            return "redealt: the same dealer deals again"
        if self.anew:
            return "drawn: the game begins anew"
        if self.winner is None:
            return "drawn: nothing is scored"
        winner = f"{self.winner}'s side" if self.exchange else self.winner
        if self.outright:
            return f"{winner} wins the game outright"
        game = " and with it the game" if self.game_winner else ""
        return f"{winner} wins {pays(self.points)}{game}"


def referee(rules: RuleSet, hand: Hand, score: Score | None = None) -> Verdict:
    """The verdict on a whole hand that began at `score`, by seat; nobody has a point if None.

    Raises:
        NotationError: the hand breaks a rule or is not finished; the message names the step,
            the reason and what would have been legal.
        UsageError: no hand can begin at `score`.
    """
    score = no_points(rules) if score is None else score
    check_score(rules, score)
    play, told = _played(rules, hand, score)
    if not play.state.over:
        raise NotationError(
            f"step {len(hand.steps) + 1} is missing: the hand is not over; {play.choices()}."
        )
    return _verdict(play, score, told)


def _verdict(play: Play, score: Score, steps: tuple[str, ...]) -> Verdict:
    """The verdict on a finished hand that began at `score`."""
    outcome, names = play.state.outcome, play.machine.names
    assert outcome is not None
    # Where the point by the Laws has won the game, it is what the hand pays.
    begun = score if outcome.ending is Ending.AWARDED else play.score
    score_after, game_winner = after(play.machine.rules, begun, outcome)
    named = [*names, *[None] * (NOBODY - len(names) + 1)]
    return Verdict(
        steps=steps,
        ending=outcome.ending.name.lower(),
        winner=named[outcome.winner],
        points=0
        if outcome.winner == NOBODY
        else score_after[outcome.winner] - begun[outcome.winner],
        outright=outcome.outright,
        anew=outcome.anew,
        score_before=score,
        score_after=score_after,
        game_winner=named[game_winner],
        misdeal=play.misdeal.name.lower() if play.misdeal else None,
        ruling=play.ruling.name.lower() if play.ruling else None,
        law_points=tuple(now - then for now, then in zip(begun, score, strict=True)),
        exchange=_exchange(play) if play.machine.rules.partners else None,
    )


def under_way(rules: RuleSet, hand: Hand, score: Score | None = None) -> Play:
    """A hand begun at `score` (nobody has a point if None) after its steps; it may go on.

    Raises:
        NotationError: the hand breaks a rule; the message names the step and the reason.
        UsageError: no hand can begin at `score`.
    """
    score = no_points(rules) if score is None else score
    check_score(rules, score)
    return _played(rules, hand, score)[0]


def state_after(rules: RuleSet, hand: Hand) -> State:
    """Where a hand stands after its steps; it need not be finished.

    Raises:
        NotationError: the hand breaks a rule; the message names the step and the reason.
    """
    return under_way(rules, hand).state


def _played(rules: RuleSet, hand: Hand, score: Score) -> tuple[Play, tuple[str, ...]]:
    """The hand with all its steps carried out, and the steps in words."""
    _check_table(rules, hand)
    _check_cards(rules.cards, hand)
    play = Play(rules, hand, score)
    told = []
    for number, (step, text) in enumerate(zip(hand.steps, hand.step_texts(), strict=True), start=1):
        try:
            told.append(play.take(step))
        except IllegalAct as error:
            raise NotationError(f"step {number} {text!r}: {error}") from None
    return play, tuple(told)


def _exchange(play: Play) -> Exchange:
    chosen = [choice.name.lower() for choice in play.choices_made]
    return Exchange(
        choices=tuple(chosen) or (None, None),
        gifts=tuple(gift or None for gift in play.gifts),
        laid_out=tuple(rank or None for rank in play.laid_out),
        players=tuple(play.players) if chosen else (None, None),
    )


def _check_table(rules: RuleSet, hand: Hand) -> None:
    """Refuse a hand of another family of games."""
    expected = letters_of(rules)
    if hand.letters != expected:
        raise NotationError(
            f"cards: {rules.name} is played by {' '.join(expected)}, "
            f"but the line has the cards of {' '.join(hand.letters)}."
        )


def _check_cards(pack: Pack, hand: Hand) -> None:
    """Refuse cards that the pack could not have dealt."""
    dealt = [rank for cards in hand.dealt for rank in cards]
    for name, cards in zip(names_of(hand.letters), hand.dealt, strict=True):
        for rank in cards:
            if not pack.card(rank):
                raise NotationError(
                    f"cards of {name}: there is no {rank} in the pack {pack.name}; "
                    f"its ranks are {' '.join(pack.ranks)}."
                )
            if dealt.count(rank) > pack.copies:
                raise NotationError(
                    f"cards: {dealt.count(rank)} cards of rank {rank}, but the pack "
                    f"{pack.name} has {pack.copies} of each."
                )
