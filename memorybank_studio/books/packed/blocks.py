"""The form that a word processor's file or an e-book is read into: paragraphs in their order, some of them headings."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from html.entities import html5
from typing import Any, Final

from lxml import etree

from memorybank_studio.books.packed.safe_zip import (
    CONTROL_RE,
    MOST_ATTRIBUTES,
    RefusedError,
    parse_xml,
    without_namespaces,
)

_SPACE_RE: Final = re.compile(r"[ \t\r\f\v]+")
MARK_RE: Final = re.compile(r"chapter[_-](\d{1,9})")
"""The name by which a file that the studio wrote calls a chapter: of a DOCX's bookmark, of an EPUB's section."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """A paragraph, a row of a table, or a heading."""

    text: str
    level: int = 0
    """A heading's level, from 1; else 0."""
    mark: int | None = None
    """The number by which the studio itself has marked this chapter."""
    front: bool = False
    """The file says that it belongs to a title page: it goes when it stands before the first chapter."""
    notes: tuple[str, ...] = ()
    """Footnotes that it refers to."""


@dataclass(slots=True)
class Reading:
    """The text that was read from a file, with what was left out of it."""

    title: str = ""
    blocks: list[Block] = field(default_factory=list)
    left: Counter[str] = field(default_factory=Counter)
    """The count of each kind of thing that was not taken: images, deletions, comments, contents, front."""
    notes: list[str] = field(default_factory=list)
    """Footnotes whose place was passed and that stand at the end of the section."""

    def add(self, block: Block) -> None:
        text = tidy(block.text)
        if not text:
            return
        if block.level:
            text = " ".join(text.split())
            self.end_section()
        self.blocks.append(replace(block, text=text, notes=()))
        self.notes += block.notes

    def end_section(self) -> None:
        """Let the footnotes stand that were waiting for the end of their chapter."""
        self.blocks.extend(Block(text=tidy(note)) for note in self.notes)
        self.notes.clear()

    def as_json(self) -> dict[str, Any]:
        self.end_section()
        return {
            "title": " ".join(tidy(self.title).split()),
            "blocks": [[block.text, block.level, block.mark, block.front] for block in self.blocks],
            "left": dict(self.left),
        }

    @classmethod
    def from_json(cls, answer: Mapping[str, Any]) -> Reading:
        blocks = [
            Block(text=text, level=level, mark=mark, front=front) for text, level, mark, front in answer["blocks"]
        ]
        return cls(title=answer["title"], blocks=blocks, left=Counter(answer["left"]))


def tidy(text: str) -> str:
    """Return a paragraph without what no text has: control characters, white space around its lines."""
    lines = (_SPACE_RE.sub(" ", line).strip() for line in CONTROL_RE.sub("", text).split("\n"))
    return "\n".join(line for line in lines if line)


def table_row(cells: list[str]) -> str:
    """Return one row as a line of text; empty when all of its cells are."""
    shown = [" ".join(tidy(cell).split()) for cell in cells]
    return f"| {' | '.join(shown)} |" if any(shown) else ""


_NAMED_RE: Final = re.compile(rb"&([A-Za-z][A-Za-z0-9]{1,31});")
_OF_XML: Final = frozenset((b"amp", b"lt", b"gt", b"quot", b"apos"))
_CLOSED_RE: Final = re.compile(rb"<(title|script|style|a|span|div|p|i|b|em)(\s[^<>]*)?/>", re.IGNORECASE)
_NEVER_SHOWN: Final = frozenset(("script", "style", "rt", "rp", "template", "head"))


def xhtml(data: bytes) -> Any:
    """Return the root of a page. Raises RefusedError: damaged, entities."""
    data = _NAMED_RE.sub(_as_number, data)
    try:
        return parse_xml(data)
    except RefusedError as refusal:
        if str(refusal) != "damaged":
            raise
    closed = _CLOSED_RE.sub(rb"<\1\2></\1>", b"".join(_without_heaps(data)))
    parser = etree.HTMLParser(no_network=True, huge_tree=False, remove_comments=True)
    root = etree.fromstring(closed, parser)
    if root is None or any(problem.level == etree.ErrorLevels.FATAL for problem in parser.error_log):
        raise RefusedError("damaged")  # it has ended before the page does
    return without_namespaces(root)


_VALUE: Final = rb"=\s*+(?:\"[^\"]*\"|'[^']*')?"
_VALUE_RE: Final = re.compile(_VALUE)
_TAG_RE: Final = re.compile(rb"<([A-Za-z][^\s/>=]*+)(?:[^>=]++|%b)*+(?:>|\Z)" % _VALUE)
_APART_RE: Final = re.compile(rb"[\s/]+")


def _without_heaps(data: bytes) -> Iterator[bytes]:
    """Yield a page piece by piece, without the attributes of a tag that has heaps of them: the reader of HTML compares
    each with all before it, and took minutes for 200,000."""
    done = 0
    while tag := _TAG_RE.search(data, done):
        yield data[done : tag.start()]
        attributes = len(_APART_RE.findall(_VALUE_RE.sub(b" ", tag[0])))
        yield b"<%b>" % tag[1] if attributes > MOST_ATTRIBUTES else tag[0]
        done = tag.end()
    yield data[done:]


def _as_number(match: re.Match[bytes]) -> bytes:
    """HTML's names of characters are unknown to XML without a DTD."""
    if match[1] in _OF_XML:
        return match[0]
    known = html5.get(f"{match[1].decode()};")
    return "".join(f"&#{ord(character)};" for character in known).encode() if known else match[0]


def types_of(element: Any) -> frozenset[str]:
    """Return the types that an element declares: `epub:type`, and `role` without the `doc-` of its words."""
    types = element.get("type", "").lower().split() if element.tag not in ("script", "object", "ol") else []
    return frozenset((*types, *(role.removeprefix("doc-") for role in element.get("role", "").lower().split())))


def text_of(element: Any) -> str:
    """Return all text below the element that is shown."""
    if element.tag in _NEVER_SHOWN:
        return ""
    return (element.text or "") + "".join(text_of(child) + (child.tail or "") for child in element)
