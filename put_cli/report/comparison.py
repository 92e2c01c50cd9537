"""Two runs on the same deals, as a table."""

from collections.abc import Sequence
from textwrap import fill

from put_cli.report.tables import Column, aligned, printable
from put_cli.stats.comparison import Compared


def comparison_text(
    found: Sequence[Compared], names: Sequence[tuple[str, str]], width: int = 80
) -> str:
    """Everybody's share of games won in both runs; `names` in either, by place."""

    def name(place: int) -> str:
        first, second = names[place]
        return printable(first if first == second else f"{first} -> {second}")

    table = aligned(
        [
            Column(heading="strategy", cells=tuple(name(c.place) for c in found), left=True),
            Column(heading="games", cells=tuple(f"{c.games:,}" for c in found)),
            Column(heading="first", unit="%", cells=tuple(f"{100 * c.first:.2f}" for c in found)),
            Column(heading="second", unit="%", cells=tuple(f"{100 * c.second:.2f}" for c in found)),
            Column(
                heading="difference",
                unit="95 %",
                cells=tuple(f"{100 * c.difference:+.2f} +/- {100 * c.margin:.2f}" for c in found),
            ),
            Column(heading="alone", cells=tuple(f"+/- {100 * c.alone:.2f}" for c in found)),
        ]
    )
    told = [
        f"{name(c.place)} won {'more' if c.difference > 0 else 'less'}"
        for c in found
        if abs(c.difference) > c.margin
    ]
    notes = (
        "Games won, %, on the same deals in both runs; difference: with its 95 % interval, deal "
        "for deal; alone: that interval, had the deals been different.",
        f"Told apart in the second run: {', '.join(told)}." if told else "Nobody is told apart.",
    )
    return table + "\n" + "".join(fill(note, width) + "\n" for note in notes)
