"""One line above the pages while they show a past moment: which one, a way to move on, the way back to now."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memorybank.memory.types import Lang
from memorybank.ui.components.timeline.component import draw_timeline
from memorybank.ui.shell import state
from memorybank.ui.shell.tab import this_tab

if TYPE_CHECKING:
    from memorybank.hosting.run import Run


def draw_moment_bar(worker: Run, lang: Lang) -> None:
    """Nothing at the newest event, nor on the Replay page, which has the whole slider."""
    if state.at_event() is not None and this_tab().page != "replay":
        draw_timeline(worker, lang, compact=True)
