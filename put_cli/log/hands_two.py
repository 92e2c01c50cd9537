"""From the kernel's numbers to the hands of games between two sides."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from put_cli.engine import lanes as ln
from put_cli.engine import tables as tb
from put_cli.engine.decode import utterances, words_text
from put_cli.engine.matches import Played
from put_cli.log.arrays import FORFEIT, PLACES, Ints, Lookup, Matches, coded, table
from put_cli.rules.machine import CHOICES

_SEATS = pa.array(["eldest", "dealer"])
_TAKERS = pa.array(["eldest", "dealer", "tie"])
_ANSWERS = pa.array(["see", "throw"])
_CHOICES = pa.array([act.name.lower() for act in CHOICES])
_PLAYERS = pa.array(["0", "1", "2", "3"])


def hands(lookup: Lookup, played: Played, names: pa.Array) -> pa.Table:
    """The hands table."""
    rules = lookup.form.rules
    _, game, hand = played.keys
    column = dict(zip(ln.hand_columns(rules), played.hands, strict=True))
    # NumPy looks things up by its own index type, and would convert others each time.
    fixture, state = played.keys[0].astype(np.intp), column["state"].astype(np.intp)
    matches = Matches(played)
    eldest_side = column["eldest_chair"] & 1
    forfeit = column["forfeit"] > 0
    ending, winner = lookup.ending[state], lookup.winner[state]
    if forfeit.any():
        ending = np.where(forfeit, FORFEIT, ending)
        winner = np.where(forfeit, 1 - lookup.actor[state], winner)
    made: dict[str, Any] = {
        **matches.key(fixture),
        "game": game,
        "hand": hand,
        "leg": column["leg"].astype(np.int8),
        "eldest": coded(matches.sitting(fixture, eldest_side), names, np.int16),
        "dealer": coded(matches.sitting(fixture, 1 - eldest_side), names, np.int16),
        "eldest_score": column["eldest_score"],
        "dealer_score": column["dealer_score"],
        "eldest_cards": lookup.held(column["eldest_cards"]),
        "dealer_cards": lookup.held(column["dealer_cards"]),
        **{
            f"{act}{trick}": lookup.rank(column[f"{act}{trick}"])
            for trick in (1, 2, 3)
            for act in ("lead", "reply")
        },
        **{f"trick{n + 1}": coded(lookup.takers[n][state], _TAKERS) for n in range(3)},
        **_words(played.words),
        "puts": lookup.puts[state],
        "puts_seen": lookup.seen[state],
        "worth": coded(lookup.worth[state], lookup.worths),
        "ending": coded(ending, lookup.endings),
        "winner": coded(winner, _SEATS),
        "eldest_points": column["eldest_points"],
        "dealer_points": column["dealer_points"],
        "outright": lookup.outright[state] & ~forfeit,
        "game_over": column["game_over"] != 0,
        "rubber_over": column["rubber_over"] != 0,
    }
    if rules.partners:
        made |= _exchanges(lookup, column)
    if rules.misdeals:
        made |= lookup.laws(column, *((_PLAYERS, 0) if rules.partners else (_SEATS, 1)))
    return table(lookup.form, "hands", made)


def _exchanges(lookup: Lookup, column: Mapping[str, Ints]) -> dict[str, Any]:
    """What partners held, chose and passed on."""
    made: dict[str, Any] = {"dealer_chair": (column["eldest_chair"] - 1) & 3}
    made |= {f"cards{n}": lookup.held(column[f"dealt{n}"]) for n in range(4)}
    for side in ("eldest", "dealer"):
        player = column[f"{side}_player"].astype(np.int8)
        made |= {
            f"{side}_choice": coded(column[f"{side}_choice"] - 1, _CHOICES),
            f"{side}_gift": lookup.rank(column[f"{side}_given"]),
            f"{side}_laid_out": lookup.rank(column[f"{side}_laid_out"]),
            f"{side}_player": pa.array(player, pa.int8(), mask=player < 0),
        }
    return made


def _words(codes: npt.NDArray[np.int64]) -> dict[str, pa.Array]:
    """The columns about what was said; few different things are, so each is worked out once."""
    encoded = pa.array(codes).dictionary_encode()
    index = encoded.indices.to_numpy().astype(np.intp)
    texts, firsts = [], []
    for code in encoded.dictionary.to_pylist():
        texts.append(words_text(code))
        said = utterances(code)
        put = next((i for i, u in enumerate(said) if u.word == "put"), None)
        if put is None:
            firsts.append((-1, -1, -1))
            continue
        answer = said[put + 1].word if put + 1 < len(said) else ""
        firsts.append(
            (
                said[put].seat,
                tb.PLACES.index(said[put].place),
                {"see": 0, "throw": 1}.get(answer, -1),
            )
        )
    by, at, answer_code = np.array(firsts, np.int8).reshape(-1, 3).T
    return {
        "words": pa.DictionaryArray.from_arrays(
            encoded.indices, pa.array(texts, pa.string()), safe=False
        ),
        "put_by": coded(by[index], _SEATS),
        "put_at": coded(at[index], PLACES),
        "put_answer": coded(answer_code[index], _ANSWERS),
    }
