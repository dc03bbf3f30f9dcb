"""A file as a book: text, Markdown, HTML, PDF, DOCX or EPUB."""

from __future__ import annotations

import json
import signal
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from itertools import pairwise
from pathlib import PurePosixPath
from typing import Final, Literal, cast

from memorybank.documents import Document, read_bytes
from memorybank.documents.reader_process import ask_reader, running
from memorybank.errors import InputError, Notice, UnsafeInputError
from memorybank.runs.files.names import shown
from memorybank_studio.books.chapters import LONGEST_TITLE, Book, Chapter, chapters, counted, cut_at, without_contents
from memorybank_studio.books.headings import Heading, Rank, heading_of
from memorybank_studio.books.packed.blocks import Block, Reading
from memorybank_studio.books.story import markdown_blocks

SUFFIXES: Final = ("txt", "md", "html", "htm", "pdf", "docx", "epub")
_PROSE: Final = ("text", "page", "pdf")
_PACKED: Final = frozenset(("docx", "epub"))


def book_from_bytes(name: str, data: bytes, *, packed: PackedLimits | None = None) -> Book:
    """Return the book that was uploaded. Raises InputError as the readers do, and for what is no prose."""
    kind = PurePosixPath(name.replace("\\", "/")).suffix.lower().removeprefix(".")
    if kind not in _PACKED:
        return _book(read_bytes(name, data))
    taken = read_packed(cast("Packed", kind), shown(name), data, packed)
    title = taken.title or _title(name)
    left = tuple(sorted((what, count) for what, count in taken.left.items() if count))
    return Book(title=title, chapters=marked_chapters(taken.blocks, title=title), left=left)


def _book(document: Document) -> Book:
    if document.kind not in _PROSE:
        raise InputError("book.not_prose", name=document.name, kind=document.kind)
    ours = markdown_blocks(document.text) if document.media_type == "text/markdown" else None
    if ours is not None:
        return Book(title=ours.title, chapters=marked_chapters(ours.blocks, title=ours.title))
    title = _title(document.name)
    return Book(title=title, chapters=chapters(document.text, title=title))


def _title(name: str) -> str:
    return name.rpartition("/")[2].rpartition(".")[0] or name


# -- a marked-up text --------------------------------------------------------------------------------------------------
# * A file that the studio wrote names its chapters' numbers; they are taken as they stand.
# * Else chapters open at one level of headings: that of the headings with chapters' numbers where there are any, else
#   the shallowest level that comes again and has text below it. Above it are parts of the book, which go with the
#   chapter that follows.
# * Where the headings do not part the book, or its lines do it better (第一章 in every tenth line, all of it plain
#   text), it is cut as a text is, by `chapters`.


_APART = "\n\n"
_CHAPTERS = (Rank.CHAPTER, Rank.SECTION)


def marked_chapters(blocks: Sequence[Block], *, title: str = "") -> tuple[Chapter, ...]:
    """Every block but those of a title page is in exactly one chapter."""
    first = next((at for at, block in enumerate(blocks) if block.level), len(blocks))
    blocks = [block for at, block in enumerate(blocks) if not (block.front and at < first)] or blocks
    text, headings, marks = _as_text(blocks)
    if marks:
        own = [(heading, marks[heading.start]) for heading in headings if heading.start in marks]
        if _all_are_marked(headings, own):
            above = {heading.start for heading in headings} - marks.keys()
            return cut_at(text, own, headings, above, _marked_title)
    opening = _opening(text, headings)
    cuts = counted(without_contents(text, opening, headings))
    by_lines = chapters(text, title=title)
    if len(cuts) < 2 or (len(by_lines) > len(cuts) + 1 and not any(heading.rank in _CHAPTERS for heading in opening)):
        return by_lines
    above = {heading.start for heading in headings if heading.level < cuts[-1][0].level or heading.rank is Rank.VOLUME}
    return cut_at(text, cuts, headings, above, _marked_title)


def _as_text(blocks: Sequence[Block]) -> tuple[str, list[Heading], dict[int, int]]:
    """Return the blocks as one text, its headings, and by their starts the numbers that the studio gave to its own."""
    parts: list[str] = []
    headings: list[Heading] = []
    marks: dict[int, int] = {}
    start = 0
    for block in blocks:
        part = block.text + _APART
        if block.level and (heading := heading_of(block.text, start, start + len(part), block.level)):
            headings.append(heading)
            if block.mark is not None:
                marks[start] = block.mark
        parts.append(part)
        start += len(part)
    return "".join(parts), headings, marks


def _all_are_marked(headings: Sequence[Heading], own: Sequence[tuple[Heading, int]]) -> bool:
    """Whether nobody has added or moved chapters since: numbers ascend, and no other heading is of their level."""
    levels = {heading.level for heading, _ in own}
    others = sum(heading.level in levels for heading in headings) - len(own)
    return len(levels) == 1 and not others and all(earlier < later for (_, earlier), (_, later) in pairwise(own))


def _opening(text: str, headings: Sequence[Heading]) -> list[Heading]:
    """Return the headings of the chapters' level, and shallower ones with text of their own, as a prologue's."""
    following = dict(pairwise(heading.start for heading in headings))
    filled = {
        heading.start for heading in headings if text[heading.end : following.get(heading.start, len(text))].strip()
    }
    level = _level(headings, filled)
    alone = Counter(heading.level for heading in headings)
    return [
        heading
        for at, heading in enumerate(headings)
        if heading.level == level
        or (heading.level < level and heading.start in filled and (at or alone[heading.level] > 1))
    ]


def _level(headings: Sequence[Heading], filled: set[int]) -> int:
    numbered = Counter(heading.level for heading in headings if heading.rank in _CHAPTERS)
    if numbered:
        return numbered.most_common(1)[0][0]
    levels = Counter(heading.level for heading in headings)
    with_text = {heading.level for heading in headings if heading.start in filled}
    again = sorted(level for level in with_text if levels[level] > 1)
    return again[0] if again else min(with_text, default=0)


def _marked_title(text: str, heading: Heading, end: int) -> str:
    return heading.line[:LONGEST_TITLE]


Packed = Literal["docx", "epub"]

_SIGXCPU: Final = int(getattr(signal, "SIGXCPU", 0))


@dataclass(frozen=True, slots=True, kw_only=True)
class PackedLimits:
    file_bytes: int = 50_000_000
    parts: int = 10_000
    """Entries of the archive."""
    part_bytes: int = 60_000_000
    """The bytes that one part may unpack to; the text of a novel of a million characters takes some 10 million."""
    unpacked_bytes: int = 150_000_000
    """The bytes that all parts which are read may unpack to, together."""
    characters: int = 20_000_000
    memory_bytes: int = 1_500_000_000
    """The bytes of address space that the reading process may take."""
    seconds: float = 60.0
    """The seconds that the whole file may take, the start of the process included."""


_REFUSALS: Final[dict[str, tuple[type[InputError], str]]] = {
    "not_zip": (InputError, "packed.not_kind"),
    "not_docx": (InputError, "packed.not_kind"),
    "not_epub": (InputError, "packed.not_kind"),
    "damaged": (InputError, "packed.damaged"),
    "old_word": (InputError, "packed.old_word"),
    "password": (InputError, "packed.protected_docx"),
    "drm": (InputError, "packed.protected_epub"),
    "no_text": (InputError, "packed.no_text"),
    "entities": (UnsafeInputError, "packed.entities"),
    "parts": (UnsafeInputError, "packed.parts"),
    "unpacks": (UnsafeInputError, "packed.unpacks"),
    "characters": (UnsafeInputError, "packed.characters"),
    "memory": (UnsafeInputError, "packed.memory"),
    "time": (UnsafeInputError, "packed.time"),
}


def read_packed(kind: Packed, name: str, data: bytes, limits: PackedLimits | None = None) -> Reading:
    """Raises InputError when the file is not what its name says, encrypted, damaged or without text, UnsafeInputError
    when it would leave the limits, Cancelled when the call was stopped."""
    limits = limits or PackedLimits()
    if len(data) > limits.file_bytes:
        size, most = len(data) / 1e6, limits.file_bytes / 1e6
        raise UnsafeInputError("document.too_large", name=name, size=size, limit=most)
    try:
        arguments = [*running("memorybank_studio.books.packed.worker"), kind, json.dumps(asdict(limits))]
        answer, code = ask_reader(arguments, data, limits.seconds)
    except TimeoutError as error:
        raise _refusal(kind, name, "time", limits) from error
    if "blocks" in answer:
        return Reading.from_json(answer)
    # Killed: by its limit of processor time, or by a system short of memory.
    killed = "time" if code == -_SIGXCPU else "memory"
    raise _refusal(kind, name, answer.get("refused") or (killed if code < 0 else "damaged"), limits)


def _refusal(kind: Packed, name: str, reason: str, limits: PackedLimits) -> InputError:
    what = Notice("packed.docx") if kind == "docx" else Notice("packed.epub")
    if reason == "protected":
        reason = "password" if kind == "docx" else "drm"
    error, code = _REFUSALS[reason]
    return error(
        code,
        name=name,
        kind=what,
        parts=limits.parts,
        characters=limits.characters,
        megabytes=limits.unpacked_bytes // 1_000_000,
        seconds=limits.seconds,
    )
