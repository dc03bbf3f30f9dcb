"""Which task the author speaks to, whether it can take what they ask, and what is kept of it either way.

An input is one event with the command read in it and the tasks that were open then; one that cannot be used is an event
too, so that nothing typed is lost.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from memorybank.errors import InputError
from memorybank_studio.journal.desk import Desk, Histories
from memorybank_studio.journal.events import CommandContext, CommandGiven, InputRefused
from memorybank_studio.types import Command, TaskId, TaskState


class Addressing:
    """Reads the studio's tasks; of what it hears it only writes down what was refused."""

    def __init__(self, desk: Desk, histories: Histories) -> None:
        self._desk = desk
        self._histories = histories

    def target(self, argument: str, current: TaskId | None) -> TaskId:
        """The task a command is for. Raises InputError."""
        named = TaskId(argument) if argument else current
        if named is None:
            raise InputError("task.none_current")
        return self._desk.task(named).id

    def check(self, command: Command, text: str, task: TaskId) -> None:
        """Whether the task is in a state for the command. Raises InputError."""
        if command is Command.CONTINUE and not text.strip():
            raise InputError("task.nothing_written")
        if command is Command.RESTART:
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

    def event(self, command: Command, argument: str, text: str, current: TaskId | None, task: TaskId) -> CommandGiven:
        """The command as the journal keeps it, with what lay before the author."""
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
    def refusing(self, task: TaskId | None, text: str) -> Iterator[None]:
        """Keep what was typed when it cannot be used."""
        try:
            yield
        except InputError as error:
            self._desk.append(InputRefused(task=task, input=text, reason=str(error), at=self._desk.clock()))
            raise


# -- commands ----------------------------------------------------------------------------------------------------------


LONGEST_TITLE: Final = 200
"""Characters."""

_JOINERS: Final = "\u200c\u200d"
_SHAPES: Final = "\ufe0e\ufe0f"
"""Variation selectors, before which a joiner may stand in an emoji."""
_BLANK: Final = "\u115f\u1160\u2800\u3164\uffa0"
"""Letters and signs that show nothing."""
_TAKES_TEXT: Final = frozenset({Command.NEW, Command.CONTINUE, Command.SWITCH, Command.RESTART})
_NEEDS_ARGUMENT: Final = frozenset({Command.NEW, Command.SWITCH, Command.RESTART})


def checked_argument(command: Command, argument: str, text: str) -> str:
    """The title of a new task, or the id of a task (empty: the current one), as a button gives it. Nothing is guessed
    from the wording (fact-planning specification, section 3.3 B). Raises InputError naming what is missing or too
    much."""
    argument = " ".join((visible(argument) if command is Command.NEW else argument).split())
    if command in _NEEDS_ARGUMENT and not argument:
        raise InputError("slash.needs_title" if command is Command.NEW else "slash.needs_task", command=command.value)
    if len(argument) > LONGEST_TITLE:
        raise InputError("slash.too_long", command=command.value, count=len(argument), most=LONGEST_TITLE)
    if command not in _TAKES_TEXT and text.strip():
        raise InputError("slash.no_text", command=command.value)
    return argument


def visible(title: str) -> str:
    """A title without what turns, hides or joins text; empty when nothing of it can be seen.

    A joiner stays between two letters or signs, as it shapes them (Persian words, an emoji of several).
    """
    folded = " ".join(title.split())
    kept = "".join(
        char
        for place, char in enumerate(folded)
        if unicodedata.category(char) not in ("Cc", "Cf")
        or (char in _JOINERS and _is_seen(folded[place - 1 : place]) and _is_seen(folded[place + 1 : place + 2]))
    )
    return kept if any(map(_is_seen, kept)) else ""


def _is_seen(char: str) -> bool:
    if not char or char in _BLANK:
        return False
    category = unicodedata.category(char)
    return char in _SHAPES or not (category in ("Cc", "Cf", "Cs") or category[0] in "ZM")
