"""HTML elements as plain lines, in the shapes that `text.blocks` tells apart: headings, lists, tables, code."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from memorybank.documents.html_tree import BLOCKS, Element, names
from memorybank.language.text import one_line

_HEADINGS: Final = {f"h{level}": "#" * level + " " for level in range(1, 7)}
_TIGHT: Final = names("li tr dt dd br")
"""These begin a line without a blank one before it."""
_LAYOUT: Final = names("table h1 h2 h3 h4 h5 h6 ul ol pre blockquote")
_LONGEST_CELL: Final = 400
"""Characters: a longer cell holds text that was only placed by a table."""


def page_lines(root: Element) -> list[str]:
    """Return the lines of all text below the element; a blank line parts paragraphs, headings, lists and tables."""
    writer = _LineWriter()
    # Tables that hold tables, headings or lists: their cells are parts of a page, not data.
    layout = set[Element]()
    for element in reversed(root.elements()):
        if (element in layout or element.name in _LAYOUT) and element.parent is not None:
            layout.add(element.parent)
    stack: list[tuple[Element | str, bool]] = [(root, False)]
    while stack:
        node, leaving = stack.pop()
        if isinstance(node, str):
            writer.say(node)
        elif leaving:
            writer.leave(node)
        elif node.name == "table" and node not in layout and (rows := _table_rows(node)):
            writer.write_block(rows)
        elif node.name == "pre":
            code = node.text().strip("\n")
            writer.write_block(["```", *code.split("\n"), "```"] if code.strip() else [])
        else:
            writer.enter(node)
            stack.append((node, True))
            stack.extend((child, False) for child in reversed(node.children))
    writer.end_line()
    return writer.lines


def _table_rows(table: Element) -> list[str]:
    """Return a table's rows as `| cell | cell |`; none when a cell is too long: then the table only places text."""
    caption = table.first("caption")
    rows = [one_line(caption.text())] if caption is not None else []
    for row in _in_order(table, "tr"):
        cells = [one_line(cell.text()) for cell in row.children if isinstance(cell, Element)]
        if any(len(cell) > _LONGEST_CELL for cell in cells):
            return []
        if any(cells):
            rows.append(table_row(cells))
    return rows


def table_row(cells: list[str]) -> str:
    """Render one line of a table; a bar inside a cell is escaped as Markdown does."""
    return "| " + " | ".join(one_line(cell).replace("|", "\\|") for cell in cells) + " |"


def _in_order(table: Element, name: str) -> list[Element]:
    """Yield the rows of a table in the page's order, through thead and tbody."""
    parts = [child for child in table.children if isinstance(child, Element)]
    return [
        row
        for part in parts
        for row in ([part] if part.name == name else [below for below in part.elements() if below.name == name])
    ]


@dataclass(slots=True)
class _LineWriter:
    lines: list[str] = field(default_factory=list)
    _said: list[str] = field(default_factory=list)
    _prefix: str = ""
    _numbers: list[int] = field(default_factory=list)
    """The last item's number in each open list, outermost first; -1 where the list has bullets."""

    def say(self, text: str) -> None:
        self._said.append(text)

    def enter(self, element: Element) -> None:
        name = element.name
        if name in BLOCKS or name == "br":
            self.end_line()
            if name not in _TIGHT and not (name in ("p", "div") and self._prefix):
                self._blank()
        if name in _HEADINGS:
            self._prefix = _HEADINGS[name]
        elif name in ("ul", "ol"):
            self._numbers.append(0 if name == "ol" else -1)
        elif name == "li":
            self._prefix = self._item_prefix()

    def leave(self, element: Element) -> None:
        name = element.name
        if name in BLOCKS:
            self.end_line()
            if name not in _TIGHT:
                self._blank()
        if name in ("ul", "ol"):
            self._numbers.pop()
        if name == "li" or name in _HEADINGS:
            self._prefix = ""

    def end_line(self) -> None:
        line = one_line("".join(self._said))
        self._said.clear()
        if line:
            self.lines.append(self._prefix + line)
            self._prefix = ""

    def write_block(self, lines: list[str]) -> None:
        self.end_line()
        self._blank()
        self.lines.extend(lines)
        self._blank()

    def _blank(self) -> None:
        if self.lines and self.lines[-1]:
            self.lines.append("")

    def _item_prefix(self) -> str:
        if not self._numbers or self._numbers[-1] < 0:
            return "- "
        self._numbers[-1] += 1
        return f"{self._numbers[-1]}. "
