from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from memorybank.embedding.hashed import HashedNgrams
from memorybank.memory.types import Entry, EntryId
from memorybank.retrieval.passages import AROUND, PassageIndex
from memorybank.session.stages.recording import Source
from memorybank_lab.evaluation.retrieval import filed

GARDEN = """Ana: The greenhouse is finally standing.
Ben: What will you plant in the greenhouse?
Ana: Forty seedlings that my aunt gave me.
"""
STARS = """Ben: My telescope arrived yesterday.
Ana: Which planet did you see with the telescope?
Ben: Saturn, and its rings were clear.
"""
MILL = "The old mill burned down in 1911. It was rebuilt of brick. Today it houses a museum of paper."


def test_turns_and_sentences_come_back_word_for_word_with_their_memory() -> None:
    sources = [
        Source(name="spring", text=GARDEN, kind="dialogue"),
        Source(name="autumn", text=STARS, kind="dialogue"),
        Source(name="mill", text=MILL, kind="document"),
    ]
    with filed(sources, HashedNgrams()) as memory:
        bank, recall = memory.bank, memory.recall

        def found(question: str, count: int = 9) -> list[str]:
            recalled, _ = recall.for_text(question, bank.graph.nodes, k=5, alpha=0.5, share=0.5)
            passages = recall.passages(question, recalled.hits, bank.tree, count=count, alpha=0.5)
            for one in passages:
                assert bank.tree.entries[one.entry_id].text[one.start : one.end].strip() == one.text
                assert any(
                    span.entry_id == one.entry_id and span.start <= one.start < span.end
                    for span in bank.tree.spans[one.node_id]
                )
            assert [one.score for one in passages] == sorted((one.score for one in passages), reverse=True)
            return [one.text for one in passages]

        everything = found("What was rebuilt of brick?")
        assert everything[0] == "It was rebuilt of brick."
        assert len(everything) == len(set(everything)) == 9
        # The answer shares no word with the question; the turn before it asks the same.
        assert "Ana: Forty seedlings that my aunt gave me." in found("What did she plant in the greenhouse?", 3)
        assert found("telescope", 2) == found("telescope", 9)[:2]
        assert found("telescope", 0) == []
        assert recall.passages("telescope", (), bank.tree, count=5, alpha=0.5) == ()


def test_what_stands_around_a_passage_counts_within_its_entry_alone() -> None:
    """Against the definition, passage by passage: entries of one to seven sentences, scores drawn."""
    draw = np.random.default_rng(0)
    sizes = [1, 3, 7, 2, 5]
    index = PassageIndex(HashedNgrams())
    for number, size in enumerate(sizes):
        text = " ".join(f"Sentence {place} of report {number} is here." for place in range(size))
        entry = Entry(id=EntryId(f"e{number}"), kind="document", text=text, source="report", sha256="")
        assert len(index._read(entry)) == size
    own = draw.random(sum(sizes))
    expected = own.copy()
    starts = np.cumsum([0, *sizes])
    for first, end in pairwise(starts):
        for row in range(first, end):
            for distance, share in enumerate(AROUND, start=1):
                near = [own[other] for other in (row - distance, row + distance) if first <= other < end]
                expected[row] += share * max(near, default=0.0)
    assert index._around(own) == pytest.approx(expected)
