"""The offline extractor of a settlement: the turns of a task in, what they settle out.

The author's marks come first (`markers`), then what the author tells as happened (`facts`). What the assistant wrote
counts only where the author took it: by choosing one of its numbered options, or by agreeing to what it had marked. A
question settles nothing.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from memorybank.narrative.extraction.calling import given_name, renamed, shared_names, short_names, told_names
from memorybank.narrative.extraction.coming import Clock, Past
from memorybank.narrative.extraction.dating import chapter_named
from memorybank.narrative.extraction.discussing import Shade, label_of
from memorybank.narrative.extraction.ending import with_ends
from memorybank.narrative.extraction.facts import QUOTED, Source, from_story, in_chapter, reason, told_of
from memorybank.narrative.extraction.introduced import bare, carded, given, new, new_names, other_names, unknown
from memorybank.narrative.extraction.markers import Given, Line, given_names, lines
from memorybank.narrative.extraction.mentions import EVENTS, Named, Names
from memorybank.narrative.extraction.narration import Telling
from memorybank.narrative.extraction.outlines import Outlines
from memorybank.narrative.extraction.taking import Taken, taken
from memorybank.narrative.extraction.unread import Explaining, not_read
from memorybank.narrative.hub.contracts import FactLayer, PlanLayer
from memorybank.narrative.scheduler.drafts import DraftItem, Extracted, Unread
from memorybank.narrative.types import (
    HAS_STATUS,
    IN_CHAPTER,
    RESOLVED,
    UNRESOLVED,
    Entity,
    EntityKind,
    Fact,
    Plan,
    Setting,
    TaskId,
    Turn,
    normal,
)
from memorybank.narrative.writes import StatusChange
from memorybank.text import Piece, detect_lang
from memorybank.types import Lang

WINDOW: Final = 200_000
"""Estimated tokens of turns read at once: it reads line by line, so the window only bounds one call's time."""


class RuleExtract:
    """A scheduler's `Extract`, by rules. Known names come from the fact layer, outlines from the planning layer.

    Turns may be in either language; `lang` is that of the reasons.
    """

    def __init__(
        self, facts: FactLayer, plans: PlanLayer, lang: Lang, last_chapter: Callable[[], int] | None = None
    ) -> None:
        """`last_chapter`: where the story stands, 0 where it has no chapters; None: where the facts stand."""
        self._facts = facts
        self._plans = plans
        self._lang = lang
        self._last_chapter = last_chapter or facts.latest

    @property
    def window(self) -> int:
        return WINDOW

    def __call__(self, turns: Sequence[Turn], task: TaskId) -> Extracted:
        said = tuple(taken(turns))
        cards = {name: kind for one in said for name, kind in carded(one.text)}
        brought = list(dict.fromkeys(given(said, cards, Names.of(self._facts))))
        known = Names.of(self._facts, brought)
        brought += other_names(said, Names.of(self._facts, [*brought, *short_names(known.all, known.all)]))
        brought += short_names(known.all, Names.of(self._facts, brought).all)
        told = frozenset(normal(bare(one.name)) for one in (*known.all, *brought))
        told |= {normal(name) for name in shared_names(known.all)}
        told |= {normal(bare(one.name)) for one in Names.of(self._facts, brought, EVENTS).all}
        told |= frozenset(new_names(said, told))
        fresh = list(new(said, cards, told))
        whole = [one for one in fresh if " " in one.name or given_name(one.name)]
        short = list(short_names(whole, Names.of(self._facts, brought).all))
        told |= {normal(one.name) for one in short}
        brought += [*(one for one in fresh if normal(one.name) not in told), *short]
        brought += other_names(said, Names.of(self._facts, brought))  # a newcomer may be renamed as well
        names, events = Names.of(self._facts, brought), Names.of(self._facts, brought, EVENTS)
        clock = Clock(self._last_chapter())
        reading = _Reading(task, names, events, self._facts, self._plans, self._lang, told, clock)
        for one in said:
            reading.read(one)
        drafts = tuple(with_ends(reading.found, self._facts, self._lang))
        return Extracted(drafts=drafts, unread=tuple(reading.unread))


# -- reading ----------------------------------------------------------------------------------------------------------


@dataclass
class _Reading:
    task: TaskId
    names: Names
    events: Names
    facts: FactLayer
    plans: PlanLayer
    told_in: Lang
    known: frozenset[str]
    """Names on record or given, without an article, as `normal` writes them."""
    clock: Clock
    found: list[DraftItem] = field(default_factory=list)
    unread: list[Unread] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.outlines = Outlines(self.plans, self._add, self.found)
        self.explaining = Explaining(self.names, self._full, self.plans, self.told_in)

    def read(self, taken: Taken) -> None:
        lang = detect_lang(taken.text)
        prose: list[str] = []
        given: list[str] = list(taken.taking)
        for line in lines(taken.text, lang):
            source = self._source(taken, line, lang)
            before = len(self.found)
            if self.outlines.status(line, source):
                if len(self.found) == before:
                    self.unread.append(self.explaining.of(taken.turns[0], line))
            elif line.asked:
                self.unread.append(self.explaining.of(taken.turns[0], line))
            elif line.mark == "":
                prose.append(line.text)
                given += self._named(line.text, source)
            else:
                self._left(taken, line, self._marked(line, source))
        if prose:
            text = "\n".join(prose)
            source = replace(self._source(taken, Line("", text), lang), chapter=None)  # each sentence has its own
            read = self._told(text, source)
            self.unread += [self.explaining(taken.turns[0], one, one) for one in not_read(text, read, given)]

    def _left(self, taken: Taken, line: Line, unread: Sequence[str]) -> None:
        """The sentences of a marked line that gave no row; with its mark where it is one."""
        if unread == [line.text.strip()]:
            self.unread.append(self.explaining.of(taken.turns[0], line))
        else:
            self.unread += [self.explaining(taken.turns[0], one, one, line.mark) for one in unread]

    def _source(self, taken: Taken, line: Line, lang: Lang) -> Source:
        chapter = line.chapter if line.chapter is not None else chapter_named(line.text)
        return Source(
            task=self.task,
            lang=lang,
            told_in=self.told_in,
            chapter=chapter,
            turns=taken.turns,
            settled=taken.chosen or line.mark in ("settled", "entity", "setting"),
            discussed=True,
            clock=self.clock,
        )

    def _marked(self, line: Line, source: Source) -> list[str]:
        """Read a marked line; its sentences that gave no row."""
        before = len(self.found)
        match line.mark:
            case "hook" | "hook_resolved":
                self._hook(line, source)
            case "plan":
                self.outlines.read(line, source)
            case "setting":
                self._add(Setting(key=line.name, text=line.text, origin=source.origin(line.text)), source, line.text)
                self._told(line.text, source)
            case "definition":
                self._defined(line, source)
            case "entity":
                self._card(line, source)
            case _:
                given = self._named(line.text, source)
                self._newcomers(line.text, source)
                return not_read(line.text, self._told(line.text, source), given)
        return [line.text.strip()] if len(self.found) == before else []

    def _told(self, text: str, source: Source) -> tuple[Piece, ...]:
        """The sentences that were read. An event of which another chapter is on record stays there, whatever it leads
        to later."""
        told = told_of(text, self.names, source, self.events)
        self.found += [one for one in told.drafts if not self._is_elsewhere(one.item)]
        return told.read

    def _is_elsewhere(self, item: object) -> bool:
        if not isinstance(item, Fact) or item.predicate != IN_CHAPTER:
            return False
        known = {one.object for one in self.facts.history(item.subject) if one.predicate == IN_CHAPTER}
        return bool(known) and item.object not in known

    def _defined(self, line: Line, source: Source) -> None:
        """A word, a colon, a text: what a thing is, a line of dialogue, a remark. Only of a known thing it is taken
        for granted, and never in the place of what its card says."""
        known = self.names.named(line.name)
        label = label_of(f"{line.name}:", source.lang)
        if source.chapter is None:
            source = replace(source, chapter=chapter_named(line.name))
        if label or known is None or known.kind is EntityKind.CHARACTER:
            source = replace(source, shade=Shade(Telling.INTENDED if label else Telling.TOLD, label or line.name))
        carded = any(isinstance(one.item, Setting) and one.item.key == line.name for one in self.found)
        if not label and not carded:
            item = Setting(key=line.name, text=line.text, origin=source.origin(line.text))
            entity = self.facts.entity(known.key) if known is not None else None
            ticked = source.shade is None and not (entity is not None and entity.note)
            told = reason("marked", source.told_in, source=line.text[:QUOTED])
            self.found.append(DraftItem(item=item, turns=source.turns, ticked=ticked, reason=told))
        self._told(line.text, source)

    def _hook(self, line: Line, source: Source) -> None:
        resolved = line.mark == "hook_resolved"
        name = _HOOK_END_RE.sub("", _HOOK_END_RE.sub("", line.text)) or line.text
        known = self._known_hook(name)
        hook = known or Entity(kind=EntityKind.HOOK, name=name, origin=source.origin(line.text))
        status = RESOLVED if resolved else UNRESOLVED
        state = Entity(kind=EntityKind.STATUS, name=status, origin=source.origin(line.text))
        fact = Fact(
            subject=hook.key,
            predicate=HAS_STATUS,
            object=state.key,
            since=self._hook_since(hook, source, state, resolved=resolved),
            origin=source.origin(line.text),
        )
        shade = self.clock.shade(source.chapter, Past.CHANGED)
        for item in (hook, state, fact) if known is None else (state, fact):
            self._add(item, source, line.text, shade)
        if shade is None:
            self.clock.told(source.chapter)

    def _known_hook(self, name: str) -> Entity | None:
        """The hook on record, or of these turns, that asks the same; marks and articles tell none apart."""
        given = (one.item for one in self.found if isinstance(one.item, Entity) and one.item.kind is EntityKind.HOOK)
        known = self.facts.entities(self.facts.names((EntityKind.HOOK,)).values()).values()
        return next((one for one in (*known, *given) if _asks(one.name) == _asks(name)), None)

    def _hook_since(self, hook: Entity, source: Source, state: Entity, *, resolved: bool) -> int:
        """Without a chapter of its own: as it stands on record; else where the story stands, a resolution in the coming
        chapter, after all that is on record or was said before it."""
        if source.chapter is not None:
            return source.chapter
        on_record = [one for one in self.facts.history(hook.key) if one.predicate == HAS_STATUS and one.until is None]
        if on_record and on_record[-1].object == state.key:
            return on_record[-1].since
        if not resolved:
            return self.clock.reached if self.clock.last else source.since
        told = (one.item.since for one in self.found if isinstance(one.item, Fact))
        return max([self.facts.latest(), *told]) + 1

    def _card(self, line: Line, source: Source) -> None:
        if line.entity is None:
            return
        told = f"：{line.text}" if source.lang == "zh" else f": {line.text}"
        words = f"{line.name}{told if line.text else ''}"
        card = self._carded(line, line.entity, source, words)
        self._add(card, source, words)
        if line.entity is EntityKind.EVENT:
            shade = self.clock.shade(source.chapter, Past.CHANGED)
            for item in in_chapter(Named(card.key, card.kind, card.name), source, words):
                self._add(item, source, words, shade)
        if line.text:
            origin = source.origin(words)
            self._add(Setting(key=line.name, text=line.text, category=str(line.entity), origin=origin), source, words)
            joint = f"{line.name}，{line.text}" if source.lang == "zh" else f"{line.name}, {line.text}"
            self.found += from_story(joint, self.names, source)

    def _carded(self, line: Line, kind: EntityKind, source: Source, words: str) -> Entity:
        """On the card of a new name the one on record who had a former one; where each is somebody's, both stay."""
        own = self.names.named(line.name)
        before = [one for name in line.former if (one := self.names.named(name)) is not None]
        name, aliases = line.name, list(line.aliases)
        if own is not None and any(one.key == own.key for one in before):
            name, aliases = self._full(own), [line.name, *line.aliases]
        else:
            aliases = [alias for alias in aliases if alias not in [one.name for one in before]]
            for one in before:
                self._taken(one, line.name, source, words)
        others = tuple(dict.fromkeys(alias for alias in aliases if alias != name))
        return Entity(kind=kind, name=name, aliases=others, note=line.text, origin=source.origin(words))

    def _taken(self, who: Named, alias: str, source: Source, words: str) -> None:
        """A new name that another one has: the author decides, nothing is one by itself."""
        if self.facts.entity(who.key) is None:
            return  # its own row in this table is ticked; there is no other one of the same entity
        item = Entity(kind=who.kind, name=self._full(who), aliases=(alias,), origin=source.origin(words))
        told = reason("name_taken", source.told_in, source=words[:QUOTED], mark=alias)
        self.found.append(DraftItem(item=item, turns=source.turns, ticked=False, reason=told))

    def _renamed(self, text: str, source: Source) -> list[str]:
        """The names of those who are told to have had two."""
        aliases = []
        for one in renamed(text, self.names, source.lang):
            aliases.append(one.alias)
            if one.taken:
                self._taken(one.who, one.alias, source, text)
                continue
            shade = one.shade
            if shade is None or (source.settled and shade.telling is Telling.TOLD):
                shade = self.clock.shade(source.chapter, one.past)
            if shade is not None and self.facts.entity(one.who.key) is None:
                continue  # as above
            item = Entity(kind=one.who.kind, name=self._full(one.who), aliases=(one.alias,), origin=source.origin(text))
            key = "named" if shade is None else shade.reason or str(shade.telling)
            told = reason(key, source.told_in, source=text[:QUOTED], mark=shade.mark if shade else "")
            self.found.append(DraftItem(item=item, turns=source.turns, ticked=shade is None, reason=told))
        return aliases

    def _named(self, text: str, source: Source) -> list[str]:
        """The names that a line gives."""
        aliases = self._renamed(text, source)
        given = list(aliases)
        for one in given_names(text, source.lang):
            if not any(alias in one.name for alias in aliases):
                self._give(one, text, source)
                given.append(one.name)
        for who, alias in told_names(text, self.names, source.lang):
            bearer = self.names.named(alias)
            if bearer is not None and bearer.key == who.key:
                told = reason("named", source.told_in, source=text[:QUOTED])
                item = Entity(kind=who.kind, name=self._full(who), aliases=(alias,), origin=source.origin(text))
                self.found.append(DraftItem(item=item, turns=source.turns, ticked=source.settled, reason=told))
                given.append(alias)
        return given

    def _full(self, who: Named) -> str:
        return self.names.whole(who, self.facts)

    def _newcomers(self, text: str, source: Source) -> None:
        for name, kind in unknown(text, source.lang, self.known):
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

    def _add(
        self,
        item: Entity | Fact | Plan | StatusChange | Setting,
        source: Source,
        words: str,
        shade: Shade | None = None,
    ) -> None:
        """`shade`: why it is not ticked."""
        key = shade.reason if shade else "chosen" if len(source.turns) > 1 else "marked"
        told = reason(key, source.told_in, source=words[:QUOTED], mark=shade.mark if shade else "")
        self.found.append(DraftItem(item=item, turns=source.turns, ticked=shade is None, reason=told))


_HOOK_END_RE: Final = re.compile(
    r"\s*[（(]\s*(?:in\s+)?(?:第[^）)]{1,12}[章回]|ch(?:apters?|ap\.|\.)\s*[\w,-]+)\s*[）)]|[。.;；?？!！\s]+$",
    re.IGNORECASE,
)
"""The chapter in brackets, and the marks that end it."""


def _asks(hook: str) -> str:
    """A hook's words as they are compared."""
    return normal(bare(_HOOK_END_RE.sub("", _HOOK_END_RE.sub("", hook))))
