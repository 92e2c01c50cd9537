"""How a rule set is played, in sentences made from its knobs."""

from collections.abc import Iterator

from put_cli.rules.ruleset import RuleSet
from put_cli.rules.telling import pays


def play(rules: RuleSet) -> Iterator[str]:
    """From the cut to the game, a sentence or two each."""
    pack = rules.cards
    yield f"{pack.size} cards, best first {' '.join(pack.ranks)}; suits never matter."
    if rules.chairs == 2:
        yield (
            f"Each cuts; the {rules.first_dealer}er cut deals first (equal ranks cut again). "
            "The deal alternates after every hand, drawn ones included."
        )
    else:
        yield (
            f"Each cuts; the {rules.first_dealer}est cut deals first (those who tie for it cut "
            "again). The deal passes to the left after every hand, drawn ones included."
        )
    if rules.partners:
        yield from _partners(rules)
    yield from _tricks_of_many(rules) if rules.players > 2 else _tricks_of_two(rules)
    yield f"Whoever reaches {pays(rules.target)} wins the game."
    if rules.rubber > 1:
        yield (
            f"A rubber is the best of {rules.rubber} games; scores restart at 0 in each, and the "
            "deal goes on alternating."
        )


def _partners(rules: RuleSet) -> Iterator[str]:
    """Giving and receiving."""
    yield (
        "Partners sit opposite, clockwise 0 (dealer), 1 (eldest), 2, 3: 0 and 2 against 1 and 3. "
        "Points are the side's."
    )
    keep = ", and 0 may also keep his own three" if rules.dealer_gift == "optional" else ""
    yield (
        "Three cards each. The captains, 1 and then 0, choose to give or to receive a card"
        f"{keep}; neither sees the other's choice, each only his own cards."
    )
    swap = "his own three, not the one received" if rules.must_swap else "the four"
    yield (
        "The giver's best card passes to his partner, and his other two are out of play, face "
        f"down. The receiver, now with four, lays out one of {swap}."
    )
    yield (
        "The two who received (or kept) play the hand: that of 1 and 3 is eldest in it, that of "
        "0 and 2 is dealer."
    )


def _tricks_of_two(rules: RuleSet) -> Iterator[str]:
    three = "" if rules.partners else "Three cards each; "
    leads = f"{three}eldest (not the dealer) leads first, and any card may be played."
    yield leads[0].upper() + leads[1:]
    yield "The higher rank takes the trick and its winner leads to the next."
    yield (
        "Equal ranks tie: the same player leads again, and the trick is "
        + {
            "nobody": "nobody's.",
            "first": "his who wins the first decided trick.",
        }[rules.tied_trick]
    )
    yield "Two tricks win the hand at once; " + (
        "so do one trick and two ties, at its end."
        if rules.lone_trick
        else "one trick and two ties are drawn."
    )
    if rules.after_first == "speak":
        yield (
            "After trick 1, unless a put has been seen, eldest must put or throw, whoever won "
            "the trick; no card may be played there."
        )


def _tricks_of_many(rules: RuleSet) -> Iterator[str]:
    yield (
        f"{rules.players} players, each for himself. Three cards each; eldest (at the dealer's "
        "left) leads first, the others reply clockwise, and any card may be played."
    )
    yield "A highest card that is alone takes the trick, and its player leads to the next."
    yield "A tie for highest is nobody's trick, and the same player leads again."
    yield (
        "Most tricks alone win the hand, at once where nobody can catch up any more; a shared "
        "most is drawn"
        + ("." if rules.lone_trick else ", and so is a hand in which the most is one trick.")
    )
    if len(rules.worths) > 1:
        yield (
            "A put asks every other live player, clockwise. If nobody sees it the putter scores "
            f"{pays(rules.concession[0])} and the hand is over. Otherwise those who threw are "
            "dead: their tricks count for nobody, a trick that a dead player's card wins is "
            "nobody's, and a dead player's lead passes to the next live one."
        )
