"""Hands in words: what an act meant, and what a worth is called."""

from collections.abc import Sequence

from put_cli.rules.machine import NOBODY, Act, Machine, Misdeal, State
from put_cli.rules.ruleset import GAME, RuleSet

_REPLIED = {Act.LOWER: "lower", Act.EQUAL: "equal", Act.HIGHER: "higher"}


def pays(worth: int) -> str:
    """A worth in words: `1 point`, `8 points`, `the game`."""
    if worth == GAME:
        return "the game"
    return f"{worth} point{'' if worth == 1 else 's'}"


def side_name(rules: RuleSet, seat: str) -> str:
    """What a seat is called where it takes tricks and scores: with partners it is a side."""
    return f"{seat}'s side" if rules.partners else seat


def tell(machine: Machine, before: State, act: Act, rank: str, who: Sequence[str]) -> str:
    """One legal act of the tricks in words: who acted, and what it meant.

    `rank` is the card, if one fell; `who` is what the player in each seat is called.
    """
    actor = who[machine.actor(before)]
    sides = [side_name(machine.rules, seat) for seat in machine.names]
    match act:
        case Act.PUT:
            declined = pays(machine.rules.concession[before.seen])
            worth = pays(machine.rules.worths[before.seen + 1])
            unseen = "not" if machine.seats == 2 else "nobody sees"
            return f"{actor} puts: {worth} if seen, {declined} if {unseen}"
        case Act.SEE | Act.THROW:
            return f"{actor} {_tell_answer(machine, before, act, who, sides)}"
        case Act.LEAD:
            return f"{actor} leads {rank}"
    told = f"{actor} replies with {rank}, {_REPLIED[act]}"
    if len(machine.act(before, act).tricks) == len(before.tricks):
        return told
    return f"{told}: {_tell_trick(machine, before, act, who, sides)}"


def _tell_answer(
    machine: Machine, before: State, act: Act, who: Sequence[str], sides: Sequence[str]
) -> str:
    """What a player says who was asked by a put, or who throws unasked."""
    after = machine.act(before, act)
    if after.outcome is not None:
        how = "throws" if before.asked else "throws unasked"
        return f"{how}: {pays(after.outcome.points)} to {sides[after.outcome.winner]}"
    said = "sees" if act is Act.SEE else "throws and is out of the hand"
    if after.asked:
        return said
    must = f"{who[machine.actor(after)]} must {'reply' if after.led else 'lead'}"
    return f"{said}: the hand is worth {pays(machine.rules.worths[after.seen])}; {must}"


def _tell_trick(
    machine: Machine, before: State, reply: Act, who: Sequence[str], sides: Sequence[str]
) -> str:
    """Whose the trick is that `reply` completes, and how play goes on."""
    after = machine.act(before, reply)
    taker = after.tricks[-1]
    number = len(after.tricks)
    tallies = machine.tally(after.tricks), machine.tally(before.tricks)
    gained = [now - then for now, then in zip(*tallies, strict=True)]
    if taker != NOBODY:
        told = f"{sides[taker]} takes trick {number}"
        if gained[taker] > 1:
            told += " and the tie before it"
    elif reply is Act.LOWER and before.best != NOBODY:  # then the best card is a dead player's
        told = f"the best card is {sides[before.best]}'s, who threw: trick {number} is nobody's"
    else:
        told = f"trick {number} is tied"
        told += "".join(f" and counts for {sides[seat]}" for seat, n in enumerate(gained) if n)
    if after.over:
        return told
    if machine.must_speak(after):
        return f"{told}; {who[machine.actor(after)]} must put or throw"
    if taker == after.leader and who[taker] == sides[taker]:
        return f"{told} and leads on"
    again = " again" if taker == NOBODY and after.leader == before.leader else ""
    return f"{told}; {who[after.leader]} leads{again}"


def tell_misdeal(misdeal: Misdeal, dealer: str, whose: str, rank: str) -> str:
    """How the deal went wrong; `rank` is a card exposed, if one was."""
    return {
        Misdeal.EXPOSED_THEIRS: f"{dealer} exposes {whose}'s {rank}",
        Misdeal.EXPOSED_OWN: f"{dealer} exposes his own {rank} and must stand",
        Misdeal.FACED: f"a faced card in the pack: {dealer} deals again",
        Misdeal.FOUR_THEIRS: f"{dealer} gives {whose} four cards",
        Misdeal.FOUR_OWN: f"{dealer} gives himself four cards",
    }[misdeal]


def tell_ruling(ruling: Act, ruler: str, dealer: str, whose: str, rank: str) -> str:
    """What the player with the choice makes of a misdeal; `rank` is the card he draws."""
    if ruling is Act.REDEAL:
        return f"{ruler} wants new cards: {dealer} deals again"
    if ruling is Act.STAND:
        return f"{ruler} lets the deal stand"
    four = "his four cards" if whose == ruler else f"the four of {whose}"
    return f"{ruler} draws {rank} from {four}: it is out"


def tell_choice(choice: Act, captain: str, partner: str, gift: str) -> str:
    """What a captain chooses; `gift` is the card that passes, empty for one who does not see it."""
    given = f"{gift}, his best card," if gift else "his best card"
    received = f"{gift}, the best card of {partner}," if gift else f"the best card of {partner}"
    return {
        Act.GIVE: f"{captain} gives: {given} passes to {partner}",
        Act.RECEIVE: f"{captain} receives: {received} passes to him",
        Act.KEEP: f"{captain} keeps and plays his own three cards",
    }[choice]
