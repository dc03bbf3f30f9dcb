"""Statements of a story as facts of the hub: what has happened is proposed, what is only intended, supposed or told by
someone is shown with its reason and not proposed to be written.

Plain prose gives rows of few kinds (`prose` in `relations.*.yaml`): those that a rule finds in prose it was not written
for. What the author labels as settled is short and plain, and every relation is read in it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Final

from memorybank.language.kin import kin_of_word, pair_of_word
from memorybank.language.numerals import number
from memorybank.language.text import Piece
from memorybank.memory.types import Lang
from memorybank.narrative.drafts import DraftItem, with_properties
from memorybank.narrative.reading.dating import Dating
from memorybank.narrative.reading.discussion import Discussion, NonFactual, StoryTime
from memorybank.narrative.reading.lists import lists
from memorybank.narrative.reading.mentions import Named, Names
from memorybank.narrative.reading.modality import Modality
from memorybank.narrative.reading.narration import read
from memorybank.narrative.reading.statements import Statement, statements
from memorybank.narrative.types import (
    BEFORE_THE_STORY,
    HAS_STATUS,
    IN_CHAPTER,
    Entity,
    EntityKey,
    EntityKind,
    Fact,
    FactKey,
    Origin,
    TaskId,
    entity_key,
)

AGE: Final = "AGE"
"""Leads to a number of years; also in the property `value`."""
KIN: Final = {
    "parent": "PARENT_OF", "child": "CHILD_OF", "sibling": "SIBLING_OF", "spouse": "MARRIED_TO", "master": "MASTER_OF",
}  # fmt: skip
OTHER_KIN: Final = "KIN_OF"
"""Kin for which there is no relation of its own; the word is in the property `role`."""
QUOTED: Final = 160


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """Where a text comes from, for the origin of what is read in it."""

    task: TaskId
    lang: Lang
    """Of the text."""
    told_in: Lang
    """Of the reasons."""
    chapter: int | None = None
    turns: tuple[int, ...] = ()
    settled: bool = False
    """The author's settled wording: what it says counts as so, without a word of having happened."""
    labelled: bool = False
    """The author's label stands before it: every relation is read, not only those of plain prose."""
    discussed: bool = False
    """It is an author's turn, not a book's chapter: its sentences name their chapters, and may speak of the plan."""
    shade: NonFactual | None = None
    """Why nothing of the text is to be taken as happened."""
    clock: StoryTime | None = None
    """Where the story stands, for an author's turn; None: nothing that it tells is to come."""

    @property
    def since(self) -> int:
        return BEFORE_THE_STORY if self.chapter is None else self.chapter

    def origin(self, words: str) -> Origin:
        return Origin(task=self.task, chapter=self.chapter, source=words[:QUOTED], turns=self.turns)


@dataclass(frozen=True, slots=True)
class StoryDrafts:
    """What was read of a text, and in which of its sentences."""

    drafts: tuple[DraftItem, ...]
    read: tuple[Piece, ...]


def drafts_of(text: str, names: Names, source: Source) -> StoryDrafts:
    """What a chapter, or the narrative of a turn, says of known names; each fact once, as it is told last."""
    story = read(text, source.lang, [Piece(mention.start, mention.end) for mention in names.find(text)])
    placed = _Placed(source, text, story.plain)
    allowed = frozenset(lists(f"relations.{source.lang}")["prose"])
    drafts: dict[EntityKey | FactKey, DraftItem] = {}
    spans: list[Piece] = []
    for statement in statements(story, names):
        if statement.denied or not (source.labelled or statement.event in allowed):
            continue
        words = text[statement.sentence.start : statement.sentence.end].strip()
        own = placed.at(Piece(statement.start, statement.end))
        for item in _items(statement, own, words):
            draft = _draft(item, statement.modality, statement.mark, own, words)
            placed.advance_clock(draft)
            _keep(drafts, draft)
            spans.append(statement.sentence)
    return StoryDrafts(tuple(drafts.values()), tuple(spans))


class _Placed:
    """The source of each statement of a text: of an author's turn with its own chapter, and with what shades it."""

    def __init__(self, source: Source, text: str, plain: str) -> None:
        self.source = source
        self._dating = Dating(text) if source.discussed else None
        self._discussion = Discussion(text, plain, source.lang) if source.discussed else None

    def at(self, span: Piece) -> Source:
        if self._dating is None or self._discussion is None:
            return self.source
        named = self._dating.at(span)
        chapter = self.source.chapter if named is None else named
        shade = self.source.shade or self._discussion.shade(span)
        if shade is None and self.source.clock is not None:
            shade = self.source.clock.shade(chapter)
        return replace(self.source, chapter=chapter, shade=shade)

    def advance_clock(self, draft: DraftItem) -> None:
        """The clock goes on with what has happened."""
        if self.source.clock is not None and draft.ticked and isinstance(draft.item, Fact):
            self.source.clock.advance(draft.item.origin.chapter)


def _keep(drafts: dict[EntityKey | FactKey, DraftItem], draft: DraftItem) -> None:
    """The last word that is ticked, else the last; what an earlier one said beside it stays."""
    item = draft.item
    assert isinstance(item, Entity | Fact)
    known = drafts.get(item.key)
    if known is None or draft.ticked or not known.ticked:
        drafts[item.key] = with_properties(known, draft) if known is not None else draft


def in_chapter(event: Named, source: Source, words: str) -> Iterator[Entity | Fact]:
    """That an event took place in the chapter that its line names."""
    if source.chapter is None:
        return
    chapter = Entity(kind=EntityKind.CHAPTER, name=str(source.chapter), origin=source.origin(words))
    yield chapter
    yield Fact(
        subject=event.key,
        predicate=IN_CHAPTER,
        object=chapter.key,
        since=source.chapter,
        origin=source.origin(words),
    )


def reason(key: str, lang: Lang, **values: str) -> str:
    return str(lists(f"reading.{lang}")[key]).format_map(values)


def _draft(item: Entity | Fact, modality: Modality, mark: str, source: Source, words: str) -> DraftItem:
    if source.shade is not None and modality in (Modality.HAPPENED, Modality.REPORTED):
        mark, ticked, key = source.shade.mark, False, source.shade.reason or str(source.shade.modality)
    elif source.settled and modality in (Modality.HAPPENED, Modality.REPORTED):
        ticked, key = True, "settled"
    else:
        ticked, key = modality is Modality.HAPPENED, str(modality)
    explanation = reason(key, source.told_in, source=words[:QUOTED], mark=mark)
    return DraftItem(item=item, turns=source.turns, ticked=ticked, reason=explanation)


# -- a statement's facts ----------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Relation:
    subject: EntityKey
    predicate: str
    object: EntityKey
    properties: tuple[tuple[str, str], ...] = ()
    value: tuple[EntityKind, str] | None = None
    """An entity that stands for a value and is written with the fact."""


def _items(statement: Statement, source: Source, words: str) -> Iterator[Entity | Fact]:
    for relation in _relations(statement, source.lang):
        if relation.value is not None:
            kind, name = relation.value
            yield Entity(kind=kind, name=name, origin=source.origin(words))
        yield Fact(
            subject=relation.subject,
            predicate=relation.predicate,
            object=relation.object,
            properties=dict(relation.properties),
            since=source.since,
            origin=source.origin(words),
        )


def _relations(statement: Statement, lang: Lang) -> Iterable[_Relation]:
    subject, object_, to = statement.subject, statement.object, statement.to
    if statement.event in _STATUSES:
        return _status(statement, lang)
    if statement.event == "give" and object_ and to:
        return [_Relation(to.key, "OWNS", object_.key)]
    if statement.event == "age" and subject:
        return _age(subject, statement.word)
    if subject is None or object_ is None or subject.key == object_.key:
        return []
    if statement.event in _PAIRS:
        return [_Relation(subject.key, _PAIRS[statement.event], object_.key)]
    if statement.event in ("kin_of", "kin_named", "kin_bare"):
        return _kin(subject, object_, statement.word, lang)
    if statement.event == "kin_pair":
        return _pair(subject, object_, statement.word, lang)
    if statement.event in _OFFICES:
        return [_Relation(subject.key, _OFFICES[statement.event], object_.key, (("title", statement.word),))]
    return []


_PAIRS: Final = {
    "gain": "OWNS", "take_from": "OWNS", "own": "OWNS", "arrive": "LOCATED_IN", "be_in": "LOCATED_IN",
    "born": "BORN_IN", "join": "MEMBER_OF", "can": "HAS_ABILITY", "love": "LOVES", "hate": "HATES", "know": "KNOWS",
    "find": "FOUND_IN",
}  # fmt: skip
"""Events that state a fact between their subject and their object."""
_OFFICES: Final = {"member": "MEMBER_OF", "lead": "LEADS"}
_STATUSES: Final = {"die": "dead", "kill": "dead", "lose": "lost", "lost": "lost", "destroyed": "destroyed"}


def _status(statement: Statement, lang: Lang) -> Iterator[_Relation]:
    struck = statement.subject if statement.event == "die" else statement.object
    if struck is None:
        return
    if statement.event == "kill" and statement.subject is not None:
        yield _Relation(statement.subject.key, "KILLED", struck.key)
    yield _valued(struck, HAS_STATUS, EntityKind.STATUS, str(lists(f"reading.{lang}")[_STATUSES[statement.event]]))


def _valued(subject: Named, predicate: str, kind: EntityKind, value: str) -> _Relation:
    return _Relation(subject.key, predicate, entity_key(kind, value), (), (kind, value))


def _age(subject: Named, word: str) -> Iterator[_Relation]:
    years = number(word)
    if years is not None:
        yield replace(_valued(subject, AGE, EntityKind.STATUS, str(years)), properties=(("value", str(years)),))


def _kin(subject: Named, object_: Named, word: str, lang: Lang) -> Iterator[_Relation]:
    relation = kin_of_word(word, lang)
    if relation == "disciple":
        yield _Relation(object_.key, KIN["master"], subject.key)
    else:
        yield _Relation(subject.key, KIN.get(relation, OTHER_KIN), object_.key, (("role", word),))


def _pair(subject: Named, object_: Named, word: str, lang: Lang) -> Iterator[_Relation]:
    """What two are to each other. Which of them is the parent, or the teacher, the word does not say."""
    kinds = pair_of_word(word, lang)
    if len(kinds) == 1:
        role = (("role", word),) if kinds[0] not in KIN else ()
        yield _Relation(subject.key, KIN.get(kinds[0], OTHER_KIN), object_.key, role)
