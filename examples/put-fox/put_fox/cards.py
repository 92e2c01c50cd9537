"""What every fox knows about cards."""

from put_cli import View


def good_cards(view: View, best: int) -> int:
    """How many cards still in hand are of the pack's `best` best ranks."""
    count = 0
    for card in view.cards:
        if card > view.top - best:
            count += 1
    return count


def sparing_card(view: View) -> int:
    """Lead the best; reply with the cheapest that wins, else one that ties, else the worst."""
    if view.is_leader:
        return view.highest
    return view.cheapest_winner or view.equal or view.lowest
