"""The only way in and out: the author's words to the right task, the engine's answer back to it.

Fact-planning specification, section 3.3 A. A call names its task, so which task is current is a matter of the tab that
calls, and two tabs may talk to two tasks at once. What the author wrote is in the journal before anything else is done
with it: whatever fails then (a store, the engine), `resume` goes on from there.
"""

from __future__ import annotations

import threading
from collections.abc import Collection, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, Final

from memorybank import calls
from memorybank.calls import Spent
from memorybank.errors import InputError, Notice
from memorybank.language.text import encodable
from memorybank.llm.base import ChatModel
from memorybank.runs.clock import now
from memorybank_studio.chapters.manuscript import ChapterId
from memorybank_studio.chapters.writer import ChapterWriter
from memorybank_studio.continuity.by_model import ModelReader
from memorybank_studio.creativity.options import Option
from memorybank_studio.drafts import Extract
from memorybank_studio.hub.shared import SharedHub
from memorybank_studio.journal.context import Citation, Taken, TurnKind, without_turns
from memorybank_studio.journal.desk import Clock, Desk, Histories
from memorybank_studio.journal.events import (
    CommandContext,
    CommandGiven,
    ContextBuilt,
    InputRefused,
    SettlementTable,
    TaskDiscarded,
    TaskRestarted,
    TurnTaken,
)
from memorybank_studio.names import names_in
from memorybank_studio.reading.markers import lines
from memorybank_studio.settlement.applying import Applier
from memorybank_studio.settlement.settler import Confirmed, Settler
from memorybank_studio.tasks.bible import Bible
from memorybank_studio.tasks.builder import ContextBuilder
from memorybank_studio.tasks.by_hand import ByHand, TypedTexts
from memorybank_studio.tasks.chapter_writing import ChapterWriting
from memorybank_studio.tasks.renames import Renames
from memorybank_studio.tasks.replies import Creation, Creative, Reply, checked_argument, clean_option
from memorybank_studio.tasks.settings import TaskSettings
from memorybank_studio.tasks.turn_kind import Decide
from memorybank_studio.types import NAMED_KINDS, Closing, Command, Task, TaskId, TaskState, Turn
from memorybank_studio.wording import joined, say
from memorybank_studio.writes import Proposal

_QUESTIONS: Final = (TurnKind.FACT, TurnKind.PLAN, TurnKind.SETTING)


class Gateway(Closing):
    """One open studio. Thread-safe: calls to one task follow each other, calls to different tasks do not wait."""

    def __init__(
        self,
        folder: Path,
        hub: SharedHub,
        *,
        decide: Decide,
        creative: Creative,
        extract: Extract,
        instead: Extract | None = None,
        reader: ModelReader | None = None,
        writer: ChapterWriter | None = None,
        settings: TaskSettings | None = None,
        chat: ChatModel | None = None,
        clock: Clock = now,
        desk: Desk | None = None,
    ) -> None:
        """Open the studio in a folder, or begin one. A settlement that was interrupted is finished first, or as soon as
        its stores are there.

        `decide`: what a turn is taken for. `instead`: reads a task's turns when `extract` fails, and the settlement
        table says so; None: the failure is raised. `reader`: checks chapters; None without a language
        model. `writer`: writes chapters; likewise. `chat`: sums up histories; None: they are quoted. `desk`: the
        folder's journal, where it is open already.

        Raises LockedError, JournalError, InputError.
        """
        settings = settings or TaskSettings()
        desk = desk or Desk(folder, clock=clock)
        self._desk = desk
        self._histories = Histories(desk, kept_seconds=settings.kept_seconds)
        self._locks: dict[TaskId, threading.RLock] = {}
        applier = Applier(desk, hub)
        self._builder = ContextBuilder(desk, self._histories, hub, settings, chat)
        self._settler = Settler(desk, hub, applier, extract, settings.lang, instead)
        self.by_hand = ByHand(desk, hub)
        self.typed = TypedTexts(folder, clock)
        self.chapters = ChapterWriting(desk, hub, self.by_hand, reader, writer, settings.lang)
        self.bible = Bible(desk, hub, applier, settings.lang)
        self.renames = Renames(desk, hub, applier, self.chapters.at_work, settings.lang)
        self._lang = settings.lang
        self._hub = hub
        self._decide = decide
        self._creative = creative
        applier.finish()

    def close(self) -> None:
        self._desk.close()

    def handle(
        self,
        text: str,
        *,
        task: TaskId | None,
        command: Command = Command.CONTINUE,
        argument: str = "",
        kind: TurnKind | None = None,
        options: Sequence[int] = (),
    ) -> Reply:
        """Take the author's input for the task that is current in their tab, and answer it.

        `command`, `argument`, `kind`: of a button; the text is text, whatever it begins with, and of that kind.
        `options`: of kind OPTIONS, the numbers of the proposals that are to be mixed or changed.

        Raises InputError for what cannot be done (the input is kept, see `refused`), StoreUnavailableError and
        AgentError when it could not be answered (see `resume`).
        """
        self.expire()
        text = encodable(text)
        taken = self._by_author(kind, options) if kind is not None else None
        with self._refusing(task, text):
            argument = checked_argument(command, argument, text)
            target = None if command is Command.NEW else self._target(argument, task)
        if target is None:
            event_of = partial(self._event, command, argument, text, task)
            opened = self._desk.open_task(argument, event_of).id
            with self._locked(opened):
                return self._go_on(command, text, opened, taken)
        with self._locked(target):
            with self._refusing(task, text):
                self._check(command, text, target)
            event = self._event(command, argument, text, task, target)
            match command:
                case Command.SETTLE:
                    return self._settle(target, event)
                case Command.DISCARD:
                    self._desk.append(event, TaskDiscarded(task=target, at=event.at))
                    return Reply(command=command, task=None)
                case Command.RESTART:
                    self._desk.append(event, TaskRestarted(task=target, at=event.at))
                    return self._go_on(command, text, target, taken)
                case _:
                    return self._go_on(command, text, target, taken, event)

    def resume(self, task: TaskId) -> Reply:
        """Answer the author's last turn, which got no answer when a store or the engine failed. Raises as `handle`."""
        with self._locked(task):
            self._check_open(task)
            if task not in self._desk.state.unanswered:
                raise InputError("task.waits_for_author", task=task)
            return self._answered(Command.CONTINUE, self._desk.state.asked[task], task)

    def take_as(self, task: TaskId, kind: TurnKind) -> Reply:
        """Answer the author's last turn as what they say it is; an answer it has is replaced. Raises as `handle`."""
        with self._locked(task):
            self._check_open(task)
            asked = self._desk.state.asked.get(task)
            if asked is None:
                raise InputError("task.waits_for_author", task=task)
            self._take(task, asked, self._by_author(kind))
            return self._answered(Command.CONTINUE, asked, task)

    def confirm(self, task: TaskId, proposals: Sequence[Proposal]) -> Confirmed:
        """Settle with the table as the author edited and ticked it; the task closes. Raises InputError."""
        with self._locked(task):
            return self._settler.confirm(task, proposals)

    def archive_chapter(self, chapter: ChapterId, *, current: TaskId | None = None) -> Reply | None:
        """Put a chapter into the archive. What it tells is proposed in a task of its own, of which nothing is written
        yet; None: nothing came of it.

        Raises as `ChapterWriting.archive`, and AgentError."""
        read, note = self._settler.of_chapter(written := self.chapters.archive(chapter))
        if not (read.drafts or read.unread):
            return None
        title = say("chapter_task", self._lang, number=written.number, title=written.title)
        task = self.handle("", task=current, command=Command.NEW, argument=title).task
        assert task is not None, "it was opened"
        with self._locked(task.id):
            table = self._settler.propose(task.id, (), read, note)
        return Reply(command=Command.SETTLE, task=self._desk.task(task.id), table=table)

    def remark(self, task: TaskId, proposals: Sequence[Proposal]) -> tuple[Proposal, ...]:
        """Return the rows of a table after an edit, marked anew; ticks stay. Raises StoreUnavailableError."""
        return self._settler.remark(task, proposals)

    @property
    def written_at(self) -> float | None:
        """Return when the journal was last written to, in epoch seconds; None: not since the studio was opened."""
        return self._desk.written_at

    @property
    def broken(self) -> Notice | None:
        """Return why its journal takes no more, so that the studio has to be opened again; None while it does."""
        return self._desk.broken

    def tasks(self) -> tuple[Task, ...]:
        """Return all tasks there ever were, in the order in which they were opened."""
        self.expire()
        return self._desk.tasks()

    def history(self, task: TaskId) -> tuple[Turn, ...]:
        """Return a task's own turns. Raises InputError when they are gone."""
        return self._histories.turns(task)

    def options(self, task: TaskId, turn: int) -> tuple[Option, ...]:
        """Return what this answer of a task offered; none for a turn that offered nothing."""
        return self._desk.state.options.get((task, turn), ())

    def taken(self, task: TaskId, turn: int) -> Taken | None:
        """Return what this turn of the author's was taken for; None: none of late, or of an earlier version."""
        return self._desk.state.taken.get((task, turn))

    def is_replaced(self, task: TaskId, turn: int) -> bool:
        """Whether there is another answer in this one's place."""
        return turn in self._desk.state.replaced.get(task, frozenset())

    def is_unanswered(self, task: TaskId) -> bool:
        """Whether the author waits for an answer to their last turn (`Gateway.resume`)."""
        return task in self._desk.state.unanswered

    def stands_on(self, task: TaskId, turn: int) -> tuple[tuple[Citation, ...], Spent]:
        """Return lines of the record that this answer stands on, and what it cost; nothing for one of long ago."""
        reply = self._desk.state.replies.get((task, turn))
        return (reply.cited, reply.spent) if reply is not None else ((), Spent())

    def table(self, task: TaskId) -> SettlementTable | None:
        """Return the table that waits for the author, as it was made."""
        return self._desk.state.tables.get(task)

    def waiting(self) -> tuple[TaskId, ...]:
        """Return tasks whose settlement is confirmed and waits for a store."""
        return tuple(writes.task for writes in self._desk.confirmed())

    def failure(self, task: TaskId) -> Notice | None:
        """Return why the hub refused the task's last settlement when it could be asked again; None: it did not."""
        failed = self._desk.state.failed.get(task)
        return failed.why if failed else None

    def refused(self, task: TaskId | None) -> InputRefused | None:
        """Return what was typed last in this task and could not be used, to be put back before the author."""
        return self._desk.state.refused.get(task)

    def expire(self) -> None:
        """Let go of histories that were kept long enough."""
        for task in self._histories.expired():
            with self._locked(task):
                self._histories.let_go(task)

    def _target(self, argument: str, current: TaskId | None) -> TaskId:
        named = TaskId(argument) if argument else current
        if named is None:
            raise InputError("task.none_current")
        return self._desk.task(named).id

    def _check(self, command: Command, text: str, task: TaskId) -> None:
        """Whether the task is in a state for the command. Raises InputError."""
        if command is Command.CONTINUE and not text.strip():
            raise InputError("task.nothing_written")
        if command is Command.RESTART:
            self._histories.check_kept(task)
            if self._desk.task(task).state is TaskState.OPEN:
                raise InputError("task.is_open", task=task)
        else:
            self._check_open(task)

    def _check_open(self, task: TaskId) -> None:
        known = self._desk.task(task)
        if task in (writes.task for writes in self._desk.confirmed()):
            raise InputError("task.waits_for_store", task=task)
        if known.state is TaskState.CLOSED:
            raise InputError("task.is_settled", task=task, title=known.title[:60])
        self._histories.check_kept(task)

    def _event(self, command: Command, argument: str, text: str, current: TaskId | None, task: TaskId) -> CommandGiven:
        """Return the command as the journal keeps it, with what lay before the author."""
        context = CommandContext(
            task=current,
            turns=self._desk.task(current).turns if current else 0,
            open=tuple(known.id for known in self._desk.tasks() if known.state is TaskState.OPEN),
        )
        return CommandGiven(
            input=text,
            context=context,
            command=command,
            argument=argument,
            task=task,
            by="default" if command is Command.CONTINUE else "button",
            at=self._desk.clock(),
        )

    @contextmanager
    def _refusing(self, task: TaskId | None, text: str) -> Iterator[None]:
        """Keep what was typed when it cannot be used."""
        try:
            yield
        except InputError as error:
            self._desk.append(InputRefused(task=task, input=text, reason=str(error), at=self._desk.clock()))
            raise

    def _locked(self, task: TaskId) -> AbstractContextManager[object]:
        """Return the task's own lock: calls to one task follow each other, calls to different tasks do not wait."""
        return self._locks.setdefault(task, threading.RLock())  # in one step: two callers get the same one

    def _go_on(self, command: Command, text: str, task: TaskId, taken: Taken | None, *events: Any) -> Reply:
        """Answer what the author wrote to the task; without any, the task is current now and that is all."""
        if not text.strip():
            self._desk.append(*events)
            return Reply(command=command, task=self._desk.task(task))
        turn = self._desk.add_turn(task, "author", text, *events)
        if taken is not None:
            self._take(task, turn, taken)
            if taken.kind is TurnKind.REMARK:  # a button's words say all there is to say
                taken = replace(taken, reply=say("answer_noted", self._lang))
        return self._answered(command, turn, task, taken)

    def _answered(self, command: Command, turn: Turn, task: TaskId, taken: Taken | None = None) -> Reply:
        state = self._desk.state
        with calls.watch() as made:
            # What a new or restarted task is told stays the same until it has been told to the engine.
            earlier = state.contexts.get((task, turn.number))
            told_as = state.begins.get(task) or (earlier.command if earlier else command)
            built = self._builder.build(told_as, task, turn.text, through=turn.number - 1)
            self._desk.append(ContextBuilt(task=task, turn=turn.number, context=without_turns(built)))
            taken = taken or state.taken.get((task, turn.number))
            if taken is None:
                taken = self._decide(built, turn.text)
                self._take(task, turn, taken)
            created = self._creative(built, turn.text, taken, self._desk)
        if taken.kind in _QUESTIONS:
            created = self._with_open(created, self._open_elsewhere(task, turn.text, taken, created))
        options = tuple(map(clean_option, created.options))
        answer = self._desk.add_turn(
            task,
            "assistant",
            encodable(created.text),
            options=options,
            cited=created.cited,
            answers=turn.number if self._desk.task(task).turns > turn.number else 0,
            spent=Spent.of(made),
        )
        return Reply(
            command=command, task=self._desk.task(task), text=answer.text, options=options, taken=taken, context=built
        )

    def _open_elsewhere(self, task: TaskId, question: str, taken: Taken, created: Creation) -> list[Task]:
        """Return other open tasks that speak of what is asked and that the record does not answer."""
        known = self._hub.stores.facts.names(NAMED_KINDS)
        asked = [*taken.sought, *(() if created.cited else names_in(question, tuple(known)))]
        asked = [words for words in asked if not (created.cited and words in known)]
        open_ = [other for other in self._desk.tasks() if other.state is TaskState.OPEN and other.id != task]
        return [other for other in open_ if self._speaks_of(other, question, asked, known)]

    def _speaks_of(self, task: Task, question: str, asked: Sequence[str], known: Collection[str]) -> bool:
        said = "\n".join(turn.text for turn in self._histories.told(task.id) if turn.role == "author")
        cards = [line.name for line in lines(said, self._lang) if line.entity is not None and line.name not in known]
        return bool(names_in(f"{task.title}\n{said}", asked) or names_in(question, cards))

    def _with_open(self, created: Creation, tasks: Sequence[Task]) -> Creation:
        """Return the answer, and above the lines that it cites that more is talked about and not settled."""
        if not tasks:
            return created
        titles = joined((f"{task.title} ({task.id})" for task in tasks), self._lang)
        told, open_ = created.text, say("answer_open", self._lang, tasks=titles)
        return replace(created, text=f"{open_}\n\n{told}" if created.cited else f"{told}\n\n{open_}")

    def _take(self, task: TaskId, turn: Turn, taken: Taken) -> None:
        kept = replace(taken, reply="")  # the reply is the next turn
        self._desk.append(TurnTaken(task=task, turn=turn.number, taken=kept, at=self._desk.clock()))

    def _by_author(self, kind: TurnKind, options: Sequence[int] = ()) -> Taken:
        return Taken(kind=kind, reason=say("taken_chosen", self._lang), by="author", options=tuple(options))

    def _settle(self, task: TaskId, *events: CommandGiven) -> Reply:
        self._desk.append(*events)
        built = self._builder.build(Command.SETTLE, task, "")
        self._desk.append(ContextBuilt(task=task, turn=0, context=without_turns(built)))
        table = self._settler.propose(task, self._histories.told(task))
        return Reply(command=Command.SETTLE, task=self._desk.task(task), context=built, table=table)
