"""The rule set of Speculation: a frozen description checked at birth, and how a user names one.

Source: "a lively and amusing round game" of the household encyclopedias. Where they are silent or
loose, READINGS say how they are read here.
"""

import hashlib
import json
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any, ClassVar

from put_cli.errors import RuleError, did_you_mean
from put_cli.rules.files import read_text
from put_cli.rules.finding import MAX_FILE
from put_cli.rules.knobs import split_knobs
from put_cli.rules.ruleset import RuleSet, knob
from put_cli.speculation.cards import PACK

NAME = "speculation"
FEWEST_PLAYERS, MOST_PLAYERS = 3, 12
CARDS_EACH = 3

MAX_BID = 1_000_000
"""Nobody has to have the chips he bids; this keeps sums within numbers that every reader has."""

MAX_DEALS = 10_000

UNSEEN = ("none", "hand", "any")

SOURCE = "household encyclopedias: a round game of antes, a turned-up trump and sales"

READINGS = (
    "A bid of 0 is no bid: a sale needs one of at least 1. Bids are named once, in turn and aloud, "
    "so whoever bids later knows the earlier ones.",
    "Every time a card becomes the best trump out its holder may sell it: the bids are named, and "
    "he accepts or refuses. Whoever buys it may sell it again only when he turns a better one.",
    "An unseen sale takes the place of a turn; when nobody buys, the player turns his card after "
    "all. Between two cards turned each player may offer once, so that a deal comes to an end.",
    "The holder, too, may buy unturned cards, and whoever has none left may.",
    "A Knave or five that is turned pays also when it becomes the best trump; the turn-up pays "
    "nothing, as it is in nobody's hand.",
    "Only an Ace that is turned up takes the pool at once. After an Ace of trumps from a hand all "
    "other cards are turned: Knaves and fives still pay.",
    "A pool that is still carried over after the last deal goes on to one more deal until it is "
    "taken.",
)


@dataclass(frozen=True, kw_only=True)
class Speculation:
    """Everything that distinguishes one way of playing Speculation from another.

    Raises:
        RuleError: a value is not allowed, naming the key, what came and the choices.
    """

    game: ClassVar[str] = NAME
    partners: ClassVar[bool] = False

    name: str = NAME
    players: int = knob("players at the table, 3 to 12", default=5)
    deals: int = knob(
        "deals in a session; 0 for as many as there are players, so that each deals once", default=0
    )
    ante: int = knob("chips that each player but the dealer puts in, 1 to 3", default=2)
    dealer_ante: int = knob("so many times the ante is the dealer's", default=2)
    presale: bool = knob("whether the dealer may sell the turn-up unseen", default=True)
    unseen: str = knob(
        "unturned cards a player may offer instead of turning: any number of them, the whole hand, "
        "or none",
        default="any",
    )
    payment: int = knob("chips that a turned Knave or five pays to the pool", default=1)
    spare_hand: bool = knob(
        "whether one more hand is dealt, to be revealed at the end: if it holds a better trump the "
        "pool is carried over",
        default=False,
    )
    exhaust_pack: bool = knob(
        "whether deals go on from the rest of the pack while it lasts, instead of a shuffled one",
        default=False,
    )

    def __post_init__(self) -> None:
        if not isinstance(self.name, str) or not self.name.isprintable():
            raise RuleError(f"name: expected one line of text, got {self.name!r}.")
        for key, low, high in (
            ("players", FEWEST_PLAYERS, MOST_PLAYERS),
            ("deals", 0, MAX_DEALS),
            ("ante", 1, 3),
            ("dealer_ante", 1, 10),
            ("payment", 0, 100),
        ):
            value = getattr(self, key)
            if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
                raise RuleError(
                    f"{key}: expected a whole number from {low} to {high}, got {value!r}."
                )
        for key in ("presale", "spare_hand", "exhaust_pack"):
            if not isinstance(getattr(self, key), bool):
                raise RuleError(f"{key}: expected true or false, got {getattr(self, key)!r}.")
        if self.unseen not in UNSEEN:
            raise RuleError(
                f"unseen: expected one of {', '.join(UNSEEN)}, got {self.unseen!r}."
                f"{did_you_mean(str(self.unseen), UNSEEN)}"
            )

    def ante_of(self, *, dealer: bool) -> int:
        """What a player puts in before a deal."""
        return self.ante * self.dealer_ante if dealer else self.ante

    @property
    def chairs(self) -> int:
        """Persons at the table."""
        return self.players

    @property
    def deals_a_session(self) -> int:
        """Deals of a session, but for those that a carried pool adds."""
        return self.deals or self.players

    @property
    def cards_a_deal(self) -> int:
        """Cards dealt: the hands, the turn-up, the spare hand."""
        return CARDS_EACH * (self.players + self.spare_hand) + 1

    @property
    def deals_a_pack(self) -> int:
        """Deals between two shuffles."""
        return PACK // self.cards_a_deal if self.exhaust_pack else 1

    def plain(self) -> dict[str, Any]:
        """The rule set as TOML and JSON hold it."""
        return {f.name: getattr(self, f.name) for f in fields(self)}

    def knobs(self) -> dict[str, Any]:
        """The part of `plain()` that changes play."""
        return {key: value for key, value in self.plain().items() if key != "name"}

    def fingerprint(self) -> str:
        """16 hex digits that agree exactly when two rule sets play alike."""
        knobs = self.knobs() | {"deals": self.deals_a_session}
        text = json.dumps([NAME, knobs], sort_keys=True)
        return hashlib.blake2b(text.encode(), digest_size=8).hexdigest()

    def changed(self, values: Mapping[str, Any]) -> "Speculation":
        """The rule set with these knobs, named after what differs from the usual game.

        Raises:
            RuleError: there is no such knob, or a value is not allowed.
        """
        for key in values:
            if key not in knob_help():
                raise RuleError(
                    f"there is no knob {key!r}.{did_you_mean(key, knob_help())} "
                    f"The knobs are: {', '.join(knob_help())}."
                )
        made = replace(self, **values)
        usual = Speculation().knobs()
        told = ", ".join(
            f"{key}={str(value).lower()}"
            for key, value in made.knobs().items()
            if value != usual[key]
        )
        return replace(made, name=f"{NAME}({told})" if told else NAME)


Rules = RuleSet | Speculation
"""The rules of a game of any kind."""


def find(text: str, **knobs: Any) -> Speculation | None:
    """The rule set a user means by `speculation(players=4)` or a TOML file with that as its base.

    `knobs` override those in the text. None when the text names another game.

    Raises:
        RuleError: there is no such knob, or a value is not allowed.
    """
    name, _, _ = text.strip().partition("(")
    if name == NAME:
        values = split_knobs(text)[1]
    elif name.endswith(".toml") and (found := _in_file(Path(name))) is not None:
        values = found | split_knobs(text)[1]
    else:
        return None
    try:
        return Speculation().changed(values | knobs)
    except RuleError as error:
        raise RuleError(f"{name}: {error}") from None


def _in_file(path: Path) -> dict[str, Any] | None:
    """The knobs of a file whose base is Speculation; None for any other, whatever is wrong."""
    try:
        data = tomllib.loads(read_text(path, MAX_FILE))
    except (OSError, ValueError, RecursionError):
        return None
    if data.pop("base", None) != NAME:
        return None
    return {key: value for key, value in data.items() if key not in ("name", "title", "source")}


def knob_help() -> dict[str, str]:
    """Every knob and its meaning in words, in the order of the class."""
    return {f.name: f.metadata["help"] for f in fields(Speculation) if "help" in f.metadata}


def from_mapping(data: Mapping[str, Any], where: str) -> Speculation:
    """The rule set that a manifest holds.

    Raises:
        RuleError: a key is unknown or a value not allowed; `where` is part of the message.
    """
    values = {key: value for key, value in data.items() if key != "name"}
    try:
        return Speculation().changed(values)
    except RuleError as error:
        raise RuleError(f"{where}: {error}") from None
