"""Words written on each day, by the clock of this machine: how much longer the chapters in writing became.

A book that is imported is not written on that day, and a chapter that is dropped was.
"""

from __future__ import annotations

import time
from collections import Counter
from dataclasses import dataclass, field

from memorybank_studio.chapters.manuscript import Manuscript
from memorybank_studio.counting import words_in


def day_of(at: float) -> str:
    """`2026-03-01`; seconds since the epoch."""
    return time.strftime("%Y-%m-%d", time.localtime(at))


@dataclass(slots=True)
class WritingDays:
    words: Counter[str] = field(default_factory=Counter)

    def count(self, before: Manuscript | None, after: Manuscript | None, at: float) -> None:
        """A chapter as it stood and as it stands: of its texts only those are counted that differ."""
        if before is None or after is None:
            return
        old = Counter(piece.text for piece in before.pieces)
        new = Counter(piece.text for piece in after.pieces)
        change = sum(map(words_in, (new - old).elements())) - sum(map(words_in, (old - new).elements()))
        if change:
            self.words[day_of(at)] += change

    def on(self, day: str) -> int:
        """What came to be more on that day than was taken out."""
        return max(0, self.words[day])
