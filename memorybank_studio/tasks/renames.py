"""Words found everywhere in a studio, and a name changed everywhere in one operation, with the way back.

A rename is carried out as a settlement is: a task of its own, the whole set in the journal (with the chapters in
writing, which the journal holds), then into the stores; what a crash interrupts is finished at the next opening. The
name, its aliases and the hub's lists of names always change; texts change where their place is ticked. History does
not: what was said in discussions, and the words that a fact was read from, stay as they were. An entity or a plan keeps
its key (`keyed_as`), so all facts stay about it, and the old name stays as an alias.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any, Final, Literal, get_args

from memorybank.errors import InputError
from memorybank.language.text import encodable, fold_space, is_han
from memorybank.memory.types import Lang, Value
from memorybank_studio.chapters.manuscript import (
    Beat,
    ChapterReworded,
    Manuscript,
    PieceWords,
    StateLine,
    whole_text,
    words_of,
)
from memorybank_studio.hub.shared import SharedHub
from memorybank_studio.hub.stores import Stores
from memorybank_studio.hub.verbalisation import tell_predicate
from memorybank_studio.journal.desk import Desk
from memorybank_studio.journal.events import Renamed, TaskOpened
from memorybank_studio.names import Cast, bordered
from memorybank_studio.settlement.applying import Applier, changed_since, check
from memorybank_studio.types import (
    BEARERS,
    Chunk,
    Entity,
    EntityKey,
    EntityKind,
    Fact,
    Plan,
    Setting,
    TaskId,
    digest,
    normal,
)
from memorybank_studio.wording import say
from memorybank_studio.writes import WriteSet

Found = Literal["entity", "fact", "plan", "setting", "archive", "manuscript", "discussion", "typed"]
KINDS: Final[tuple[Found, ...]] = get_args(Found)
Item = Entity | Fact | Plan | Setting | tuple[Chunk, ...] | ChapterReworded
"""The items with words of their own: of the archive a chapter's passages, of a chapter in writing all its texts."""
LONGEST: Final = 80
"""Characters of a name."""
LONGEST_WORDS: Final = 200
"""Characters of what is looked for."""
AROUND: Final = 80
"""Characters of a text that are shown on each side."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WordHit(Value):
    """A text with the words in it: of several places the first, and how many there are."""

    kind: Found
    where: str
    """The title of the place: an entry's title, a chapter, or a task and its turn."""
    text: str
    start: int
    end: int
    """The offset behind the words within `text`, which may be cut from a longer one."""
    count: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Something that holds the name: what it is, and what it becomes."""

    kind: Found
    where: str
    """The title of the place: of a chapter its number and title."""
    texts: tuple[tuple[str, str], ...]
    """The texts of the place that change, each before and after."""
    count: int
    fixed: bool = False
    """The name itself: it always changes."""
    doubtful: bool = False
    """Somebody else is called so too: not ticked beforehand."""
    was: Item
    becomes: Item

    @property
    def id(self) -> str:
        """Return an id that changes as soon as anything in the place does."""
        return digest(self.kind, self.where, *chain.from_iterable(self.texts))


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
        """Return the rename that `undo` would take back."""
        return self._desk.state.renamed

    def find(self, words: str, typed: Mapping[str, str]) -> tuple[WordHit, ...]:
        """Find these words in all of the studio, in the order of `KINDS`. `typed`: what is being typed. Raises
        InputError for nothing to look for, StoreUnavailableError."""
        parts = words.split()
        if not parts or len(words) > LONGEST_WORDS:
            raise InputError("rename.no_words", limit=LONGEST_WORDS)
        inside = r"\s+".join(map(re.escape, parts))
        pattern = re.compile(bordered(inside, parts[0][0], parts[-1][-1]), re.IGNORECASE)
        with self._hub.reading() as stores:
            entities = sorted(_entities(stores), key=lambda entity: (entity.kind, entity.name))
            names: dict[str, str] = {entity.key: entity.name for entity in entities}
            manuscripts = self._desk.state.chapters.held.values()
            hits = [
                _hit(pattern, kind, names.get(getattr(item, "subject", ""), where), _words_of(item))
                for kind, where, item in _on_record(entities, stores, manuscripts, self._lang)
            ]
            said = ((task.id, turn) for task in self._desk.tasks() for turn in self._desk.turns(task.id, 1, None))
            hits += [_hit(pattern, "discussion", f"{task} · {turn.number}", turn.text) for task, turn in said]
        hits += [_hit(pattern, "typed", field, text) for field, text in typed.items()]
        return tuple(hit for hit in hits if hit is not None)

    def preview(self, key: EntityKey, new: str, aliases: Mapping[str, str] | None = None) -> RenamePreview:
        """Return every place before and after. `aliases`: those that change too. Nothing is written.

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
            lists = (place if place.fixed or place.id in chosen else _without_texts(place) for place in preview.places)
            written = [place for place in lists if place is not None]
            back = self._write_set([(place.becomes, place.was) for place in written])
            renamed = Renamed(
                task=back.task,
                old=preview.entity.name,
                new=preview.pairs[preview.entity.name],
                back=back,
                chapters=tuple(place.was for place in written if isinstance(place.was, ChapterReworded)),
                at=self._desk.clock(),
            )
            after = [place.becomes for place in written if isinstance(place.becomes, ChapterReworded)]
            writes = self._write_set([(place.was, place.becomes) for place in written])
            return self._write(renamed, replace(writes, id=back.id, task=back.task), after, stores)

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
            ids = self._write_set(())
            undone = Renamed(task=ids.task, old=last.new, new=last.old, at=self._desk.clock())
            return self._write(undone, replace(last.back, id=ids.id, task=ids.task), last.chapters, stores)

    def _write(self, renamed: Renamed, writes: WriteSet, chapters: Collection[ChapterReworded], stores: Stores) -> bool:
        check(writes, stores)
        title = say("rename_task", self._lang, old=renamed.old, new=renamed.new)
        opened = TaskOpened(task=renamed.task, title=title, at=renamed.at)
        reworded_ = (replace(chapter, at=renamed.at) for chapter in chapters)
        return self._applier.confirm(writes, opened, renamed, *reworded_) is None

    def _write_set(self, changes: Sequence[tuple[Item, Item]]) -> WriteSet:
        """Return the next set, in a task of its own, that makes the second of each pair of the first."""
        settings = [(was, now) for was, now in changes if isinstance(was, Setting) and isinstance(now, Setting)]
        return WriteSet(
            id=self._desk.next_settlement(),
            task=TaskId(f"t{len(self._desk.state.tasks) + 1}"),
            entities=tuple(now.keyed for _, now in changes if isinstance(now, Entity)),
            facts=tuple(now for _, now in changes if isinstance(now, Fact)),
            plans=tuple(now.keyed for _, now in changes if isinstance(now, Plan)),
            settings=tuple(now for _, now in settings),
            settings_gone=tuple(was.key for was, now in settings if normal(was.key) != normal(now.key)),
            chunks=tuple(chunk for _, now in changes if isinstance(now, tuple) for chunk in now),
        )

    def _wait_for_chapters(self) -> None:
        for chapter in self._at_work():
            raise InputError("rename.chapter_at_work", title=chapter.title[:80])

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
        places = tuple(_places(entity, pairs, stores, self._desk.state.chapters.held.values(), self._lang))
        taken = {normal(setting.key) for setting in stores.settings.all()}
        for place in places:
            was, becomes = getattr(place.was, "key", ""), getattr(place.becomes, "key", "")
            if place.kind == "setting" and normal(was) != normal(becomes) and normal(becomes) in taken:
                raise InputError("rename.setting_taken", key=becomes[:80])
        return RenamePreview(entity=entity, pairs=pairs, places=places)


def _name(text: str) -> str:
    name = fold_space(encodable(text))
    if not normal(name) or len(name) > LONGEST or (len(name) == 1 and is_han(name)):
        raise InputError("rename.no_name", limit=LONGEST)
    return name


def _changed_chapter(last: Renamed, desk: Desk) -> str:
    """Return a chapter in writing whose words are others than the rename left there."""
    for before in last.chapters:
        now, wrote = desk.state.chapters.held.get(before.chapter), desk.state.reworded.get(before.chapter)
        if now is None or wrote is None or replace(_texts_of(now), at=wrote.at) != wrote:
            return before.title
    return ""


def _entities(stores: Stores) -> Collection[Entity]:
    return stores.facts.entities(stores.facts.names().values()).values()


def _on_record(
    entities: Iterable[Entity], stores: Stores, manuscripts: Iterable[Manuscript], lang: Lang
) -> Iterator[tuple[Found, str, Item]]:
    """Yield these entities and all else of a studio, each with its kind and its title."""
    facts: dict[str, Fact] = {}
    for entity in entities:
        facts |= {fact.key: fact for fact in stores.facts.history(entity.key)}
        yield "entity", entity.name, entity
    for fact in facts.values():
        yield "fact", tell_predicate(fact.predicate, lang), fact
    for plan in stores.plans.all():
        yield "plan", plan.title, plan
    for setting in stores.settings.all():
        yield "setting", setting.key, setting
    for number, title in stores.archive.chapters():
        yield "archive", f"{number} {title}".strip(), stores.archive.chapter(number)
    for manuscript in manuscripts:
        yield "manuscript", f"{manuscript.number} {manuscript.title}".strip(), _texts_of(manuscript)


def _texts_of(manuscript: Manuscript) -> ChapterReworded:
    return ChapterReworded(
        chapter=manuscript.id,
        title=manuscript.title,
        outline=manuscript.outline,
        beats=manuscript.beats,
        pieces=tuple(PieceWords(**words_of(piece)) for piece in manuscript.pieces),
        at=0.0,
    )


def _words_of(item: Item) -> str:
    """Return the item's texts that are looked through; of a fact what is said of it, and the words it was read from."""
    match item:
        case Entity():
            texts: Iterable[str] = (item.name, *item.aliases, item.note, *item.ranks)
        case Fact():
            texts = (*item.properties.values(), item.origin.source)
        case Plan():
            texts = (item.title, item.text)
        case Setting():
            texts = (item.key, *(state.text for state in item.states))
        case ChapterReworded():
            beats = (words for beat in item.beats for words in (beat.title, beat.happens, beat.outcome))
            texts = (item.title, item.outline, *beats, whole_text(piece.text for piece in item.pieces))
        case _:
            return "".join(chunk.text for chunk in item)
    return "\n".join(texts).strip()


def _hit(pattern: re.Pattern[str], kind: Found, where: str, text: str) -> WordHit | None:
    matches = list(pattern.finditer(text))
    if not matches:
        return None
    first = matches[0]
    begin = max(0, first.start() - AROUND)
    place = {"start": first.start() - begin, "end": first.end() - begin}
    return WordHit(kind=kind, where=where, text=text[begin : first.end() + AROUND], **place, count=len(matches))


class _Words:
    """Puts new names in the place of old ones, of one entity alone, and keeps what it changed since `begin`."""

    def __init__(self, entity: Entity, pairs: Mapping[str, str], entities: Iterable[Entity]) -> None:
        """`pairs`: each name or alias that changes, with what it becomes."""
        forms = {fold_space(old): new for old, new in pairs.items()}
        self._forms = forms | {_capital(old): _capital(new) for old, new in forms.items()}
        self._key = str(entity.key)
        bearers = (other for other in entities if other.kind in BEARERS)
        named = [(form, str(other.key)) for other in bearers for form in (other.name, *other.aliases)]
        self._cast = Cast([*named, *((form, self._key) for form in self._forms)])
        self.begin()

    def begin(self) -> None:
        self.count, self.doubtful = 0, False
        self.texts: list[tuple[str, str]] = []
        """The texts that changed, before and after."""

    def __call__(self, text: str) -> str:
        changed, at = [], 0
        for mention in self._cast.mentions(text):
            new = self._forms.get(fold_space(text[mention.start : mention.end]))
            if new is not None and self._key in mention.names:
                changed += [text[at : mention.start], new]
                at = mention.end
                self.count += 1
                self.doubtful |= len(mention.names) > 1
        after = "".join((*changed, text[at:]))
        if after != text:
            self.texts.append((text, after))
        return after


def _capital(name: str) -> str:
    return name[:1].upper() + name[1:]


def _places(
    entity: Entity, pairs: Mapping[str, str], stores: Stores, manuscripts: Iterable[Manuscript], lang: Lang
) -> Iterator[Place]:
    """Yield all that a rename changes, the name itself first. Raises StoreUnavailableError."""
    entities = _entities(stores)
    words = _Words(entity, pairs, entities)
    after = _renamed(entity, pairs, words)
    names = tuple(" · ".join((each.name, *each.aliases)) for each in (entity, after))
    texts = ((names[0], names[1]), *words.texts)
    yield Place(kind="entity", where=entity.name, texts=texts, count=1, fixed=True, was=entity, becomes=after)
    for kind, where, was in _on_record(entities, stores, manuscripts, lang):
        if isinstance(was, Entity) and (was.key == entity.key or was.kind in (EntityKind.CHAPTER, EntityKind.STATUS)):
            continue
        words.begin()
        becomes = _reworded(was, words)
        if isinstance(was, tuple):
            swapped = {entity.name: after.name}
            lists = (tuple(swapped.get(name, name) for name in chunk.entity_list) for chunk in becomes)
            becomes = tuple(replace(chunk, entity_list=list_) for chunk, list_ in zip(becomes, lists, strict=True))
        if words.texts or (isinstance(was, tuple) and becomes != was):
            yield Place(
                kind=kind,
                where=where,
                texts=tuple(words.texts),
                count=words.count,
                doubtful=words.doubtful,
                was=was,
                becomes=becomes,
            )


def _renamed(entity: Entity, pairs: Mapping[str, str], words: _Words) -> Entity:
    """Return the entity under its new name; every name it had is an alias."""
    name = pairs[entity.name]
    forms = dict.fromkeys((entity.name, *entity.aliases, *pairs.values()))
    aliases = tuple(form for form in forms if normal(form) != normal(name))
    ranks = tuple(map(words, entity.ranks))
    return replace(entity.keyed, name=name, aliases=aliases, note=words(entity.note), ranks=ranks)


_TEXTS: Final[Mapping[type, tuple[str, ...]]] = {
    Plan: ("title", "text"),
    Setting: ("key", "text", "earlier"),
    ChapterReworded: ("beats", "pieces", "title", "outline"),
    Beat: ("title", "happens", "outcome", "cast"),
    PieceWords: ("text", "summary", "outcome_quote", "state"),
    StateLine: ("who", "what", "quote"),
}
"""Fields that hold texts, or what has texts itself."""


def _reworded(item: Any, words: Callable[[str], str]) -> Any:
    """Put all its texts in other words. The name of a hook or an event is a text; that of somebody else is not."""
    match item:
        case str():
            return words(item)
        case Entity():
            name = item.name if item.kind in BEARERS else words(item.name)
            aliases = item.aliases if name == item.name else (*item.aliases, item.name)
            ranks = tuple(map(words, item.ranks))
            return replace(item.keyed, name=name, aliases=aliases, note=words(item.note), ranks=ranks)
        case Fact():
            return replace(item, properties={name: words(value) for name, value in item.properties.items()})
        case (Chunk(), *_):  # a chapter's passages stand where they stood, counted anew
            after, moved = [], 0
            for chunk in item:
                text, start = words(chunk.text), chunk.start + moved
                moved += len(text) - len(chunk.text)
                after.append(replace(chunk, start=start, end=chunk.end + moved, text=text))
            title = words(item[0].chapter_title)
            return tuple(replace(chunk, chapter_title=title) for chunk in after)
        case tuple():
            return tuple(_reworded(each, words) for each in item)
        case _:
            changed = {name: _reworded(getattr(item, name), words) for name in _TEXTS[type(item)]}
            return replace(item.keyed if isinstance(item, Plan) else item, **changed)


def _without_texts(place: Place) -> Place | None:
    """Return what changes at a place that is not ticked all the same: the list of who is in a chapter."""
    if not isinstance(place.was, tuple) or not isinstance(place.becomes, tuple):
        return None
    lists = tuple(replace(was, entity_list=now.entity_list) for was, now in zip(place.was, place.becomes, strict=True))
    return replace(place, becomes=lists) if lists != place.was else None
