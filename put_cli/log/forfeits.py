"""`forfeits.json`: the forfeits of a run that a clock or a dead process brought about.

They are inputs of the run as its seed is: a shard that has any is played again with them, and is
the same whenever and wherever that is done.
"""

import json
from collections.abc import Iterable
from dataclasses import asdict
from pathlib import Path
from typing import Any

from put_cli.engine.forfeits import Forfeit
from put_cli.engine.lanes import FAULT_KINDS, SLOW
from put_cli.errors import RunError
from put_cli.log.bounds import read_text
from put_cli.log.manifest import write_text

NAME = "forfeits.json"

_NUMBERS = ("pairing", "block", "mirror", "chair", "game", "hand", "decision")


def read(run: Path) -> tuple[Forfeit, ...]:
    """The forfeits known of a run; none where the file is missing.

    Raises:
        RunError: the file is not one of ours.
    """
    path = run / NAME
    try:
        data = json.loads(read_text(path))
        return tuple(_forfeit(each) for each in data["forfeits"])
    except FileNotFoundError:
        return ()
    except (OSError, ValueError, KeyError, TypeError, RecursionError) as error:
        raise RunError(f"cannot read {str(path)!r}: {type(error).__name__}: {error}.") from None


def _forfeit(data: Any) -> Forfeit:
    kind = FAULT_KINDS.index(data["kind"])
    if kind < SLOW or not isinstance(data["reason"], str):
        raise ValueError(f"expected a forfeit by time or death, got {data!r}")
    return Forfeit(**{name: int(data[name]) for name in _NUMBERS}, kind=kind, reason=data["reason"])


def add(run: Path, forfeits: Iterable[Forfeit]) -> None:
    """Write down more of them. One process of a run does this.

    Raises:
        RunError: the file system refused.
    """
    known = {(*each.match, each.game, each.hand, each.decision): each for each in read(run)}
    for each in forfeits:
        known.setdefault((*each.match, each.game, each.hand, each.decision), each)
    rows = [asdict(known[key]) | {"kind": FAULT_KINDS[known[key].kind]} for key in sorted(known)]
    lines = ",\n  ".join(json.dumps(row, ensure_ascii=False) for row in rows)
    write_text(run / NAME, f'{{"forfeits": [\n  {lines}\n]}}\n')
