"""What a text claims, whether two texts contradict each other, and what a third says on it. No model is asked."""

from memorybank.contradiction.independence import SourcePassage, near_identical
from memorybank.contradiction.ruling import Ruling, weigh

__all__ = ["Ruling", "SourcePassage", "near_identical", "weigh"]
