"""The values that a statement of an answer writes: its numbers, dates and places, and the names that are disputed."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from memorybank.contradiction.describe import claim_of, shown
from memorybank.contradiction.disputes import Dispute
from memorybank.contradiction.entity_names import names_in
from memorybank.contradiction.frame import Frame
from memorybank.contradiction.matter import matter, opened
from memorybank.contradiction.readers import read
from memorybank.language import quotation
from memorybank.language.figures import figures
from memorybank.memory.types import NodeId
from memorybank.views.answer.sources import is_same_value
from memorybank.views.answer.statements import AnswerStatement

_PRONOUN_RE = re.compile(
    r"(?:it|its|he|she|they|their|this|that|these|which|who|there)\b|[它他她这那其该]", re.IGNORECASE
)
_LOWEST_WORDED = 10
"""A smaller number in words may be a way of speaking."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StatedHere:
    """A value as a statement of the answer writes it."""

    text: str
    about: str
    documents: tuple[str, ...]
    nodes: tuple[NodeId, ...]
    weak: bool = False
    """A place, or a number that may be a way of speaking: a value only where a source says it."""
    named: bool = False
    """A name that was read in prose: a value only where it is disputed."""


def values_of(statement: AnswerStatement, disputes: Sequence[Dispute]) -> list[StatedHere]:
    """The values of a statement, in its order: by its labels; else read by grammar, and those that are disputed."""
    if statement.labelled:
        return [
            StatedHere(
                text=statement.text[each.start : each.end],
                about=each.about,
                documents=each.cited.documents,
                nodes=(each.cited.node_id,) if each.cited.node_id else (),
            )
            for each in statement.labelled
        ]
    words = statement.words
    frames = [frame for frame in read(words).frames if frame.kind in ("number", "date", "name", "place")]
    taken: list[tuple[int, int]] = []
    found: list[tuple[int, StatedHere]] = []
    for frame in sorted(frames, key=lambda frame: (frame.start, -frame.end)):
        at = words.find(frame.sentence)
        start, end = at + frame.start, at + frame.end
        if at < 0 or any(start < last and first < end for first, last in taken):
            continue
        taken.append((start, end))
        found.append((start, _of_frame(frame, statement)))
    found += [(start, each) for start, each in _by_dispute(disputes, statement, words, taken)]
    names = [match.span() for name in names_in(words) for match in re.finditer(re.escape(name), words)]
    for figure in filter(lambda figure: figure.measured, figures(words)):
        if not any(figure.start < last and first < figure.end for first, last in [*taken, *names]):
            found.append((figure.start, stated_here(figure.written, "", statement)))
    return [each for _, each in sorted(found, key=lambda pair: pair[0])]


def _by_dispute(
    disputes: Sequence[Dispute], statement: AnswerStatement, words: str, taken: list[tuple[int, int]]
) -> Iterator[tuple[int, StatedHere]]:
    """Disputed values that no grammar reads in the statement, but that stand there word for word."""
    for value in (value for dispute in disputes for value in dispute.values):
        at = quotation.place(words, value.text)
        if at is not None and not any(at[0] < last and first < at[1] for first, last in taken):
            taken.append(at)
            yield at[0], replace(stated_here(words[at[0] : at[1]], "", statement), named=True)


def _of_frame(frame: Frame, statement: AnswerStatement) -> StatedHere:
    claim = claim_of(frame)
    subject = "" if _PRONOUN_RE.match(claim.subject) else claim.subject
    text = shown(claim)
    attribute = "" if claim.attribute and claim.attribute in text else claim.attribute
    about = opened(matter(subject, attribute, [claim])) if subject else ""
    weak = frame.kind == "place" or _is_low(frame, text)
    stated = stated_here(text, about, statement, weak=weak)
    return replace(stated, named=frame.kind == "name")


def _is_low(frame: Frame, text: str) -> bool:
    """Whether a number may be no more than a way of speaking: "two documents", "3 of them"."""
    measure = frame.measure
    if measure is None or measure.quantity.unit is not None:
        return False
    digits = sum(map(str.isdigit, text))
    return measure.quantity.high < _LOWEST_WORDED if not digits else digits < 2 and not measure.noun


def stated_here(text: str, about: str, statement: AnswerStatement, *, weak: bool = False) -> StatedHere:
    return StatedHere(text=text, about=about, documents=statement.documents, nodes=statement.nodes, weak=weak)


def value_in(words: str, value: str) -> bool:
    """Whether words say a value, however they write it."""
    if quotation.place(words, value) is not None:
        return True
    return any(is_same_value(value, shown(claim_of(frame))) for frame in read(words).frames if frame.kind != "text")
