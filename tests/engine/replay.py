"""Replaying what the kernel played, act by act, through the state machine of the rules.

Works from the numbers of `Played` alone, for every family of games: who held what, who gave what,
whose turn it was, what a hand came to, how the game went on and what the tallies count.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from put_cli.engine import lanes as ln
from put_cli.engine.decode import Utterance, triples, utterances, utterances_of_many
from put_cli.engine.matches import Played
from put_cli.engine.tables import Tables
from put_cli.rules.machine import (
    CHOICES,
    DEALER,
    ELDEST,
    NOBODY,
    RULINGS,
    Act,
    Ending,
    Machine,
    Misdeal,
    Stage,
    State,
    walk,
)
from put_cli.rules.score import after
from put_cli.strategy import (
    DRAW,
    GIVE,
    KEEP,
    PUT,
    RECEIVE,
    REDEAL,
    SEE,
    STAND,
    THROW,
    Strategy,
    View,
)

FOUR_CARDS = (Misdeal.FOUR_THEIRS, Misdeal.FOUR_OWN)


class Anything(Strategy):
    """Does anything allowed in every situation, each as likely; seldom lets a deal be dealt again.

    Puts and throws are half as likely as a card, so that hands of many players are played out.
    """

    def act(self, view: View) -> int:
        if view.asked:
            return SEE if view.luck < 0.6 else THROW
        held = 0
        if view.may_play:
            for card in view.cards:
                held += card > 0
        choice = int(view.luck * (2 * held + view.may_put + view.may_throw))
        for card in view.cards:
            if card > 0 and held > 0:
                if choice < 2:
                    return card
                choice -= 2
        return PUT if view.may_put and choice == 0 else THROW

    def gift(self, view: View) -> int:
        choice = int(view.luck * (3 if view.may_keep else 2))
        return KEEP if choice == 2 else RECEIVE if choice == 1 else GIVE

    def lay_out(self, view: View) -> int:
        choice = int(view.luck * (3 if view.must_swap else 4))
        return view.fourth if choice == 3 else view.cards[choice]

    def misdeal(self, view: View) -> int:
        if view.luck < 0.3:
            return REDEAL
        return STAND if view.misdeal == Misdeal.EXPOSED_THEIRS else DRAW


class Node:
    """A state of the machine and what was reached from it: the machine is asked but once."""

    def __init__(self, machine: Machine, state: State) -> None:
        self._machine = machine
        self._moves: dict[Act, Node] = {}
        self.state = state
        self.over = state.over
        self.stage = state.stage
        self.led = state.led
        self.actor = NOBODY if state.over else machine.actor(state)
        self.place = "" if state.over else machine.place(state)

    def after(self, act: Act) -> "Node":
        """The node after a legal act; the machine raises where it is not."""
        if act not in self._moves:
            self._moves[act] = Node(self._machine, self._machine.act(self.state, act))
        return self._moves[act]


@dataclass
class Table:
    """What is carried from hand to hand of a game; chairs clockwise, sides as they are rated."""

    dealer: int
    scores: list[int]
    hands: int = 0
    legs: Counter[int] = field(default_factory=Counter)
    running: bool = True


class Replay:
    """Replays the hands of one rule set through its machine."""

    def __init__(self, tables: Tables) -> None:
        self.rules = rules = tables.rules
        self.machine = Machine(rules)
        self._states = walk(self.machine)
        self._starts: dict[tuple[Misdeal, int], Node] = {}
        self._awarded = Node(self.machine, self.machine.awarded())
        self._triples = triples(rules.cards.top)
        self.endings: Counter[str] = Counter()
        self.misdeals: Counter[tuple[Misdeal, int]] = Counter()
        """Kind, and place clockwise from the dealer whom it concerns."""

    def check(self, played: Played) -> int:
        """Replay everything and compare; returns how many hands there were.

        Raises:
            AssertionError: the kernel and the machine differ.
        """
        assert not played.reasons
        assert not played.differences
        games = iter(rows_of(ln.GAME_COLUMNS, played.games))
        columns = ln.hand_columns(self.rules)
        tallies = [Counter[str]() for _ in played.fixtures]
        table, number = Table(0, [], running=False), 0
        words = played.words.tolist()
        for key, row, code in zip(
            played.keys.T.tolist(), rows_of(columns, played.hands), words, strict=True
        ):
            if key[2] == 0:
                assert not table.running
                game = next(games)
                table = self._begin(game)
            assert table.running
            assert key[2] == table.hands
            self._hand(row, code, table, game, tallies[key[0]])
            number += 1
        assert next(games, None) is None
        assert not table.running
        for counted, row in zip(tallies, rows_of(ln.TALLY_COLUMNS, played.tallies.T), strict=True):
            assert {name: value for name, value in row.items() if value} == +counted
        return number

    def _begin(self, game: dict[str, int]) -> Table:
        cuts = [game[f"cut{chair}"] for chair in range(self.rules.chairs)]
        best = min(cuts) if self.rules.first_dealer == "low" else max(cuts)
        dealer = game["first_dealer"]
        if game["recuts"] == 0:
            assert cuts.count(best) == 1
            assert cuts[dealer] == best
        return Table(dealer, [0] * self.rules.players)

    def _start(self, misdeal: Misdeal, seat: int) -> Node:
        key = (misdeal, seat)
        if key not in self._starts:
            self._starts[key] = Node(self.machine, self.machine.start(*key))
        return self._starts[key]

    def _hand(
        self,
        row: dict[str, int],
        code: int,
        table: Table,
        game: dict[str, int],
        tally: Counter[str],
    ) -> None:
        rules, chairs, sides = self.rules, self.rules.chairs, self.rules.players
        eldest = row["eldest_chair"]
        assert eldest == (table.dealer + 1) % chairs
        by_seat = [(eldest + seat) % sides for seat in range(sides)]  # the side of each seat
        before = tuple(table.scores[side] for side in by_seat)
        assert self._by_seat(row, "score") == before
        assert row["forfeit"] == 0
        hand = _Hand(self, row, code, table.dealer)
        node, award = hand.replay(before)
        state = node.state
        outcome = state.outcome
        assert outcome is not None
        assert state == self._states[row["state"] + (row.get("state_high", 0) << 15)]
        begun = (before[ELDEST] + award, *before[1:])
        if outcome.ending is Ending.AWARDED:
            score, winner = begun, ELDEST
        else:
            score, winner = after(rules, begun, outcome)
        gained = [b - a for a, b in zip(before, score, strict=True)]
        if outcome.anew:
            gained = [award, *[0] * (sides - 1)]
        assert list(self._by_seat(row, "points")) == gained
        self.endings[outcome.ending.name.lower()] += 1
        self._count(tally, state, by_seat, gained, hand.said)
        table.hands += 1
        for side, points in zip(by_seat, score, strict=True):
            table.scores[side] = points
        if outcome.ending is not Ending.REDEALT:
            table.dealer = eldest
        self._end(row, table, game, tally, state, NOBODY if winner == NOBODY else by_seat[winner])

    def _by_seat(self, row: dict[str, int], what: str) -> tuple[int, ...]:
        if self.rules.players == 2:
            return row[f"eldest_{what}"], row[f"dealer_{what}"]
        return tuple(row[f"{what}{seat}"] for seat in range(self.rules.players))

    def _end(
        self,
        row: dict[str, int],
        table: Table,
        game: dict[str, int],
        tally: Counter[str],
        state: State,
        side: int,
    ) -> None:
        """Whether the hand ended the game, or the rubber, and what the row of it says."""
        rubber = self.rules.rubber > 1
        outcome = state.outcome
        assert outcome is not None
        assert row["game_over"] == (side != NOBODY)
        if rubber:
            assert row["leg"] == table.legs.total() + 1
        if side == NOBODY:
            return
        table.legs[side] += 1
        over = table.legs[side] == self.rules.wins_needed
        if rubber:
            tally[f"legs{side}"] += 1
            assert row["rubber_over"] == over
        final, table.scores = table.scores, [0] * self.rules.players
        if not over:
            return
        table.running = False
        assert game["winner"] == side
        assert game["hands"] == table.hands
        assert [game[f"score{each}"] for each in range(self.rules.players)] == final
        assert game["fault_by"] == ln.NO_CHAIR
        assert game["fault_kind"] == 0
        legs = [table.legs[each] if rubber else 0 for each in range(2)]
        assert [game["legs0"], game["legs1"]] == legs
        if outcome.outright:
            how = "put" if state.seen else "tricks"
        else:
            how = "conceded" if outcome.ending is Ending.THROWN else "points"
        assert ln.HOW[game["how"]] == how
        first = game["first_dealer"] % self.rules.players
        tally["games"] += 1
        tally[f"wins{side}"] += 1
        tally[f"dealt{first}"] += 1
        tally[f"dealt_wins{first}"] += side == first

    def _count(
        self,
        tally: Counter[str],
        state: State,
        by_seat: list[int],
        gained: list[int],
        said: list[Utterance],
    ) -> None:
        """What the hand adds to the tallies of its match."""
        outcome = state.outcome
        assert outcome is not None
        tally["hands"] += 1
        tally["drawn"] += outcome.ending is Ending.DRAWN
        for seat, points in enumerate(gained):
            tally[f"points{by_seat[seat]}"] += points
        if outcome.outright:
            tally[f"points{by_seat[outcome.winner]}"] += self.rules.target
        for seat, puts in enumerate(state.puts):
            tally[f"puts{by_seat[seat]}"] += puts
        putter, seen = NOBODY, []
        for each in said:
            if each.word == "put":
                putter, is_seen = each.seat, False
            elif each.word == "see" and not is_seen:
                is_seen = True
                seen.append(putter)
        for seat in seen:
            tally[f"seen{by_seat[seat]}"] += 1
            if outcome.winner not in (seat, NOBODY):
                tally[f"lost{by_seat[seat]}"] += 1
        if outcome.ending is Ending.THROWN and putter != NOBODY and outcome.winner == putter:
            tally[f"declined{by_seat[putter]}"] += 1


class _Hand:
    """One row on its way through the machine."""

    def __init__(self, replay: Replay, row: dict[str, int], code: int, dealer: int) -> None:
        self._replay = replay
        self._row = row
        self._rules = replay.rules
        many = self._rules.players > 2
        self.said = (utterances_of_many if many else utterances)(code)
        self._dealer = dealer
        self._misdeal = Misdeal(row.get("misdeal", 0))
        self._held: list[list[int]] = []

    def replay(self, before: tuple[int, ...]) -> tuple[Node, int]:
        """The node at the end of the hand, and the points that the Laws gave eldest in it."""
        row, rules = self._row, self._rules
        dealt = self._dealt()
        on_the_table = [card for cards in dealt for card in cards if card]
        if self._misdeal in FOUR_CARDS:
            on_the_table.append(row["misdeal_card"])
        assert max(map(on_the_table.count, on_the_table)) <= rules.cards.copies
        node, award = self._go_wrong(before, dealt)
        if node.stage is Stage.RULING:
            ruling = RULINGS[row["ruling"] - 1]
            assert row["ruling"] > 0
            node = node.after(ruling)
        elif rules.misdeals:
            assert row["ruling"] == 0
        if rules.partners:
            node, dealt = self._exchange(node, dealt)
        self._held = dealt
        node = self._tricks(node)
        return node, award

    def _dealt(self) -> list[list[int]]:
        """Cards by seat; with partners by place clockwise from the dealer."""
        rules, row = self._rules, self._row
        if rules.partners:
            names = [f"dealt{place}" for place in range(4)]
        elif rules.players == 2:
            names = ["eldest_cards", "dealer_cards"]
        else:
            names = [f"cards{seat}" for seat in range(rules.players)]
        return [list(self._replay._triples[row[name]]) for name in names]

    def _go_wrong(self, before: tuple[int, ...], dealt: list[list[int]]) -> tuple[Node, int]:
        row, rules, misdeal = self._row, self._rules, self._misdeal
        start = self._replay._start
        if not misdeal:
            if rules.misdeals:
                assert not row["misdeal_card"]
            return start(Misdeal.NONE, ELDEST), 0
        place = row["misdeal_place"]
        own = misdeal in (Misdeal.EXPOSED_OWN, Misdeal.FOUR_OWN)
        self._replay.misdeals[misdeal, place] += 1
        if misdeal is Misdeal.FACED:
            assert row["misdeal_card"] == 0
            return start(misdeal, ELDEST), 0
        assert (place == 0) == own
        if rules.partners:
            assert place in (0, 1, 3)
        seat = ELDEST if rules.partners or own else place - 1
        cards = dealt[place] if rules.partners else dealt[place - 1]
        if misdeal not in FOUR_CARDS:
            assert row["misdeal_card"] in cards
        assert row["misdeal_card"] > 0
        if misdeal is not Misdeal.FOUR_OWN:
            return start(misdeal, seat), 0
        if before[ELDEST] + 1 == rules.target:
            return self._replay._awarded, 1
        return start(misdeal, seat), 1

    def _exchange(self, node: Node, dealt: list[list[int]]) -> tuple[Node, list[list[int]]]:
        """Gifts and lay-outs; cards of the two who play, by seat."""
        row, players = self._row, [1, 0]  # places of the captains by seat
        for seat, side in enumerate(("eldest", "dealer")):
            if node.over:
                assert row[f"{side}_choice"] == row[f"{side}_given"] == row[f"{side}_laid_out"] == 0
                assert row[f"{side}_player"] == row[f"{side}_cards"] == -1
                continue
            choice = CHOICES[row[f"{side}_choice"] - 1]
            node = node.after(choice)
            captain, partner = players[seat], players[seat] + 2
            gift = 0
            if choice is not Act.KEEP:
                giver = captain if choice is Act.GIVE else partner
                players[seat] = partner if choice is Act.GIVE else captain
                gift = max(dealt[giver])
            assert row[f"{side}_given"] == gift
            assert row[f"{side}_player"] == players[seat]
        if node.over:
            return node, []
        held = [list(dealt[place]) for place in players]
        for seat, side in enumerate(("eldest", "dealer")):
            out = row[f"{side}_laid_out"]
            if row[f"{side}_given"]:
                assert node.stage is Stage.LAYING_OUT
                assert node.actor == seat
                if self._rules.must_swap:
                    assert out in held[seat]
                held[seat].append(row[f"{side}_given"])
                held[seat].remove(out)
                node = node.after(Act.LAY_OUT)
            assert (out > 0) == (row[f"{side}_given"] > 0)
            cards = self._replay._triples[row[f"{side}_cards"]]
            assert sorted(held[seat], reverse=True) == list(cards)
        assert players[DEALER] in (0, 2)
        return node, held

    def _tricks(self, node: Node) -> Node:
        row, held, said = self._row, self._held, self.said
        many = self._rules.players > 2
        told = laid = best = 0
        while not node.over:
            seat = node.actor
            if told < len(said) and said[told][:2] == (node.place, seat):
                node = node.after(Act[said[told].word.upper()])
                told += 1
                continue
            trick = node.place[-1]
            if many:
                card = row[f"card{trick}_{seat}"]
                if not node.led:
                    assert row[f"leader{trick}"] == seat
            else:
                card = row[node.place]
            held[seat].remove(card)
            laid += 1
            if not node.led:
                node, best = node.after(Act.LEAD), card
                continue
            node = node.after(
                Act.HIGHER if card > best else Act.LOWER if card < best else Act.EQUAL
            )
            best = max(best, card)
        assert told == len(said)
        assert laid == self._cards_in_row()
        return node

    def _cards_in_row(self) -> int:
        names = (
            [f"card{trick}_{seat}" for trick in (1, 2, 3) for seat in range(ln.MAX_CHAIRS)]
            if self._rules.players > 2
            else [f"{act}{trick}" for trick in (1, 2, 3) for act in ("lead", "reply")]
        )
        return sum(self._row[name] > 0 for name in names)


def rows_of(names: tuple[str, ...], columns: Any) -> Iterator[dict[str, int]]:
    """Rows of a columnar array, by name."""
    for values in zip(*columns.tolist(), strict=True):
        yield dict(zip(names, values, strict=True))
