"""An answer cut into statements: each with what it cites, and with its words apart from its citations.

Two ways of citing are read: a memory with documents, `[n7: a.md, b.md]`, and the name of a document anywhere in the
text, as language models cite.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass

from memorybank.language.text import sentences
from memorybank.memory.types import NodeId
from memorybank.views.text.citations import CITATION_RE, names_of

POINT_RE = re.compile(r"\s*[-*•]\s+(?=\S)")
"""What begins a line of a list, in what models write and in what the offline engine writes."""
_HEADING_RE = re.compile(r"\s*#|.*[:：]\s*[*_]*\s*$")
_ASIDE_RE = re.compile(r"[(（][^()（）]*[)）]")
_LABEL_RE = re.compile(r"(?P<about>[^\[\]]+?)(?:[:：]\s+|：)(?=\S)")
_BETWEEN_RE = re.compile(r"\s*(?:[;；,，]\s*)?(?:\bor\s+|或(?:者|是)?)?")
LONGEST_VALUE = 160


@dataclass(frozen=True, slots=True, kw_only=True)
class Citation:
    start: int
    """Within the statement."""
    end: int
    node_id: NodeId | None
    documents: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Labelled:
    """A value that stands between a label and its own citation: “Willow”: 105 qubits [n7: a.md]."""

    about: str
    start: int
    end: int
    cited: Citation


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerStatement:
    text: str
    section: int
    """The heading that it stands under; 0: none."""
    in_list: bool
    follows: bool = False
    """Not the first of its line: what it is about may stand before it."""
    citations: tuple[Citation, ...] = ()
    labelled: tuple[Labelled, ...] = ()

    @property
    def words(self) -> str:
        """As long as `text`, with blanks where it cites."""
        characters = list(self.text)
        for start, end in self._asides():
            characters[start:end] = " " * (end - start)
        return "".join(characters)

    @property
    def plain(self) -> str:
        """What it says without what it cites."""
        return re.sub(r"\s+([.,;:!?])", r"\1", re.sub(r"[ \t]{2,}", " ", self.words)).strip()

    @property
    def documents(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(name for citation in self.citations for name in citation.documents))

    @property
    def nodes(self) -> tuple[NodeId, ...]:
        return tuple(dict.fromkeys(each.node_id for each in self.citations if each.node_id is not None))

    def _asides(self) -> Iterator[tuple[int, int]]:
        """Citations, each with all of the brackets that it stands in."""
        brackets = [match.span() for match in _ASIDE_RE.finditer(self.text)]
        for each in self.citations:
            yield next((span for span in brackets if span[0] <= each.start and each.end <= span[1]), None) or (
                each.start,
                each.end,
            )


def statements(answer: str, sources: Collection[str]) -> list[AnswerStatement]:
    """The statements in their order, headings left out. `sources`: names of the documents that it may cite."""
    names = [name for name in sorted(sources, key=len, reverse=True) if name in answer and re.search(r"[./]", name)]
    cut: list[AnswerStatement] = []
    section = 0
    for line in filter(str.strip, answer.splitlines()):
        if _HEADING_RE.match(line):
            section += 1
            continue
        cut += _of_line(line, names, section)
    return cut


def _of_line(line: str, names: Iterable[str], section: int) -> Iterator[AnswerStatement]:
    point = POINT_RE.match(line)
    body = line[point.end() :] if point else line
    labelled_before = False
    pieces = [(0, len(body))] if point else sentences(body)  # what a list item cites stands at its end
    for number, (start, end) in enumerate(pieces):
        text = body[start:end].strip()
        citations = tuple(_citations(text, names))
        labelled = () if point else tuple(_labelled(text, citations))
        if labelled_before and all(each.node_id is None for each in citations):
            continue  # how the values before it were checked: their dispute says it
        labelled_before |= bool(labelled)
        yield AnswerStatement(
            text=text,
            section=section,
            in_list=point is not None,
            follows=number > 0,
            citations=citations,
            labelled=labelled,
        )


def _citations(text: str, names: Iterable[str]) -> list[Citation]:
    found = [
        Citation(
            start=match.start(),
            end=match.end(),
            node_id=NodeId(match["node"]),
            documents=tuple(names_of(match["sources"] or "")),
        )
        for match in CITATION_RE.finditer(text)
    ]
    for name in names:
        for match in re.finditer(rf"(?<![\w/-]){re.escape(name)}(?![\w/-])", text, re.ASCII):
            if not any(match.start() < other.end and other.start < match.end() for other in found):
                found.append(Citation(start=match.start(), end=match.end(), node_id=None, documents=(name,)))
    return sorted(found, key=lambda citation: citation.start)


def _labelled(text: str, citations: Iterable[Citation]) -> Iterator[Labelled]:
    label = _LABEL_RE.match(text)
    if label is None:
        return
    at = label.end()
    for cited in citations:
        between = _BETWEEN_RE.match(text, at) if at > label.end() else None
        start = between.end() if between else at
        value = text[start : cited.start].rstrip()
        if cited.node_id is None or not value or len(value) > LONGEST_VALUE:
            return
        yield Labelled(about=label["about"], start=start, end=start + len(value), cited=cited)
        at = cited.end
