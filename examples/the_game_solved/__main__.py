"""The page docs/the-game-solved.md, its pictures and its numbers.

    python examples/the_game_solved                      # from the numbers kept with the page
    python examples/the_game_solved --policies DIR       # from policy files, measured anew

DIR holds files of `put solve`, one a rule set, under any names; `--solve RULES` makes those that
are missing. Of rule sets that have none the numbers kept stay. The solution of cotton that comes
with the program is in the folder of the strategies.
"""

import argparse
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import measure
import page
import pictures

from put_cli.errors import PutError
from put_cli.rules.finding import find_ruleset
from put_cli.rules.ruleset import RuleSet
from put_cli.solve import policy_file

DOCS = Path(__file__).parents[2] / "docs"


def main() -> None:
    """Measure what is asked for, keep the numbers, draw and write."""
    parser = argparse.ArgumentParser(
        prog="examples/the_game_solved",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--policies", type=Path, help="a folder of policy files to measure")
    parser.add_argument(
        "--solve",
        action="append",
        default=[],
        metavar="RULES",
        help="solve this rule set first, into the folder, if no file there is of it",
    )
    parser.add_argument("--gap", default="0.01", help="for --solve: the gap to stop at (0.01)")
    parser.add_argument("--docs", type=Path, default=DOCS, help="where page and pictures go")
    given = parser.parse_args()
    if given.solve and not given.policies:
        parser.error("--solve needs --policies DIR, to keep the solutions in.")
    given.docs.mkdir(parents=True, exist_ok=True)
    kept = given.docs / f"{page.NAME}.json"
    numbers = json.loads(kept.read_text(encoding="utf-8")) if kept.exists() else {"rules": {}}
    if given.policies:
        for text in given.solve:
            solve(find_ruleset(text), given.policies, given.gap)
        for path in sorted(given.policies.glob("*.policy")):
            measure_into(numbers, path)
            kept.write_text(page.as_json(numbers), encoding="utf-8")
    for path in pictures.draw(numbers, given.docs / "pictures"):
        print(path)
    if "cotton" in numbers["rules"]:
        print(page.write(numbers, given.docs))
    else:
        print("No page: it tells of cotton above all, of which there are no numbers.")


def solve(rules: RuleSet, folder: Path, gap: str) -> None:
    """Solve a rule set into the folder, if no file there is of it."""
    folder.mkdir(parents=True, exist_ok=True)
    if any(policy_file.rules_of(path).name == rules.name for path in folder.glob("*.policy")):
        return
    out = folder / policy_file.file_name(rules)
    asked = ["solve", "--rules", rules.name, "--gap", gap, "-o", str(out)]
    subprocess.run([sys.executable, "-m", "put_cli", *asked], check=True, stdout=sys.stderr)


def measure_into(numbers: dict[str, Any], path: Path) -> None:
    """Put the numbers of one solution among the others."""
    print(f"Measuring {path}", file=sys.stderr, flush=True)
    found = measure.measured(path)
    found |= {"field": measure.field(policy_file.rules_of(path)), "against": measure.met(path)}
    numbers["rules"] = page.ordered(numbers["rules"] | {found["rules"]: measure.rounded(found)})
    if found["rules"] == "cotton":
        carried = measure.carried_over(path, find_ruleset("pigott"))
        numbers["carried"] = measure.rounded(carried)


if __name__ == "__main__":
    try:
        main()
    except PutError as error:
        sys.exit(f"Error: {error}")
