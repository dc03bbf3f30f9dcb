"""Values that were asked for: what the passages state of the entity in question, each with the places that say it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from memorybank.contradiction.describe import claim_of
from memorybank.contradiction.entity_names import is_named_in
from memorybank.contradiction.frame import Frame
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
        for name, fact in _answering(question, passage):
            claim = claim_of(fact)
            home = next((answer for answer in answers if same_value(answer.claim, claim)), None)
            if home is None:
                answers.append(home := Stated(claim=claim, name=name))
            if all(passage is not other for other, _ in home.said_in):
                start, end = place(passage.text, fact.sentence) or (0, len(passage.text))
                home.said_in.append((passage, passage.span(start, end)))
    return sorted(answers, key=lambda answer: -len(answer.said_in))[:MOST]


def _answering(question: Question, passage: Passage) -> Iterator[tuple[str, Frame]]:
    """What a passage states of each thing that is asked about: by its name, and only without that by "it" or the like.

    A text that has named a thing with its value gives another value for somebody else's: that is a misprint.
    """
    facts: dict[str, list[Frame]] = {}
    for fact in read(passage.text).frames:
        beside = _SIDE_RE.search(fact.sentence[: fact.start])  # 21 by 14 metres: one side of two
        if not beside and fold_space(fact.sentence) not in passage.left_out and question.is_answered_by(fact):
            name = next(named for named in question.names if question.is_about(named))
            facts.setdefault(name, []).append(fact)
    for name, own in facts.items():
        named = [fact for fact in own if is_named_in(fact.sentence, [name])]
        yield from ((name, fact) for fact in named or own)
