"""The manifest of a run: what was played, with what, from which seed; written before any game."""

import json
import textwrap
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from pathlib import Path
from typing import Any

from put_cli.errors import RuleError, RunError, one_line
from put_cli.log.bounds import read_text
from put_cli.log.schema import LOGS, VERSION, Format
from put_cli.log.store import write_whole
from put_cli.rules.finding import from_mapping
from put_cli.rules.ruleset import RuleSet
from put_cli.speculation.rules import NAME as SPECULATION
from put_cli.speculation.rules import Rules, Speculation
from put_cli.speculation.rules import from_mapping as speculation_from
from put_cli.speculation.schema import SpeculationFormat
from put_cli.strategy import Strategy

NAME = "manifest.json"

# What the program reads of a manifest; the rest is for people.
_KEYS = {"seed": int, "rules": dict, "strategies": list, "rounds": list}
_STRATEGY_KEYS = {"name": str, "memory": bool}
_ROUND_KEYS = {
    "strategies": int,
    "games": int,
    "match_games": int,
    "mirror": bool,
    "first_block": int,
    "newcomers_from": int,
    "units_per_shard": int,
    "shards": int,
    "log": str,
    "fingerprint": str,
}
_SHARED = ("match_games", "mirror", "log")
"""What all rounds of a run have in common."""

_WORDS = {
    int: "a whole number",
    bool: "true or false",
    str: "a text",
    list: "a list",
    dict: "an object",
}


@dataclass(frozen=True)
class Manifest:
    """A manifest as read back. `data` is the JSON object, its keys and their types checked."""

    path: Path
    data: Mapping[str, Any]

    @property
    def run(self) -> Path:
        """The run directory."""
        return self.path.parent

    @property
    def game(self) -> str:
        """The kind of game that was played: `put`, or `speculation`."""
        family = self.data["format"].get("family")  # `read` looks at the whole of it
        return SPECULATION if family == SPECULATION else Strategy.game

    def of_put(self) -> "Manifest":
        """Itself; refuses a run of any other kind of game."""
        if self.game != Strategy.game:
            raise RunError(
                f"{str(self.run)!r} is a run of {self.game}, and this is for runs of Put. "
                "Runs of any game are read by 'put standings', 'put compare', 'put plan', "
                "'put report', 'put replay' and 'put verify'."
            )
        return self

    @property
    def rules(self) -> RuleSet:
        """The rule set of Put in full, as it was when the run began."""
        self.of_put()
        try:
            return from_mapping(self.data["rules"], f"{self.path}: rules")
        except RuleError as error:
            raise RunError(str(error)) from None

    @property
    def any_rules(self) -> Rules:
        """The same, of a game of any kind."""
        if self.game == SPECULATION:
            try:
                return speculation_from(self.data["rules"], f"{self.path}: rules")
            except RuleError as error:
                raise RunError(str(error)) from None
        return self.rules

    @property
    def form(self) -> Format:
        """The tables of the run's log."""
        return form_of(self.any_rules)

    @property
    def seed(self) -> int:
        """The seed of all deals and luck."""
        return int(self.data["seed"])

    @property
    def strategies(self) -> list[dict[str, Any]]:
        """The strategies in the order of the pairings: name, memory, and where they came from."""
        return list(self.data["strategies"])

    @property
    def names(self) -> list[str]:
        """Names of the strategies in the order of the pairings."""
        return [each["name"] for each in self.strategies]

    @property
    def rounds(self) -> list[dict[str, Any]]:
        """What was planned, and what was added later: see `tournament.rounds`."""
        return list(self.data["rounds"])

    @property
    def log(self) -> str:
        """How much is logged: one of LOGS."""
        return str(self.data["rounds"][0]["log"])

    @property
    def match_games(self) -> int:
        """Games of a match."""
        return int(self.data["rounds"][0]["match_games"])

    @property
    def mirror(self) -> bool:
        """Whether every deal is played once for each chair."""
        return bool(self.data["rounds"][0]["mirror"])

    @cached_property
    def _ends(self) -> list[int]:
        return list(accumulate(each["shards"] for each in self.data["rounds"]))

    def fingerprint(self, shard: int) -> str | None:
        """What the footers of a shard's parts must name; None where the run has no such shard."""
        found = bisect_right(self._ends, shard)
        if shard < 0 or found == len(self._ends):
            return None
        return str(self.data["rounds"][found]["fingerprint"])


def form_of(rules: Rules) -> Format:
    """The tables of the log of games by these rules."""
    return SpeculationFormat(rules) if isinstance(rules, Speculation) else Format(rules)


def make(
    *,
    program: str,
    generator: str,
    command: list[str],
    folder: str,
    created: str,
    seed: int,
    rules: Rules,
    strategies: list[dict[str, Any]],
    first_round: dict[str, Any],
    settings: dict[str, Any],
) -> dict[str, Any]:
    """The JSON object of a new run.

    Later only strategies and rounds are added, at the end of their lists; all else stays.
    `settings` are those that decide no game, as far as they are to hold when the run is resumed;
    `folder` is where the command was given, from which files are named.
    """
    return {
        "format": form_of(rules).facts(),
        "program": program,
        "generator": generator,
        "command": command,
        "folder": folder,
        "created": created,
        "seed": seed,
        "rules": rules.plain(),
        "rules_fingerprint": rules.fingerprint(),
        "strategies": strategies,
        "settings": settings,
        "rounds": [first_round],
    }


def write_text(path: Path, text: str) -> None:
    """Write a small text file so that a reader sees the old one or the new one, never a part.

    Raises:
        RunError: the file system refused.
    """
    # Half a character, as in the name of a strange file, is written as JSON would.
    data = text.encode("utf-8", errors="backslashreplace")
    try:
        write_whole(path, data)
    except OSError as error:
        raise RunError(f"cannot write {str(path)!r}: {error.strerror or error}.") from None


def write(run: Path, data: Mapping[str, Any]) -> None:
    """Write the manifest of a run."""
    write_text(run / NAME, json.dumps(data, indent=2, ensure_ascii=False) + "\n")


def append(
    made: Manifest,
    *,
    rounds: Sequence[Mapping[str, Any]],
    strategies: Sequence[Mapping[str, Any]] = (),
) -> None:
    """Add rounds, and the strategies that join with them, to the manifest of a run."""
    data = dict(made.data)
    data["strategies"] = [*made.data["strategies"], *strategies]
    data["rounds"] = [*made.data["rounds"], *rounds]
    write(made.run, data)


def read(run: Path) -> Manifest:
    """The manifest of a run directory.

    Raises:
        RunError: there is none, or it is not one of ours.
    """
    path = run / NAME
    try:
        data = json.loads(read_text(path))
    except FileNotFoundError:
        raise RunError(
            f"{str(run)!r} is not a run: it has no {NAME}. 'put tournament' makes one."
        ) from None
    except (OSError, ValueError, RecursionError) as error:
        raise RunError(f"cannot read {str(path)!r}: {one_line(error)}.") from None
    found = data.get("format") if isinstance(data, dict) else None
    if not isinstance(found, dict) or found.get("version") != VERSION:
        raise RunError(f"{path}: expected a log in version {VERSION}, got {found!r}.")
    _check(data, _KEYS, str(path))
    for table, keys in (("strategies", _STRATEGY_KEYS), ("rounds", _ROUND_KEYS)):
        for number, each in enumerate(data[table]):
            _check(each, keys, f"{path}: {table}[{number}]")
    if not data["rounds"]:
        raise RunError(f"{path}: rounds: expected at least one, got [].")
    for key in _SHARED:
        values = {each[key] for each in data["rounds"]}
        if len(values) > 1:
            raise RunError(
                f"{path}: rounds: {key}: expected one value, got {_shown(sorted(values))}."
            )
    if data["rounds"][0]["log"] not in LOGS:
        raise RunError(f"{path}: rounds: log: expected one of {', '.join(LOGS)}.")
    made = Manifest(path, data)
    expected = made.form.facts()
    if found != expected:
        raise RunError(f"{path}: its rules make a log of the format {expected}, got {found!r}.")
    return made


def _check(found: object, keys: Mapping[str, type], where: str) -> None:
    """Refuse what is not a JSON object with these keys, of these types."""
    if not isinstance(found, dict):
        raise RunError(f"{where}: expected an object, got {_shown(found)}.")
    missing = keys.keys() - found.keys()
    if missing:
        raise RunError(f"{where}: {', '.join(sorted(missing))} missing.")
    for key, kind in keys.items():
        value = found[key]
        # True is a whole number for Python alone.
        if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
            raise RunError(f"{where}: {key}: expected {_WORDS[kind]}, got {_shown(value)}.")


def _shown(value: object) -> str:
    return textwrap.shorten(json.dumps(value), 60, placeholder=" ...")
