"""A tab's desk in the studio: which studio is open, its current task, the work under way, the table it edits.

The current task is the tab's own: every call to the gateway names its task, so two tabs may talk to two tasks at once.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, Final, cast

import streamlit as st

from memorybank import calls
from memorybank.errors import MemoryBankError
from memorybank.memory.types import Lang
from memorybank.ui.shell.switch import Look, button
from memorybank.ui.shell.tab import this_tab
from memorybank.views.i18n import t
from memorybank_studio.page.jobs import ChapterWork, Job, Stopped
from memorybank_studio.page.shelf import OpenStudio, keep_tables, shelf
from memorybank_studio.page.tab import OF_ONE_STUDIO, PART, VIEWS, StudioDesk, Work, arrived_at, studio_tab, turn_to
from memorybank_studio.types import Command, Task, TaskId, TaskState

if TYPE_CHECKING:
    from memorybank_studio.chapters.manuscript import ChapterId, Manuscript
    from memorybank_studio.journal.context import TurnKind
    from memorybank_studio.journal.events import SettlementTable
    from memorybank_studio.tasks.replies import Reply
    from memorybank_studio.writes import Proposal

FACTS_GRAPH: Final = "studio-graph"
"""Key of the graph of facts."""
_GLANCE: Final = 0.35
"""Seconds that a redraw waits for work just begun: most answers come within, and the page is drawn once."""


def choose(id_: str) -> None:
    """Make this the tab's studio, opened if nobody has. To be called from callbacks; raises as `Shelf.open`."""
    leave()
    shelf().open(id_)
    studio_tab().desk.id = id_


def arrive() -> None:
    """Turn to what the address names with which the tab came, be it by a reload. Raises as `choose`."""
    id_, task, view, part = arrived_at()
    if id_:
        choose(id_)
        make_current(cast("TaskId", task) if task else None)
        if view in VIEWS:
            turn_to(view, part if view in PART else "")


def leave() -> None:
    """Turn back to the choice; the studio stays open."""
    studio_tab().desk = StudioDesk()
    this_tab().selections.pop(FACTS_GRAPH, None)
    for widget in OF_ONE_STUDIO:
        widget.reset()


def current(held: OpenStudio) -> Task | None:
    """Return the task that this tab talks to; None when there is none or it is not open any more."""
    named = studio_tab().desk.task
    task = next((task for task in held.studio.gateway.tasks() if task.id == named), None)
    return task if task is not None and task.state is TaskState.OPEN else None


def make_current(task: TaskId | None) -> None:
    studio_tab().desk.task = task


def begin(name: str, work: Callable[[], Any], then: Callable[[Any], None]) -> None:
    """Let work begin; `then` gets its result in this tab, at a later redraw. What is under way is not interrupted.

    What it asks of a language model can be stopped, and a person who answers finds it in the studio's folder.
    """
    if working() is not None:
        return
    desk = studio_tab().desk  # Streamlit may cut short whoever asks for it when the work has begun
    folder = shelf().folder(desk.id)

    def watched(stopped: Stopped) -> Any:
        with calls.watch(stopped, folder):
            return work()

    desk.work = Work(Job(name, watched), then)


def working() -> Job[Any] | None:
    held = studio_tab().desk.work
    return held.job if held is not None else None


def finish() -> None:
    """Take in the result of work that is done. What it raised is kept as the page's problem."""
    held = studio_tab().desk.work
    if held is None or not held.job.wait(_GLANCE):
        return
    studio_tab().desk.work = None
    try:
        held.then(held.job.result())
    except calls.Cancelled:
        pass  # it was stopped here; what it had begun with is kept
    except (MemoryBankError, OSError) as error:
        studio_tab().desk.problem = error


def work_button(words: str, key: str, act: Callable[[], Any], *, icon: str = "", look: Look = "secondary") -> None:
    """Draw a button that begins work: while some is under way it cannot be pressed."""
    button(words, key, act, icon=icon, look=look, disabled=working() is not None)


def told_button(
    words: str, key: str, act: Callable[[], Any], lang: Lang, *, icon: str = "", look: Look = "tertiary"
) -> None:
    """Draw a button that is explained: by the words of its own words' name with `_help`."""
    button(t(words, lang), key, act, icon=icon, look=look, help_text=t(f"{words}_help", lang))


def fold(words: str, key: str, inside: Callable[[], Any], *, icon: str = "", expanded: bool = False) -> None:
    """Draw what a press unfolds; it is made only while it is open."""
    symbol = f":material/{icon}:" if icon else None
    more = st.expander(words, icon=symbol, key=key, expanded=expanded, on_change="rerun")
    if more.open:
        with more:
            inside()


def stop() -> None:
    """End what is asked of a language model; work that asks none goes on to its end."""
    if (held := studio_tab().desk.work) is not None:
        held.job.stop()


def write_chapter(held: OpenStudio, id_: ChapterId, work: Callable[..., Manuscript], *given: Any, **named: Any) -> None:
    """Let a method of the chapters' writer begin on one, unless some is under way in this studio, in whichever tab.
    `given`, `named`: what it gets beside the chapter. For callbacks."""
    if not is_writing(held):
        held.writing = ChapterWork(id_, lambda stopped: work(id_, *given, **named, stopped=stopped))


def is_writing(held: OpenStudio) -> bool:
    return held.writing is not None and held.writing.running


def give(
    held: OpenStudio,
    text: str,
    *,
    command: Command = Command.CONTINUE,
    argument: str = "",
    kind: TurnKind | None = None,
    options: Sequence[int] = (),
) -> None:
    """Send the author's input to the current task, or a command; `kind`, `options`: what a button means by it, and
    which proposals. For callbacks."""
    task, gateway = studio_tab().desk.task, held.studio.gateway
    before = gateway.table(TaskId(argument)) if command is Command.SETTLE else None
    work = partial(gateway.handle, text, task=task, command=command, argument=argument, kind=kind, options=options)
    answer(held, work, before)


def answer(held: OpenStudio, work: Callable[[], Reply], before: SettlementTable | None = None) -> None:
    """Let the gateway answer, and take that in. `before`: a table in whose place it makes another. For callbacks."""
    begin("answer", work, partial(take, held, before=before))


def take(held: OpenStudio, reply: Reply, before: SettlementTable | None = None) -> None:
    make_current(reply.task.id if reply.task is not None else None)
    studio_tab().desk.confirmed = None
    if (made := reply.table) is None:
        return
    from memorybank_studio.settlement.edits import carried

    left = held.tables.get(made.task)
    if before is not None and left is not None and left.at == before.at:
        rows = carried(before.proposals, left.proposals, made.proposals)
        keep_rows(held, made, held.studio.gateway.remark(made.task, rows))
    else:
        held.by_hand.pop(made.task, None)
        keep_tables(held)


def table(held: OpenStudio, task: Task) -> SettlementTable | None:
    """Return the table that waits for the author; None when there is none, or the task has gone on since."""
    made = held.studio.gateway.table(task.id)
    if made is None or made.turns != task.turns:
        return None
    left = held.tables.get(task.id)
    return left if left is not None and (left.turns, left.at) == (made.turns, made.at) else made


def keep_rows(held: OpenStudio, table: SettlementTable, rows: Sequence[Proposal]) -> None:
    """Keep a table as it was changed last."""
    held.tables[table.task] = replace(table, proposals=tuple(rows))
    studio_tab().desk.hindered = None
    keep_tables(held)
