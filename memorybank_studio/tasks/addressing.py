"""Which task the author speaks to, whether it can take what they ask, and what is kept of it either way.

An input is one event with the command read in it and the tasks that were open then; one that cannot be used is an event
too, so that nothing typed is lost.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from memorybank.errors import InputError
from memorybank_studio.journal.desk import Desk
from memorybank_studio.journal.events import CommandContext, CommandGiven, InputRefused
from memorybank_studio.journal.histories import Histories
from memorybank_studio.tasks.commands import Instruction, visible
from memorybank_studio.types import Command, TaskId, TaskState, normal


def _same(title: str, name: str) -> bool:
    return normal(title) == normal(name) or (bool(visible(name)) and normal(visible(title)) == normal(visible(name)))


class Addressing:
    """Reads the studio's tasks; of what it hears it only writes down what was refused."""

    def __init__(self, desk: Desk, histories: Histories) -> None:
        self._desk = desk
        self._histories = histories

    def target(self, instruction: Instruction, current: TaskId | None) -> TaskId:
        """The task an instruction is for. Raises InputError."""
        if instruction.argument:
            return self._named(instruction.argument, _NAMED_STATE.get(instruction.command, TaskState.OPEN))
        if current is None:
            raise InputError("task.none_current")
        return self._desk.task(current).id

    def _named(self, name: str, wanted: TaskState) -> TaskId:
        tasks = self._desk.tasks()
        named = [task for task in tasks if task.id == name]
        named = named or [task for task in tasks if _same(task.title, name)]
        fitting = [task for task in named if task.state is wanted] or named
        if len(fitting) > 1:
            ids = ", ".join(task.id for task in fitting)
            raise InputError("task.several", count=len(fitting), name=name[:60], ids=ids)
        if not fitting:
            known = ", ".join(f"{task.id} {task.title[:30]!r}" for task in tasks if task.state is wanted)
            if not known:
                raise InputError("task.no_such_of_none", name=name[:60])
            raise InputError("task.no_such", name=name[:60], known=known)
        return fitting[0].id

    def check(self, instruction: Instruction, task: TaskId) -> None:
        """Whether the task is in a state for the command. Raises InputError."""
        if instruction.command is Command.CONTINUE and not instruction.text.strip():
            raise InputError("task.nothing_written")
        if instruction.command is Command.RESTART:
            self._histories.check_kept(task)
            if self._desk.task(task).state is TaskState.OPEN:
                raise InputError("task.is_open", task=task)
        else:
            self.check_open(task)

    def check_open(self, task: TaskId) -> None:
        known = self._desk.task(task)
        if task in (writes.task for writes in self._desk.confirmed()):
            raise InputError("task.waits_for_store", task=task)
        if known.state is TaskState.CLOSED:
            raise InputError("task.is_settled", task=task, title=known.title[:60])
        self._histories.check_kept(task)

    def context(self, task: TaskId | None) -> CommandContext:
        return CommandContext(
            task=task,
            turns=self._desk.task(task).turns if task else 0,
            open=tuple(known.id for known in self._desk.tasks() if known.state is TaskState.OPEN),
        )

    def event(self, instruction: Instruction, context: CommandContext, text: str, task: TaskId) -> CommandGiven:
        """The instruction as the journal keeps it."""
        return CommandGiven(
            input=text,
            context=context,
            command=instruction.command,
            argument=instruction.argument,
            task=task,
            by=instruction.by,
            at=self._desk.clock(),
        )

    def button_event(self, instruction: Instruction, task: TaskId, current: TaskId | None) -> CommandGiven:
        """The same of a button without words, pressed in a tab whose task is `current`."""
        return self.event(instruction, self.context(current), "", task)

    @contextmanager
    def refusing(self, task: TaskId | None, text: str) -> Iterator[None]:
        """Keep what was typed when it cannot be used."""
        try:
            yield
        except InputError as error:
            self._desk.append(InputRefused(task=task, input=text, reason=str(error), at=self._desk.clock()))
            raise


_NAMED_STATE: Final = {Command.RESTART: TaskState.CLOSED}
"""In which state a task is that a command names; of two of one name that one is meant. Else open."""
