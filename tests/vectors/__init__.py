"""Known hands and refused lines, for every implementation of the rules; see README.txt."""

import re
from dataclasses import dataclass
from pathlib import Path

from put_cli.rules.notation import Hand, parse_hand
from put_cli.rules.score import Score

FOLDER = Path(__file__).parent
_SCORE, _SEAT = r"\d+(?:-\d+)+", "eldest|dealer|[A-F]"
_KNOWN = re.compile(
    rf"(?P<before>{_SCORE}) -> (?:(?P<after>{_SCORE})"
    rf"(?:, (?:(?P<reached>{_SEAT})|(?P<redealt>redealt)))?|(?P<outright>{_SEAT}))"
)
_REFUSED = re.compile(r"illegal at (\d+): (.+)")


@dataclass(frozen=True, kw_only=True)
class Vector:
    """A finished hand; scores and seats as the referee lists and names them.

    `score_after` is None when the game was won outright; `redealt` hands are dealt again.
    """

    place: str
    """File and line, for the name of a test."""
    rules: str
    hand: Hand
    score_before: Score
    score_after: Score | None
    game_winner: str | None
    redealt: bool


@dataclass(frozen=True, kw_only=True)
class Refusal:
    """A hand that breaks a rule at `step` (from 1), for a reason the message must state."""

    place: str
    rules: str
    hand: Hand
    step: int
    reason: str


def load(folder: Path = FOLDER) -> tuple[list[Vector], list[Refusal]]:
    """All vectors of a folder.

    Raises:
        ValueError: a line is not of the form, or there are no vectors of either kind.
    """
    vectors: list[Vector] = []
    refusals: list[Refusal] = []
    for path in sorted(folder.glob("*.txt")):
        if path.name != "README.txt":
            _load_file(path, vectors, refusals)
    if not vectors or not refusals:
        raise ValueError(f"no vectors found in {folder}")
    return vectors, refusals


def _load_file(path: Path, vectors: list[Vector], refusals: list[Refusal]) -> None:
    rules = ""
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        place = f"{path.stem}:{number}"
        if not line.strip() or line.startswith("#"):
            continue
        if line.startswith("rules "):
            rules = line.removeprefix("rules ").strip()
            continue
        hand, _, result = line.partition(" ; ")
        if known := _KNOWN.fullmatch(result.strip()):
            outright = known["outright"]
            vectors.append(
                Vector(
                    place=place,
                    rules=rules,
                    hand=parse_hand(hand),
                    score_before=_score(known["before"]),
                    score_after=None if outright else _score(known["after"]),
                    game_winner=known["reached"] or outright,
                    redealt=known["redealt"] is not None,
                )
            )
        elif refused := _REFUSED.fullmatch(result.strip()):
            refusals.append(
                Refusal(
                    place=place,
                    rules=rules,
                    hand=parse_hand(hand),
                    step=int(refused[1]),
                    reason=refused[2],
                )
            )
        else:
            raise ValueError(f"{place}: expected HAND ; RESULT as in README.txt, got {line!r}")


def _score(text: str) -> Score:
    return tuple(map(int, text.split("-")))
