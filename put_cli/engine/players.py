"""The players of a run: a strategy, and the tier that plays it.

Native players are called by the kernel itself. The others get their Views from the rows the
kernel writes for them, many lanes at a time, and answer in Python (`asking`) or from a process
elsewhere (`remote`).
"""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field

from put_cli.engine.compiled import Store
from put_cli.engine.lanes import ACT, METHODS
from put_cli.engine.native import Native, NotNative, compile_method
from put_cli.engine.remote import Elsewhere, Remote
from put_cli.strategy import Strategy

NATIVE, BATCH, INTERPRETED, LEARNING = "native", "batch", "interpreted", "learning"
TIERS = (NATIVE, BATCH, INTERPRETED, LEARNING)
"""How strategies play in this process; those elsewhere say what they are (`Elsewhere.tier`)."""


@dataclass(frozen=True, eq=False)
class Contestant:
    """A strategy as it takes part in a run; `name` is how logs and tables call it."""

    name: str
    strategy: Strategy
    tier: str
    native: Mapping[int, Native] = field(default_factory=dict)
    """Compiled methods by index into METHODS; the others are decided in Python."""
    why: str = ""
    """Why `act` is not native, in words; empty when it is."""
    partner: "Contestant | None" = None
    """Who sits in the second chair of a side of partners; None for the same strategy again."""
    remote: Remote | None = None
    """The process that decides; None for this one."""

    @property
    def members(self) -> "tuple[Contestant, Contestant]":
        """Who sits in the first and the second chair of the side."""
        return self, self.partner or self

    @property
    def learns(self) -> bool:
        """Whether it has a player of its own for each match, who hears of every hand."""
        return self.tier == LEARNING or (self.remote is not None and self.remote.learns)

    @property
    def remembers(self) -> bool:
        """Whether this player's decisions depend on earlier hands of the match."""
        return self.strategy.memory or self.learns

    @property
    def memory(self) -> bool:
        """Whether the side's do."""
        return any(each.remembers for each in self.members)


def enlist(
    name: str,
    strategy: Strategy,
    store: Store,
    tier: str = "auto",
    methods: Sequence[int] = (ACT,),
) -> Contestant:
    """A contestant in the best tier it supports, or in `tier` where one is asked for.

    `methods` are those that the rules ask for (`Tables.methods`).

    Raises:
        NotNative: `tier` is native and the strategy cannot be compiled.
    """
    if isinstance(strategy, Elsewhere):
        return Contestant(
            name, strategy, strategy.tier, why=strategy.why, remote=strategy.connect(name)
        )
    if strategy.begin_match is not None:
        return Contestant(name, strategy, LEARNING, why="it learns: it defines begin_match")
    if strategy.act_batch is not None and type(strategy).act is Strategy.act:
        return Contestant(name, strategy, BATCH, why="it defines act_batch and no act")
    why = f"the {tier} tier was asked for"
    if tier in ("auto", NATIVE):
        try:
            compiled = {ACT: compile_method(strategy, store)}
            compiled |= _others_compiled(strategy, store, methods)
            return Contestant(name, strategy, NATIVE, compiled)
        except NotNative as error:
            if tier == NATIVE:
                raise
            why = str(error)
    if strategy.act_batch is not None and tier in ("auto", BATCH):
        return Contestant(name, strategy, BATCH, why=why)
    return Contestant(name, strategy, INTERPRETED, why=why)


def _others_compiled(strategy: Strategy, store: Store, methods: Sequence[int]) -> dict[int, Native]:
    """The methods besides act that can be compiled; the rest is decided in Python."""
    compiled = {}
    for method in methods:
        if method != ACT:
            with suppress(NotNative):
                compiled[method] = compile_method(strategy, store, METHODS[method])
    return compiled
