"""Facts as lines, each with the words that it was read from."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from memorybank.memory.types import Lang
from memorybank.views.box import Box, box
from memorybank.views.i18n import t
from memorybank_studio.types import Fact


def fact_lines(
    facts: Sequence[Fact], sentence: Callable[[Fact], str], lang: Lang, look: str = "", *, is_task_told: bool = False
) -> Box:
    """`sentence`: how a fact is told. `is_task_told`: also which task settled it."""
    return box("ul", "line-list", *(_line(fact, sentence(fact), lang, look, is_task_told) for fact in facts))


def _line(fact: Fact, sentence: str, lang: Lang, look: str, is_task_told: bool) -> Box:
    source, task = fact.origin.source, fact.origin.task
    return box(
        "li",
        look,
        box("p", "text", sentence),
        box("p", "muted small text", t("studio.fact_source", lang, words=source)) if source else None,
        box("p", "muted small text", t("studio.fact_task", lang, task=task)) if is_task_told else None,
    )
