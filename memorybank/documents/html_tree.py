"""HTML to a tree of elements, in time linear in its length whatever it holds.

A page comes from anyone. Python's own `html.parser` takes minutes for 400 kB of `<!--`, and with it every library on
top; this reader scans each character once and nests no deeper than browsers do. It knows what text extraction needs of
the HTML standard: comments, raw text elements, void elements, quoted attributes, and end tags that may be left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from html import unescape
from typing import Final

MAX_DEPTH: Final = 500
"""Deeper elements become children of the last level (browsers stop at 512)."""


def names(listed: str) -> frozenset[str]:
    """A set of element names, written as one would say them."""
    return frozenset(listed.split())


BLOCKS: Final = names(
    "address article aside blockquote body caption center dd details dialog div dl dt fieldset figcaption figure "
    "footer form h1 h2 h3 h4 h5 h6 header hr html li main menu nav ol p pre section summary table tbody td tfoot th "
    "thead tr ul"
)
_VOID: Final = names("area base br col embed hr img input link meta param source track wbr")
_RAW: Final = {name: re.compile(rf"</{name}", re.IGNORECASE) for name in ("script", "style", "title", "textarea")}

_ROW_PARTS: Final = names("td th")
_ROWS: Final = _ROW_PARTS | {"tr"}
_TABLE_PARTS: Final = _ROWS | {"table", "thead", "tbody", "tfoot"}
_IMPLIED_ENDS: Final = {
    "li": names("li"),
    "dt": names("dt dd"),
    "dd": names("dt dd"),
    "td": _ROW_PARTS,
    "th": _ROW_PARTS,
    "tr": _ROWS,
    "tbody": _ROWS | {"thead", "tbody"},
    "tfoot": _ROWS | {"thead", "tbody"},
    "option": names("option"),
    "body": names("head"),
}
"""Opening the key ends these, up to the nearest list or table."""
_SCOPES: Final = names("ul ol dl menu table select html")

_TAG_NAME_RE = re.compile(r"</?([a-zA-Z][^\s/>]*)")
_STRAY_RE = re.compile(r"<(?:<(?![a-zA-Z/!?]))*")
_TAG_STOP_RE = re.compile(r"""=\s*["']|>""")
_ATTRIBUTE_RE = re.compile(r"""([^\s"'<>/=]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'<>]+)))?""")


@dataclass(slots=True, eq=False)
class Element:
    name: str
    attributes: dict[str, str] = field(default_factory=dict)
    parent: Element | None = None
    children: list[Element | str] = field(default_factory=list)

    def elements(self) -> list[Element]:
        """This element and all below it, parents before their children."""
        found, at = [self], 0
        while at < len(found):
            found.extend(child for child in found[at].children if isinstance(child, Element))
            at += 1
        return found

    def first(self, name: str) -> Element | None:
        return next((element for element in self.elements() if element.name == name), None)

    def text(self) -> str:
        """All text below it, as it stands in the page."""
        parts, stack = list[str](), list[Element | str]([self])
        while stack:
            node = stack.pop()
            if isinstance(node, str):
                parts.append(node)
            else:
                stack.extend(reversed(node.children))
        return "".join(parts)


def parse_html(html: str) -> Element:
    """The page as a tree under one root element named `html`; scripts and styles are empty, comments gone."""
    root = Element("html")
    stack = [root]
    for kind, name, rest in _tokens(html):
        if kind == "text":
            stack[-1].children.append(rest)
        elif kind == "open":
            _open(stack, name, rest)
        else:
            _close(stack, name)
    return root


def _tokens(html: str) -> Iterator[tuple[str, str, str]]:
    """(`text`, "", text), (`open`, name, attributes) and (`close`, name, "") in the page's order."""
    at, end = 0, len(html)
    while at < end:
        mark = html.find("<", at)
        if mark < 0:
            mark = end
        if mark > at:
            yield "text", "", unescape(html[at:mark])
        at = mark
        named = _TAG_NAME_RE.match(html, at)
        if named:
            at = _tag_end(html, named.end())
            name = named[1].lower()
            if html[mark + 1] == "/":
                yield "close", name, ""
                continue
            yield "open", name, html[named.end() : at - 1]
            if name in _RAW:
                closing = _RAW[name].search(html, at)
                stop = closing.start() if closing else end
                if name in ("title", "textarea"):
                    yield "text", "", unescape(html[at:stop])
                at = stop
        elif html.startswith("<!--", at):
            at = _after(html, "-->", at + 4)
        elif html.startswith(("<!", "<?", "</"), at):
            at = _after(html, ">", at + 2)
        elif at < end:  # a "<" that opens nothing is text, a run of them at once
            stray = _STRAY_RE.match(html, at)
            at = stray.end() if stray else at + 1
            yield "text", "", html[mark:at]


def _after(html: str, mark: str, start: int) -> int:
    """The place after the next `mark`; the end of the page when there is none, for then all of the rest is inside."""
    found = html.find(mark, start)
    return len(html) if found < 0 else found + len(mark)


def _tag_end(html: str, at: int) -> int:
    """The place after the `>` that ends this tag; a `>` inside a quoted value does not."""
    while stop := _TAG_STOP_RE.search(html, at):
        if stop[0] == ">":
            return stop.end()
        closing = html.find(stop[0][-1], stop.end())
        at = stop.end() if closing < 0 else closing + 1
    return len(html)


def _open(stack: list[Element], name: str, attributes: str) -> None:
    if name in BLOCKS:
        _end_paragraph(stack)
    for ended in _IMPLIED_ENDS.get(name, ()):
        _close(stack, ended, scopes=_SCOPES)
    parent = stack[-1]
    element = Element(name, _attributes(attributes), parent)
    parent.children.append(element)
    if name not in _VOID and len(stack) < MAX_DEPTH:
        stack.append(element)


def _attributes(source: str) -> dict[str, str]:
    return {
        match[1].lower(): unescape(match[2] or match[3] or match[4] or "")
        for match in _ATTRIBUTE_RE.finditer(source[:10_000])
    }


def _end_paragraph(stack: list[Element]) -> None:
    """A block ends the paragraph it stands in, through any inline elements between."""
    for depth in range(len(stack) - 1, 0, -1):
        if stack[depth].name == "p":
            del stack[depth:]
            return
        if stack[depth].name in BLOCKS:
            return


def _close(stack: list[Element], name: str, scopes: frozenset[str] = frozenset()) -> None:
    """End the nearest open element of this name; a stray end tag is left out.

    An inline end tag never ends a block, and nothing but a part of a table reaches out of a table's cell.
    """
    for depth in range(len(stack) - 1, 0, -1):
        open_name = stack[depth].name
        if open_name == name:
            del stack[depth:]
            return
        if open_name in scopes or (name not in BLOCKS and open_name in BLOCKS):
            return
        if open_name in _ROW_PARTS and name not in _TABLE_PARTS:
            return
