"""The report of a run: one HTML page that needs no network, or its pictures alone."""

import shlex
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from put_cli.engine.lanes import HOW
from put_cli.errors import RunError
from put_cli.log.manifest import Manifest
from put_cli.report import html, plots
from put_cli.report.beyond import circles, luck
from put_cli.report.habits import per_cent
from put_cli.report.part import Part, Picture
from put_cli.report.playing import playing
from put_cli.report.results import MOST_ROWS, limited, results
from put_cli.report.review import Review
from put_cli.report.tables import Column, printable
from put_cli.stats.endings import OTHER
from put_cli.stats.tally import table_members

MOST_FAULTS = 30
"""So many different faults are listed, the most frequent."""

_HOW = {
    "points": "on points",
    "put": "by a seen put",
    "tricks": "by winning a hand",
    "conceded": "when thrown to",
    "forfeit": "by forfeit",
}


def parts(review: Review) -> list[Part]:
    """All parts of the report, in order."""
    return [
        *results(review),
        *circles(review),
        luck(review),
        *playing(review),
        *_endings(review),
        _faults(review),
        _run(review),
    ]


def page(review: Review) -> str:
    """The page."""
    standings, made = review.standings, review.made
    lead = html.paragraphs(
        [
            f"{made.rules.title or made.rules.name}: {len(made.names)} strategies, "
            f"{standings.games:,} games, {standings.hands:,} hands, {standings.drawn:,} of them "
            f"drawn. Seed {made.seed}.",
            str(made.data.get("program", "put")) + ", " + str(made.data.get("created", "")),
        ]
    )
    title = f"{made.rules.name}: {made.run.resolve().name}"
    with plots.style():
        sections = [part.section() for part in parts(review)]
    return html.page(title, lead, sections)


def write_pictures(review: Review, folder: Path) -> list[Path]:
    """Write every picture of a report; as `save_pictures`."""
    return save_pictures(lambda: parts(review), folder)


def save_pictures(parts_of: Callable[[], Iterable[Part]], folder: Path) -> list[Path]:
    """Write the pictures of parts, made in the style of the page, as PNG into `folder`.

    The folder is made; returns their paths.

    Raises:
        RunError: the file system refused.
    """
    written = []
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with plots.style():
            for picture in (picture for part in parts_of() for picture in part.pictures):
                path = folder / f"{picture.name}.png"
                picture.figure.savefig(path, dpi=150, facecolor="white")
                written.append(path)
    except OSError as error:
        raise RunError(f"cannot write to {str(folder)!r}: {error.strerror or error}.") from None
    return written


def _endings(review: Review) -> Iterator[Part]:
    title = "How games were won"
    endings = review.endings
    if endings is None:
        words = ["The run logged no games (--log none), so how they were won is not known."]
        yield Part(name="endings", title=title, words=words)
        return
    names, order = review.names[:MOST_ROWS], review.order[:MOST_ROWS]
    ways = [k for k in range(len(HOW)) if endings.won[:, k].any()]
    won = endings.won[order][:, ways]
    share = won / won.sum(axis=1, keepdims=True).clip(1)
    labels = [_HOW[HOW[k]] for k in ways]
    columns = [
        Column(heading="strategy", cells=tuple(names), left=True),
        Column(heading="won", cells=tuple(f"{n:,}" for n in won.sum(axis=1).tolist())),
        *(
            Column(heading=label, unit="%", cells=tuple(map(per_cent, share[:, k])))
            for k, label in enumerate(labels)
        ),
    ]
    yield Part(
        name="endings",
        title=title,
        words=[
            f"A game took {endings.hands / max(1, endings.games):.1f} hands on average.",
            *limited(MOST_ROWS, review.names),
        ],
        pictures=[
            Picture(
                name="endings",
                figure=plots.shares(names, [("games won", share)], labels),
                alternative="How the games of each strategy were won. The numbers are below.",
                caption="Of the games that each strategy won.",
            )
        ],
        hidden=html.table(columns),
    )


def _faults(review: Review) -> Part:
    lines = review.standings.strategies
    count = sum(line.faults for line in lines)
    unplayed = sum(line.forfeits for line in lines)
    if not count and not unplayed:
        return Part(name="faults", title="Faults", words=["Nobody committed a fault."])
    words = [
        f"Faults, each of which lost a game: {count:,}; games lost unplayed besides: {unplayed:,}.",
        *(
            f"{line.name}: {line.faults:,} faults, {line.forfeits:,} games lost unplayed."
            for line in lines
            if line.faults or line.forfeits
        ),
    ]
    if review.endings is None:
        words.append("The run logged no games (--log none), so the reasons are not known.")
        return Part(name="faults", title="Faults", words=words)
    found = review.endings.faults.most_common(MOST_FAULTS)
    columns = [
        Column(heading="strategy", cells=tuple(fault[0] for fault, _ in found), left=True),
        Column(heading="faults", cells=tuple(f"{n:,}" for _, n in found)),
        Column(heading="kind", cells=tuple(fault[1] for fault, _ in found), left=True),
        Column(heading="reason", cells=tuple(fault[2] for fault, _ in found), left=True),
        Column(
            heading="the first",
            cells=tuple(
                "" if fault[2] == OTHER else _game(review, review.endings.first[fault])
                for fault, _ in found
            ),
            left=True,
        ),
    ]
    return Part(
        name="faults",
        title="Faults",
        words=[*words, f"'put replay {review.run} --game ...' tells a game of the last column."],
        table=html.table(columns, long=("reason",)),
    )


def _game(review: Review, key: tuple[int, ...]) -> str:
    """The key of a game as `put replay` takes it."""
    pairing, *rest = key
    members = table_members(pairing, review.made.rules.players)
    who = " v ".join(review.made.names[member] for member in members)
    return f"{who}/{'/'.join(map(str, rest))}"


def _run(review: Review) -> Part:
    made = review.made
    data, rules = made.data, made.rules
    command = " ".join(shlex.quote(str(word)) for word in data.get("command", ()))
    knobs = ", ".join(
        f"{key} {value}"
        for key, value in rules.plain().items()
        if key not in ("name", "title", "source", "readings")
    )
    described = made.strategies
    columns = [
        Column(heading="strategy", cells=tuple(each["name"] for each in described), left=True),
        Column(heading="as given", cells=_said(described, "spec"), left=True),
        Column(heading="parameters", cells=tuple(map(_parameters, described)), left=True),
        Column(heading="from", cells=_said(described, "package"), left=True),
        Column(heading="version", cells=_said(described, "version"), left=True),
        Column(heading="source hash", cells=_said(described, "source"), left=True),
    ]
    facts = [
        ("Command", command or "not known"),
        ("Seed", str(made.seed)),
        ("Rule set", f"{rules.name} ({rules.title}), fingerprint {rules.fingerprint()}"),
        ("Source of the rules", rules.source or "not given"),
        ("Knobs", knobs),
        ("Games", f"{_games(made)}; {made.match_games:,} a match"),
        ("Mirrored deals", "yes" if made.mirror else "no"),
        ("Log", f"{made.log}; plan {', '.join(each['fingerprint'] for each in made.rounds)}"),
        ("Program", str(data.get("program", "not known"))),
        ("Generator of chance", str(data.get("generator", "not known"))),
        ("Log format", ", ".join(f"{key} {value}" for key, value in data["format"].items())),
        ("Begun", str(data.get("created", "not known"))),
        ("Run directory", review.run),
    ]
    return Part(
        name="run",
        title="What was played",
        table=html.facts(facts, code=("Command", "Seed"))
        + html.table(columns, long=("parameters",)),
    )


def _games(made: Manifest) -> str:
    """What was planned, and what was added to it later."""
    said = []
    for each in made.rounds:
        chosen = each.get("chosen")
        where = "a pairing or table" if chosen is None else f"at {len(chosen):,} of them"
        new = f" of the strategies from number {n}" if (n := each["newcomers_from"]) else ""
        said.append(f"{each['games']:,} {where}{new}")
    return ", then ".join(said)


def _said(described: list[dict[str, object]], key: str) -> tuple[str, ...]:
    return tuple(str(each.get(key) or "-") for each in described)


def _parameters(strategy: dict[str, object]) -> str:
    found = strategy.get("parameters")
    if not isinstance(found, dict):
        return "-"
    return printable(", ".join(f"{key}={value!r}" for key, value in found.items())) or "-"
