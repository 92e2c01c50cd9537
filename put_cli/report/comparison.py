"""Two runs on the same deals, as a table."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass

from put_cli.report.tables import Column, Table, printable
from put_cli.stats.comparison import Difference


@dataclass(frozen=True, kw_only=True)
class Measure:
    """What of two runs is compared."""

    counted: str
    """The field of a difference that says how many are compared."""
    unit: str
    digits: int
    signed: bool
    per_unit: float
    """A figure is printed times this."""
    told: str
    """What follows the figure in a sentence."""
    explained: str
    """What `first` and `second` are."""


GAMES = Measure(
    counted="games",
    unit="%",
    digits=2,
    signed=False,
    per_unit=100,
    told="percentage points",
    explained="games won, %",
)


def comparison_table(
    found: Sequence[Difference], names: Sequence[tuple[str, str]], measure: Measure = GAMES
) -> Table:
    """What everybody won in both runs; `names` in either, by place."""

    def name(place: int) -> str:
        first, second = names[place]
        return printable(first if first == second else f"{first} -> {second}")

    def figure(value: float, sign: str = "") -> str:
        return f"{measure.per_unit * value:{sign}.{measure.digits}f}"

    sign = "+" if measure.signed else ""
    columns = [
        Column(heading="strategy", cells=tuple(name(c.place) for c in found), left=True),
        Column(
            heading=measure.counted,
            cells=tuple(f"{getattr(c, measure.counted):,}" for c in found),
        ),
        Column(
            heading="first", unit=measure.unit, cells=tuple(figure(c.first, sign) for c in found)
        ),
        Column(
            heading="second", unit=measure.unit, cells=tuple(figure(c.second, sign) for c in found)
        ),
        Column(
            heading="difference",
            unit="95 %",
            cells=tuple(f"{figure(c.difference, '+')} +/- {figure(c.margin)}" for c in found),
        ),
        Column(heading="alone", unit="95 %", cells=tuple(f"+/- {figure(c.alone)}" for c in found)),
    ]
    told = [
        f"{name(c.place)} won {figure(abs(c.difference))} {measure.told} "
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
            f"first, second: {measure.explained}, on the same deals in both runs; difference: "
            "second less first, with its 95 % interval, deal for deal; alone: that interval, had "
            "the deals been different.",
        ),
        rows=rows,
    )
