"""The Replay page: a slider over all events, and below it the moment, a difference of two, or the branches."""

from __future__ import annotations

from typing import Literal

import streamlit as st

from memorybank.hosting.run import Run
from memorybank.memory.types import Lang
from memorybank.ui.batch.batch import draw_batch, has_batch
from memorybank.ui.components.problems import guarded
from memorybank.ui.components.timeline.component import draw_timeline, mark_shown
from memorybank.ui.replay.replay_branches import draw_branches
from memorybank.ui.replay.replay_diff import draw_diff, named_moments
from memorybank.ui.replay.replay_fork import draw_fork
from memorybank.ui.replay.replay_moment import draw_event, draw_state
from memorybank.ui.session.run import POLL
from memorybank.ui.shell import state
from memorybank.ui.shell.links import clear_focus, focus
from memorybank.ui.shell.switch import draw_switch
from memorybank.ui.shell.tab import this_tab
from memorybank.ui.shell.widgets import REPLAY_SECTION
from memorybank.views.i18n import t
from memorybank.views.run.playback import Moment

Section = Literal["moment", "diff", "branches", "batch"]
SECTIONS: tuple[Section, ...] = ("moment", "diff", "branches", "batch")
"""The last one where there is a batch to show."""


def draw_replay(worker: Run, lang: Lang) -> None:
    busy = worker.busy
    st.fragment(_draw_now, run_every=POLL if busy else None)(worker, lang, busy)


def _draw_section(worker: Run, moment: Moment, lang: Lang) -> None:
    sections = SECTIONS if has_batch() else SECTIONS[:-1]
    if REPLAY_SECTION.held() not in sections:
        REPLAY_SECTION.set(sections[0])
    words = t("replay.section", lang)
    section = draw_switch(words, sections, lambda name: t(f"replay.section.{name}", lang), key=REPLAY_SECTION.key)
    if section == "diff":
        draw_diff(worker, lang)
    elif section == "branches":
        draw_branches(worker, lang)
    elif section == "batch":
        draw_batch(lang, here=worker.run_id)
    else:
        draw_state(worker, moment, lang)


def _follow_link(worker: Run) -> None:
    """A link to a moment led here: stand there. A number that the run does not have is its newest event."""
    wanted = focus("moment")
    clear_focus("moment")  # the slider moves on from there; the same link leads there again
    if wanted.isascii() and wanted.isdecimal() and len(wanted) < 10:
        state.look_at(int(wanted) if int(wanted) < len(worker.records) else None)


@guarded
def _draw_now(worker: Run, lang: Lang, was_busy: bool) -> None:
    """What changes while the slider moves, or while the run goes on."""
    worker.see()
    _follow_link(worker)
    is_compared = REPLAY_SECTION.held() == "diff"
    with st.container(key="timeline-card"):
        draw_timeline(worker, lang, moments=named_moments(worker) if is_compared else ())
    moment = state.moment(worker)
    draw_event(moment, worker, lang)
    draw_fork(worker, lang)
    _draw_section(worker, moment, lang)
    mark_shown(moment.at)
    replay = this_tab().replay
    redraw, replay.redraw = replay.redraw, False
    if worker.busy != was_busy or redraw:
        st.rerun()
