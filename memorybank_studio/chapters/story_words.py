"""How long the story is, chapter by chapter, and what its author wants to reach: words, of Chinese characters."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from memorybank.memory.types import Value
from memorybank_studio.chapters.manuscript import Manuscript
from memorybank_studio.counting import words_in
from memorybank_studio.hub.stores import Stores

MOST_GOAL: Final = 100_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Goals(Value):
    """Words that the author wants to write; 0: no goal."""

    story: int = 0
    chapter: int = 0
    day: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class ChapterWords:
    number: int
    title: str
    words: int
    in_writing: bool
    """It is a manuscript that the archive does not have as it stands."""


def story_words(stores: Stores, manuscripts: Iterable[Manuscript]) -> tuple[ChapterWords, ...]:
    """Every chapter of the archive, and those in writing: where both have a chapter, the manuscript stands for it.

    Raises StoreUnavailableError.
    """
    lengths = stores.archive.lengths()
    chapters = {
        number: ChapterWords(number=number, title=title, words=lengths.get(number, 0), in_writing=False)
        for number, title in stores.archive.chapters()
    }
    for manuscript in manuscripts:  # of two with one number the later counts
        if not manuscript.archived:
            chapters[manuscript.number] = ChapterWords(
                number=manuscript.number, title=manuscript.title, words=words_in(manuscript.text), in_writing=True
            )
    return tuple(chapters[number] for number in sorted(chapters))
