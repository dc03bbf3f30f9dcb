"""Values that were asked for: what the passages state of the entity in question, each with its sources."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from memorybank.contradiction.describe import claim_of
from memorybank.contradiction.readers.claims import read
from memorybank.contradiction.same_value import same_value
from memorybank.engines.offline.asking import Question
from memorybank.engines.offline.quotable import Passage
from memorybank.language.text import fold_space
from memorybank.memory.types import Claim

_SIDE_RE = re.compile(r"\d\s*(?:by|x|×|乘)\s*$", re.IGNORECASE)
MOST = 3
"""Values told of one entity."""


@dataclass(slots=True, kw_only=True)
class Stated:
    """A value with the passages' sources that state it."""

    claim: Claim
    name: str
    """What was asked about, as the question writes it."""
    sources: list[str] = field(default_factory=list)


def stated(question: Question, passages: Sequence[Passage]) -> list[Stated]:
    """The values that answer, those with most sources first; in a source's own order else."""
    answers: list[Stated] = []
    for passage in passages:
        for fact in read(passage.text).frames:
            beside = _SIDE_RE.search(fact.sentence[: fact.start])  # 21 by 14 metres: one side of two
            if beside or fold_space(fact.sentence) in passage.left_out or not question.is_answered_by(fact):
                continue
            claim = claim_of(fact)
            name = next(named for named in question.names if question.is_about(named))
            home = next((answer for answer in answers if same_value(answer.claim, claim)), None)
            if home is None:
                answers.append(home := Stated(claim=claim, name=name))
            if passage.source not in home.sources:
                home.sources.append(passage.source)
    return sorted(answers, key=lambda answer: -len(answer.sources))[:MOST]
