"""The offline extractor of a settlement: the turns of a task in, what they settle out.

The author's marks come first (`markers`), then what the author tells as happened (`facts`). What the assistant wrote
counts only where the author took it: by choosing one of its numbered options, or by agreeing to what it had marked. A
question settles nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from memorybank.narrative.extraction.causes import new_events
from memorybank.narrative.extraction.facts import QUOTED, Source, from_story, reason
from memorybank.narrative.extraction.lists import lists
from memorybank.narrative.extraction.markers import Given, Line, given_names, lines
from memorybank.narrative.extraction.mentions import EVENTS, Named, Names
from memorybank.narrative.extraction.newcomers import newcomers
from memorybank.narrative.extraction.numerals import number
from memorybank.narrative.extraction.taking import Taken, taken
from memorybank.narrative.hub.contracts import FactLayer, PlanLayer
from memorybank.narrative.scheduler.drafts import DraftItem
from memorybank.narrative.types import (
    HAS_STATUS,
    PARENT_OF,
    RESOLVED,
    UNRESOLVED,
    Entity,
    EntityKind,
    Fact,
    Plan,
    PlanKey,
    PlanKind,
    Setting,
    TaskId,
    Turn,
    entity_key,
    normal,
)
from memorybank.text import detect_lang
from memorybank.types import Lang

WINDOW: Final = 200_000
"""Estimated tokens of turns read at once: it reads line by line, so the window only bounds one call's time."""
_CHAPTER_RE: Final = re.compile(r"第\s*([一二三四五六七八九十百\d]{1,4})\s*[章回]|\bchapter\s+(\d{1,3})", re.IGNORECASE)


class RuleExtract:
    """A scheduler's `Extract`, by rules. Known names come from the fact layer, outlines from the planning layer.

    Turns may be in either language; `lang` is that of the reasons.
    """

    def __init__(self, facts: FactLayer, plans: PlanLayer, lang: Lang) -> None:
        self._facts = facts
        self._plans = plans
        self._lang = lang

    @property
    def window(self) -> int:
        return WINDOW

    def __call__(self, turns: Sequence[Turn], task: TaskId) -> Sequence[DraftItem]:
        said = tuple(taken(turns))
        carded = {name: kind for one in said for name, kind in _carded(one.text)}
        introduced = (pair for one in said for pair in _introduced(one.text, detect_lang(one.text)))
        kinds = ((name, carded.get(normal(name), kind)) for name, kind in introduced)
        given = [Named(entity_key(kind, name), kind, name) for name, kind in dict.fromkeys(kinds)]
        known = frozenset(map(normal, self._facts.names())) | carded.keys()
        names, events = Names.of(self._facts, given), Names.of(self._facts, given, EVENTS)
        reading = _Reading(task, names, events, self._plans, self._lang, known)
        for one in said:
            reading.read(one)
        return tuple(reading.found)


# -- names that a text brings in itself -------------------------------------------------------------------------------


def _introduced(text: str, lang: Lang) -> Iterator[tuple[str, EntityKind]]:
    """Names that a text itself brings in: on cards, and where it says what something is called."""
    for line in lines(text, lang):
        if line.mark == "entity" and line.entity is not None:
            yield line.name, line.entity
        elif line.mark == "settled":
            yield from ((one.name, one.kind) for one in given_names(line.text, lang))
            yield from _newcomers(line.text, lang)
        elif line.mark != "" or not line.text.endswith(("?", "？")):
            yield from ((one.name, one.kind) for one in given_names(line.text, lang))


def _carded(text: str) -> Iterator[tuple[str, EntityKind]]:
    """Names with a card of their own, on which the author says what they are; nothing guesses beside that."""
    for line in lines(text, detect_lang(text)):
        if line.mark == "entity" and line.entity is not None:
            yield normal(line.name), line.entity


def _newcomers(text: str, lang: Lang) -> Iterator[tuple[str, EntityKind]]:
    """Without what stands in the name of an event: the Great Flood is nobody."""
    events = new_events(text, lang)
    return ((name, kind) for name, kind in newcomers(text, lang) if not any(name in event for event in events))


# -- reading ----------------------------------------------------------------------------------------------------------


@dataclass
class _Reading:
    task: TaskId
    names: Names
    events: Names
    plans: PlanLayer
    told_in: Lang
    known: frozenset[str]
    """Names on record, as `normal` writes them."""
    found: list[DraftItem] = field(default_factory=list)
    steps: dict[PlanKind, Plan] = field(default_factory=dict)
    """The last outline or step of each kind that these turns brought."""

    def read(self, taken: Taken) -> None:
        lang = detect_lang(taken.text)
        prose: list[str] = []
        for line in lines(taken.text, lang):
            source = self._source(taken, line, lang)
            if line.mark == "":
                prose.append(line.text)
                self._named(line.text, source)
            else:
                self._marked(line, source)
        if prose:
            text = "\n".join(prose)
            self.found += from_story(text, self.names, self._source(taken, Line("", text), lang), self.events)

    def _source(self, taken: Taken, line: Line, lang: Lang) -> Source:
        match = _CHAPTER_RE.search(line.text)
        chapter = number(match[1] or match[2]) if match else None
        return Source(
            task=self.task,
            lang=lang,
            told_in=self.told_in,
            chapter=chapter,
            turns=taken.turns,
            settled=taken.chosen or line.mark in ("settled", "entity", "definition", "setting"),
        )

    def _marked(self, line: Line, source: Source) -> None:
        match line.mark:
            case "hook" | "hook_resolved":
                self._hook(line, source)
            case "plan":
                self._plan(line, source)
            case "setting" | "definition":
                self._add(Setting(key=line.name, text=line.text, origin=source.origin(line.text)), source, line.text)
                self._facts(line, source)
            case "entity":
                self._card(line, source)
            case _:
                self._named(line.text, source)
                self._newcomers(line.text, source)
                self._facts(line, source)

    def _facts(self, line: Line, source: Source) -> None:
        self.found += from_story(line.text, self.names, source, self.events)

    def _hook(self, line: Line, source: Source) -> None:
        hook = Entity(kind=EntityKind.HOOK, name=line.text.rstrip("。.;；"), origin=source.origin(line.text))
        status = RESOLVED if line.mark == "hook_resolved" else UNRESOLVED
        state = Entity(kind=EntityKind.STATUS, name=status, origin=source.origin(line.text))
        fact = Fact(
            subject=hook.key,
            predicate=HAS_STATUS,
            object=state.key,
            since=source.since,
            origin=source.origin(line.text),
        )
        for item in (hook, state, fact):
            self._add(item, source, line.text)

    def _card(self, line: Line, source: Source) -> None:
        if line.entity is None:
            return
        words = f"{line.name}：{line.text}" if source.lang == "zh" else f"{line.name}: {line.text}"
        self._add(Entity(kind=line.entity, name=line.name, note=line.text, origin=source.origin(words)), source, words)
        if line.text:
            origin = source.origin(words)
            self._add(Setting(key=line.name, text=line.text, category=str(line.entity), origin=origin), source, words)
            joint = f"{line.name}，{line.text}" if source.lang == "zh" else f"{line.name}, {line.text}"
            self.found += from_story(joint, self.names, source)

    def _named(self, text: str, source: Source) -> None:
        for one in given_names(text, source.lang):
            self._give(one, text, source)

    def _newcomers(self, text: str, source: Source) -> None:
        for name, kind in _newcomers(text, source.lang):
            if normal(name) not in self.known:
                self._add(Entity(kind=kind, name=name, origin=source.origin(text)), source, text)

    def _give(self, one: Given, text: str, source: Source) -> None:
        entity = Entity(kind=one.kind, name=one.name, origin=source.origin(text))
        told = reason("named", source.told_in, source=text[:QUOTED])
        self.found.append(DraftItem(item=entity, turns=source.turns, ticked=source.settled, reason=told))
        owners = self.names.find(one.owner)
        if owners and one.kind is EntityKind.ITEM:
            fact = Fact(
                subject=owners[0].named.key,
                predicate="OWNS",
                object=entity.key,
                since=source.since,
                origin=source.origin(text),
            )
            self.found.append(DraftItem(item=fact, turns=source.turns, ticked=source.settled, reason=told))

    # -- plans --------------------------------------------------------------------------------------------------------

    def _plan(self, line: Line, source: Source) -> None:
        kind = line.plan or PlanKind.STEP
        title, text = _titled(line.text)
        parent = self._parent(kind, source)
        before = self.steps.get(kind)
        after = before.key if before is not None and before.parent == parent else self._last(parent, kind)
        plan = Plan(
            kind=kind,
            title=title,
            text=text,
            parent=parent,
            after=None if kind is PlanKind.GENERAL else after,
            due=source.chapter,
            origin=source.origin(line.text),
        )
        if plan.after != plan.key:
            self._add(plan, source, line.text)
            self.steps[kind] = plan

    def _parent(self, kind: PlanKind, source: Source) -> PlanKey | None:
        """The last outline of the kind above: of these turns, else on the board, else a new one to hang it on."""
        above = PARENT_OF[kind]
        if above is None:
            return None
        if above in self.steps:
            return self.steps[above].key
        known = self._open(above)
        if known is None:
            title = str(lists(f"reading.{source.lang}")["outline"])
            known = Plan(kind=above, title=title, parent=self._parent(above, source), origin=source.origin(""))
            told = reason("parent", source.told_in)
            self.found.append(DraftItem(item=known, turns=source.turns, reason=told))
        self.steps[above] = known
        return known.key

    def _open(self, kind: PlanKind) -> Plan | None:
        """The outline that is in progress, else the last one."""
        known = self.plans.all(kind=kind)
        return next((plan for plan in known if plan.status == "InProgress"), known[-1] if known else None)

    def _last(self, parent: PlanKey | None, kind: PlanKind) -> PlanKey | None:
        if parent is None:
            return None
        children = [plan for plan in self.plans.children(parent) if plan.kind is kind]
        return children[-1].key if children else None

    def _add(self, item: Entity | Fact | Plan | Setting, source: Source, words: str) -> None:
        told = reason("chosen" if len(source.turns) > 1 else "marked", source.told_in, source=words[:QUOTED])
        self.found.append(DraftItem(item=item, turns=source.turns, reason=told))


_TITLE: Final = 60


def _titled(text: str) -> tuple[str, str]:
    """The first clause as a title, all of it as the text where it says more."""
    head = re.split(r"[，。；;.]|——", text.strip(), maxsplit=1)[0].strip()[:_TITLE] or text[:_TITLE]
    return head, "" if normal(head) == normal(text.rstrip("。.")) else text.strip()
