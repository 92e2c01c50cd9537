"""Rule sets: checked at birth, found by name, file and entry point, and overridden by knob."""

import json
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from put_cli.errors import RuleError
from put_cli.rules import finding
from put_cli.rules.finding import BUILT_IN, built_in, find_ruleset, from_mapping
from put_cli.rules.ruleset import GAME, RuleSet, knob_help


@pytest.mark.parametrize("name", BUILT_IN)
def test_a_built_in_rule_set_says_where_it_comes_from(name: str) -> None:
    rules = built_in(name)
    assert rules.name == name
    assert rules.title
    assert rules.source
    assert rules.readings


@pytest.mark.parametrize(
    ("name", "worths", "concession"),
    [
        ("cotton", (1, GAME), (1, 1)),
        ("plain", (1,), (1,)),
        ("parlett", (GAME, GAME, GAME, GAME), (1, 1, 1, 1)),
        ("truc", (1, 2, 4, 8, 12), (1, 2, 4, 8, 12)),
        ("truc-french(raise=plus2)", (1, 2, 4, 6, 8, 10, 12), (1, 2, 4, 6, 8, 10, 12)),
    ],
)
def test_what_a_hand_is_worth_climbs_as_the_sources_say(
    name: str, worths: tuple[int, ...], concession: tuple[int, ...]
) -> None:
    assert find_ruleset(name).worths == worths
    assert find_ruleset(name).concession == concession


def test_knobs_are_overridden_in_brackets_and_the_name_says_so() -> None:
    rules = find_ruleset("cotton(pack=short32, target=7)")
    assert (rules.target, rules.pack) == (7, "short32")
    assert rules.name == "cotton(pack=short32, target=7)"


def test_an_override_that_changes_nothing_leaves_the_name_alone() -> None:
    assert find_ruleset("cotton(target=5)").name == "cotton"


@pytest.mark.parametrize("text", ["cotton(stakes=[1, 3, game])", "cotton(first_lead='put throw')"])
def test_the_name_of_an_overridden_set_finds_it_again(text: str) -> None:
    rules = find_ruleset(text)
    assert find_ruleset(rules.name) == rules


def test_rule_sets_that_play_alike_share_a_fingerprint_whatever_their_names() -> None:
    willughby = built_in("willughby")
    assert willughby.fingerprint() == find_ruleset("cotton(target=7)").fingerprint()
    assert len({built_in(name).fingerprint() for name in BUILT_IN}) == len(BUILT_IN)


def test_the_plain_form_is_json_and_builds_the_same_rule_set() -> None:
    for name in BUILT_IN:
        data = json.loads(json.dumps(built_in(name).plain()))
        assert from_mapping(data, "test") == built_in(name)


def test_a_table_has_a_chair_for_each_player_and_for_each_partner() -> None:
    assert [find_ruleset(f"cotton(players={n})").chairs for n in (2, 3, 6)] == [2, 3, 6]
    assert (built_in("four-handed").players, built_in("four-handed").chairs) == (2, 4)
    assert find_ruleset("truc(partners=true)").chairs == 4


def test_no_misdeals_are_one_rule_set_however_the_number_is_written() -> None:
    assert find_ruleset("cotton(misdeals=0)").fingerprint() == built_in("cotton").fingerprint()
    whole, share = find_ruleset("cotton(misdeals=1)"), find_ruleset("cotton(misdeals=1.0)")
    assert whole.fingerprint() == share.fingerprint()


def test_every_knob_explains_itself() -> None:
    assert set(knob_help()) == set(built_in("cotton").knobs())


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("coton", "there is no rule set 'coton'. Did you mean 'cotton'?"),
        ("cotton(pack=short33)", "pack: expected one of full52, short32, short28, truc32"),
        ("cotton(target=0)", "target: expected a whole number from 1 to 99, got 0"),
        ("cotton(target=true)", "target: expected a whole number from 1 to 99, got True"),
        ("cotton(tarket=7)", "there is no knob 'tarket'. Did you mean 'target'?"),
        ("cotton(name=x, sauce=y)", "there is no knob 'sauce'"),
        ("cotton(first_lead=see)", "first_lead: expected one of none, put, throw, put throw"),
        ("cotton(raise=triple)", "raise: expected one of listed, double, plus2"),
        ("cotton(seen_draw=gone)", "seen_draw: expected one of kept, anew"),
        ("cotton(rubber=2)", "rubber: expected an odd number"),
        ("cotton(lone_trick=1)", "lone_trick: expected true or false, got 1"),
        ("cotton(stakes=3)", "stakes: expected a list such as [1, game], got 3"),
        ("cotton(stakes=[])", "stakes: expected a list"),
        ("cotton(stakes=[game, 1])", "stakes: a seen put cannot lower the worth"),
        ("cotton(stakes=[0])", "stakes: expected points from 1 to 99 or 'game', got 0"),
        ("cotton(raise=double)", "raise: 'double' climbs by itself"),
        ("truc(target=99, raise=plus2)", "stakes: at most 7 puts can be seen in a hand"),
        ("hoyle(stakes=[1])", "after_first: 'speak' makes eldest put or throw"),
        ("cotton(players=7)", "players: expected a whole number from 2 to 6, got 7"),
        ("cotton(players=3, partners=true)", "partners: True has no meaning with players=3: part"),
        ("hoyle(players=3)", "after_first: 'speak' has no meaning with players=3"),
        ("truc(players=3)", "rubber: 3 has no meaning with players=3: a rubber is between two"),
        ("parlett(players=4)", "stakes: [game, game, game, game] has no meaning with players=4"),
        (
            "pigott(players=5)",
            "first_lead: 'put throw' has no meaning with players=5: a free throw",
        ),
        (
            "cotton(players=3, tied_trick=first)",
            "tied_trick: 'first' has no meaning with players=3",
        ),
        ("four-handed(must_swap=1)", "must_swap: expected true or false, got 1"),
        ("four-handed(dealer_gift=never)", "dealer_gift: expected one of optional, required"),
        ("cotton(misdeals=1.5)", "misdeals: expected a share from 0 to 1, got 1.5"),
        ("cotton(misdeals=true)", "misdeals: expected a share from 0 to 1, got True"),
        ("cotton(readings=x)", "readings: expected a list"),
        ("cotton(title='\x1b[31m')", "title: expected one line of text, got '\\x1b[31m'"),
        ("cotton(7)", "expected a rule set as name(knob=value, ...)"),
        ("cotton(target=7", "expected a rule set as name(knob=value, ...)"),
        ("cotton(target=7)(target=9)", "expected a rule set as name(knob=value, ...)"),
        ("cotton(target=7, target=9)", "target: given twice"),
        ("cotton(target=open('x'))", "expected plain values"),
        ("cotton(target={[]: 1})", "expected plain values"),
        ("cotton(target=0x" + "f" * 5000 + ")", "expected at most 1000 characters of knobs"),
        ("cotton(stakes=" + "[" * 150 + "]" * 150 + ")", "stakes: expected points from 1 to 99"),
    ],
)
def test_an_error_names_the_key_and_the_choices(text: str, says: str) -> None:
    with pytest.raises(RuleError) as caught:
        find_ruleset(text)
    assert says in str(caught.value)


def test_a_file_may_build_on_an_installed_rule_set(tmp_path: Path) -> None:
    path = tmp_path / "house.toml"
    path.write_text('base = "hoyle"\ntitle = "Our house"\ntarget = 7\n')
    rules = find_ruleset(str(path))
    assert (rules.name, rules.title, rules.target) == ("house", "Our house", 7)
    assert rules.after_first == "speak"
    assert find_ruleset(f"{path}(target=9)").target == 9


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("target = [", "is not TOML"),
        ("target = 'five'", "target: expected a whole number from 1 to 99, got 'five'"),
        ("pack = ['short32']", "pack: expected one of full52"),
        ("readings = 'one'", "readings: expected a list of sentences"),
        ("title = 5", "title: expected one line of text, got 5"),
        ("base = 'coton'", "there is no rule set 'coton'"),
        ("base = 'other.toml'", "base: expected the name of an installed rule set"),
        ("[stakes]", "stakes: expected a list"),
        ("target = 0x" + "f" * 5000, "is not TOML: Exceeds the limit"),
    ],
)
def test_a_bad_file_is_refused_with_its_name_and_the_reason(
    tmp_path: Path, text: str, says: str
) -> None:
    path = tmp_path / "house.toml"
    path.write_text(text)
    with pytest.raises(RuleError) as caught:
        find_ruleset(str(path))
    assert str(path) in str(caught.value)
    assert says in str(caught.value)


def test_a_file_that_cannot_be_read_is_refused_with_its_name(tmp_path: Path) -> None:
    (tmp_path / "binary.toml").write_bytes(b"\xff\xfe")
    for name in ("missing.toml", "binary.toml"):
        with pytest.raises(RuleError, match=f"cannot read the rule set .*{name}"):
            find_ruleset(str(tmp_path / name))


def plug_in(monkeypatch: pytest.MonkeyPatch, value: object) -> None:
    """Make `value` the plugged-in rule set 'house'."""

    class Point(EntryPoint):
        def load(self) -> object:
            if isinstance(value, Exception):
                raise value
            return value

    point = Point("house", "package:value", "put.rules")
    monkeypatch.setattr(finding, "plugged_in", lambda: {"house": point})


def test_a_plugged_in_rule_set_may_be_a_mapping_a_rule_set_or_a_function(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    house = RuleSet(name="house", target=9)
    for value in (house, {"target": 9}, {"base": "cotton", "target": 9}, lambda: house):
        plug_in(monkeypatch, value)
        assert find_ruleset("house").target == 9
        assert find_ruleset("house(target=11)").name == "house(target=11)"


@pytest.mark.parametrize(
    ("value", "says"),
    [
        (ImportError("no such thing"), "failed to load: ImportError: no such thing"),
        (7, "expected a RuleSet or a mapping of knobs, got int"),
        ({"tarket": 7}, "package:value: there is no knob 'tarket'"),
    ],
)
def test_a_broken_plugged_in_rule_set_is_refused_with_the_reason(
    monkeypatch: pytest.MonkeyPatch, value: object, says: str
) -> None:
    plug_in(monkeypatch, value)
    with pytest.raises(RuleError) as caught:
        find_ruleset("house")
    assert says in str(caught.value)
