"""What the author does by hand: a step of the plan board moved, a book imported, a draft checked. All of it is logged.

It is no part of any task. The journal has it before it is done; what then fails is raised, and logged too.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import cast

from memorybank.errors import InputError, MemoryBankError
from memorybank.memory.types import Lang
from memorybank_studio.books.chapters import Book
from memorybank_studio.books.importing import ImportProgress, import_book
from memorybank_studio.chapters.story_words import MOST_GOAL, Goals
from memorybank_studio.continuity.continuity import Continuity
from memorybank_studio.continuity.findings import Finding, Intention, Report
from memorybank_studio.hub.archive import Archive
from memorybank_studio.hub.shared import SharedHub
from memorybank_studio.journal.author_events import GoalsSet, PlanPlaced
from memorybank_studio.journal.desk import Desk
from memorybank_studio.journal.events import (
    ByHandFailed,
    ChapterImported,
    DraftChecked,
    FindingIntended,
    ImportBegun,
    PlanMoved,
)
from memorybank_studio.journal.writing_days import day_of
from memorybank_studio.names import cast_of
from memorybank_studio.tasks.replies import clean
from memorybank_studio.types import Entity, Plan, PlanKey, PlanStatus
from memorybank_studio.writes import Placement, StatusChange


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """How a step stood on the board from which its author moves it: another tab may have moved it since."""

    storyline: str
    placements: int
    """Of the studio, when that board was drawn (`ByHand.placements`)."""


class ByHand:
    """Thread-safe: a change waits for its turn at the hub."""

    def __init__(self, desk: Desk, hub: SharedHub, continuity: Continuity) -> None:
        self._desk = desk
        self._hub = hub
        self._continuity = continuity

    @property
    def intended(self) -> frozenset[Intention]:
        """What the author has let stand in drafts, against which facts."""
        return frozenset(self._desk.state.intended)

    @property
    def placements(self) -> int:
        """Steps that were given another place so far, each move counted."""
        return self._desk.state.placements

    def place(self, place: Placement, seen: Seen) -> None:
        """Give a step another place, or another storyline. Places are said by what they stand before, so that moves of
        other steps are kept. Raises InputError for a place that there is not, and for a step that was moved since it
        was seen; StoreUnavailableError."""
        with self._hub.changing() as stores:
            step = stores.plans.plan(place.plan)
            if step is not None and self._is_moved(step, seen):
                raise InputError("plan.moved_meanwhile", title=step.title[:80])
            self._desk.append(PlanPlaced(place=place, at=self._desk.clock()))
            with self._logged("plan board"):
                stores.plans.apply((), (), "board", (place,))

    def _is_moved(self, step: Plan, seen: Seen) -> bool:
        return step.storyline != seen.storyline or self._desk.state.placed.get(step.key, 0) > seen.placements

    def move(self, plan: PlanKey, status: PlanStatus, *, was: PlanStatus | None = None) -> None:
        """The plan board's change of a status; parents follow. `was`: what the author changes it from. Raises
        InputError for what is no plan, or has another status by now; StoreUnavailableError."""
        with self._hub.changing() as stores:
            step = stores.plans.plan(plan) if was is not None else None
            if step is not None and step.status is not was:
                raise InputError("plan.turned_meanwhile", title=step.title[:80])
            self._desk.append(PlanMoved(plan=plan, status=status, at=self._desk.clock()))
            with self._logged("plan board"):
                stores.plans.apply((), (StatusChange(plan=plan, status=status),), "board")

    @property
    def goals(self) -> Goals:
        return self._desk.state.goals

    def written_today(self) -> int:
        """Words by which the chapters in writing became longer today, by this machine's clock."""
        return self._desk.state.days.on(day_of(self._desk.clock()))

    def set_goals(self, goals: Goals) -> None:
        """What the author wants to reach from now on. Raises InputError for what is no number of words."""
        for words in (goals.story, goals.chapter, goals.day):
            if not 0 <= words <= MOST_GOAL:
                raise InputError("goals.range", words=words, most=MOST_GOAL)
        self._desk.append(GoalsSet(goals=goals, at=self._desk.clock()))

    @property
    def can_check(self) -> bool:
        """Whether there is a language model that reads drafts."""
        return self._continuity.can_check

    def check(self, draft: str, chapter: int, lang: Lang) -> Report:
        """The continuity check of a draft; reasons in `lang`. Raises StoreUnavailableError."""
        text = clean(draft)
        self._desk.append(DraftChecked(text=text, chapter=chapter, at=self._desk.clock()))
        with self._logged("check"):
            return self._continuity.checked(text, chapter, lang)

    def intend(self, draft: str, finding: Finding, *, stands: bool = True) -> None:
        """Let a sentence of a draft stand against a fact from now on, or have it marked again."""
        words, against = finding.intention(clean(draft))
        self._desk.append(FindingIntended(words=words, against=against, stands=stands, at=self._desk.clock()))

    def import_book(
        self, book: Book, remove: Sequence[int] = (), known: Sequence[Entity] = ()
    ) -> Iterator[ImportProgress]:
        """Write a book's chapters into the archive, and nothing else, one by one as the iterator is followed.

        What stands in the archive already is not written again: an import goes on where it was stopped. `remove`:
        chapters of the archive that go with the book's last one. `known`: names to look for in it besides those on
        record.

        Raises StoreUnavailableError, ModelUnavailableError, InputError.
        """
        begun = ImportBegun(
            title=book.title,
            chapters=len(book.chapters),
            characters=book.characters,
            remove=tuple(remove),
            at=self._desk.clock(),
        )
        self._desk.append(begun)
        with self._logged("import"):
            stores = self._hub.step_by_step()
            on_record = stores.facts.entities(stores.facts.names().values())
            cast_ = cast_of((*on_record.values(), *known))
            for progress in import_book(book, cast(Archive, stores.archive), cast_, remove=remove):
                if not progress.unchanged:
                    done = ChapterImported(number=progress.number, title=progress.title, at=self._desk.clock())
                    self._desk.append(done)
                yield progress

    @contextmanager
    def _logged(self, what: str) -> Iterator[None]:
        try:
            yield
        except MemoryBankError as error:
            self._desk.append(ByHandFailed(what=what, reason=str(error), at=self._desk.clock()))
            raise
