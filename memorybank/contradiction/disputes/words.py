"""A dispute in words, for lists, answers and prompts."""

from __future__ import annotations

from memorybank.contradiction.disputes.dispute import Dispute, StatedValue
from memorybank.contradiction.words import alternatives, denied, heading, listed, matter, quoted
from memorybank.memory.types import Lang
from memorybank.prompts import say


def describe(dispute: Dispute, lang: Lang) -> str:
    """In one line: what is disputed, and each value with who states it; what holds comes first."""
    if not dispute.values:
        return dispute.description
    is_denied = bool(denied(dispute.claims))  # its two sentences say themselves what it is
    values = [_with_sources(value, lang, is_sentence=is_denied) for value in dispute.values]
    return listed(values, "" if is_denied else label(dispute, lang), lang)


def title(dispute: Dispute, lang: Lang) -> str:
    """Above its values: what is disputed. Where nothing names that, the values themselves; without any, its words."""
    name = heading(dispute.entity, _attribute(dispute), dispute.claims, lang)
    return name or alternatives([value.text for value in dispute.values], lang) or dispute.description


def label(dispute: Dispute, lang: Lang | None = None) -> str:
    """What is disputed, to open a line; the attribute is left out where the values say it.

    `lang`: of the words between the claims' own; None: that of the claims.
    """
    return matter(dispute.entity, _attribute(dispute), dispute.claims, lang)


def _attribute(dispute: Dispute) -> str:
    return "" if any(dispute.attribute in value.text for value in dispute.values) else dispute.attribute


def _with_sources(value: StatedValue, lang: Lang, *, is_sentence: bool) -> str:
    """A value with its sources."""
    text = quoted(value.text) if is_sentence else value.text
    sources = say("sources_between", lang).join(value.sources)
    return say("dispute_value", lang, value=text, sources=sources) if sources else text
