"""What the hub has on a question, line by line, so that an answer can say on which lines it stands.

Facts hold as of the chapter that is written; passages are of the chapters before it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Final

from memorybank.language.text import fold_space
from memorybank_studio.hub.stores import Stores, foremost
from memorybank_studio.hub.verbalisation import tell_fact, tell_plan, tell_plan_kind, word
from memorybank_studio.journal.answers import Citation, TurnKind
from memorybank_studio.journal.context import Part, PartKind, Route, RouteKind
from memorybank_studio.tasks import pointing
from memorybank_studio.tasks.retrieval import Inquiry, Retrieval, bare_title, inquiry
from memorybank_studio.tasks.settings import TaskSettings
from memorybank_studio.types import Chunk, Plan, PlanKind, PlanStatus
from memorybank_studio.wording import say

MOST_COMPLETED: Final = 4
MOST_PENDING: Final = 12
"""Steps that a question to the plan is shown."""
MOST_PASSAGES: Final = 4


class RecordLines:
    """Reads the hub; each call is one question to it."""

    def __init__(self, stores: Stores, settings: TaskSettings) -> None:
        self._stores = stores
        self._settings = settings
        self._lang = settings.lang
        self._retrieval = Retrieval(settings)

    def of(self, kind: TurnKind, question: str, sought: Sequence[str], chapter: int) -> tuple[Citation, ...]:
        """All that bears on a question of this kind, numbered from 1. Raises StoreUnavailableError."""
        asked = inquiry("\n".join((question, *sought)), chapter, self._stores)
        if kind is TurnKind.PLAN:
            return numbered((*self._progress(), *self._plans(asked)))
        return numbered((*self._facts(asked), *self._settings_of(asked), *self._passages(asked)))

    def quoted(self, kind: TurnKind, question: str, chapter: int) -> tuple[Citation, ...]:
        """Of these what answers the question as it stands, without a model that reads it. Raises as `of`."""
        asked = inquiry(question, chapter, self._stores)
        if kind is not TurnKind.PLAN:
            return numbered((*self._settings_of(asked), *self._facts(asked)))
        title, origin = (say(f"pointer_{part}", self._lang, chapter=chapter) for part in ("title", "origin"))
        lines = pointing.told(question, self._stores.plans, chapter, self._lang)
        return numbered([_line("pointer", title, line, origin) for line in lines])

    # -- facts, settings, passages ------------------------------------------------------------------------------------

    def _facts(self, asked: Inquiry) -> Iterator[Citation]:
        origin = say("facts_origin", self._lang, chapter=asked.chapter)
        for key, name in asked.named.items():
            entity = self._stores.facts.entity(key)
            if entity is not None and entity.note:
                note = word("noted", self._lang, name=entity.name, note=entity.note)
                yield _line("facts", name, note, origin)
            held = self._stores.facts.about(key, chapter=asked.chapter)
            for fact in foremost(held, self._settings.facts):
                line = _line("facts", name, tell_fact(fact, self._stores.facts.entity, self._lang), origin)
                yield replace(line, chapter=fact.since or None, words=fact.origin.source)

    def _settings_of(self, asked: Inquiry) -> Iterator[Citation]:
        for part in self._retrieval.entries(asked, self._stores):
            yield _of_part(part)

    def _passages(self, asked: Inquiry) -> Iterator[Citation]:
        """Of those with everybody that is named the nearest; of all, where there is none."""
        archive, entities = self._stores.archive, self._stores.facts.entities(asked.named).values()
        search = partial(archive.search, asked.text, count=MOST_PASSAGES, before=asked.chapter)
        hits = search(entities=tuple(entity.name for entity in entities)) or search()
        for chunk in (hit.item for hit in hits if isinstance(hit.item, Chunk)):
            place = {"chapter": chunk.chapter_id, "title": bare_title(chunk.chapter_title), "place": chunk.place + 1}
            title, origin = (say(f"scene_{part}", self._lang, **place) for part in ("title", "origin"))
            yield replace(_line("scene", title, fold_space(chunk.text), origin), chapter=chunk.chapter_id)

    # -- plans --------------------------------------------------------------------------------------------------------

    def _progress(self) -> Iterator[Citation]:
        """How far the story is written, and told by facts."""
        title, origin = say("progress_title", self._lang), say("progress_origin", self._lang)
        if chapters := self._stores.archive.chapters():
            number, name = chapters[-1]
            yield _line(
                "pointer", title, say("progress_written", self._lang, chapter=number, title=bare_title(name)), origin
            )
        if latest := self._stores.facts.latest():
            yield _line("pointer", title, say("progress_facts", self._lang, chapter=latest), origin)

    def _plans(self, asked: Inquiry) -> Iterator[Citation]:
        routes = [Route(kind=kind, reason="") for kind in (RouteKind.PLANS, RouteKind.HOOKS)]
        for part in self._retrieval.parts(asked, routes, self._stores):
            for line in part.text.splitlines() if part.kind == "pointer" else (part.text,):
                yield _of_part(replace(part, text=line))
        if not any(pointer.overdue for pointer in self._stores.plans.pointer(chapter=asked.chapter)):
            place = {"chapter": asked.chapter}
            title, origin = say("pointer_title", self._lang), say("pointer_origin", self._lang, **place)
            yield _line("pointer", title, say("pointer_none_overdue", self._lang), origin)
        for plan in self._steps():
            origin = say("plan_origin", self._lang, kind=tell_plan_kind(plan.kind, self._lang))
            yield _line("plan", say("plan_title", self._lang, title=plan.title), tell_plan(plan, self._lang), origin)

    def _steps(self) -> Iterator[Plan]:
        """Those that were completed last, those in progress, and those that come first."""
        of = {status: self._stores.plans.all(kind=PlanKind.STEP, status=status) for status in PlanStatus}
        yield from of[PlanStatus.COMPLETED][-MOST_COMPLETED:]
        yield from of[PlanStatus.IN_PROGRESS]
        yield from of[PlanStatus.PENDING][:MOST_PENDING]


def numbered(lines: Sequence[Citation]) -> tuple[Citation, ...]:
    """Each text once, from 1."""
    once: dict[str, Citation] = {}
    for line in lines:
        once.setdefault(line.text, line)
    return tuple(replace(line, number=number) for number, line in enumerate(once.values(), start=1))


def _line(kind: PartKind, title: str, text: str, origin: str) -> Citation:
    return Citation(number=0, kind=kind, title=title, text=text, origin=origin)


def _of_part(part: Part) -> Citation:
    return _line(part.kind, part.title, part.text, part.origin)
