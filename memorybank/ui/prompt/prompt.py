"""Prompt & calls: the prompt of a round taken apart, or every call."""

from __future__ import annotations

import streamlit as st

from memorybank.hosting.run import Run
from memorybank.memory.types import Lang
from memorybank.runs.run_folder import RunFolder
from memorybank.ui.components.problems import guarded
from memorybank.ui.components.rich import draw
from memorybank.ui.prompt.calls import draw_calls
from memorybank.ui.prompt.prompt_pieces import draw_left_out, draw_pieces, draw_shares
from memorybank.ui.shell import state
from memorybank.ui.shell.links import clear_focus, focus, follow, take_followed
from memorybank.ui.shell.memo import kept, past, remembered
from memorybank.ui.shell.switch import draw_switch
from memorybank.ui.shell.tab import this_tab
from memorybank.ui.shell.widgets import PROMPT_CHOSEN, PROMPT_VIEW
from memorybank.views.box import box, muted
from memorybank.views.calls.prompt_parts import PromptMark, PromptView, prompt_view, prompts
from memorybank.views.i18n import t
from memorybank.views.link import link
from memorybank.views.run.playback import Moment
from memorybank.views.text.display import clip

POLL = 2.0
"""Seconds between two looks at a run that goes on."""
VIEWS = ("prompt", "calls")
_VIEW_OF = {"call": "calls"}
"""Where a link of a kind leads, where that has another name."""
NEWEST = 0
"""In the list of prompts: the newest one, whichever that is."""
TITLE = 110
"""Columns of a task in that list."""


def draw_prompt_page(worker: Run, folder: RunFolder, lang: Lang) -> None:
    """It polls while the run goes on: new prompts and calls appear."""
    busy = worker.busy
    st.fragment(_draw, run_every=POLL if busy else None)(worker, folder, lang, busy)


@guarded
def _draw(worker: Run, folder: RunFolder, lang: Lang, was_busy: bool) -> None:
    worker.see()
    if worker.busy != was_busy:
        st.rerun()
    moment = state.moment(worker)
    _turn()
    view = draw_switch(
        t("prompt.view", lang), VIEWS, lambda view: t(f"prompt.view.{view}", lang), key=PROMPT_VIEW.key, persists=False
    )
    if view == "calls":
        draw_calls(worker, moment, folder, lang)
    else:
        _draw_prompts(worker, moment, lang)


def _turn() -> None:
    """A link that was followed last decides which is shown."""
    kind, _ = take_followed("prompt", "call")
    if kind:
        PROMPT_VIEW.set(_VIEW_OF.get(kind, kind))
    # Kept beside the widget, whose own value is lost when the page is left.
    known = PROMPT_VIEW.held() or this_tab().prompt.view
    PROMPT_VIEW.set(known)
    this_tab().prompt.view = known


# -- one prompt -------------------------------------------------------------------------------------------------------


def _draw_prompts(worker: Run, moment: Moment, lang: Lang) -> None:
    marks = remembered(worker.run_id, worker.records, moment.at, prompts)
    if not marks:
        draw(muted(t("prompt.none", lang)), key="prompt-none")
        return
    view = _view(worker, _choose(marks, moment, lang))
    draw_shares(view, lang)
    draw_pieces(view, moment, lang)
    draw_left_out(view, moment, lang)


def _choose(marks: tuple[PromptMark, ...], moment: Moment, lang: Lang) -> PromptMark:
    """The prompt that was asked for, else the newest at this moment."""
    by_seq = {str(mark.seq): mark for mark in marks}
    wanted = focus("prompt")
    if wanted and wanted not in by_seq:
        later = wanted.isdecimal() and len(wanted) < 10 and int(wanted) > moment.at
        words = t("prompt.later" if later else "prompt.unknown", lang)
        draw(box("p", "notice text", words), key="prompt-unknown")
    chosen = by_seq.get(wanted)
    PROMPT_CHOSEN.set(chosen.seq if chosen else NEWEST)
    options = [NEWEST, *(mark.seq for mark in reversed(marks))]
    st.selectbox(
        t("prompt.which", lang),
        options,
        format_func=lambda seq: _name(by_seq[str(seq)] if seq else marks[-1], lang, newest=not seq),
        key=PROMPT_CHOSEN.key,
        on_change=_choose_now,
    )
    return chosen or marks[-1]


def _choose_now() -> None:
    seq = PROMPT_CHOSEN.held()
    if seq:
        follow(link("prompt", seq))
    else:
        clear_focus("prompt")


def _name(mark: PromptMark, lang: Lang, *, newest: bool = False) -> str:
    task = mark.task.description if mark.task else t("prompt.no_task", lang)
    key = "prompt.name_newest" if newest else "prompt.name"
    return t(key, lang, round=mark.round, task=clip(task, TITLE))


def _view(worker: Run, mark: PromptMark) -> PromptView:
    """Taken apart once: a few are kept, for a reader goes back and forth between two."""
    name = ("prompt-view", *past(worker.run_id, worker.records, mark.seq))
    return kept(name, lambda: prompt_view(worker.records, mark, state.bank_at), most=4)
