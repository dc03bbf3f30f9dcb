"""The demo, a ready task that begins where the reader is, and the story of whatever run is open."""

from __future__ import annotations

from memorybank.hosting.orders import Until
from memorybank.hosting.ready_tasks import ready_tasks
from memorybank.memory.types import Lang
from memorybank.ui.session.setup import new_run_of
from memorybank.ui.shell import course, links, state
from memorybank.ui.shell.kept import problems_kept
from memorybank.ui.shell.tab import this_tab


def start_demo(lang: Lang) -> None:
    """The first ready task of the language as a story, on the page where the reader is. For callbacks."""
    with problems_kept():
        new = new_run_of(ready_tasks(lang)[0])
        state.keep(state.runs().start(new, by=state.visitor(), until=Until.END))
        course.begin()


def start_story(lang: Lang) -> None:
    """The story of the run, or of the demo, from its beginning, on a page with the graph. For callbacks."""
    if this_tab().page != "session":
        links.open_page("session")
    if this_tab().run is None:
        start_demo(lang)
    elif not course.is_on():  # one that waits goes on where it was
        course.begin()
