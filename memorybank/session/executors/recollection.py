"""What may be quoted of a memory: the raw text behind it under its own document's name, then its own sentences.

No sentence is quoted that a check refuted. A sentence that only the memory has, in a model's words, stands in no
document and is cited as the memory's.
"""

from __future__ import annotations

from collections.abc import Iterator

from memorybank.contradiction.checks import refuted_by, standing_summary
from memorybank.engines.offline.quotable import Passage
from memorybank.language.text import fold_space, sentences
from memorybank.memory.types import Node
from memorybank.session.executors.base import Assignment

MEMORY_WEIGHT = 0.8
"""Weight of a memory's own sentence, where a sentence of a source weighs 1."""


def quotable_passages(given: Assignment, node: Node) -> Iterator[Passage]:
    """Yield the raw text behind a memory, what was refuted left out, then the memory's own sentences."""
    refuted = frozenset(sentence for conflict in given.closed for sentence in refuted_by(conflict))
    raw = [passage for passage in given.origins if passage.node_id == node.id]
    for passage in raw:
        yield Passage(source=f"{node.id}: {passage.source}", text=passage.text, left_out=refuted)
    known_texts = [fold_space(passage.text) for passage in raw]
    summary = standing_summary(node)
    for start, end in sentences(summary):
        sentence = summary[start:end].strip()
        if not any(fold_space(sentence) in text for text in known_texts):
            yield Passage(source=str(node.id), text=sentence, weight=MEMORY_WEIGHT)
