"""The main text of an HTML page as plain lines: headings, paragraphs, lists and tables, without what surrounds them.

First what is never text is left out: navigation, forms, what is hidden, and blocks whose class says that they are
boilerplate. Then the smallest element is taken that still holds nearly all of the page's prose: text outside links,
counted by its punctuation (text and link density tell content from boilerplate: Kohlschütter et al., WSDM 2010). Where
the prose is spread out the whole page stays.

Nothing is fetched and nothing is run.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from memorybank.documents.html_tree import Element, names, parse_html
from memorybank.documents.lines import page_lines
from memorybank.documents.shown_images import shown_in_page
from memorybank.language.text import one_line

_NEVER_TEXT: Final = names(
    "head title script style nav footer aside iframe svg canvas object select textarea button video audio map "
    "dialog menu template noscript"
)
_BOILERPLATE_ROLES: Final = names("navigation complementary banner contentinfo search menu dialog")
_BOILERPLATE_RE: Final = re.compile(
    r"(?:^|[\s_-])(?:nav|navbar|menu|breadcrumbs?|sidebar|footer|cookies?|consent|share|sharing|social|related|"
    r"recommend(?:ed|ations)?|recirc|outbrain|taboola|promo|advert(?:isement)?s?|ads?|sponsored|newsletter|subscribe|signup|comments?|replies|disqus|"
    r"pagination|popup|modal|toolbar|skip-link|byline|tags|hidden|sr-only)(?:$|[\s_-])",
    re.IGNORECASE,
)
_CAMEL_RE: Final = re.compile(r"(?<=[a-z])(?=[A-Z])")
_HIDDEN_RE: Final = re.compile(r"display:\s*none|visibility:\s*hidden", re.IGNORECASE)
_KEEPERS: Final = names("html body main article h1 p")
_LEAVES: Final = names("p td th li pre tr ul ol dl table")
_PROSE_MARK_RE: Final = re.compile(r"[,.;:!?，。；：！？、]")
_KEPT_SHARE: Final = 0.85
"""An element with this share of the page's prose holds its main text."""


@dataclass(slots=True)
class _Weight:
    """The amount of text in an element and below it."""

    characters: int = 0
    prose: int = 0
    """The number of punctuation marks outside links."""


def read_webpage(html: str) -> tuple[str, tuple[str, ...]]:
    """Extract the page's main text, and the images in it as the page names them (shown_images.py).

    A line is a block, blocks are apart by a blank line; the text is empty when the page has none. Headings open with
    `#`, list items with `- `, table rows are `| cell | cell |`, `pre` keeps its lines in a fence.
    """
    page = parse_html(html)
    title = _title(page)
    _drop(page, lambda element: element.name in _NEVER_TEXT)
    weights = _weigh(page)
    limit = weights[page].characters / 2
    _drop(page, lambda element: _is_boilerplate(element) and weights[element].characters < limit)
    main = _main_element(page, _weigh(page))
    lines = page_lines(main)
    if lines and title and not any(line.startswith("# ") for line in lines):
        lines = [f"# {title}", "", *lines]
    return "\n".join(lines).rstrip("\n"), shown_in_page(main)


def _title(page: Element) -> str:
    """Return the page's name for itself: its first heading of the first level, else its title."""
    heading, title = page.first("h1"), page.first("title")
    if heading is not None and one_line(heading.text()):
        return one_line(heading.text())
    return one_line(title.text()) if title is not None else ""


def _drop(page: Element, unwanted: Callable[[Element], bool]) -> None:
    for element in page.elements():
        if any(isinstance(child, Element) and unwanted(child) for child in element.children):
            element.children = [child for child in element.children if isinstance(child, str) or not unwanted(child)]


def _is_boilerplate(element: Element) -> bool:
    attributes = element.attributes
    hidden = "hidden" in attributes or attributes.get("aria-hidden") == "true"
    if hidden or _HIDDEN_RE.search(attributes.get("style", "")):
        return True
    if element.name in _KEEPERS:
        return False
    marks = _CAMEL_RE.sub("-", f"{attributes.get('class', '')} {attributes.get('id', '')}")
    role = attributes.get("role") in _BOILERPLATE_ROLES
    # Some sites put their whole page into one form; what is most of the text is kept by its weight.
    return element.name == "form" or role or bool(_BOILERPLATE_RE.search(marks))


def _weigh(page: Element) -> dict[Element, _Weight]:
    """Weigh every element: its own text first, then each child's sum added to its parent, from the last up."""
    weights = {element: _own_weight(element) for element in page.elements()}
    for element, weight in reversed(weights.items()):
        if element.parent is not None and element is not page:
            above = weights[element.parent]
            above.characters += weight.characters
            above.prose += 0 if element.name == "a" else weight.prose
    return weights


def _own_weight(element: Element) -> _Weight:
    text = "".join(child for child in element.children if isinstance(child, str))
    return _Weight(characters=len(text.strip()), prose=len(_PROSE_MARK_RE.findall(text)))


def _main_element(page: Element, weights: dict[Element, _Weight]) -> Element:
    """Return the deepest element that holds the kept share of prose and is more than a paragraph, list or table."""
    element, whole = page, weights[page].prose
    while whole > 0:
        inner = [child for child in element.children if isinstance(child, Element) and child.name not in _LEAVES]
        best = max(inner, key=lambda child: weights[child].prose, default=None)
        if best is None or weights[best].prose < _KEPT_SHARE * whole:
            break
        element = best
    return element
