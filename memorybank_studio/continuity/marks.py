"""What the model that reads a draft answers with, and what of it counts.

A mark counts with words that stand in the draft and a line that was shown; without either it does not.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Final

from pydantic import BaseModel, ConfigDict

from memorybank.language.quotation import place
from memorybank.language.text import fold_space
from memorybank_studio.continuity.candidates import Candidate
from memorybank_studio.continuity.findings import Finding, FindingKind
from memorybank_studio.continuity.passages import Passage, Sentence
from memorybank_studio.types import Fact, normal

REASON_CHARS: Final = 400
_LEAST_QUOTE: Final = 2
_SENTENCE_RE: Final = re.compile(r"\W*(?:s|sentence )?(\d{1,6})\W*", re.IGNORECASE)
_LINE_RE: Final = re.compile(r"\W*(?:r|line r?)?(\d{1,6})\W*", re.IGNORECASE)


class MarkedSentence(BaseModel):
    """One sentence that cannot stand beside a line of the record."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    sentence: str
    quote: str
    against: str
    reason: str
    kind: FindingKind


class MarkedDraft(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")

    marks: tuple[MarkedSentence, ...]


class MarkedDraftSoFar(MarkedDraft):
    """With what the passages changed, for those that follow."""

    now: tuple[str, ...]


def findings_of(
    answer: MarkedDraft, shown: Mapping[int, Candidate], piece: Sequence[Passage], text: str
) -> tuple[Finding, ...]:
    """The marks that count, as findings: each of the sentence in which its quotation stands."""
    findings = []
    for mark in answer.marks:
        line = shown.get(_number(_LINE_RE, mark.against))
        sentence = _quoted(mark, piece, text)
        reason = _reason(mark.reason)
        if line is None or sentence is None or not reason:
            continue
        findings.append(
            Finding(
                kind=mark.kind,
                start=sentence.start,
                end=sentence.end,
                against=line.item,
                chapter=line.item.since if isinstance(line.item, Fact) else line.item.origin.chapter,
                reason=reason,
            )
        )
    return tuple(findings)


def _reason(written: str) -> str:
    return fold_space(written).strip()[:REASON_CHARS]


def _number(form: re.Pattern[str], written: str) -> int:
    """0 for what is no number of a sentence, or of a line."""
    match = form.fullmatch(written)
    return int(match[1]) if match else 0


def _quoted(mark: MarkedSentence, piece: Sequence[Passage], text: str) -> Sentence | None:
    """The sentence where the quotation begins: the one that is named, else another of its passage."""
    if len(normal(mark.quote)) < _LEAST_QUOTE:
        return None
    number = _number(_SENTENCE_RE, mark.sentence)
    for passage in piece:
        numbered = {sentence.number: sentence for sentence in passage.sentences}
        if number in numbered:
            if place(numbered[number].text, mark.quote):
                return numbered[number]
            found = place(text[passage.start : passage.end], mark.quote)
            starts = passage.start + found[0] if found else -1
            return next((sentence for sentence in passage.sentences if sentence.start <= starts < sentence.end), None)
    return None
