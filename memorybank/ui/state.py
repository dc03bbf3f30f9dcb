"""What a tab remembers: its language, its run, the moment and the node it looks at. Also the one registry of runs.

The edge of the app: the environment is read here and nowhere below.

    MEMORYBANK_RUNS        folder of the runs (default: `runs`, where the app was started)
    MEMORYBANK_EMBEDDING   embedding model (default: `auto`); `hashed-ngrams` needs no model at all
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

import streamlit as st
from streamlit import runtime
from streamlit.runtime.scriptrunner import get_script_run_ctx

from memorybank.config import Settings
from memorybank.embedding.models import ModelChoice, resolve
from memorybank.embedding.process import EmbeddingProcess, shared
from memorybank.errors import InputError, LockedError, MemoryBankError
from memorybank.types import Lang, NodeId
from memorybank.ui.graph.component import select, selection
from memorybank.ui.i18n import LANGUAGES, preferred_lang
from memorybank.ui.playback import Moment, Playback
from memorybank.ui.runs import Runs
from memorybank.ui.worker import Phase, Until, Worker

GRAPH = "graph"
"""Key of the graph on the Session page; the selection of the whole app."""
RUN = "run"
"""Query parameter: the run's id."""

_SAMPLE: Mapping[Lang, str] = {"en": "memory", "zh": "记忆"}
"""A text in each language, to tell which embedding model it calls for."""


# -- the server -------------------------------------------------------------------------------------------------------


def default_settings() -> Settings:
    return Settings(embedding_model=os.environ.get("MEMORYBANK_EMBEDDING", "").strip() or "auto")


@st.cache_resource
def runs() -> Runs:
    root = Path(os.environ.get("MEMORYBANK_RUNS", "").strip() or "runs")
    return Runs(root.resolve(), is_open=_is_connected)


def _is_connected(tab: str) -> bool:
    return bool(tab) and runtime.exists() and runtime.get_instance().is_active_session(tab)


def tab() -> str:
    """This tab's name on the server."""
    context = get_script_run_ctx()
    return context.session_id if context is not None else ""


def warm_up(lang: Lang) -> EmbeddingProcess | None:
    """The process of the model that this language calls for; it loads in the background. None when none can serve."""
    try:
        return shared(model_choice(lang))
    except MemoryBankError:
        return None  # said where a run is begun, and on the settings page


def model_choice(lang: Lang) -> ModelChoice:
    """Raises InputError, ModelUnavailableError for a setting that cannot be met."""
    return resolve(default_settings().embedding_model, [_SAMPLE[lang]])


# -- the tab ----------------------------------------------------------------------------------------------------------


def lang() -> Lang:
    """The page's language: what was chosen, else what the browser asks for."""
    chosen = st.session_state.get("lang")
    return next((one for one in LANGUAGES if one == chosen), None) or preferred_lang(st.context.locale)


def worker() -> Worker | None:
    """The tab's run, alive; from the address when the tab is new. Problems are kept for the page (`problem`)."""
    mine: Worker | None = st.session_state.get("worker")
    if mine is not None and mine.phase is not Phase.PARKED:
        mine.see(tab())
        if st.query_params.get(RUN) != mine.run_id:  # a switch of pages clears the address
            st.query_params[RUN] = mine.run_id
        return mine
    run_id = mine.run_id if mine is not None else st.query_params.get(RUN, "")
    if not run_id:
        return None
    try:
        keep(runs().open(run_id, owner=tab()))
    except (InputError, LockedError) as error:
        leave()
        st.session_state.problem = error
        return None
    return st.session_state.worker  # type: ignore[no-any-return]


def keep(mine: Worker) -> None:
    """From now on this is the tab's run, and its address says so."""
    known: Worker | None = st.session_state.get("worker")
    if known is None or known.run_id != mine.run_id:
        st.session_state.playback = Playback()
        st.session_state.k = None
        select(GRAPH)
        show_in_tree(None)
    st.session_state.worker = mine
    st.query_params[RUN] = mine.run_id


def leave() -> None:
    """Let go of the run. It is parked, not deleted."""
    mine: Worker | None = st.session_state.pop("worker", None)
    if mine is not None:
        mine.close(timeout=0.0)
    st.query_params.pop(RUN, None)


def moment(mine: Worker) -> Moment:
    """What the tab looks at: the moment after `k` events, the newest when `k` is None."""
    playback: Playback = st.session_state.setdefault("playback", Playback())
    return playback.at(mine.records, st.session_state.get("k"))


def show_in_tree(node: NodeId | None) -> None:
    """What the Tree page shows from now on."""
    st.session_state["tree-asked"] = node


def asked_in_tree() -> NodeId | None:
    """The node the Tree page was asked for; it may have been merged away. From the graph when nothing else was said."""
    asked: NodeId | None = st.session_state.get("tree-asked") or selection(GRAPH).node
    return asked


def go(until: Until) -> None:
    """The tab's run goes on."""
    mine = worker()
    if mine is not None:
        mine.go(until)
