"""The evidence that judges on a language model are shown beside drafts: all that a criterion needs, each line once."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from memorybank.language.text import fold_space
from memorybank.memory.types import Lang, Value
from memorybank.prompts.lexicon import load
from memorybank_studio.creativity.options import Criterion, Draft, Lookup, Request
from memorybank_studio.hub.plans import Plans
from memorybank_studio.hub.stores import Stores, foremost
from memorybank_studio.hub.verbalisation import tell, tell_fact, tell_plan
from memorybank_studio.names import cast_from, names_in
from memorybank_studio.reading.mentions import names_to_look_up
from memorybank_studio.types import (
    BEFORE,
    CAUSES,
    HAS_TRAIT,
    Chunk,
    Entity,
    EntityKey,
    EntityKind,
    Fact,
    Plan,
    Setting,
    normal,
)

MOST_ENTITIES: Final = 8
"""The most entities of a draft, the first named first."""
SCENES: Final = 3
STYLE_CHAPTERS: Final = 5
STYLE_CHARS: Final = 700
"""The characters of each chapter before that are shown, from its middle: beginnings and ends sound alike."""
SETTING_CHARS: Final = 400
MOST_SETTINGS: Final = 12
MEASURES: Final = {Criterion.STYLE: ("style",), Criterion.GOAL: ("planned",)}
"""Criteria of which nothing can be said but by these kinds of evidence."""


def prompts(lang: Lang) -> Mapping[str, str]:
    """Return the prompts of generators and judges in the story's language."""
    return load(__package__, f"prompts.{lang}")


def due_steps(plans: Plans, request: Request) -> list[Plan]:
    """Return the steps in progress and the next ones."""
    return [
        step
        for pointer in plans.pointer(chapter=request.chapter)
        for step in (pointer.current, pointer.next)
        if step is not None
    ]


def settings_about(stores: Stores, entities: Sequence[Entity], chapter: int) -> list[Setting]:
    """Return entries on these, then on what they have to do with in the chapter (an art that somebody has): the entry's
    key is a name of theirs, or has one in it. Each once."""
    own = {entity.key for entity in entities}
    facts = [fact for key in own for fact in stores.facts.about(key, chapter=chapter)]
    near = stores.facts.entities({end for fact in facts for end in fact.ends} - own).values()
    values = (EntityKind.STATUS, EntityKind.TRAIT)
    known = held(stores.settings.all(), chapter)
    found: dict[str, Setting] = {}
    for entity in (*entities, *(other for other in near if other.kind not in values)):
        names = (entity.name, *entity.aliases)
        is_named = {normal(name) for name in names}
        found |= {
            entry.key: entry for entry in known if normal(entry.key) in is_named or list(names_in(entry.key, names))
        }
    return list(found.values())[:MOST_SETTINGS]


def held(entries: Iterable[object], chapter: int) -> list[Setting]:
    """Return those among the finds that are settings, each as it holds in the chapter; the others are left out."""
    states = (entry.as_of(chapter) for entry in entries if isinstance(entry, Setting))
    return [state for state in states if state is not None]


def setting_lines(stores: Stores, entities: Sequence[Entity], chapter: int) -> Iterator[str]:
    """Yield the beginnings of these entries, a line each."""
    return map(_beginning, settings_about(stores, entities, chapter))


def _beginning(entry: Setting) -> str:
    return f"{entry.key}: {entry.text[:SETTING_CHARS]}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence(Value):
    """One kind of thing, a line each."""

    kind: str
    """`evidence_<kind>` of the prompts is its heading."""
    lines: tuple[tuple[str, str], ...]
    """The lines, each with its id, `e1`, `e2` … through all kinds."""


def evidence(drafts: Sequence[Draft], request: Request, stores: Stores) -> tuple[Evidence, ...]:
    """Return all as of the drafts' chapter, each line once; empty kinds are left out. Raises StoreUnavailableError."""
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
    """Return whoever and whatever the order and the drafts name."""
    cast = cast_from(names_to_look_up(stores.facts))
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
        touched = (entry for draft in self.drafts for entry in self.stores.settings.touched(draft.text))
        about = setting_lines(self.stores, self.entities, request.chapter)
        yield "notes", (*self._notes(), *about, *map(_beginning, held(touched, request.chapter)))
        yield "planned", (tell_plan(plan, lang) for plan in plans)
        yield "causes", self._causes()
        yield "hooks", (hook.name for hook, _ in facts.hooks(resolved=False, chapter=request.chapter))
        yield "style", style_samples(self.stores.archive.before(request.chapter, chapters=STYLE_CHAPTERS))
        people = [[person.name] for person in self._of(EntityKind.CHARACTER)[:SCENES]]
        latest = (self.stores.archive.with_all(name, before=request.chapter, count=1) for name in people)
        yield "scenes", (*(_passage(scene) for scenes in latest for scene in scenes), *self._scenes_near())

    def _of(self, kind: EntityKind) -> list[Entity]:
        return [entity for entity in self.entities if entity.kind is kind]

    def _facts(self) -> Iterator[str]:
        """Yield the foremost facts of each; of its traits and of what stands between the people here, all."""
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
        for entity in self.entities:
            if entity.ranks or (entity.note and entity.kind is EntityKind.CHARACTER):
                yield tell(entity, self.stores.facts.entity, self.request.lang)

    def _causes(self) -> Iterator[str]:
        """Yield the causes of the events in the drafts and what came before them, whenever that was."""
        facts = self.stores.facts
        for event in self._of(EntityKind.EVENT):
            before = (fact for fact in facts.about(event.key) if fact.predicate == BEFORE and fact.object == event.key)
            yield from self._told((*facts.causes(event.key), *before))

    def _scenes_near(self) -> Iterator[str]:
        each = max(1, SCENES // len(self.drafts))
        for draft in self.drafts:
            near = self.stores.archive.search(draft.text[:PASSAGE_CHARS], count=each, before=self.request.chapter)
            yield from (_passage(hit.item) for hit in near if isinstance(hit.item, Chunk))


def _passage(chunk: Chunk) -> str:
    return f"[{chunk.chapter_id}] {beginning(chunk.text)}"


def style_samples(chunks: Sequence[Chunk], chars: int = STYLE_CHARS) -> Iterator[str]:
    """Yield a sample of each chapter: `chars` characters of its middle."""
    chapters: dict[int, list[str]] = {}
    for chunk in chunks:
        chapters.setdefault(chunk.chapter_id, []).append(chunk.text)
    for number, texts in chapters.items():
        whole = "\n".join(texts)
        start = max(0, (len(whole) - chars) // 2)
        yield f"[{number}] {whole[start : start + chars]}"


MOST_FACTS = 12
MOST_PASSAGES = 3
PASSAGE_CHARS = 400
_LAST_WORD_RE = re.compile(r"\s+\w*\Z", re.ASCII)


def beginning(text: str) -> str:
    """Return the beginning of a passage, cut between words."""
    whole = fold_space(text)
    if len(whole) <= PASSAGE_CHARS:
        return whole
    return f"{_LAST_WORD_RE.sub('', whole[:PASSAGE_CHARS])}…"


@dataclass(slots=True)
class Lookups:
    """The questions of one draft. Facts are those that hold in `chapter`."""

    stores: Stores
    chapter: int
    lang: Lang
    made: list[Lookup] = field(default_factory=list)

    @property
    def sources(self) -> Mapping[str, Callable[[str], str]]:
        return {"facts": self.facts, "settings": self.setting, "plans": self.plans, "scenes": self.scenes}

    def facts(self, name: str) -> str:
        """Return the facts that hold of whatever has this name, a line each; empty when nothing has it."""
        lines: list[str] = []
        for entity in self.stores.facts.named(name):
            lines += [tell(entity, self.stores.facts.entity, self.lang)] if entity.note or entity.ranks else []
            held = self.stores.facts.about(entity.key, chapter=self.chapter)
            lines += [tell_fact(fact, self.stores.facts.entity, self.lang) for fact in foremost(held, MOST_FACTS)]
        return self._kept("facts", name, lines)

    def setting(self, key: str) -> str:
        """Return the entry of this key, else the nearest ones."""
        exact = self.stores.settings.exact(key)
        entries = [exact] if exact else [hit.item for hit in self.stores.settings.search(key, count=2)]
        return self._kept("settings", key, [f"{entry.key}: {entry.text}" for entry in held(entries, self.chapter)])

    def plans(self, storyline: str) -> str:
        """Return where a storyline stands; where all of them stand for an empty name."""
        lines: list[str] = []
        for pointer in self.stores.plans.pointer(chapter=self.chapter):
            if storyline in ("", pointer.storyline):
                steps = [step for step in (pointer.current, pointer.next) if step]
                lines += [tell_plan(step, self.lang) for step in steps]
        return self._kept("plans", storyline, lines)

    def scenes(self, text: str) -> str:
        """Return earlier passages that are near in meaning."""
        hits = self.stores.archive.search(text, count=MOST_PASSAGES, before=self.chapter)
        return self._kept("scenes", text, [_passage(hit.item) for hit in hits if isinstance(hit.item, Chunk)])

    def _kept(self, source: str, query: str, lines: list[str]) -> str:
        answer = "\n".join(dict.fromkeys(lines))
        self.made.append(Lookup(source=source, query=query, found=answer))
        return answer
