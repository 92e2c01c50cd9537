"""A duel in words, for a terminal."""

from textwrap import fill

from put_cli.report.tables import printable
from put_cli.stats.duel import Duel
from put_cli.stats.head_to_head import Elo


def duel_text(duel: Duel, width: int = 80) -> str:
    """What two strategies showed against each other, from the side of the first."""
    return "".join(
        fill(printable(line), width, subsequent_indent="  ", break_on_hyphens=False) + "\n"
        for line in _lines(duel)
    )


def elo_words(elo: Elo, other: str) -> str:
    """A difference with its interval in words: `12.0 Elo above fox (95 %: 4.1 to 19.9 above)`."""
    if elo.value is None:
        bound, which = (elo.low, "won") if elo.high is None else (elo.high, "lost")
        return f"it {which} every game, so it is at least {_apart(bound or 0)} {other} (95 %)"
    low, high = elo.low, elo.high
    if low is not None and high is not None and low * high > 0:
        nearer, farther = sorted((abs(low), abs(high)))
        interval = f"{nearer:.1f} to {farther:.1f} {_side(elo.value)}"
    else:
        interval = f"{_end(low)} to {_end(high)}"
    return f"{_apart(elo.value)} {other} (95 %: {interval})"


def _apart(points: float) -> str:
    return f"{abs(points):.1f} Elo {_side(points)}"


def _side(points: float) -> str:
    return "below" if points < 0 else "above"


def _end(points: float | None) -> str:
    return "no bound" if points is None else f"{abs(points):.1f} {_side(points)}"


def _lines(duel: Duel) -> list[str]:
    line = duel.line
    share, low, high = (100 * (each or 0) for each in (line.score_a, line.low, line.high))
    a, b = line.a, line.b
    lines = [
        f"{a} against {b}, from the side of {a}:",
        f"Won {line.counts['wins_a']:,} of {line.games:,} games ({share:.2f} %; 95 %: {low:.2f} "
        f"to {high:.2f}).",
        f"Strength: {elo_words(duel.elo, b)}.",
    ]
    if duel.normalized is not None:
        lines.append(
            f"Normalized Elo: {duel.normalized.value:.1f} +/- {duel.normalized.margin:.1f}."
        )
    lines.append(f"Likelihood that {a} is the better: {100 * duel.superiority:.2f} %.")
    if len(duel.cells) == 3:
        pairs = sum(duel.cells)
        none, one, both = (f"{100 * cell / pairs:.1f} %" for cell in duel.cells)
        lines.append(
            f"Of {pairs:,} mirrored pairs of games it won both in {both}, one in {one} and none "
            f"in {none}."
        )
    if duel.mirroring is not None:
        lines.append(
            f"Mirroring was worth {duel.mirroring:.2f} times the games: so many more, each with "
            "cards of its own, would have told as much."
        )
    return lines
