"""Compare: the same task under two settings, or any two saved runs, side by side."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import streamlit as st

from memorybank.errors import InputError, LockedError
from memorybank.types import Lang
from memorybank.ui import links, state
from memorybank.ui.comparison import Figures, compare, figures
from memorybank.ui.graph.component import draw as draw_view
from memorybank.ui.i18n import t
from memorybank.ui.orders import Phase
from memorybank.ui.panels.compare_choice import draw_choice
from memorybank.ui.panels.compare_table import answers_box, conflicts_box, run_card, table_box
from memorybank.ui.panels.graph import view_of
from memorybank.ui.panels.problems import draw_again, draw_error, guarded, problems_kept
from memorybank.ui.playback import Moment, Playback
from memorybank.ui.rich.live import draw_live
from memorybank.ui.watcher import Watcher
from memorybank.ui.worker import Worker

POLL = 0.7
HEIGHT = 420
NAMES: tuple[Literal["a", "b"], ...] = ("a", "b")


@dataclass(frozen=True, slots=True)
class Side:
    """One of the two runs, as it stands now."""

    name: Literal["a", "b"]
    run: Worker | Watcher
    moment: Moment
    figures: Figures


def draw_compare(worker: Worker | Watcher | None, lang: Lang) -> None:
    draw_choice(worker, lang)
    pair: dict[str, str] | None = st.session_state.get("compare-pair")
    if pair is None:
        draw_live([table_box((), lang)], key="compare-table")
        return
    runs = _runs(pair, lang)
    if runs is None:
        return
    busy = any(one.busy for one in runs)
    st.fragment(_draw_pair, key="compare-live", run_every=POLL if busy else None)(pair, lang, busy)


def _runs(pair: dict[str, str], lang: Lang) -> list[Worker | Watcher] | None:
    """The two runs: one's own while they go on, else to read. What is gone or in use elsewhere is said."""
    try:
        return [_run(pair[name]) for name in NAMES]
    except (InputError, LockedError, OSError) as error:
        draw_error(error, lang, key="compare-problem")
        return None


def _run(run_id: str) -> Worker | Watcher:
    """The one that was looked at before, unless it was closed or begun meanwhile."""
    kept: dict[str, Worker | Watcher] = st.session_state.setdefault("compare-runs", {})
    mine: Worker | Watcher | None = st.session_state.get("worker")
    if mine is not None and mine.run_id == run_id:
        return mine
    known = kept.get(run_id)
    if known is None or (known.phase is Phase.PARKED and not known.watching):
        known = kept[run_id] = state.look_up(run_id)
    return known


def _side(name: Literal["a", "b"], run: Worker | Watcher) -> Side:
    if not run.watching:  # a run of one's own stops when nobody looks
        run.see(state.tab())
    playbacks: dict[str, Playback] = st.session_state.setdefault("compare-playbacks", {})
    records = run.records
    moment = playbacks.setdefault(run.run_id, Playback()).at(records)

    known: dict[str, tuple[int, Figures]] = st.session_state.setdefault("compare-figures", {})
    if run.run_id not in known or known[run.run_id][0] != moment.at:
        known[run.run_id] = moment.at, figures(records[: moment.at], moment.bank)
    return Side(name, run, moment, known[run.run_id][1])


@guarded
def _draw_pair(pair: dict[str, str], lang: Lang, was_busy: bool) -> None:
    runs = _runs(pair, lang)
    if runs is None:
        return
    busy = any(one.busy for one in runs)
    sides = [_side(name, one) for name, one in zip(NAMES, runs, strict=True)]
    for side, place in zip(sides, st.columns(2, gap="medium"), strict=True):
        with place:
            draw_live(
                [run_card(side.name, side.figures, side.moment, side.run.phase, lang)], key=f"compare-{side.name}"
            )
            st.button(
                t("compare.open", lang),
                key=f"compare-open-{side.name}",
                icon=":material/open_in_full:",
                help=t("compare.open_help", lang),
                disabled=side.run is st.session_state.get("worker"),
                on_click=_open,
                args=(side.run.run_id,),
            )
    left, right = sides
    draw_live([table_box(compare(left.figures, right.figures), lang)], key="compare-table")
    st.subheader(t("layer.query_graph", lang), anchor=False)
    for side, place in zip(sides, st.columns(2, gap="medium"), strict=True):
        with place:
            draw_view(view_of(side.moment, None, lang), key=f"compare-graph-{side.name}", height=HEIGHT)
    draw_live([conflicts_box(left.moment.bank, right.moment.bank, lang)], key="compare-conflicts")
    draw_live([answers_box(left.figures, right.figures, lang)], key="compare-answers")
    if busy != was_busy:
        draw_again()


def _open(run_id: str) -> None:
    """From now on this is the tab's run; the one before is parked, not deleted."""
    with problems_kept():
        found = _run(run_id)
        mine: Worker | Watcher | None = st.session_state.get("worker")
        if mine is not None and mine.run_id != run_id:
            state.leave()
        state.keep(found)
        links.open_page("session")
