"""Rows of the log become hands in notation, whatever family of games they are of."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from put_cli.errors import NotationError, one_line
from put_cli.plugins.spec import team
from put_cli.rules.machine import DEALER, ELDEST, SEATS
from put_cli.rules.notation import (
    DRAW,
    FACED,
    GIVES,
    LAY_OUT,
    PARTNERS,
    SHOWS,
    TWO,
    Hand,
    Step,
    letters_of,
)
from put_cli.rules.ruleset import RuleSet
from put_cli.rules.score import Score

Row = Mapping[str, Any]


@dataclass(frozen=True, kw_only=True)
class Logged:
    """What the log knows of a hand, of whatever family of games."""

    number: int
    leg: int
    """Which game of the rubber, from 1; 0 outside rubbers."""
    hand: Hand
    names: tuple[str, ...]
    """The strategies, in the order of the hand's letters."""
    score: Score
    """Before the hand, by seat."""
    ending: str
    winner: str | None
    """The seat, as a Verdict names it."""


def logged(rules: RuleSet, row: Row) -> Logged:
    """The hand of a row of the hands table.

    Of three and more players the row holds its rows of the plays table as `plays`.

    Raises:
        NotationError: the row holds no hand, as none that was written by the program does.
    """
    try:
        return _logged(rules, row)
    except (KeyError, ValueError, IndexError, TypeError, AttributeError) as error:
        raise NotationError(f"a row of the log holds no hand: {one_line(error)}.") from None


def _logged(rules: RuleSet, row: Row) -> Logged:
    letters = letters_of(rules)
    if rules.players > 2:
        names = tuple(row[f"strategy_{seat}"] for seat in letters)
        score = tuple(row[f"score_{seat}"] for seat in letters)
        dealt = [row[f"cards_{seat}"] for seat in letters]
        steps = [*_misdeal(row, letters, letters), *_plays(row, letters)]
    else:
        score = (row["eldest_score"], row["dealer_score"])
        if rules.partners:
            names = _members(row)
            dealt = [row[f"cards{player}"] for player in PARTNERS]
            steps = [*_misdeal(row, letters, letters), *_exchange(row), *_tricks(row, rules)]
        else:
            names = (row["eldest"], row["dealer"])
            dealt = [row["eldest_cards"], row["dealer_cards"]]
            steps = [*_misdeal(row, letters, SEATS), *_tricks(row, rules)]
    held = [tuple(cards.split()) for cards in dealt]
    first = steps[0] if steps else None
    if first is not None and first.word == GIVES:
        held[first.whose] += (row["misdeal_card"],)
    return Logged(
        number=row["hand"],
        leg=row.get("leg", 0),
        hand=Hand(letters, tuple(held), tuple(steps)),
        names=names,
        score=score,
        ending=row["ending"],
        winner=row["winner"],
    )


def _misdeal(row: Row, letters: str, whom: tuple[str, ...] | str) -> Iterator[Step]:
    """What went wrong with the deal, and the ruling; `whom` is how the log calls the players."""
    kind = row.get("misdeal")
    if kind is None:
        return
    own = kind.endswith("own")
    dealer = 0 if letters == PARTNERS else len(letters) - 1
    eldest = 1 if letters == PARTNERS else ELDEST
    whose = -1 if kind == FACED else whom.index(row["misdeal_to"])
    rank = row["misdeal_card"]
    if kind == FACED:
        yield Step(dealer, word=FACED)
    elif kind.startswith("exposed"):
        yield Step(dealer, rank, SHOWS, whose)
    else:
        yield Step(dealer, word=GIVES, whose=whose)
    if row["ruling"] is not None:
        drawn = rank if row["ruling"] == DRAW else ""
        yield Step(eldest if own else whose, drawn, row["ruling"])


def _exchange(row: Row) -> Iterator[Step]:
    """Partners: what the captains chose, eldest's first, then what the receivers laid out."""
    for captain, side in ((1, "eldest"), (0, "dealer")):
        if row[f"{side}_choice"] is not None:
            yield Step(captain, word=row[f"{side}_choice"])
    for side in SEATS:
        if row[f"{side}_laid_out"] is not None:
            yield Step(row[f"{side}_player"], row[f"{side}_laid_out"], LAY_OUT)


def _tricks(row: Row, rules: RuleSet) -> Iterator[Step]:
    """Words and cards of two sides in the order in which they came."""
    players = (ELDEST, DEALER)
    if rules.partners:
        players = (row["eldest_player"], row["dealer_player"])
    said: dict[str, list[Step]] = {}
    for utterance in row["words"].split():
        place, letter, word = utterance.split(":")
        said.setdefault(place, []).append(Step(players[TWO.index(letter)], word=word))
    leader = ELDEST
    for trick in (1, 2, 3):
        for act, seat in (("lead", leader), ("reply", 1 - leader)):
            place = f"{act}{trick}"
            yield from said.get(place, [])
            if row[place] is not None:
                yield Step(players[seat], rank=row[place])
        if row[f"trick{trick}"] in SEATS:
            leader = SEATS.index(row[f"trick{trick}"])
        if trick == 1:
            yield from said.get("after1", [])


def _plays(row: Row, letters: str) -> Iterator[Step]:
    """Words and cards of three and more players in the order in which they came."""
    said = [utterance.split(":") for utterance in row["words"].split()]
    for play in row["plays"]:
        place = f"{'lead' if play['turn'] == 1 else 'reply'}{play['trick']}"
        # A put stands before its speaker's card, the answers to it follow at once.
        if said and said[0][:2] == [place, play["seat"]]:
            yield from (Step(letters.index(seat), word=word) for _, seat, word in said)
            said = []
        yield Step(letters.index(play["seat"]), rank=play["card"])
    yield from (Step(letters.index(seat), word=word) for _, seat, word in said)


def _members(row: Row) -> tuple[str, ...]:
    """Who sat where, in the order of the notation: dealer, eldest and their partners."""
    sides = [team(row[side]) for side in ("dealer", "eldest")]
    names = []
    for player in range(4):
        side = sides[player % 2]
        chair = (row["dealer_chair"] + player) % 4
        names.append(side[chair // 2] if len(side) == 2 else row[("dealer", "eldest")[player % 2]])
    return tuple(names)
