"""The extractor of a settlement without a language model: what the author labelled, and what was not read.

Only lines that say themselves what they are give rows (`markers`); each other sentence is told as not read, to be
entered by hand. What the assistant wrote does not count: a proposal is taken by its button, as words of the author's. A
question settles nothing, and nobody is guessed: names are those on record and those on cards of the same turns.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Final

from memorybank.language.text import detect_lang
from memorybank.memory.types import Lang
from memorybank_studio.drafts import DraftItem, Extracted, Unread
from memorybank_studio.hub.facts import Facts, hook_status
from memorybank_studio.hub.plans import Plans
from memorybank_studio.reading.markers import Line, lines
from memorybank_studio.reading.mentions import QUOTED, Named, Names, Source, StoryTime, first_chapter_named, reason
from memorybank_studio.reading.outlines import Outlines, settled_fact
from memorybank_studio.settlement.numbered import Explaining, statements
from memorybank_studio.types import (
    BEFORE_THE_STORY,
    IN_CHAPTER,
    Entity,
    EntityKind,
    Fact,
    Plan,
    Setting,
    TaskId,
    Turn,
    entity_key,
    normal,
)
from memorybank_studio.writes import StatusChange


class RuleExtract:
    """A settlement's `Extract`, by rules. Known names come from the fact layer, outlines from the planning layer.

    Turns may be in either language; `lang` is that of the reasons.
    """

    def __init__(self, facts: Facts, plans: Plans, lang: Lang, last_chapter: Callable[[], int] | None = None) -> None:
        """`last_chapter`: where the story stands, 0 where it has no chapters; None: where the facts stand."""
        self._facts = facts
        self._plans = plans
        self._lang = lang
        self._last_chapter = last_chapter or facts.latest

    def __call__(self, turns: Sequence[Turn], task: TaskId) -> Extracted:
        own = [turn for turn in turns if turn.role == "author"]
        on_record = Names.of(self._facts)
        names = Names([*on_record.all, *_carded(own, on_record)])
        reading = _Reading(
            task, on_record, names, self._facts, self._plans, self._lang, StoryTime(self._last_chapter())
        )
        for turn in own:
            reading.read(turn)
        return Extracted(drafts=tuple(reading.drafts), unread=tuple(reading.unread))


def _carded(turns: Sequence[Turn], on_record: Names) -> Iterator[Named]:
    """Yield the names on cards, found before anything is read: a turn may speak of what a later one introduces."""
    for turn in turns:
        for line in lines(turn.text, detect_lang(turn.text)):
            if line.entity is not None:
                name = _known_as(line, line.entity, on_record)
                key = entity_key(line.entity, name)
                for form in (line.name, *line.aliases):
                    bearer = on_record.named(form)
                    if bearer is None or bearer.key == key:
                        yield Named(key, line.entity, form)


def _known_as(line: Line, kind: EntityKind, names: Names) -> str:
    """Return a card's name; where that is nobody's yet, the one on record in its brackets: "Vera (formerly Mara)"."""
    if names.named(line.name) is None:
        for alias in line.aliases:
            bearer = names.named(alias)
            if bearer is not None and bearer.key == entity_key(kind, alias):
                return alias
    return line.name


@dataclass
class _Reading:
    task: TaskId
    on_record: Names
    names: Names
    """The names on record, and on cards of these turns."""
    facts: Facts
    plans: Plans
    told_in: Lang
    clock: StoryTime
    drafts: list[DraftItem] = field(default_factory=list)
    unread: list[Unread] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.outlines = Outlines(self.plans, self._add, self.drafts)
        self.explaining = Explaining(self.names, self.facts, self.plans, self.told_in)

    def read(self, turn: Turn) -> None:
        lang = detect_lang(turn.text)
        for line in lines(turn.text, lang):
            if line.mark == "" and not line.asked:
                left = statements(line.text)
                self.unread += [self.explaining(turn.number, sentence, sentence) for sentence in left]
            else:
                self._left(turn.number, line, self._marked(line, self._source(turn, line, lang)))

    def _left(self, turn: int, line: Line, unread: Sequence[str]) -> None:
        """The sentences of a marked line that gave no row; with its mark where it is one."""
        if unread == [line.text.strip()]:
            self.unread.append(self.explaining(turn, line.raw, line.text, line.mark))
        else:
            self.unread += [self.explaining(turn, sentence, sentence, line.mark) for sentence in unread]

    def _source(self, turn: Turn, line: Line, lang: Lang) -> Source:
        chapter = line.chapter if line.chapter is not None else first_chapter_named(line.text)
        return Source(task=self.task, lang=lang, told_in=self.told_in, chapter=chapter, turns=(turn.number,))

    def _marked(self, line: Line, source: Source) -> list[str]:
        """Read a marked line; its sentences that gave no row."""
        before = len(self.drafts)
        match line.mark:
            case "status":
                self.outlines.status(line, source)
            case "hook" | "hook_resolved":
                self._hook(line, source)
            case "plan":
                self.outlines.read(line, source)
            case "setting":
                self._add(Setting(key=line.name, text=line.text, origin=source.origin(line.text)), source, line.text)
            case "entity":
                self._card(line, source)
            case "settled":
                return [sentence for sentence in statements(line.text) if not self._settled(sentence, source)]
            case _:
                return [line.text.strip()]
        return [line.text.strip()] if len(self.drafts) == before else []

    def _settled(self, sentence: str, source: Source) -> bool:
        """Whether the sentence is a fact in the form's own words: then it is a row."""
        named = first_chapter_named(sentence)
        source = source if named is None else replace(source, chapter=named)
        fact = settled_fact(sentence, self.names, source)
        if fact is None:
            return False
        self._add_at(fact, source, sentence)
        self.clock.advance(source.chapter)
        return True

    def _hook(self, line: Line, source: Source) -> None:
        resolved = line.mark == "hook_resolved"
        name = _HOOK_END_RE.sub("", _HOOK_END_RE.sub("", line.text)) or line.text
        known = self._known_hook(name)
        origin = source.origin(line.text)
        hook = known or Entity(kind=EntityKind.HOOK, name=name, origin=origin)
        status = hook_status(hook, self.facts, partial(self._since, resolved), origin, resolved=resolved)
        for item in (hook, *status) if known is None else status:
            self._add_at(item, source, line.text)
        self.clock.advance(source.chapter)

    def _known_hook(self, name: str) -> Entity | None:
        """Return the hook on record, or of these turns, that asks the same; marks and articles tell none apart."""
        drafted = (
            item for draft in self.drafts if isinstance(item := draft.item, Entity) and item.kind is EntityKind.HOOK
        )
        known = self.facts.entities(self.facts.names((EntityKind.HOOK,)).values()).values()
        return next((hook for hook in (*known, *drafted) if _asks(hook.name) == _asks(name)), None)

    def _since(self, resolved: bool) -> int:
        """Return the chapter of a hook; of one that is resolved the coming one, after all that is said before it."""
        if not resolved:
            return self.clock.reached if self.clock.last else BEFORE_THE_STORY
        begun = (draft.item.since for draft in self.drafts if isinstance(draft.item, Fact))
        return max([self.facts.latest(), *begun]) + 1

    def _card(self, line: Line, source: Source) -> None:
        if line.entity is None:
            return
        after_name = f"：{line.text}" if source.lang == "zh" else f": {line.text}"
        words = f"{line.name}{after_name if line.text else ''}"
        card = self._entity(line, line.entity, source, words)
        self._add(card, source, words)
        if line.entity is EntityKind.EVENT and (number := source.chapter) is not None:
            chapter = Entity(kind=EntityKind.CHAPTER, name=str(number), origin=card.origin)
            fact = Fact(subject=card.key, predicate=IN_CHAPTER, object=chapter.key, since=number, origin=card.origin)
            self._add_at(chapter, source, words)
            self._add_at(fact, source, words)
        if line.text:
            origin = source.origin(words)
            self._add(Setting(key=line.name, text=line.text, category=str(line.entity), origin=origin), source, words)

    def _entity(self, line: Line, kind: EntityKind, source: Source, words: str) -> Entity:
        """Names in its brackets that are somebody else's stay theirs: nothing is one by itself."""
        name = _known_as(line, kind, self.on_record)
        forms = dict.fromkeys(form for form in (line.name, *line.aliases) if form != name)
        key = entity_key(kind, name)
        aliases = tuple(form for form in forms if (bearer := self.names.named(form)) is None or bearer.key == key)
        return Entity(kind=kind, name=name, aliases=aliases, note=line.text, origin=source.origin(words))

    def _add_at(self, item: Entity | Fact, source: Source, words: str) -> None:
        """Something of a chapter; of one that the story has not reached it is not ticked."""
        if not self.clock.is_ahead(source.chapter):
            self._add(item, source, words)
            return
        why = reason("ahead", source.told_in, source=words[:QUOTED], mark=str(self.clock.reached))
        self.drafts.append(DraftItem(item=item, turns=source.turns, ticked=False, reason=why))

    def _add(self, item: Entity | Fact | Plan | StatusChange | Setting, source: Source, words: str) -> None:
        why = reason("marked", source.told_in, source=words[:QUOTED])
        self.drafts.append(DraftItem(item=item, turns=source.turns, reason=why))


_HOOK_END_RE: Final = re.compile(
    r"\s*[（(]\s*(?:in\s+)?(?:第[^）)]{1,12}[章回]|ch(?:apters?|ap\.|\.)\s*[\w,-]+)\s*[）)]|[。.;；?？!！\s]+$",
    re.IGNORECASE,
)
"""The chapter in brackets, and the marks that end it."""
_ARTICLE_RE: Final = re.compile(r"^(?:the|a|an)\s+", re.IGNORECASE)


def _asks(hook: str) -> str:
    return normal(_ARTICLE_RE.sub("", _HOOK_END_RE.sub("", _HOOK_END_RE.sub("", hook))))
