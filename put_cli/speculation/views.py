"""Views for tests: what somebody sees in the middle of a deal written in notation."""

from put_cli.errors import NotationError
from put_cli.speculation.notation import parse
from put_cli.speculation.referee import under_way
from put_cli.speculation.rules import Speculation
from put_cli.speculation.session import Session
from put_cli.speculation.strategy import View


def view_at(
    line: str, who: str = "", *, rules: Speculation | None = None, luck: float = 0.5
) -> View:
    """What is shown to the one who is asked next after the steps of `line`.

    With `who`, a letter, everybody else says nothing until that player is asked. It is the first
    deal of a session; `rules` are those of `speculation` unless given, how many play is for the
    line to say.

    Raises:
        NotationError: the line breaks a rule, or nobody, or never he, is asked after it.
    """
    deal = under_way(rules or Speculation(), parse(line), who)
    if deal.question is None:
        raise NotationError(f"the deal is over before {who or 'anybody'} is asked.")
    session = Session(deal.rules, lambda _shuffle: ())
    session.deals.append(deal)
    return session.view(deal.question.seat, luck, memory=False)
