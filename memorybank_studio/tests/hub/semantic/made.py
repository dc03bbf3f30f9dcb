"""Chunks and settings made for tests, and texts that mean harm."""

from __future__ import annotations

from collections.abc import Sequence

from memorybank.embedding.base import Matrix
from memorybank.embedding.hashed import HashedNgrams
from memorybank_studio.types import Chunk, Origin, Setting, TaskId
from tests.tables import tables


class Counting(HashedNgrams):
    """Tells how many texts it embedded."""

    def __init__(self) -> None:
        self.embedded = 0

    def documents(self, texts: Sequence[str]) -> Matrix:
        self.embedded += len(texts)
        return super().documents(texts)


ORIGIN = Origin(task=TaskId("t1"), chapter=3, source="他说：“好。”", turns=(1, 4))

HOSTILE: tuple[str, ...] = (*tables(__file__)["hostile"], "长" * 5_000)


def chapter(number: int, texts: Sequence[str], entities: Sequence[Sequence[str]] = ()) -> list[Chunk]:
    chunks, start = [], 0
    for place, text in enumerate(texts):
        chunks.append(
            Chunk(
                chapter_id=number,
                chapter_title=f"第{number}回",
                place=place,
                start=start,
                end=start + len(text),
                text=text,
                entity_list=tuple(entities[place]) if place < len(entities) else (),
            )
        )
        start += len(text)
    return chunks


def setting(key: str, text: str, category: str = "人物") -> Setting:
    return Setting(key=key, text=text, category=category, origin=ORIGIN)
