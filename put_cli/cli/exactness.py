"""What `put tournament --exact` prints beside the standings."""

from collections.abc import Callable
from typing import Any

import click


def exact_crosstable(prepared: Any, standings: Any, note: Callable[[str], None]) -> Any:
    """The results of a run held against the exact chances: a `solve.crosstable.Crosstable`."""
    from put_cli.solve.crosstable import crosstable

    note("Computing the exact chances of every pairing.")
    return crosstable(prepared.settings.rules, prepared.workshop.contestants, standings.pairings)


def show_crosstable(checked: Any) -> None:
    """Print the results of a run beside the exact chances, in numbers and words."""
    from put_cli.report.tables import Column, aligned, printable
    from put_cli.solve.crosstable import FAR

    rows = checked.pairings
    lines = []
    if rows:
        columns = [
            Column(heading="a", left=True, cells=tuple(printable(each.a) for each in rows)),
            Column(heading="b", left=True, cells=tuple(printable(each.b) for each in rows)),
            Column(heading="exact", unit="%", cells=tuple(f"{100 * r.exact:.3f}" for r in rows)),
            Column(heading="played", unit="%", cells=tuple(f"{100 * r.score:.3f}" for r in rows)),
            Column(heading="games", cells=tuple(f"{r.games:,}" for r in rows)),
            Column(heading="z", cells=tuple("-" if r.z is None else f"{r.z:+.2f}" for r in rows)),
        ]
        lines += [
            "Exact chances of a against b, what was played, and the difference in standard "
            "errors (z):",
            aligned(columns).rstrip("\n"),
        ]
    far = len(checked.far)
    lines.append(
        f"Pairings beyond {FAR:g} standard errors: {far} of {len(rows)}"
        f" (by chance about {0.0027 * len(rows):.1f})."
    )
    lines += [f"Without an exact chance: {printable(why)}." for why in checked.left_out]
    click.echo("\n" + "\n".join(lines))
