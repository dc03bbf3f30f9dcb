"""What a model is told that reads a piece of a settlement's turns: the rules, what is on record, the sentences."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

from memorybank.llm.base import ChatMessage
from memorybank.memory.types import Lang
from memorybank.prompts.lexicon import load
from memorybank.prompts.tags import block
from memorybank_studio.hub.stores import Stores, last_chapter
from memorybank_studio.names import names_in
from memorybank_studio.relations import OFFERED, Relation
from memorybank_studio.settlement.numbered import NumberedSentence, as_lines, ranges
from memorybank_studio.types import PlanStatus

_MANY: Final = 6
"""Kinds that are as good as all."""
SHOWN_NAMES: Final = 200
"""Names on record that the model is told, and outlines: those that the sentences name first."""


def words_of(lang: Lang) -> dict[str, Any]:
    """What the model is told, and the reasons of its rows."""
    return load(__package__, f"by_model.{lang}")


@dataclass(frozen=True, slots=True)
class SettlementPrompt:
    piece: Sequence[NumberedSentence]
    """To be accounted for, as far as they count."""
    context: Sequence[NumberedSentence]
    """Just before the piece: read already, or nobody's to settle."""
    stores: Stores
    """With what was drafted of the pieces before."""
    rows: Sequence[tuple[int, str]]
    """Of the pieces before, by their numbers."""
    lang: Lang

    @property
    def numbers(self) -> frozenset[int]:
        return frozenset(sentence.number for sentence in (*self.context, *self.piece))

    @property
    def counted(self) -> frozenset[int]:
        return frozenset(sentence.number for sentence in self.piece if sentence.counts)

    def messages(self) -> tuple[ChatMessage, ...]:
        """What is the same for every settlement comes first."""
        words = words_of(self.lang)
        known = "\n".join(filter(None, (self._names(), self._plans(), self._stands())))
        rows = "\n".join(words["row"].format(number=number, told=told) for number, told in self.rows)
        parts = [
            block("memory", f"{words['known']}\n{known}") if known else "",
            block("memory", f"{words['so_far']}\n{rows}") if rows else "",
            block("memory", f"{words['before']}\n{self._lines(self.context)}") if self.context else "",
            block("task", self._lines(self.piece)),
            words["account"].format(numbers=ranges(self.counted)),
        ]
        return (
            ChatMessage(role="system", content=system_prompt(self.lang)),
            ChatMessage(role="user", content="\n\n".join(filter(None, parts))),
        )

    def asks_for(self, missing: Iterable[int]) -> str:
        return str(words_of(self.lang)["missing"].format(numbers=ranges(missing)))

    def _lines(self, sentences: Iterable[NumberedSentence]) -> str:
        words = words_of(self.lang)
        return as_lines(sentences, {"author": words["by_author"], "assistant": words["by_assistant"]})

    def _names(self) -> str:
        facts = self.stores.facts
        names = facts.names()
        told = " ".join(sentence.text for sentence in (*self.context, *self.piece))
        first = (*names_in(told, tuple(names)), *names)
        keys = list(dict.fromkeys(names[name] for name in first))[:SHOWN_NAMES]
        entities = facts.entities(keys)
        named = (
            f"{' / '.join((entity.name, *entity.aliases))} ({entity.kind})"
            for key in keys
            if (entity := entities.get(key)) is not None
        )
        return self._listed("names", named)

    def _plans(self) -> str:
        open_ = sorted(self.stores.plans.all(), key=lambda plan: plan.status is PlanStatus.COMPLETED)
        return self._listed(
            "plans", (f"{plan.title} ({plan.kind.name.lower()}, {plan.status.value})" for plan in open_[:SHOWN_NAMES])
        )

    def _listed(self, key: str, entries: Iterable[str]) -> str:
        listed = "; ".join(entries)
        return f"{words_of(self.lang)[key]}{listed}" if listed else ""

    def _stands(self) -> str:
        last = last_chapter(self.stores)
        return str(words_of(self.lang)["stands"].format(last=last)) if last else ""


@cache
def system_prompt(lang: Lang) -> str:
    """The rules, with every relation that is asked for, what it leads from and to."""
    words = words_of(lang)
    lines = "\n".join(
        f"- {relation.name} ({_ends(relation, lang)}): {words['relations'][relation.name]}" for relation in OFFERED
    )
    return f"{words['settler'].rstrip()}\n{lines}\n{words['own_relation']}"


def _ends(relation: Relation, lang: Lang) -> str:
    return f"{_kinds(relation.subjects, lang)} → {_kinds(relation.objects, lang)}"


def _kinds(kinds: Sequence[str], lang: Lang) -> str:
    return "/".join(kinds) if len(kinds) < _MANY else str(words_of(lang)["anything"])
