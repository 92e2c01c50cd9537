"""put check: the contract of a strategy, tested."""

import json

import click

from put_cli.cli.printing import say


@click.command(
    epilog="""\b
Examples:
  put check ./my_bot.py
  put check "./my_bot.py:MyBot(bluff=0.3)" --rules hoyle
  put check "exec(node examples/external/bot.js)"
  put check odds --json"""
)
@click.argument("strategy")
@click.option(
    "--rules",
    "rules_texts",
    multiple=True,
    metavar="RULES",
    help="Test in this rule set (may be repeated); those it says it plays unless given.",
)
@click.option(
    "--samples",
    type=click.IntRange(1, 1000),
    default=4,
    show_default=True,
    help="Views drawn for each state of each rule set.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def command(strategy: str, rules_texts: tuple[str, ...], samples: int, as_json: bool) -> int:
    """Test STRATEGY against everything the program relies on.

    It is asked in every state of every rule set it plays, alone, in batches and in games; whatever
    is wrong is named with the situation and the call that repeats it. The rest of the report is
    for its author: whether it is compiled, and if not, which line is in the way; how fast it is;
    how often it puts and sees.

    The exit code is 0 when it keeps the contract and 1 when it does not. STRATEGY is an installed
    name, a file (./my_bot.py or ./my_bot.py:MyBot) or module:Class, with parameters where wanted,
    or a program: exec(./bot --level 3).
    """
    from put_cli.cli.progress import line_of_progress
    from put_cli.plugins import conformance
    from put_cli.plugins.contract import check
    from put_cli.plugins.discovery import load
    from put_cli.rules.finding import find_ruleset

    loaded = load(strategy)
    sets = [find_ruleset(text) for text in rules_texts]
    with line_of_progress(quiet=as_json) as now:
        now(f"Testing {loaded.name}; the first time on a machine what is compiled takes minutes")
        if loaded.outside:
            report = conformance.check(loaded, rules=sets, samples=samples)
        else:
            report = check(loaded.strategy, name=loaded.name, rules=sets, samples=samples)
    if as_json:
        click.echo(json.dumps(report.plain(), ensure_ascii=False, indent=2))
    else:
        say(f"{loaded.name}: {loaded.summary or 'it has no docstring'}\n\n{report.text()}")
    return 0 if report.ok else 1
