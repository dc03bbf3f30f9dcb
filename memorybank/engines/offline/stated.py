"""Values that were asked for: what the passages state of the entity in question, each with the places that say it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from memorybank.contradiction.describe import claim_of
from memorybank.contradiction.readers.claims import read
from memorybank.contradiction.same_value import same_value
from memorybank.engines.offline.asking import Question
from memorybank.engines.offline.quotable import Passage
from memorybank.language.quotation import place
from memorybank.language.text import fold_space
from memorybank.memory.types import Claim, Span

_SIDE_RE = re.compile(r"\d\s*(?:by|x|×|乘)\s*$", re.IGNORECASE)
MOST = 3
"""Values told of one entity."""


@dataclass(slots=True, kw_only=True)
class Stated:
    """A value with the places that state it."""

    claim: Claim
    name: str
    """What was asked about, as the question writes it."""
    said_in: list[tuple[Passage, Span | None]] = field(default_factory=list)
    """The passages, each with its sentence in the raw text, as `Passage.place`."""


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
            if all(passage is not other for other, _ in home.said_in):
                start, end = place(passage.text, fact.sentence) or (0, len(passage.text))
                home.said_in.append((passage, passage.span(start, end)))
    return sorted(answers, key=lambda answer: -len(answer.said_in))[:MOST]
