"""A solution on disk: one Parquet file, readable by anything, with its certificate inside.

One row a score, columns

    eldest, dealer, eldest_games, dealer_games   the score before the hand
    low, high      what the policy guarantees: eldest wins at least `low` with it, and at most
                   `high` against it
    iterations
    policy         uint8 numbers as bytes: the parts of the probability of every action at every
                   information set, in the order of `tree.py`; all 0 where the player of the
                   policy does not get himself, and there anything allowed is as good

and, in the schema's metadata under `put.policy`, JSON: format, version, the rule set in full and
its fingerprint, how many numbers a policy has, whether every score is there.
"""

import json
import os
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.parquet as pq

from put_cli import __version__
from put_cli.errors import PutError
from put_cli.rules.ruleset import RuleSet
from put_cli.solve.chain import Chain, Score
from put_cli.solve.solver import Quantised, Solved

FORMAT = 1
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


class PolicyError(PutError):
    """A policy file that cannot be read, or is of other rules."""


def write(path: Path, chain: Chain, solved: Mapping[int, Solved]) -> None:
    """Write what is solved, all or nothing: an older file stays until the new one is whole."""
    rules = chain.tree.rules
    facts = {
        "format": FORMAT,
        "version": __version__,
        "rules": rules.plain(),
        "fingerprint": rules.fingerprint(),
        "numbers": chain.tree.size,
        "whole": len(solved) == len(chain.scores),
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
        [each.policy.tobytes() for each in rows],
    ]
    schema = _SCHEMA.with_metadata({_KEY: json.dumps(facts).encode()})
    arrays = [pa.array(c, f.type) for c, f in zip(columns, schema, strict=True)]
    table = pa.Table.from_arrays(arrays, schema=schema)
    try:
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}-")
        os.close(handle)
        try:
            pq.write_table(
                table,
                name,
                compression="zstd",
                compression_level=12,
                use_dictionary=False,
                row_group_size=1,
                write_statistics=False,
            )
            os.replace(name, path)
        except BaseException:
            Path(name).unlink(missing_ok=True)
            raise
    except OSError as error:
        raise PolicyError(f"cannot write {str(path)!r}: {error}.") from None


def facts_of(path: Path) -> dict[str, Any]:
    """The metadata of a policy file.

    Raises:
        PolicyError: it is none, or of a format this program does not know.
    """
    try:
        metadata = pq.read_schema(path).metadata or {}
        facts: dict[str, Any] = json.loads(metadata[_KEY])
        version = facts["format"]
    except KeyError:
        raise PolicyError(f"{path} is not a policy file of 'put solve'.") from None
    except (OSError, ValueError) as error:
        raise PolicyError(f"cannot read {str(path)!r} as a policy file: {error}.") from None
    if version != FORMAT:
        raise PolicyError(f"{path}: expected format {FORMAT}, got {version!r}. Solve it again.")
    return facts


def rules_of(path: Path) -> RuleSet:
    """The rule set a policy file is of."""
    return RuleSet.from_mapping(facts_of(path)["rules"], str(path))


def read(path: Path, chain: Chain) -> dict[int, Solved]:
    """What a policy file holds for the rule set of the chain.

    Raises:
        PolicyError: it is no policy file, or of another rule set.
    """
    facts, tree = facts_of(path), chain.tree
    if facts["fingerprint"] != tree.rules.fingerprint() or facts["numbers"] != tree.size:
        raise PolicyError(
            f"{path}: expected a policy of {tree.rules.name}, got one of "
            f"{facts['rules'].get('name')!r} or of another layout."
        )
    try:
        rows = pq.read_table(path, schema=_SCHEMA).to_pylist()
    except (OSError, ValueError) as error:
        raise PolicyError(f"cannot read {str(path)!r}: {error}.") from None
    found = {}
    for row in rows:
        score = Score(row["eldest"], row["dealer"], row["eldest_games"], row["dealer_games"])
        policy = np.frombuffer(row["policy"], np.uint8)
        if score not in chain.number or len(policy) != tree.size:
            raise PolicyError(f"{path}: the row of score {score} does not belong to these rules.")
        number = chain.number[score]
        found[number] = Solved(score, policy, row["low"], row["high"], row["iterations"])
    return found


def read_values(path: Path, chain: Chain) -> tuple[npt.NDArray[np.float64], ...]:
    """(scores,), (scores,): `low` and `high` of every score, nan where it is not solved."""
    columns = _SCHEMA.names[:6]
    values = np.full((2, len(chain.scores)), np.nan)
    for row in pq.read_table(path, columns=columns).to_pylist():
        score = Score(*(row[name] for name in columns[:4]))
        values[:, chain.find(score)] = row["low"], row["high"]
    return values[0], values[1]


def read_policy(path: Path, chain: Chain, number: int) -> Quantised:
    """The policy at one score, without reading those of the others."""
    score, columns = chain.scores[number], _SCHEMA.names[:4]
    file = pq.ParquetFile(path)
    for group in range(file.num_row_groups):
        [row] = file.read_row_group(group, columns=columns).to_pylist()
        if score == Score(*(row[name] for name in columns)):
            [stored] = file.read_row_group(group, columns=["policy"])["policy"]
            policy = np.frombuffer(stored.as_py(), np.uint8)
            if len(policy) == chain.tree.size:
                return policy
    raise PolicyError(f"{path} has no whole policy for the score {score}. Solve it again.")
