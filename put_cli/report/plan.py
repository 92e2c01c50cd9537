"""How many games are needed, as a table."""

from collections.abc import Sequence
from textwrap import fill

from put_cli.report.tables import Column, aligned, printable
from put_cli.stats.duel import Need


def plan_text(needs: Sequence[Need], elo: float, power: float, width: int = 80) -> str:
    """The games that each pairing needs, and those that do for all."""
    table = aligned(
        [
            Column(
                heading="pairing",
                cells=tuple(printable(f"{need.line.a} - {need.line.b}") for need in needs),
                left=True,
            ),
            Column(heading=f"+/- {elo:g}", cells=tuple(f"{need.precise:,}" for need in needs)),
            Column(heading="to show", cells=tuple(f"{need.shown:,}" for need in needs)),
            Column(heading="pilot", cells=tuple(f"{need.line.games:,}" for need in needs)),
        ]
    )
    precise, shown = max(need.precise for need in needs), max(need.shown for need in needs)
    notes = (
        f"+/- {elo:g}: games after which the 95 % interval of the Elo difference is that wide; to "
        f"show: after which a true difference of {elo:g} Elo is told from none with a chance of "
        f"{100 * power:g} %; pilot: the games this rests on.",
        f"For all: --games {precise} and --games {shown}.",
    )
    return table + "\n" + "".join(fill(note, width) + "\n" for note in notes)
