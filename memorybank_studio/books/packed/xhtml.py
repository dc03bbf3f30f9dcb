"""Pages of an e-book: parsed as XML where they are, as HTML where they are not; their types and plain text."""

from __future__ import annotations

import re
from html.entities import html5
from typing import Any, Final

from lxml import etree

from memorybank_studio.books.packed.safe_zip import RefusedError, parse_xml, without_namespaces

_NAMED_RE: Final = re.compile(rb"&([A-Za-z][A-Za-z0-9]{1,31});")
_OF_XML: Final = frozenset((b"amp", b"lt", b"gt", b"quot", b"apos"))
_CLOSED_RE: Final = re.compile(rb"<(title|script|style|a|span|div|p|i|b|em)(\s[^<>]*)?/>", re.IGNORECASE)
_NEVER_SHOWN: Final = frozenset(("script", "style", "rt", "rp", "template", "head"))


def xhtml(data: bytes) -> Any:
    """The root of a page. Raises RefusedError: damaged, entities."""
    data = _NAMED_RE.sub(_as_number, data)
    try:
        return parse_xml(data)
    except RefusedError as refusal:
        if str(refusal) != "damaged":
            raise
    closed = _CLOSED_RE.sub(rb"<\1\2></\1>", data)
    parser = etree.HTMLParser(no_network=True, huge_tree=False, remove_comments=True)
    root = etree.fromstring(closed, parser)
    if root is None or any(problem.level == etree.ErrorLevels.FATAL for problem in parser.error_log):
        raise RefusedError("damaged")  # it has ended before the page does
    return without_namespaces(root)


def _as_number(match: re.Match[bytes]) -> bytes:
    """HTML's names of characters are unknown to XML without a DTD."""
    if match[1] in _OF_XML:
        return match[0]
    known = html5.get(f"{match[1].decode()};")
    return "".join(f"&#{ord(character)};" for character in known).encode() if known else match[0]


def types_of(element: Any) -> frozenset[str]:
    """What it says that it is: `epub:type`, and `role` without the `doc-` of its words."""
    types = element.get("type", "").lower().split() if element.tag not in ("script", "object", "ol") else []
    return frozenset((*types, *(role.removeprefix("doc-") for role in element.get("role", "").lower().split())))


def text_of(element: Any) -> str:
    """All text below it that is shown."""
    if element.tag in _NEVER_SHOWN:
        return ""
    return (element.text or "") + "".join(text_of(child) + (child.tail or "") for child in element)
