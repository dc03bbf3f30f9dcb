"""What the judges on a language model are shown beside the drafts: all that any criterion measures by, each line once.

facts      of whoever and whatever is in the order and the drafts: what holds, traits and relations among it
notes      on the people in them, and settings
planned    the steps that are due, with the outlines above them
causes     what leads to the events they tell, and came before them
hooks      open ones
style      how the five chapters before sound
scenes     earlier ones with the people in them, and near to what they tell
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from memorybank.memory.types import Value
from memorybank_studio.creativity.lookups import MOST_FACTS, PASSAGE_CHARS, beginning
from memorybank_studio.creativity.options import Criterion, Draft, Request
from memorybank_studio.creativity.planned import due_steps
from memorybank_studio.hub.stores import Stores, foremost
from memorybank_studio.hub.verbalisation import tell_entity, tell_fact, tell_plan
from memorybank_studio.names import cast_from
from memorybank_studio.types import BEFORE, CAUSES, HAS_TRAIT, Chunk, Entity, EntityKey, EntityKind, Fact

MOST_ENTITIES: Final = 8
"""Of a draft, the first named first."""
SCENES: Final = 3
STYLE_CHAPTERS: Final = 5
STYLE_CHARS: Final = 700
"""Of each of the chapters before, from its middle: beginnings and ends sound alike in many books."""
SETTING_CHARS: Final = 400
MEASURES: Final = {Criterion.STYLE: ("style",), Criterion.GOAL: ("planned",)}
"""Criteria of which nothing can be said but by these kinds of evidence."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence(Value):
    """One kind of thing, a line each."""

    kind: str
    """`evidence_<kind>` of the prompts is its heading."""
    lines: tuple[tuple[str, str], ...]
    """Each with its id, `e1`, `e2` … through all kinds."""


def evidence(drafts: Sequence[Draft], request: Request, stores: Stores) -> tuple[Evidence, ...]:
    """Everything as of the drafts' chapter, each line once; kinds of which there is nothing are left out. Raises
    StoreUnavailableError."""
    seen = _Seen(drafts, request, stores, _named([request.asked, *(draft.text for draft in drafts)], stores))
    known: dict[str, str] = {}
    sections: list[Evidence] = []
    for kind, lines in seen.kinds():
        new = [line for line in dict.fromkeys(lines) if line and line not in known]
        known |= {line: f"e{number}" for number, line in enumerate(new, start=len(known) + 1)}
        if new:
            sections.append(Evidence(kind=kind, lines=tuple((known[line], line) for line in new)))
    return tuple(sections)


def _named(texts: Sequence[str], stores: Stores) -> tuple[Entity, ...]:
    """Whoever and whatever the order and the drafts name."""
    cast = cast_from(stores.facts.names())
    names = (key for text in texts for key in cast.names_in(text)[:MOST_ENTITIES])
    keys = [EntityKey(key) for key in dict.fromkeys(names)]
    entities = stores.facts.entities(keys)
    return tuple(entities[key] for key in keys if key in entities)


@dataclass(frozen=True, slots=True)
class _Seen:
    """Drafts with whom they name."""

    drafts: Sequence[Draft]
    request: Request
    stores: Stores
    entities: tuple[Entity, ...]

    def kinds(self) -> Iterator[tuple[str, Iterable[str]]]:
        facts, request, lang = self.stores.facts, self.request, self.request.lang
        steps = due_steps(self.stores.plans, request)
        plans = (*steps, *(plan for step in steps for plan in self.stores.plans.parents(step.key)))
        yield "facts", self._facts()
        yield "notes", (*self._notes(), *self._settings())
        yield "planned", (tell_plan(plan, lang) for plan in plans)
        yield "causes", self._causes()
        yield "hooks", (hook.name for hook, _ in facts.hooks(resolved=False, chapter=request.chapter))
        yield "style", style_samples(self.stores.archive.before(request.chapter, chapters=STYLE_CHAPTERS))
        yield "scenes", (*self._scenes_with(), *self._scenes_near())

    def _of(self, kind: EntityKind) -> list[Entity]:
        return [entity for entity in self.entities if entity.kind is kind]

    def _facts(self) -> Iterator[str]:
        """The foremost of each; of its traits and of what stands between the people here, all."""
        people = {person.key for person in self._of(EntityKind.CHARACTER)}

        def is_character(fact: Fact) -> bool:
            return fact.predicate == HAS_TRAIT or (fact.subject in people and fact.object in people)

        for entity in self.entities:
            held = self.stores.facts.about(entity.key, chapter=self.request.chapter)
            told = [fact for fact in held if fact.predicate not in (CAUSES, BEFORE)]
            yield from self._told((*foremost(told, MOST_FACTS), *filter(is_character, told)))

    def _told(self, facts: Iterable[Fact]) -> Iterator[str]:
        return (tell_fact(fact, self.stores.facts.entity, self.request.lang) for fact in facts)

    def _notes(self) -> Iterator[str]:
        for person in self._of(EntityKind.CHARACTER):
            if person.note:
                yield f"{tell_entity(person, self.request.lang)}: {person.note}"

    def _settings(self) -> Iterator[str]:
        for entity in self.entities:
            entry = self.stores.settings.exact(entity.name)
            if entry is not None:
                yield f"{entry.key}: {entry.text[:SETTING_CHARS]}"

    def _causes(self) -> Iterator[str]:
        """Of the events in the drafts, whenever that was."""
        facts = self.stores.facts
        for event in self._of(EntityKind.EVENT):
            before = (fact for fact in facts.about(event.key) if fact.predicate == BEFORE and fact.object == event.key)
            yield from self._told((*facts.causes(event.key), *before))

    def _scenes_with(self) -> Iterator[str]:
        """The latest with each of the first people."""
        for person in self._of(EntityKind.CHARACTER)[:SCENES]:
            yield from map(_passage, self.stores.archive.with_all([person.name], before=self.request.chapter, count=1))

    def _scenes_near(self) -> Iterator[str]:
        each = max(1, SCENES // len(self.drafts))
        for draft in self.drafts:
            near = self.stores.archive.search(draft.text[:PASSAGE_CHARS], count=each, before=self.request.chapter)
            yield from (_passage(hit.item) for hit in near if isinstance(hit.item, Chunk))


def _passage(chunk: Chunk) -> str:
    return f"[{chunk.chapter_id}] {beginning(chunk.text)}"


def style_samples(chunks: Sequence[Chunk], chars: int = STYLE_CHARS) -> Iterator[str]:
    """From each chapter so many characters of its middle."""
    chapters: dict[int, list[str]] = {}
    for chunk in chunks:
        chapters.setdefault(chunk.chapter_id, []).append(chunk.text)
    for number, texts in chapters.items():
        whole = "\n".join(texts)
        start = max(0, (len(whole) - chars) // 2)
        yield f"[{number}] {whole[start : start + chars]}"
