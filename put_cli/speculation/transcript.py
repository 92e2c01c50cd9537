"""A logged session in words, and its deals in notation."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from put_cli.report.tables import printable
from put_cli.speculation import cards, notation
from put_cli.speculation.machine import NOBODY, Event, What
from put_cli.speculation.rules import Speculation
from put_cli.speculation.schema import EVENT_WORDS
from put_cli.speculation.telling import LETTERS, sentences

Row = Mapping[str, Any]

_STEPS = {
    What.PRESELL: "presell",
    What.OFFER: "offer",
    What.BID: "bid",
    What.SOLD: "sell",
    What.KEPT: "keep",
}


def tell(rules: Speculation, game: Row, deals: Sequence[Row]) -> Iterator[str]:
    """The session line by line: every deal, and the result."""
    yield (
        f"{rules.name}: table {game['pairing']}, block {game['block']}, mirror {game['mirror']}, "
        f"session {game['game']}"
    )
    for deal in deals:
        yield ""
        yield from tell_deal(rules, deal)
    yield ""
    chips = sorted(
        ((game[f"chips{n}"], game[f"chair{n}"]) for n in range(rules.players)), reverse=True
    )
    yield "Session: " + ", ".join(f"{printable(name)} {won:+d}" for won, name in chips)
    if game["fault_by"] is not None:
        yield f"Fault: {printable(game['fault_by'])} {printable(game['fault_reason'])}"


def tell_deal(rules: Speculation, deal: Row) -> Iterator[str]:
    """One deal line by line, as it is logged with its events."""
    seats = range(rules.players)
    who = [printable(deal[f"strategy_{LETTERS[seat]}"]) for seat in seats]
    names = [name if who.count(name) == 1 else f"{name} ({seat})" for seat, name in enumerate(who)]
    yield f"Deal {deal['deal']}: {names[0]} deals" + (
        f", {deal['carried']} carried over" if deal["carried"] else ""
    )
    for sentence in sentences(events_of(deal), names.__getitem__):
        yield f"  {sentence}"
    net = ", ".join(f"{names[seat]} {deal[f'net_{LETTERS[seat]}']:+d}" for seat in seats)
    yield f"  net {net}"
    yield f"  {line_of(rules, deal)}"


def events_of(deal: Row) -> list[Event]:
    """The events of a logged deal."""

    def seat(letter: str | None) -> int:
        return NOBODY if letter is None else LETTERS.index(letter)

    return [
        Event(
            What(EVENT_WORDS.index(row["what"])),
            seat(row["seat"]),
            NOBODY if row["card"] is None else cards.ALL_TEXTS.index(row["card"]),
            seat(row["to"]),
            row["amount"],
            seat(row["holder"]),
            row["pool"],
        )
        for row in deal["events"]
    ]


def line_of(rules: Speculation, deal: Row) -> notation.Line:
    """A logged deal in notation, as `put judge` reads it."""

    def hand(text: str | None) -> tuple[int, ...]:
        return tuple(map(cards.ALL_TEXTS.index, (text or "").split()))

    steps = []
    events = events_of(deal)
    presold = any(event.what is What.PRESELL for event in events)
    for event in events:
        if event.what is What.TURN:
            steps.append(notation.Step(event.seat, card=event.card))
        elif event.what is What.TURN_UP and presold:
            steps.append(notation.UP)
        elif event.what in _STEPS:
            steps.append(notation.Step(event.seat, _STEPS[event.what], event.amount))
    return notation.Line(
        piles=tuple(hand(deal[f"cards_{letter}"]) for letter in LETTERS[: rules.players]),
        turn_up=cards.ALL_TEXTS.index(deal["up"]),
        spare=hand(deal["spare"]),
        carried=deal["carried"],
        steps=tuple(steps),
    )
