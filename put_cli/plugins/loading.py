"""How the strategies of a run are loaded: into this process, or into processes of their own."""

from functools import partial

from put_cli.errors import UsageError
from put_cli.plugins import discovery, external, isolated
from put_cli.plugins.loaded import Loaded

IN_TIERS = ("auto", "batch", "interpreted")
"""What can be asked of a strategy in a process of its own, where nothing is compiled."""


def loader(*, isolate: bool, tier: str, memory_limit: int) -> discovery.Load:
    """A function that loads a strategy by its text.

    Raises:
        UsageError: isolated strategies cannot play in this tier.
    """
    if isolate and tier not in IN_TIERS:
        raise UsageError(
            f"--isolate: expected a tier of {', '.join(IN_TIERS)}, got {tier}: compiled code is "
            "called by the engine itself."
        )
    return partial(_load, isolate, tier, memory_limit)


def _load(isolate: bool, tier: str, memory_limit: int, text: str) -> Loaded:
    if external.names_program(text):
        return external.load(text, memory_limit)
    return isolated.load(text, tier, memory_limit) if isolate else discovery.load(text)
