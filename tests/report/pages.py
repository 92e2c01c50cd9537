"""Reading a page of the report, without the code that wrote it."""

from html.parser import HTMLParser


class Page(HTMLParser):
    """What a page holds: ids, links, loaded things, and the tables of each section as text."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.ids: list[str] = []
        self.links: list[str] = []
        self.words: dict[str, str] = {}
        self.tables: dict[str, list[list[list[str]]]] = {}
        self.pictures: list[str] = []
        self._section = ""
        self._cell: list[str] | None = None
        self._skip = 0
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        said = {name: value or "" for name, value in attrs}
        if "id" in said:
            self.ids.append(said["id"])
        self.links += [said[name] for name in ("href", "src", "xlink:href") if name in said]
        match tag:
            case "section":
                self._section = said["id"]
            case "table":
                self.tables.setdefault(self._section, []).append([])
            case "tr":
                self.tables[self._section][-1].append([])
            case "th" | "td":
                self._cell = self.tables[self._section][-1][-1]
                self._cell.append("")
            case "svg":
                self.pictures.append(said.get("aria-label", ""))
            case "small" | "script" | "style":
                self._skip += 1

    def handle_endtag(self, tag: str) -> None:
        if tag in ("small", "script", "style"):
            self._skip -= 1
        elif tag in ("th", "td"):
            self._cell = None

    def handle_data(self, data: str) -> None:
        if self._skip:
            return
        self.words[self._section] = self.words.get(self._section, "") + data
        if self._cell is not None:
            self._cell[-1] += data.strip()
