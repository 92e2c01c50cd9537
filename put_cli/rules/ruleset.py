"""Rule sets as data: a frozen description checked at birth.

This file does not know how a hand is played (`machine.py`) nor where rule sets are kept
(`finding.py`).
"""

import hashlib
import json
from dataclasses import dataclass, field, fields
from typing import Any, ClassVar

from put_cli.errors import RuleError, did_you_mean
from put_cli.rules.cards import PACKS, Pack
from put_cli.rules.knobs import key_of

GAME = 100
"""The worth of a hand whose winner takes the whole game; more than any number of points."""

MAX_PLAYERS = 6

MAX_TARGET = 99
MAX_SEEN_PUTS = 7  # a hand has seven places where a put can be said, and each takes one

PLACES = ("first_lead", "first_reply", "later_lead", "later_reply")


def knob(help_text: str, **kwargs: Any) -> Any:
    """A field of a rule set that a user may override, with its meaning in words."""
    return field(metadata={"help": help_text}, **kwargs)


@dataclass(frozen=True, kw_only=True)
class RuleSet:
    """Everything that distinguishes one game of this family from another.

    Raises:
        RuleError: a value is not allowed, naming the key, what came and the choices.
    """

    game: ClassVar[str] = "put"
    """The kind of game, as `Strategy.game` has it."""

    name: str
    title: str = ""
    source: str = ""
    readings: tuple[str, ...] = ()

    pack: str = knob("the ranks in play", default="full52")
    target: int = knob("points that win the game", default=5)
    first_dealer: str = knob("who deals first: the higher or the lower cut", default="high")
    first_lead: str = knob("words eldest may say before leading to trick 1", default="put")
    first_reply: str = knob("words dealer may say before replying to trick 1", default="put")
    later_lead: str = knob("words a leader may say in tricks 2 and 3", default="put")
    later_reply: str = knob("words a replier may say in tricks 2 and 3", default="put")
    after_first: str = knob(
        "after trick 1, while no put has been seen: go on playing, or eldest must put or throw",
        default="play",
    )
    stakes: tuple[int, ...] = knob(
        "what the hand is worth after 0, 1, 2 ... seen puts: points, or 'game'", default=(1, GAME)
    )
    raise_: str = knob(
        "how the worth climbs with seen puts: as listed in stakes, double (1 2 4 8 ... target) or "
        "plus2 (1 2 4 6 ... target)",
        default="listed",
    )
    declined: str = knob(
        "what throwing in pays the other side: one point, or the worth the hand has", default="one"
    )
    throw_after_seen: bool = knob(
        "whether a free throw is still allowed after a put has been seen", default=False
    )
    seen_draw: str = knob(
        "what a drawn seen hand does to the scores: kept, or the game begins anew", default="kept"
    )
    tied_trick: str = knob(
        "whose a tied trick is: nobody, or whoever wins the first decided trick", default="nobody"
    )
    lone_trick: bool = knob("whether one trick and two ties win the hand", default=True)
    rubber: int = knob("games in a rubber (best of); 1 for no rubber", default=1)
    players: int = knob("sides at the table, each for itself", default=2)
    partners: bool = knob("whether each of two sides is a pair of partners", default=False)
    dealer_gift: str = knob(
        "partners: whether the dealer's side has to exchange a card or may keep its own",
        default="optional",
    )
    must_swap: bool = knob(
        "partners: whether the receiver has to lay out one of his own three, not the gift",
        default=False,
    )
    misdeals: float = knob(
        "the share of deals, 0 to 1, in which the dealer errs and the Laws of Put apply",
        default=0.0,
    )

    def __post_init__(self) -> None:
        for key in ("name", "title", "source"):
            _text(key, getattr(self, key))
        if not isinstance(self.readings, tuple):
            raise RuleError(f"readings: expected a list of sentences, got {self.readings!r}.")
        for reading in self.readings:
            _text("readings", reading)
        _whole(self, "target", 1, MAX_TARGET)
        _whole(self, "rubber", 1, 99)
        _whole(self, "players", 2, MAX_PLAYERS)
        if self.rubber % 2 == 0:
            raise RuleError(f"rubber: expected an odd number of games, got {self.rubber}.")
        for key, choices in _CHOICES.items():
            _one_of(self, key, choices)
        for key in ("throw_after_seen", "lone_trick", "partners", "must_swap"):
            if not isinstance(getattr(self, key), bool):
                raise RuleError(f"{key}: expected true or false, got {getattr(self, key)!r}.")
        self._check_stakes()
        if self.after_first == "speak" and len(self.worths) < 2:
            raise RuleError(
                "after_first: 'speak' makes eldest put or throw, but stakes allow no put. "
                "Give stakes a second value, for example [1, 'game']."
            )
        share = self.misdeals
        if not isinstance(share, int | float) or isinstance(share, bool) or not 0 <= share <= 1:
            raise RuleError(f"misdeals: expected a share from 0 to 1, got {share!r}.")
        object.__setattr__(self, "misdeals", float(share))  # 0 and 0.0 are one rule set
        if self.players > 2:
            self._check_more_players()

    def _check_more_players(self) -> None:
        """Refuse what no source and no reading of ours gives a meaning with three or more."""
        for key, wrong, why in (
            ("partners", self.partners, "partners are two sides of two"),
            ("after_first", self.after_first == "speak", "eldest's forced word is two-handed"),
            ("rubber", self.rubber > 1, "a rubber is between two"),
            ("tied_trick", self.tied_trick == "first", "the first trick may be a dead player's"),
            (
                "stakes",
                len(self.worths) > 2,
                "a hand has one put, and whoever sees it stays in",
            ),
            *(
                (place, "throw" in getattr(self, place), "a free throw pays the one opponent")
                for place in PLACES
            ),
        ):
            if wrong:
                shown = _stakes_text(self) if key == "stakes" else repr(getattr(self, key))
                raise RuleError(
                    f"{key}: {shown} has no meaning with players={self.players}: {why}."
                )

    def _check_stakes(self) -> None:
        if not isinstance(self.stakes, tuple) or not self.stakes:
            raise RuleError(f"stakes: expected a list such as [1, 'game'], got {self.stakes!r}.")
        for worth in self.stakes:
            if (
                not isinstance(worth, int)
                or isinstance(worth, bool)
                or not (1 <= worth <= MAX_TARGET or worth == GAME)
            ):
                raise RuleError(
                    f"stakes: expected points from 1 to {MAX_TARGET} or 'game', got {worth!r}."
                )
        if list(self.stakes) != sorted(self.stakes):
            raise RuleError(f"stakes: a seen put cannot lower the worth, got {_stakes_text(self)}.")
        if self.raise_ != "listed" and (len(self.stakes) != 1 or self.stakes[0] >= GAME):
            raise RuleError(
                f"raise: {self.raise_!r} climbs by itself from one number of points, but stakes "
                f"lists {_stakes_text(self)}. Give stakes = [1]."
            )
        if len(self.worths) > MAX_SEEN_PUTS + 1:
            raise RuleError(
                f"stakes: at most {MAX_SEEN_PUTS} puts can be seen in a hand, "
                f"got {len(self.worths) - 1}."
            )

    @property
    def cards(self) -> Pack:
        """The pack itself."""
        return PACKS[self.pack]

    @property
    def worths(self) -> tuple[int, ...]:
        """What the hand is worth after 0, 1, 2 ... seen puts; GAME for the whole game."""
        if self.raise_ == "listed":
            return self.stakes
        worths = [min(self.stakes[0], self.target)]
        while worths[-1] < self.target:
            now = worths[-1]
            step = now if self.raise_ == "double" or now == 1 else 2
            worths.append(min(now + step, self.target))
        return tuple(worths)

    @property
    def concession(self) -> tuple[int, ...]:
        """What throwing in pays the other side after 0, 1, 2 ... seen puts, in points or GAME."""
        return self.worths if self.declined == "worth" else (1,) * len(self.worths)

    @property
    def chairs(self) -> int:
        """Persons at the table: two for each side of partners."""
        return 2 * self.players if self.partners else self.players

    @property
    def wins_needed(self) -> int:
        """Games that win the rubber."""
        return self.rubber // 2 + 1

    def plain(self) -> dict[str, Any]:
        """The rule set as TOML and JSON hold it: every key, 'game' for GAME."""
        data = {key_of(f.name): getattr(self, f.name) for f in fields(self)}
        data["stakes"] = ["game" if worth == GAME else worth for worth in self.stakes]
        data["readings"] = list(self.readings)
        return data

    def knobs(self) -> dict[str, Any]:
        """The part of `plain()` that changes play, by key."""
        described = {"name", "title", "source", "readings"}
        return {key: value for key, value in self.plain().items() if key not in described}

    def fingerprint(self) -> str:
        """16 hex digits that agree exactly when two rule sets play alike, whatever their names."""
        text = json.dumps(self.knobs() | {"ranks": self.cards.ranks}, sort_keys=True)
        return hashlib.blake2b(text.encode(), digest_size=8).hexdigest()


_CHOICES: dict[str, tuple[str, ...]] = {
    "pack": tuple(PACKS),
    **dict.fromkeys(PLACES, ("none", "put", "throw", "put throw")),
    "first_dealer": ("high", "low"),
    "after_first": ("play", "speak"),
    "raise_": ("listed", "double", "plus2"),
    "declined": ("one", "worth"),
    "seen_draw": ("kept", "anew"),
    "tied_trick": ("nobody", "first"),
    "dealer_gift": ("optional", "required"),
}


def _text(key: str, value: object) -> None:
    # Printable, because names and titles of foreign rule sets end up on terminals.
    if not isinstance(value, str) or not value.isprintable():
        raise RuleError(f"{key}: expected one line of text, got {value!r}.")


def _whole(rules: RuleSet, name: str, low: int, high: int) -> None:
    value = getattr(rules, name)
    if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
        raise RuleError(f"{name}: expected a whole number from {low} to {high}, got {value!r}.")


def _one_of(rules: RuleSet, name: str, choices: tuple[str, ...]) -> None:
    value = getattr(rules, name)
    if value not in choices:
        raise RuleError(
            f"{key_of(name)}: expected one of {', '.join(choices)}, got {value!r}."
            f"{did_you_mean(str(value), choices)}"
        )


def _stakes_text(rules: RuleSet) -> str:
    return str(rules.plain()["stakes"]).replace("'", "")


def knob_help() -> dict[str, str]:
    """Every knob and its meaning in words, in the order of the class."""
    return {key_of(f.name): f.metadata["help"] for f in fields(RuleSet) if "help" in f.metadata}


def knob_choices(key: str) -> tuple[str, ...]:
    """The values a knob takes when they can be listed, else an empty tuple."""
    return _CHOICES.get(key, _CHOICES.get(key + "_", ()))
