"""A contradiction counts only with the words of both memories: a quote that is not there is dropped."""

from __future__ import annotations

import re

from memorybank.engines.llm.wire import DisputedPoint
from memorybank.engines.offline.salience import mentions
from memorybank.language.text import NEGATION_RE, one_form, sentences
from memorybank.memory.contracts import NodeInfo
from memorybank.memory.types import Claim, ClaimKind, Contradiction

_OUTER = " \t\n\"'“”‘’「」…."


def contradiction(dispute: DisputedPoint, old: NodeInfo, new: NodeInfo, confidence: float) -> Contradiction | str:
    """The dispute with both sentences as the memories have them, or why it cannot stand."""
    sides = []
    for node, quote, value, whose in (
        (old, dispute.existing_quote, dispute.existing_value, "existing"),
        (new, dispute.new_quote, dispute.new_value, "new"),
    ):
        sentence = sentence_with(quote, node.summary)
        if not sentence:
            return f"the quote of the {whose} memory is not in it"
        written = _as_written(value, sentence)
        if not written:
            return f"its value is not in the quote of the {whose} memory"
        sides.append(_claim(sentence, written, dispute, node))
    left, right = sides
    if left.value.casefold() == right.value.casefold() and left.polarity == right.polarity:
        return "both sides have the same value"
    return Contradiction(left=left, right=right, reason=dispute.why or dispute.attribute, confidence=confidence)


def sentence_with(quote: str, text: str) -> str:
    """The sentence or sentences of a text that hold a quote, in one form; empty when it does not stand there.

    White space, case and the marks around a quote may differ; its words may not.
    """
    text = one_form(text)
    match = _match_of(quote, text)
    if match is None:
        return ""
    touched = [piece for piece in sentences(text) if piece.start < match.end() and piece.end > match.start()]
    return text[touched[0].start : touched[-1].end].strip()


def _as_written(value: str, sentence: str) -> str:
    match = _match_of(value, sentence)
    return match[0] if match else ""


def _match_of(quote: str, text: str) -> re.Match[str] | None:
    words = one_form(quote).strip(_OUTER).split()
    return re.search(r"\s+".join(map(re.escape, words)), text, re.IGNORECASE) if words else None


def _claim(sentence: str, value: str, dispute: DisputedPoint, node: NodeInfo) -> Claim:
    return Claim(
        text=sentence,
        kind=_kind(value),
        subject=dispute.subject or node.context,
        attribute=dispute.attribute,
        value=value,
        polarity=not NEGATION_RE.search(value),
    )


def _kind(value: str) -> ClaimKind:
    kinds = {mention.kind for mention in mentions(value)}
    if "date" in kinds:
        return "date"
    if "number" in kinds:
        return "number"
    if NEGATION_RE.search(value):
        return "negation"
    return "name" if "name" in kinds else "text"
