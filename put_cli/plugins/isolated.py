"""Python strategies in processes of their own: this one never imports them."""

from functools import cache, partial
from pathlib import PurePath

from put_cli.plugins import guest, wire
from put_cli.plugins.loaded import Loaded
from put_cli.plugins.outside import LoadedOutside, Outside, introduce

ISOLATED = "isolated"


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
    strategy = Outside(ISOLATED, "in a process of its own", command, hello, described)
    return LoadedOutside(
        facts["name"],
        text,
        strategy,
        facts["package"],
        facts["version"],
        facts["file"] and PurePath(facts["file"]),
        facts=facts,
    )
