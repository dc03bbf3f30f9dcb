"""The hub is searched for a request: each find becomes a part of the prompt, with its origin and its reason."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import Final

from memorybank.memory.types import Lang
from memorybank_studio.creativity.evidence import STYLE_CHAPTERS
from memorybank_studio.hub.collection import BEARS_ON
from memorybank_studio.hub.plans import Plans
from memorybank_studio.hub.stores import Stores, foremost
from memorybank_studio.hub.verbalisation import tell_chapters, tell_fact, tell_plan, tell_plan_kind
from memorybank_studio.journal.context import Part, PartKind
from memorybank_studio.names import names_in
from memorybank_studio.reading.mentions import names_to_look_up
from memorybank_studio.types import (
    BEFORE_THE_STORY,
    BY_HAND,
    NAMED_KINDS,
    Chunk,
    Entity,
    EntityKey,
    EntityKind,
    FactKey,
    Plan,
    PlanKind,
    Pointer,
    Setting,
    TaskId,
    normal,
)
from memorybank_studio.wording import joined, say

FACTS_EACH: Final = 20
"""The most facts that an entity which is named brings."""
MOST_ENTRIES: Final = 5
"""The most entries of the setting base that are found by meaning."""
MOST_SCENES: Final = 6
"""The most passages of the archive that are called back."""
MOST_HOOKS: Final = 12
_PLACES: Final = 1_000_000
"""More than the passages of a chapter: chapter and place make one number that grows through the book."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Inquiry:
    """A request as it is put to the sources."""

    text: str
    chapter: int
    named: Mapping[EntityKey, str]
    """The entities of the story's world that it names, by the name it uses."""
    as_of: int | None
    """The chapter in which the facts that it is told hold; None while nothing is written: all that is settled."""
    recalled: Mapping[EntityKey, str] = field(default_factory=dict)
    """The other entities that the kept history of a restarted task names: they may have changed meanwhile."""


_MOST_RECALLED: Final = 12
"""The most names of a kept history that are taken; the last ones are nearest to what is asked now."""


def inquiry(text: str, chapter: int, stores: Stores, history: Sequence[str] = ()) -> Inquiry:
    """Look up what a request names. `history`: texts of the turns of a restarted task, which are looked up, too."""
    keys = names_to_look_up(stores.facts, NAMED_KINDS)
    named = {keys[name]: name for name in reversed(names_in(text, tuple(keys)))}
    recalled: dict[EntityKey, str] = {}
    for turn in reversed(history):
        if len(recalled) >= _MOST_RECALLED:
            break
        recalled |= {keys[name]: name for name in names_in(turn, tuple(keys)) if keys[name] not in named}
    kept = dict(islice(recalled.items(), _MOST_RECALLED))
    as_of = chapter if chapter > BEFORE_THE_STORY + 1 or stores.archive.chapters() else None
    return Inquiry(text=text, chapter=chapter, named=named, as_of=as_of, recalled=kept)


_MOST_NAMED: Final = 8
"""Entries of the setting base that a request names; of more the longest keys."""
_ARTICLE_RE: Final = re.compile(r"\A(?:the|an?)\s+(?=\S)", re.IGNORECASE)
_HEADING_RE: Final = re.compile(
    r"\A(?:chapter\s+\w+\b[\s.:–—-]*|第[\d零〇一二三四五六七八九十百千两]+[章回节][\s:：]*)", re.IGNORECASE
)
_BEARS_AT_ALL: Final = 0.05
_NOT_FAR_BELOW: Final = 0.5
"""The share of the best one's score below which an entry would be told by chance."""


def _named_settings(text: str, known: Sequence[Setting]) -> tuple[Setting, ...]:
    """Return the entries whose key stands in the text, with its article or without; in the order of the text."""
    forms = {form: entry for entry in known for form in (_ARTICLE_RE.sub("", entry.key), entry.key)}
    names = names_in(text, tuple(forms))
    longest = set(sorted(names, key=lambda form: -len(form))[:_MOST_NAMED])
    return tuple({forms[form].key: forms[form] for form in names if form in longest}.values())


def bare_title(title: str) -> str:
    """Return a chapter's title without its number ("Chapter 2 The Passenger"), where it has more than that."""
    return _HEADING_RE.sub("", title).strip() or title


class Retrieval:
    def __init__(self, lang: Lang) -> None:
        self._lang = lang

    def parts(self, inquiry: Inquiry, stores: Stores) -> tuple[Part, ...]:
        """Return everything there is; a passage that is found twice stands once. Raises StoreUnavailableError."""
        sources = (self._facts, self.plans, self._scenes, self._style, self.hooks)
        parts = [part for source in sources for part in source(inquiry, stores)]
        return tuple({part.text: part for part in reversed(parts)}.values())[::-1]

    def changed(
        self, keys: Iterable[EntityKey], task: TaskId, others: Collection[TaskId], stores: Stores
    ) -> tuple[Part, ...]:
        """Return the facts about these that the `others` settled, and those of the task itself that have ended."""
        history = {fact.key: fact for key in keys for fact in stores.facts.history(key)}
        new = [
            fact
            for fact in history.values()
            if fact.origin.task in others or (fact.origin.task == task and fact.until is not None)
        ]
        lines = [f"- {tell_fact(fact, stores.facts.entity, self._lang)}" for fact in foremost(new, FACTS_EACH)]
        if not lines:
            return ()
        return (self._part("facts", "\n".join(lines), say("why_changed", self._lang), words="changed"),)

    def _facts(self, inquiry: Inquiry, stores: Stores) -> Iterator[Part]:
        told: set[FactKey] = set()  # what is between two that are named stands once, under the first
        for key, name in {**inquiry.named, **inquiry.recalled}.items():
            every = foremost(stores.facts.about(key, chapter=inquiry.as_of), FACTS_EACH)
            held = [fact for fact in every if fact.key not in told]
            told.update(fact.key for fact in held)
            if held:
                lines = "\n".join(f"- {tell_fact(fact, stores.facts.entity, self._lang)}" for fact in held)
                yield self._part("facts", lines, self._why(key, inquiry), name=name, chapter=inquiry.chapter)
        yield from self.entries(inquiry, stores)

    def entries(self, inquiry: Inquiry, stores: Stores) -> Iterator[Part]:
        """Yield entries of the setting base: those that the request names, then those near to it by meaning."""
        named = _named_settings(inquiry.text, stores.settings.all())
        listed = {entry.key for entry in named}
        for entry in named:
            yield from self._setting(entry, say("why_named", self._lang), inquiry)
        for key, name in {**inquiry.named, **inquiry.recalled}.items():
            exact = stores.settings.exact(name)
            if exact and exact.key not in listed:
                listed.add(exact.key)
                yield from self._setting(exact, self._why(key, inquiry), inquiry)
        hits = stores.settings.search(inquiry.text, count=MOST_ENTRIES)
        best = max((hit.score for hit in hits), default=0.0)
        least = BEARS_ON if listed else max(_BEARS_AT_ALL, best * _NOT_FAR_BELOW)
        near = [(hit.item, hit.score) for hit in hits if isinstance(hit.item, Setting) and hit.score >= least]
        others = [(entry, score) for entry, score in near if entry.key not in listed]
        for entry, score in others[: max(0, MOST_ENTRIES - len(listed))]:
            yield from self._setting(entry, say("why_near", self._lang, score=f"{score:.2f}"), inquiry)

    def _why(self, key: EntityKey, inquiry: Inquiry) -> str:
        return say("why_named" if key in inquiry.named else "why_recalled", self._lang)

    def _setting(self, setting: Setting, why: str, inquiry: Inquiry) -> Iterator[Part]:
        """Yield an entry as it holds in the chapter; while nothing is written, with all that it is to become."""
        held = [setting.as_of(inquiry.as_of)] if inquiry.as_of is not None else setting.states
        told = "\n".join(tell_chapters(state, state.text, self._lang) for state in held if state is not None)
        by, task = setting.origin.task == BY_HAND, setting.origin.task
        if told:
            yield self._part("setting", told, why, words="written" if by else "", key=setting.key, task=task)

    def _part(
        self, kind: PartKind, text: str, why: str, /, *, words: str = "", number: int = 0, **values: object
    ) -> Part:
        """Return a part with the title and the origin of its kind; `words`: of another kind."""
        title, origin = (say(f"{words or kind}_{name}", self._lang, **values) for name in ("title", "origin"))
        return Part(kind=kind, title=title, text=text, origin=origin, why=why, number=number)

    def plans(self, inquiry: Inquiry, stores: Stores) -> Iterator[Part]:
        """Yield where the storylines stand, the plans that the request names, and the outlines above both."""
        pointers = stores.plans.pointer(chapter=inquiry.chapter)
        if pointers:
            lines = "\n".join(line for pointer in pointers for line in lines_of(pointer, self._lang))
            yield self._part("pointer", lines, say("why_pointer", self._lang), chapter=inquiry.chapter)
        request = normal(inquiry.text)
        named = [plan for plan in stores.plans.all() if normal(plan.title) and normal(plan.title) in request]
        yield from (self._plan(plan, say("why_plan_named", self._lang)) for plan in named)
        stands = [pointer.current or pointer.next for pointer in pointers]
        for plan in (*named, *(step for step in stands if step)):
            for parent in stores.plans.parents(plan.key):
                yield self._plan(parent, say("why_parent", self._lang, title=plan.title))
        if not named and not any(stands):
            for plan in stores.plans.all(kind=PlanKind.GENERAL):
                yield self._plan(plan, say("why_general", self._lang))

    def _plan(self, plan: Plan, why: str) -> Part:
        kind = tell_plan_kind(plan.kind, self._lang)
        return self._part("plan", tell_plan(plan, self._lang), why, title=plan.title, kind=kind)

    def _scenes(self, inquiry: Inquiry, stores: Stores) -> Iterator[Part]:
        names = tuple(entity.name for key in inquiry.named if (entity := stores.facts.entity(key)))
        if names:
            why = say("why_scene_with", self._lang, names=joined(names, self._lang))
            chunks = stores.archive.with_all(names, before=inquiry.chapter, count=MOST_SCENES)
            yield from (self._passage("scene", chunk, why) for chunk in chunks)
            if chunks:
                return
        for hit in stores.archive.search(inquiry.text, count=MOST_SCENES, before=inquiry.chapter):
            if isinstance(hit.item, Chunk):
                why = say("why_near", self._lang, score=f"{hit.score:.2f}")
                yield replace(self._passage("scene", hit.item, why), number=0)  # the nearest is taken first

    def _style(self, inquiry: Inquiry, stores: Stores) -> Iterator[Part]:
        why = say("why_style", self._lang, chapters=STYLE_CHAPTERS, chapter=inquiry.chapter)
        for chunk in stores.archive.before(inquiry.chapter, chapters=STYLE_CHAPTERS):
            yield self._passage("style", chunk, why)

    def _passage(self, kind: PartKind, chunk: Chunk, why: str) -> Part:
        place = {"chapter": chunk.chapter_id, "title": bare_title(chunk.chapter_title), "place": chunk.place + 1}
        number = chunk.chapter_id * _PLACES + chunk.place
        return self._part(kind, chunk.text, why, words="scene", number=number, **place)

    def hooks(self, inquiry: Inquiry, stores: Stores) -> Iterator[Part]:
        """Yield the open hooks of the chapter's characters."""
        present = self._present(inquiry, stores)
        concerned = (
            (hook, status, self._concerned(hook, present, inquiry.as_of, stores))
            for hook, status in reversed(stores.facts.hooks(resolved=False, chapter=inquiry.as_of))
        )
        fitting = (item for item in concerned if item[2] or not present)
        for hook, status, of in islice(fitting, MOST_HOOKS):
            of_names = joined(of, self._lang)
            why = say("why_hook_of", self._lang, names=of_names) if of else say("why_hook_any", self._lang)
            part = self._part("hook", hook.note or hook.name, why, name=hook.name, chapter=status.since)
            yield part if status.since else replace(part, origin=say("hook_origin_undated", self._lang))

    def _present(self, inquiry: Inquiry, stores: Stores) -> dict[EntityKey, str]:
        """Return the chapter's characters: those that the request or its history names, and those in the one before."""
        characters = {
            key: name
            for key, name in {**inquiry.named, **inquiry.recalled}.items()
            if (entity := stores.facts.entity(key)) and entity.kind in (EntityKind.CHARACTER, EntityKind.HOOK)
        }
        chunks = stores.archive.before(inquiry.chapter, chapters=1)
        for name in dict.fromkeys(name for chunk in chunks for name in chunk.entity_list):
            for entity in stores.facts.named(name):
                if entity.kind is EntityKind.CHARACTER:
                    characters.setdefault(entity.key, entity.name)
        return characters

    def _concerned(
        self, hook: Entity, present: Mapping[EntityKey, str], chapter: int | None, stores: Stores
    ) -> tuple[str, ...]:
        """Return those present whom a hook is about: by a fact between them, or by name."""
        linked = {end for fact in stores.facts.about(hook.key, chapter=chapter) for end in fact.ends}
        written = set(names_in(f"{hook.name}\n{hook.note}", tuple(present.values())))
        return tuple(name for key, name in present.items() if key in linked or name in written or key == hook.key)


def lines_of(pointer: Pointer, lang: Lang) -> Iterator[str]:
    nothing = say("pointer_nothing", lang)
    storyline = pointer.storyline or say("no_storyline", lang)
    yield say(
        "pointer_line",
        lang,
        storyline=storyline,
        current=pointer.current.title if pointer.current else nothing,
        next=pointer.next.title if pointer.next else nothing,
        completed=pointer.completed,
        steps=pointer.steps,
    )
    if pointer.overdue:
        titles = joined((plan.title for plan in pointer.overdue), lang)
        yield say("pointer_overdue", lang, storyline=storyline, plans=titles)


def told(question: str, plans: Plans, chapter: int, lang: Lang) -> tuple[str, ...]:
    """Return where the plans stand, those that are named or all, a line each; none where nothing is planned."""
    named = [plan for plan in plans.all() if names_in(question, (plan.title,))]
    storylines = {plan.storyline for plan in named}
    lines = [tell_plan(plan, lang) for plan in named]
    for pointer in plans.pointer(chapter=chapter):
        if not named or pointer.storyline in storylines:
            lines += lines_of(pointer, lang)
    return tuple(dict.fromkeys(lines))
