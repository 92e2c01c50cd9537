"""A policy file, as small as they get: that of who does anything allowed with equal chances."""

import tempfile
from functools import cache
from pathlib import Path

from put_cli.rules.finding import find_ruleset
from put_cli.solve import policy_file
from put_cli.solve.chain import chain_of
from put_cli.solve.hand import Board
from put_cli.solve.solver import Solved
from put_cli.solve.stored import rounded
from put_cli.solve.tree import grow

SOLVED = "plain(target=1, pack=short28)"


@cache
def solution() -> bytes:
    """The content of the file."""
    chain = chain_of(grow(find_ruleset(SOLVED)))
    parts = rounded(chain.tree, Board(chain.tree).uniform)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "a.policy")
        policy_file.write(path, chain, {0: Solved(chain.scores[0], parts, 0.25, 0.75, 1)})
        return path.read_bytes()
