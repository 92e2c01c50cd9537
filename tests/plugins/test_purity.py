"""Chance belongs to the engine: a strategy that brings its own is told so."""

import pytest

from put_cli.engine.compiled import NoStore
from put_cli.engine.players import enlist
from put_cli.errors import RuleError, SpecError
from put_cli.plugins.discovery import load
from put_cli.rules.finding import find_ruleset

BOT = """
{imports}
from put_cli import Strategy

class Bot(Strategy):
    def act(self, view):
        return view.lowest if {chance} < 0.5 else view.highest
"""


@pytest.mark.parametrize(
    ("imports", "chance", "named"),
    [
        ("import random", "random.random()", "random"),
        ("from random import random", "random()", "random"),
        ("import numpy as np", "np.random.rand()", "numpy"),
        ("import time", "time.time()", "time"),
        ("from time import time", "time()", "time"),
    ],
)
def test_a_strategy_with_chance_of_its_own_is_not_native_and_hears_of_luck(
    tmp_path, imports, chance, named
):
    file = tmp_path / "bot.py"
    file.write_text(BOT.format(imports=imports, chance=chance))
    player = enlist("bot", load(str(file)).strategy, NoStore())
    assert player.tier == "interpreted"
    assert named in player.why
    assert "view.luck is the only randomness" in player.why


def test_numpy_without_its_chance_is_no_reason_not_to_compile(tmp_path):
    file = tmp_path / "bot.py"
    file.write_text(BOT.format(imports="import numpy as np", chance="np.sqrt(view.luck)"))
    assert enlist("bot", load(str(file)).strategy, NoStore()).tier == "native"


def test_a_class_without_act_is_refused(tmp_path):
    file = tmp_path / "bot.py"
    file.write_text("from put_cli import Strategy\n\nclass Idle(Strategy):\n    pass\n")
    with pytest.raises(SpecError, match="defines no act"):
        load(str(file))


def test_a_rule_file_may_not_take_the_name_of_a_rule_set_it_is_not(tmp_path):
    file = tmp_path / "house.toml"
    file.write_text('base = "cotton"\nname = "cotton"\ntarget = 9\n')
    with pytest.raises(RuleError, match="name of its own"):
        find_ruleset(str(file))
