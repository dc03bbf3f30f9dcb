"""A book on its way into the archive, in a thread: chapter by chapter, with progress, to be stopped and gone on with.

Only chapters are written. People and facts found in them are proposals, each for a settlement of its own.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from memorybank.narrative.books.chapters import Book, Chapter
from memorybank.narrative.books.importing import ImportProgress
from memorybank.narrative.books.people import characters, people
from memorybank.narrative.creativity.lookups import Stores
from memorybank.narrative.extraction.facts import Source, from_story
from memorybank.narrative.extraction.mentions import EVENTS, Names
from memorybank.narrative.scheduler.drafts import DraftItem, joined
from memorybank.narrative.types import Chunk, Entity, EntityKind, Origin, TaskId
from memorybank.text import detect_lang
from memorybank.types import Lang
from memorybank.ui.studio.jobs import Job

if TYPE_CHECKING:
    from memorybank.narrative.studio import Studio


class Import:
    """Begun when it is made. One a studio at a time."""

    def __init__(self, studio: Studio, book: Book, remove: Sequence[int] = ()) -> None:
        """`remove`: chapters of the archive that the book does not have and that go with its last one."""
        self.book = book
        self.remove = tuple(remove)
        self.progress: ImportProgress | None = None
        self._stopping = threading.Event()
        self._studio = studio
        self._job = Job("import", self._run)

    def _run(self) -> None:
        for progress in self._studio.gateway.import_book(self.book, self.remove):
            self.progress = progress
            if self._stopping.is_set():
                return

    @property
    def running(self) -> bool:
        return self._job.running

    @property
    def stopped(self) -> bool:
        """Ended before its last chapter because it was told to."""
        return not self.running and self._stopping.is_set() and not self.complete

    @property
    def complete(self) -> bool:
        return self.progress is not None and self.progress.chapters == self.progress.chapters_in_all

    @property
    def error(self) -> BaseException | None:
        return self._job.error

    def stop(self) -> None:
        """After the chapter that is being written."""
        self._stopping.set()

    def wait(self, seconds: float) -> bool:
        return self._job.wait(seconds)


def chapters_of(chunks: Sequence[Chunk]) -> tuple[Chapter, ...]:
    """The archive's chapters, whole again."""
    texts: dict[int, list[Chunk]] = {}
    for chunk in chunks:
        texts.setdefault(chunk.chapter_id, []).append(chunk)
    return tuple(
        Chapter(number=number, title=parts[0].chapter_title, start=0, text="".join(part.text for part in parts))
        for number, parts in sorted(texts.items())
    )


def found_in(chapters: Sequence[Chapter]) -> tuple[DraftItem, ...]:
    """The chapters and the people in them, for a settlement. Costs seconds for a million characters."""
    named = [
        Entity(
            kind=EntityKind.CHAPTER,
            name=str(one.number),
            note=one.title,
            origin=Origin(task=_UNSIGNED, chapter=one.number),
        )
        for one in chapters
    ]
    return tuple(DraftItem(item=one, turns=()) for one in (*named, *characters(people(chapters), _UNSIGNED)))


def facts_in(stores: Stores, numbers: Sequence[int], lang: Lang) -> tuple[DraftItem, ...]:
    """What these chapters tell of the people and things on record, for a settlement; reasons in `lang`.

    About 15 seconds for a million characters.
    """
    names, events = Names.of(stores.facts), Names.of(stores.facts, kinds=EVENTS)
    drafts: list[DraftItem] = []
    for number in numbers:
        text = "".join(chunk.text for chunk in stores.archive.chapter(number))
        source = Source(task=_UNSIGNED, lang=detect_lang(text), told_in=lang, chapter=number)
        drafts += from_story(text, names, source, events)
    return joined(drafts)


_UNSIGNED: Final = TaskId("")
"""The task that proposes them signs them."""
