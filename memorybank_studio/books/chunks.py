"""A chapter cut into passages of about 400 Chinese or 1,200 Latin characters; each character is in exactly one.

Cut at the end of a paragraph where one comes near the size, else of a sentence, and within a sentence only where it
alone is longer than a passage may be.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from memorybank.language.han import HAN
from memorybank.language.text import Piece, sentences
from memorybank_studio.books.chapters import Chapter
from memorybank_studio.names import Cast
from memorybank_studio.types import Chunk

SIZE = 1_200
"""Widths of a passage: a Latin character is 1 wide, a Han character 3."""
_MOST = 1_500
_PARAGRAPH = 800
"""From here on the end of a paragraph ends the passage."""
_REST = 300
"""What is left at the end and narrower goes with the passage before it."""
_HAN_WIDTH = 3

_HAN_RE = re.compile(f"[{HAN}\u3001-\u303f\uff01-\uff5e]")
_PAUSE_RE = re.compile(r"[，、；：,;:\s]")


def chunks(chapter: Chapter, cast: Cast) -> tuple[Chunk, ...]:
    """The chapter's passages with the names of the cast that each speaks of."""
    return tuple(
        Chunk(
            chapter_id=chapter.number,
            chapter_title=chapter.title,
            place=place,
            start=piece.start,
            end=piece.end,
            text=chapter.text[piece.start : piece.end],
            entity_list=cast.names_in(chapter.text[piece.start : piece.end]),
        )
        for place, piece in enumerate(passages(chapter.text))
    )


def passages(text: str) -> list[Piece]:
    """Where to cut. The pieces joined equal the text; an empty text has none."""
    pieces: list[Piece] = []
    start = wide = 0
    for part in _parts(text):
        more = width(text[part.start : part.end])
        if wide and wide + more > _MOST:
            pieces.append(Piece(start, part.start))
            start, wide = part.start, 0
        wide += more
        if wide >= SIZE or (wide >= _PARAGRAPH and text[part.end - 1] in "\n\r\u2029"):
            pieces.append(Piece(start, part.end))
            start, wide = part.end, 0
    if start < len(text):
        if pieces and wide < _REST:
            start = pieces.pop().start
        pieces.append(Piece(start, len(text)))
    return pieces


def width(text: str) -> int:
    return len(text) + (_HAN_WIDTH - 1) * len(_HAN_RE.findall(text))


def _parts(text: str) -> Iterator[Piece]:
    """Sentences, and pieces of those that are wider than a passage may be."""
    for sentence in sentences(text):
        start = sentence.start
        while width(text[start : min(sentence.end, start + _MOST + 1)]) > _MOST:
            end = _within(text, start, sentence.end)
            yield Piece(start, end)
            start = end
        yield Piece(start, sentence.end)


def _within(text: str, start: int, limit: int) -> int:
    """Where to cut a sentence that is too long: after its last pause within the size, else at the size."""
    end, wide = start, 0
    while end < limit and wide < SIZE:
        wide += _HAN_WIDTH if _HAN_RE.match(text[end]) else 1
        end += 1
    pauses = [pause.end() for pause in _PAUSE_RE.finditer(text, start + (end - start) // 2, end)]
    return pauses[-1] if pauses else end
