"""Planted contradictions through the product's own path: documents are filed, conflicts raised, checked, settled.

The engine without a model raises only what two clauses say alike but for one value, so it finds few of the planted
contradictions and must be right in each: no near miss, no other pair, no verdict but the truth's or "inconclusive".
"""

from __future__ import annotations

from pathlib import Path

import pytest

from memorybank.embedding.hashed import HashedNgrams
from memorybank.memory.types import ConflictStatus, Lang
from memorybank.tools.corpus import Corpus
from memorybank_lab.evaluation.planted.truth import read_truth
from tests.engines.offline.outcomes import work

ROOT = Path(__file__).parents[3]
GOAL = {"en": "What do the documents say, and what holds?", "zh": "这些文档说了什么，哪些成立？"}


@pytest.mark.parametrize(("lang", "floor"), [("en", 4), ("zh", 3)])
def test_the_demo_corpus_is_settled_as_its_truth_says(lang: Lang, floor: int, tmp_path: Path) -> None:
    truth = read_truth(ROOT / "assets/corpus/truth.yaml")[lang]
    documents = {document.name: document.text for document in Corpus.open(ROOT / "assets/corpus" / lang).documents}
    got = work(tmp_path / "run", documents, lang, HashedNgrams(), goal=GOAL[lang])
    found = got.found(truth)
    settled = [item for item, _, status in got.verdicts(truth) if status is not ConflictStatus.INCONCLUSIVE]
    assert not got.near_misses_raised(truth)
    assert not got.stray(truth)
    assert not got.mistaken(truth), "an engine that is not sure says inconclusive"
    assert len(found) >= floor
    assert settled, "what one document alone says against others is settled by them"
