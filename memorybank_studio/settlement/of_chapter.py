"""What a chapter that went into the archive would write: nothing of it is written before its author confirms the table.

steps    those it was written for are completed, and the next of each storyline is in progress
notes    what its writer noted of places, things and knowledge, each with the words of the text for it
text     what the extractor of settlements reads in it; where that gives no row, sentences that name two on record wait
         to be written down by hand
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import islice
from typing import Final

from memorybank.memory.types import Lang
from memorybank_studio.chapters.context import running_state
from memorybank_studio.chapters.manuscript import Manuscript, StateKind, StateLine
from memorybank_studio.drafts import DraftItem, Extracted, Unread, merged_drafts, with_origin
from memorybank_studio.hub.stores import FactLayer, PlanLayer
from memorybank_studio.names import names_in
from memorybank_studio.types import BY_HAND, NAMED_KINDS, EntityKind, Fact, Origin, Plan, PlanKind, PlanStatus, Turn
from memorybank_studio.wording import say
from memorybank_studio.writes import StatusChange

_RELATIONS: Final[Mapping[StateKind, tuple[str, tuple[EntityKind, ...]]]] = {
    StateKind.PLACE: ("LOCATED_IN", (EntityKind.LOCATION,)),
    StateKind.POSSESSION: ("OWNS", (EntityKind.ITEM,)),
    StateKind.KNOWLEDGE: ("KNOWS_OF", NAMED_KINDS),
}
"""What a noted line is as a fact, and of which kinds its object may be."""


def turn_of(chapter: Manuscript, lang: Lang) -> Turn:
    """The chapter as an extractor reads it."""
    heading = say("chapter_turn", lang, number=chapter.number, title=chapter.title)
    return Turn(number=1, role="author", text=f"{heading}\n\n{chapter.text}", at=0.0)


def of_chapter(chapter: Manuscript, read: Extracted, facts: FactLayer, plans: PlanLayer, lang: Lang) -> Extracted:
    """`read`: what an extractor made of `turn_of(chapter)`. Raises StoreUnavailableError."""
    number = chapter.number
    noted = [(line, _noted(line, number, facts, lang)) for line in running_state(chapter.pieces)]
    facts_noted = (draft for _, draft in noted if draft is not None)
    left = [
        Unread(turn=0, line=line.quote, why=_why(line, lang), names=(line.who,), chapter=number)
        for line, draft in noted
        if draft is None
    ]
    left += [replace(line, turn=0, chapter=number) for line in read.unread if len(line.names) > 1]
    return Extracted(
        drafts=merged_drafts((*steps(chapter, plans, lang), *facts_noted, *_dated(read, number))), unread=tuple(left)
    )


def steps(chapter: Manuscript, plans: PlanLayer, lang: Lang) -> list[DraftItem]:
    """The chapter's steps as completed, and as in progress those that come next in their storylines."""
    of_it = [plan for key in chapter.plans if (plan := plans.plan(key)) is not None]
    pending = plans.all(kind=PlanKind.STEP, status=PlanStatus.PENDING)
    ended = [plan for plan in of_it if plan.is_open]
    changes = [StatusChange(plan=plan.key, status=PlanStatus.COMPLETED) for plan in ended]
    for storyline in dict.fromkeys(plan.storyline for plan in ended):
        later = (plan for plan in pending if plan.storyline == storyline and plan not in ended)
        changes += [StatusChange(plan=plan.key, status=PlanStatus.IN_PROGRESS) for plan in islice(later, 1)]
    reason = say("reason_written", lang, number=chapter.number)
    return [DraftItem(item=change, turns=(), reason=reason) for change in changes]


def _noted(line: StateLine, number: int, facts: FactLayer, lang: Lang) -> DraftItem | None:
    """A line of the writer's as a fact between two on record; None where it names nobody else on record."""
    predicate, kinds = _RELATIONS[line.kind]
    subject = next((entity.key for entity in facts.named(line.who)), None)
    known = facts.names(kinds)
    object_ = next((known[name] for name in names_in(line.what, tuple(known)) if known[name] != subject), None)
    if subject is None or object_ is None:
        return None
    fact = Fact(
        subject=subject,
        predicate=predicate,
        object=object_,
        properties={"what": line.what} if line.kind is StateKind.KNOWLEDGE else {},
        since=number,
        origin=Origin(task=BY_HAND, chapter=number, source=line.quote),
    )
    return DraftItem(item=fact, turns=(), reason=say("reason_noted", lang, words=line.quote))


def _why(line: StateLine, lang: Lang) -> str:
    return say("unread_noted", lang, who=line.who, what=line.what)


def _dated(read: Extracted, number: int) -> Iterator[DraftItem]:
    """What was read, of the chapter and of no turn; a chapter tells nothing of what is only planned."""
    for draft in read.drafts:
        if isinstance(item := draft.item, Plan | StatusChange):
            continue
        if isinstance(item, Fact) and item.origin.chapter is None:
            item = replace(item, since=number)
        yield replace(draft, item=with_origin(item, chapter=number, turns=()), turns=())
