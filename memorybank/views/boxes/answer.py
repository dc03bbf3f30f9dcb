"""The answer as lines, each citation a small link to its node instead of a list of file names."""

from __future__ import annotations

import re
from itertools import groupby

from memorybank.memory.types import Lang
from memorybank.views.box import Box, Piece, box
from memorybank.views.i18n import t
from memorybank.views.link import link
from memorybank.views.text.citations import CITATION_RE, names_of

_ITEM_RE = re.compile(r"\s*[-*•]\s+(?=\S)")
"""What begins a line of a list, in what models write and in what the offline engine writes."""


def answer_boxes(answer: str, lang: Lang) -> list[Box]:
    """Paragraphs and lists, as the answer has them; all else of its marks stays text."""
    boxes: list[Box] = []
    for is_list, lines in groupby(_lines(answer), key=lambda line: _ITEM_RE.match(line) is not None):
        if is_list:
            points = (box("li", "text", *_line(_ITEM_RE.sub("", line, count=1), lang)) for line in lines)
            boxes.append(box("ul", "points", *points))
        else:
            boxes += [box("p", "text", *_line(line, lang)) for line in lines]
    return boxes


def answer_lines(answer: str, lang: Lang) -> list[Box]:
    """A paragraph a line."""
    return [box("p", "text", *_line(line, lang)) for line in _lines(answer)]


def _lines(answer: str) -> list[str]:
    return [line for line in answer.splitlines() if line.strip()]


def _line(line: str, lang: Lang) -> list[Piece]:
    pieces: list[Piece] = []
    at = 0
    for match in CITATION_RE.finditer(line):
        pieces += [line[at : match.start()], _citation(match["node"], match["sources"] or "", lang)]
        at = match.end()
    return [*pieces, line[at:]]


def _citation(node: str, sources: str, lang: Lang) -> Box:
    names = names_of(sources)
    words = names[0] if len(names) == 1 else t("answer.sources", lang, count=len(names)) if names else node
    return box("span", "cite", words, title="\n".join([node, *names]), choose=link("node", node))
