"""The words of the page: tables and figures from the numbers, put into `page.md`."""

import json
import re
from collections.abc import Iterable, Sequence
from math import comb
from pathlib import Path
from string import Template
from typing import Any

import numpy as np
import pictures

Numbers = dict[str, Any]

TEMPLATE = Path(__file__).with_name("page.md")
NAME = "the-game-solved"

ORDER = (
    "cotton",
    "cotton(pack=short32)",
    "cotton(pack=short28)",
    "willughby",
    "cotton-eldest",
    "plain",
    "pigott",
    "hoyle",
    "hoyle-eldest",
    "enquire",
    "parlett",
    "truc(rubber=1)",
)
"""The rule sets of the page; others come after these."""

SELDOM = 1e-3
"""Where fewer hands are put than this share, nothing more is told of the puts."""

STRENGTHS = 10
"""Rows of the table of hands."""

CERTAIN, MANY = 0.95, 200
"""Being ahead is looked for with this chance, and within so many games."""


def ordered(rules: dict[str, Numbers]) -> dict[str, Numbers]:
    """The rule sets in the order of the page."""
    names = [name for name in ORDER if name in rules]
    return {name: rules[name] for name in (*names, *(n for n in rules if n not in names))}


def as_json(numbers: Numbers) -> str:
    """The numbers as the file keeps them: a line for each score, place and list."""
    text = json.dumps(numbers, indent=1)
    innermost = re.compile(r"[\[{][^\[\]{}]*[\]}]")
    return innermost.sub(lambda found: " ".join(found[0].split()), text) + "\n"


def write(numbers: Numbers, folder: Path) -> Path:
    """The page, into a folder.

    Raises:
        KeyError: there are no numbers of a rule set it tells of.
    """
    path = folder / f"{NAME}.md"
    text = Template(TEMPLATE.read_text(encoding="utf-8")).substitute(fields(numbers))
    path.write_text(text, encoding="utf-8")
    return path


def fields(numbers: Numbers) -> dict[str, str]:
    """What stands in the page for each `$name` of the template."""
    sets = numbers["rules"]
    cotton = sets["cotton"]
    start, game = cotton["scores"][0], cotton["game"]
    deal = 100 * pictures.deal(cotton)
    opening = cotton["opening"]
    below = short_of_target(cotton)
    at = {(each["eldest"], each["dealer"]): each for each in cotton["scores"]}
    carried = numbers["carried"]["scores"][0]
    return {
        **{name: value for rules in sets.values() for name, value in facts(rules).items()},
        "low": f"{start['low']:.4f}",
        "high": f"{start['high']:.4f}",
        "four_all": bracket(at[4, 4]),
        "four_two": bracket(at[4, 2]),
        "deal_least": f"{-deal.max():.1f}",
        "deal_most": f"{-deal.min():.1f}",
        "deal_four_all": f"{-deal[4, 4]:.1f}",
        "values": value_table(cotton),
        "hands_table": strength_table(opening),
        "examples_table": example_table(opening),
        "places": place_table(cotton),
        "eldest_first": f"{100 * put_share(cotton, 'lead1'):.2f}",
        "dealer_first": f"{100 * put_share(cotton, 'reply1'):.0f}",
        "last_reply": f"{100 * put_share(cotton, 'reply3'):.0f}",
        "first_puts_low": f"{100 * min(each['puts'] for each in below):.0f}",
        "first_puts_high": f"{100 * max(each['puts'] for each in below):.0f}",
        "bluffs_low": f"{min(100 * each['bluffs'] / each['puts'] for each in below):.0f}",
        "bluffs_high": f"{max(100 * each['bluffs'] / each['puts'] for each in below):.0f}",
        "seen_low": f"{min(100 * each['seen'] / each['puts'] for each in below):.0f}",
        "seen_high": f"{max(100 * each['seen'] / each['puts'] for each in below):.0f}",
        "bluffs": f"{100 * game['bluffs'] / game['puts']:.0f}",
        "seen": f"{100 * game['seen'] / game['puts']:.0f}",
        "own_gain": thousandths(cotton["short"]["own_gain"]),
        "their_cost": thousandths(cotton["short"]["their_cost"]),
        "pigott_low": f"{carried['low']:.4f}",
        "pigott_high": f"{carried['high']:.4f}",
        "pigott_apart": thousandths(apart(cotton, numbers["carried"])),
        "rules_table": rules_table(list(sets.values())),
        "words_table": words_table(list(sets.values())),
        "skill_table": skill_table(list(sets.values())),
        "missing": missing(numbers),
        "games_needed": str(games_needed(cotton["against"]["highest"])),
    }


def facts(rules: Numbers) -> dict[str, str]:
    """What the page tells of every rule set, as `hoyle_edge`: per cent of games or hands."""
    start, game = rules["scores"][0], rules["game"]
    edge = 50 - 50 * (start["low"] + start["high"])
    values = {
        "edge": f"{edge:.1f}",
        "eldest_edge": f"{-edge:.1f}",
        "hands": f"{game['hands']:.1f}",
        "drawn": f"{100 * game['drawn']:.1f}",
        "puts": f"{100 * game['puts']:.0f}",
    }
    for place in {each["place"] for each in rules["start"]}:
        here = [each for each in rules["start"] if each["place"] == place]
        for what in ("puts", "throws"):
            values[f"{what}_{place}"] = f"{100 * sum(each[what] for each in here):.0f}"
    name = re.sub("[^a-z0-9]+", "_", rules["rules"]).strip("_")
    return {f"{name}_{key}": value for key, value in values.items()}


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table in Markdown; the first column is words, the others numbers."""
    lines = [head, ["---"] + ["---:"] * (len(head) - 1), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def value_table(rules: Numbers) -> str:
    """The middle of every bracket, by eldest's points and the dealer's."""
    points = range(rules["target"])
    middle = pictures.by_score(rules, "value")
    return table(
        ["eldest \\ dealer", *map(str, points)],
        ([f"**{e}**", *(f"{middle[e, d]:.4f}" for d in points)] for e in points),
    )


def strength_table(opening: Numbers) -> str:
    """What is done at 0-0 by how strong the hand is, strongest first."""
    strength, dealt = np.array(opening["strength"]), np.array(opening["dealt"])
    number = np.minimum((STRENGTHS * strength).astype(int), STRENGTHS - 1)
    keys = ("eldest_puts", "dealer_puts", "dealer_sees")
    rows = []
    for each in reversed(range(STRENGTHS)):
        here = number == each
        cells = []
        for key in keys:
            share = np.array(opening[key], float)
            known = here & ~np.isnan(share)
            cells.append(f"{100 * np.average(share[known], weights=dealt[known]):.1f}")
        low, high = 100 * each // STRENGTHS, 100 * (each + 1) // STRENGTHS
        rows.append([f"{low}-{high} %", f"{100 * dealt[here].sum():.1f}", *cells])
    return table(
        ["chance to win the hand", "dealt", "eldest puts", "dealer puts", "dealer sees"], rows
    )


EXAMPLES = (
    "3 3 3",
    "3 3 2",
    "3 2 A",
    "2 2 K",
    "3 K 5",
    "2 J 9",
    "K Q 9",
    "Q T 7",
    "T 9 8",
    "8 6 5",
    "5 4 4",
)


def example_table(opening: Numbers) -> str:
    """The same for a few hands."""
    rows = []
    for hand in EXAMPLES:
        n = opening["cards"].index(hand)
        shares = [opening[key][n] for key in ("dealer_puts", "dealer_sees")]
        rows.append(
            [f"`{hand}`", *(f"{100 * each:.0f}" for each in (opening["strength"][n], *shares))]
        )
    return table(["cards", "chance to win the hand", "dealer puts", "dealer sees"], rows)


PLACES = {
    "lead1": "before the first lead",
    "reply1": "before the first reply",
    "after1": "after the first trick",
    "lead2": "before the second lead",
    "reply2": "before the second reply",
    "lead3": "before the third lead",
    "reply3": "before the third reply",
}


def place_table(rules: Numbers) -> str:
    """Where in a hand at 0-0 puts are said."""
    rows = []
    for place, words in PLACES.items():
        here = [each for each in rules["start"] if each["place"] == place]
        may, puts, bluffs, seen = (
            sum(each[key] for each in here) for key in ("may", "puts", "bluffs", "seen")
        )
        if may:
            of_puts = [
                f"{100 * each / puts:.0f}" if puts > SELDOM else "" for each in (bluffs, seen)
            ]
            rows.append([words, f"{100 * may:.0f}", f"{100 * puts:.1f}", *of_puts])
    head = ["", "hands that get there unput", "are put there", "bluffs in 100 puts"]
    return table([*head, "seen in 100 puts"], rows)


def put_share(rules: Numbers, place: str) -> float:
    """How often a hand is put at a place, of the times it may be, at 0-0."""
    here = [each for each in rules["start"] if each["place"] == place]
    return float(sum(each["puts"] for each in here) / sum(each["may"] for each in here))


def short_of_target(rules: Numbers) -> list[Numbers]:
    """The scores at which nobody lacks just one point."""
    return [e for e in rules["scores"] if max(e["eldest"], e["dealer"]) < rules["target"] - 1]


def rules_table(sets: Sequence[Numbers]) -> str:
    """The rule sets as games."""
    rows = []
    for each in sets:
        game = each["game"]
        shares = [f"{100 * game[key]:.1f}" for key in ("drawn", "thrown", "outright")]
        name = f"`{each['rules']}`"
        rows.append([name, bracket(each["scores"][0]), f"{game['hands']:.1f}", *shares])
    head = ["", "eldest wins from 0-0", "hands a game", "drawn, % of hands"]
    return table([*head, "thrown, % of hands", "won outright, % of games"], rows)


def words_table(sets: Sequence[Numbers]) -> str:
    """What is said under each rule set, over a whole game."""
    rows = []
    for each in sets:
        game = each["game"]
        if game["puts"]:
            of_puts = [game[key] / game["puts"] for key in ("bluffs", "seen")]
            cells = (game["puts"], *of_puts, game["throws"])
            rows.append([f"`{each['rules']}`", *(f"{100 * cell:.0f}" for cell in cells)])
    head = ["", "puts in 100 hands", "bluffs in 100 puts", "seen in 100 puts"]
    return table([*head, "free throws in 100 hands"], rows)


def skill_table(sets: Sequence[Numbers]) -> str:
    """What the solution wins, and how far apart simple strategies come."""
    names = pictures.opponents(sets)
    rows = []
    for each in sets:
        won = [f"{100 * each['against'][n]:.1f}" if n in each["against"] else "" for n in names]
        better = np.mean([max(p, 1 - p) for p in each["field"].values()])
        rows.append([f"`{each['rules']}`", *won, f"{100 * better:.1f}"])
    return table(["", *(f"`{name}`" for name in names), "the better of two built-ins"], rows)


def missing(numbers: Numbers) -> str:
    """The rule sets of the page that there are no numbers of."""
    there = {*numbers["rules"], numbers["carried"]["rules"]}
    names = [f"`{name}`" for name in ORDER if name not in there]
    return f"Not among them yet: {', '.join(names)}." if names else "All of them are there."


def bracket(score: Numbers) -> str:
    """The bounds of a value, so that they hold as they are rounded."""
    return f"{np.floor(1e4 * score['low']) / 1e4:.4f}-{np.ceil(1e4 * score['high']) / 1e4:.4f}"


def apart(rules: Numbers, carried: Numbers) -> float:
    """How far the middles of two lots of brackets are apart, at most."""
    return max(
        abs(one["low"] + one["high"] - other["low"] - other["high"]) / 2
        for one, other in zip(rules["scores"], carried["scores"], strict=True)
    )


def thousandths(share: float) -> str:
    """A small share in per cent, rounded up."""
    return f"{np.ceil(1e5 * share) / 1e3:.3f}"


def games_needed(chance: float) -> int:
    """Games from which on who wins with this chance has won more than half with CERTAIN."""
    last = max(n for n in range(1, MANY) if _ahead(n, chance) < CERTAIN)
    return last + 1


def _ahead(games: int, chance: float) -> float:
    """The chance to have won more than half of them."""
    return sum(
        comb(games, won) * chance**won * (1 - chance) ** (games - won)
        for won in range(games // 2 + 1, games + 1)
    )
