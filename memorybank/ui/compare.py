"""Compare: any two runs side by side, chosen in the list of runs."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Literal

import streamlit as st

from memorybank.errors import InputError, LockedError
from memorybank.hosting.run import Run
from memorybank.memory.types import Lang
from memorybank.session.phase import Phase
from memorybank.ui.components.problems import draw_again, draw_error, guarded
from memorybank.ui.components.rich import draw
from memorybank.ui.components.run_list import draw_run_list
from memorybank.ui.shell import links, state
from memorybank.ui.shell.saved import listed_runs
from memorybank.ui.shell.switch import button
from memorybank.ui.shell.tab import forget, kept, problems_kept, this_tab
from memorybank.views.boxes.compare_table import answers_box, conflicts_box, run_card, table_box
from memorybank.views.i18n import t
from memorybank.views.run.comparison import Figures, compare, figures
from memorybank.views.run.playback import Moment, shared

POLL = 0.7
MOST_KEPT = 6
"""The number of runs of which a tab keeps what it has worked out: those of the last three pairs, at least."""
NAMES: tuple[Literal["a", "b"], ...] = ("a", "b")
_RUNS = "compare-runs"


@dataclass(frozen=True, slots=True)
class Side:
    """One of the two runs that are compared, as it is now."""

    name: Literal["a", "b"]
    run: Run
    moment: Moment
    figures: Figures


def draw_compare(lang: Lang) -> None:
    pair = this_tab().compare_pair
    runs = _runs(pair, lang) if pair is not None else None
    if pair is not None and runs is not None:
        busy = any(run.busy for run in runs)
        st.fragment(_draw_pair, key="compare-live", run_every=POLL if busy else None)(pair, lang, busy)
    with st.expander(t("compare.choose", lang), expanded=runs is None, key=f"compare-choose-{runs is None}"):
        draw_run_list(listed_runs(lang), lang, key="runs")


def _runs(pair: dict[str, str], lang: Lang) -> list[Run] | None:
    """Return both runs, or draw the error of one that is gone or in use elsewhere, and return None."""
    try:
        return [_run(pair[name]) for name in NAMES]
    except (InputError, LockedError, OSError) as error:
        draw_error(error, lang, key="compare-problem")
        return None


def _run(run_id: str) -> Run:
    """Return the run that was looked at before, unless it was closed or begun meanwhile."""
    mine = this_tab().run
    if mine is not None and mine.run_id == run_id:
        return mine
    look = partial(state.look_up, run_id)
    known = kept((_RUNS, run_id), look, most=MOST_KEPT)
    if known.phase is Phase.PARKED and not known.is_saved:
        forget(_RUNS)
        known = kept((_RUNS, run_id), look)
    return known


def _side(name: Literal["a", "b"], run: Run) -> Side:
    run.see()  # it stops when nobody looks
    records = run.records
    playback = kept(("compare-playback", run.run_id), lambda: shared(run.run_id, records), most=MOST_KEPT)
    moment = playback.at(records)
    made = moment.once(("figures",), lambda: figures(records[: moment.at], moment.bank, moment.disputes))
    return Side(name, run, moment, made)


@guarded
def _draw_pair(pair: dict[str, str], lang: Lang, was_busy: bool) -> None:
    runs = _runs(pair, lang)
    if runs is None:
        return
    busy = any(run.busy for run in runs)
    sides = [_side(name, run) for name, run in zip(NAMES, runs, strict=True)]
    for side, place in zip(sides, st.columns(2, gap="medium"), strict=True):
        with place:
            draw(run_card(side.name, side.moment, side.run.phase, lang), key=f"compare-{side.name}")
            if side.run is not this_tab().run:
                key, act = f"compare-open-{side.name}", partial(_open, side.run.run_id)
                button(t("compare.open", lang), key, act, icon="open_in_full", help_text=t("compare.open_help", lang))
    left, right = sides
    draw(
        answers_box(left.moment.bank, right.moment.bank, lang),
        conflicts_box(left.moment.disputes, right.moment.disputes, lang),
        table_box(compare(left.figures, right.figures), lang),
        key="compare-table",
    )
    if busy != was_busy:
        draw_again()


def _open(run_id: str) -> None:
    """Make this the tab's run from now on; the one before is parked, not deleted."""
    with problems_kept():
        run = _run(run_id)
        mine = this_tab().run
        if mine is not None and mine.run_id != run_id:
            state.leave()
        state.keep(run)
        links.open_page("session")
