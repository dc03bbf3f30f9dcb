"""What a completed step would write as facts: drawn from its words, its place among the steps, and its settlement.

Nothing is written here. The drafts go into a settlement table like any other; the author edits, ticks and confirms.

event        the step itself has happened: an Event in its chapter if one is known, after that of the step before it
people       whom its words name took part
words        what the extractor reads in its words, settled by the author
left over    what its task's settlement proposed for the same turns and did not write, as it was only planned then
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from memorybank.language.text import detect_lang
from memorybank.memory.types import Lang
from memorybank_studio.drafts import DraftItem, merged_drafts
from memorybank_studio.hub.stores import FactLayer, Stores
from memorybank_studio.names import names_in
from memorybank_studio.relations import statement
from memorybank_studio.types import (
    BEFORE,
    BEFORE_THE_STORY,
    IN_CHAPTER,
    TOOK_PART_IN,
    Entity,
    EntityKey,
    EntityKind,
    Fact,
    Origin,
    Plan,
    Turn,
)
from memorybank_studio.wording import say
from memorybank_studio.writes import Mark, Proposal


def words_of(step: Plan) -> str:
    """Its title and text; a text that goes on from the title says all of it."""
    return step.text.strip() if step.text.startswith(step.title) else f"{step.title}\n{step.text}".strip()


def event_of(step: Plan, facts: FactLayer) -> Entity:
    """The event that a completed step is in the fact layer: the one on record that is called as the step is, else a new
    one."""
    known = (item for item in facts.named(step.title) if item.kind is EntityKind.EVENT)
    return next(known, Entity(kind=EntityKind.EVENT, name=step.title, note=step.text, origin=step.origin))


def happened_in(step: Plan, last: int) -> int:
    """The chapter a completed step was most likely written in: the one it was due by, if the story is there by `last`;
    else that one. Where the story is nowhere yet, the one it was due by; 0 without one."""
    if last == BEFORE_THE_STORY:
        return step.due or last
    return last if step.due is None else min(step.due, last)


def turn_of(step: Plan) -> Turn:
    """The step's words as an extractor reads them: each line settled by the author."""
    words = words_of(step)
    text = "\n".join(say("step_turn", detect_lang(words), words=line) for line in words.splitlines())
    return Turn(number=1, role="author", text=text, at=0.0)


class StepDrafts:
    """Makes the drafts of one step, none of them from a turn; what was left over is not ticked.

    `chapter`: in which it happened; 0 where no chapter is known, and the story has none of that number. `unwritten`:
    rows of its task's settlement that were not written. Raises StoreUnavailableError.
    """

    def __init__(self, step: Plan, chapter: int, unwritten: Sequence[Proposal], stores: Stores, lang: Lang) -> None:
        self._step = step
        self._chapter = chapter
        self._unwritten = unwritten
        self._stores = stores
        self._lang = lang
        has_chapter = chapter != BEFORE_THE_STORY or any(number == 0 for number, _ in stores.archive.chapters())
        self._known_chapter = chapter if has_chapter else None
        self._words = words_of(step)
        self._origin = Origin(task=step.origin.task, chapter=self._known_chapter, source=self._words)
        self._event = event_of(step, stores.facts)

    def drafts(self, read: Sequence[DraftItem]) -> tuple[DraftItem, ...]:
        """`read`: what an extractor made of `turn_of(step)`."""
        drawn = [*self._happening(), *self._people(), *self._order(), *self._from_words(read)]
        return merged_drafts((*self._left_over(drawn), *drawn))

    def _draft(self, item: Entity | Fact, key: str, *, ticked: bool = True) -> DraftItem:
        return DraftItem(item=item, turns=(), ticked=ticked, reason=say(key, self._lang, step=self._step.title))

    def _fact(self, subject: EntityKey, predicate: str, object_: EntityKey) -> Fact:
        return Fact(subject=subject, predicate=predicate, object=object_, since=self._chapter, origin=self._origin)

    def _happening(self) -> Iterator[DraftItem]:
        yield self._draft(replace(self._event, note=self._step.text, origin=self._origin), "reason_step")
        if self._known_chapter is not None:
            chapter = Entity(kind=EntityKind.CHAPTER, name=str(self._known_chapter), origin=self._origin)
            yield self._draft(chapter, "reason_step")
            yield self._draft(self._fact(self._event.key, IN_CHAPTER, chapter.key), "reason_step")

    def _people(self) -> Iterator[DraftItem]:
        known = self._stores.facts.names([EntityKind.CHARACTER])
        for key in dict.fromkeys(known[name] for name in names_in(self._words, tuple(known))):
            yield self._draft(self._fact(key, TOOK_PART_IN, self._event.key), "reason_step_names")

    def _order(self) -> Iterator[DraftItem]:
        """After the nearest earlier step that is an event of the fact layer."""
        after = self._step.after
        seen = {self._step.key}  # another program may have tied steps into a ring
        while after is not None and after not in seen and (earlier := self._stores.plans.plan(after)) is not None:
            seen.add(after)
            event = event_of(earlier, self._stores.facts).key
            if self._stores.facts.entity(event) is not None:
                yield self._draft(self._fact(event, BEFORE, self._event.key), "reason_step_order")
                return
            after = earlier.after

    def _from_words(self, read: Sequence[DraftItem]) -> Iterator[DraftItem]:
        """Facts and names in the step's own words; they hold from the step's chapter on."""
        for draft in read:
            if isinstance(item := draft.item, Entity | Fact):
                reason = say("reason_step_words", self._lang, step=self._step.title) if draft.ticked else draft.reason
                dated = replace(item, since=self._chapter) if isinstance(item, Fact) else item
                yield replace(draft, item=replace(dated, origin=self._origin), turns=(), reason=reason)

    def _left_over(self, drawn: Sequence[DraftItem]) -> Iterator[DraftItem]:
        """What was only planned then, with the names that it needs and nobody knows; dated as the step is."""
        turns = set(self._step.origin.turns)
        rows = [row for row in self._unwritten if row.mark is not Mark.KNOWN and turns.intersection(row.turns)]
        stated = {statement(draft.item) for draft in drawn if isinstance(draft.item, Fact)}
        facts = [row.item for row in rows if isinstance(row.item, Fact) and statement(row.item) not in stated]
        ends = {end for fact in facts for end in (fact.subject, fact.object)}
        for row in self._unwritten:
            if isinstance(row.item, Entity) and row.item.key in ends:
                yield self._draft(row.item, "reason_step_left", ticked=False)
        for fact in facts:
            origin = replace(fact.origin, chapter=self._known_chapter)
            yield self._draft(replace(fact, since=self._chapter, origin=origin), "reason_step_left", ticked=False)
