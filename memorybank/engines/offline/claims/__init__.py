"""Claims: what a text states, whether two texts contradict each other, and what a third says on it. No model."""

from memorybank.engines.offline.claims.compare import contradictions
from memorybank.engines.offline.claims.independence import near_identical
from memorybank.engines.offline.claims.readers.claims import extract
from memorybank.engines.offline.claims.ruling import Ruling, SourcePassage, search_words, weigh
from memorybank.engines.offline.claims.stance import Stance, stance

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
