"""What a learning player hears of a finished hand: its row as one chair saw it."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from put_cli.engine import lanes as ln
from put_cli.engine.decode import Utterance, triples, utterances, utterances_of_many
from put_cli.engine.matches import Buffers
from put_cli.engine.tables import ACTOR, POINTS, TAKERS, TOP, WINNER, Tables
from put_cli.rules.machine import NOBODY, SEATS
from put_cli.rules.ruleset import GAME
from put_cli.strategy import HandRecord


def hand_record(tables: Tables, buffers: Buffers, row: int, chair: int) -> HandRecord:
    """The hand in a row of the buffers as one chair saw it."""
    names = ln.hand_columns(tables.rules)
    hand = dict(zip(names, buffers.hands[:, row].tolist(), strict=True))
    read = _seats_of_many if tables.rules.players > 2 else _seats_of_two
    seats, me, words = read(tables, hand, int(buffers.words[row]), chair)
    state = tables.states[hand["state"] + (hand.get("state_high", 0) << 15)]
    winner = int(state[WINNER])
    if hand["forfeit"]:
        winner = _gains(seats, int(state[ACTOR]))
    if not hand["forfeit"] and state[POINTS] == GAME:
        seats[winner] = replace(seats[winner], points=GAME)
    own = seats[me]
    their = seats[(me + 1) % len(seats)]
    _, game, number = buffers.keys[:, row].tolist()
    return HandRecord(
        game=game,
        hand=number,
        is_dealer=me == len(seats) - 1,
        cards=(0, 0, 0) if own.cards < 0 else triples(int(tables.knobs[TOP]))[own.cards],
        played=own.played,
        their_played=their.played,
        words=tuple((u.place, u.seat == me, u.word) for u in words),
        score=own.score,
        their_score=their.score,
        points=own.points,
        their_points=their.points,
        won=winner == me,
        lost=winner not in (me, NOBODY),
        game_over=bool(hand["game_over"]),
        table_played=tuple(seats[(me + step) % len(seats)].played for step in range(len(seats))),
    )


@dataclass(frozen=True)
class _Seat:
    """A seat's part of a finished hand."""

    cards: int
    score: int
    points: int
    played: tuple[int, int, int]


def _gains(seats: Sequence[_Seat], offender: int) -> int:
    """Who won the game that a seat forfeited (`scoring.gains_by_forfeit`)."""
    others = [(offender + step) % len(seats) for step in range(1, len(seats))]
    return max(others, key=lambda seat: seats[seat].score)  # of equals the first


def _seats_of_two(
    tables: Tables, hand: dict[str, int], words: int, chair: int
) -> tuple[list[_Seat], int, list[Utterance]]:
    """Two sides: their seats, which one `chair` belongs to, and what was said."""
    played: tuple[list[int], list[int]] = ([], [])
    leader = 0
    for trick in (1, 2, 3):
        played[leader].append(hand[f"lead{trick}"])
        played[1 - leader].append(hand[f"reply{trick}"])
        taker = int(tables.states[hand["state"], TAKERS + trick - 1])
        if taker < 2:
            leader = taker
    seats = [
        _Seat(hand[f"{s}_cards"], hand[f"{s}_score"], hand[f"{s}_points"], (p[0], p[1], p[2]))
        for s, p in zip(SEATS, played, strict=True)
    ]
    return seats, (chair - hand["eldest_chair"]) % 2, utterances(words)


def _seats_of_many(
    tables: Tables, hand: dict[str, int], words: int, chair: int
) -> tuple[list[_Seat], int, list[Utterance]]:
    """The same for three and more."""
    sides = tables.rules.players
    seats = [
        _Seat(
            hand[f"cards{s}"],
            hand[f"score{s}"],
            hand[f"points{s}"],
            (hand[f"card1_{s}"], hand[f"card2_{s}"], hand[f"card3_{s}"]),
        )
        for s in range(sides)
    ]
    return seats, (chair - hand["eldest_chair"]) % sides, utterances_of_many(words)
