"""A run on the Session page: one screen. Its head says how it stands and what can be done; below are the answer, the
graph, the conflicts or the feed, and beside them the Insight Doc. Where a story plays, the graph has the screen.

The places are laid out once; one fragment fills them. While the run goes on it looks twice a second, and what has not
changed since stays as it is on the page.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Literal, NamedTuple

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from memorybank.embedding.process import EmbeddingProcess
from memorybank.errors import MemoryBankError
from memorybank.hosting.registry import check_images, read_uploads
from memorybank.hosting.run import Run, Until, Upload
from memorybank.memory.types import Lang
from memorybank.runs.run_folder import RunFolder
from memorybank.session.phase import Phase
from memorybank.session.session import Session
from memorybank.session.stages.agent_failures import unfiled_entries
from memorybank.ui.components.problems import draw_error, draw_problem, guarded, problem_box
from memorybank.ui.components.rich import draw
from memorybank.ui.graph_page.graph import HEIGHT, details_of, draw_graph, selected_node
from memorybank.ui.graph_page.node_card import draw_node_card
from memorybank.ui.session.feed import draw_feed
from memorybank.ui.session.hand import draw_hand
from memorybank.ui.session.refiling import draw_refile, left_out_box, unread_box
from memorybank.ui.session.setup import DOCUMENT_MB, DOCUMENTS, PICTURE_MB, PICTURES, PRESETS, preset_changes, uploads
from memorybank.ui.shell import course, state
from memorybank.ui.shell.switch import button, draw_switch
from memorybank.ui.shell.tab import Widget, this_tab
from memorybank.ui.shell.widgets import RUN_UNTIL, SESSION_VIEW
from memorybank.views.box import Box, box, muted, note
from memorybank.views.boxes.answer_card import answer_card, earlier_answers, earlier_box
from memorybank.views.boxes.conflicts import disputes_box
from memorybank.views.boxes.state import insight_box, state_box
from memorybank.views.graph.moment_view import WIDE
from memorybank.views.i18n import explain, t
from memorybank.views.run.playback import Moment
from memorybank.views.story import scene_card

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
"""The icons of the plain buttons, whose words and help are `action.<name>` and `action.<name>_help`."""


def draw_controls(run: Run, moment: Moment, lang: Lang) -> None:
    """Draw the actions that are possible now. A run that is saved or read along has them in the bar above."""
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
    """Park the run; it is read from now on. The bar above the page offers to go on with it."""
    worker.close(timeout=0.0)
    state.keep(state.runs().look(worker.run_id, by=state.visitor()))


def _button(action: str, lang: Lang, act: Callable[[], None], *, is_first: bool = False) -> None:
    key = action.replace("_", "-")
    button(
        t(f"action.{action}", lang),
        key,
        act,
        icon=ICONS[action],
        look="primary" if is_first else "tertiary",
        help_text=t(f"action.{action}_help", lang),
    )


def _popover(words: str, lang: Lang, icon: str, *, key: str) -> DeltaGenerator:
    return st.popover(t(words, lang), icon=f":material/{icon}:", type="tertiary", key=key, on_change="rerun")


UNTILS = (Until.CONFLICT, Until.MERGE, Until.PLAN, Until.EXECUTE, Until.INTERCEPT)
"""The stops in the order in which they are offered."""


def _run_until(until: Until) -> None:
    RUN_UNTIL.set(False)
    state.go(until)


def _close(popover: str) -> None:
    """Close the popover that has done its work at the next run of the page, which comes at once."""
    this_tab().popover_done = popover
    st.rerun()


def _draw_change(worker: Run, moment: Moment, lang: Lang) -> None:
    """Draw the fields for k, α, the neighbours' share, relations and strategy; what is done keeps what held then."""
    bank = moment.bank
    now = bank.changed or bank.settings
    if now is None:
        draw(muted(t("run.opening", lang)), key="change-none")
        return
    with st.form("change", border=False):
        k = st.number_input(t("input.k", lang), 0, 100, value=now.k, key="change-k", help=t("input.k_help", lang))
        alpha, share = (
            st.slider(
                t(f"input.{name}", lang),
                0.0,
                1.0,
                value=value,
                step=0.05,
                key=f"change-{name}",
                help=t(f"input.{name}_help", lang),
            )
            for name, value in (("alpha", now.alpha), ("share", now.neighbor_share))
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
    """Return an order for between two stages. `keep`: relations and strategy stay. `share` None: the preset's."""
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


POLL = 0.5
"""Seconds between two looks at a run that goes on."""
FRAGMENT = "run-live"
View = Literal["answer", "graph", "conflicts", "feed"]
VIEWS: tuple[View, ...] = ("answer", "graph", "conflicts", "feed")


class _Places(NamedTuple):
    """The containers in which the fragment draws; made outside it, for a container that is made anew is sent anew."""

    head: DeltaGenerator
    view: DeltaGenerator
    pane: DeltaGenerator
    beside: DeltaGenerator


def draw_run(worker: Run, lang: Lang) -> None:
    busy, begun, is_staged = worker.busy, worker.session is not None, course.is_staged()
    head = st.container(horizontal=True, vertical_alignment="center", key="run-head", gap="small")
    places = _Places(head.container(key="run-state"), *_lay_out(worker, lang, is_staged=is_staged))
    if not is_staged:  # whoever watches the story gives no orders
        with head:
            draw_controls(worker, state.moment(worker), lang)
    with places.head:  # what the fragment draws in its own place needs no other
        st.fragment(_draw_live, key=FRAGMENT, run_every=POLL if busy else None)(worker, places, lang, (busy, begun))


def _lay_out(worker: Run, lang: Lang, *, is_staged: bool) -> tuple[DeltaGenerator, DeltaGenerator, DeltaGenerator]:
    if is_staged:  # the card lies over the graph (frame.css)
        left = right = st.container(gap=None)
    else:
        draw_hand(worker, lang)
        left, right = st.columns([3, 2], gap="medium")
    view = left.container(key="run-view")
    return (
        view,
        left.container(key="run-pane", height=HEIGHT, border=False),
        right.container(height=HEIGHT, key="beside"),
    )


@guarded
def _draw_live(worker: Run, places: _Places, lang: Lang, drawn: tuple[bool, bool]) -> None:
    """Draw everything that changes while the run goes on. `drawn` tells of the page around it whether the run was busy
    and its session there: what a person is asked for can be drawn only then."""
    now = worker.busy, worker.session is not None  # before the records are read: what comes after is seen next time
    worker.see()
    moment = state.moment(worker)
    is_staged = course.is_staged()
    if not is_staged:
        activity = worker.session.activity if worker.session is not None and state.at_event() is None else None
        draw(
            state_box(moment, worker.phase, lang, activity, waits_for=_waits_for(worker, lang)),
            *_note(worker, lang),
            left_out_box(moment.bank, lang),
            unread_box(moment.bank, moment.origin.engine, lang),
            key="run-top",
        )
    with places.view:
        view: View = "graph" if is_staged else _choose(moment, lang)
    with places.pane:
        _draw_view(view, worker, moment, lang)
    with places.beside:
        _draw_beside(worker, moment, lang, has_goal=view != "answer" or not moment.bank.progress.answer)
    if now != drawn:
        st.rerun()


def _choose(moment: Moment, lang: Lang) -> View:
    """Choose the graph while the run works, and the answer once it is there, until the reader has chosen."""
    counts = {"graph": len(moment.bank.graph.nodes), "conflicts": len(moment.disputes)}
    fitting = "answer" if moment.bank.progress.answer.strip() else "graph"
    widget = SESSION_VIEW.following(fitting)

    def words(name: View) -> str:
        count = counts.get(name)
        return t(f"session.view.{name}", lang) + (f" {count}" if count else "")

    chosen = partial(SESSION_VIEW.choose, widget)
    return draw_switch(t("session.view", lang), VIEWS, words, key=widget.key, on_change=chosen)


def _draw_view(view: View, worker: Run, moment: Moment, lang: Lang) -> None:
    if view == "graph":
        with st.container(key="run-graph"):
            draw_graph(moment, lang)
    elif view == "conflicts":
        draw(moment.once(("disputes", lang), lambda: disputes_box(moment, lang)), key="disputes")
    elif view == "feed":
        draw_feed(moment.feed, lang)
    else:
        card = answer_card(moment, lang, replay=state.is_replay(worker))
        earlier = earlier_box(moment.read(worker.records, earlier_answers), lang)
        none = muted(t("run.answer_none", lang)) if card is None else None
        draw(*filter(None, (card, none, earlier)), key="answer")


def _draw_beside(worker: Run, moment: Moment, lang: Lang, *, has_goal: bool) -> None:
    """Draw the card of the node that is selected, else the Insight Doc; of a scene, what the graph does not show."""
    chosen, scene = selected_node(moment.bank), course.current_scene(worker) if course.is_staged() else None
    if chosen is not None:
        draw_node_card(chosen, details_of(worker.records, moment), lang)
        return
    if course.is_staged():
        card = scene_card(scene, moment, lang) if scene is not None and scene.kind not in WIDE else None
        if card is not None and scene is not None:
            with st.container(key=f"scene-{scene.kind}"):  # what is read has more room than what is seen (frame.css)
                draw(card, key="scene-card")
        return
    title = box("h3", "part-title", t("layer.insight_doc", lang))
    if moment.bank.settings is None:
        draw(title, muted(t("run.opening", lang)), key="insight")
    else:
        draw(title, insight_box(moment, lang, has_goal=has_goal), key="insight")


def _waits_for(worker: Run, lang: Lang) -> str:
    process = _process(worker)
    loading = process is not None and process.state == "loading" and worker.busy
    return t("model.loading", lang, model=process.name) if process is not None and loading else ""


def _process(worker: Run) -> EmbeddingProcess | None:
    embedder = worker.session.parts.embedder if worker.session is not None else None
    return embedder if isinstance(embedder, EmbeddingProcess) else None


def _note(worker: Run, lang: Lang) -> list[Box]:
    """Say what stopped the run, or that another embedding model serves than the one wanted."""
    process = _process(worker)
    if worker.error is not None:
        problem = explain(worker.error, lang)
        stopped = worker.phase is Phase.FAILED
        words = t("error.unexpected", lang, message=problem.words) if stopped else problem.words
        return [problem_box(words, lang, problem.detail)]
    if process is not None and process.choice.note(lang):
        return [note(process.choice.note(lang))]
    return []
