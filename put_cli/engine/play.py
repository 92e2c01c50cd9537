"""Playing a set of matches: lanes set up, the kernel called, everybody else answered in between.

The result does not depend on the tiers of the players: the same Views in the same order of each
match give the same games, and rows come back in the order of the fixtures.
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from put_cli.engine import compiled, kernel
from put_cli.engine import lanes as ln
from put_cli.engine.desk import Desk
from put_cli.engine.forfeits import Forfeit
from put_cli.engine.learners import Witness
from put_cli.engine.ledger import Ledger
from put_cli.engine.luck import subkey
from put_cli.engine.matches import Buffers, Fixture, Played
from put_cli.engine.players import Contestant
from put_cli.engine.remote import Lost
from put_cli.engine.seating import Seating, seat
from put_cli.engine.tables import Tables
from put_cli.engine.view import ASK_WIDTH
from put_cli.engine.watch import Watch

__all__ = ["Witness", "play", "prepare_kernel"]

_CHANCE = ("cut", "deal", "misdeal")


def prepare_kernel(store: compiled.Store) -> None:
    """Give the kernels their disk cache; the first call of each then compiles or loads it."""
    for name, advance in kernel.all_kernels().items():
        advance._cache = compiled.Cache(store, compiled.kernel_digest(name))


def play(
    tables: Tables,
    contestants: Sequence[Contestant],
    fixtures: Sequence[Fixture],
    seed: int,
    *,
    keep_hands: bool = True,
    buffers: Buffers | None = None,
    forfeits: Sequence[Forfeit] = (),
    strikes: Sequence[Forfeit] = (),
    watch: Watch | None = None,
    witness: Witness | None = None,
) -> Played:
    """Play all fixtures to the end.

    `forfeits` are known from playing the same matches before, and `strikes` are those of them that
    count towards STRIKES, as new ones do. `watch` has a clock over the calls of players.
    """
    buffers = buffers or Buffers()
    buffers.fit(len(ln.hand_columns(tables.rules)))
    found: list[Forfeit] = []
    while True:
        seating = seat(tables, contestants, fixtures, seed)
        ledger = Ledger(seating, (*forfeits, *found), (*strikes, *found))
        desk = Desk(seating, ledger, buffers, watch or Watch(), witness)
        try:
            desk.begin()
            played = _run(seating, desk, ledger, seed, keep_hands, buffers)
        except Lost:
            # What the players of a dead process had learned is gone with it: all over again,
            # with what was found until then.
            found += ledger.found
            continue
        return replace(played, forfeits=(*found, *ledger.found))


def _run(
    seating: Seating, desk: Desk, ledger: Ledger, seed: int, keep_hands: bool, buffers: Buffers
) -> Played:
    """Let the kernel and the desk take turns until all lanes are finished."""
    tables, lanes = seating.tables, seating.lanes
    advance = kernel.kernel_of(tables.rules)
    count = len(lanes)
    games = np.zeros((len(ln.GAME_COLUMNS), seating.games()), np.int32)
    tallies = np.zeros((count, len(ln.TALLY_COLUMNS)), np.int64)
    asks, lucks = np.zeros((ASK_WIDTH, count), np.int64), np.zeros(count)
    subkeys = np.array([subkey(seed, purpose) for purpose in _CHANCE])
    scratch = np.zeros(kernel.SCRATCH, np.int64)
    # A learning player hears of every hand, and the hand is told from its row.
    keep = keep_hands or bool(desk.learners)
    first = rows = 0
    while True:
        status, rows, waiting, first = advance(
            first,
            lanes,
            tables.states,
            tables.knobs,
            subkeys,
            buffers.keys,
            buffers.hands,
            buffers.words,
            rows,
            keep,
            games,
            tallies,
            asks,
            lucks,
            scratch,
        )
        if status == kernel.DONE:
            break
        if status == kernel.FULL:
            buffers.grow()
        if waiting:
            desk.answer(asks[:, :waiting], lucks[:waiting])
    ledger.explain_unplayed(games[ln.GAME_COLUMNS.index("hands")])
    rows = rows if keep_hands else 0
    keys, hands, words = buffers.keys[:, :rows], buffers.hands[:, :rows], buffers.words[:rows]
    if (np.diff(keys[0]) < 0).any():  # lanes took turns: back into the order of the fixtures
        order = np.argsort(keys[0], kind="stable")
        keys, hands, words = keys[:, order], hands[:, order], words[order]
    return Played(
        seating.fixtures,
        keys,
        hands,
        words,
        games,
        tallies,
        ledger.reasons,
        ledger.differences,
        ledger.tracebacks,
    )
