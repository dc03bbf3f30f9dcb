"""What a completed step would write as facts: drawn from its words, its place among the steps, and its settlement.

Nothing is written here. The drafts go into a settlement table like any other; the author edits, ticks and confirms.

event        the step itself has happened: an Event in its chapter if one is known, after that of the step before it
people       whom its words name took part
words        what the extractor reads in its words, settled by the author
left over    what its task's settlement proposed for the same turns and did not write, as it was only planned then
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from memorybank.language.text import detect_lang
from memorybank.memory.types import Lang, Value
from memorybank.narrative.drafts import DraftItem, joined
from memorybank.narrative.hub.contracts import FactLayer
from memorybank.narrative.hub.stores import Stores
from memorybank.narrative.names import names_in
from memorybank.narrative.types import (
    BEFORE,
    BEFORE_THE_STORY,
    IN_CHAPTER,
    Entity,
    EntityKey,
    EntityKind,
    Fact,
    Origin,
    Plan,
    Turn,
)
from memorybank.narrative.wording import say
from memorybank.narrative.writes import Mark, Proposal

TOOK_PART_IN: Final = "TOOK_PART_IN"


@dataclass(frozen=True, slots=True, kw_only=True)
class Drawing(Value):
    """All that is drawn from."""

    step: Plan
    chapter: int
    """In which it happened; 0 where no chapter is known, and the story has none of that number."""
    unwritten: Sequence[Proposal]
    """Rows of its task's settlement that were not written."""
    stores: Stores
    lang: Lang

    @property
    def words(self) -> str:
        return _words_of(self.step)

    @property
    def event(self) -> EntityKey:
        return event_of(self.step, self.stores.facts).key

    @property
    def origin(self) -> Origin:
        return Origin(task=self.step.origin.task, chapter=self.known_chapter, source=self.words)

    @property
    def known_chapter(self) -> int | None:
        if self.chapter != BEFORE_THE_STORY:
            return self.chapter
        return 0 if any(number == 0 for number, _ in self.stores.archive.chapters()) else None


def _words_of(step: Plan) -> str:
    """A text that goes on from its title says all of it."""
    return step.text.strip() if step.text.startswith(step.title) else f"{step.title}\n{step.text}".strip()


def event_of(step: Plan, facts: FactLayer) -> Entity:
    """The event that a completed step is in the fact layer: the one on record that is called as the step is, else a new
    one."""
    known = (one for one in facts.named(step.title) if one.kind is EntityKind.EVENT)
    return next(known, Entity(kind=EntityKind.EVENT, name=step.title, note=step.text, origin=step.origin))


def happened_in(step: Plan, last: int) -> int:
    """The chapter a completed step was most likely written in: the one it was due by, if the story is there by `last`;
    else that one. Where the story is nowhere yet, the one it was due by; 0 without one."""
    if last == BEFORE_THE_STORY:
        return step.due or last
    return last if step.due is None else min(step.due, last)


def turn_of(step: Plan) -> Turn:
    """The step's words as an extractor reads them: each line settled by the author."""
    words = _words_of(step)
    text = "\n".join(say("step_turn", detect_lang(words), words=line) for line in words.splitlines())
    return Turn(number=1, role="author", text=text, at=0.0)


def drawn(drawing: Drawing, read: Sequence[DraftItem]) -> tuple[DraftItem, ...]:
    """The drafts, none of them from a turn; what was left over is not ticked. Raises StoreUnavailableError.

    `read`: what an extractor made of `turn_of(step)`.
    """
    told = [*_event(drawing), *_people(drawing), *_before(drawing), *_from_words(drawing, read)]
    return joined((*_left_over(drawing, told), *told))


def _draft(item: Entity | Fact, drawing: Drawing, key: str) -> DraftItem:
    return DraftItem(item=item, turns=(), reason=say(key, drawing.lang, step=drawing.step.title))


def _fact(subject: EntityKey, predicate: str, object_: EntityKey, drawing: Drawing) -> Fact:
    return Fact(subject=subject, predicate=predicate, object=object_, since=drawing.chapter, origin=drawing.origin)


def _event(drawing: Drawing) -> Iterator[DraftItem]:
    known = event_of(drawing.step, drawing.stores.facts)
    event = replace(known, note=drawing.step.text, origin=drawing.origin)
    yield _draft(event, drawing, "reason_step")
    if drawing.known_chapter is None:
        return
    chapter = Entity(kind=EntityKind.CHAPTER, name=str(drawing.known_chapter), origin=drawing.origin)
    for item in (chapter, _fact(event.key, IN_CHAPTER, chapter.key, drawing)):
        yield _draft(item, drawing, "reason_step")


def _people(drawing: Drawing) -> Iterator[DraftItem]:
    known = drawing.stores.facts.names([EntityKind.CHARACTER])
    for key in dict.fromkeys(known[name] for name in names_in(drawing.words, tuple(known))):
        yield _draft(_fact(key, TOOK_PART_IN, drawing.event, drawing), drawing, "reason_step_names")


def _before(drawing: Drawing) -> Iterator[DraftItem]:
    """After the nearest earlier step that is an event of the fact layer."""
    after = drawing.step.after
    seen = {drawing.step.key}  # another program may have tied steps into a ring
    while after is not None and after not in seen and (earlier := drawing.stores.plans.plan(after)) is not None:
        seen.add(after)
        event = event_of(earlier, drawing.stores.facts).key
        if drawing.stores.facts.entity(event) is not None:
            yield _draft(_fact(event, BEFORE, drawing.event, drawing), drawing, "reason_step_order")
            return
        after = earlier.after


def _from_words(drawing: Drawing, read: Sequence[DraftItem]) -> Iterator[DraftItem]:
    """Facts and names in the step's own words; they hold from the step's chapter on."""
    for draft in read:
        if isinstance(draft.item, Entity | Fact):
            reason = say("reason_step_words", drawing.lang, step=drawing.step.title) if draft.ticked else draft.reason
            yield replace(draft, item=_dated(draft.item, drawing), turns=(), reason=reason)


def _dated(item: Entity | Fact, drawing: Drawing) -> Entity | Fact:
    """Of the step's chapter, with the step's own words."""
    item = replace(item, origin=drawing.origin)
    return replace(item, since=drawing.chapter) if isinstance(item, Fact) else item


def _left_over(drawing: Drawing, told: Iterable[DraftItem]) -> Iterator[DraftItem]:
    """With the names that they need and nobody knows; dated as the step is, as what was planned has happened in it."""
    turns = set(drawing.step.origin.turns)
    rows = [row for row in drawing.unwritten if row.mark is not Mark.KNOWN and turns.intersection(row.turns)]
    said = {_said(one.item) for one in told if isinstance(one.item, Fact)}
    facts = [
        one for row in rows if isinstance(row.item, Fact) and _said(one := _redated(row.item, drawing)) not in said
    ]
    ends = {end for fact in facts for end in (fact.subject, fact.object)}
    for row in drawing.unwritten:
        if isinstance(row.item, Entity) and row.item.key in ends:
            yield replace(_draft(row.item, drawing, "reason_step_left"), ticked=False)
    for fact in facts:
        yield replace(_draft(fact, drawing, "reason_step_left"), ticked=False)


def _redated(fact: Fact, drawing: Drawing) -> Fact:
    return replace(fact, since=drawing.chapter, origin=replace(fact.origin, chapter=drawing.known_chapter))


def _said(fact: Fact) -> tuple[str, str, str]:
    return fact.subject, fact.predicate, fact.object
