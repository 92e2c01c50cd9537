"""What a report consists of: parts, each with words, pictures and tables, whatever shows them."""

from collections.abc import Sequence
from dataclasses import dataclass

from matplotlib.figure import Figure

from put_cli.report.html import Section, bullets, details, figure, paragraphs
from put_cli.report.svg import inline


@dataclass(frozen=True, kw_only=True, eq=False)
class Picture:
    """A figure, and what it shows in words."""

    name: str
    figure: Figure
    alternative: str
    """What somebody who cannot see it should know."""
    caption: str


@dataclass(frozen=True, kw_only=True, eq=False)
class Part:
    """A part of a report."""

    name: str
    title: str
    words: Sequence[str] = ()
    pictures: Sequence[Picture] = ()
    listed: Sequence[str] = ()
    table: str = ""
    """As HTML, in full view."""
    hidden: str = ""
    """As HTML, to be opened: the pictures as numbers."""

    def section(self) -> Section:
        """The part as a section of a page."""
        shown = "".join(
            figure(inline(each.figure, each.name, each.alternative), each.caption)
            for each in self.pictures
        )
        hidden = details("The numbers", self.hidden) if self.hidden else ""
        body = paragraphs(self.words) + shown + self.table + hidden + bullets(self.listed)
        return Section(name=self.name, title=self.title, body=body)
