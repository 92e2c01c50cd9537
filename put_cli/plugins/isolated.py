"""Python strategies in processes of their own: this one never imports them."""

from functools import cache, partial
from pathlib import PurePath

from put_cli.plugins import guest, wire
from put_cli.plugins.loaded import Loaded
from put_cli.plugins.outside import LoadedOutside, Outside, introduce

ISOLATED = "isolated"

_PATIENCE = 5.0
"""It has a clock of its own for a decision; where that fails, it is given so many times more."""


@cache
def load(text: str, tier: str, memory_limit: int) -> Loaded:
    """The strategy a user means by `text`, to be played in processes with so much memory (MB).

    `tier` says how it plays in there: "interpreted" leaves `act_batch` alone.

    Raises:
        SpecError: it cannot be found, imported or given these parameters.
    """
    command = partial(guest.command, memory_limit)
    described = introduce(text, command(), wire.hello(text, tier=tier, describe=True))
    facts = described.facts
    hello = wire.hello(text, tier=tier, describe=False)
    why = "in a process of its own"
    strategy = Outside(ISOLATED, why, command, hello, described, _PATIENCE)
    return LoadedOutside(
        facts["name"],
        text,
        strategy,
        facts["package"],
        facts["version"],
        facts["file"] and PurePath(facts["file"]),
        facts=facts,
    )
