"""A clash of two fillings in words: the claims, and the reason that is shown."""

from __future__ import annotations

from memorybank.engines.offline.claims.describe import differing, is_chinese
from memorybank.engines.offline.claims.slots.filling import Filling
from memorybank.engines.offline.claims.slots.relations import LISTS
from memorybank.memory.types import Claim, ClaimKind, Contradiction

CONFIDENCE = 0.55
_TOLD = {"en": LISTS.classes("told_en"), "zh": LISTS.classes("told_zh")}
_CLAIM_KINDS: dict[str, ClaimKind] = {"person": "name", "name": "name", "place": "place", "date": "date"}


def told(left: Filling, right: Filling, topic: str) -> Contradiction:
    """`topic`: what both are said of, empty if it is not known by name."""
    one, other = _claim(left, topic), _claim(right, topic)
    chinese = is_chinese(left.sentence)
    reason = differing(one.value, other.value, one.attribute, topic, chinese=chinese)
    return Contradiction(left=one, right=other, reason=reason, confidence=CONFIDENCE, found_by="relations")


def attribute(filling: Filling) -> str:
    """What the relation is called, in the language of the sentence."""
    return " ".join(_TOLD["zh" if is_chinese(filling.sentence) else "en"][filling.relation])


def _claim(filling: Filling, topic: str) -> Claim:
    return Claim(
        text=filling.sentence, kind=_CLAIM_KINDS[filling.kind], subject=topic, attribute=attribute(filling),
        value=filling.value,
    )  # fmt: skip
