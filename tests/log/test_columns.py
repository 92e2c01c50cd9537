"""The columns of the log tell one story: words, cards, scores and tallies agree."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from put_cli.rules.ruleset import RuleSet
from put_cli.stats.tally import COUNTS
from put_cli.tournament.run import Finished
from tests.log.tables import read

PLACES = ("lead1", "reply1", "after1", "lead2", "reply2", "lead3", "reply3")
PLAYED = tuple(place for place in PLACES if place != "after1")


def test_the_key_is_unique_and_in_order(hands: pd.DataFrame, games: pd.DataFrame) -> None:
    for frame, key in (
        (hands, ["pairing", "block", "mirror", "game", "hand"]),
        (games, ["pairing", "block", "mirror", "game"]),
    ):
        rows = list(zip(*(frame[name] for name in key), strict=True))
        assert rows == sorted(set(rows))


def test_words_agree_with_the_columns_about_puts(hands: pd.DataFrame) -> None:
    answered = 0
    for row in hands.itertuples():
        said = [each.split(":") for each in row.words.split()]
        assert all(place in PLACES and seat in "ED" for place, seat, _ in said)
        order = [PLACES.index(place) for place, _, _ in said]
        assert order == sorted(order)
        puts = [number for number, (_, _, word) in enumerate(said) if word == "put"]
        assert row.puts == len(puts)
        assert row.puts_seen == sum(word == "see" for _, _, word in said)
        if not puts:
            assert (row.put_by, row.put_at, row.put_answer) == (None, None, None)
            continue
        place, seat, _ = said[puts[0]]
        assert (row.put_by, row.put_at) == ({"E": "eldest", "D": "dealer"}[seat], place)
        answer = said[puts[0] + 1] if puts[0] + 1 < len(said) else None
        assert row.put_answer == (answer[2] if answer else None)
        if answer:
            answered += 1
            assert answer[0] == place
            assert answer[1] != seat
        else:
            assert row.ending == "forfeit"
    assert answered > 10


def test_tricks_agree_with_the_cards(hands: pd.DataFrame, rules: RuleSet) -> None:
    pack = rules.cards
    decided = 0
    for row in hands.itertuples():
        held = [row.eldest_cards.split(), row.dealer_cards.split()]
        for cards in held:
            assert [pack.card(card) for card in cards] == sorted(
                map(pack.card, cards), reverse=True
            )
        leader = 0
        over = False
        for trick in (1, 2, 3):
            lead, reply = getattr(row, f"lead{trick}"), getattr(row, f"reply{trick}")
            taker = getattr(row, f"trick{trick}")
            assert (taker is None) == (reply is None)
            if lead is not None:
                assert not over
                held[leader].remove(lead)
            if reply is None:
                over = True
                continue
            held[1 - leader].remove(reply)
            ahead = pack.card(lead) - pack.card(reply)
            seat = leader if ahead > 0 else 1 - leader
            assert taker == ("tie" if ahead == 0 else ("eldest", "dealer")[seat])
            leader = leader if ahead == 0 else seat
            decided += 1
    assert decided > 100


def test_endings_agree_with_winner_points_and_worth(hands: pd.DataFrame, rules: RuleSet) -> None:
    assert set(hands.ending) <= {"tricks", "thrown", "drawn", "forfeit"}
    assert "forfeit" in set(hands.ending)
    for row in hands.itertuples():
        points = {"eldest": row.eldest_points, "dealer": row.dealer_points}
        if row.ending == "drawn":
            assert row.winner is None
            assert set(points.values()) == {0}
            assert not row.game_over
            continue
        loser = {"eldest": "dealer", "dealer": "eldest"}[row.winner]
        assert points[loser] == 0
        if row.ending == "forfeit":
            assert points[row.winner] == 0
            assert row.game_over
            assert not row.outright
        elif row.outright:
            assert points[row.winner] == 0
            assert row.game_over
        elif row.ending == "thrown":
            assert row.words.endswith(":throw")
            assert row.words.split()[-1].split(":")[1] == loser[0].upper()
            assert 1 <= points[row.winner] <= rules.target
        else:
            assert row.ending == "tricks"
            before = getattr(row, f"{row.winner}_score")
            assert row.worth != "game"
            assert points[row.winner] == min(int(row.worth), rules.target - before)


def test_scores_add_up_from_hand_to_hand_and_the_deal_alternates(
    hands: pd.DataFrame, games: pd.DataFrame, rules: RuleSet
) -> None:
    told = {tuple(row[:4]): row for row in games.itertuples(index=False)}
    anew = rules.seen_draw == "anew"
    for key, rows in hands.groupby(["pairing", "block", "mirror", "game"], sort=False):
        game = told.pop(key)
        scores = dict.fromkeys((game.chair0, game.chair1), 0)
        legs = dict.fromkeys(scores, 0)
        dealer = game.first_dealer
        for number, row in enumerate(rows.itertuples()):
            assert row.hand == number
            assert row.dealer == dealer
            assert {row.eldest, row.dealer} == set(scores)
            assert (row.eldest_score, row.dealer_score) == (
                scores[row.eldest],
                scores[row.dealer],
            )
            assert row.leg == (sum(legs.values()) + 1 if rules.rubber > 1 else 0)
            scores[row.eldest] += row.eldest_points
            scores[row.dealer] += row.dealer_points
            if anew and row.ending == "drawn" and row.puts_seen:
                scores = dict.fromkeys(scores, 0)
            final = dict(scores)
            if row.game_over:
                legs[getattr(row, row.winner)] += 1
                scores = dict.fromkeys(scores, 0)
            reached = rules.target in final.values()
            assert row.game_over == (reached or row.outright or row.ending == "forfeit")
            dealer = row.eldest
        assert row.game_over
        assert game.hands == len(rows)
        assert game.winner == getattr(row, row.winner)
        assert (game.score0, game.score1) == (final[game.chair0], final[game.chair1])
        if rules.rubber > 1:
            assert (game.legs0, game.legs1) == (legs[game.chair0], legs[game.chair1])
            assert rows.rubber_over.tolist() == [False] * (len(rows) - 1) + [True]
        else:
            assert (game.legs0, game.legs1) == (0, 0)
            assert not rows.rubber_over.any()
            assert rows.game_over.tolist() == [False] * (len(rows) - 1) + [True]
        how = "conceded" if row.ending == "thrown" else "points"
        if row.ending == "forfeit":
            how = "forfeit"
        elif row.outright:
            how = "put" if row.puts_seen else "tricks"
        assert game.how == how
        assert (game.how == "forfeit") == (game.fault_by is not None)
        if game.fault_by is not None:
            assert game.fault_by != game.winner
            assert game.fault_by == "faulty"
            assert game.fault_kind == "raised"
            assert game.fault_reason.startswith("raised IndexError: ")
        else:
            assert (game.fault_kind, game.fault_reason) == (None, None)
    # What is left was lost unplayed.
    assert all((game.hands, game.how) == (0, "forfeit") for game in told.values())


def test_chairs_keep_their_cards_and_the_cut_decides_the_deal(
    games: pd.DataFrame, rules: RuleSet
) -> None:
    pack = rules.cards
    first: dict[Any, Any] = {}
    for row in games.itertuples():
        assert row.cut0 != row.cut1
        higher = pack.card(row.cut0) > pack.card(row.cut1)
        deals0 = higher != (rules.first_dealer == "low")
        assert row.first_dealer == (row.chair0 if deals0 else row.chair1)
        # The cut is the same for every pairing, and in the mirrored game.
        cut = (row.cut0, row.cut1, row.recuts)
        assert first.setdefault((row.block, row.game), cut) == cut


def test_tallies_are_the_sums_of_hands_and_games(
    run: Path, hands: pd.DataFrame, games: pd.DataFrame, rules: RuleSet, finished: Finished
) -> None:
    names = [each.name for each in finished.prepared.workshop.contestants]
    pairs = finished.prepared.plan.all_tables()
    tallies = read(run, "tallies")
    cells: dict[Any, int] = {}
    for row in games[games.mirror == 0].itertuples():
        a = names[pairs[row.pairing][0]]
        other = games[
            (games.pairing == row.pairing)
            & (games.block == row.block)
            & (games.mirror == 1)
            & (games.game == row.game)
        ].iloc[0]
        key = (row.pairing, row.block, (row.winner == a) + (other.winner == a))
        cells[key] = cells.get(key, 0) + 1
    by_match = {
        "hands": dict(list(hands.groupby(["pairing", "block", "mirror"]))),
        "games": dict(list(games.groupby(["pairing", "block", "mirror"]))),
    }
    assert len(tallies) == len(by_match["games"])
    for row in tallies.itertuples():
        key = (row.pairing, row.block, row.mirror)
        counted = count(
            by_match["hands"][key],
            by_match["games"][key],
            rules,
            *(names[number] for number in pairs[row.pairing]),
        )
        for won in (0, 1, 2):
            own = cells.get((row.pairing, row.block, won), 0) if row.mirror == 0 else 0
            counted[f"pairs_{won}"] = own
        assert {each.name for each in COUNTS} == set(counted)
        for name, value in counted.items():
            assert getattr(row, name) == value, (key, name)


def count(
    hands: pd.DataFrame, games: pd.DataFrame, rules: RuleSet, a: str, b: str
) -> dict[str, int]:
    """The counts of one match, but for its pairs, from its rows."""
    made = {"games": len(games), "hands": len(hands), "drawn": int((hands.ending == "drawn").sum())}
    made["dealt_a"] = int((games.first_dealer == a).sum())
    made["dealt_wins_a"] = int(((games.first_dealer == a) & (games.winner == a)).sum())
    winner = np.where(hands.winner == "eldest", hands.eldest, hands.dealer)
    for side, own in (("a", a), ("b", b)):
        made[f"wins_{side}"] = int((games.winner == own).sum())
        won = (winner == own) & hands.winner.notna()
        made[f"legs_{side}"] = int((won & hands.game_over).sum()) if rules.rubber > 1 else 0
        points = np.where(hands.eldest == own, hands.eldest_points, hands.dealer_points)
        made[f"points_{side}"] = int(points.sum() + rules.target * (won & hands.outright).sum())
        made[f"faults_{side}"] = int((games.fault_by == own).sum())
        made[f"forfeits_{side}"] = 0
        made |= dict.fromkeys(
            (f"{name}_{side}" for name in ("puts", "seen", "declined", "lost")), 0
        )
        for row in hands.itertuples():
            said = [each.split(":") for each in row.words.split()]
            letter = "E" if row.eldest == own else "D"
            for number, (_, seat, word) in enumerate(said):
                if word != "put" or seat != letter:
                    continue
                made[f"puts_{side}"] += 1
                answer = said[number + 1][2] if number + 1 < len(said) else ""
                made[f"seen_{side}"] += answer == "see"
                made[f"declined_{side}"] += answer == "throw"
                lost = row.winner is not None and row.ending != "forfeit"
                lost = lost and getattr(row, row.winner) != own
                made[f"lost_{side}"] += answer == "see" and lost
    return made


def test_standings_come_from_the_tallies(run: Path, games: pd.DataFrame) -> None:
    told = json.loads((run / "standings.json").read_text())
    wins = games.winner.value_counts()
    rows = {row["name"]: row for row in told["standings"]}
    assert {name: row["wins"] for name, row in rows.items()} == dict(wins)
