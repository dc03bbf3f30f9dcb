"""A dispute in words, for lists, answers and prompts."""

from __future__ import annotations

from memorybank.contradiction.describe import reason_of
from memorybank.contradiction.disputes.dispute import Dispute, StatedValue
from memorybank.contradiction.matter import LONGEST_LISTED, alternatives, listed, matter, opened
from memorybank.memory.types import Conflict, Lang
from memorybank.prompts import say

LANGS: tuple[Lang, ...] = ("en", "zh")


def describe(dispute: Dispute, lang: Lang) -> str:
    """In one line: what is disputed, and each value with who states it; what holds comes first."""
    if not dispute.values:
        return dispute.description
    return listed([with_sources(value, lang) for value in dispute.values], label(dispute), lang)


def title(dispute: Dispute, lang: Lang) -> str:
    """Above its values: what is disputed. Where nothing names that, the values themselves; without any, its words."""
    return opened(label(dispute)) or alternatives([value.text for value in dispute.values], lang) or dispute.description


def headline(dispute: Dispute, lang: Lang) -> str:
    """Where the values stand nowhere else: what is disputed, and the values, if they are no sentences."""
    values = _with_one_unit([value.text for value in dispute.values], lang)
    if not values or not label(dispute) or max(map(len, values)) > LONGEST_LISTED:
        return title(dispute, lang)
    return listed(values, label(dispute), lang)


def label(dispute: Dispute) -> str:
    """What is disputed, as it stands within a sentence; the attribute is left out where the values say it."""
    is_written = any(dispute.attribute in value.text for value in dispute.values)
    claims = sorted(dispute.claims, key=lambda claim: claim.attribute != dispute.attribute)
    return matter(dispute.entity, "" if is_written else dispute.attribute, claims)


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


def _with_one_unit(values: list[str], lang: Lang) -> list[str]:
    """In English what all values end with is said once: 105 or 98 qubits."""
    units = {value.partition(" ")[2] for value in values}
    if lang == "zh" or len(values) < 2 or len(units) != 1 or not all(value[:1].isdigit() for value in values):
        return values
    return [*(value.partition(" ")[0] for value in values[:-1]), values[-1]]
