"""What `put tournament --exact` prints beside the standings."""

from typing import Any

import click


def plain_crosstable(prepared: Any, standings: Any, *, quiet: bool) -> dict[str, Any]:
    """The same for the JSON object of the standings."""
    return {"exact": _crosstable(prepared, standings, quiet).plain()}


def _crosstable(prepared: Any, standings: Any, quiet: bool) -> Any:
    """The results of a run held against the exact chances: a `solve.crosstable.Crosstable`."""
    from put_cli.solve.crosstable import crosstable

    if not quiet:
        click.echo("Computing the exact chances of every pairing.", err=True)
    return crosstable(prepared.settings.rules, prepared.workshop.contestants, standings.pairings)


def show_crosstable(prepared: Any, standings: Any, *, quiet: bool) -> None:
    """Print the results of a run beside the exact chances, in numbers and words."""
    from put_cli.report.tables import Column, aligned, printable
    from put_cli.solve.crosstable import FAR

    checked = _crosstable(prepared, standings, quiet)
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
