"""Hands in words: what an act meant, and what a worth is called."""

from put_cli.rules.machine import DEALER, ELDEST, NOBODY, SEATS, Act, Machine, State
from put_cli.rules.ruleset import GAME

_REPLIED = {Act.LOWER: "lower", Act.EQUAL: "equal", Act.HIGHER: "higher"}


def pays(worth: int) -> str:
    """A worth in words: `1 point`, `8 points`, `the game`."""
    if worth == GAME:
        return "the game"
    return f"{worth} point{'' if worth == 1 else 's'}"


def tell(machine: Machine, before: State, act: Act, rank: str) -> str:
    """One legal act in words: who acted, and what it meant. `rank` is the card, if one fell."""
    rules = machine.rules
    actor = machine.actor(before)
    who, other = SEATS[actor], SEATS[1 - actor]
    match act:
        case Act.PUT:
            declined = pays(rules.concession[before.seen])
            return f"{who} puts: {pays(rules.worths[before.seen + 1])} if seen, {declined} if not"
        case Act.SEE:
            after = machine.act(before, act)
            must = f"{SEATS[machine.actor(after)]} must {'reply' if after.led else 'lead'}"
            return f"{who} sees: the hand is worth {pays(rules.worths[after.seen])}; {must}"
        case Act.THROW:
            how = "throws" if before.asked else "throws unasked"
            return f"{who} {how}: {pays(rules.concession[before.seen])} to {other}"
        case Act.LEAD:
            return f"{who} leads {rank}"
    return f"{who} replies with {rank}, {_REPLIED[act]}: {_tell_trick(machine, before, act)}"


def _tell_trick(machine: Machine, before: State, reply: Act) -> str:
    """Whose the trick is that `reply` completes, and how play goes on."""
    after = machine.act(before, reply)
    taker = after.tricks[-1]
    number = len(after.tricks)
    gained = [
        now - then
        for now, then in zip(machine.tally(after.tricks), machine.tally(before.tricks), strict=True)
    ]
    if taker == NOBODY:
        told = f"trick {number} is tied"
        told += "".join(
            f" and counts for {SEATS[seat]}" for seat in (ELDEST, DEALER) if gained[seat]
        )
    else:
        told = f"{SEATS[taker]} takes trick {number}"
        if gained[taker] > 1:
            told += " and the tie before it"
    if after.over:
        return told
    if machine.must_speak(after):
        return f"{told}; eldest must put or throw"
    if taker == NOBODY:
        return f"{told}; {SEATS[after.leader]} leads again"
    return f"{told} and leads on"
