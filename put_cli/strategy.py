"""What a strategy author builds on: `Strategy`, `View`, `Match`, `HandRecord`, the words, GAME.

Standard library only: importing this must stay cheap, and a strategy file needs nothing else.
The engine fills a `View` the same way for every tier; `put_cli.engine.view` is the only other
place that knows its order.
"""

from functools import cached_property
from typing import Any, ClassVar, NamedTuple

from put_cli.rules.ruleset import GAME

PUT = 101
SEE = 102
THROW = 103
"""The words. A card is played by returning its number, 1 (worst) to `view.top` (best)."""

GIVE = 104
RECEIVE = 105
KEEP = 106
"""What a captain chooses in four-handed Put."""

STAND = 107
REDEAL = 108
DRAW = 109
"""What the Laws of Put let a player choose after a misdeal."""

WORD_NAMES = {
    PUT: "PUT",
    SEE: "SEE",
    THROW: "THROW",
    GIVE: "GIVE",
    RECEIVE: "RECEIVE",
    KEEP: "KEEP",
    STAND: "STAND",
    REDEAL: "REDEAL",
    DRAW: "DRAW",
}
"""Every action that is no card, with its name, which is also that of the machine's act."""

__all__ = [
    "DRAW",
    "GAME",
    "GIVE",
    "KEEP",
    "PUT",
    "RECEIVE",
    "REDEAL",
    "SEE",
    "STAND",
    "THROW",
    "HandRecord",
    "Match",
    "Other",
    "Player",
    "Strategy",
    "View",
]


class Other(NamedTuple):
    """An opponent in a game of three and more, besides the one `their_` speaks of."""

    live: bool
    """Whether he is still in the hand: he has not thrown."""
    score: int
    tricks: int
    puts: int
    """His puts in this hand."""
    played: tuple[int, int, int]
    """His cards played this hand, in order; 0 where not yet."""
    exposed: int
    """A card of his that a misdeal made public, or 0."""


class View(NamedTuple):
    """Everything a player may know when asked for a decision.

    Cards are numbers, 1 (worst) to `top` (best); 0 is no card. `my_` and `their_` speak of the
    player asked and of the opponent: with partners of the other side, with three and more players
    of the next live opponent clockwise.
    """

    # The cards and the score.
    cards: tuple[int, int, int]
    """Own cards as dealt, best first; 0 where already played."""
    highest: int
    """Best card still held."""
    lowest: int
    """Worst card still held."""
    cheapest_winner: int
    """Worst card held that beats the led card; 0 when leading or when none does."""
    equal: int
    """A card held that ties the led card, or 0."""
    led: int
    """The card to beat: the best one on the table, or 0; 0 too for who has already laid one."""
    played: tuple[int, int, int]
    """Own cards played this hand, in order; 0 where not yet."""
    their_played: tuple[int, int, int]
    """The opponent's cards played this hand, in order; 0 where not yet."""
    score: int
    their_score: int
    legs: int
    """Games of this rubber already won; 0 outside rubbers."""
    their_legs: int
    luck: float
    """A fresh uniform number in [0, 1): the only randomness a strategy has."""
    fourth: int
    """A fourth card while one is held: the partner's gift, or dealt by mistake; else 0."""
    exposed_mine: int
    """A card of this side's that a misdeal made public, or 0."""
    exposed_theirs: int
    others: tuple[Other, Other, Other, Other]
    """Three and more players: the opponents besides the one `their_` speaks of, clockwise from
    him; places beyond the number of players are all 0."""
    said: int
    """Where the puts of this hand were said, oldest in the lowest bits. Two sides: four bits each,
    1 to 7 for lead1, reply1, after trick 1, lead2, reply2, lead3, reply3, and 8 more for the
    dealer's. More sides: eight bits for every word, the same place, 8 times the seat (eldest 0),
    and 64 for put, 128 for see, 192 for throw."""

    # The situation, as the rules see it.
    trick: int
    """The running trick, 1 to 3."""
    my_tricks: int
    """Tricks that count for this player so far."""
    their_tricks: int
    ties: int
    worth: int
    """What the hand is worth now: points, or GAME."""
    worth_if_seen: int
    """What it is worth once the put in question (asked, or possible here) is seen; else 0."""
    worth_if_thrown: int
    """What throwing in pays the other side now."""
    is_dealer: bool
    is_leader: bool
    """Whether this player leads, or led, the running trick."""
    asked: bool
    """Whether a put awaits this player's SEE or THROW."""
    may_put: bool
    may_throw: bool
    """Whether THROW is allowed: as an answer, or unasked."""
    may_play: bool
    """Whether a card may be played."""
    must_speak: bool
    """Whether this player has to put or throw and may not play (Hoyle, after the first trick)."""
    puts_mine: int
    """Own puts in this hand."""
    puts_theirs: int
    puts_seen: int
    """Puts seen in this hand, by either player."""
    top: int
    """The number of the best card of the pack."""
    copies: int
    """How many cards of each rank the pack holds."""
    pack_size: int
    target: int
    """Points that win the game."""
    players: int
    """Sides at the table, each against all others."""
    may_keep: bool
    """Partners: whether KEEP is allowed besides GIVE and RECEIVE."""
    must_swap: bool
    """Partners: whether the receiver may not lay out the gift."""
    misdeal: int
    """What awaits this player's ruling: 1 a card of his is exposed, 4 he was given four cards,
    5 the dealer gave himself four; else 0."""

    # The public record of this match so far, what was said in this hand included; all zero
    # unless `memory = True`.
    hands: int
    """Hands finished."""
    my_puts: int
    my_puts_seen: int
    my_puts_lost: int
    """Own puts that were seen in hands then lost."""
    my_asked: int
    """How often this player had to answer a put."""
    my_thrown: int
    """How often the answer was THROW."""
    their_puts: int
    their_puts_seen: int
    their_puts_lost: int
    their_asked: int
    their_thrown: int


class Match(NamedTuple):
    """What a learning player is told when a match begins."""

    rules: str
    """Name of the rule set."""
    target: int
    ranks: str
    """The pack, best rank first."""
    games: int
    """Games in this match."""
    name: str
    opponent: str
    """The other side; with three and more players all of them, joined by " and "."""
    players: int = 2


class HandRecord(NamedTuple):
    """A finished hand as one seat saw it. Cards are numbers; 0 is not shown or not played."""

    game: int
    hand: int
    is_dealer: bool
    cards: tuple[int, int, int]
    """Own cards as dealt, best first."""
    played: tuple[int, int, int]
    their_played: tuple[int, int, int]
    """The opponent's cards, only as far as they were played."""
    words: tuple[tuple[str, bool, str], ...]
    """Everything said, in order: place (`lead1`), whether by this player, word (`put`)."""
    score: int
    their_score: int
    """Scores before the hand."""
    points: int
    """Points this player won with it; GAME for the game outright."""
    their_points: int
    won: bool
    lost: bool
    game_over: bool
    table_played: tuple[tuple[int, int, int], ...] = ()
    """Cards played by every side, clockwise from this player's own."""


class _Openings:
    """What is decided before the tricks, as anybody would; override to have ideas of one's own."""

    def gift(self, view: View) -> int:
        """Four-handed, as captain: GIVE, RECEIVE or (where `view.may_keep`) KEEP.

        The two cards that are not the best stay with whoever receives, so they decide.
        """
        good = 4 * (view.cards[1] + view.cards[2]) >= 3 * (view.top + 1)
        return RECEIVE if good else GIVE

    def lay_out(self, view: View) -> int:
        """Four-handed, as receiver: which of the four cards (see `view.must_swap`) to lay out."""
        return view.cards[2] if view.must_swap else view.lowest

    def misdeal(self, view: View) -> int:
        """After a misdeal (`view.misdeal`): STAND or REDEAL for 1, DRAW or REDEAL for 4 and 5."""
        held = 4 if view.fourth else 3
        total = view.cards[0] + view.cards[1] + view.cards[2] + view.fourth
        if 2 * total < held * (view.top + 1):
            return REDEAL
        return STAND if view.misdeal == 1 else DRAW


class Player(_Openings):
    """What `begin_match` returns: a player that lives for one match and may learn in it."""

    def act(self, view: View) -> int:
        """A card number, PUT, SEE or THROW."""
        raise NotImplementedError

    def hand_over(self, record: HandRecord) -> None:
        """Told after every hand; does nothing unless overridden."""


class Strategy(_Openings):
    """A way of playing: a frozen dataclass with one method, `act`.

    Parameters are the dataclass fields, all with defaults. `act` must depend on nothing but
    `self` and `view`: the program compiles it to native code where it can, interprets it where it
    cannot, and promises the same games either way.

    What is costly to work out from the parameters alone can be a `functools.cached_property`; one
    annotated as `int`, `float` or `bool` is there for the compiled `act` too.

    `gift`, `lay_out` and `misdeal` decide what comes before the tricks of some games; all have a
    sensible answer unless overridden. Two more methods are optional: `act_batch(views)` takes a
    View whose fields are arrays of B decisions and returns B actions; `begin_match(match)` returns
    a `Player` for one match.
    """

    memory: ClassVar[bool] = False
    """True for a strategy that reads the public record of the match."""

    game: ClassVar[str] = "put"
    """The kind of game it plays: `put` and its relatives, or `speculation`."""

    plays: ClassVar[tuple[str, ...]] = ()
    """The rule sets it is written for, such as `("hoyle", "truc(target=7)")`; empty for any.
    `put check` tests it in these."""

    def act(self, view: View) -> int:
        """A card number (1 to `view.top`, one that is held), PUT, SEE or THROW."""
        raise NotImplementedError(f"{type(self).__name__} defines no act(view)")

    act_batch: ClassVar[Any] = None
    begin_match: ClassVar[Any] = None

    def __getstate__(self) -> Any:
        """The parameters: whatever was worked out from them is worked out anew elsewhere."""
        state = super().__getstate__()
        if not isinstance(state, dict):  # there is nothing, or it has slots
            return state
        cls = type(self)
        return {
            name: value
            for name, value in state.items()
            if not isinstance(getattr(cls, name, None), cached_property)
        }
