"""A dispute in words, for lists, answers and prompts."""

from __future__ import annotations

from typing import Final

from memorybank.contradiction.describe import about, listed, shown
from memorybank.contradiction.disputes.dispute import Dispute, StatedValue
from memorybank.memory.types import Conflict, Lang
from memorybank.prompts import say

LANGS: Final[tuple[Lang, ...]] = ("en", "zh")


def describe(dispute: Dispute, lang: Lang) -> str:
    """In one line: what is disputed, and each value with who states it; what holds comes first."""
    if not dispute.values:
        return dispute.description
    return listed([with_sources(value, lang) for value in dispute.values], dispute.attribute, dispute.entity, lang)


def is_plain(conflict: Conflict) -> bool:
    """Whether a conflict's description says nothing but its values, which its dispute says with their sources."""
    pairs = conflict.contradictions
    return len(pairs) == 1 and any(
        conflict.description == listed([shown(pairs[0].left), shown(pairs[0].right)], attribute, subject, lang)
        for attribute in {pairs[0].left.attribute, pairs[0].right.attribute}
        for subject in {pairs[0].left.subject, pairs[0].right.subject}
        for lang in LANGS
    )


def label(dispute: Dispute, lang: Lang) -> str:
    """Entity and attribute; the attribute is left out where the values say it."""
    is_written = any(dispute.attribute in value.text for value in dispute.values)
    return about(dispute.entity, "" if is_written else dispute.attribute, lang)


def with_sources(value: StatedValue, lang: Lang) -> str:
    """A value with its sources."""
    if not value.sources:
        return value.text
    return say("dispute_value", lang, value=value.text, sources=say("sources_between", lang).join(value.sources))
