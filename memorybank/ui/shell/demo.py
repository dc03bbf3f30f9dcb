"""The demo: a ready task that begins where the reader is."""

from __future__ import annotations

from memorybank.hosting.orders import Until
from memorybank.hosting.ready_tasks import ready_tasks
from memorybank.memory.types import Lang
from memorybank.ui.session.setup import new_run_of
from memorybank.ui.shell import state
from memorybank.ui.shell.kept import problems_kept


def start_demo(lang: Lang) -> None:
    """The first ready task of the language, on the page where the reader is. For callbacks."""
    with problems_kept():
        new = new_run_of(ready_tasks(lang)[0])
        state.keep(state.runs().start(new, by=state.visitor(), until=Until.END))
