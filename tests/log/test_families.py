"""The log of every family of games, held against the referee hand by hand."""

from collections import Counter, defaultdict
from collections.abc import Iterator
from itertools import takewhile
from pathlib import Path
from textwrap import dedent
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from put_cli.log import manifest, reader
from put_cli.log.schema import Format
from put_cli.plugins.spec import team
from put_cli.report.logged import logged
from put_cli.report.transcript import tell
from put_cli.rules.finding import find_ruleset
from put_cli.rules.notation import parse_hand
from put_cli.rules.referee import referee
from put_cli.stats.tally import PLACES, table_members
from put_cli.tournament.finding import find_game
from tests.tournament.runs import play_shards, small_shards, write_strategies

RULES = {
    "cotton(misdeals=0.3)": ("random", "thrifty", "faulty"),
    "truc(misdeals=0.2, rubber=3)": ("random", "bold"),
    "four-handed": ("random+bold", "bold+random", "odds", "faulty+thrifty"),
    "hoyle(partners=true, misdeals=0.3)": ("random", "bold+random", "faulty"),
    "three-handed": ("random", "bold", "odds", "faulty"),
    "cotton(players=4, misdeals=0.3)": ("random", "bold", "odds", "thrifty", "faulty"),
    "willughby(players=5)": ("random", "bold", "odds", "thrifty", "faulty"),
}

KEY = ("pairing", "block", "mirror", "game")
HAND = (*KEY, "hand")

Rows = list[dict[str, Any]]


class Log:
    """A run's log as lists of rows."""

    def __init__(self, run: Path) -> None:
        self.made = manifest.read(run)
        self.rules = self.made.rules
        self.tables = {name: self._rows(name) for name in self.made.form.tables}
        self.hands, self.games = self.tables["hands"], self.tables["games"]
        self.many = self.rules.players > 2
        self.seats = "ABCDEF"[: self.rules.players] if self.many else ("eldest", "dealer")
        if self.many:
            plays = defaultdict(list)
            for row in self.tables["plays"]:
                plays[tuple(row[name] for name in HAND)].append(row)
            for row in self.hands:
                row["plays"] = plays.pop(tuple(row[name] for name in HAND), [])
            assert not plays

    def _rows(self, table: str) -> Rows:
        paths = sorted((self.made.run / table).glob("part-*.parquet"))
        return [row for path in paths for row in pq.ParquetFile(path).read().to_pylist()]

    def of_seats(self, row: dict[str, Any], name: str) -> list[Any]:
        """A column that each seat has its own of."""
        if self.many:
            return [row[f"{name}_{seat}"] for seat in self.seats]
        return [row[f"{seat}_{name}" if name != "strategy" else seat] for seat in self.seats]


@pytest.fixture(scope="module", params=RULES)
def log(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Log]:
    base = tmp_path_factory.mktemp("families")
    own = write_strategies(base)
    field = [text.replace("faulty", own["faulty"]) for text in RULES[request.param]]
    sides = find_ruleset(request.param).players
    with pytest.MonkeyPatch.context() as monkeypatch:
        small_shards(monkeypatch, 100)
        games = 24 * sides  # of a match three, so that no third fault forfeits a rest
        yield Log(
            play_shards(base / "run", *field, rules=request.param, games=games, match_games=3)
        )


def test_every_part_has_the_schema_of_its_table_and_footers_name_the_format(log: Log) -> None:
    form = log.made.form
    assert log.made.data["format"] == form.facts()
    for table in form.tables:
        paths = sorted((log.made.run / table).glob("part-*.parquet"))
        assert len(paths) > 1
        for path in paths:
            part = pq.ParquetFile(path).read()
            assert part.schema.remove_metadata() == form.schema(table)
            part.validate(full=True)
            for field in part.schema:
                assert field.nullable or part[field.name].null_count == 0, field.name
                assert not pa.types.is_unsigned_integer(field.type)
            assert reader.footer_of(path).items() >= {**form.facts(), "table": table}.items()


def test_the_referee_finds_every_logged_hand_legal_and_of_the_same_result(log: Log) -> None:
    endings = Counter(row["ending"] for row in log.hands)
    assert endings["forfeit"] or "faulty" not in str(log.made.names)
    for row in log.hands:
        told = logged(log.rules, row)
        assert parse_hand(told.hand.text()) == told.hand
        if row["ending"] == "forfeit":
            continue
        verdict = referee(log.rules, told.hand, told.score)
        assert verdict.winner == row["winner"]
        assert verdict.ending == row["ending"]
        assert verdict.outright == row["outright"]
        points = list(verdict.law_points)
        if verdict.winner is not None:
            points[log.seats.index(verdict.winner)] += verdict.points
        assert log.of_seats(row, "points") == points
        if log.rules.misdeals:
            misdeal = verdict.misdeal and verdict.misdeal.replace("_", "-")
            assert (row["misdeal"], row["ruling"]) == (misdeal, verdict.ruling)
        if verdict.exchange:
            for column, values in (
                ("choice", verdict.exchange.choices),
                ("gift", verdict.exchange.gifts),
                ("laid_out", verdict.exchange.laid_out),
                ("player", verdict.exchange.players),
            ):
                assert (row[f"eldest_{column}"], row[f"dealer_{column}"]) == values
    if log.rules.misdeals:
        assert {row["misdeal"] for row in log.hands} == {
            None,
            "exposed-theirs",
            "exposed-own",
            "faced",
            "four-theirs",
            "four-own",
        }
        rulings = {row["ruling"] for row in log.hands}
        assert {None, "redeal", "draw"} <= rulings <= {None, "stand", "redeal", "draw"}
        assert endings["redealt"]


def test_scores_add_up_and_the_deal_passes_on_unless_the_same_dealer_deals_again(
    log: Log,
) -> None:
    games = {tuple(row[name] for name in KEY): row for row in log.games}
    hands = defaultdict(list)
    for row in log.hands:
        hands[tuple(row[name] for name in KEY)].append(row)
    assert games.keys() == hands.keys()
    for key, game in games.items():
        scores = Counter[str]()
        assert game["hands"] == len(hands[key])
        dealer = None
        for number, row in enumerate(hands[key]):
            names = log.of_seats(row, "strategy")
            assert row["hand"] == number
            if number == 0:
                assert names[-1] == game["first_dealer"]
                if log.rules.partners:
                    assert row["dealer_chair"] == game["first_dealer_chair"]
            else:
                assert dealer == names[-1]
            dealer = names[-1] if row["ending"] == "redealt" else names[0]
            assert log.of_seats(row, "score") == [scores[name] for name in names]
            for name, points in zip(names, log.of_seats(row, "points"), strict=True):
                scores[name] += points
            assert log.rules.rubber > 1 or row["game_over"] == (number + 1 == len(hands[key]))
            if row["game_over"]:
                final, winner = dict(scores), names[log.seats.index(row["winner"])]
                scores.clear()
        assert game["winner"] == winner
        seat = "side" if log.rules.partners else "chair"
        for n in range(log.rules.players):
            assert game[f"score{n}"] == final.get(game[f"{seat}{n}"], 0)


def test_who_sits_where_goes_round_with_the_mirror_and_cards_stay_with_the_chairs(
    log: Log,
) -> None:
    seat = "side" if log.rules.partners else "chair"
    sides = log.rules.players
    seated: dict[Any, dict[int, list[str]]] = defaultdict(dict)
    cuts = defaultdict(set)
    for row in log.games:
        order = [row[f"{seat}{n}"] for n in range(sides)]
        seated[row["pairing"], row["block"]][row["mirror"]] = order
        cuts[row["block"], row["game"]].add(tuple(row[f"cut{n}"] for n in range(log.rules.chairs)))
    for (pairing, _), mirrors in seated.items():
        table = {log.made.names[place] for place in table_members(pairing, sides)}
        assert sorted(mirrors) == list(range(sides))
        for mirror, order in mirrors.items():
            assert set(order) == table
            assert order == mirrors[0][mirror:] + mirrors[0][:mirror]
    assert all(len(each) == 1 for each in cuts.values())


def test_a_fault_is_its_players_and_the_other_side_or_the_one_ahead_gains_by_it(log: Log) -> None:
    faults = [row for row in log.games if row["how"] == "forfeit"]
    assert bool(faults) == ("faulty" in str(log.made.names))
    for row in faults:
        assert "faulty" in row["fault_by"]
        assert row["winner"] != row["fault_by"]
        assert (row["fault_kind"], row["fault_reason"][:18]) == ("raised", "raised IndexError:")
        if log.rules.partners:
            side, member = row["fault_chair"] % 2, row["fault_chair"] // 2
            assert row[f"side{side}"] == row["fault_by"]
            members = team(row["fault_by"])
            assert members[member if len(members) == 2 else 0] == "faulty"
        elif log.many:
            chairs = range(log.rules.players)
            scores = {row[f"chair{n}"]: row[f"score{n}"] for n in chairs}
            scores.pop(row["fault_by"])
            assert scores[row["winner"]] == max(scores.values())
    assert all(row["fault_by"] is None for row in log.games if row["how"] != "forfeit")


def test_tallies_are_the_sums_of_hands_and_games(log: Log) -> None:
    places = PLACES[: log.rules.players]
    by_match = defaultdict(Counter[str])
    place_of: dict[tuple[int, str], str] = {}
    for row in log.tables["tallies"]:
        for place, member in zip(places, table_members(row["pairing"], len(places)), strict=True):
            place_of[row["pairing"], log.made.names[member]] = place
    for row in log.games:
        count = by_match[tuple(row[name] for name in KEY[:3])]
        winner, first, fault = (
            place_of.get((row["pairing"], row[name]), "")
            for name in ("winner", "first_dealer", "fault_by")
        )
        count["games"] += 1
        count[f"wins_{winner}"] += 1
        count[f"dealt_{first}"] += 1
        count[f"dealt_wins_{first}"] += winner == first
        count[f"faults_{fault}"] += bool(fault)
    for row in log.hands:
        count = by_match[tuple(row[name] for name in KEY[:3])]
        count["hands"] += 1
        count["drawn"] += row["ending"] == "drawn"
        names = log.of_seats(row, "strategy")
        who = dict(zip(log.seats, (place_of[row["pairing"], n] for n in names), strict=True))
        for seat, points in zip(log.seats, log.of_seats(row, "points"), strict=True):
            count[f"points_{who[seat]}"] += points
        if row["outright"]:
            count[f"points_{who[row['winner']]}"] += log.rules.target
        if row["game_over"] and log.rules.rubber > 1:
            count[f"legs_{who[row['winner']]}"] += 1
        letters = dict(zip(log.seats if log.many else "ED", log.seats, strict=True))
        putter, answers = "", [""]
        for _, letter, word in (said.split(":") for said in row["words"].split()):
            if word == "put":
                putter, answers = who[letters[letter]], []
                count[f"puts_{putter}"] += 1
                continue
            if not putter:
                continue
            answers.append(word)
            if len(answers) == log.rules.players - 1:
                seen = "see" in answers
                count[f"seen_{putter}" if seen else f"declined_{putter}"] += 1
                lost = row["winner"] is not None and row["ending"] != "forfeit"
                count[f"lost_{putter}"] += seen and lost and who[row["winner"]] != putter
                putter = ""
    assert len(by_match) == len(log.tables["tallies"])
    for row in log.tables["tallies"]:
        count = by_match[tuple(row[name] for name in KEY[:3])]
        for name, value in row.items():
            if name not in KEY and not name.startswith("pairs_") and name != "dealt_b":
                assert value == count[name], name


def test_plays_stand_in_the_order_of_play_and_agree_with_the_tricks(log: Log) -> None:
    if not log.many:
        return
    pack = log.rules.cards
    for row in log.hands:
        tricks = defaultdict(list)
        held = {seat: row[f"cards_{seat}"].split() for seat in log.seats}
        assert row["plays"] == sorted(row["plays"], key=lambda each: (each["trick"], each["turn"]))
        for play in row["plays"]:
            tricks[play["trick"]].append(play)
            assert play["turn"] == len(tricks[play["trick"]])
            assert play["strategy"] == row[f"strategy_{play['seat']}"]
            if not (row.get("ruling") == "draw" and play["card"] not in held[play["seat"]]):
                held[play["seat"]].remove(play["card"])
        for trick, plays in tricks.items():
            taker = row[f"trick{trick}"]
            best = max(pack.card(play["card"]) for play in plays)
            takers = [play["seat"] for play in plays if pack.card(play["card"]) == best]
            if taker is not None and taker != "tie":
                assert takers == [taker]
        for trick in (1, 2, 3):
            assert row[f"trick{trick}"] is None or trick in tricks


def test_any_game_can_be_found_and_told(log: Log) -> None:
    for row in log.games[:: max(1, len(log.games) // 5)]:
        game, hands = find_game(log.made, *(row[name] for name in KEY))
        assert game == row
        assert len(hands) == row["hands"]
        told = tell(log.rules, game, hands)
        assert "the log" not in told  # that it breaks the rules, or says otherwise
        assert row["winner"] in told.splitlines()[-1]


def test_the_data_dictionary_lists_every_column(log: Log) -> None:
    text = (log.made.run / "README.md").read_text()
    for table, columns in log.made.form.tables.items():
        section = text.split(f"## {table}/")[1].split("\n## ")[0]
        for column in columns:
            assert f"| {column.name} |" in section
            assert column.meaning in section
        assert section.count("\n|") == len(columns) + 2


def test_two_handed_columns_are_the_same_with_and_without_the_laws() -> None:
    plain = Format(find_ruleset("cotton")).schema("hands")
    laws = Format(find_ruleset("cotton(misdeals=0.1)")).schema("hands")
    assert list(laws)[: len(plain)] == list(plain)
    assert laws.names[len(plain) :] == ["misdeal", "misdeal_to", "misdeal_card", "ruling"]
    assert Format(find_ruleset("cotton")).facts() == {"family": "two-handed", "version": 1}


def snippet(log: Log, language: str) -> str:
    """The code below the name of a language in the README of the run."""
    text = (log.made.run / "README.md").read_text(encoding="utf-8")
    _, found, rest = text.partition(f"\n{language}:\n\n")
    assert found
    lines = takewhile(lambda line: line.startswith("    "), rest.splitlines())
    return dedent("\n".join(lines))


@pytest.mark.parametrize("language", ["DuckDB", "pandas", "polars"])
def test_the_ways_to_open_it_that_the_run_tells_of_work(
    log: Log, language: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    module = pytest.importorskip(language.lower())
    monkeypatch.chdir(log.made.run)
    won = Counter(row["winner"] for row in log.hands)
    if language == "DuckDB":
        rows = module.sql(snippet(log, language)).fetchall()
        puts = [row for row in log.hands if row["puts"]]
        partners = log.made.form.family == "four-handed"
        assert sum(row[-1] for row in rows) == len(log.hands if partners else puts) > 0
        assert all(row[-2] is None or 0 <= row[-2] <= 1 for row in rows)
    else:
        names: dict[str, Any] = {}
        exec(snippet(log, language), names)
        hands = names["hands"]
        assert len(hands if language == "pandas" else hands.collect()) == len(log.hands)
        printed = capsys.readouterr().out
        assert len(won) > 2
        assert all(str(count) in printed for count in won.values())
