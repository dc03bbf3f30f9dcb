"""Lines of the record as a reader of a draft is shown them, with the words they were settled from."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from memorybank.language.text import fold_space
from memorybank.memory.types import Lang
from memorybank.prompts.lexicon import load
from memorybank_studio.continuity.findings import Against
from memorybank_studio.hub.verbalisation import tell, tell_entity, tell_fact, tell_plan
from memorybank_studio.types import HAS_STATUS, IN_CHAPTER, Entity, EntityKey, EntityKind, Fact, Plan, Setting
from memorybank_studio.wording import joined, say

SOURCE_CHARS: Final[dict[Lang, int]] = {"en": 90, "zh": 40}
TEXT_CHARS: Final = 300
"""Of a note, a setting or a plan."""
UNAWARE_OF: Final = "UNAWARE_OF"
MOST_PEOPLE: Final = 12
"""Named for one event."""


def prompts(lang: Lang) -> Mapping[str, str]:
    """What the model that reads a draft is told, in the language of its reasons."""
    return load(__package__, f"by_model.{lang}")


@dataclass(frozen=True, slots=True)
class RecordTeller:
    entity_of: Callable[[EntityKey], Entity | None]
    lang: Lang

    def heading(self, kind: str) -> str:
        return prompts(self.lang)[f"heading_{kind}"]

    def name(self, entity: Entity) -> str:
        """With its kind and the other names it goes by."""
        words = tell_entity(entity, self.lang)
        if not entity.aliases:
            return words
        return words + prompts(self.lang)["also"].format(names=joined(entity.aliases, self.lang))

    def note(self, entity: Entity) -> str:
        return _cut(entity.note, TEXT_CHARS)

    def setting(self, entry: Setting) -> str:
        return _cut(tell(entry, self.entity_of, self.lang), TEXT_CHARS)

    def fact(self, fact: Fact) -> str:
        words = tell_fact(fact, self.entity_of, self.lang)
        source = _cut(fact.origin.source, SOURCE_CHARS[self.lang])
        return words + prompts(self.lang)["source"].format(source=source) if source else words

    def plan(self, plan: Plan) -> str:
        return _cut(tell_plan(plan, self.lang), TEXT_CHARS)

    def topic(
        self, topic: Entity, facts: Sequence[Fact], here: Sequence[EntityKey], chapter: int
    ) -> tuple[str, Against]:
        """An event or a hook: when it is, who has to do with it and who of those `here` has not; and what says so.

        Of one with which nobody has to do it is not said who has not: nobody has put that on record.
        """
        words = prompts(self.lang)
        people = {
            end: entity.name
            for fact in facts
            if fact.since <= chapter and fact.predicate != UNAWARE_OF
            for end in (fact.subject, fact.object)
            if (entity := self.entity_of(end)) is not None and entity.kind is EntityKind.CHARACTER
        }
        others = [entity.name for key in here if key not in people and (entity := self.entity_of(key)) is not None]
        named = say("told_note", self.lang, told=topic.name, note=topic.note) if topic.note else topic.name
        parts = [_cut(named, TEXT_CHARS).rstrip(".。")]
        dated = [fact for fact in facts if fact.predicate in (IN_CHAPTER, HAS_STATUS)][-2:]
        parts += [_without(tell_fact(fact, self.entity_of, self.lang), topic.name) for fact in dated]
        for key, names in (("topic_with", tuple(people.values())), ("topic_without", others)):
            if people and names:
                parts.append(words[key].format(names=joined(names[:MOST_PEOPLE], self.lang)))
        every: list[Against] = [topic, *facts, *dated]
        return ("；" if self.lang == "zh" else "; ").join(parts), every[-1]


def _without(told: str, name: str) -> str:
    """A fact under its subject's name, without that name."""
    return told.removeprefix(name).strip()


def _cut(text: str, chars: int) -> str:
    words = fold_space(text)
    return words if len(words) <= chars else words[: chars - 1] + "…"
