"""A solution on disk: one Parquet file, readable by anything, with its certificate inside.

One row a score, columns

    eldest, dealer, eldest_games, dealer_games   the score before the hand
    low, high      what the policy guarantees: eldest wins at least `low` with it, and at most
                   `high` against it
    iterations
    policy         bytes, see `stored.py`: the probability of every action at every information set

and, in the schema's metadata under `put.policy`, JSON: format, version, the rule set in full and
its fingerprint, of how many parts a probability is, how many numbers a policy has in `tree.py`,
whether every score is there, and whom it answers: nobody, when it is a solution, else strategies.
"""

import contextlib
import json
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.parquet as pq

from put_cli import __version__
from put_cli.errors import PutError
from put_cli.log.bounds import contradictory
from put_cli.rules.finding import from_mapping
from put_cli.rules.ruleset import PLACES, RuleSet
from put_cli.solve.carry import carried
from put_cli.solve.chain import Chain, Score, chain_of
from put_cli.solve.solver import Solved
from put_cli.solve.stored import LEVELS, Quantised, pack, unpack
from put_cli.solve.tree import grow

FORMAT = 2
_KEY = b"put.policy"
_SCHEMA = pa.schema(
    [
        ("eldest", pa.int16()),
        ("dealer", pa.int16()),
        ("eldest_games", pa.int16()),
        ("dealer_games", pa.int16()),
        ("low", pa.float64()),
        ("high", pa.float64()),
        ("iterations", pa.int32()),
        ("policy", pa.binary()),
    ]
)


_FACTS = {"rules": dict, "fingerprint": str, "numbers": int, "whole": bool}
"""What the metadata must tell, of which type."""

MAX_SCORES, MAX_UNPACKED = 1 << 20, 1 << 34
"""Rows of a policy file, and the bytes that they unpack to: no solution comes near."""

_QUICK, _SMALL = 3, 19
"""Levels of compression: of what is written again soon, and of a whole solution."""


class PolicyError(PutError):
    """A policy file that cannot be read, or is of other rules."""


def check_place(path: Path, *, answer: bool = False) -> None:
    """Refuse early what could not be written at the end, or what would write over something else.

    `answer`: a best answer is to be written there, else a solution.

    Raises:
        PolicyError: it is a folder, or in one that is not there or takes no files; or there is
            something of another kind.
    """
    if path.is_dir():
        raise PolicyError(f"cannot write {str(path)!r}: expected the name of a file, got a folder.")
    if path.exists():
        try:
            there = bool(answers_of(path))
        except PolicyError:
            raise PolicyError(
                f"cannot write {str(path)!r}: that is no policy file, and stays as it is. Name "
                "another."
            ) from None
        if there != answer:
            kind = "the best answer to a strategy" if there else "a solution"
            raise PolicyError(
                f"cannot write {str(path)!r}: that is {kind}, and stays as it is. Name another."
            )
    if not path.parent.is_dir():
        raise PolicyError(f"cannot write {str(path)!r}: there is no folder {str(path.parent)!r}.")
    if not os.access(path.parent, os.W_OK):
        raise PolicyError(f"cannot write {str(path)!r}: the folder takes no files from you.")


def write(
    path: Path, chain: Chain, solved: Mapping[int, Solved], answers: Sequence[str] = ()
) -> None:
    """Write what is solved, all or nothing: an older file stays until the new one is whole.

    `answers` are the strategies that it is the best answer to; none for a solution.
    """
    rules = chain.tree.rules
    facts = {
        "format": FORMAT,
        "version": __version__,
        "rules": rules.plain(),
        "fingerprint": rules.fingerprint(),
        "levels": LEVELS,
        "numbers": chain.tree.size,
        "whole": len(solved) == len(chain.scores),
        "answers": list(answers),
    }
    rows = [solved[number] for number in sorted(solved)]
    columns = [
        [each.score.eldest for each in rows],
        [each.score.dealer for each in rows],
        [each.score.eldest_legs for each in rows],
        [each.score.dealer_legs for each in rows],
        [each.low for each in rows],
        [each.high for each in rows],
        [each.iterations for each in rows],
        [pack(chain.tree, each.policy) for each in rows],
    ]
    schema = _SCHEMA.with_metadata({_KEY: json.dumps(facts).encode()})
    arrays = [pa.array(c, f.type) for c, f in zip(columns, schema, strict=True)]
    table = pa.Table.from_arrays(arrays, schema=schema)
    temporary = path.with_name(f".tmp-{os.getpid()}-{path.name}")
    try:
        try:
            pq.write_table(
                table,
                temporary,
                compression="zstd",
                compression_level=_SMALL if facts["whole"] else _QUICK,
                use_dictionary=False,
                row_group_size=1,
                write_statistics=False,
                write_page_checksum=True,
            )
            os.replace(temporary, path)
        finally:
            temporary.unlink(missing_ok=True)
    except OSError as error:
        why = os.strerror(error.errno) if error.errno else error
        raise PolicyError(f"cannot write {str(path)!r}: {why}.") from None


def facts_of(path: Path) -> dict[str, Any]:
    """The metadata of a policy file.

    Raises:
        PolicyError: it is none, or of a format this program does not know.
    """
    if not path.is_file():
        raise PolicyError(f"there is no file {str(path)!r}: expected one of 'put solve'.")
    with _opened(path) as file:
        metadata = file.metadata.metadata or {}
        if _KEY not in metadata:
            raise PolicyError(f"{path} is not a policy file of 'put solve'.")
        facts: dict[str, Any] = dict(json.loads(metadata[_KEY]))
        if facts["format"] != FORMAT:
            raise PolicyError(
                f"{path}: expected format {FORMAT}, got {facts['format']!r}. Solve it again."
            )
        for name, kind in _FACTS.items():
            if not isinstance(facts[name], kind):
                raise ValueError(f"{name} is {facts[name]!r}")
    return facts


@contextlib.contextmanager
def _opened(path: Path) -> Iterator[pq.ParquetFile]:
    """The file, if it says nothing of itself that no policy file has; errors are told as of it."""
    with _reading(path), pq.ParquetFile(path, page_checksum_verification=True) as file:
        found = file.metadata
        groups = range(found.num_row_groups)
        if contradictory(found) or found.num_rows > MAX_SCORES:
            raise ValueError("it has more rows than scores, or contradicts itself about them")
        if not 0 <= sum(found.row_group(n).total_byte_size for n in groups) <= MAX_UNPACKED:
            raise ValueError(f"it unpacks to more than {MAX_UNPACKED:,} bytes")
        yield file


@contextlib.contextmanager
def _reading(path: Path) -> Iterator[None]:
    """Tell whatever is wrong with a file, which may be a stranger's, as an error of that file."""
    try:
        yield
    except PutError:
        raise
    except (OSError, LookupError, NotImplementedError, TypeError, ValueError) as error:
        why = str(error).rstrip(".")
        raise PolicyError(f"cannot read {str(path)!r} as a policy file: {why}.") from None


def answers_of(path: Path) -> tuple[str, ...]:
    """The strategies that a policy file is the best answer to; none where it is a solution."""
    facts = facts_of(path)
    with _reading(path):
        return tuple(map(str, facts.get("answers", ())))


def check_solution(path: Path) -> None:
    """Refuse a policy file that answers somebody.

    Raises:
        PolicyError: it does, or cannot be read.
    """
    if answers := answers_of(path):
        raise PolicyError(
            f"{path}: expected a solution, got the best answer to {', '.join(answers)} that "
            "'put exploit' wrote."
        )


def file_name(rules: RuleSet) -> str:
    """What the policy file of a rule set is called: `cotton-target-7.policy`."""
    return re.sub("[^a-z0-9]+", "-", rules.name.lower()).strip("-") + ".policy"


def rules_of(path: Path) -> RuleSet:
    """The rule set a policy file is of."""
    facts = facts_of(path)
    with _reading(path):
        rules = from_mapping(facts["rules"], str(path))
    if rules.fingerprint() != facts["fingerprint"]:
        raise PolicyError(f"{path} contradicts itself about its rules. Solve it again.")
    return rules


def read(path: Path, chain: Chain) -> dict[int, Solved]:
    """What a policy file holds for the rule set of the chain.

    Raises:
        PolicyError: it is no policy file, or of another rule set.
    """
    found = {}
    for number, row in _rows(path, chain):
        policy = _unpacked(path, chain, row["policy"], number)
        score = chain.scores[number]
        found[number] = Solved(score, policy, row["low"], row["high"], row["iterations"])
    return found


def read_stored(path: Path, chain: Chain) -> dict[int, bytes]:
    """Of a policy file for the rule set of the chain, what `stored.py` packed, by score.

    Raises:
        PolicyError: it is no policy file, or of another rule set.
    """
    return {number: row["policy"] for number, row in _rows(path, chain)}


def _rows(path: Path, chain: Chain) -> Iterator[tuple[int, dict[str, Any]]]:
    """The rows of a policy file, with the numbers of their scores."""
    facts, tree = facts_of(path), chain.tree
    if facts["fingerprint"] != tree.rules.fingerprint() or facts["numbers"] != tree.size:
        raise PolicyError(
            f"{path}: expected a policy of {tree.rules.name}, got one of "
            f"{facts['rules'].get('name')!r} or of another layout."
        )
    with _opened(path) as file:
        rows = file.read(_SCHEMA.names).cast(_SCHEMA).to_pylist()
    for row in rows:
        number = _number(path, chain, row)
        chances = row["low"], row["high"]
        if row["policy"] is None or not all(
            each is not None and 0 <= each <= 1 for each in chances
        ):
            raise PolicyError(f"{path}: the row of score {chain.scores[number]} makes no sense.")
        yield number, row


def _number(path: Path, chain: Chain, row: Mapping[str, Any]) -> int:
    """The number of the score that a row is of."""
    score = Score(*(row[name] for name in _SCHEMA.names[:4]))
    if score not in chain.number:
        raise PolicyError(f"{path}: the row of score {score} does not belong to these rules.")
    return chain.number[score]


def _unpacked(path: Path, chain: Chain, stored: bytes, number: int) -> Quantised:
    try:
        return unpack(chain.tree, stored)
    except (TypeError, ValueError) as error:
        raise PolicyError(f"{path}: score {chain.scores[number]}: {error}.") from None


def read_values(path: Path, chain: Chain) -> tuple[npt.NDArray[np.float64], ...]:
    """(scores,), (scores,): `low` and `high` of every score, nan where it is not solved."""
    values = np.full((2, len(chain.scores)), np.nan)
    with _opened(path) as file:
        for row in file.read(_SCHEMA.names[:6]).to_pylist():
            values[:, _number(path, chain, row)] = row["low"], row["high"]
    return values[0], values[1]


def solves(path: Path, rules: RuleSet) -> bool:
    """Whether what a policy file holds solves these rules.

    It does when they differ in free throws alone: whoever throws in unasked loses what he would
    lose at most by playing on, if he throws to every put.
    """
    fingerprint = facts_of(path)["fingerprint"]
    return bool(fingerprint in (rules.fingerprint(), _without_free_throws(rules).fingerprint()))


def _without_free_throws(rules: RuleSet) -> RuleSet:
    words: dict[str, Any] = {
        place: " ".join(word for word in getattr(rules, place).split() if word != "throw") or "none"
        for place in PLACES
    }
    return replace(rules, **words)


def read_policy(path: Path, chain: Chain, number: int) -> Quantised:
    """The policy at one score, without reading those of the others, if the file `solves` this."""
    tree = chain.tree
    if facts_of(path)["fingerprint"] != tree.rules.fingerprint():
        source = chain_of(grow(rules_of(path)))
        there = read_policy(path, source, source.find(chain.scores[number]))
        return carried(there, source.tree, tree)
    columns = _SCHEMA.names[:4]
    with _opened(path) as file:
        for group in range(file.num_row_groups):
            [row] = file.read_row_group(group, columns=columns).to_pylist()
            if number == _number(path, chain, row):
                [stored] = file.read_row_group(group, columns=["policy"])["policy"]
                return _unpacked(path, chain, stored.as_py(), number)
    raise PolicyError(f"{path} has no policy for the score {chain.scores[number]}. Solve it again.")
