"""What a third text answers to the question that two others answer differently."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from memorybank.engines.offline.claims.asked.answer import Answer
from memorybank.engines.offline.claims.asked.answers import answers
from memorybank.engines.offline.claims.asked.attributes import attribute_called
from memorybank.engines.offline.claims.asked.comparing import CONFIDENCE, differs, settled
from memorybank.engines.offline.claims.asked.marks import marks
from memorybank.engines.offline.claims.asked.question import Asked, words_of
from memorybank.engines.offline.claims.asked.subject import subject_of
from memorybank.engines.offline.claims.describe import is_chinese
from memorybank.types import Claim, Contradiction


@dataclass(frozen=True, slots=True)
class Dispute:
    """The question that both claims answer, as far as the claims tell it, and their answers."""

    asked: Asked
    left: Answer
    right: Answer


def disputed(contradiction: Contradiction) -> Dispute | None:
    """None for a contradiction that was found in another way."""
    left, right = contradiction.left, contradiction.right
    if contradiction.confidence != CONFIDENCE:
        return None
    attribute = attribute_called(left.attribute, left.kind)
    subject = (
        subject_of(left.subject if is_chinese(left.subject) else f"What {left.subject}")
        if attribute and left.subject == right.subject
        else None
    )
    if attribute is None or subject is None:
        return None
    reference = f"{left.text} {right.text} {left.subject}"
    subject = replace(subject, question=reference)
    named = words_of(left.text) & words_of(right.text) - words_of(left.subject)
    asked = Asked(attribute=attribute, subject=subject, reference=reference, marks=marks(reference), object=named)
    sides = [_answer_of(claim, asked) for claim in (left, right)]
    return Dispute(asked, sides[0], sides[1]) if sides[0] and sides[1] else None


def _answer_of(claim: Claim, asked: Asked) -> Answer | None:
    """The claim's sentence read again, beside the name of what it was said of."""
    text = f"{asked.subject.text}\n{claim.text}"
    return next((one for one in answers(text, asked) if one.value == claim.value), None)


def stance(passage: str, dispute: Dispute) -> tuple[Literal["left", "right", "other", "neither"], str, str]:
    """Which side a text answers like, its value and its sentence; `neither` where it gives no one answer."""
    found = answers(passage, dispute.asked)
    if not found or not settled(found):
        return "neither", "", ""
    said = found[0]
    for side, against in (("left", dispute.left), ("right", dispute.right)):
        if not differs(said, against):
            return side, said.value, said.sentence  # type: ignore[return-value]
    return "other", said.value, said.sentence
