"""How the strategies of a run are loaded: into this process, or into processes of their own."""

from collections.abc import Sequence
from functools import partial

from put_cli.errors import UsageError
from put_cli.plugins import discovery, external, isolated, shipping
from put_cli.plugins.loaded import Loaded
from put_cli.plugins.shipping import Place

IN_TIERS = ("auto", "batch", "interpreted")
"""What can be asked of a strategy in a process of its own, where nothing is compiled."""


def loader(
    *, isolate: bool, tier: str, memory_limit: int, places: Sequence[Place] = ()
) -> discovery.Load:
    """A function that loads a strategy by its text; `places` of files that lie elsewhere here.

    Raises:
        UsageError: isolated strategies cannot play in this tier.
    """
    if isolate and tier not in IN_TIERS:
        raise UsageError(
            f"--isolate: expected a tier of {', '.join(IN_TIERS)}, got {tier}: compiled code is "
            "called by the engine itself."
        )
    load = partial(_load, isolate, tier, memory_limit)
    return partial(shipping.load, places=tuple(places), by=load) if places else load


def _load(isolate: bool, tier: str, memory_limit: int, text: str) -> Loaded:
    if external.names_program(text):
        return external.load(text, memory_limit)
    return isolated.load(text, tier, memory_limit) if isolate else discovery.load(text)
