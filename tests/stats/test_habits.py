"""How strategies play: counts of hands written out here, and of runs against their log."""

from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
import pytest

from put_cli.log import manifest, numbers
from put_cli.report import habits as report
from put_cli.rules.finding import find_ruleset
from put_cli.stats.habits import BLUFFS, OUTCOMES, PLACES, Habits, Hands
from put_cli.tournament.outcome import rate
from tests.log.tables import read
from tests.tournament.runs import play_run

RULES = find_ruleset("cotton")


def cards(text: str) -> list[int]:
    return [RULES.cards.card(rank) for rank in text.split()]


def one_hand(
    eldest: str, dealer: str, played: str, takers: tuple[int, ...], put: tuple[int, str, bool, int]
) -> Hands:
    """Strategy 0 is eldest, at 1-4; `put`: who, where, whether seen, and the winner."""
    putter, place, seen, winner = put
    shown = [*cards(played), *[0] * (6 - len(played.split()))]
    # Whom nobody saw was thrown to, for a point; a seen hand that was won is the game.
    points = [[0], [0]]
    if winner >= 0:
        points[winner] = [RULES.target if seen else 1]
    return Hands(
        strategy=np.array([[0], [1]]),
        score=np.array([[1], [4]]),
        cards=np.array([[cards(eldest)], [cards(dealer)]]),
        takers=np.array([[n] for n in takers]),
        putter=np.array([putter]),
        place=np.array([PLACES.index(place)]),
        seen=np.array([seen]),
        winner=np.array([winner]),
        threw=np.array([[not seen and winner == 1 - seat] for seat in (0, 1)]),
        points=np.array(points),
        played=np.array([[card] for card in shown]),
    )


def counted(hands: Hands) -> Habits:
    habits = Habits(RULES, 2)
    habits.add(hands)
    return habits


def test_a_put_counts_for_its_putter_by_score_place_and_outcome() -> None:
    habits = counted(one_hand("3 2 4", "9 8 7", "", (-1, -1, -1), (0, "lead1", False, 0)))
    assert habits.puts_by_score[0, 1, 4].tolist() == [1, 0, 0, 0]
    assert habits.dealt_by_score[:, 1, 4].tolist() == [1, 0]
    assert habits.dealt_by_score[1, 4, 1] == 1
    assert habits.places[0].tolist() == [1, 0, 0, 0, 0, 0, 0]
    assert habits.puts_by_strength.sum() == 1
    assert habits.first_trick.sum() == 0


def test_a_put_that_can_no_longer_win_is_a_bluff_though_the_cards_were_strong() -> None:
    # Eldest's Three is lost to a tie, his Two to a Three: nothing he holds can win now.
    habits = counted(
        one_hand("3 2 4", "3 3 7", "3 3 2 3", (2, 1, -1), (0, "lead3", True, 1))
    )  # fmt: skip
    assert habits.puts_by_chance[0, 0].tolist() == [0, 0, 0, 1]
    assert habits.puts_by_strength[0, :5].sum() == 0
    assert habits.puts_by_chance[0, BLUFFS].sum() == 1


def test_the_winner_of_a_trick_who_leads_and_puts_knows_what_he_has_won() -> None:
    habits = counted(one_hand("K 5 4", "A 3 9", "K A", (1, -1, -1), (1, "lead2", False, 1)))
    assert habits.puts_by_chance[1, 9].tolist() == [1, 0, 0, 0]


def test_who_replies_with_the_better_card_for_sure_does_not_bluff() -> None:
    # The first trick was his, and his Three takes the Two that was led.
    habits = counted(one_hand("9 2 4", "T 3 5", "9 T 5 2", (1, 0, -1), (1, "lead3", True, 1)))
    assert habits.puts_by_chance[1, BLUFFS].sum() == 0
    held = counted(one_hand("3 2 4", "A 3 5", "4 A 5 2", (1, 0, -1), (0, "lead3", True, 1)))
    assert held.puts_by_chance[0].sum(axis=1)[-1] == 1


def test_first_tricks_and_leads_are_told_by_seat_and_card() -> None:
    habits = counted(one_hand("K K 4", "A 3 9", "K A", (1, -1, -1), (1, "lead2", False, 1)))
    assert habits.first_trick[0].tolist() == [[0, 0, 1], [0, 0, 0]]
    assert habits.first_trick[1].tolist() == [[0, 0, 0], [1, 0, 0]]
    assert habits.led.tolist() == [[1, 0, 0], [0, 0, 0]]


def test_a_throw_counts_by_the_strength_of_what_was_thrown() -> None:
    habits = counted(one_hand("3 2 4", "9 8 7", "", (-1, -1, -1), (0, "lead1", False, 0)))
    assert habits.throws.tolist() == [0, 1]
    assert habits.throws_by_strength[1].tolist() == habits.dealt_by_strength[1].tolist()
    assert habits.throws_by_strength[0].sum() == 0


def test_points_are_counted_by_seat_and_a_game_won_outright_is_the_target() -> None:
    habits = counted(one_hand("3 2 4", "9 8 7", "", (-1, -1, -1), (0, "lead1", False, 0)))
    assert habits.dealt_by_seat.tolist() == [[1, 0], [0, 1]]
    assert habits.points_by_seat.tolist() == [[1, 0], [0, -1]]
    habits.add(one_hand("K K 4", "A 3 9", "K A", (1, -1, -1), (1, "lead2", True, 1)))
    assert habits.points_by_seat.tolist() == [[1 - 5, 0], [0, 5 - 1]]


def test_many_points_are_counted_in_groups() -> None:
    habits = Habits(find_ruleset("truc"), 2)
    assert habits.score_groups == ["0-1", "2-3", "4-5", "6-7", "8-9", "10-11"]


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    run = tmp_path_factory.mktemp("habits") / "run"
    play_run(run, "bold", "odds", "random", games=40)
    return run


def habits_of(run: Path) -> Habits:
    made = manifest.read(run)
    habits = Habits(made.rules, len(made.names))
    for hands in numbers.hands(made):
        habits.add(hands)
    return habits


def test_the_puts_of_a_run_are_those_of_its_standings(run: Path) -> None:
    habits, names = habits_of(run), manifest.read(run).names
    for line in rate(run).strategies:
        n = names.index(line.name)
        assert habits.hands[n] == line.hands
        for counts in (habits.puts_by_strength[n], habits.puts_by_chance[n]):
            puts = counts.sum()
            assert puts / line.hands == pytest.approx(line.puts_per_hand)
            outcomes = dict(zip(OUTCOMES, counts.sum(axis=0).tolist(), strict=True))
            seen = puts - outcomes["thrown to"]
            assert seen / puts == pytest.approx(line.puts_seen)
            assert outcomes["seen and lost"] / seen == pytest.approx(line.puts_lost)


@pytest.mark.parametrize("rules", ["cotton", "three-handed"])
def test_the_habits_of_one_are_the_same_when_only_his_hands_are_read(
    tmp_path: Path, rules: str
) -> None:
    play_run(tmp_path / "run", *["bold", "odds", "random", "closer"], rules=rules, games=12)
    made = manifest.read(tmp_path / "run")
    n = made.names.index("odds")
    whole, his, read = habits_of(tmp_path / "run"), Habits(made.rules, 4), 0
    for hands in numbers.hands(made, wanted=("odds",)):
        read += len(hands.putter)
        his.add(hands)
    assert read == his.hands[n] < whole.hands.sum() / made.rules.players
    for name, counts in vars(whole).items():
        if isinstance(counts, np.ndarray):
            assert (counts[n] == getattr(his, name)[n]).all(), name


@pytest.mark.parametrize("rules", ["hoyle", "truc", "four-handed", "three-handed", "pigott"])
def test_points_and_throws_of_a_run_are_those_of_its_log(tmp_path: Path, rules: str) -> None:
    play_run(tmp_path / "run", "bold", "odds", "random", rules=rules, games=12, match_games=6)
    habits, names = habits_of(tmp_path / "run"), manifest.read(tmp_path / "run").names
    hands = pq.read_table(tmp_path / "run" / "hands").to_pylist()
    if rules == "three-handed":
        thrown = sum(len(hand["thrown_by"] or "") for hand in hands)
    else:
        thrown = sum(hand["ending"] == "thrown" for hand in hands)
    assert habits.throws.sum() == thrown > 0
    for line in rate(tmp_path / "run").strategies:
        n = names.index(line.name)
        assert habits.dealt_by_seat[n].sum() == line.hands
        won = habits.points_by_seat[n].sum() / line.hands
        assert won == pytest.approx(line.points_per_hand)


def test_the_leads_and_places_of_a_run_are_those_of_its_log(run: Path) -> None:
    habits, names, hands = habits_of(run), manifest.read(run).names, read(run, "hands")
    for n, name in enumerate(names):
        mine = hands[hands["eldest"] == name]
        best = [row.lead1 == row.eldest_cards.split()[0] for row in mine.itertuples()]
        assert habits.led[n, 0] == sum(best)
        assert habits.led[n].sum() == mine["lead1"].notna().sum()
        for k, place in enumerate(PLACES):
            said = hands[hands["put_at"] == place]
            by = [row.eldest if row.put_by == "eldest" else row.dealer for row in said.itertuples()]
            assert habits.places[n, k] == by.count(name)


def test_hands_counted_apart_and_merged_are_those_counted_together(run: Path) -> None:
    made, whole = manifest.read(run), habits_of(run)
    merged = Habits(made.rules, len(made.names))
    for hands in numbers.hands(made):
        part = Habits(made.rules, len(made.names), merged.chances)
        part.add(hands)
        merged.merge(part.counts)
    assert merged.counts.keys() == whole.counts.keys() >= {"hands", "led", "puts_by_chance"}
    for name, array in whole.counts.items():
        assert array.any()
        assert (merged.counts[name] == array).all()


@pytest.mark.parametrize(
    ("rules", "places"),
    [
        ("cotton", "lead1 reply1 lead2 reply2 lead3 reply3"),
        ("hoyle", "lead1 reply1 after1"),
        ("hoyle(later_lead=put)", "lead1 reply1 after1"),  # by then a put has been seen, or none
        ("parlett", "lead1 lead2 lead3"),
        ("plain", ""),
        ("cotton(players=6)", "lead1 reply1 lead2 reply2 lead3 reply3"),
    ],
)
def test_a_place_has_its_column_where_the_rules_let_a_put_be_said(rules: str, places: str) -> None:
    assert list(report._places_of(find_ruleset(rules))) == places.split()
