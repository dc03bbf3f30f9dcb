"""What a tab of the studio has on its desk: which studio, its current task, the work under way, the table it edits.

The current task is the tab's own: every call to the gateway names its task, so two tabs may talk to two tasks at once.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final, cast

import streamlit as st

from memorybank.errors import MemoryBankError
from memorybank.narrative.types import Command, Task, TaskId, TaskState
from memorybank.ui.shell import state
from memorybank.ui.studio.jobs import Job
from memorybank.ui.studio.opening import shelf
from memorybank.ui.studio.shelf import OpenStudio

if TYPE_CHECKING:
    from memorybank.narrative.journal.events import SettlementTable
    from memorybank.narrative.settlement.settler import Confirmed
    from memorybank.narrative.tasks.replies import Reply
    from memorybank.narrative.writes import Proposal

STUDIO: Final = state.STUDIO_OPEN
VIEW: Final = "studio-view"
CONFIRMED: Final = "studio-confirmed"
"""What the last settlement of this tab wrote, with the sentences of its rows."""
_TASK: Final = state.STUDIO_TASK
_JOB, _TABLE = "studio-job", "studio-table"
_OF_ONE_STUDIO: Final = (
    *(STUDIO, VIEW, CONFIRMED, _TASK, _JOB, _TABLE),
    *("studio-problem", "studio-hub", "studio-entity", "studio-clicked", "studio-chapter", "studio-draft"),
    *("studio-draft-chapter", "studio-draft-coming", "studio-checked", "studio-book", "studio-ticks"),
    *("studio-tour", "studio-tour-seen", "studio-tour-done", "studio-graph-selection"),
)
"""What the tab forgets when it turns to another studio."""
_GLANCE: Final = 0.35
"""Seconds that a redraw waits for work just begun: most answers come within, and the page is drawn once."""


def choose(id_: str) -> None:
    """From now on this is the tab's studio; it is opened if nobody has. For callbacks; raises as `Shelf.open`."""
    leave()
    shelf().open(id_)
    st.session_state[STUDIO] = id_


def arrive() -> None:
    """Turn to the studio and the task of the address with which the tab came, be it by a reload. Raises as `choose`."""
    id_, task = state.arrived_at_studio()
    if id_:
        choose(id_)
        make_current(cast("TaskId", task) if task else None)


def leave() -> None:
    """Back to the choice; the studio stays open."""
    for key in _OF_ONE_STUDIO:
        st.session_state.pop(key, None)


# -- the current task -------------------------------------------------------------------------------------------------


def current(held: OpenStudio) -> Task | None:
    """The task that this tab talks to; None when there is none or it is not open any more."""
    named: TaskId | None = st.session_state.get(_TASK)
    found = next((task for task in held.studio.gateway.tasks() if task.id == named), None)
    return found if found is not None and found.state is TaskState.OPEN else None


def named() -> TaskId | None:
    """The task this tab talks to, open or not: of what lies before the author when a button is pressed."""
    task: TaskId | None = st.session_state.get(_TASK)
    return task


def make_current(task: TaskId | None) -> None:
    st.session_state[_TASK] = task


# -- work under way ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Work:
    job: Job[Any]
    then: Callable[[Any], None]


def begin(name: str, work: Callable[[], Any], then: Callable[[Any], None]) -> None:
    """Let work begin; `then` gets its result in this tab, at a later redraw. What is under way is not interrupted."""
    if working() is None:
        st.session_state[_JOB] = _Work(Job(name, work), then)


def working() -> Job[Any] | None:
    held: _Work | None = st.session_state.get(_JOB)
    return held.job if held is not None else None


def finish() -> None:
    """Take in the result of work that is done. What it raised is kept as the page's problem."""
    held: _Work | None = st.session_state.get(_JOB)
    if held is None or not held.job.wait(_GLANCE):
        return
    del st.session_state[_JOB]
    try:
        held.then(held.job.result())
    except (MemoryBankError, OSError) as error:
        st.session_state["studio-problem"] = error


def take_problem() -> BaseException | None:
    """What went wrong last, once."""
    found: BaseException | None = st.session_state.pop("studio-problem", None)
    return found


# -- commands ---------------------------------------------------------------------------------------------------------


def give(held: OpenStudio, text: str, *, command: Command | None = None, argument: str = "") -> None:
    """Send the author's input to the current task, or a command. For callbacks."""
    task: TaskId | None = st.session_state.get(_TASK)
    work = lambda: held.studio.gateway.handle(text, task=task, command=command, argument=argument)  # noqa: E731
    begin("answer", work, lambda reply: take(held, reply))


def resume(held: OpenStudio, task: TaskId) -> None:
    """Answer what was not answered."""
    begin("answer", lambda: held.studio.gateway.resume(task), lambda reply: take(held, reply))


def take(held: OpenStudio, reply: Reply) -> None:
    make_current(reply.task.id if reply.task is not None else None)
    st.session_state.pop(CONFIRMED, None)
    if reply.table is not None:
        st.session_state.pop(_TABLE, None)
        held.by_hand.pop(reply.table.task, None)


# -- the settlement table ---------------------------------------------------------------------------------------------


def table(held: OpenStudio, task: Task) -> SettlementTable | None:
    """The table that waits for the author; None when there is none, or the task has gone on since."""
    made = held.studio.gateway.table(task.id)
    if made is None or made.turns != task.turns:
        return None
    mine: SettlementTable | None = st.session_state.get(_TABLE)
    if mine is None or (mine.task, mine.turns, mine.at) != (task.id, made.turns, made.at):
        left = held.tables.get(task.id)
        mine = left if left is not None and (left.turns, left.at) == (made.turns, made.at) else made
        st.session_state[_TABLE] = mine
    return mine


def keep_rows(held: OpenStudio, table: SettlementTable, rows: Sequence[Proposal]) -> None:
    st.session_state[_TABLE] = hold(held, table, rows)


def hold(held: OpenStudio, table: SettlementTable, rows: Sequence[Proposal]) -> SettlementTable:
    """Keep a table as it was changed last for a tab that is loaded anew; tabs that are there have their own."""
    held.tables[table.task] = changed = replace(table, proposals=tuple(rows))
    return changed


def drop_table() -> None:
    st.session_state.pop(_TABLE, None)


@dataclass(frozen=True, slots=True)
class Written:
    """What a settlement came to."""

    title: str
    confirmed: Confirmed
    sentences: tuple[str, ...]
