"""A rule set of Speculation in words."""

from collections.abc import Iterator
from textwrap import fill

from put_cli.speculation.cards import PACK
from put_cli.speculation.rules import READINGS, SOURCE, Speculation, knob_help

TITLE = "Speculation, the round game of buying and selling trumps"
WIDTH = 80


def summary(rules: Speculation) -> str:
    """One line: what distinguishes it."""
    chips = f"ante {rules.ante}, the dealer {rules.ante_of(dealer=True)}"
    return f"{rules.players} players, {rules.deals_a_session} deals a session, {chips}"


def explain(rules: Speculation) -> Iterator[str]:
    """The rules as they are played with these knobs, the source, the readings and the knobs."""
    yield f"{rules.name}: {TITLE}"
    yield ""
    yield from _folded(_course(rules))
    yield ""
    yield fill(f"Source: {SOURCE}.", WIDTH)
    yield ""
    yield "Readings:"
    yield from (fill(each, WIDTH, initial_indent="- ", subsequent_indent="  ") for each in READINGS)
    yield ""
    yield "Knobs:"
    wide = max(map(len, knob_help()))
    for key, meaning in knob_help().items():
        value = rules.knobs()[key]
        shown = str(value).lower() if isinstance(value, bool) else str(value)
        head = f"  {key:<{wide}}  {shown:<5}  "
        yield fill(meaning, WIDTH, initial_indent=head, subsequent_indent=" " * len(head))


def _folded(paragraphs: Iterator[str]) -> Iterator[str]:
    for each in paragraphs:
        word, _, rest = each.partition("  ")
        yield fill(rest, WIDTH, initial_indent=f"{word:<8}", subsequent_indent=" " * 8)


def _course(rules: Speculation) -> Iterator[str]:
    """The course of a deal, each step after its name and two blanks."""
    yield (
        f"ANTE  {rules.players} players; each puts {rules.ante} into the pool, the dealer "
        f"{rules.ante_of(dealer=True)}."
    )
    if rules.presale:
        yield "PRESALE  The dealer may sell the turn-up unseen, by SALE."
    pack = (
        f"one shuffled pack serves {rules.deals_a_pack} deals"
        if rules.exhaust_pack
        else "a shuffled pack for each deal"
    )
    spare = ", three to a spare hand" if rules.spare_hand else ""
    yield (
        f"DEAL  {PACK} cards, Ace high, {pack}. Three to each, face down, and nobody looks{spare}. "
        "One more is turned up: its suit is trumps, and it is the dealer's, or whose it was sold "
        "to. An Ace turned up takes the pool at once."
    )
    yield (
        "SALE  Each other player, from the seller's left, names a bid; the highest wins, of equal "
        "ones that nearer to the seller's left. The seller accepts or refuses. The buyer pays the "
        "seller and holds what he bought. After the deal the best trump is offered first."
    )
    pays = (
        f" Whoever turns a Knave or a five pays {rules.payment} to the pool."
        if rules.payment
        else ""
    )
    yield (
        "TURN  From the holder's left each turns his top card, the holder and who has none left "
        f"apart.{pays} A trump higher than the best makes its owner the holder: SALE, and on from "
        "the left of whoever then holds it."
    )
    if rules.unseen != "none":
        what = "all his unturned cards" if rules.unseen == "hand" else "some of his unturned cards"
        yield f"OFFER  Instead of turning a player may offer {what}; they go under the buyer's."
    yield "LAST  When only the holder has cards left he turns them too."
    yield "END  The holder takes the pool; the deal passes to the left."
    if rules.spare_hand:
        yield (
            "SPARE  Before, the spare hand is shown: if it holds a better trump, nobody takes the "
            "pool, and all ante again."
        )
    yield (
        f"SESSION  {rules.deals_a_session} deals, and one more while the pool is carried over. "
        "What counts are the chips won."
    )
