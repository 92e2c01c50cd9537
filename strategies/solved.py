"""The solution of the game, played from a table."""

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from put_cli import SEE, THROW, Strategy, View, consult, open_policy, policy_rules

from .play import thrifty_card

OWN = Path(__file__).with_name("cotton.policy")


@dataclass(frozen=True)
class Equilibrium(Strategy):
    """Plays an equilibrium: no opponent, however well he knows it, wins more than his share.

    It looks up what 'put solve' found, for the score, its cards and everything that has been laid
    and said, and draws from that. Where the rules are not those of its policy it plays thriftily.
    """

    plays = ("cotton", "pigott")  # pigott's throw that nobody asked for is of no use

    policy: str = ""  # a file of 'put solve'; empty for that of cotton

    def __post_init__(self) -> None:
        if self.policy:
            object.__setattr__(self, "plays", (policy_rules(self.policy),))

    @cached_property
    def table(self) -> int:
        """Where the policy lies in memory."""
        return open_policy(self.policy or str(OWN))

    def act(self, view: View) -> int:
        action = consult(self.table, view)
        if action:
            return action
        if view.asked:
            return SEE
        return THROW if view.must_speak else thrifty_card(view)
