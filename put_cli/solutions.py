"""What a strategy needs that plays a solution of `put solve`.

    table = open_policy("cotton.policy")
    action = consult(table, view)

Compiled strategies may use `consult`, with a `table` that is a parameter of theirs (best a
`functools.cached_property`). What reads and unpacks a policy is imported when it is called for.
"""

from put_cli.engine.consult import consult

__all__ = ["consult", "open_policy", "policy_rules"]


def open_policy(path: str) -> int:
    """The table of a policy file: an address, good as long as this process lives.

    It is unpacked once into the user's cache and mapped into memory, so all processes share it.

    Raises:
        PolicyError: there is no such file, or it is not a whole solution.
    """
    from put_cli.solve import table

    return table.mapped(path)


def policy_rules(path: str) -> str:
    """The name of the rule set that a policy file solves, as `--rules` takes it.

    Raises:
        PolicyError: there is no such file, or it is none.
    """
    from pathlib import Path

    from put_cli.solve import policy_file

    return policy_file.rules_of(Path(path)).name
