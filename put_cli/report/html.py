"""HTML as strings: paragraphs, tables, figures. Knows nothing of what they hold."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape
from importlib.resources import files

from put_cli.report.tables import Column, printable


@dataclass(frozen=True, kw_only=True)
class Section:
    """A part of a page, with the name that links lead to."""

    name: str
    title: str
    body: str


def text(words: str) -> str:
    """Text that is never taken as markup."""
    return escape(printable(words), quote=True)


def paragraphs(sentences: Iterable[str], kind: str = "") -> str:
    """A paragraph each."""
    mark = f' class="{kind}"' if kind else ""
    return "".join(f"<p{mark}>{text(sentence)}</p>\n" for sentence in sentences)


def bullets(sentences: Sequence[str]) -> str:
    """A list, or nothing."""
    items = "".join(f"<li>{text(sentence)}</li>\n" for sentence in sentences)
    return f"<ul>\n{items}</ul>\n" if items else ""


def facts(pairs: Iterable[tuple[str, str]], code: Sequence[str] = ()) -> str:
    """Terms and what is to be said of them; those in `code` as a computer has them."""
    found = []
    for term, said in pairs:
        shown = f"<code>{text(said)}</code>" if term in code else text(said)
        found.append(f"<dt>{text(term)}</dt><dd>{shown}</dd>\n")
    return f"<dl>\n{''.join(found)}</dl>\n"


def table(columns: Sequence[Column], caption: str = "", long: Sequence[str] = ()) -> str:
    """A table that a click on a heading sorts; cells of the columns in `long` may be folded."""
    head = "".join(_heading(column) for column in columns)
    rows = zip(*(column.cells for column in columns), strict=True)
    body = "".join(
        "<tr>" + "".join(map(_cell, columns, row, [long] * len(columns))) + "</tr>\n"
        for row in rows
    )
    named = f'<caption class="note">{text(caption)}</caption>\n' if caption else ""
    return (
        '<div class="wide" tabindex="0" role="group" aria-label="table"><table>\n'
        f"{named}<thead><tr>{head}</tr></thead>\n"
        f"<tbody>\n{body}</tbody></table></div>\n"
    )


def details(summary: str, body: str) -> str:
    """Something that opens on a click."""
    return f"<details><summary>{text(summary)}</summary>\n{body}</details>\n"


def figure(svg: str, caption: str) -> str:
    """A picture with what it shows in words."""
    return (
        f'<figure><div class="wide" tabindex="0" role="group" aria-label="picture">{svg}</div>\n'
        f"<figcaption>{text(caption)}</figcaption></figure>\n"
    )


def page(title: str, lead: str, sections: Sequence[Section]) -> str:
    """The whole page; it needs nothing else, and no network."""
    style, script = (
        (files("put_cli.report") / name).read_text(encoding="utf-8")
        for name in ("page.css", "page.js")
    )
    links = "".join(f'<li><a href="#{s.name}">{text(s.title)}</a></li>\n' for s in sections)
    bodies = "".join(
        f'<section id="{s.name}">\n<h2>{text(s.title)}</h2>\n{s.body}</section>\n' for s in sections
    )
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f'<link rel="icon" href="data:,">\n<title>{text(title)}</title>\n'
        f"<style>\n{style}</style>\n</head>\n<body>\n<header>\n<h1>{text(title)}</h1>\n"
        f'{lead}</header>\n<nav aria-label="Contents"><ul>\n{links}</ul></nav>\n'
        f"<main>\n{bodies}</main>\n<script>\n{script}</script>\n</body>\n</html>\n"
    )


def _heading(column: Column) -> str:
    unit = f" <small>{text(column.unit)}</small>" if column.unit else ""
    kind = ' class="words"' if column.left else ""
    return (
        f'<th scope="col" aria-sort="none"{kind}>'
        f'<button type="button">{text(column.heading)}</button>{unit}</th>'
    )


def _cell(column: Column, cell: str, long: Sequence[str]) -> str:
    kinds = (["words"] if column.left else []) + (["long"] if column.heading in long else [])
    mark = f' class="{" ".join(kinds)}"' if kinds else ""
    return f"<td{mark}>{text(cell)}</td>"
