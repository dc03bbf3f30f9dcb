"""What one reader alone finds."""

from __future__ import annotations

from memorybank.contradiction import contradictions
from memorybank.contradiction.readers import READERS
from memorybank.memory.types import Contradiction, Reader


def by(reader: Reader, left: str, right: str) -> tuple[Contradiction, ...]:
    return contradictions(left, right, without=[one for one in READERS if one != reader])


def filled(left: str, right: str) -> tuple[Contradiction, ...]:
    """By known relations."""
    return by("relations", left, right)
