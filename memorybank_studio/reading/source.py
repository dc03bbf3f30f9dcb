"""Where a labelled line comes from, and the reasons that its rows are told with."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from memorybank.memory.types import Lang
from memorybank_studio.reading.lists import lists
from memorybank_studio.types import BEFORE_THE_STORY, Origin, TaskId

QUOTED: Final = 160
"""Characters of a line in a reason, and in an origin."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    task: TaskId
    lang: Lang
    """The language of the text."""
    told_in: Lang
    """The language of the reasons."""
    chapter: int | None = None
    turns: tuple[int, ...] = ()

    @property
    def since(self) -> int:
        return BEFORE_THE_STORY if self.chapter is None else self.chapter

    def origin(self, words: str) -> Origin:
        return Origin(task=self.task, chapter=self.chapter, source=words[:QUOTED], turns=self.turns)


def reason(key: str, lang: Lang, **values: str) -> str:
    return str(lists(f"reading.{lang}")[key]).format_map(values)
