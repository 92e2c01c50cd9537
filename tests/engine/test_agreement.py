"""The compiled kernel plays by the state machine: every hand of many, replayed move by move."""

from collections import Counter
from collections.abc import Iterator
from functools import cache
from typing import Any

import pyarrow as pa
import pytest

from put_cli.engine.decode import triples
from put_cli.engine.hand import cards_index
from put_cli.engine.matches import Fixture, Played
from put_cli.engine.play import play
from put_cli.engine.players import NATIVE, Contestant, enlist
from put_cli.engine.tables import compile_rules
from put_cli.log.columns import Columns
from put_cli.plugins.discovery import load
from put_cli.rules.finding import BUILT_IN, find_ruleset
from put_cli.rules.machine import DEALER, ELDEST, NOBODY, SEATS, WORDS, Act, Machine, State
from put_cli.rules.ruleset import RuleSet
from put_cli.rules.score import after
from tests.engine.field import STORE

HANDS = 8_000
TWO_HANDED = [name for name in BUILT_IN if find_ruleset(name).chairs == 2]
VARIANTS = (
    "cotton(seen_draw=anew)",
    "cotton(pack=short32)",
    "cotton(pack=short28, target=1)",
    "cotton(target=99, lone_trick=false)",
    "hoyle(pack=short28, target=7)",
    "parlett(throw_after_seen=true)",
    "pigott(throw_after_seen=true, declined=worth)",
    "truc-french(raise=plus2)",
    "truc(target=99, rubber=1)",
    "truc(rubber=5, pack=short28)",
    "enquire(stakes=[1, 3, game], declined=worth)",
)


@cache
def players() -> list[Contestant]:
    """Two players that do anything allowed."""
    strategy = load("random").strategy
    made = [enlist(name, strategy, STORE) for name in ("one", "two")]
    assert made[0].tier == NATIVE
    return made


class Node:
    """A state of the machine and what was reached from it: the machine is asked but once."""

    def __init__(self, machine: Machine, state: State) -> None:
        self._machine = machine
        self._moves: dict[Act, Node] = {}
        self.state = state
        self.over = state.over
        self.actor = machine.actor(state)
        self.place = machine.place(state) if not state.over else ""

    def after(self, act: Act) -> "Node":
        """The node after a legal act; the machine raises where it is not."""
        if act not in self._moves:
            self._moves[act] = Node(self._machine, self._machine.act(self.state, act))
        return self._moves[act]


class Line:
    """Replays the rows of one rule set through its machine."""

    def __init__(self, rules: RuleSet) -> None:
        self.rules = rules
        self.pack = rules.cards
        self._start = Node(Machine(rules), State())
        self._values = {rank: rules.cards.card(rank) for rank in rules.cards.ranks}

    def replay(self, row: dict[str, Any]) -> State:
        """The state at the end of a logged hand; every act is checked on the way."""
        said = [each.split(":") for each in row["words"].split()]
        held = [row["eldest_cards"].split(), row["dealer_cards"].split()]
        assert max(map((held[0] + held[1]).count, held[0] + held[1])) <= self.pack.copies
        node, led, told = self._start, "", 0
        while not node.over:
            if told < len(said) and said[told][0] == node.place:
                _, seat, word = said[told]
                assert seat == "ED"[node.actor]
                node = node.after(Act[word.upper()])
                told += 1
                continue
            card = row[node.place]
            held[node.actor].remove(card)
            if not node.state.led:
                node, led = node.after(Act.LEAD), card
                continue
            mine, theirs = self._values[card], self._values[led]
            node = node.after(
                Act.HIGHER if mine > theirs else Act.LOWER if mine < theirs else Act.EQUAL
            )
        assert told == len(said)
        assert 6 - len(held[0]) - len(held[1]) == sum(row[place] is not None for place in PLAYED)
        return node.state

    def check(self, row: dict[str, Any], state: State) -> tuple[tuple[int, int], int]:
        """Compare a row with the end its moves lead to; returns (score after, game winner)."""
        outcome = state.outcome
        assert outcome is not None
        before = (row["eldest_score"], row["dealer_score"])
        score, game_winner = after(self.rules, before, outcome)
        assert row["ending"] == outcome.ending.name.lower()
        assert row["winner"] == (None if outcome.winner == NOBODY else SEATS[outcome.winner])
        assert row["outright"] == outcome.outright
        assert row["game_over"] == (game_winner != NOBODY)
        takers = [TAKERS[taker] for taker in state.tricks]
        assert [row[f"trick{trick}"] for trick in (1, 2, 3)] == [*takers, None, None, None][:3]
        gained = [row["eldest_points"], row["dealer_points"]]
        assert gained == (
            [0, 0] if outcome.anew else [score[ELDEST] - before[0], score[DEALER] - before[1]]
        )
        assert (row["puts"], row["puts_seen"]) == (sum(state.puts), state.seen)
        worth = self.rules.worths[state.seen]
        assert row["worth"] == ("game" if worth == 100 else str(worth))
        return score, game_winner


PLAYED = [f"{act}{trick}" for trick in (1, 2, 3) for act in ("lead", "reply")]
TAKERS = {ELDEST: "eldest", DEALER: "dealer", NOBODY: "tie"}


def rows_of(table: Any) -> Iterator[dict[str, Any]]:
    """The rows of a table; much quicker than to_pylist, which decodes every cell."""
    for values in zip(*map(cells, table.columns), strict=True):
        yield dict(zip(table.column_names, values, strict=True))


def cells(column: Any) -> list[Any]:
    """The values of a column."""
    whole = column.combine_chunks()
    if isinstance(whole, pa.DictionaryArray):
        words = [*whole.dictionary.to_pylist(), None]
        return [words[index] for index in whole.indices.fill_null(len(words) - 1).to_pylist()]
    return whole.to_pylist()


def played_by(rules: RuleSet, hands: int) -> tuple[Played, Any, Any]:
    """At least so many hands of random play: as played, and as hands and games tables."""
    tables = compile_rules(rules)
    columns = Columns(tables, ["one", "two"])
    games = 50
    while True:
        fixtures = [
            Fixture(0, block, mirror, games, (0, 1)) for block in range(5) for mirror in (0, 1)
        ]
        played = play(tables, players(), fixtures, seed=11)
        if played.words.size >= hands:
            logged = columns.tables(played, "hands")
            return played, logged["hands"], logged["games"]
        games *= 1 + hands // played.words.size


@pytest.mark.parametrize("name", [*TWO_HANDED, *VARIANTS])
def test_machine_and_kernel_agree_on_every_move_of_many_hands(name: str) -> None:
    rules = find_ruleset(name)
    line = Line(rules)
    played, hands, games = played_by(rules, HANDS)
    assert hands.num_rows >= HANDS
    assert not played.reasons
    assert not played.differences
    told = iter(rows_of(games))
    endings = set()
    current: dict[str, Any] = {}
    for row in rows_of(hands):
        if row["hand"] == 0:
            current = begin(rules, next(told), row)
        seats = {row["eldest"]: 0, row["dealer"]: 1}
        assert row["hand"] == current["next"]
        assert row["dealer"] == current["dealer"]
        assert (row["eldest_score"], row["dealer_score"]) == tuple(
            current["scores"][name] for name in seats
        )
        assert row["leg"] == (current["legs"].total() + 1 if rules.rubber > 1 else 0)
        state = line.replay(row)
        score, winner = line.check(row, state)
        endings.add((row["ending"], row["puts_seen"] > 0))
        carry_on(rules, current, row, score, winner, state)
    assert next(told, None) is None
    assert not current["running"]
    if name == "cotton":
        assert endings == {
            ("tricks", False),
            ("tricks", True),
            ("drawn", False),
            ("drawn", True),
            ("thrown", False),
        }


def begin(rules: RuleSet, game: dict[str, Any], first: dict[str, Any]) -> dict[str, Any]:
    """What is to be carried from hand to hand of a game."""
    names = (game["chair0"], game["chair1"])
    assert game["cut0"] != game["cut1"]
    higher = names[rules.cards.card(game["cut1"]) > rules.cards.card(game["cut0"])]
    lower = names[1 - names.index(higher)]
    assert game["first_dealer"] == (lower if rules.first_dealer == "low" else higher)
    for key in ("pairing", "block", "mirror", "game"):
        assert game[key] == first[key]
    return {
        "game": game,
        "next": 0,
        "dealer": game["first_dealer"],
        "scores": dict.fromkeys(names, 0),
        "legs": Counter(dict.fromkeys(names, 0)),
        "running": True,
    }


def carry_on(
    rules: RuleSet,
    current: dict[str, Any],
    row: dict[str, Any],
    score: tuple[int, int],
    winner: int,
    state: State,
) -> None:
    """Check what the hand ended, and carry score, legs and deal on."""
    game = current["game"]
    assert current["running"]
    current["next"] += 1
    current["dealer"] = row["eldest"]
    current["scores"] = {row["eldest"]: score[0], row["dealer"]: score[1]}
    if winner == NOBODY:
        assert not row["game_over"]
        assert not row["rubber_over"]
        return
    name = row[SEATS[winner]]
    final = current["scores"]
    current["legs"][name] += 1
    over = current["legs"][name] == rules.wins_needed
    assert row["rubber_over"] == (over and rules.rubber > 1)
    current["scores"] = dict.fromkeys(final, 0)
    if not over:
        return
    current["running"] = False
    assert game["winner"] == name
    assert game["hands"] == current["next"]
    for chair in (0, 1):
        own = game[f"chair{chair}"]
        assert game[f"score{chair}"] == final[own]
        assert game[f"legs{chair}"] == (current["legs"][own] if rules.rubber > 1 else 0)
    assert state.outcome is not None
    if state.outcome.outright:
        assert game["how"] == ("put" if state.seen else "tricks")
    else:
        assert game["how"] == ("conceded" if row["ending"] == "thrown" else "points")
    assert game["fault_by"] is None


def test_card_triples_are_numbered_as_the_kernel_numbers_them() -> None:
    for number, cards in enumerate(triples(13)):
        assert cards_index(*cards) == number
    assert len(triples(13)) == 455
    assert len(triples(8)) == 120
    assert len(triples(7)) == 84


def test_every_word_of_the_machine_can_be_said_in_the_log() -> None:
    assert [word.name.lower() for word in WORDS] == ["put", "see", "throw"]
