"""Drafts for a settlement out of imported chapters: the chapters themselves."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from memorybank_studio.books.chapters import Chapter
from memorybank_studio.drafts import DraftItem
from memorybank_studio.types import Chunk, Entity, EntityKind, Origin, TaskId


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


_UNSIGNED: Final = TaskId("")
"""The task that proposes them signs them."""
