"""Statements of a story as facts of the hub: what has happened is proposed, what is only intended, supposed or told by
someone is shown with its reason and not proposed to be written.

The claim extraction of the memory bank (`engines.offline.claims`) reads values of things (numbers, dates, places of an
encyclopedia); a story's relations between its people and things are read by `statements`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Final

from memorybank.narrative.extraction.causes import Tie, reason_of, ties
from memorybank.narrative.extraction.coming import Clock, past_of_clause
from memorybank.narrative.extraction.dating import Dating
from memorybank.narrative.extraction.discussing import Discussion, Shade
from memorybank.narrative.extraction.happenings import happenings
from memorybank.narrative.extraction.kin_terms import kin_of_word, pair_of_word
from memorybank.narrative.extraction.lists import lists
from memorybank.narrative.extraction.mentions import Named, Names
from memorybank.narrative.extraction.narration import Story, Telling, read, without
from memorybank.narrative.extraction.numerals import number
from memorybank.narrative.extraction.statements import Statement, statements, told_at
from memorybank.narrative.scheduler.drafts import DraftItem, with_properties
from memorybank.narrative.types import (
    BEFORE_THE_STORY,
    CAUSES,
    HAS_STATUS,
    HAS_TRAIT,
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
from memorybank.text import Piece
from memorybank.types import Lang

AGE: Final = "AGE"
"""Leads to a number of years; also in the property `value`."""
KIN: Final = {
    "parent": "PARENT_OF", "child": "CHILD_OF", "sibling": "SIBLING_OF", "spouse": "MARRIED_TO", "master": "MASTER_OF",
}  # fmt: skip
OTHER_KIN: Final = "KIN_OF"
"""Kin for which there is no relation of its own; the word is in the property `role`."""
LEFT: Final = "LEFT"
"""A character's end in a faction; where the membership is on record, a settlement ends that instead."""
REASON: Final = "reason"
"""The property that says why, in the words of the text."""
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
    discussed: bool = False
    """It is an author's turn, not a book's chapter: its sentences name their chapters, and may speak of the plan."""
    shade: Shade | None = None
    """Why nothing of the text is to be taken as happened."""
    clock: Clock | None = None
    """Where the story stands, for an author's turn; None: nothing that it tells is to come."""

    @property
    def since(self) -> int:
        return BEFORE_THE_STORY if self.chapter is None else self.chapter

    def origin(self, words: str) -> Origin:
        return Origin(task=self.task, chapter=self.chapter, source=words[:QUOTED], turns=self.turns)


@dataclass(frozen=True, slots=True)
class Told:
    """What was read of a text, and in which of its sentences."""

    drafts: tuple[DraftItem, ...]
    read: tuple[Piece, ...]


def from_story(text: str, names: Names, source: Source, events: Names | None = None) -> tuple[DraftItem, ...]:
    """What a chapter, or the narrative of a turn, says of known names; each fact once, as it is told last.

    `events`: those on record or given, for what led to what; None: that is not looked for.
    """
    return told_of(text, names, source, events).drafts


def told_of(text: str, names: Names, source: Source, events: Names | None = None) -> Told:
    """The same, with the sentences it was read in."""
    spans: list[Piece] = []
    named = [Piece(one.start, one.end) for one in names.find(text)]
    story = read(text, source.lang, named)
    placed = _Placed(source, story, without(text, named))
    found: dict[EntityKey | FactKey, DraftItem] = {}
    read_already = [one for one in statements(story, names) if not one.denied]
    for one in read_already:
        words = text[one.sentence.start : one.sentence.end].strip()
        why = reason_of(one, text, source.lang)
        own = placed.at(Piece(one.start, one.end), one.verb, lasts=one.event in _STATES)
        for item in _items(one, own, words, why):
            spans.append(one.sentence)
            _keep(found, placed.told(_draft(item, one.telling, one.mark, own, words)))
    if events is not None:
        led = list(ties(text, source.lang, events, settled=source.settled))
        spans += [Piece(one.start, one.end) for one in led]
        for draft in _tied(text, story, events, placed, led):
            _keep(found, draft)
        if source.discussed:
            told = [*(one.start for one in read_already), *(one.start for one in led)]
            for span, draft in _happened(text, story, events, placed, told):
                spans.append(span)
                _keep(found, draft)
    return Told(tuple(found.values()), tuple(spans))


class _Placed:
    """The source of each statement of a text: of an author's turn with its own chapter, and with what shades it."""

    def __init__(self, source: Source, story: Story, plain: str) -> None:
        self.source = source
        self._story = story
        self._plain = plain
        self._dating = Dating(story.text) if source.discussed else None
        self._discussion = Discussion(story.text, plain, source.lang) if source.discussed else None

    def at(self, span: Piece, verb: int, *, lasts: bool = False) -> Source:
        """`verb`: where the statement's verb begins; -1: it has none. `lasts`: it tells of a state, no deed; one
        that the author calls settled needs no past tense."""
        if self._dating is None or self._discussion is None:
            return self.source
        named = self._dating.at(span)
        chapter = self.source.chapter if named is None else named
        shade = self.source.shade or self._discussion.shade(span)
        if shade is None and not (lasts and self.source.settled):
            shade = self._to_come(chapter, span, verb)
        return replace(self.source, chapter=chapter, shade=shade)

    def _to_come(self, chapter: int | None, span: Piece, verb: int) -> Shade | None:
        clock, told = self.source.clock, told_at(self._story, span.start if verb < 0 else verb)
        if clock is None or told is None:
            return None
        clause = self._plain[told.clause.start : told.clause.end]
        past = past_of_clause(clause, -1 if verb < 0 else verb - told.clause.start, self.source.lang)
        return clock.shade(chapter, past)

    def told(self, draft: DraftItem) -> DraftItem:
        """The clock goes on with what has happened."""
        if self.source.clock is not None and draft.ticked and isinstance(draft.item, Fact):
            self.source.clock.told(draft.item.origin.chapter)
        return draft


def _keep(found: dict[EntityKey | FactKey, DraftItem], draft: DraftItem) -> None:
    """The last word that is ticked, else the last; what an earlier one said of why stays."""
    item = draft.item
    assert isinstance(item, Entity | Fact)
    known = found.get(item.key)
    if known is None or draft.ticked or not known.ticked:
        found[item.key] = with_properties(known, draft) if known is not None else draft


def _tied(text: str, story: Story, events: Names, placed: _Placed, led: Iterable[Tie]) -> Iterator[DraftItem]:
    """What led to what, and the events of it that nobody has on record."""
    for tie in led:
        source = placed.at(Piece(tie.start, tie.end), tie.place)
        told = told_at(story, tie.place)
        telling = Telling.INTENDED if tie.modal or told is None else told.telling_at(tie.place - told.clause.start)
        words = text[tie.start : tie.end].strip()
        mark = told.mark if told is not None else ""
        origin = source.origin(words)
        new = [end for end in (tie.first, tie.second) if not events.knows(end.name)]
        items: list[Entity | Fact] = [Entity(kind=end.kind, name=end.name, origin=origin) for end in new]
        items.append(
            Fact(
                subject=tie.first.key,
                predicate=tie.predicate,
                object=tie.second.key,
                since=source.since,
                origin=origin,
            )
        )
        if source.discussed and tie.predicate == CAUSES:
            items += [item for end in (tie.first, tie.second) for item in in_chapter(end, source, words)]
        for item in items:
            yield placed.told(_draft(item, telling, mark, source, words))


def _happened(
    text: str, story: Story, events: Names, placed: _Placed, told: Collection[int]
) -> Iterator[tuple[Piece, DraftItem]]:
    """Events that took place in a chapter. A sentence that is an event of its own is ticked where it is settled: a talk
    about a chapter tells much that is no event of the story."""
    for one in happenings(text, placed.source.lang, events, told):
        source = placed.at(one.span, one.verb)
        at = told_at(story, one.verb)
        telling = Telling.INTENDED if at is None else at.telling_at(one.verb - at.clause.start)
        words = text[one.span.start : one.span.end].strip()
        dated = tuple(in_chapter(one.event, source, words))
        if not dated or (one.whole and telling is not Telling.HAPPENED):
            continue
        event = Entity(kind=EntityKind.EVENT, name=one.event.name, origin=source.origin(words))
        for item in (event, *dated) if one.whole else dated:
            draft = _draft(item, telling, at.mark if at is not None else "", source, words)
            if one.whole and draft.ticked and not source.settled:
                draft = replace(draft, ticked=False, reason=reason("event", source.told_in, source=words[:QUOTED]))
            yield one.span, placed.told(draft)


def in_chapter(event: Named, source: Source, words: str) -> Iterator[Entity | Fact]:
    """That an event took place in the chapter that its sentence names, or the last one named before it."""
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


def _draft(item: Entity | Fact, telling: Telling, mark: str, source: Source, words: str) -> DraftItem:
    if source.shade is not None and telling in (Telling.HAPPENED, Telling.TOLD):
        mark, ticked, key = source.shade.mark, False, source.shade.reason or str(source.shade.telling)
    elif source.settled and telling in (Telling.HAPPENED, Telling.TOLD):
        ticked, key = True, "settled"
    else:
        ticked, key = telling is Telling.HAPPENED, str(telling)
    told = reason(key, source.told_in, source=words[:QUOTED], mark=mark)
    return DraftItem(item=item, turns=source.turns, ticked=ticked, reason=told)


# -- a statement's facts ----------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Relation:
    subject: EntityKey
    predicate: str
    object: EntityKey
    properties: tuple[tuple[str, str], ...] = ()
    value: tuple[EntityKind, str] | None = None
    """An entity that stands for a value and is written with the fact."""


def _items(one: Statement, source: Source, words: str, why: str) -> Iterator[Entity | Fact]:
    for relation in _relations(one, source.lang):
        if relation.value is not None:
            kind, name = relation.value
            yield Entity(kind=kind, name=name, origin=source.origin(words))
        properties = dict(relation.properties)
        if why and relation.value is None:
            properties[REASON] = why
        yield Fact(
            subject=relation.subject,
            predicate=relation.predicate,
            object=relation.object,
            properties=properties,
            since=source.since,
            origin=source.origin(words),
        )


def _relations(one: Statement, lang: Lang) -> Iterable[_Relation]:
    subject, object_, to = one.subject, one.object, one.to
    if one.event in _PAIRS and subject and object_ and subject.key != object_.key:
        return [_Relation(subject.key, _PAIRS[one.event], object_.key)]
    if one.event == "give" and object_ and to:
        return [_Relation(to.key, "OWNS", object_.key)]
    if one.event in _STATUSES:
        return _status(one, lang)
    if one.event in ("kin_of", "kin_named", "kin_bare") and subject and object_:
        return _kin(subject, object_, one.word, lang)
    if one.event == "kin_pair" and subject and object_:
        return _pair(subject, object_, one.word, lang)
    if one.event in ("member", "rank_named", "lead", "head_named") and subject and object_:
        predicate = "LEADS" if one.event in ("lead", "head_named") else "MEMBER_OF"
        title = (("title", one.word),) if one.event != "lead" else ()
        return [_Relation(subject.key, predicate, object_.key, title)]
    if one.event in ("age", "age_named") and subject:
        return _age(subject, one.word)
    if one.event == "trait" and subject:
        return [_valued(subject, HAS_TRAIT, EntityKind.TRAIT, one.word)]
    return []


_PAIRS: Final = {
    "gain": "OWNS", "take_from": "OWNS", "own": "OWNS", "possessive": "OWNS", "holds": "OWNS", "arrive": "LOCATED_IN",
    "be_in": "LOCATED_IN", "lies_in": "LOCATED_IN", "born": "BORN_IN", "lose_ability": "LOST_ABILITY",
    "join": "MEMBER_OF", "leave_faction": LEFT, "learn": "HAS_ABILITY", "can": "HAS_ABILITY",
    "love": "LOVES", "hate": "HATES", "know": "KNOWS",
}  # fmt: skip
"""Events that state a fact between their subject and their object."""
_STATUSES: Final = {
    "die": "dead", "kill": "dead", "lose": "lost", "lost": "lost", "destroy": "destroyed", "destroyed": "destroyed",
}  # fmt: skip

_STATES: Final = frozenset(
    """
    own possessive holds be_in lies_in can love hate know kin_of kin_named kin_bare kin_pair member rank_named lead
    head_named age age_named trait born
    """.split()
)
"""Events of statements that tell how things are, not what somebody does."""


def _status(one: Statement, lang: Lang) -> Iterator[_Relation]:
    struck = one.subject if one.event == "die" else one.object
    if struck is None:
        return
    if one.event == "kill" and one.subject is not None:
        yield _Relation(one.subject.key, "KILLED", struck.key)
    yield _valued(struck, HAS_STATUS, EntityKind.STATUS, str(lists(f"reading.{lang}")[_STATUSES[one.event]]))


def _valued(subject: Named, predicate: str, kind: EntityKind, value: str) -> _Relation:
    return _Relation(subject.key, predicate, entity_key(kind, value), (), (kind, value))


def _age(subject: Named, word: str) -> Iterator[_Relation]:
    years = number(word)
    if years is not None:
        told = _valued(subject, AGE, EntityKind.STATUS, str(years))
        yield replace(told, properties=(("value", str(years)),))


def _kin(subject: Named, object_: Named, word: str, lang: Lang) -> Iterator[_Relation]:
    kin = kin_of_word(word, lang)
    if kin is None or subject.key == object_.key:
        return
    if kin.relation == "disciple":
        yield _Relation(object_.key, KIN["master"], subject.key)
    else:
        yield _Relation(subject.key, KIN.get(kin.relation, OTHER_KIN), object_.key, (("role", word),))


def _pair(subject: Named, object_: Named, word: str, lang: Lang) -> Iterator[_Relation]:
    """What two are to each other. Which of them is the parent, or the teacher, the word does not say."""
    kinds = pair_of_word(word, lang)
    if len(kinds) == 1 and subject.key != object_.key:
        role = (("role", word),) if kinds[0] not in KIN else ()
        yield _Relation(subject.key, KIN.get(kinds[0], OTHER_KIN), object_.key, role)
