"""What the parsers are meant for: whatever is tried begins with these."""

import io
import json
from functools import cache

import pyarrow as pa
import pyarrow.parquet as pq

from put_cli.log import manifest
from put_cli.log.schema import Format
from put_cli.log.writer import encoded
from put_cli.rules.finding import find_ruleset
from put_cli.tournament import rounds
from put_cli.tournament.rounds import Round
from put_cli.tournament.schedule import Plan, Shards
from tests.untrusted.damaged import EDIT
from tests.untrusted.solved import solution

_HAND = (
    "0\n0\n0\n0\n0\n0\nodds\nbold\n0\n0\n3 K 7\n9 8 4\n3\n9\n\n\n\n\neldest\n\n\n"
    "reply1:D:put reply1:E:see\n1\n1\ndealer\nreply1\nsee\ngame\nthrown\neldest"
)


def _policy_row() -> bytes:
    table = pq.read_table(io.BytesIO(solution()))
    [row] = table.to_pylist()
    stored = row.pop("policy")
    facts = json.loads(table.schema.metadata[b"put.policy"])
    return json.dumps([facts, row]).encode() + b"\n" + bytes(stored)


@cache
def seeds() -> dict[str, list[bytes]]:
    """By parser."""
    rules = find_ruleset("cotton")
    names = ["odds", "bold"]
    first = Round.of(Shards.of(Plan(strategies=2, games=2), rules), rules, 1, names)
    whole = manifest.make(
        program="put 0",
        generator="philox",
        command=["put"],
        folder="",
        created="",
        seed=1,
        rules=rules,
        strategies=[{"name": name, "memory": False} for name in names],
        first_round=rounds.facts(first, "none", {}),
        settings={},
    )
    form = Format(rules)
    tables = {
        name: pa.Table.from_pylist(
            [{c.name: 1 for c in form.tables[name]}] if name == "tallies" else [],
            form.schema(name),
        )
        for name in ("tallies", "games")
    }
    footer = {**form.facts(), "shard": 0, "plan": "00"}
    forfeit = {
        **dict.fromkeys(("pairing", "block", "mirror", "chair", "game", "hand", "decision"), 0),
        "kind": "slow",
        "reason": "took too long",
    }
    return {
        "notation": [
            b"E 7 2 3 | D 9 K A | E7 D9 D:put E:see DK E2 E3 DA",
            b"0 K 8 4 | 1 A 9 5 | 2 2 7 6 | 3 Q J 3 | 1:receive 0:receive 1-5 0-4 13 02 1A 0K",
            b"A 3 2 9 | B T K 4 | C 8 7 6 | C:shows:A3 A:stand A3 B:put C:throw A:see BT",
            b"E 7 2 3 | D 9 K A 4 | D:gives:D E:draw:9 E7",
        ],
        "rules_text": [b"cotton(target=7, pack=short32)", b"truc(raise=plus2, misdeals=0.5)"],
        "rules_file": [b'base = "hoyle"\ntarget = 7\nseen_draw = "anew"\nstakes = [1, "game"]\n'],
        "rules_mapping": [json.dumps(rules.plain()).encode()],
        "tournament_file": [b'rules = "cotton"\ngames = 100\nstrategies = ["odds", "bold"]\n'],
        "specification": [b"bold(bluff=0.2)+odds(x='a+b', y=[1, true])", b"./a.py:B(c=None)"],
        "run_manifest": [json.dumps(whole, default=str).encode()],
        "forfeits_file": [json.dumps({"forfeits": [forfeit]}).encode()],
        "part": [
            encoded(table, {**footer, "table": name}).to_pybytes() for name, table in tables.items()
        ],
        "latest": [b"20260101-120000-cotton\n"],
        "game_key": [b"odds v bold/0/1/17", b"12/0/1/17"],
        "logged_rows": [_HAND.encode()],
        "tally_figures": [b"", EDIT.pack(0, 3, 0, 7) + EDIT.pack(0, 4, 1, 1 << 40)],
        "logged_figures": [b"", EDIT.pack(0, 8, 3, 2) + EDIT.pack(1, 12, 1, -5)],
        "policy": [solution()],
        "policy_row": [_policy_row()],
        "program": [
            b'{"type":"hello","protocol":1,"version":"7","summary":"It.","plays":["cotton"]}\n'
            b'{"type":"ready"}\n{"type":"actions","actions":[1,102],"faults":{"1":"no idea"}}',
            b'{"type":"hello","protocol":1,"learns":true}\n{"type":"ready"}\n{"type":"ready"}\n'
            b'{"type":"actions","actions":[1,3.5],"faults":{"0":{"kind":"slow","reason":"x"}}}',
        ],
    }
