"""Drafts for a settlement out of imported chapters: the chapters themselves, and facts of people on record."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from memorybank.language.text import detect_lang
from memorybank.memory.types import Lang
from memorybank.narrative.books.chapters import Chapter
from memorybank.narrative.drafts import DraftItem, merged_drafts
from memorybank.narrative.hub.stores import Stores
from memorybank.narrative.reading.facts import Source, drafts_of
from memorybank.narrative.reading.mentions import Names
from memorybank.narrative.types import Chunk, Entity, EntityKind, Origin, TaskId


def chapters_of(chunks: Sequence[Chunk]) -> tuple[Chapter, ...]:
    """The archive's chapters, whole again."""
    texts: dict[int, list[Chunk]] = {}
    for chunk in chunks:
        texts.setdefault(chunk.chapter_id, []).append(chunk)
    return tuple(
        Chapter(number=number, title=parts[0].chapter_title, start=0, text="".join(part.text for part in parts))
        for number, parts in sorted(texts.items())
    )


def chapter_drafts(chapters: Sequence[Chapter]) -> tuple[DraftItem, ...]:
    """The chapters, for a settlement."""
    named = [
        Entity(
            kind=EntityKind.CHAPTER,
            name=str(chapter.number),
            note=chapter.title,
            origin=Origin(task=_UNSIGNED, chapter=chapter.number),
        )
        for chapter in chapters
    ]
    return tuple(DraftItem(item=entity, turns=()) for entity in named)


def fact_drafts(stores: Stores, numbers: Sequence[int], lang: Lang) -> tuple[DraftItem, ...]:
    """What these chapters tell of the people and things on record, for a settlement; reasons in `lang`.

    About 15 seconds for a million characters.
    """
    names = Names.of(stores.facts)
    drafts: list[DraftItem] = []
    for number in numbers:
        text = "".join(chunk.text for chunk in stores.archive.chapter(number))
        source = Source(task=_UNSIGNED, lang=detect_lang(text), told_in=lang, chapter=number)
        drafts += drafts_of(text, names, source).drafts
    return merged_drafts(drafts)


_UNSIGNED: Final = TaskId("")
"""The task that proposes them signs them."""
