"""What a text claims, whether two texts contradict each other, and what a third says on it. No model is asked."""

from memorybank.contradiction.compare import contradictions
from memorybank.contradiction.independence import SourcePassage, near_identical
from memorybank.contradiction.readers.claims import extract
from memorybank.contradiction.ruling import Ruling, search_words, weigh
from memorybank.contradiction.stance import Stance, stance

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
