"""HTML to a small tree of elements, by BeautifulSoup on lxml.

A page comes from anyone. BeautifulSoup on Python's own `html.parser` takes minutes for 400 kB of `<!--`; on lxml it is
linear. The tree nests no deeper than browsers do, so nothing after this needs to fear depth.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

MAX_DEPTH: Final = 500
"""Deeper elements become children of the last level (browsers stop at 512)."""


def names(listed: str) -> frozenset[str]:
    """Return a set of element names, written as one would say them."""
    return frozenset(listed.split())


BLOCKS: Final = names(
    "address article aside blockquote body caption center dd details dialog div dl dt fieldset figcaption figure "
    "footer form h1 h2 h3 h4 h5 h6 header hr html li main menu nav ol p pre section summary table tbody td tfoot th "
    "thead tr ul"
)
_EMPTIED: Final = names("script style noscript template")


@dataclass(slots=True, eq=False)
class Element:
    name: str
    attributes: dict[str, str] = field(default_factory=dict)
    parent: Element | None = None
    children: list[Element | str] = field(default_factory=list)

    def elements(self) -> list[Element]:
        """Return this element and all below it, parents before their children."""
        elements, at = [self], 0
        while at < len(elements):
            elements.extend(child for child in elements[at].children if isinstance(child, Element))
            at += 1
        return elements

    def first(self, name: str) -> Element | None:
        return next((element for element in self.elements() if element.name == name), None)

    def text(self) -> str:
        """Return all text below it, as it stands in the page."""
        parts, stack = list[str](), list[Element | str]([self])
        while stack:
            node = stack.pop()
            if isinstance(node, str):
                parts.append(node)
            else:
                stack.extend(reversed(node.children))
        return "".join(parts)


def parse_html(html: str) -> Element:
    """Parse the page into a tree under one root element named `html`; scripts and styles are empty, comments gone."""
    from bs4 import BeautifulSoup
    from bs4.element import Comment, PreformattedString, Tag

    soup = BeautifulSoup(html, "lxml")
    root = Element("html")
    # (node of the soup, where it goes, depth): an explicit stack, for a hostile page nests deeper than Python recurses
    waiting: list[tuple[object, Element, int]] = [(child, root, 0) for child in reversed(soup.contents)]
    while waiting:
        node, parent, depth = waiting.pop()
        if isinstance(node, Tag):
            inside = parent
            if node.name != "html" and depth < MAX_DEPTH:
                told = {at: " ".join(said) if isinstance(said, list) else str(said) for at, said in node.attrs.items()}
                inside = Element(node.name, told, parent)
                parent.children.append(inside)
            if node.name not in _EMPTIED:
                waiting.extend((child, inside, depth + 1) for child in reversed(node.contents))
        elif not isinstance(node, Comment | PreformattedString):
            parent.children.append(str(node))
    return root
