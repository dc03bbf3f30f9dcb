"""Claims: what a text states, whether two texts contradict each other, and what a third says on it. No model."""

from memorybank.engines.offline.claims.compare import contradictions
from memorybank.engines.offline.claims.evidence import (
    Ruling,
    SourcePassage,
    Stance,
    near_identical,
    search_words,
    stance,
    weigh,
)
from memorybank.engines.offline.claims.extract import extract

__all__ = [
    "Ruling",
    "SourcePassage",
    "Stance",
    "contradictions",
    "extract",
    "near_identical",
    "search_words",
    "stance",
    "weigh",
]
