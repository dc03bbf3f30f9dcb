"""Corpora with planted contradictions, and the truth about them.

`variant(number, lang)` is a corpus of invented companies, chips, bridges … in which the same things are planted as in
the demo corpora; `read_truth(path)` reads the list that comes with the demo corpora. Both give a `PlantedTruth`, whose
pair lists say which documents contradict each other, which only look as if they did, and which say the same.

The engine under test may know nothing of the sentences here: they are what a reader would call a contradiction or not,
in close and in loose wording, with values in several written forms.
"""

from memorybank_lab.evaluation.planted.truth import (
    Pair,
    PlantedItem,
    PlantedStatement,
    PlantedTruth,
    Variant,
    read_truth,
    variant,
    variants,
)

__all__ = ["Pair", "PlantedItem", "PlantedStatement", "PlantedTruth", "Variant", "read_truth", "variant", "variants"]
