"""A name changed everywhere in one operation: a preview of all places, then one settled set, and the way back.

It is carried out as a settlement is: a task of its own, the whole set in the journal first (with the chapters in
writing, which the journal holds), then into the stores; what a crash interrupts is finished at the next opening, and
nobody reads in between.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal

from memorybank.errors import InputError
from memorybank.language.text import HAN, fold_space, is_han
from memorybank.memory.types import Lang, Value
from memorybank_studio.chapters.manuscript import ChapterReworded, Manuscript
from memorybank_studio.hub.shared import SharedHub
from memorybank_studio.hub.stores import Stores
from memorybank_studio.journal.desk import Desk
from memorybank_studio.journal.events import Renamed, SettlementConfirmed, TaskOpened
from memorybank_studio.settlement.applying import UNREACHABLE, Applier, check
from memorybank_studio.settlement.renaming import Place, places, reworded, without_texts, write_set_of
from memorybank_studio.tasks.replies import clean
from memorybank_studio.types import Entity, EntityKey, TaskId, Turn, normal
from memorybank_studio.wording import say
from memorybank_studio.writes import WriteSet

LONGEST: Final = 80
"""Characters of a name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RenamePreview:
    entity: Entity
    pairs: Mapping[str, str]
    """The name first, then the aliases that change; each with what it becomes."""
    places: tuple[Place, ...]


class Renames:
    """Thread-safe: it waits for its turn at the hub."""

    def __init__(
        self, desk: Desk, hub: SharedHub, applier: Applier, at_work: Callable[[], Sequence[Manuscript]], lang: Lang
    ) -> None:
        """`at_work`: chapters that are being written. A piece on its way would keep the old name."""
        self._desk = desk
        self._hub = hub
        self._applier = applier
        self._at_work = at_work
        self._lang = lang

    @property
    def last(self) -> Renamed | None:
        """The rename that `undo` would take back."""
        return self._desk.state.renamed

    def find(self, words: str, typed: Mapping[str, str]) -> tuple[WordHit, ...]:
        """Where these words stand in all of the studio. `typed`: what is being typed. Raises InputError,
        StoreUnavailableError."""
        with self._hub.reading() as stores:
            written = Writings(
                manuscripts=tuple(self._desk.state.chapters.held.values()),
                histories={task.id: self._desk.turns(task.id, 1, None) for task in self._desk.tasks()},
                typed=typed,
            )
            return find_words(words, stores, written)

    def preview(self, key: EntityKey, new: str, aliases: Mapping[str, str] | None = None) -> RenamePreview:
        """Every place before and after. `aliases`: those that change too. Nothing is written.

        Raises InputError for a name that is none or is somebody else's, StoreUnavailableError."""
        with self._hub.reading() as stores:
            return self._preview(key, new, aliases or {}, stores)

    def rename(
        self, key: EntityKey, new: str, aliases: Mapping[str, str] | None = None, *, chosen: Collection[str]
    ) -> bool:
        """Carry it out in the places that are chosen, by their ids. True: it is in the hub; False: it waits for a store
        that is away. Raises as `preview`, and InputError where a chosen place is another by now, or while a chapter is
        being written."""
        with self._hub.changing() as stores:
            self._wait_for_chapters()
            preview = self._preview(key, new, aliases or {}, stores)
            if gone := set(chosen) - {place.id for place in preview.places}:
                raise InputError("rename.changed", count=len(gone))
            lists = (place if place.fixed or place.id in chosen else without_texts(place) for place in preview.places)
            written = [place for place in lists if place is not None]
            task, name = self._next_task(), preview.pairs[preview.entity.name]
            base = WriteSet(id=self._desk.next_settlement(), task=task)
            writes = write_set_of(written, base)
            back = write_set_of(written, base, back=True)
            chapters = [place for place in written if place.kind == "manuscript"]
            renamed = Renamed(
                task=task,
                old=preview.entity.name,
                new=name,
                back=back,
                chapters=tuple(place.was for place in chapters if isinstance(place.was, ChapterReworded)),
                at=self._desk.clock(),
            )
            after = [place.becomes for place in chapters if isinstance(place.becomes, ChapterReworded)]
            return self._write(renamed, writes, after, stores)

    def undo(self) -> bool:
        """Take the last rename back, exactly. Raises InputError where there is none, or where what it wrote was changed
        since, or while a chapter is being written."""
        with self._hub.changing() as stores:
            self._wait_for_chapters()
            last, wrote = self._desk.state.renamed, self._desk.state.renamed_to
            if last is None or last.back is None or wrote is None:
                raise InputError("rename.nothing")
            if changed := changed_since(wrote, stores) or _changed_chapter(last, self._desk):
                raise InputError("rename.changed_since", where=changed[:80])
            task = self._next_task()
            writes = replace(last.back, id=self._desk.next_settlement(), task=task)
            undone = Renamed(task=task, old=last.new, new=last.old, at=self._desk.clock())
            return self._write(undone, writes, last.chapters, stores)

    def _write(self, renamed: Renamed, writes: WriteSet, chapters: Collection[ChapterReworded], stores: Stores) -> bool:
        check(writes, stores)
        now = renamed.at
        title = say("rename_task", self._lang, old=renamed.old, new=renamed.new)
        self._desk.append(
            TaskOpened(task=renamed.task, title=title, at=now),
            renamed,
            *(replace(chapter, at=now) for chapter in chapters),
            SettlementConfirmed(writes=writes, at=now),
        )
        try:
            self._applier.apply()
        except UNREACHABLE:
            return False
        if failed := self._desk.state.failed.get(renamed.task):
            raise InputError(failed.why)
        return True

    def _wait_for_chapters(self) -> None:
        for chapter in self._at_work():
            raise InputError("rename.chapter_at_work", title=chapter.title[:80])

    def _next_task(self) -> TaskId:
        return TaskId(f"t{len(self._desk.state.tasks) + 1}")

    def _preview(self, key: EntityKey, new: str, aliases: Mapping[str, str], stores: Stores) -> RenamePreview:
        entity = stores.facts.entity(key)
        if entity is None:
            raise InputError("rename.unknown")
        pairs = {entity.name: _name(new)}
        pairs |= {old: _name(to) for old, to in aliases.items() if old in entity.aliases and old != to}
        if pairs[entity.name] == entity.name:
            raise InputError("rename.same", name=entity.name)
        for name in pairs.values():
            for bearer in stores.facts.named(name):
                if bearer.key != key:
                    raise InputError("rename.taken", name=name, bearer=bearer.name, kind=bearer.kind.value)
        shown = places(entity, pairs, stores, self._desk.state.chapters.held.values())
        taken = {normal(setting.key) for setting in stores.settings.all()}
        for place in shown:
            was, becomes = getattr(place.was, "key", ""), getattr(place.becomes, "key", "")
            if place.kind == "setting" and normal(was) != normal(becomes) and normal(becomes) in taken:
                raise InputError("rename.setting_taken", key=becomes[:80])
        return RenamePreview(entity=entity, pairs=pairs, places=tuple(shown))


def _name(text: str) -> str:
    name = fold_space(clean(text))
    if not normal(name) or len(name) > LONGEST or (len(name) == 1 and is_han(name)):
        raise InputError("rename.no_name", limit=LONGEST)
    return name


def changed_since(wrote: WriteSet, stores: Stores) -> str:
    """The first thing that does not stand any more as the set wrote it; empty: all does."""
    for entity in wrote.entities:
        now = stores.facts.entity(entity.key)
        if now is None or replace(now, origin=entity.origin, keyed_as=entity.keyed_as) != entity:
            return entity.name
    for fact in wrote.facts:
        now_facts = {known.key: known for known in stores.facts.history(fact.subject)}
        if fact.key not in now_facts or dict(now_facts[fact.key].properties) != dict(fact.properties):
            return fact.predicate
    for plan in wrote.plans:
        known = stores.plans.plan(plan.key)
        if known is None or (known.title, known.text) != (plan.title, plan.text):
            return plan.title
    for setting in wrote.settings:
        if stores.settings.exact(setting.key) != setting:
            return setting.key
    for number in dict.fromkeys(chunk.chapter_id for chunk in wrote.chunks):
        if stores.archive.chapter(number) != tuple(chunk for chunk in wrote.chunks if chunk.chapter_id == number):
            return str(number)
    return ""


def _changed_chapter(last: Renamed, desk: Desk) -> str:
    """A chapter in writing whose words are others than the rename left there."""
    for before in last.chapters:
        now, wrote = desk.state.chapters.held.get(before.chapter), desk.state.reworded.get(before.chapter)
        if now is None or wrote is None or replace(reworded(now, lambda text: text), at=wrote.at) != wrote:
            return before.title
    return ""


# -- where a name stands -----------------------------------------------------------------------------------------------


Found = Literal["entity", "fact", "plan", "setting", "archive", "manuscript", "discussion", "typed"]
KINDS: Final[tuple[Found, ...]] = ("entity", "fact", "plan", "setting", "archive", "manuscript", "discussion", "typed")
LONGEST_WORDS: Final = 200
"""Characters of what is looked for."""
AROUND: Final = 80
"""Characters of a text that are shown on each side."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WordHit(Value):
    """A text with the words in it: of several places the first, and how many there are."""

    kind: Found
    where: str
    """Its title, its chapter, its task and turn."""
    text: str
    start: int
    end: int
    """Of the words within `text`, which may be cut from a longer one."""
    count: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Writings:
    """What a studio holds beside its stores."""

    manuscripts: tuple[Manuscript, ...]
    histories: Mapping[TaskId, tuple[Turn, ...]]
    typed: Mapping[str, str]


def find_words(words: str, stores: Stores, written: Writings) -> tuple[WordHit, ...]:
    """In the order of `KINDS`. Raises InputError for nothing to look for, StoreUnavailableError."""
    pattern = _pattern(words)
    texts = (*_on_record(stores), *_written(written))
    return tuple(hit for kind, where, text in texts if (hit := _hit(pattern, kind, where, text)) is not None)


def _pattern(words: str) -> re.Pattern[str]:
    parts = words.split()
    if not parts or len(words) > LONGEST_WORDS:
        raise InputError("rename.no_words", limit=LONGEST_WORDS)
    inside = r"\s+".join(map(re.escape, parts))
    before = "" if not parts[0][0].isalnum() or is_han(parts[0][0]) else rf"(?<![^\W_{HAN}])"
    after = "" if not parts[-1][-1].isalnum() or is_han(parts[-1][-1]) else rf"(?![^\W_{HAN}])"
    return re.compile(f"{before}{inside}{after}", re.IGNORECASE)


def _hit(pattern: re.Pattern[str], kind: Found, where: str, text: str) -> WordHit | None:
    matches = list(pattern.finditer(text))
    if not matches:
        return None
    first = matches[0]
    begin, end = max(0, first.start() - AROUND), min(len(text), first.end() + AROUND)
    return WordHit(
        kind=kind,
        where=where,
        text=text[begin:end],
        start=first.start() - begin,
        end=first.end() - begin,
        count=len(matches),
    )


_Text = tuple[Found, str, str]


def _on_record(stores: Stores) -> Iterator[_Text]:
    entities = stores.facts.entities(stores.facts.names().values())
    for entity in sorted(entities.values(), key=lambda entity: (entity.kind, entity.name)):
        yield "entity", entity.name, "\n".join((entity.name, *entity.aliases, entity.note)).strip()
    yield from _facts(list(entities.values()), stores)
    for plan in stores.plans.all():
        yield "plan", plan.title, f"{plan.title}\n{plan.text}".strip()
    for setting in stores.settings.all():
        yield "setting", setting.key, f"{setting.key}\n{setting.text}"
    for number, title in stores.archive.chapters():
        yield "archive", f"{number} {title}".strip(), "".join(chunk.text for chunk in stores.archive.chapter(number))


def _facts(entities: list[Entity], stores: Stores) -> Iterator[_Text]:
    """What is said of a fact, and the words it was read from."""
    facts = {fact.key: (entity, fact) for entity in entities for fact in stores.facts.history(entity.key)}
    for entity, fact in facts.values():
        words = "\n".join((*fact.properties.values(), fact.origin.source)).strip()
        if words:
            yield "fact", entity.name, words


def _written(written: Writings) -> Iterator[_Text]:
    for chapter in written.manuscripts:
        beats = (words for beat in chapter.beats for words in (beat.title, beat.happens, beat.outcome))
        yield (
            "manuscript",
            f"{chapter.number} {chapter.title}".strip(),
            "\n".join((chapter.title, chapter.outline, *beats, chapter.text)),
        )
    for task, turns in written.histories.items():
        for turn in turns:
            yield "discussion", f"{task} · {turn.number}", turn.text
    for field, text in written.typed.items():
        yield "typed", field, text
