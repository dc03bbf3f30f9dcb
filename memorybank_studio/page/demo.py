"""The demo project: its story goes into the hub as an author's would, by an import of chapters and a settlement.

`assets/studio/<lang>.yaml` holds the story and the tour's steps; no result is in it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any, Final

import yaml
from pydantic import BaseModel, ConfigDict, Field

from memorybank.memory.types import Lang
from memorybank.views.i18n import CATALOGUES, t
from memorybank_studio.books.chapters import Book, Chapter
from memorybank_studio.drafts import Item
from memorybank_studio.relations import LEADS_TO
from memorybank_studio.types import (
    Command,
    Entity,
    EntityKind,
    Fact,
    Origin,
    Plan,
    PlanKey,
    PlanKind,
    PlanStatus,
    Setting,
    TaskId,
)
from memorybank_studio.writes import Mark, Proposal

if TYPE_CHECKING:
    from memorybank_studio.studio import Studio

ASSETS: Final = CATALOGUES.parent / "studio"


class DemoStep(BaseModel):
    """One step of the tour: what to type or where to look. It holds no result."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    words: str
    view: str
    part: str = ""
    """Of the hub."""
    entity: str = ""
    """To be chosen in the list of facts."""
    send: str = ""
    """What to type into the input."""
    confirm: bool = False
    """The table is to be confirmed."""
    draft: str = ""
    """What to write into the draft editor."""


class Story(BaseModel):
    """What a ready project begins with, as its file tells it."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    title: str
    chapters: tuple[dict[str, str], ...]
    entities: tuple[dict[str, Any], ...]
    facts: tuple[tuple[str, str, str, int, str], ...]
    """Subject, predicate, object, the chapter from which it holds, the words it stands on."""
    plans: tuple[dict[str, Any], ...]
    settings: tuple[dict[str, str], ...]


class Demo(Story):
    """A demo project as its file tells it, with its tour."""

    steps: tuple[DemoStep, ...] = Field(min_length=1)


@cache
def demo(lang: Lang) -> Demo:
    return Demo.model_validate(yaml.safe_load((ASSETS / f"{lang}.yaml").read_text("utf-8")))


def is_filled(studio: Studio) -> bool:
    """Whether the whole story is in: its facts come last, after the chapters."""
    return bool(studio.stores.facts.names())


def fill(studio: Studio, lang: Lang) -> None:
    """Put the story into a studio that is empty, or was left when it was half full.

    Raises StoreUnavailableError, InputError.
    """
    put(studio, demo(lang), lang)


def put(studio: Studio, story: Story, lang: Lang) -> None:
    """The same with any story. Raises as `fill`."""
    gateway = studio.gateway
    title = t("studio.demo_task", lang)
    task = next((entry.id for entry in gateway.tasks() if entry.title == title), None)
    if task is None:
        reply = gateway.handle("", task=None, command=Command.NEW, argument=title)
        assert reply.task is not None
        task = reply.task.id
    items: list[Item] = [*_entities(story, task), *_facts(story, task), *_plans(story, task), *_settings(story, task)]
    known = tuple(item for item in items if isinstance(item, Entity))
    for _ in gateway.by_hand.import_book(_book(story), known=known):
        pass
    gateway.handle("", task=task, command=Command.SETTLE)
    rows = gateway.remark(task, _rows(items))
    confirmed = gateway.confirm(task, rows)
    if confirmed.problem is not None:
        raise confirmed.problem


def _rows(items: Sequence[Item]) -> tuple[Proposal, ...]:
    return tuple(
        Proposal(number=number, item=item, mark=Mark.NEW, shown="") for number, item in enumerate(items, start=1)
    )


def _book(story: Story) -> Book:
    chapters: list[Chapter] = []
    start = 0
    for number, entry in enumerate(story.chapters, start=1):
        chapters.append(Chapter(number=number, title=entry["title"], start=start, text=entry["text"]))
        start += len(entry["text"])
    return Book(title=story.title, chapters=tuple(chapters))


def _entities(story: Story, task: TaskId) -> list[Entity]:
    named = [
        Entity(
            kind=EntityKind(entry["kind"]),
            name=entry["name"],
            aliases=tuple(entry.get("aliases", ())),
            note=entry.get("note", ""),
            origin=Origin(task=task),
        )
        for entry in story.entities
    ]
    values = {(kind, object_) for _, predicate, object_, _, _ in story.facts if (kind := LEADS_TO.get(predicate))}
    return [*named, *(Entity(kind=kind, name=name, origin=Origin(task=task)) for kind, name in sorted(values))]


def _facts(story: Story, task: TaskId) -> list[Fact]:
    known: dict[str, Entity] = {entry.name: entry for entry in _entities(story, task)}
    return [
        Fact(
            subject=known[subject].key,
            predicate=predicate,
            object=known[object_].key,
            since=since,
            origin=Origin(task=task, chapter=since, source=source),
        )
        for subject, predicate, object_, since, source in story.facts
    ]


def _plans(story: Story, task: TaskId) -> list[Plan]:
    keys: dict[str, PlanKey] = {}
    made: list[Plan] = []
    for entry in story.plans:
        plan = Plan(
            kind=PlanKind(entry["kind"]),
            title=entry["title"],
            text=entry.get("text", ""),
            parent=_key(entry, "parent", keys),
            after=_key(entry, "after", keys),
            storyline=entry.get("storyline", ""),
            due=entry.get("due"),
            status=PlanStatus(entry.get("status", PlanStatus.PENDING)),
            origin=Origin(task=task),
        )
        keys[plan.title] = plan.key
        made.append(plan)
    return made


def _key(entry: Mapping[str, Any], name: str, keys: Mapping[str, PlanKey]) -> PlanKey | None:
    return keys[entry[name]] if name in entry else None


def _settings(story: Story, task: TaskId) -> list[Setting]:
    return [
        Setting(key=entry["key"], text=entry["text"], category=entry["category"], origin=Origin(task=task))
        for entry in story.settings
    ]
