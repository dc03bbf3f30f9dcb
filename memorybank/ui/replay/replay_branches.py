"""The branches of a run and the run that it left: each opened, or compared with this one."""

from __future__ import annotations

import time
from collections.abc import Sequence
from functools import partial
from typing import Any

import streamlit as st

from memorybank.hosting.run import Run
from memorybank.memory.events import SessionForked
from memorybank.memory.types import Lang
from memorybank.runs.journal import Record
from memorybank.runs.run_folder import run_id_of
from memorybank.ui.components.rich import draw
from memorybank.ui.shell.button import button
from memorybank.ui.shell.saved import compare_listed, open_listed, stored_runs
from memorybank.views.box import box, muted
from memorybank.views.i18n import t
from memorybank.views.text.quantities import relative_time


def parent_of(records: Sequence[Record[Any]]) -> SessionForked | None:
    """Return where a run left another one; None for one that is no branch."""
    return next((record.event for record in records if isinstance(record.event, SessionForked)), None)


def draw_branches(worker: Run, lang: Lang) -> None:
    records, stored = worker.records, stored_runs()
    forked = parent_of(records)
    parent = stored.by_run_id(forked.parent_run_id) if forked is not None else None
    if forked is not None and parent is None:
        draw(box("p", "notice", t("replay.branches.parent_gone", lang, seq=forked.parent_seq)), key="parent-gone")
    branches = stored.branches_of(run_id_of(records))
    if forked is None and not branches:
        draw(muted(t("replay.branches.none", lang)), key="no-branches")
    for run in (parent, *branches):
        if run is None:
            continue
        is_parent = run is parent
        seq = forked.parent_seq if is_parent and forked is not None else run.parted
        when = relative_time(run.changed, time.time(), lang)
        words = t(f"replay.branches.{'parent' if is_parent else 'item'}", lang, seq=seq, when=when)
        with st.container(horizontal=True, vertical_alignment="center", key=f"branch-{run.address}"):
            draw(box("p", "text", words), key=f"branch-{run.address}-words")
            pair = (run.address, worker.run_id) if is_parent else (worker.run_id, run.address)
            button(t("runs.compare", lang), f"branch-{run.address}-compare", partial(compare_listed, *pair))
            button(t("runs.open", lang), f"branch-{run.address}-open", partial(open_listed, run.address))
