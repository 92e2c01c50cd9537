"""How fast a log is verified: a shard of every family, against playing and writing it."""

import tempfile
from dataclasses import replace
from pathlib import Path

from figures import Figure, Rounds, Work

from put_cli.rules.finding import find_ruleset
from put_cli.tournament.run import play, prepare
from put_cli.tournament.settings import Settings
from put_cli.verify.run import SAMPLE, checker_of

GAMES = {
    "cotton": 60_000,
    "truc": 10_000,
    "cotton(misdeals=0.02)": 60_000,
    "four-handed": 60_000,
    "three-handed": 60_000,
    "cotton(players=5)": 50_000,
}
"""Games in all, which make one shard or nearly so."""

AIM = ">= 1000000"


def speed_of_verify(rounds: int) -> list[Figure]:
    """Hands verified in a second, everything included but starting the program."""
    with tempfile.TemporaryDirectory() as folder:
        works: dict[str, Work] = {}
        for number, (rules, games) in enumerate(GAMES.items()):
            run = Path(folder, str(number))
            playing, verifying = _works(run, rules, games)
            works[f"{rules} played"] = playing
            works[rules] = verifying
        result = Rounds("verify", rounds, **works)
    found = []
    for rules in GAMES:
        rate = result.rate(rules, f"{rules}: verified", "hands/s")
        found.append(replace(rate, aim=AIM) if rules == "cotton" else rate)
        played = f"{rules} played"
        found.append(result.ratio(rules, played, f"{rules}: verifying : playing and writing"))
    return found


def _works(run: Path, rules: str, games: int) -> tuple[Work, Work]:
    found = find_ruleset(rules)
    field = ("threshold", "thrifty", "odds", "bold", "sly")[: max(2, found.players)]
    games -= games % (2 * found.players)
    settings = Settings(strategies=field, rules=found, games=games, seed=1, out=run)
    prepared = prepare(settings)
    play(prepared, lambda _result: None)
    checker = checker_of(run, SAMPLE)

    def playing() -> float:
        return prepared.workshop.play(0).hands

    def verifying() -> float:
        findings = checker.check(0)
        if findings.count:
            raise AssertionError(findings.faults[0])
        return findings.checked["hands replayed"]

    return playing, verifying
