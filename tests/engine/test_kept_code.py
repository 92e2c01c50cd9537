"""Code compiled in different processes and loaded into one must stay apart."""

import os
import subprocess
import sys

from put_cli.plugins.code_store import default_folder

COMPILE = """
from put_cli.engine.players import enlist
from put_cli.plugins.code_store import DiskStore
from put_cli.plugins.discovery import load
import sys
for text in sys.argv[1:]:
    assert enlist(text, load(text).strategy, DiskStore()).tier == "native"
"""

COMPARE = """
import numpy as np
from put_cli.engine.compiled import NoStore
from put_cli.engine.matches import Buffers, Fixture
from put_cli.engine.play import play, prepare_kernel
from put_cli.engine.players import enlist
from put_cli.engine.tables import compile_rules
from put_cli.plugins.code_store import DiskStore
from put_cli.plugins.discovery import load
from put_cli.rules.finding import find_ruleset
import os, sys
from pathlib import Path
prepare_kernel(DiskStore(Path(os.environ["KERNELS"])))
tables = compile_rules(find_ruleset("cotton"))
outcomes = []
for tier in ("native", "interpreted"):
    players = [enlist(text, load(text).strategy, DiskStore(), tier) for text in sys.argv[1:]]
    fixtures = [Fixture(0, block, 0, 20, (0, 1)) for block in range(5)]
    outcomes.append(play(tables, players, fixtures, 1, buffers=Buffers()))
assert np.array_equal(outcomes[0].hands, outcomes[1].hands)
print(outcomes[0].hands.shape[1])
"""


def run(code, cache, *arguments):
    # The kernel is not what is tested here, and comes out of the cache of all tests.
    environment = os.environ | {"PUT_CACHE_DIR": str(cache), "KERNELS": str(default_folder())}
    return subprocess.run(
        [sys.executable, "-c", code, *arguments],
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    ).stdout


def test_two_strategies_compiled_in_two_processes_keep_to_their_own_code(tmp_path):
    # Large enough that the compiler does not inline what the two would share by name.
    players = ("put_strategies.odds:Odds", "put_strategies.reading:Sharper")
    for player in players:
        run(COMPILE, tmp_path, player)
    assert int(run(COMPARE, tmp_path, *players)) > 100
