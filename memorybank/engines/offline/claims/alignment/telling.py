"""A clash of two frames in words: the claims, and the reason that is shown."""

from __future__ import annotations

from memorybank.engines.offline.claims.alignment.frames import Frame, Kind
from memorybank.engines.offline.claims.alignment.persons import told_apart
from memorybank.engines.offline.claims.alignment.subjects import runs
from memorybank.engines.offline.claims.describe import differing, is_chinese, opposed
from memorybank.engines.offline.claims.entity import spell
from memorybank.engines.offline.claims.phrases import is_han
from memorybank.types import Claim, Contradiction

CONFIDENCE = 0.6
"""Below that of a clash of parsed facts (0.9): the wording is compared, not understood."""
_KINDS: dict[Kind, tuple[str, str]] = {
    "date": ("日期", "date"),
    "place": ("地点", "place"),
    "name": ("人", "name"),
    "negation": ("状态", "state"),
    "number": ("", ""),
}


def told(left: Frame, right: Frame) -> Contradiction:
    left, right = told_apart(left, right)
    subject = _subject(left) or _subject(right) or left.value
    return Contradiction(
        left=_claim(left, subject),
        right=_claim(right, subject),
        reason=_reason(left, right, subject),
        confidence=CONFIDENCE,
    )


def _reason(left: Frame, right: Frame, subject: str) -> str:
    chinese = is_chinese(left.sentence)
    if left.kind == "negation":
        return opposed(left.value, right.value, subject, chinese=chinese)
    return differing(left.value, right.value, _attribute(left), subject, chinese=chinese)


def _subject(frame: Frame) -> str:
    if frame.names:
        return frame.sentence[frame.names[0].start : frame.names[0].end].strip("“”「」《》")
    if frame.carried and not is_han("".join(frame.carried[0])):
        return spell(frame.carried[0])
    return next(iter(runs(frame)), "") if is_han(frame.sentence) else ""


def _attribute(frame: Frame) -> str:
    chinese = is_chinese(frame.sentence)
    if frame.quantity is not None:
        word = frame.after or frame.before
        return (f"{word}的数量" if chinese else f"number of {word}") if not frame.quantity.dimension else word
    word = frame.before or frame.after
    zh, en = _KINDS[frame.kind]
    return f"{zh}（{word}）" if chinese else f"{en} ({word})"


def _claim(frame: Frame, subject: str) -> Claim:
    unit = frame.quantity.unit.name if frame.quantity and frame.quantity.unit else ""
    return Claim(
        text=frame.sentence,
        kind=frame.kind,
        subject=_subject(frame) or subject,
        attribute=_attribute(frame),
        value=frame.value,
        unit=unit or (frame.after if frame.quantity and not frame.quantity.unit else ""),
        polarity=not frame.negated,
    )
