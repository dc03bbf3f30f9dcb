"""What the author does by hand: a step of the plan board moved, a book imported, a draft checked. All of it is logged.

It is no part of any task. The journal has it before it is done; what then fails is raised, and logged too.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import cast

from memorybank.errors import MemoryBankError
from memorybank.memory.types import Lang
from memorybank.narrative.books.chapters import Book
from memorybank.narrative.books.importing import ImportProgress, import_book
from memorybank.narrative.continuity.continuity import Continuity
from memorybank.narrative.continuity.findings import Finding, Intention, Report
from memorybank.narrative.hub.archive import Archive
from memorybank.narrative.hub.shared import SharedHub
from memorybank.narrative.journal.desk import Desk
from memorybank.narrative.journal.events import (
    ByHandFailed,
    ChapterImported,
    DraftChecked,
    FindingIntended,
    ImportBegun,
    PlanMoved,
)
from memorybank.narrative.names import cast_of
from memorybank.narrative.tasks.replies import clean
from memorybank.narrative.types import Entity, PlanKey, PlanStatus
from memorybank.narrative.writes import StatusChange


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

    def move(self, plan: PlanKey, status: PlanStatus) -> None:
        """The plan board's change of a status; parents follow. Raises InputError for what is no plan,
        StoreUnavailableError."""
        with self._hub.changing() as stores:
            self._desk.append(PlanMoved(plan=plan, status=status, at=self._desk.clock()))
            with self._logged("plan board"):
                stores.plans.apply((), (StatusChange(plan=plan, status=status),), "board")

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
