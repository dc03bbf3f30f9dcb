"""Small corpora with a question each: two documents agree, one contradicts them, one is a near miss.

Thirty-nine of them, written by people who knew neither the engine nor each other's texts, in the words of guides,
leaflets, minutes, reports and forum posts; hard on purpose (one of the two that agree says it in free words, and the
near miss says the same of another version, part or time). None is said in nearly the same words: nothing may be raised falsely.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from memorybank.embedding.hashed import HashedNgrams
from memorybank.memory.types import Lang
from tests.engines.offline.outcomes import work

CORPORA = Path(__file__).parent / "questions"


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_corpora_with_a_question(lang: Lang, tmp_path: Path) -> None:
    cases = json.loads((CORPORA / f"{lang}.json").read_text("utf-8"))
    found = planted = false = 0
    told = []
    for number, case in enumerate(cases):
        got = work(tmp_path / str(number), case["documents"], lang, HashedNgrams(), goal=case["question"])
        true = {(one, other) for one, other in case["conflicts"]}
        raised = {pair for pair in got.raised if set(pair) <= set(case["documents"])}
        planted += bool(true)
        found += bool(true & raised)
        if raised - true:
            false += 1
            told.append((case["question"], sorted(raised - true)))
    print(
        f"\n{lang}: {found} of {planted} contradictions found, {false} of {len(cases)} corpora with a false one: {told}"
    )
    assert not false, told
