"""Two runs on the same deals, as a table."""

from collections.abc import Sequence
from dataclasses import asdict

from put_cli.report.tables import Column, Table, printable
from put_cli.stats.comparison import Compared


def comparison_table(found: Sequence[Compared], names: Sequence[tuple[str, str]]) -> Table:
    """Everybody's share of games won in both runs; `names` in either, by place."""

    def name(place: int) -> str:
        first, second = names[place]
        return printable(first if first == second else f"{first} -> {second}")

    columns = [
        Column(heading="strategy", cells=tuple(name(c.place) for c in found), left=True),
        Column(heading="games", cells=tuple(f"{c.games:,}" for c in found)),
        Column(heading="first", unit="%", cells=tuple(f"{100 * c.first:.2f}" for c in found)),
        Column(heading="second", unit="%", cells=tuple(f"{100 * c.second:.2f}" for c in found)),
        Column(
            heading="difference",
            unit="95 %",
            cells=tuple(f"{100 * c.difference:+.2f} +/- {100 * c.margin:.2f}" for c in found),
        ),
        Column(
            heading="alone", unit="95 %", cells=tuple(f"+/- {100 * c.alone:.2f}" for c in found)
        ),
    ]
    told = [
        f"{name(c.place)} won {100 * abs(c.difference):.2f} % of the games "
        f"{'more' if c.difference > 0 else 'less'}"
        for c in found
        if abs(c.difference) > c.margin
    ]
    rows = [
        {"first_name": names[each.place][0], "second_name": names[each.place][1]}
        | {"difference": each.difference}
        | asdict(each)
        for each in found
    ]
    return Table(
        columns=columns,
        notes=(
            f"In the second run {'; '.join(told)}."
            if told
            else "What the two runs differ by is within their intervals: nobody is told apart.",
            "first, second: games won, %, on the same deals in both runs; difference: second less "
            "first, with its 95 % interval, deal for deal; alone: that interval, had the deals "
            "been different.",
        ),
        rows=rows,
    )
