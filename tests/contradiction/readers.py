"""What one reader alone finds, and what two nodes are raised for."""

from __future__ import annotations

from memorybank.contradiction import contradictions
from memorybank.contradiction.readers import READERS
from memorybank.engines.offline.analysis import contradictions_between
from memorybank.memory.contracts import NodeInfo
from memorybank.memory.types import Contradiction, Reader


def by(reader: Reader, left: str, right: str) -> tuple[Contradiction, ...]:
    return contradictions(left, right, without=[one for one in READERS if one != reader])


def filled(left: str, right: str) -> tuple[Contradiction, ...]:
    """By known relations."""
    return by("relations", left, right)


def raised(left: str, right: str) -> list[tuple[str, str]]:
    """The values that two nodes of these summaries contradict each other in; either way round something or nothing."""
    one, other = (NodeInfo(summary=text, context="", keywords=()) for text in (left, right))
    forth, back = contradictions_between(one, other), contradictions_between(other, one)
    assert bool(forth) == bool(back), (left, right)
    return [(found.left.value, found.right.value) for found in forth]
