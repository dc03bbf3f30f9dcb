"""What a judge on a language model is shown beside the draft: for each criterion that against which it is measured.

consistency   facts and settings of whoever is in the draft, and the steps that are still planned
character     traits, relations and notes of the people in it, and earlier scenes with them
cause         what those in it have and can, what led to the events it tells, and earlier scenes that are near
style         how the five chapters before sound
tension       who in it is against whom, open hooks, the next step
goal          the step in progress or next, with the outlines above it
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from memorybank.memory.types import Lang, Value
from memorybank.narrative.creativity.judges import AGAINST, due_steps
from memorybank.narrative.creativity.lookups import MOST_FACTS, PASSAGE_CHARS
from memorybank.narrative.creativity.options import Criterion, Draft, Request
from memorybank.narrative.hub.stores import Stores, foremost
from memorybank.narrative.hub.verbalisation import tell_entity, tell_fact, tell_plan
from memorybank.narrative.names import cast_from
from memorybank.narrative.types import BEFORE, CAUSES, HAS_TRAIT, Chunk, Entity, EntityKey, EntityKind, Fact

MOST_ENTITIES: Final = 8
SCENES: Final = 3
STYLE_CHAPTERS: Final = 5
STYLE_CHARS: Final = 700
"""Of each of the chapters before, from its middle: beginnings and ends sound alike in many books."""
SETTING_CHARS: Final = 400


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence(Value):
    """One kind of thing, a line each."""

    kind: str
    """`evidence_<kind>` of the prompts is its heading."""
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Seen:
    """A draft with whom it names, the first named first."""

    draft: Draft
    request: Request
    stores: Stores
    entities: tuple[Entity, ...]

    def of(self, *kinds: EntityKind) -> list[Entity]:
        return [entity for entity in self.entities if entity.kind in kinds]

    def facts(self, keep: Callable[[Fact], bool] = lambda fact: True, *, most: int = MOST_FACTS) -> Iterator[str]:
        """What holds of everything named, told."""
        for entity in self.entities:
            held = self.stores.facts.about(entity.key, chapter=self.request.chapter)
            for fact in foremost([fact for fact in held if keep(fact)], most):
                yield tell_fact(fact, self.stores.facts.entity, self.request.lang)


def evidence(criterion: Criterion, draft: Draft, request: Request, stores: Stores) -> tuple[Evidence, ...]:
    """Everything as of the draft's chapter; kinds of which there is nothing are left out. Raises
    StoreUnavailableError."""
    seen = _Seen(draft, request, stores, _named(draft.text, stores))
    sections = ((kind, tuple(dict.fromkeys(line for line in lines if line))) for kind, lines in _KINDS[criterion](seen))
    return tuple(Evidence(kind=kind, lines=lines) for kind, lines in sections if lines)


def _named(text: str, stores: Stores) -> tuple[Entity, ...]:
    cast = cast_from(stores.facts.names())
    keys = [EntityKey(key) for key in cast.names_in(text)][:MOST_ENTITIES]
    entities = stores.facts.entities(keys)
    return tuple(entities[key] for key in keys if key in entities)


_Kinds = Iterator[tuple[str, Iterable[str]]]


def _consistency(seen: _Seen) -> _Kinds:
    yield "facts", seen.facts()
    yield "settings", _settings(seen, seen.entities)
    yield "planned", (tell_plan(step, seen.request.lang) for step in due_steps(seen.stores.plans, seen.request))


def _character(seen: _Seen) -> _Kinds:
    people = {person.key for person in seen.of(EntityKind.CHARACTER)}
    yield "traits", seen.facts(lambda fact: fact.predicate == HAS_TRAIT)
    yield "relations", seen.facts(lambda fact: fact.subject in people and fact.object in people)
    yield "notes", (_noted(person, seen.request.lang) for person in seen.of(EntityKind.CHARACTER))
    yield "settings", _settings(seen, seen.of(EntityKind.CHARACTER))
    yield "scenes", _scenes_with(seen, seen.of(EntityKind.CHARACTER))


def _cause(seen: _Seen) -> _Kinds:
    yield "facts", seen.facts(lambda fact: fact.predicate not in (CAUSES, BEFORE))
    yield "causes", _causes(seen)
    yield "scenes", _scenes_near(seen)


def _style(seen: _Seen) -> _Kinds:
    yield "style", _samples(seen.stores.archive.before(seen.request.chapter, chapters=STYLE_CHAPTERS))


def _tension(seen: _Seen) -> _Kinds:
    present = {entity.key for entity in seen.entities}
    yield "relations", seen.facts(lambda fact: fact.predicate in AGAINST and {fact.subject, fact.object} <= present)
    yield "hooks", (hook.name for hook, _ in seen.stores.facts.hooks(resolved=False, chapter=seen.request.chapter))
    yield "planned", (tell_plan(step, seen.request.lang) for step in due_steps(seen.stores.plans, seen.request))


def _goal(seen: _Seen) -> _Kinds:
    steps = due_steps(seen.stores.plans, seen.request)
    outlines = (plan for step in steps for plan in seen.stores.plans.parents(step.key))
    yield "goal", (tell_plan(step, seen.request.lang) for step in steps)
    yield "outlines", (tell_plan(plan, seen.request.lang) for plan in outlines)


_KINDS: Final[Mapping[Criterion, Callable[[_Seen], _Kinds]]] = {
    Criterion.CONSISTENCY: _consistency,
    Criterion.CHARACTER: _character,
    Criterion.CAUSE: _cause,
    Criterion.STYLE: _style,
    Criterion.TENSION: _tension,
    Criterion.GOAL: _goal,
}


# -- lines ------------------------------------------------------------------------------------------------------------


def _noted(entity: Entity, lang: Lang) -> str:
    return f"{tell_entity(entity, lang)}: {entity.note}" if entity.note else ""


def _settings(seen: _Seen, entities: Iterable[Entity]) -> Iterator[str]:
    for entity in entities:
        entry = seen.stores.settings.exact(entity.name)
        if entry is not None:
            yield f"{entry.key}: {entry.text[:SETTING_CHARS]}"


def _causes(seen: _Seen) -> Iterator[str]:
    """What led to the events of the draft, and what came before them, whenever that was."""
    facts, lang = seen.stores.facts, seen.request.lang
    for event in seen.of(EntityKind.EVENT):
        before = (fact for fact in facts.about(event.key) if fact.predicate == BEFORE and fact.object == event.key)
        for fact in (*facts.causes(event.key), *before):
            yield tell_fact(fact, facts.entity, lang)


def _scenes_with(seen: _Seen, people: Sequence[Entity]) -> Iterator[str]:
    """The latest scenes with each of them."""
    for person in people[:SCENES]:
        chunks = seen.stores.archive.with_all([person.name], before=seen.request.chapter, count=1)
        yield from map(_passage, chunks)


def _scenes_near(seen: _Seen) -> Iterator[str]:
    hits = seen.stores.archive.search(seen.draft.text[:PASSAGE_CHARS], count=SCENES, before=seen.request.chapter)
    yield from (_passage(hit.item) for hit in hits if isinstance(hit.item, Chunk))


def _passage(chunk: Chunk) -> str:
    return f"[{chunk.chapter_id}] {chunk.text[:PASSAGE_CHARS]}"


def _samples(chunks: Sequence[Chunk]) -> Iterator[str]:
    chapters: dict[int, list[str]] = {}
    for chunk in chunks:
        chapters.setdefault(chunk.chapter_id, []).append(chunk.text)
    for number, texts in chapters.items():
        whole = "\n".join(texts)
        start = max(0, (len(whole) - STYLE_CHARS) // 2)
        yield f"[{number}] {whole[start : start + STYLE_CHARS]}"
