"""When two texts answer one question with values that exclude each other."""

from __future__ import annotations

from collections.abc import Sequence

from memorybank.engines.offline.claims import dates, values
from memorybank.engines.offline.claims.asked.answer import Answer
from memorybank.engines.offline.claims.asked.answers import answers
from memorybank.engines.offline.claims.asked.attributes import CLAIM_KIND
from memorybank.engines.offline.claims.asked.marks import apart
from memorybank.engines.offline.claims.asked.question import Asked, read
from memorybank.engines.offline.claims.asked.subject import Subject, subject_of
from memorybank.engines.offline.claims.describe import differing, is_chinese, opposed
from memorybank.text import sentences
from memorybank.types import Claim, Contradiction, Lang

CONFIDENCE = 0.5
"""Below that of the slots: by the words of one attribute that the question tells. Also the mark of these claims."""


def answered(left: str, right: str, question: str) -> tuple[Contradiction, ...]:
    """What two texts answer differently, symmetric in its verdict; nothing without a question."""
    found = (_between(left, right, asked) for asked in read(question))
    return tuple(one for one in found if one is not None)


def _between(left: str, right: str, asked: Asked) -> Contradiction | None:
    one, other = answers(left, asked), answers(right, asked)
    if not one or not other or not settled(one) or not settled(other):
        return None
    if not differs(one[0], other[0]) or apart(one[0].marks, other[0].marks):
        return None
    return _told(one[0], other[0], asked)


def one_on_another(contradiction: Contradiction, texts: tuple[str, str], question: str) -> bool:
    """Whether a claim is on something that only bears the name of what the question is about, or stands by it.

    "Kestrelmap Cloud has …", "Next door to the hall stands the mill. Its architect was …".
    """
    subject = subject_of(question) if question else None
    if subject is None:
        return False
    claims = contradiction.left, contradiction.right
    return any(subject.is_extended(claim.subject) or subject.is_placed_by(claim.text) for claim in claims) or any(
        _stood_by(text, subject) for text in texts
    )


def _stood_by(text: str, subject: Subject) -> bool:
    said = [text[one.start : one.end].strip() for one in sentences(text)]
    return any(map(subject.is_stood_by, said)) and not any(subject.names_own(one) for one in said)


def settled(found: Sequence[Answer]) -> bool:
    """Whether a text gives one answer: one that gives two tells them apart, or speaks of several things."""
    return not any(differs(found[0], other) for other in found[1:])


def differs(one: Answer, other: Answer) -> bool:
    if one.date is not None and other.date is not None:
        return dates.relate(one.date, other.date) == "different"
    if one.quantity is not None and other.quantity is not None:
        if one.quantity.dimension != other.quantity.dimension:
            return False
        return values.relate(one.quantity, other.quantity) == "different"
    left, right = (word.translate(_SAME) for word in (one.word, other.word))
    return not (left in right or right in left)


_SAME = str.maketrans("岩", "石")
"""花岗岩, 花岗石."""


def _told(one: Answer, other: Answer, asked: Asked) -> Contradiction:
    left, right = _claim(one, asked), _claim(other, asked)
    chinese = is_chinese(one.sentence)
    subject = asked.subject.text
    reason = (
        opposed(left.value, right.value, subject, chinese=chinese)
        if asked.attribute.kind == "property"
        else differing(left.value, right.value, left.attribute, subject, chinese=chinese)
    )
    return Contradiction(left=left, right=right, reason=reason, confidence=CONFIDENCE)


def _claim(answer: Answer, asked: Asked) -> Claim:
    lang: Lang = "zh" if is_chinese(answer.sentence) else "en"
    unit = answer.quantity.unit.name if answer.quantity and answer.quantity.unit else ""
    return Claim(
        text=answer.sentence, kind=CLAIM_KIND[asked.attribute.kind], subject=asked.subject.text,
        attribute=asked.attribute.told[lang], value=answer.value, unit=unit, polarity=answer.word != "no",
    )  # fmt: skip
