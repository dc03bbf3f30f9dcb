"""A dispute in words, for lists, answers and prompts."""

from __future__ import annotations

from memorybank.contradiction.describe import reason_of
from memorybank.contradiction.disputes.dispute import Dispute, StatedValue
from memorybank.contradiction.matter import alternatives, foreign_matter, listed, matter, opened
from memorybank.language.text import detect_lang
from memorybank.memory.types import Conflict, Lang
from memorybank.prompts import say

LANGS: tuple[Lang, ...] = ("en", "zh")


def describe(dispute: Dispute, lang: Lang) -> str:
    """In one line: what is disputed, and each value with who states it; what holds comes first."""
    if not dispute.values:
        return dispute.description
    return listed([with_sources(value, lang) for value in dispute.values], label(dispute, lang), lang)


def title(dispute: Dispute, lang: Lang) -> str:
    """Above its values: what is disputed. Where nothing names that, the values themselves; without any, its words."""
    return (
        opened(label(dispute, lang))
        or alternatives([value.text for value in dispute.values], lang)
        or dispute.description
    )


def label(dispute: Dispute, lang: Lang | None = None) -> str:
    """What is disputed, as it stands within a sentence; the attribute is left out where the values say it.

    `lang`: of the sentence; None: that of the claims.
    """
    is_written = any(dispute.attribute in value.text for value in dispute.values)
    claims = sorted(dispute.claims, key=lambda claim: claim.attribute != dispute.attribute)
    attribute = "" if is_written else dispute.attribute
    own = detect_lang(" ".join([dispute.entity, *(claim.text for claim in claims)]))
    if lang not in (None, own):
        return foreign_matter(dispute.entity, attribute, claims, lang)
    return matter(dispute.entity, attribute, claims)


def is_plain(conflict: Conflict) -> bool:
    """Whether a conflict's description says nothing but its values, which its dispute says with their sources."""
    pairs = conflict.contradictions
    return len(pairs) == 1 and any(
        conflict.description == reason_of([pairs[0].left, pairs[0].right], attribute, subject, lang)
        for attribute in {pairs[0].left.attribute, pairs[0].right.attribute}
        for subject in {pairs[0].left.subject, pairs[0].right.subject}
        for lang in LANGS
    )


def with_sources(value: StatedValue, lang: Lang) -> str:
    """A value with its sources."""
    if not value.sources:
        return value.text
    return say("dispute_value", lang, value=value.text, sources=say("sources_between", lang).join(value.sources))
