"""The course of a match, as everybody at the table follows it: cuts, deals, scores, games."""

from collections.abc import Sequence

import numpy as np

from put_cli.engine.luck import cut, cut_many, subkey
from put_cli.person.hand import KnownHand
from put_cli.person.speech import ME, Speech, capital, mark
from put_cli.rules.machine import NOBODY, Ending, Misdeal
from put_cli.rules.ruleset import RuleSet
from put_cli.rules.score import Score, after, after_four_cards
from put_cli.rules.telling import pays
from put_cli.strategy import HandRecord


def cuts(rules: RuleSet, seed: int, game: int) -> tuple[list[int], int]:
    """What each chair cuts for the deal of a game of the first match, and who deals.

    The engine shows its players no cuts, but anybody at a table sees them.
    """
    key, top, low = subkey(seed, "cut"), rules.cards.top, rules.first_dealer == "low"
    out = np.zeros(rules.chairs, np.int64)
    if rules.chairs > 2:
        dealer = cut_many(key, 0, game, top, rules.chairs, low, out)[0]
    else:
        cut(key, 0, game, top, out)
        dealer = int((out[0] < out[1]) != low)
    return out.tolist(), int(dealer)


class Course:
    """How far a match has come; lists are by side, the person's first."""

    def __init__(self, rules: RuleSet, seed: int) -> None:
        self._rules = rules
        self._seed = seed
        self.games_won = 0
        self.games_lost = 0
        self.scores = [0] * rules.players
        self.legs = [0] * rules.players
        self.dealer = ME
        """The chair that deals."""
        self.hands = 0
        """Finished in the running game."""
        self.acted = False
        """Whether the person has decided anything in the running game."""

    @property
    def games_over(self) -> int:
        """Finished games."""
        return self.games_won + self.games_lost

    @property
    def under_way(self) -> bool:
        """Whether anything has happened in the running game."""
        return self.acted or self.hands > 0

    @property
    def games_begun(self) -> int:
        """Finished games and the one under way."""
        return self.games_over + self.under_way

    def deal(self, speech: Speech, games: int) -> tuple[KnownHand, list[str]]:
        """The next hand and its heading; before the first of a game comes the cut."""
        rules, heading = self._rules, []
        if not self.hands:
            cards, self.dealer = cuts(rules, self._seed, self.games_over)
            told = ", ".join(
                f"{who} {rules.cards.rank(card)}"
                for who, card in zip(speech.people, cards, strict=True)
            )
            heading = [f"The cuts: {told}."]
        game = f"Game {self.games_over + 1}, hand" if games > 1 else "Hand"
        eldest = (self.dealer + 1) % rules.chairs
        who = capital(speech.said(f"{mark(self.dealer)} deals"))
        if eldest == ME:
            who = "You are eldest" if rules.chairs == 2 else f"You are eldest. {who}"
        legs = f" (games of the rubber: {self.legs[0]}-{self.legs[1]})" if rules.rubber > 1 else ""
        score = capital(self._told(speech, self.scores))
        return KnownHand(rules, speech, self.dealer), [
            *heading,
            f"{game} {self.hands + 1}. {who}. {score}{legs}.",
        ]

    def one_short(self) -> bool:
        """Whether a point wins eldest the game."""
        eldest = (self.dealer + 1) % self._rules.chairs % self._rules.players
        return self.scores[eldest] == self._rules.target - 1

    def score(self, hand: KnownHand) -> str:
        """The score as it stands in a running hand, the point by the Laws included."""
        by_side = {hand.side_of(seat): points for seat, points in enumerate(self._now(hand))}
        return self._told(hand.speech, [by_side[side] for side in range(len(by_side))])

    def _now(self, hand: KnownHand) -> Score:
        """The score by seat, before what the hand pays its winner."""
        score = tuple(self.scores[hand.side_of(seat)] for seat in range(self._rules.players))
        outcome = hand.state.outcome
        awarded = outcome is not None and outcome.ending is Ending.AWARDED
        if hand.misdeal is not Misdeal.FOUR_OWN or awarded:
            return score
        return after_four_cards(self._rules, score)[0]

    def finish(self, hand: KnownHand, record: HandRecord) -> list[str]:
        """Count a finished hand; what it came to, in lines."""
        rules, speech, outcome = self._rules, hand.speech, hand.state.outcome
        self.hands += 1
        if outcome is None:  # nobody forfeits but who breaks down
            winner = ME if record.won else 1 if rules.players == 2 else NOBODY
            failed = f"{capital(speech.people[hand.actor])} has failed and forfeits."
            won = self._wins(speech, winner) if winner != NOBODY else "Another wins"
            return [f"{failed} {won} the game.", *self._game_over(speech, winner, forfeit=True)]
        seats = [hand.side_of(seat) for seat in range(rules.players)]
        before = self._now(hand)
        score, game_winner = after(rules, before, outcome)
        for side, points in zip(seats, score, strict=True):
            self.scores[side] = points
        if outcome.ending is not Ending.REDEALT:
            self.dealer = (self.dealer + 1) % rules.chairs
        told = self._told(speech, self.scores)
        if outcome.ending is Ending.REDEALT:
            return [f"Nothing is played: {told}."]
        if outcome.anew:
            return [f"Drawn, and the game begins anew: {told}."]
        if outcome.winner == NOBODY:
            return [f"Drawn, nothing is scored: {told}."]
        winner = seats[outcome.winner]
        if outcome.outright:
            result = f"{self._wins(speech, winner)} the game outright."
        else:
            game = " and with it the game" if game_winner != NOBODY else ""
            points = score[outcome.winner] - before[outcome.winner]
            result = f"{self._wins(speech, winner)} {pays(points)}{game}: {told}."
        if game_winner == NOBODY:
            return [result]
        return [result, *self._game_over(speech, winner)]

    def _game_over(self, speech: Speech, winner: int, *, forfeit: bool = False) -> list[str]:
        """Count a game that is won, in a rubber towards the rubber."""
        rules = self._rules
        self.scores = [0] * rules.players
        if winner != NOBODY:
            self.legs[winner] += 1
            if not forfeit and self.legs[winner] < rules.wins_needed:
                return []
        told = []
        if rules.rubber > 1:
            legs = f"{max(self.legs)}-{min(self.legs)}"
            told = [f"{self._wins(speech, winner)} the rubber, {legs}."]
        self.games_won += winner == ME
        self.games_lost += winner != ME
        self.legs, self.hands, self.acted = [0] * rules.players, 0, False
        return told

    def _wins(self, speech: Speech, side: int) -> str:
        name = speech.sides[side]
        return capital(f"{name} win" if name == "you" else f"{name} wins")

    def _told(self, speech: Speech, scores: Sequence[int]) -> str:
        return ", ".join(f"{side} {n}" for side, n in zip(speech.sides, scores, strict=True))
