"""Values that were asked for: what the passages state of exactly what is asked, each with the places that say it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from memorybank.contradiction.claims import ParsedClaim
from memorybank.contradiction.reading import read
from memorybank.contradiction.same_value import same_value
from memorybank.engines.offline.asking import Question
from memorybank.engines.offline.quotable import Passage
from memorybank.language.parse import Parse
from memorybank.language.quotation import place
from memorybank.language.text import HAN, fold_space
from memorybank.language.values import Quantity
from memorybank.memory.types import Claim, Span

MOST = 3
"""Values told of one part of a question."""
_WORD_RE: Final = re.compile(rf"\s?([a-zA-Z]{{3,}}|[{HAN}])")
"""What a number counts: towers, 层."""


@dataclass(slots=True, kw_only=True)
class Stated:
    """A value with the places that state it."""

    claim: Claim
    speaker: str = ""
    moment: str = ""
    """When the speaker said so, as it is written; empty outside of dialogues."""
    said_in: list[tuple[Passage, Span | None]] = field(default_factory=list)
    """The passages, each with its sentence in the raw text, as `Passage.place`."""


def stated(question: Question, passages: Sequence[Passage], parse: Parse) -> list[Stated]:
    """The values that answer: what a speaker said last first, then those with most sources."""
    answers: list[Stated] = []
    for passage in passages:
        for statement in read(passage.text, parse).statements:
            if not question.is_answered_by(statement) or fold_space(statement.claim.text) in passage.left_out:
                continue
            value = statement.value
            if isinstance(value, Quantity) and (value.bound != "exact" or value.approximate):
                continue  # "more than 2,600" is quoted as it is
            where = place(passage.text, statement.claim.text)
            if where is None:
                continue
            home = next((answer for answer in answers if _is_same(answer, statement)), None)
            if home is None:
                behind = _WORD_RE.match(passage.text[where[0] :].partition(statement.claim.value)[2])
                counted = behind is not None and statement.claim.kind == "number" and behind[1] in question.own
                claim = replace(statement.claim, unit=statement.claim.unit or (behind[1] if behind and counted else ""))
                home = Stated(claim=claim, speaker=statement.said.speaker, moment=statement.said.moment)
                answers.append(home)
            if all(passage is not other for other, _ in home.said_in):
                home.said_in.append((passage, passage.span(*where)))
    return sorted(answers, key=lambda answer: -len(answer.said_in))[:MOST]


def _is_same(answer: Stated, statement: ParsedClaim) -> bool:
    """Whether a statement gives a value that is known; what one speaker says twice stands as it was said last."""
    return answer.speaker == statement.said.speaker and same_value(answer.claim, statement.claim)
