"""The person as a strategy: asked for every decision at the terminal, told of every hand.

To the engine it is a player that learns. It may leave: that is no fault of play but an exception
that the engine lets through, and so is everything that goes wrong at the terminal.
"""

from put_cli.engine.players import Stop
from put_cli.person.answers import HOW, Refused, Wish, read_answer
from put_cli.person.hand import ACTS, KnownHand
from put_cli.person.terminal import Terminal
from put_cli.rules.explain import explain
from put_cli.rules.machine import DEALER, NOBODY
from put_cli.rules.ruleset import RuleSet
from put_cli.rules.score import after
from put_cli.rules.telling import pays
from put_cli.strategy import HandRecord, Match, Player, Strategy, View

NAME = "human"
"""What logs call the person."""


class Left(Stop):
    """The person is no longer at the table; the cause, if any, is what went wrong there."""


class Person(Strategy):
    """A person at the terminal."""

    def __init__(self, rules: RuleSet, terminal: Terminal) -> None:
        self._rules = rules
        self._terminal = terminal
        self.progress = Progress()

    def begin_match(self, match: Match) -> Player:
        """A seat at the table for one match."""
        return Seat(self._rules, self._terminal, match, self.progress)


class Progress:
    """How far the match has come: games won by the person and by the other, and what is begun."""

    def __init__(self) -> None:
        self.games = [0, 0]
        self.legs = [0, 0]
        self.hands = 0
        """Finished in the running game."""
        self.acted = False
        """Whether the person has decided anything in the running game."""

    @property
    def under_way(self) -> bool:
        """Whether anything has happened in the running game."""
        return self.acted or self.hands > 0

    @property
    def games_begun(self) -> int:
        """Finished games and the one under way."""
        return sum(self.games) + self.under_way


class Seat(Player):
    """The person's side of one match."""

    def __init__(
        self, rules: RuleSet, terminal: Terminal, match: Match, progress: Progress
    ) -> None:
        self._rules = rules
        self._terminal = terminal
        self._match = match
        self._progress = progress
        self._hand: KnownHand | None = None

    def act(self, view: View) -> int:
        try:
            return self._decide(view)
        except Exception as error:  # the engine would take it for a fault and play on
            raise Left from error

    def hand_over(self, record: HandRecord) -> None:
        try:
            self._finish(record)
        except Exception as error:
            raise Left from error

    def _decide(self, view: View) -> int:
        hand = self._hand
        if hand is None:  # no card can have been played unasked: all three are still held
            hand = self._deal(view.is_dealer, view.cards, view.score, view.their_score)
        for told in hand.see(view):
            self._tell(told)
        action = self._ask(hand, view)
        self._progress.acted = True
        self._tell(hand.take(action))
        return action

    def _ask(self, hand: KnownHand, view: View) -> int:
        cards = " ".join(map(self._rules.cards.rank, hand.held))
        trick = f"trick {view.trick}, {view.my_tricks}-{view.their_tricks}"
        while True:
            typed = self._terminal.ask(cards, f"{trick}: {hand.choices()}")
            if typed is None:
                raise Left
            if not typed:
                continue
            try:
                meant = read_answer(typed, hand)
            except Refused as why:
                self._terminal.say(str(why), indent=2, colour="yellow")
                continue
            match meant:
                case Wish.LEAVE:
                    raise Left
                case Wish.EXPLAIN:
                    self._explain(hand, view)
                case Wish.RULES:
                    self._terminal.show(explain(self._rules))
                case int():
                    return meant

    def _deal(
        self, is_dealer: bool, cards: tuple[int, ...], score: int, their_score: int
    ) -> KnownHand:
        hand = KnownHand(self._rules, is_dealer=is_dealer, cards=cards, name=self._match.opponent)
        self._hand = hand
        progress = self._progress
        game = f"Game {sum(progress.games) + 1}, hand" if self._match.games > 1 else "Hand"
        legs = ""
        if self._rules.rubber > 1:
            legs = f" (games of the rubber: {progress.legs[0]}-{progress.legs[1]})"
        who = "You deal" if is_dealer else "You are eldest"
        scores = f"You {score}, {hand.opponent} {their_score}"
        self._terminal.say()
        self._terminal.say(f"{game} {progress.hands + 1}. {who}. {scores}{legs}.", bold=True)
        return hand

    def _finish(self, record: HandRecord) -> None:
        hand = self._hand
        if hand is None:
            hand = self._deal(record.is_dealer, record.cards, record.score, record.their_score)
        for told in hand.finish(record):
            self._tell(told)
        self._hand = None
        self._progress.hands += 1
        self._terminal.say(
            self._result(hand, record),
            colour="green" if record.won else "red" if record.lost else "",
            bold=record.game_over,
        )
        if record.game_over:
            self._game_over(hand, record)

    def _result(self, hand: KnownHand, record: HandRecord) -> str:
        """What a finished hand came to, in a line."""
        outcome = hand.state.outcome
        winner = "You win" if record.won else f"{hand.opponent} wins"
        if outcome is None:  # nobody forfeits but who breaks down
            return f"{hand.opponent} has failed and forfeits. {winner} the game."
        scores = (record.score, record.their_score)
        swapped = hand.seat == DEALER
        (mine, theirs), game_winner = after(
            self._rules, scores[::-1] if swapped else scores, outcome
        )
        if swapped:
            mine, theirs = theirs, mine
        if outcome.outright:
            return f"{winner} the game outright."
        score = f"you {mine}, {hand.opponent} {theirs}."
        if outcome.anew:
            return f"Drawn, and the game begins anew: {score}"
        if outcome.winner == NOBODY:
            return f"Drawn, nothing is scored: {score}"
        won = pays(record.points if record.won else record.their_points)
        game = " and with it the game" if game_winner != NOBODY else ""
        return f"{winner} {won}{game}: {score}"

    def _game_over(self, hand: KnownHand, record: HandRecord) -> None:
        """Count a won game, in a rubber towards the rubber."""
        progress, winner = self._progress, 0 if record.won else 1
        progress.legs[winner] += 1
        if hand.state.over and progress.legs[winner] < self._rules.wins_needed:
            return
        if self._rules.rubber > 1:
            who = "You win" if record.won else f"{hand.opponent} wins"
            self._terminal.say(f"{who} the rubber, {max(progress.legs)}-{min(progress.legs)}.")
        progress.games[winner] += 1
        progress.legs, progress.hands, progress.acted = [0, 0], 0, False
        if self._match.games > 1:
            self._terminal.say(
                f"Games: you {progress.games[0]}, {hand.opponent} {progress.games[1]}, "
                f"of {self._match.games}."
            )

    def _explain(self, hand: KnownHand, view: View) -> None:
        """What may be done here, and what each would mean."""
        say = self._terminal.say
        tricks = f"tricks: you {view.my_tricks}, {hand.opponent} {view.their_tricks}"
        tied = f", tied {view.ties}" if view.ties else ""
        say(
            f"Trick {view.trick}; {tricks}{tied}. The hand is worth {pays(view.worth)}. "
            f"Score: you {view.score}, {hand.opponent} {view.their_score}, to {view.target}. "
            f"Ranks, best first: {' '.join(self._rules.cards.ranks)}.",
            indent=2,
        )
        for action in hand.legal:
            typed = ACTS[action].name.lower() if action in ACTS else self._rules.cards.rank(action)
            say(f"{typed:<6} {hand.meaning(action)}", indent=4)
        say(HOW, indent=2)
        say("q or the end of input leaves, and a game under way is then lost.", indent=2)

    def _tell(self, told: str) -> None:
        self._terminal.say(
            told[0].upper() + told[1:] if told.startswith("you ") else told, indent=2
        )
