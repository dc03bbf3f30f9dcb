"""The buttons of a run, each while it can do something: run, step, until, pause, stop, settings, ask, add, new."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from memorybank.errors import MemoryBankError
from memorybank.hosting.orders import Until, Upload
from memorybank.hosting.registry import check_images, read_uploads
from memorybank.hosting.run import Run
from memorybank.memory.types import Lang
from memorybank.runs.run_folder import RunFolder
from memorybank.session.phase import Phase
from memorybank.session.session import Session
from memorybank.session.stages.agent_failures import unfiled_entries
from memorybank.ui.components.problems import draw_error, draw_problem
from memorybank.ui.components.rich import draw
from memorybank.ui.session.refiling import draw_refile
from memorybank.ui.session.setup import DOCUMENT_MB, DOCUMENTS, PICTURE_MB, PICTURES, PRESETS, preset_changes, uploads
from memorybank.ui.shell import state
from memorybank.ui.shell.shortcuts import shortcut_of
from memorybank.ui.shell.tab import Widget, this_tab
from memorybank.ui.shell.widgets import RUN_UNTIL
from memorybank.views.box import box, muted
from memorybank.views.i18n import t
from memorybank.views.run.playback import Moment

_ASK, _ADD, _CHANGE = "popover-ask", "popover-add", "popover-change"

ICONS: Mapping[str, str] = {
    "run": "play_arrow",
    "step": "skip_next",
    "pause": "pause",
    "stop": "stop",
    "new_session": "restart_alt",
    "resume": "refresh",
    "take_over": "lock_open",
}
"""The plain buttons; words and help are `action.<name>` and `action.<name>_help`."""


def draw_controls(run: Run, moment: Moment, lang: Lang) -> None:
    """What can be done now, and nothing else. What is saved or read along has that in the bar above."""
    if run.is_saved or run.is_shared:
        return
    with st.container(horizontal=True, vertical_alignment="center", key="controls", gap="xsmall", width="content"):
        if not run.takes_orders:
            draw(box("p", "notice", t("watch.lead", lang)), key="watching")
            _button("take_over", lang, state.reopen)
        elif run.phase is Phase.FAILED:
            _button("resume", lang, state.reopen, is_first=True)
        else:
            _draw_orders(run, moment, lang)
        _button("new_session", lang, state.leave)


def _draw_orders(run: Run, moment: Moment, lang: Lang) -> None:
    busy, has_more = run.busy, not moment.bank.progress.result
    tab = this_tab()
    if tab.popover_done:
        Widget[bool](tab.popover_done).set(False)  # only possible before the popover is drawn
        tab.popover_done = ""
    if busy:
        _button("pause", lang, run.pause)
    elif has_more:
        _button("run", lang, lambda: state.go(Until.END), is_first=True)
        _button("step", lang, lambda: state.go(Until.STEP))
        with _popover("action.run_until", lang, "flag", key=RUN_UNTIL.key):
            for until in UNTILS:
                words = t(f"action.run_until_{until}", lang)
                st.button(words, key=f"until-{until}", width="stretch", on_click=_run_until, args=(until,))
    if busy or has_more:
        _button("stop", lang, lambda: _stop(run))
        with _popover("session.change", lang, "tune", key=_CHANGE):
            _draw_change(run, moment, lang)
    if not busy and (unfiled_entries(moment.bank) or moment.bank.uncompared()):
        draw_refile(run, lang)
    if not busy:
        with _popover("action.ask", lang, "forum", key=_ASK):
            _draw_ask(run, lang)
    with _popover("action.add", lang, "note_add", key=_ADD):
        _draw_add(run, lang)


def _stop(worker: Run) -> None:
    """The run ends here: parked, and read from now on. The bar above the page offers to go on with it."""
    worker.close(timeout=0.0)
    state.keep(state.runs().look(worker.run_id, by=state.visitor()))


def _button(action: str, lang: Lang, act: Callable[[], None], *, is_first: bool = False) -> None:
    key = action.replace("_", "-")
    st.button(
        t(f"action.{action}", lang),
        key=key,
        shortcut=shortcut_of(key),
        type="primary" if is_first else "tertiary",
        icon=f":material/{ICONS[action]}:",
        help=t(f"action.{action}_help", lang),
        on_click=act,
    )


def _popover(words: str, lang: Lang, icon: str, *, key: str) -> DeltaGenerator:
    return st.popover(t(words, lang), icon=f":material/{icon}:", type="tertiary", key=key, on_change="rerun")


UNTILS = (Until.CONFLICT, Until.MERGE, Until.PLAN, Until.EXECUTE, Until.INTERCEPT)
"""In the order in which they are offered."""


def _run_until(until: Until) -> None:
    RUN_UNTIL.set(False)
    state.go(until)


def _close(popover: str) -> None:
    """It has done its work: closed at the next run of the page, which comes at once."""
    this_tab().popover_done = popover
    st.rerun()


def _draw_change(worker: Run, moment: Moment, lang: Lang) -> None:
    """k, α, the neighbours' share, relations and strategy may change; what is done is done with what held then."""
    bank = moment.bank
    now = bank.changed or bank.settings
    if now is None:
        draw(muted(t("run.opening", lang)), key="change-none")
        return
    with st.form("change", border=False):
        k = st.number_input(t("input.k", lang), 0, 100, value=now.k, key="change-k", help=t("input.k_help", lang))
        alpha = st.slider(
            t("input.alpha", lang),
            0.0,
            1.0,
            value=now.alpha,
            step=0.05,
            key="change-alpha",
            help=t("input.alpha_help", lang),
        )
        share = st.slider(
            t("input.share", lang),
            0.0,
            1.0,
            value=now.neighbor_share,
            step=0.05,
            key="change-share",
            help=t("input.share_help", lang),
        )
        preset = st.selectbox(
            t("input.preset", lang),
            ("keep", *PRESETS),
            format_func=lambda name: t("session.change.keep" if name == "keep" else f"input.preset_{name}", lang),
            key="change-preset",
        )
        changed = st.form_submit_button(
            t("session.change.apply", lang),
            type="primary",
            icon=":material/check:",
            help=t("session.change.apply_help", lang),
        )
    if changed:
        moved = None if share == now.neighbor_share else float(share)
        worker.obey(change_order(int(k), float(alpha), moved, str(preset)))
        _close(_CHANGE)


def change_order(k: int, alpha: float, share: float | None, preset: str) -> Callable[[Session], None]:
    """Obeyed between two stages. `keep`: relations and strategy as they are. `share`: None: the preset's, if one is."""
    changes: dict[str, object] = {"retrieval_k": k, "retrieval_alpha": alpha}
    if preset != "keep":
        changes |= preset_changes(preset)
    if share is not None:
        changes["neighbor_share"] = share
    return lambda session: session.change_settings(**changes)


def _draw_ask(worker: Run, lang: Lang) -> None:
    with st.form("ask", border=False, clear_on_submit=True):
        question = st.text_area(t("input.question", lang), key="ask-question", help=t("input.question_help", lang))
        is_sent = st.form_submit_button(t("action.ask_now", lang), type="primary", icon=":material/send:")
    if is_sent and not (question or "").strip():
        draw_problem(t("error.question_empty", lang), lang, key="ask-problem")
    elif is_sent:
        text = question or ""
        worker.obey(lambda session: session.ask(text), then=Until.END)
        _close(_ASK)


def _draw_add(worker: Run, lang: Lang) -> None:
    with st.form("add", border=False, clear_on_submit=True):
        documents = uploads(
            t("input.context", lang), t("input.context_help", lang), DOCUMENTS, DOCUMENT_MB, "add-files"
        )
        images = uploads(t("input.images", lang), t("input.images_help", lang), PICTURES, PICTURE_MB, "add-images")
        added = st.form_submit_button(t("action.add_now", lang), type="primary", icon=":material/note_add:")
    if not added:
        return
    if not documents and not images:
        draw_problem(t("error.nothing_added", lang), lang, key="add-problem")
        return
    try:
        add(worker, state.runs().folder_of(worker), documents, images)
    except (MemoryBankError, OSError) as error:
        draw_error(error, lang, key="add-problem")
        return
    _close(_ADD)


def add(worker: Run, folder: RunFolder, documents: tuple[Upload, ...], images: tuple[Upload, ...]) -> None:
    """Hand documents and images to the run, to be filed at once. Raises InputError before anything is recorded."""
    pictures = check_images(images)
    sources = read_uploads(documents, folder)

    def order(session: Session) -> None:
        if sources:
            session.add(*sources)
        for name, data in pictures:
            session.stage_image(name, data)

    worker.obey(order, then=Until.END)
