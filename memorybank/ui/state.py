"""What a tab remembers: its language, its run, the moment and the node it looks at. Also the one registry of runs.

The edge of the app: the environment and `.env` are read here (env.py), once a server, and nowhere below.

The first page is painted before the session's code is even imported: what is heavy is imported where it is used, and
by `WarmUp` in the background once the page is drawn.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, cast

import streamlit as st
from streamlit import runtime
from streamlit.runtime.scriptrunner import get_script_run_ctx

from memorybank import env
from memorybank.config import Settings
from memorybank.errors import InputError, LockedError, MemoryBankError
from memorybank.types import Lang, NodeId
from memorybank.ui.i18n import LANGUAGES, preferred_lang
from memorybank.ui.links import clear_focus, focus
from memorybank.ui.orders import Phase, Until

if TYPE_CHECKING:
    from memorybank.embedding.models import ModelChoice
    from memorybank.embedding.process import EmbeddingProcess
    from memorybank.ui.playback import Moment
    from memorybank.ui.runs import Runs
    from memorybank.ui.watcher import Watcher
    from memorybank.ui.worker import Worker

GRAPH = "graph"
"""Key of the graph on the Session page; the selection of the whole app."""
LANG = "lang"
"""Query parameter and key of the switch: en or zh."""
HEAD_START = 1.5
"""Seconds that the browser gets to paint the first page, before the models take the processor."""
RUN = "run"
"""Query parameter: the run's id."""

_SAMPLE: Mapping[Lang, str] = {"en": "memory", "zh": "记忆"}
"""A text in each language, to tell which embedding model it calls for."""


# -- the server -------------------------------------------------------------------------------------------------------


@st.cache_resource(show_spinner=False)
def local() -> tuple[env.Effective, InputError | None]:
    """This machine's settings; where one cannot be used, the defaults and what is wrong with it."""
    try:
        return env.load(), None
    except InputError as error:
        return env.load({}, None), error


def default_settings() -> Settings:
    return local()[0].settings


@st.cache_resource(show_spinner=False)
def runs() -> Runs:
    from memorybank.ui.runs import Runs

    settings = default_settings()
    root = (settings.storage_dir or Path("runs")).resolve()
    return Runs(root, is_open=_is_connected, local=settings)


def _is_connected(tab: str) -> bool:
    return bool(tab) and runtime.exists() and runtime.get_instance().is_active_session(tab)


def tab() -> str:
    """This tab's name on the server."""
    context = get_script_run_ctx()
    return context.session_id if context is not None else ""


class WarmUp(threading.Thread):
    """Imports what a run needs and starts the process of the model that a language calls for, in the background."""

    def __init__(self, lang: Lang) -> None:
        super().__init__(name=f"warm-up-{lang}", daemon=True)
        self.process: EmbeddingProcess | None = None
        """None until it is started; it then loads its model by itself."""
        self.problem = ""
        self._lang: Lang = lang

    def run(self) -> None:
        time.sleep(HEAD_START)  # in this thread of its own: nobody waits for it
        from memorybank.embedding.process import shared

        if default_settings().embedding_endpoint.base_url:
            return  # nothing is loaded here
        try:
            self.process = shared(model_choice(self._lang))
        except MemoryBankError as error:
            self.problem = str(error)

    @property
    def state(self) -> str:
        """`loading`, `ready`, `failed` or `closed`."""
        if default_settings().embedding_endpoint.base_url:
            return "ready"
        if self.process is None:
            return "failed" if self.problem else "loading"
        return self.process.state.partition(":")[0]


@st.cache_resource(show_spinner=False)
def warm_up(lang: Lang) -> WarmUp:
    """Not started yet: that is for when the page is drawn (`begin_warm_up`)."""
    return WarmUp(lang)


def begin_warm_up(lang: Lang) -> None:
    """Start it, once a server and language."""
    warm = warm_up(lang)
    if warm.ident is None:
        warm.start()


def model_choice(lang: Lang) -> ModelChoice:
    """Raises InputError, ModelUnavailableError for a setting that cannot be met."""
    from memorybank.embedding.models import resolve

    return resolve(default_settings().embedding_model, [_SAMPLE[lang]])


# -- the tab ----------------------------------------------------------------------------------------------------------


def lang() -> Lang:
    """The page's language: what was chosen here, else what the address says, else what the browser asks for."""
    for wish in (st.session_state.get(LANG), st.query_params.get(LANG)):
        for one in LANGUAGES:
            if one == wish:
                return one
    return preferred_lang(st.context.locale)


def remember_lang(before: Lang) -> None:
    """The reader has used the switch. Choosing the same language again chooses it, too."""
    chosen = st.session_state.get(LANG) or before
    st.session_state[LANG] = chosen
    st.session_state["lang-chosen"] = True
    st.query_params[LANG] = chosen


def keep_address(lang: Lang) -> None:
    """A switch of pages clears the address; what was chosen comes back into it."""
    if st.query_params.get(LANG) == lang:
        st.session_state["lang-chosen"] = True
    elif st.session_state.get("lang-chosen"):
        st.query_params[LANG] = lang


def worker() -> Worker | Watcher | None:
    """The tab's run, alive or watched; from the address when the tab is new. A problem is kept for the page."""
    mine: Worker | Watcher | None = st.session_state.get("worker")
    if mine is not None and mine.phase is not Phase.PARKED:
        mine.see(tab())
        if st.query_params.get(RUN) != mine.run_id:  # a switch of pages clears the address
            st.query_params[RUN] = mine.run_id
        return mine
    run_id = mine.run_id if mine is not None else st.query_params.get(RUN, "")
    if not run_id:
        return None
    try:
        opened = runs().open(run_id, owner=tab())
    except (InputError, LockedError) as error:
        leave()
        st.session_state.problem = error
        return None
    keep(opened)
    return opened


def keep(mine: Worker | Watcher) -> None:
    """From now on this is the tab's run, and its address says so."""
    from memorybank.ui.graph.component import select
    from memorybank.ui.playback import Playback

    known: Worker | Watcher | None = st.session_state.get("worker")
    if known is None or known.run_id != mine.run_id:
        st.session_state.playback = Playback()
        look_at(None)
        select(GRAPH)
        clear_focus()
    st.session_state.worker = mine
    st.query_params[RUN] = mine.run_id


def watch() -> None:
    """Show the run that this machine's settings name."""
    keep(runs().open(runs().watched_id, owner=tab()))


def reopen() -> None:
    """Open the run again: after it was stopped by an error, or to take it over once its writer has gone."""
    mine: Worker | Watcher = st.session_state.worker
    keep(runs().open(mine.run_id, owner=tab()))


def leave() -> None:
    """Let go of the run. It is parked, not deleted."""
    mine: Worker | Watcher | None = st.session_state.pop("worker", None)
    if mine is not None:
        mine.close(timeout=0.0)
    st.query_params.pop(RUN, None)


def moment(mine: Worker | Watcher) -> Moment:
    """What the tab looks at: the moment after `k` events, the newest when `k` is None."""
    found: Moment = st.session_state.playback.at(mine.records, at_event())
    return found


def at_event() -> int | None:
    """The moment that every page of this tab looks at: after that many events; None: the newest, as it comes."""
    k: int | None = st.session_state.get("k")
    return k


def look_at(k: int | None) -> None:
    """Look at another moment, on every page."""
    st.session_state["k"] = k


def asked_in_tree() -> NodeId | None:
    """The node the Tree page was asked for; it may have been merged away. From the graph when nothing else was said."""
    from memorybank.ui.graph.component import selection

    asked = focus("tree")
    return NodeId(asked) if asked else selection(GRAPH).node


def go(until: Until) -> None:
    """The tab's run goes on."""
    mine = worker()
    if mine is not None and not mine.watching:
        cast("Worker", mine).go(until)
