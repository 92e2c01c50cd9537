"""A figure as SVG that can stand in a page: ids and colour of text are those of the page."""

import io
import re
from html import escape

from matplotlib.figure import Figure

from put_cli.report.plots import INK

_REFERENCE = re.compile(r'(href="#|url\(#)([^")]+)')

_CLUTTER = (
    r"<metadata>.*?</metadata>",
    r"<!--.*?-->",
    r"<style.*?</style>",  # of everything on the page: the page has its own
    r" font-family: [^;\"]*;",
    r' transform="rotate\(-0 [^"]*"',
)


def inline(figure: Figure, name: str, title: str) -> str:
    """An <svg> element. `name` makes its ids its own; `title` is its text alternative."""
    text = io.StringIO()
    figure.savefig(text, format="svg", metadata={"Date": None, "Creator": None})
    svg = text.getvalue()
    for clutter in _CLUTTER:
        svg = re.sub(clutter, "", svg, flags=re.DOTALL)
    needed = {match[2] for match in _REFERENCE.finditer(svg)}
    svg = re.sub(r' id="([^"]*)"', lambda id_: id_[0] if id_[1] in needed else "", svg)
    svg = _REFERENCE.sub(rf"\g<1>{name}-\g<2>", svg).replace(' id="', f' id="{name}-')
    svg = re.sub(r"(\.\d\d)\d+", r"\1", svg)  # a hundredth of a point is finer than any eye
    svg = re.sub(r"\s*\n\s*", " ", svg).replace(INK, "currentColor")
    size = re.search(r'viewBox="([^"]*)"', svg)
    assert size
    begin = svg.index(">", svg.index("<svg")) + 1
    label = escape(title, quote=True)
    return f'<svg viewBox="{size[1]}" role="img" aria-label="{label}">{svg[begin:].strip()}'
