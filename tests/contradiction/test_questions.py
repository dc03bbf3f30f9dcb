"""Small corpora with a question each, through a whole session: nothing is raised falsely.

Most are by people who knew neither the engine nor each other's texts, in the words of guides, leaflets, minutes and
forum posts: two documents agree, one contradicts them, one is a near miss, and none says it in nearly the same words.
Those with `raised` say it so, and name the values of all that is raised; they were written before the engine was run on
them.
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
    wrong = []
    for number, case in enumerate(json.loads((CORPORA / f"{lang}.json").read_text("utf-8"))):
        outcome = work(tmp_path / str(number), case["documents"], lang, HashedNgrams(), goal=case["question"])
        if "raised" in case:
            conflicts = outcome.bank.conflicts.all.values()
            raised = {
                frozenset((pair.left.value, pair.right.value)) for each in conflicts for pair in each.contradictions
            }
            strange = raised ^ set(map(frozenset, case["raised"]))
        else:
            known = {pair for pair in outcome.raised if set(pair) <= set(case["documents"])}
            strange = known - set(map(tuple, case["conflicts"]))
        wrong += [(case["question"], strange)] if strange else []
    assert not wrong
