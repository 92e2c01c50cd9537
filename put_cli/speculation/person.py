"""A person at the table of Speculation: everything that happens is told, and answers are typed.

The deals and the others' luck are those that a tournament with the same seed would have. What
everybody answered is put down, so that the sessions can be played again and logged: see `evening`.
"""

from collections.abc import Sequence

import numpy as np

from put_cli.engine.asking import Fault, raised
from put_cli.engine.luck import deal_many, luck, luck_of_game, luck_of_match, subkey
from put_cli.person.terminal import Terminal
from put_cli.report.tables import printable
from put_cli.speculation import session
from put_cli.speculation.cards import PACK
from put_cli.speculation.explain import explain
from put_cli.speculation.kernel import ROOM, THRESHOLD
from put_cli.speculation.machine import Ask, Deal, Question, Sale, allowed_text
from put_cli.speculation.play import checked
from put_cli.speculation.rules import Speculation
from put_cli.speculation.strategy import Speculator, View
from put_cli.speculation.telling import sentences

PERSON = 0
"""The person's chair."""


Tape = list[int | Fault]
"""What a player answered or raised, in order."""


class Leaves(Exception):
    """The person has had enough."""


class Evening:
    """Sessions of a person, in chair 0, against strategies by name."""

    def __init__(
        self,
        rules: Speculation,
        names: Sequence[str],
        others: Sequence[Speculator],
        seed: int,
        terminal: Terminal,
    ) -> None:
        """`names` are those of all players as the log has them; `others` all but the person."""
        self.rules = rules
        self.names = ["you", *map(printable, names[1:])]
        self.totals = [0] * rules.players
        self.finished = 0
        """Sessions that were."""
        self.faults = 0
        """Sessions of the finished ones in which another made a fault."""
        self.tapes: list[Tape] = [[] for _ in names]
        self._logged = list(names)
        self._players = others
        self._silent: set[int] = set()
        self._seed = seed
        self._terminal = terminal
        self._told = 0

    def play(self, games: int) -> int:
        """Play so many sessions, or until the person leaves; how many were finished."""
        for self.finished in range(games):
            try:
                chips = self._session(self.finished)
            except Leaves:
                self._terminal.say("You leave: the session under way is not counted.")
                return self.finished
            self.faults += len(self._silent)
            self.totals = [a + b for a, b in zip(self.totals, chips, strict=True)]
        self.finished = games
        return games

    def _session(self, game: int) -> list[int]:
        rules = self.rules
        running = session.Session(rules, lambda shuffle: self._pack(game, shuffle))
        starts = [self._luck_of(name, game) for name in self._logged]
        self._silent.clear()
        while not running.deals or not running.over:
            deal = running.begin_deal()
            number = len(running.deals)
            self._told = 0
            self._terminal.say()
            dealer = self.names[deal.dealer]
            self._terminal.say(f"Deal {number}: {dealer} {_verb(dealer, 'deal')}.", bold=True)
            decisions = [0] * rules.players
            while deal.question is not None:
                asked = deal.question
                chance = luck(starts[asked.seat], number - 1, decisions[asked.seat])
                decisions[asked.seat] += 1
                memory = asked.seat == PERSON or self._players[asked.seat - 1].memory
                view = running.view(asked.seat, chance, memory=memory)
                if asked.seat == PERSON:
                    self._tell(deal)
                    answer = self._answer(asked, view)
                    self.tapes[PERSON].append(answer)
                else:
                    answer = self._answer_of(asked, view)
                deal.answer(answer)
            self._tell(deal)
            running.end_deal()
            self._say_chips("Chips", running.chips)
        return running.chips

    def _answer_of(self, question: Question, view: View) -> int:
        """What a strategy answers; who makes a fault says nothing more in the session."""
        seat = question.seat
        if seat in self._silent:
            return 0
        try:
            given = session.ask(self._players[seat - 1], question.ask, view)
            answer = checked(view, question.ask.value, given)
        except BaseException as error:
            fault = raised(error)
            self.tapes[seat].append(fault)
            self._silent.add(seat)
            self._terminal.say(
                f"{self.names[seat]} makes a fault ({printable(str(fault))}) and says nothing more "
                "in this session.",
                colour="yellow",
            )
            return 0
        self.tapes[seat].append(answer)
        return answer

    def _pack(self, game: int, shuffle: int) -> list[int]:
        out = np.zeros(ROOM, np.int64)
        count = self.rules.cards_a_deal * self.rules.deals_a_pack
        key = subkey(self._seed, "speculation deal")
        deal_many(key, 0, game, shuffle, PACK, 1, THRESHOLD, count, out)
        return [int(card) - 1 for card in out[:count]]

    def _luck_of(self, name: str, game: int) -> int:
        others = sorted(each for each in self._logged if each != name)
        key = subkey(self._seed, "luck", name, *others)
        return int(luck_of_game(luck_of_match(key, 0), 0, game))

    def _tell(self, deal: Deal) -> None:
        """What happened since it was told last."""
        told = sentences(deal.events, self.names.__getitem__)
        for sentence in told[self._told :]:
            if sentence.startswith("you "):
                word, _, rest = sentence.removeprefix("you ").partition(" ")
                sentence = f"you {word.removesuffix('s')} {rest}".rstrip()
            self._terminal.say(f"{sentence}.", indent=2)
        self._told = len(told)

    def _say_chips(self, head: str, chips: Sequence[int]) -> None:
        told = ", ".join(f"{n} {c:+d}" for n, c in zip(self.names, chips, strict=True))
        self._terminal.say(f"{head}: {told}.")

    def _answer(self, question: Question, view: View) -> int:
        """Ask until the answer is one."""
        head = f"pool {view.pool}, your cards {view.cards}"
        while True:
            typed = self._terminal.ask(head, self._prompt(question, view))
            if typed is None or typed.lower() in ("q", "quit"):
                raise Leaves
            if typed == "?":
                self._explain(question, view)
                continue
            if typed.lower() == "rules":
                self._terminal.show("\n".join(explain(self.rules)))
                continue
            value = _number(typed)
            if value is not None and value in question.allowed:
                return value
            self._terminal.say(f"Expected {_answers(question)}, or ? or q; got {typed!r}.")

    def _prompt(self, question: Question, view: View) -> str:
        match question.ask:
            case Ask.PRESELL:
                return "offer the turn-up unseen? yes or no"
            case Ask.ACCEPT:
                return f"sell to {self.names[view.best_bidder]} for {view.best_bid}? yes or no"
            case Ask.OFFER:
                return "how many unturned cards do you offer? 0 turns one"
            case Ask.BID:
                best = f", the best bid is {view.best_bid}" if view.best_bid else ""
                return f"your bid for {self._for_sale(view)}{best}; 0 for none"

    def _for_sale(self, view: View) -> str:
        seller = self.names[view.seller]
        match Sale(view.sale):
            case Sale.TURN_UP:
                return f"the unseen turn-up of {seller}"
            case Sale.UNTURNED:
                return f"{view.offered} unturned of {seller}"
            case _:
                return f"the best trump, of {seller}"

    def _explain(self, question: Question, view: View) -> None:
        say = self._terminal.say
        say(f"You may answer {_answers(question)}. 'rules' explains the game, q leaves.", indent=2)
        if view.trump < 0:
            say(
                f"The turn-up, still unseen, will be the best trump at the end with a chance of "
                f"{view.survives:.0%}.",
                indent=2,
            )
        else:
            holder = self.names[view.holder]
            say(
                f"{holder} {_verb(holder, 'hold')} the best trump. {view.better} better ones are "
                f"unseen among {view.unseen} cards, {view.to_come} cards are to come: it stays "
                f"the best with a chance of {view.survives:.0%}.",
                indent=2,
            )


def _verb(who: str, verb: str) -> str:
    return verb if who == "you" else f"{verb}s"


def _number(typed: str) -> int | None:
    word = typed.lower()
    if word in ("y", "yes"):
        return 1
    if word in ("n", "no", ""):
        return 0
    return int(word) if word.isascii() and word.isdigit() and len(word) < 10 else None


def _answers(question: Question) -> str:
    if question.ask in (Ask.PRESELL, Ask.ACCEPT):
        return "yes or no"
    return allowed_text(question)
