"""Sessions that were played already, played again by the rules: every answer is read from a script.

The kernel deals, asks and settles as ever; the players are one compiled function that answers what
the script has at that place, and else nothing. So what comes out is what the rules make of those
answers and of the seed, and can be compared with what was written down.
"""

import numpy as np
import numpy.typing as npt
from numba import carray
from numba.core.compiler_lock import global_compiler_lock

from put_cli.engine import compiled
from put_cli.engine.intrinsics import address_as_lane, kernel_function
from put_cli.engine.native import Native, compile_wrapper, kept
from put_cli.engine.players import NATIVE, Contestant
from put_cli.speculation import state as at
from put_cli.speculation.play import Buffers, Ints, Played, play, version
from put_cli.speculation.rules import Speculation
from put_cli.speculation.strategy import METHODS, Speculator

ANSWER = ("moment", "method", "seat", "answer")
"""Columns of a script; `method` by its number among METHODS, `seat` is a chair."""

_DEALS, _EVENTS = 1 << 20, 1 << 16
"""More than deals of a session, and events of a deal."""

_WIDTH = len(ANSWER)
_NEVER = 1 << 62
_SOME = 1 << 60  # a length for an array whose end is looked up


@kernel_function
def moment(session, deal, event):  # type: ignore[no-untyped-def]
    """When an answer is given: by the number that its event has in the deal."""
    return (session * _DEALS + deal) * _EVENTS + event


@global_compiler_lock  # type: ignore[untyped-decorator]
def reader(store: compiled.Store) -> Native:
    """The scripted player, compiled: answers with the next row of the script, if it is his and to
    this question.
    """
    method, session, deal, width = at.METHOD, at.SESSION, at.DEAL, at.WIDTH
    row_of, first = at.EVENT_ROW, at.FIRST_EVENT

    def read_script(state_at, _chances_at, parameters, seat, _other):  # type: ignore[no-untyped-def]
        s = carray(address_as_lane(state_at), width)
        script = carray(address_as_lane(parameters), _SOME)
        now = moment(s[session], s[deal], s[row_of] - s[first])
        row = script[0]
        while script[row] < now:  # what the rules had no use for
            row += _WIDTH
        script[0] = row
        if script[row] != now or script[row + 1] != s[method] or script[row + 2] != seat:
            return 0
        script[0] = row + _WIDTH
        return script[row + 3]

    digest = f"{compiled.kernel_digest('speculation script')}-{version()}"
    code, result = kept(digest, store, lambda: compile_wrapper(read_script))
    return Native(code, lambda: np.zeros(1, np.int64), result)


def replay(
    rules: Speculation,
    matches: Ints,
    seed: int,
    script: Ints,
    reads: Native,
    buffers: Buffers,
    *,
    keep: bool,
) -> Played:
    """What the rules make of a script of the sessions of some matches.

    `reads` is the `reader`. `matches` as for `play.play`; `script` (N, 4) int64 has the columns
    ANSWER and increasing moments. Answers that the rules do not allow count as none.
    """
    cells = np.empty(1 + _WIDTH * (len(script) + 1), np.int64)
    cells[0] = 1
    cells[1 : 1 + script.size] = script.reshape(-1)
    cells[1 + script.size :] = _NEVER
    own = Native(reads.code, lambda: cells, reads.keep)
    everybody = Contestant("", Speculator(), NATIVE, dict.fromkeys(range(len(METHODS)), own))
    highest = int(matches[:, at.M_CHAIRS : at.M_CHAIRS + rules.players].max(initial=0))
    return play(rules, [everybody] * (highest + 1), matches, seed, keep=keep, buffers=buffers)


def silent() -> npt.NDArray[np.int64]:
    """A script in which nobody says anything."""
    return np.zeros((0, _WIDTH), np.int64)
