"""Chapters in pieces, through the gateway: begun, planned, written on, stopped, checked, revised, archived.

Each answer of the language model is in the journal before anything else is asked: whoever kills this process repeats at
most one call. A model or store that fails leaves the chapter as it is, with the reason; `write` goes on from there.
Nothing here writes facts or plans, and the archive gets a chapter by the author's word alone, as an import.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from memorybank import calls
from memorybank.calls import Cancelled, ChatCall, Spent
from memorybank.errors import AgentError, InputError, Notice, StoreUnavailableError
from memorybank.language.text import encodable
from memorybank.memory.types import Lang
from memorybank_studio.books.chapters import Book
from memorybank_studio.books.chapters import Chapter as BookChapter
from memorybank_studio.chapters.context import plans_of, state_of, summaries_of
from memorybank_studio.chapters.manuscript import (
    LEAST_LENGTH,
    MOST_LENGTH,
    Beat,
    ChapterArchived,
    ChapterBegun,
    ChapterDropped,
    ChapterId,
    ChapterPlanned,
    ChapterPutBack,
    ChapterStopped,
    Manuscript,
    PassageOrder,
    Piece,
    PieceChecked,
    PieceEdited,
    PieceWithdrawn,
    PieceWritten,
    RevisionDecided,
    RevisionOffered,
    Version,
    marks_of,
    places_of,
    words_of,
)
from memorybank_studio.chapters.writer import ChapterWriter
from memorybank_studio.continuity.by_model import ModelReader
from memorybank_studio.continuity.findings import Report
from memorybank_studio.counting import words_in
from memorybank_studio.hub.shared import SharedHub
from memorybank_studio.journal.desk import Desk
from memorybank_studio.tasks.by_hand import ByHand
from memorybank_studio.types import Plan, PlanKey, PlanKind, PlanStatus

LONGEST_TITLE = 200
Stopped = Callable[[], bool]


class ChapterWriting:
    """Thread-safe: one piece of work at a time on each chapter."""

    def __init__(
        self,
        desk: Desk,
        hub: SharedHub,
        by_hand: ByHand,
        reader: ModelReader | None,
        writer: ChapterWriter | None,
        lang: Lang,
    ) -> None:
        """`reader`, `writer`: check and write pieces; None without a language model. `lang`: of the story, and of the
        marks' reasons."""
        self._desk = desk
        self._hub = hub
        self._by_hand = by_hand
        self._reader = reader
        self._writer = writer
        self._lang = lang
        self._at_work: set[ChapterId] = set()
        self._lock = threading.Lock()

    @property
    def can_write(self) -> bool:
        """Whether there is a language model."""
        return self._writer is not None

    def at_work(self) -> tuple[Manuscript, ...]:
        """Return the chapters that somebody is at work on now."""
        with self._lock:
            return tuple(self.chapter(id_) for id_ in sorted(self._at_work))

    def all(self) -> tuple[Manuscript, ...]:
        """Return the chapters in the order in which they were begun."""
        return tuple(self._desk.state.chapters.held.values())

    def chapter(self, id_: ChapterId) -> Manuscript:
        """Raises InputError for one that is not there."""
        try:
            return self._desk.state.chapters.held[id_]
        except KeyError:
            raise InputError("chapter.unknown", chapter=str(id_)[:40]) from None

    def versions(self, id_: ChapterId) -> tuple[Version, ...]:
        """Return the texts that the chapter had, that of now last; of each row of pieces one, since it stood."""
        return tuple(self._desk.state.chapters.versions.get(id_, ()))

    def begin(
        self, number: int, title: str, *, length: int, plan: PlanKey | None = None, outline: str = ""
    ) -> Manuscript:
        """Begin a chapter for a step, for the open steps of a short outline, or for the author's own words.

        `length`: words, of Chinese characters. Raises InputError, StoreUnavailableError.
        """
        title, outline = _title(title), encodable(outline.strip())
        if not LEAST_LENGTH <= length <= MOST_LENGTH:
            raise InputError("chapter.length", least=LEAST_LENGTH, most=MOST_LENGTH, length=length)
        steps = self._steps_of(plan) if plan is not None else ()
        if not steps and not outline:
            raise InputError("chapter.nothing")
        return self._begun(number, title, length, tuple(step.key for step in steps), outline)

    def begin_with(self, text: str, number: int, title: str) -> Manuscript:
        """Begin a chapter of the author's own text, written for the step that is in progress, else for the first that
        is due in it. It is not checked yet. Raises InputError, StoreUnavailableError."""
        steps = [step for step in self._hub.stores.plans.all(kind=PlanKind.STEP) if step.is_open]
        running = [step for step in steps if step.status is PlanStatus.IN_PROGRESS]
        running += [step for step in steps if step.due == number]
        length = min(max(LEAST_LENGTH, words_in(text)), MOST_LENGTH)
        return self._begun(number, _title(title), length, tuple(step.key for step in running[:1]), "", _text(text))

    def _begun(
        self, number: int, title: str, length: int, plans: tuple[PlanKey, ...], outline: str, text: str = ""
    ) -> Manuscript:
        with self._lock:
            id_, now = ChapterId(f"c{self._desk.state.chapters.begun + 1}"), self._desk.clock()
            begun = ChapterBegun(
                chapter=id_, number=number, title=title, plans=plans, outline=outline, length=length, at=now
            )
            self._desk.append(begun, *([PieceWritten(chapter=id_, piece=1, text=text, at=now)] if text else ()))
        return self.chapter(id_)

    def write(self, id_: ChapterId, *, pieces: int | None = None, stopped: Stopped = lambda: False) -> Manuscript:
        """Plan the chapter if it has no plan, then write so many pieces more (None: all), each checked.

        It stops where it is told to, and where the model or a store fails: the chapter's `problem` says why. Raises
        InputError while somebody else is at work on it or without a model, JournalError, OSError.
        """
        writer = self._writing()
        with self._working(id_), self._stopping_at_failures(id_), calls.watch(stopped) as made:
            if not self.chapter(id_).beats:
                beats = writer.plan(self.chapter(id_))
                self._desk.append(
                    ChapterPlanned(chapter=id_, beats=beats, made_by=writer.name, spent=_spent(made), at=self._now)
                )
            self._check_all(id_, made, stopped)
            goal = len(self.chapter(id_).beats)
            goal = goal if pieces is None else min(goal, len(self.chapter(id_).pieces) + pieces)
            while len(self.chapter(id_).pieces) < goal and not stopped():
                self._write_one(id_, writer, made)
                self._check_all(id_, made, stopped)
            if stopped():
                raise Cancelled
        return self.chapter(id_)

    def revise(
        self, id_: ChapterId, piece: int, words: str, order: str, *, stopped: Stopped = lambda: False
    ) -> Manuscript:
        """Have these words of a piece rewritten by the author's order; it waits for `decide`. Raises InputError for
        words that do not stand there just once, and as `write` does."""
        writer = self._writing()
        with self._working(id_):
            passage = _passage(self._piece(id_, piece), words, encodable(order))
            with self._stopping_at_failures(id_), calls.watch(stopped) as made:
                revision = writer.revise(self.chapter(id_), passage, self.chapter(id_).revisions + 1)
                self._desk.append(RevisionOffered(chapter=id_, revision=revision, spent=_spent(made), at=self._now))
        return self.chapter(id_)

    def _write_one(self, id_: ChapterId, writer: ChapterWriter, made: list[ChatCall]) -> None:
        piece = writer.piece(self.chapter(id_))
        told = {**words_of(piece), "text": encodable(piece.text), "ended": piece.ended, "made_by": piece.made_by}
        self._desk.append(PieceWritten(chapter=id_, piece=piece.number, **told, spent=_spent(made), at=self._now))

    def plan_by_steps(self, id_: ChapterId) -> Manuscript:
        """Plan a piece for each step, or one for the author's outline, where no model makes the plan."""
        chapter = self.chapter(id_)
        with self._hub.reading() as stores:
            steps = plans_of(chapter, stores)
        beats = [Beat(title=step.title, happens=step.text or step.title, step=step.key) for step in steps]
        return self.plan_by_hand(id_, beats or [Beat(title=chapter.title, happens=chapter.outline)])

    def plan_by_hand(self, id_: ChapterId, beats: Sequence[Beat]) -> Manuscript:
        """Take the author's plan; written pieces keep theirs. Raises InputError for a plan that leaves one out."""
        with self._working(id_):
            if len(beats) < max(1, len(self.chapter(id_).pieces)):
                raise InputError("chapter.plan_too_short", count=len(self.chapter(id_).pieces))
            self._desk.append(ChapterPlanned(chapter=id_, beats=tuple(beats), at=self._now))
        return self.chapter(id_)

    def write_by_hand(self, id_: ChapterId, text: str, *, stopped: Stopped = lambda: False) -> Manuscript:
        """Add the author's own text as the next piece, checked. Raises InputError for an empty one."""
        with self._working(id_):
            number = len(self.chapter(id_).pieces) + 1
            self._desk.append(PieceWritten(chapter=id_, piece=number, text=_text(text), at=self._now))
            self._check_now(id_, stopped)
        return self.chapter(id_)

    def edit(self, id_: ChapterId, piece: int, text: str, *, stopped: Stopped = lambda: False) -> Manuscript:
        """Change a piece as the author did; it and the pieces after it are checked anew."""
        with self._working(id_):
            if self._piece(id_, piece).text != (changed := _text(text)):
                self._desk.append(PieceEdited(chapter=id_, piece=piece, text=changed, at=self._now))
                self._check_now(id_, stopped)
        return self.chapter(id_)

    def decide(self, id_: ChapterId, *, accepted: bool, stopped: Stopped = lambda: False) -> Manuscript:
        """Take the rewritten passage, or leave the piece as it was. Raises InputError where no revision waits."""
        with self._working(id_):
            if self.chapter(id_).revision is None:
                raise InputError("chapter.no_revision")
            self._desk.append(RevisionDecided(chapter=id_, accepted=accepted, at=self._now))
            if accepted:
                self._check_now(id_, stopped)
        return self.chapter(id_)

    def withdraw(self, id_: ChapterId) -> Manuscript:
        """Take back the last piece, so that it can be written anew."""
        with self._working(id_):
            number = self._piece(id_, len(self.chapter(id_).pieces)).number
            self._desk.append(PieceWithdrawn(chapter=id_, piece=number, at=self._now))
        return self.chapter(id_)

    def put_back(self, id_: ChapterId, number: int, *, stopped: Stopped = lambda: False) -> Manuscript:
        """Put back the chapter's text as it was in one of its versions, by its place; it is checked anew."""
        with self._working(id_):
            self._desk.append(ChapterPutBack(chapter=id_, pieces=self.versions(id_)[number].pieces, at=self._now))
            self._check_now(id_, stopped)
        return self.chapter(id_)

    def check(self, id_: ChapterId, *, stopped: Stopped = lambda: False) -> Manuscript:
        """Check the pieces that were not checked as they stand, or not by the model."""
        with self._working(id_):
            self._check_now(id_, stopped, again=True)
        return self.chapter(id_)

    def drop(self, id_: ChapterId) -> None:
        """Put it away; its texts stay in the journal."""
        with self._working(id_):
            self._desk.append(ChapterDropped(chapter=id_, at=self._now))

    def archive(self, id_: ChapterId) -> Manuscript:
        """Put it into the archive in place of its number; no fact follows. Raises as `ByHand.import_book`."""
        with self._working(id_):
            self._piece(id_, 1)
            chapter = self.chapter(id_)
            whole = BookChapter(number=chapter.number, title=chapter.title, start=0, text=chapter.text)
            for _ in self._by_hand.import_book(Book(title=chapter.title, chapters=(whole,))):
                pass
            self._desk.append(ChapterArchived(chapter=id_, at=self._now))
        return self.chapter(id_)

    def _check_now(self, id_: ChapterId, stopped: Stopped, *, again: bool = False) -> None:
        with self._stopping_at_failures(id_), calls.watch(stopped) as made:
            self._check_all(id_, made, stopped, again=again)

    def _check_all(self, id_: ChapterId, made: list[ChatCall], stopped: Stopped, *, again: bool = False) -> None:
        """Check each piece not checked as it stands; `again`: also where the model had not read it."""
        for piece in self.chapter(id_).pieces:
            if (piece.marks is None or (again and piece.check_failure is not None)) and not stopped():
                self._desk.append(self._checked(id_, piece, made))

    def _checked(self, id_: ChapterId, piece: Piece, made: list[ChatCall]) -> PieceChecked:
        """Check a piece against the facts as of the chapter, the pieces before it, and its plan."""
        chapter = self.chapter(id_)
        before = chapter.pieces[: piece.number - 1]
        so_far = (*state_of(before, self._lang), *summaries_of(before))
        report = Report(findings=(), failure=Notice("continuity.no_model"))
        if self._reader is not None:
            report = self._reader.read(piece.text, chapter.number, self._lang, so_far)
        marks = marks_of(chapter, piece, report.findings, self._hub.stores.facts, self._lang)
        return PieceChecked(
            chapter=id_,
            piece=piece.number,
            marks=marks,
            failure=report.failure.stored() if report.failure is not None else {},
            spent=_spent(made),
            at=self._now,
        )

    @property
    def _now(self) -> float:
        return self._desk.clock()

    def _writing(self) -> ChapterWriter:
        if self._writer is None:
            raise InputError("chapter.no_model")
        return self._writer

    def _piece(self, id_: ChapterId, number: int) -> Piece:
        pieces = self.chapter(id_).pieces
        if not 0 < number <= len(pieces):
            raise InputError("chapter.no_piece", number=number, count=len(pieces))
        return pieces[number - 1]

    def _steps_of(self, key: PlanKey) -> tuple[Plan, ...]:
        """Return the step, or the steps of the outline that are not completed, in their order."""
        with self._hub.reading() as stores:
            plan = stores.plans.plan(key)
            if plan is None or plan.kind not in (PlanKind.STEP, PlanKind.SHORT):
                raise InputError("chapter.plan", plan=str(key)[:40])
            steps = (plan,) if plan.kind is PlanKind.STEP else stores.plans.children(key) or (plan,)
        open_ = tuple(step for step in steps if step.is_open)
        if not open_:
            raise InputError("chapter.no_open_step", title=plan.title[:60])
        return open_

    @contextmanager
    def _working(self, id_: ChapterId) -> Iterator[None]:
        with self._lock:
            self.chapter(id_)
            if id_ in self._at_work:
                raise InputError("chapter.at_work")
            self._at_work.add(id_)
        try:
            yield
        finally:
            with self._lock:
                self._at_work.discard(id_)

    @contextmanager
    def _stopping_at_failures(self, id_: ChapterId) -> Iterator[None]:
        """Tell in the chapter what keeps the work from going on; all that was done stands."""
        try:
            yield
        except Cancelled:
            self._desk.append(ChapterStopped(chapter=id_, at=self._now))
        except (AgentError, StoreUnavailableError) as error:
            self._desk.append(ChapterStopped(chapter=id_, problem=error.notice.stored(), at=self._now))


def _passage(piece: Piece, words: str, order: str) -> PassageOrder:
    places = places_of(words, piece.text)
    if len(places) != 1:
        raise InputError(
            "chapter.passage" if not places else "chapter.passage_again", words=" ".join(words.split())[:60]
        )
    if not order.strip():
        raise InputError("chapter.no_order")
    start, end = places[0]
    return PassageOrder(piece=piece.number, start=start, end=end, text=piece.text[start:end], order=order.strip())


def _title(title: str) -> str:
    title = encodable(" ".join(title.split()))
    if len(title) > LONGEST_TITLE:
        raise InputError("chapter.title_length", limit=LONGEST_TITLE, count=len(title))
    return title


def _text(text: str) -> str:
    if not text.strip():
        raise InputError("chapter.no_text")
    return encodable(text.strip())


def _spent(made: list[ChatCall]) -> Spent:
    spent = Spent.of(made)
    made.clear()
    return spent
