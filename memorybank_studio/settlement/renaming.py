"""Everything that a rename changes, each place before and after, and the write set of the chosen places. Pure.

The name, its aliases and the hub's lists of names always change; texts change where their place is ticked. History does
not: what was said in discussions, and the words that a fact was read from, stay as they were. An entity or a plan keeps
its key (`keyed_as`), so all facts stay about it, and the old name stays as an alias.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Literal

from memorybank.language.text import fold_space
from memorybank_studio.chapters.manuscript import ChapterReworded, Manuscript, PieceWords
from memorybank_studio.hub.stores import Stores
from memorybank_studio.names import Cast
from memorybank_studio.types import BEARERS, Chunk, Entity, EntityKey, EntityKind, Fact, Plan, Setting, digest, normal
from memorybank_studio.writes import WriteSet

PlaceKind = Literal["entity", "fact", "plan", "setting", "archive", "manuscript"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Something that holds the name: what it is, and what it becomes."""

    kind: PlaceKind
    where: str
    """Its title: of a chapter its number and title."""
    before: tuple[str, ...]
    after: tuple[str, ...]
    """Its texts that change, one by one."""
    count: int
    fixed: bool = False
    """The name itself: it always changes."""
    doubtful: bool = False
    """Somebody else is called so too: not ticked beforehand."""
    was: Entity | Fact | Plan | Setting | tuple[Chunk, ...] | ChapterReworded
    becomes: Entity | Fact | Plan | Setting | tuple[Chunk, ...] | ChapterReworded

    @property
    def id(self) -> str:
        """Another one as soon as anything in it is another."""
        return digest(self.kind, self.where, *self.before, "\0", *self.after)


@dataclass
class Words:
    """Puts new names in the place of old ones, of one entity alone."""

    key: EntityKey
    forms: Mapping[str, str]
    cast: Cast
    count: int = 0
    doubtful: bool = False
    texts: list[tuple[str, str]] = field(default_factory=list)
    """What changed since `begin`, before and after."""

    def begin(self) -> Words:
        self.count, self.doubtful, self.texts = 0, False, []
        return self

    def __call__(self, text: str) -> str:
        changed, at = [], 0
        for mention in self.cast.mentions(text):
            new = self.forms.get(fold_space(text[mention.start : mention.end]))
            if new is not None and str(self.key) in mention.names:
                changed += [text[at : mention.start], new]
                at = mention.end
                self.count += 1
                self.doubtful |= len(mention.names) > 1
        after = "".join((*changed, text[at:]))
        if after != text:
            self.texts.append((text, after))
        return after


def words_for(entity: Entity, pairs: Mapping[str, str], entities: Iterable[Entity]) -> Words:
    """`pairs`: each name or alias that changes, with what it becomes."""
    forms = {fold_space(old): new for old, new in pairs.items()}
    forms |= {_capital(old): _capital(new) for old, new in forms.items()}
    named = [(form, str(other.key)) for other in entities if other.kind in BEARERS for form in _names(other)]
    return Words(entity.key, forms, Cast([*named, *((form, str(entity.key)) for form in forms)]))


def _names(entity: Entity) -> tuple[str, ...]:
    return (entity.name, *entity.aliases)


def _capital(name: str) -> str:
    return name[:1].upper() + name[1:]


def renamed_entity(entity: Entity, name: str, pairs: Mapping[str, str], words: Words) -> Entity:
    """Under its new name; every name it had is an alias."""
    forms = dict.fromkeys((*_names(entity), *pairs.values()))
    return replace(
        entity,
        name=name,
        aliases=tuple(form for form in forms if normal(form) != normal(name)),
        note=words(entity.note),
        keyed_as=entity.keyed_as or entity.name,
    )


def places(entity: Entity, pairs: Mapping[str, str], stores: Stores, manuscripts: Iterable[Manuscript]) -> list[Place]:
    """All that a rename changes, the name itself first. Raises StoreUnavailableError."""
    entities = tuple(stores.facts.entities(stores.facts.names().values()).values())
    words = words_for(entity, pairs, entities)
    name = pairs[entity.name]
    after = renamed_entity(entity, name, pairs, words)
    own = Place(
        kind="entity",
        where=entity.name,
        before=(" · ".join(_names(entity)), *(before for before, _ in words.texts)),
        after=(" · ".join(_names(after)), *(text for _, text in words.texts)),
        count=1,
        fixed=True,
        was=entity,
        becomes=after,
    )
    return [
        own,
        *_others(entity, entities, words),
        *_facts(entities, stores, words),
        *_plans(stores, words),
        *_settings(stores, words),
        *_chapters(entity.name, name, stores, words),
        *_manuscripts(manuscripts, words),
    ]


_Item = Entity | Fact | Plan | Setting | tuple[Chunk, ...] | ChapterReworded


def _place(words: Words, kind: PlaceKind, where: str, was: _Item, becomes: _Item, *, fixed: bool = False) -> Place:
    """Of what `words` has changed since it began."""
    return Place(
        kind=kind,
        where=where,
        before=tuple(before for before, _ in words.texts),
        after=tuple(after for _, after in words.texts),
        count=words.count,
        fixed=fixed,
        doubtful=words.doubtful,
        was=was,
        becomes=becomes,
    )


def _others(renamed: Entity, entities: Iterable[Entity], words: Words) -> Iterator[Place]:
    """Hooks and events whose names name it, and notes of whoever."""
    for entity in entities:
        if entity.key == renamed.key or entity.kind in (EntityKind.CHAPTER, EntityKind.STATUS):
            continue
        words.begin()
        name = entity.name if entity.kind in BEARERS else words(entity.name)
        note = words(entity.note)
        if words.texts:
            aliases = entity.aliases if name == entity.name else (*entity.aliases, entity.name)
            after = replace(entity, name=name, aliases=aliases, note=note, keyed_as=entity.keyed_as or entity.name)
            yield _place(words, "entity", entity.name, entity, after)


def _facts(entities: Iterable[Entity], stores: Stores, words: Words) -> Iterator[Place]:
    """What is said of a fact (why, with whom)."""
    facts = {fact.key: fact for entity in entities for fact in stores.facts.history(entity.key)}
    for fact in facts.values():
        words.begin()
        properties = {name: words(value) for name, value in fact.properties.items()}
        if words.texts:
            yield _place(words, "fact", fact.predicate, fact, replace(fact, properties=properties))


def _plans(stores: Stores, words: Words) -> Iterator[Place]:
    for plan in stores.plans.all():
        words.begin()
        after = replace(plan, title=words(plan.title), text=words(plan.text), keyed_as=plan.keyed_as or plan.title)
        if words.texts:
            yield _place(words, "plan", plan.title, plan, after)


def _settings(stores: Stores, words: Words) -> Iterator[Place]:
    for setting in stores.settings.all():
        words.begin()
        after = replace(setting, key=words(setting.key), text=words(setting.text))
        if words.texts:
            yield _place(words, "setting", setting.key, setting, after)


def _chapters(old: str, new: str, stores: Stores, words: Words) -> Iterator[Place]:
    for number, title in stores.archive.chapters():
        words.begin()
        chunks = stores.archive.chapter(number)
        texts = [words(chunk.text) for chunk in chunks]
        heading = words(title)
        if words.texts or any(old in chunk.entity_list for chunk in chunks):
            yield _place(
                words, "archive", f"{number} {title}".strip(), chunks, rewritten(chunks, texts, heading, old, new)
            )


def rewritten(chunks: tuple[Chunk, ...], texts: list[str], title: str, old: str, new: str) -> tuple[Chunk, ...]:
    """The chapter with these words: its passages stand where they stood, counted anew."""
    after, moved = [], 0
    for chunk, text in zip(chunks, texts, strict=True):
        start = chunk.start + moved
        moved += len(text) - len(chunk.text)
        after.append(
            replace(
                chunk,
                chapter_title=title,
                start=start,
                end=chunk.end + moved,
                text=text,
                entity_list=tuple(new if name == old else name for name in chunk.entity_list),
            )
        )
    return tuple(after)


def _manuscripts(manuscripts: Iterable[Manuscript], words: Words) -> Iterator[Place]:
    for manuscript in manuscripts:
        words.begin()
        was = reworded(manuscript, lambda text: text)
        becomes = reworded(manuscript, words)
        if words.texts:
            yield _place(words, "manuscript", f"{manuscript.number} {manuscript.title}".strip(), was, becomes)


def reworded(manuscript: Manuscript, words: Callable[[str], str]) -> ChapterReworded:
    """All texts of a chapter in writing in other words. Its pieces are to be checked anew."""
    beats = tuple(
        replace(
            beat,
            title=words(beat.title),
            happens=words(beat.happens),
            outcome=words(beat.outcome),
            cast=tuple(map(words, beat.cast)),
        )
        for beat in manuscript.beats
    )
    pieces = tuple(
        PieceWords(
            text=words(piece.text),
            summary=words(piece.summary),
            outcome_quote=words(piece.outcome_quote),
            state=tuple(
                replace(line, who=words(line.who), what=words(line.what), quote=words(line.quote))
                for line in piece.state
            ),
        )
        for piece in manuscript.pieces
    )
    return ChapterReworded(
        chapter=manuscript.id,
        title=words(manuscript.title),
        outline=words(manuscript.outline),
        beats=beats,
        pieces=pieces,
        at=0.0,
    )


# -- what is written --------------------------------------------------------------------------------------------------


def write_set_of(chosen: Iterable[Place], writes: WriteSet, *, back: bool = False) -> WriteSet:
    """`writes`, which says whose set it is, with what the places become; `back`: with what they were."""
    items = [(place.becomes, place.was) if back else (place.was, place.becomes) for place in chosen]
    settings = [(was, now) for was, now in items if isinstance(was, Setting) and isinstance(now, Setting)]
    return replace(
        writes,
        entities=tuple(_taken_whole(now) for _, now in items if isinstance(now, Entity)),
        facts=tuple(now for _, now in items if isinstance(now, Fact)),
        plans=tuple(_titled(now) for _, now in items if isinstance(now, Plan)),
        settings=tuple(now for _, now in settings),
        settings_gone=tuple(was.key for was, now in settings if normal(was.key) != normal(now.key)),
        chunks=tuple(chunk for _, now in items if isinstance(now, tuple) for chunk in now),
    )


def _taken_whole(entity: Entity) -> Entity:
    """It says what its key is made of, so that the layer takes it as it is (`merged_entity`)."""
    return replace(entity, keyed_as=entity.keyed_as or entity.name)


def _titled(plan: Plan) -> Plan:
    return replace(plan, keyed_as=plan.keyed_as or plan.title)


def without_texts(place: Place) -> Place | None:
    """Of a place that is not ticked what changes all the same: the list of who is in a chapter."""
    if place.kind != "archive" or not isinstance(place.was, tuple) or not isinstance(place.becomes, tuple):
        return None
    lists = tuple(replace(was, entity_list=now.entity_list) for was, now in zip(place.was, place.becomes, strict=True))
    return replace(place, becomes=lists) if lists != place.was else None
