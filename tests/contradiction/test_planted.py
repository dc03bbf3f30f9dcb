"""Planted contradictions, text against text: recall and false alarms on seeded corpora of each language."""

from __future__ import annotations

from itertools import combinations

import pytest

from memorybank.contradiction import SourcePassage, contradictions, weigh
from memorybank.lab.evaluation.planted import variants
from memorybank.memory.types import Lang

VARIANTS = 8
"""Of the 20 that `test_corpora` runs through the whole product."""


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_most_is_found_and_near_misses_are_not(lang: Lang) -> None:
    planted = found = near = raised = stray = ruled = right = 0
    for variant in variants(lang, VARIANTS):
        documents, truth = variant.documents, variant.truth
        told = {
            pair: contradictions(documents[pair[0]], documents[pair[1]]) for pair in combinations(sorted(documents), 2)
        }
        planted += len(truth.conflicts)
        found += sum(any(told[pair] for pair in item.pairs) for item in truth.conflicts)
        near += len(truth.near_miss_pairs)
        raised += sum(bool(told[pair]) for pair in truth.near_miss_pairs)
        allowed = {*truth.conflict_pairs, *truth.false_alarm_pairs}
        stray += sum(bool(said) for pair, said in told.items() if pair not in allowed)
        for item in truth.conflicts[:5]:
            pair = item.pairs[0]
            if told[pair]:
                sides = dict(zip(pair, ("left", "right"), strict=True))
                sources = [
                    SourcePassage(source=name, text=text, party=sides.get(name)) for name, text in documents.items()
                ]  # type: ignore[arg-type]
                ruled += 1
                right += weigh(told[pair], sources).status.value in (item.verdict_of(pair), "inconclusive")
    print(
        f"\n{lang}: {found} of {planted} found ({found / planted:.0%}), {raised} of {near} near misses raised "
        f"({raised / near:.1%}), {stray} other pairs raised; {right} of {ruled} rulings right or left open"
    )
    assert found / planted >= 0.75
    assert raised / near <= 0.05
    assert stray <= 0.002 * VARIANTS * 1000
    assert right / ruled >= 0.95
