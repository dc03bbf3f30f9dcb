"""The only way in and out: the author's words to the right task, the engine's answer back to it.

Fact-planning specification, section 3.3 A. A call names its task, so which task is current is a matter of the tab that
calls, and two tabs may talk to two tasks at once. What the author wrote is in the journal before anything else is done
with it: whatever fails then (a store, the engine), `resume` goes on from there.
"""

from __future__ import annotations

import threading
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from time import time
from typing import Any, Final, Protocol, Self

from memorybank.errors import InputError, StoreUnavailableError
from memorybank.narrative.creativity.options import Option
from memorybank.narrative.scheduler.applying import Applier
from memorybank.narrative.scheduler.builder import ContextBuilder
from memorybank.narrative.scheduler.commands import Instruction, instruction, parse
from memorybank.narrative.scheduler.context import BuiltContext
from memorybank.narrative.scheduler.desk import Clock, Desk
from memorybank.narrative.scheduler.drafts import DraftItem, Extract
from memorybank.narrative.scheduler.events import (
    CommandContext,
    CommandGiven,
    InputRefused,
    TaskDiscarded,
    TaskRestarted,
)
from memorybank.narrative.scheduler.histories import Histories
from memorybank.narrative.scheduler.labelled import labelled
from memorybank.narrative.scheduler.queues import HistoryQueues, MemoryQueues
from memorybank.narrative.scheduler.settings import SchedulerSettings
from memorybank.narrative.scheduler.settlement import Confirmed, SettlementTable, Settler
from memorybank.narrative.scheduler.shared_hub import SharedHub
from memorybank.narrative.scheduler.summaries import QuotingSummary, Summarise
from memorybank.narrative.scheduler.wording import say
from memorybank.narrative.types import (
    Command,
    Plan,
    PlanKey,
    PlanKind,
    PlanStatus,
    Task,
    TaskId,
    TaskState,
    Turn,
    normal,
)
from memorybank.narrative.writes import Proposal
from memorybank.types import Value


@dataclass(frozen=True, slots=True, kw_only=True)
class Creation(Value):
    """What the creativity engine answers."""

    text: str
    """All that the author is shown, options included: it is what the task's history keeps."""
    options: tuple[Option, ...] = ()


class Creative(Protocol):
    """The creativity engine, stateless."""

    def __call__(self, context: BuiltContext, asked: str) -> Creation:
        """Raises AgentError."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply(Value):
    """What the author is shown."""

    command: Command
    task: Task | None
    """Current in this tab from now on; None: no task is."""
    text: str = ""
    options: tuple[Option, ...] = ()
    context: BuiltContext | None = None
    """What the engine was told; of SETTLE the whole history."""
    table: SettlementTable | None = None


MakeQueues = Callable[[str], HistoryQueues]
"""Queues for a studio, by its id."""


class Gateway:
    """One open studio. Thread-safe: calls to one task follow each other, calls to different tasks do not wait."""

    def __init__(
        self,
        folder: Path,
        hub: SharedHub,
        *,
        creative: Creative,
        extract: Extract,
        instead: Extract | None = None,
        summarise: Summarise | None = None,
        settings: SchedulerSettings | None = None,
        queues: MakeQueues | None = None,
        clock: Clock = time,
    ) -> None:
        """Open the studio in a folder, or begin one. A settlement that was interrupted is finished first, or as soon as
        its stores are there.

        `instead`: reads a task's turns when `extract` fails, and the settlement table says so; None: the failure is
        raised. `summarise`: None quotes, without a model of language. `queues`: None keeps them in memory.

        Raises LockedError, JournalError, InputError.
        """
        settings = settings or SchedulerSettings()
        self._lang = settings.lang
        self._desk = Desk(folder, clock=clock)
        try:
            self._queues = MemoryQueues() if queues is None else queues(self._desk.studio)
        except BaseException:  # a Ctrl-C too; it is raised again, and the journal is let go
            self._desk.close()
            raise
        self._histories = Histories(self._desk, self._queues, kept_seconds=settings.kept_seconds)
        applier = Applier(self._desk, hub, self._histories, retry_seconds=settings.retry_seconds)
        summarise = summarise or QuotingSummary(tokens=settings.summary_tokens)
        self._hub = hub
        self._builder = ContextBuilder(self._desk, self._histories, hub, summarise, settings)
        self._settler = Settler(self._desk, hub, applier, extract, settings.lang, instead)
        self._creative = creative
        self._locks: defaultdict[TaskId, threading.RLock] = defaultdict(threading.RLock)
        self._giving = threading.Lock()
        self._stepping = threading.Lock()
        applier.finish()

    def close(self) -> None:
        self._queues.close()
        self._desk.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    # -- in and out ---------------------------------------------------------------------------------------------------

    def handle(
        self,
        text: str,
        *,
        task: TaskId | None,
        command: Command | None = None,
        argument: str = "",
        chapter: int | None = None,
    ) -> Reply:
        """Take the author's input for the task that is current in their tab, and answer it.

        `command` and `argument`: of a button; the text is then text, whatever it begins with. `chapter`: the one being
        written; None: the one after the last in the archive.

        Raises InputError for what cannot be done (the input is kept, see `refused`), StoreUnavailableError and
        AgentError when it could not be answered (see `resume`).
        """
        self.expire()
        text = _clean(text)
        with self._refusing(task, text):
            given = parse(text) if command is None else instruction(command, argument=argument, text=text)
            target = None if given.command is Command.NEW else self._target(given, task)
        if target is None:
            return self._new(given, self._context(task), text, chapter)
        with self._locked(target):
            with self._refusing(task, text):
                self._check(given, target)
            event = self._given(given, self._context(task), text, target)
            match given.command:
                case Command.SETTLE:
                    return self._settle(target, event)
                case Command.DISCARD:
                    self._desk.append(event, TaskDiscarded(task=target, at=event.at))
                    self._histories.dropped(target)
                    return Reply(command=given.command, task=None)
                case Command.RESTART:
                    self._desk.append(event, TaskRestarted(task=target, at=event.at))
                    self._histories.opened(target)
                    return self._go_on(given, target, chapter)
                case _:
                    return self._go_on(given, target, chapter, event)

    def resume(self, task: TaskId, *, chapter: int | None = None) -> Reply:
        """Answer the author's last turn, which got no answer when a store or the engine failed. Raises as `handle`."""
        with self._locked(task):
            self._check_open(task)
            latest = self._desk.latest(task)
            if latest is None or latest.role != "author":
                raise InputError(f"task {task} waits for the author: its last turn is answered")
            return self._answered(Command.CONTINUE, latest, task, chapter)

    def confirm(self, task: TaskId, proposals: Sequence[Proposal], waiting: Sequence[Proposal] = ()) -> Confirmed:
        """Settle with the table as the author edited and ticked it; the task closes. Raises InputError.

        `waiting`: rows of the table that are left for later (a bulk review, chapter by chapter): with any, the task
        stays open and they are its table.
        """
        with self._locked(task):
            return self._settler.confirm(task, proposals, waiting)

    def propose(self, title: str, found: Sequence[DraftItem]) -> Reply:
        """A task of its own with a table of what was found elsewhere (in imported chapters); nothing is written yet.

        Raises InputError for a title that is none, StoreUnavailableError.
        """
        given = instruction(Command.NEW, argument=title)
        opened = self._desk.open_task(given.argument, lambda task: self._given(given, self._context(None), "", task))
        with self._locked(opened.id):
            table = self._settler.propose(opened.id, (), found)
        return Reply(command=Command.SETTLE, task=self._desk.task(opened.id), table=table)

    def settle_step(self, step: PlanKey, *, chapter: int | None = None) -> Reply:
        """The table of what a completed step would write as facts, in a task of its own; nothing is written yet.

        Asked again while that task is kept, it is the same one, so that what it settled before is updated, never
        doubled. `chapter`: in which it happened; None: the last one written, or the one the step was due by.

        Raises InputError for what is no completed step, StoreUnavailableError, AgentError.
        """
        plan = self._completed(step)
        with self._stepping:
            task = self._task_of(plan)
        with self._locked(task):
            return self._settle(task, chapter=chapter)

    def remark(self, task: TaskId, proposals: Sequence[Proposal]) -> tuple[Proposal, ...]:
        """The rows of a table after an edit, marked anew; ticks stay. Raises StoreUnavailableError."""
        return self._settler.remark(task, proposals)

    def context(
        self, task: TaskId, text: str = "", *, command: Command = Command.CONTINUE, chapter: int | None = None
    ) -> BuiltContext:
        """What the engine would be told now. Raises InputError, StoreUnavailableError, AgentError."""
        with self._locked(task):
            return self._builder.build(self._desk.begins(task) or command, task, _clean(text), chapter=chapter)

    # -- to look at ---------------------------------------------------------------------------------------------------

    def tasks(self) -> tuple[Task, ...]:
        """All there ever were, in the order in which they were opened."""
        self.expire()
        return self._desk.tasks()

    def task_of(self, step: PlanKey) -> Task | None:
        """The task that settles this step or has settled it, as long as it is kept."""
        return self._desk.task_of(step)

    def history(self, task: TaskId) -> tuple[Turn, ...]:
        """A task's own turns. Raises InputError when they are gone, StoreUnavailableError."""
        return self._histories.turns(task)

    def options(self, task: TaskId, turn: int) -> tuple[Option, ...]:
        """What this answer of a task offered; none for a turn that offered nothing, or one of long ago."""
        return self._desk.options(task, turn)

    def journalled(self, task: TaskId) -> tuple[Turn, ...]:
        """The same from the journal, for when the queue cannot be reached. Raises InputError when they are gone."""
        self._histories.check_kept(task)
        return self._desk.histories().get(task, ())

    def table(self, task: TaskId) -> SettlementTable | None:
        """The table that waits for the author, as it was made."""
        made = self._desk.table(task)
        if made is None:
            return None
        return SettlementTable(task=task, turns=made.turns, proposals=made.proposals, note=made.note, at=made.at)

    def waiting(self) -> tuple[TaskId, ...]:
        """Tasks whose settlement is confirmed and waits for a store."""
        return tuple(writes.task for writes in self._desk.confirmed())

    def failure(self, task: TaskId) -> str:
        """Why the hub refused the task's last settlement when it could be asked again; empty: it did not."""
        failed = self._desk.failed(task)
        return failed.reason if failed else ""

    def refused(self, task: TaskId | None) -> InputRefused | None:
        """What was typed last in this task and could not be used, to be put back before the author."""
        return self._desk.refused(task)

    def export_history(self, task: TaskId) -> str:
        """A task's history as JSON, to be kept for longer than the studio keeps it."""
        with self._locked(task):
            return self._histories.export(task)

    def bring_back(self, exported: str) -> Task:
        """An exported history for its task, which has expired; it can be restarted then. Raises InputError."""
        return self._histories.bring_back(exported)

    def export_labelled(self) -> Iterator[str]:
        """Every (input, context, command) as a line of JSON."""
        return labelled(self._desk.records())

    def expire(self) -> None:
        """Let go of histories that were kept long enough."""
        for task in self._histories.expired():
            with self._locked(task):
                self._histories.let_go(task)

    # -- commands -----------------------------------------------------------------------------------------------------

    def _new(self, given: Instruction, context: CommandContext, text: str, chapter: int | None) -> Reply:
        task = self._desk.open_task(given.argument, lambda task: self._given(given, context, text, task))
        with self._locked(task.id):
            return self._go_on(given, task.id, chapter)

    def _go_on(self, given: Instruction, task: TaskId, chapter: int | None, *events: Any) -> Reply:
        """Answer what the author wrote to the task; without any, the task is current now and that is all."""
        if not given.text.strip():
            self._desk.append(*events)
            return Reply(command=given.command, task=self._desk.task(task))
        turn = self._desk.add_turn(task, "author", given.text, *events)
        self._histories.added(task, turn)
        return self._answered(given.command, turn, task, chapter)

    def _answered(self, command: Command, turn: Turn, task: TaskId, chapter: int | None) -> Reply:
        # What a new or restarted task is told stays the same until it has been told to the engine.
        built = self._builder.build(
            self._desk.begins(task) or command, task, turn.text, through=turn.number - 1, chapter=chapter
        )
        created = self._creative(built, turn.text)
        options = tuple(map(_clean_option, created.options))
        answer = self._desk.add_turn(task, "assistant", _clean(created.text), options=options)
        with suppress(StoreUnavailableError):  # the author is to see the answer; the queue is filled from the journal
            self._histories.added(task, answer)
        return Reply(
            command=command,
            task=self._desk.task(task),
            text=answer.text,
            options=options,
            context=built,
        )

    def _settle(self, task: TaskId, *events: CommandGiven, chapter: int | None = None) -> Reply:
        self._desk.append(*events)
        built = self._builder.build(Command.SETTLE, task, "", chapter=chapter)
        step = self._desk.step(task)
        found, note = self._settler.of_step(self._completed(step), chapter) if step is not None else ((), "")
        table = self._settler.propose(task, self._histories.turns(task), found, note)
        return Reply(command=Command.SETTLE, task=self._desk.task(task), context=built, table=table)

    # -- a completed step ---------------------------------------------------------------------------------------------

    def _completed(self, step: PlanKey) -> Plan:
        with self._hub.reading() as stores:
            plan = stores.plans.plan(step)
        if plan is None or plan.kind is not PlanKind.STEP:
            raise InputError(f"{str(step)[:40]!r} is no step of the planning layer: name one of the plan board")
        if plan.status is not PlanStatus.COMPLETED:
            raise InputError(
                f"the step {plan.title[:60]!r} is {plan.status.value}: only what is completed can become facts; "
                "complete it on the plan board first"
            )
        return plan

    def _task_of(self, step: Plan) -> TaskId:
        """The task that settles this step, open: as it is, restarted, or a new one."""
        known = self._desk.task_of(step.key)
        if known is None:
            title = say("step_task", self._lang, title=step.title[:_STEP_TITLE])
            given = Instruction(command=Command.NEW, argument=title, by="button")
            opened = self._desk.open_task(
                title, lambda task: self._given(given, self._context(None), "", task), step=step.key
            )
            return opened.id
        if known.state is TaskState.OPEN:
            self._check_open(known.id)
            return known.id
        given = Instruction(command=Command.RESTART, argument=known.id, by="button")
        event = self._given(given, self._context(None), "", known.id)
        self._desk.append(event, TaskRestarted(task=known.id, at=event.at))
        self._histories.opened(known.id)
        return known.id

    # -- which task ---------------------------------------------------------------------------------------------------

    def _target(self, given: Instruction, current: TaskId | None) -> TaskId:
        """The task an instruction is for. Raises InputError."""
        if given.argument:
            return self._named(given.argument, _FOR.get(given.command, TaskState.OPEN))
        if current is None:
            raise InputError("no task is current here: open one with /new and a title, or /switch to one")
        return self._desk.task(current).id

    def _named(self, name: str, wanted: TaskState) -> TaskId:
        tasks = self._desk.tasks()
        found = [task for task in tasks if task.id == name]
        found = found or [task for task in tasks if normal(task.title) == normal(name)]
        fitting = [task for task in found if task.state is wanted] or found
        if len(fitting) > 1:
            ids = ", ".join(task.id for task in fitting)
            raise InputError(f"{len(fitting)} tasks are called {name[:60]!r}: name one by its id ({ids})")
        if not fitting:
            known = ", ".join(f"{task.id} {task.title[:30]!r}" for task in tasks if task.state is wanted)
            raise InputError(f"no task is called {name[:60]!r}: there are {known or 'none; open one with /new'}")
        return fitting[0].id

    def _check(self, given: Instruction, task: TaskId) -> None:
        """Whether the task is in a state for the command. Raises InputError."""
        if given.command is Command.CONTINUE and not given.text.strip():
            raise InputError("nothing was written: type something, or a command")
        if given.command is Command.RESTART:
            self._histories.check_kept(task)
            if self._desk.task(task).state is TaskState.OPEN:
                raise InputError(f"task {task} is open: /switch to it")
        else:
            self._check_open(task)

    def _check_open(self, task: TaskId) -> None:
        known = self._desk.task(task)
        if task in self.waiting():
            raise InputError(f"task {task} is settled and waits for a store of the hub: it closes by itself")
        if known.state is TaskState.CLOSED:
            raise InputError(f"task {task} ({known.title[:60]!r}) is settled: /restart it to go on")
        self._histories.check_kept(task)

    def _context(self, task: TaskId | None) -> CommandContext:
        return CommandContext(
            task=task,
            turns=self._desk.task(task).turns if task else 0,
            open=tuple(one.id for one in self._desk.tasks() if one.state is TaskState.OPEN),
        )

    def _given(self, given: Instruction, context: CommandContext, text: str, task: TaskId) -> CommandGiven:
        return CommandGiven(
            input=text,
            context=context,
            command=given.command,
            argument=given.argument,
            task=task,
            by=given.by,
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

    @contextmanager
    def _locked(self, task: TaskId) -> Iterator[None]:
        with self._giving:
            lock = self._locks[task]
        with lock:
            yield


_STEP_TITLE: Final = 150
"""Characters of a step's title in that of its task."""
_FOR: Final = {Command.RESTART: TaskState.CLOSED}
"""In which state a task is that a command names; of two of one name that one is meant. Else open."""


def _clean(text: str) -> str:
    """The text as a file can hold it: half a surrogate pair becomes a question mark."""
    return text.encode("utf-8", "replace").decode("utf-8")


def _clean_option(option: Option) -> Option:
    scores = tuple(replace(score, reasons=tuple(map(_clean, score.reasons))) for score in option.scores)
    return replace(option, draft=replace(option.draft, text=_clean(option.draft.text)), scores=scores)
