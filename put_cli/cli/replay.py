"""put replay: a logged game or hand in words."""

import json
import re
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import click

from put_cli.cli.options import resolve_run, run_argument
from put_cli.errors import UsageError
from put_cli.report.tables import printable
from put_cli.speculation.rules import NAME as SPECULATION

_VERSUS = " v "
_NUMBER = re.compile(r"[0-9]{1,18}", re.ASCII)


@click.command(
    epilog="""\b
Examples:
  put replay
  put replay runs/latest --game "odds v bold/0/1/17"
  put replay runs/latest --game 12/0/1/17 --hand 3"""
)
@run_argument()
@click.option(
    "--game",
    "key",
    default="0/0/0/0",
    show_default=True,
    metavar="PAIRING/BLOCK/MIRROR/GAME",
    help="Which game: the key columns of the log; the pairing may be named, as 'A v B'.",
)
@click.option("--hand", type=click.IntRange(0), help="Only this hand of the game.")
@click.option("--json", "as_json", is_flag=True, help="Print the rows of the log as one object.")
def command(run: Path, key: str, hand: int | None, as_json: bool) -> None:
    """Tell a game of RUN (runs/latest unless given) in words, as the referee sees it."""
    from put_cli.log import manifest
    from put_cli.report.transcript import tell, tell_hand
    from put_cli.tournament.finding import find_game

    made = manifest.read(resolve_run(run))
    if made.game == SPECULATION:
        from put_cli.cli import speculation

        speculation.replay(made, partial(_parse, key), hand, as_json=as_json)
        return
    game, hands = find_game(made, *_parse(key, made.names, made.rules.players))
    if hand is not None:
        hands = [row for row in hands if row["hand"] == hand]
        if not hands:
            raise UsageError(f"--hand: hands of that game: {game['hands']}, from 0; got {hand}.")
    if as_json:
        click.echo(json.dumps({"game": game, "hands": hands}, ensure_ascii=False))
        return
    if hand is None:
        click.echo(tell(made.rules, game, hands))
    else:
        click.echo("\n".join(tell_hand(made.rules, hands[0])))
    if not hands:
        click.echo("(the run kept no hands: --log was not hands)", err=True)


def _parse(key: str, names: list[str], sides: int) -> tuple[int, int, int, int]:
    """The four numbers of a key; 'A v B' becomes the number of the pairing."""
    from put_cli.stats.tally import table_number

    pairing, *rest = key.rsplit("/", 3)
    if _VERSUS in pairing:
        pairing = str(table_number(_who(pairing, names, sides)))
    numbers = [pairing, *rest]
    if len(numbers) != 4 or not all(map(_NUMBER.fullmatch, numbers)):
        shown = key if len(key) <= 200 else f"{key[:200]}..."
        raise UsageError(f"--game: expected PAIRING/BLOCK/MIRROR/GAME, got {shown!r}.")
    a, b, c, d = map(int, numbers)
    return a, b, c, d


def _who(pairing: str, names: list[str], sides: int) -> list[int]:
    """The strategies i < j < ... of a pairing or table named as 'A v B'.

    The names may hold ' v ' themselves.
    """
    splits = _splits(pairing.split(_VERSUS), names, sides)
    found = {tuple(sorted(who)) for who in splits if len(set(who)) == sides}
    if len(found) != 1:
        one = "pairing" if sides == 2 else f"table of {sides}"
        why = f"could be more than one {one}" if found else f"is no {one} of this run"
        raise UsageError(
            f"--game: {printable(pairing)!r} {why}; there were "
            f"{', '.join(map(printable, names))}. A number is understood too."
        )
    return list(found.pop())


def _splits(words: list[str], names: list[str], sides: int) -> Iterator[list[int]]:
    """Every way to read `words` as so many names."""
    for end in range(1, len(words) + 1) if sides > 1 else [len(words)]:
        name = _VERSUS.join(words[:end])
        if name in names and sides > 1:
            for others in _splits(words[end:], names, sides - 1):
                yield [names.index(name), *others]
        elif name in names:
            yield [names.index(name)]
