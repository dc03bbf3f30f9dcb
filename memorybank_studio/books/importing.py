"""Import of a book: its chapters go into the archive, one by one, and nothing goes anywhere else.

What is done is known from the archive itself, which holds a digest of each chapter, so an import that was stopped goes
on where it was, and importing an unchanged book again costs next to nothing. Names and facts are not its business:
a passage is indexed by the names that are on record, and nobody is guessed.
"""

from __future__ import annotations

import re
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from memorybank.language.text import HAN, Piece, sentences
from memorybank.memory.types import Value
from memorybank_studio.books.chapters import Book, Chapter
from memorybank_studio.hub.archive import Archive, version_of
from memorybank_studio.hub.facts import Facts
from memorybank_studio.names import Cast
from memorybank_studio.reading.mentions import Names
from memorybank_studio.types import Chunk, Entity


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportProgress(Value):
    """The report that is made after each chapter of an import."""

    number: int
    """The chapter's number, as the archive has it."""
    title: str
    unchanged: bool
    """It stood in the archive already."""
    chapters: int
    chapters_in_all: int
    characters: int
    seconds: float


def surplus_chapters(book: Book, archive: Archive) -> tuple[tuple[int, str], ...]:
    """Return chapters of the archive, with their titles, that a book which replaces what was imported does not have.

    A book that begins later than with chapter 1 is taken for a part: what comes before it is not left over.
    """
    own = {chapter.number for chapter in book.chapters}
    first = min(own, default=0)
    return tuple(
        (number, title) for number, title in archive.chapters() if number not in own and (first <= 1 or number > first)
    )


LEAST: Final = 3
"""Times that a short name stands alone in a book before it is offered."""


def short_names(book: Book, facts: Facts) -> dict[str, Entity]:
    """Return short names that the book uses (宝玉 of 贾宝玉), not on record and one person's, with whose they are."""
    names = Names.of(facts)
    both = names.with_short()
    known = {named.name for named in names.all}
    counts = Counter(mention.named for chapter in book.chapters for mention in both.find(chapter.text))
    short = {named.name: named.key for named, count in counts.items() if named.name not in known and count >= LEAST}
    people = facts.entities(short.values())
    return {name: people[key] for name, key in short.items() if key in people}


def import_book(
    book: Book, archive: Archive, cast: Cast, *, remove: Sequence[int] = (), clock: Callable[[], float] = time.monotonic
) -> Iterator[ImportProgress]:
    """Write the chapters, in order, and take out those to `remove` with the last. Stopping between two values leaves
    whole chapters; a kill, at worst one that the next import writes again. Raises as `Archive.put`, and
    ModelUnavailableError."""
    began = clock()
    versions = archive.versions()
    characters = 0
    for done, chapter in enumerate(book.chapters, start=1):
        passages = chunks(chapter, cast)
        unchanged = versions.get(chapter.number) == version_of(passages)
        if not unchanged:
            archive.put(passages)
        if done == len(book.chapters):
            archive.remove(remove)
        characters += len(chapter.text)
        yield ImportProgress(
            number=chapter.number,
            title=chapter.title,
            unchanged=unchanged,
            chapters=done,
            chapters_in_all=len(book.chapters),
            characters=characters,
            seconds=clock() - began,
        )


SIZE = 1_200
"""Widths of a passage: a Latin character is 1 wide, a Han character 3."""
_MOST = 1_500
_PARAGRAPH = 800
"""The width from which on the end of a paragraph ends the passage."""
_REST = 300
"""A rest at the end that is narrower than this is joined to the passage before it."""
_HAN_WIDTH = 3

_HAN_RE = re.compile(f"[{HAN}\u3001-\u303f\uff01-\uff5e]")
_PAUSE_RE = re.compile(r"[，、；：,;:\s]")


def chunks(chapter: Chapter, cast: Cast) -> tuple[Chunk, ...]:
    """Return the chapter's passages with the names of the cast that each speaks of."""
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
    """Return the pieces that a text is cut into. Joined they equal the text; an empty text has none."""
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
    """Yield sentences, and pieces of those that are wider than a passage may be."""
    for sentence in sentences(text):
        start = sentence.start
        while width(text[start : min(sentence.end, start + _MOST + 1)]) > _MOST:
            end = _within(text, start, sentence.end)
            yield Piece(start, end)
            start = end
        yield Piece(start, sentence.end)


def _within(text: str, start: int, limit: int) -> int:
    """Return where a sentence that is too long is cut: after its last pause within the size, else at the size."""
    end, wide = start, 0
    while end < limit and wide < SIZE:
        wide += _HAN_WIDTH if _HAN_RE.match(text[end]) else 1
        end += 1
    pauses = [pause.end() for pause in _PAUSE_RE.finditer(text, start + (end - start) // 2, end)]
    return pauses[-1] if pauses else end
