"""Planted contradictions through the product's own path: documents are filed, conflicts raised, checked, settled.

The engine without a model raises only what two clauses say alike but for one value, so it finds few of the planted
contradictions and must be right in each: no near miss, no other pair, no verdict but the truth's or "inconclusive".
How many it finds is printed (run with -s); the floors lie a little below what was measured.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from memorybank.embedding.hashed import HashedNgrams
from memorybank.memory.types import ConflictStatus, Lang
from memorybank.tools.corpus import Corpus
from memorybank_lab.evaluation.planted.truth import CONFLICTS, PlantedTruth, read_truth, variants
from tests.engines.offline.outcomes import Outcome, work

ROOT = Path(__file__).parents[3]
GOAL = {"en": "What do the documents say, and what holds?", "zh": "这些文档说了什么，哪些成立？"}


@pytest.mark.parametrize(("lang", "floor"), [("en", 3), ("zh", 3)])
def test_seeded_variants(lang: Lang, floor: int, tmp_path: Path) -> None:
    planted, found = 0, 0
    embedder = HashedNgrams()
    for seed, variant in enumerate(variants(lang, 4)):
        got = work(tmp_path / str(seed), variant.documents, lang, embedder, goal=GOAL[lang])
        planted += len(variant.truth.of(*CONFLICTS))
        found += len(got.found(variant.truth))
        _nothing_wrong_is_said(got, variant.truth)
    print(f"\n{lang}: {found} of {planted} planted contradictions found")
    assert found >= floor


@pytest.mark.parametrize(("lang", "floor"), [("en", 4), ("zh", 3)])
def test_the_demo_corpus_is_settled_as_its_truth_says(lang: Lang, floor: int, tmp_path: Path) -> None:
    truth = read_truth(ROOT / "assets/corpus/truth.yaml")[lang]
    documents = {document.name: document.text for document in Corpus.open(ROOT / "assets/corpus" / lang).documents}
    got = work(tmp_path / "run", documents, lang, HashedNgrams(), goal=GOAL[lang])
    found = got.found(truth)
    settled = [item for item, _, status in got.verdicts(truth) if status is not ConflictStatus.INCONCLUSIVE]
    print(f"\n{lang}: found {len(found)} of {len(truth.of(*CONFLICTS))} ({', '.join(found)}); settled: {settled}")
    _nothing_wrong_is_said(got, truth)
    assert len(found) >= floor
    assert settled, "what one document alone says against others is settled by them"


def _nothing_wrong_is_said(got: Outcome, truth: PlantedTruth) -> None:
    assert not got.near_misses_raised(truth)
    assert not got.stray(truth)
    assert not got.mistaken(truth), "an engine that is not sure says inconclusive"
