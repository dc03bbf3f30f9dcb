"""The state of one server, whoever visits, and what a tab remembers: its language, run, moment and node.

The server has this machine's settings, the registry of runs and the models that are warmed up: the environment and
`.env` are read here (settings/env.py), once a server, and nowhere below. The first page is painted before the session's
code is even imported: what is heavy is imported where it is used, and by `WarmUp` in the background.

All that a tab remembers is in its address, too, so that a page can be found again, loaded again, or given away:

    /conflicts?run=<32 hex digits>&k=120&node=n7&lang=en

Such an address opens a saved run to read it (`worker`); a living run opens in tabs of its own browser alone. The tab's
own memory is what holds; the address follows it (`keep_address`), and is read once, when a tab arrives.
"""

from __future__ import annotations

import gc
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

import streamlit as st
from streamlit import runtime
from streamlit.runtime.scriptrunner import get_script_run_ctx

from memorybank.errors import DamagedError, InputError, LockedError, MemoryBankError
from memorybank.hosting.browser_mark import COOKIE, Visitor
from memorybank.hosting.run import Run, Until
from memorybank.memory.types import Lang, NodeId
from memorybank.session.phase import Phase
from memorybank.settings import env
from memorybank.settings.config import Settings
from memorybank.ui.shell.import_turns import turns
from memorybank.ui.shell.links import GRAPH as GRAPH
from memorybank.ui.shell.links import focus
from memorybank.ui.shell.serving import stop_unguarded
from memorybank.ui.shell.tab import problems_kept, select, selection, this_tab
from memorybank.ui.shell.widgets import LANGUAGE
from memorybank.views.i18n import LANGUAGES, preferred_lang

if TYPE_CHECKING:
    from memorybank.embedding.models import ModelChoice
    from memorybank.embedding.process import EmbeddingProcess
    from memorybank.hosting.registry import Runs
    from memorybank.memory.state import MemoryState
    from memorybank.runs.journal import Record
    from memorybank.runs.salvage import DamagedPart
    from memorybank.views.run.playback import Moment, Playback

HEAD_START = 1.5
"""The seconds that the browser gets to paint the first page, before the models take the processor."""

SAMPLE: Mapping[Lang, str] = {"en": "memory", "zh": "记忆"}
"""A text in each language, to tell which embedding model it calls for."""


@st.cache_resource(show_spinner=False)
def local() -> tuple[env.Effective, InputError | None]:
    """Return this machine's settings; where one cannot be used, the defaults and what is wrong with it."""
    try:
        return env.load(), None
    except InputError as error:
        return env.load({}, None), error


def default_settings() -> Settings:
    return local()[0].settings


def _batch_runs() -> list[Path]:
    from memorybank.ui.shell.batch_folders import batch_runs

    return batch_runs(default_settings().batch_dir, runs_root())


@st.cache_resource(show_spinner=False)
def runs() -> Runs:
    from memorybank.hosting.registry import Runs

    _begun.append(Runs(runs_root(), is_open=is_connected, local=default_settings(), elsewhere=_batch_runs))
    return _begun[-1]


_begun: list[Runs] = []
"""The registry of runs, once it was needed."""


def runs_root() -> Path:
    """Return the folder of all runs."""
    return (default_settings().storage_dir or Path("runs")).resolve()


def is_alive(run_id: str) -> bool:
    """Say whether this server has the run at work. Until the registry is needed for a run, there is none."""
    return bool(_begun) and _begun[-1].is_alive(run_id)


def is_connected(tab: str) -> bool:
    return bool(tab) and runtime.exists() and runtime.get_instance().is_active_session(tab)


def tab_id() -> str:
    """Return this tab's name on the server."""
    context = get_script_run_ctx()
    return context.session_id if context is not None else ""


class WarmUp(threading.Thread):
    """Imports what a run needs and starts the process of the model that a language calls for, in the background."""

    def __init__(self, lang: Lang) -> None:
        super().__init__(name=f"warm-up-{lang}", daemon=True)
        self.process: EmbeddingProcess | None = None
        """The process of the model, which loads it by itself; None until it is started."""
        self.problem = ""
        self.page_code: Iterator[ModuleType] = iter(())
        """The code of the pages, imported one page after the other."""
        self._lang: Lang = lang

    def run(self) -> None:
        time.sleep(HEAD_START)  # in this thread of its own: nobody waits for it
        more = True
        while more:  # or the first visitor of each page waits for its imports
            with turns.ahead():
                more = next(self.page_code, None) is not None
        gc.collect()
        gc.set_threshold(20_000)  # a run that is read and folded makes only what stays
        gc.freeze()  # code stays: a full collection that walks over it all held up a redraw by 120 ms
        with turns.ahead():
            from memorybank.embedding.process import shared

        if default_settings().embedding_endpoint.base_url:
            return  # nothing is loaded here
        try:
            self.process = shared(model_choice(self._lang))
        except (MemoryBankError, OSError) as error:  # OSError: no process could be started
            self.problem = str(error)

    @property
    def state(self) -> str:
        """Return `loading`, `ready`, `failed` or `closed`."""
        if default_settings().embedding_endpoint.base_url:
            return "ready"
        ended = self.ident is not None and not self.is_alive()  # of whatever: nobody may wait for it for ever
        if self.process is None:
            return "failed" if self.problem or ended else "loading"
        return self.process.state.partition(":")[0]


@st.cache_resource(show_spinner=False)
def warm_up(lang: Lang) -> WarmUp:
    """Return the warm-up, which is not started: that is for when the page is drawn (`begin_warm_up`)."""
    return WarmUp(lang)


def begin_warm_up(lang: Lang, page_code: Callable[[], Iterator[ModuleType]]) -> None:
    """Start the warm-up, once a server and language."""
    warm = warm_up(lang)
    if warm.ident is None:
        warm.page_code = page_code()
        warm.start()


def model_choice(lang: Lang) -> ModelChoice:
    """Return the chosen model. Raises InputError, ModelUnavailableError for a setting that cannot be met."""
    from memorybank.embedding.models import resolve

    return resolve(default_settings().embedding_model, [SAMPLE[lang]])


LANG = "lang"
"""The query parameter of the language, en or zh, which the browser keeps, too."""
RUN = "run"
"""The query parameter of the run: its id."""
K = "k"
"""The query parameter of the moment, where it is not the newest."""
NODE = "node"
"""The query parameter of the selected node."""
said_in_address: dict[str, Callable[[], dict[str, str | None]]] = {}
"""Parameters that packages beside the bank put in a tab's address, by the package; None for one without value."""
MOST_KNOWN = 8
"""The most runs that a browser remembers."""


def lang() -> Lang:
    """Return the page's language: chosen here, else in the address, else kept by the browser, else its own."""
    for wish in (LANGUAGE.held(), addressed(LANG), _cookie(LANG)):
        for language in LANGUAGES:
            if language == wish:
                return language
    return preferred_lang(st.context.locale)


def addressed(name: str) -> str:
    """Return what the address says, or said when the tab came: a page that opens at once clears it too early."""
    address = this_tab().address
    if address.arrived is None:
        address.arrived = st.query_params.to_dict()
    return st.query_params.get(name) or address.arrived.get(name, "")


def remember_lang(before: Lang) -> None:
    """Remember the language that the reader has switched to. Choosing the same one again chooses it, too."""
    this_tab().language = chosen = LANGUAGE.held() or before
    LANGUAGE.set(chosen)


def _cookie(name: str) -> str:
    """Return what this browser was given to keep (frame/memory.js), as of when the tab was loaded."""
    return st.context.cookies.get(f"memorybank-{name}", "")


def for_the_browser() -> dict[str, str]:
    """Return what this browser is told: the chosen language, the run, and whether it belongs to this tab.

    It keeps the first two; the last goes from tab to tab, so that the tab that had the run draws itself anew.
    """
    mine = this_tab().run
    run_id = mine.run_id if mine is not None else ""
    return {"lang": this_tab().language, "run": run_id, "own": run_id if mine is not None and mine.takes_orders else ""}


def visitor() -> Visitor:
    """Return this tab, and its browser by the mark that the server has given it."""
    return Visitor(tab_id(), st.context.cookies.get(COOKIE, ""))


def keep_address() -> None:
    """Make the address say what the tab shows. A switch of pages clears it; a click in a fragment moves on from it."""
    mine = this_tab().run
    wanted: dict[str, str | None] = {RUN: None, K: None, NODE: None, LANG: lang()}
    for said in said_in_address.values():
        wanted |= said()
    if mine is not None:
        k = at_event()
        wanted |= {RUN: mine.run_id, K: None if k is None else str(k), NODE: selection(GRAPH)}
    now = st.query_params.to_dict()
    then = {name: value for name, value in {**now, **wanted}.items() if value}
    if then != now:
        st.query_params.from_dict(then)


def arriving() -> str:
    """Return the address of the run that is still to be opened in this tab; empty when there is none."""
    return addressed(RUN) if this_tab().run is None else ""


def worker() -> Run | None:
    """Return the tab's run, alive or only read; a new tab's is in its address. A problem is kept for the page."""
    stop_unguarded()  # a page that Streamlit runs by itself has no shell.py around it
    mine = this_tab().run
    if mine is None or (this_tab().address.arrived or {}).get(RUN) == mine.run_id:
        return _arrive(addressed(RUN))
    if mine.phase is Phase.PARKED and not mine.is_saved:
        run_id = mine.run_id
        with problems_kept():
            if mine.takes_orders:  # the tab was away for a while, and is back
                leave()
                keep(runs().open(run_id, by=visitor()))
            else:  # it ended where it belonged
                keep(look_up(run_id))
        mine = this_tab().run
    if mine is not None:
        mine.see()
    return mine


def look_up(run_id: str) -> Run:
    """Return the run of an address: one's own after the tab was loaded again, else to read. Raises InputError,
    LockedError, JournalError; of a run that can be read in part, the address is kept for `open_good_part`."""
    try:
        return runs().look(run_id, by=visitor())
    except DamagedError:
        this_tab().problems.damaged_run = run_id
        raise


def open_good_part(make: Callable[[], tuple[str, DamagedPart | None]]) -> None:
    """Show a new run that holds the good part of a damaged one, from callbacks, and keep what was left out."""
    with problems_kept():
        run_id, left_out = make()
        keep(look_up(run_id))
        this_tab().problems.left_out = (run_id, left_out)


def _arrive(run_id: str) -> Run | None:
    """Open an address in the tab: at its run, its moment and its node, as far as there are such."""
    if not run_id:
        return None
    k, node = addressed(K), addressed(NODE)
    try:
        run = look_up(run_id)
        keep(run)
        if run.records:
            _look_at_address(run, k, node)
        _is_there()
    except (MemoryBankError, OSError) as error:
        _is_there()
        leave()
        if isinstance(error, LockedError):
            this_tab().problems.refused_run = run_id
        else:
            this_tab().problems.waiting = error
        return None
    return run


def _is_there() -> None:
    """Note that the address was come to or cannot be had; it is not sought again. Until then a rerun begins anew."""
    this_tab().address.arrived = {LANG: addressed(LANG)}


def _look_at_address(mine: Run, k: str, node: str) -> None:
    """Look at the moment and the node that an address names; keep those that the run does not have, to be told."""
    total, missing = len(mine.records), list[tuple[str, str]]()
    if k:
        if k.isascii() and k.isdecimal() and len(k) < 10 and int(k) <= total:
            look_at(int(k))
        else:
            missing.append(("shell.address.no_moment", k))
    bank = moment(mine).bank
    if node:
        if bank.graph.successor(NodeId(node)) in bank.graph.nodes:
            select(GRAPH, NodeId(node))
        else:
            missing.append(("shell.address.no_node", node))
    this_tab().address.missing = (missing, total, None) if missing else None


def known_runs() -> list[str]:
    """Return addresses of the runs that this browser has opened, the last one first. Nobody is told another's."""
    ids = [*this_tab().runs_opened, *_cookie("runs").split(".")]
    return [run_id for run_id in dict.fromkeys(ids) if run_id][:MOST_KNOWN]


def keep(mine: Run) -> None:
    """Make this the tab's run from now on, and let its address say so."""
    from memorybank.views.run.playback import shared

    known = this_tab().run
    if known is None or known.run_id != mine.run_id:
        this_tab().playback = shared(mine.run_id, mine.records)
        look_at(None)
        select(GRAPH)
        this_tab().focus.clear()  # nothing of the last run is looked for in it
    this_tab().run = mine
    this_tab().runs_opened = [mine.run_id, *this_tab().runs_opened]
    keep_address()


def watch() -> None:
    """Show the run that this machine's settings name."""
    with problems_kept():
        keep(runs().open(runs().watched_id, by=visitor()))


def reopen() -> None:
    """Go on with the run here: one opened to read, one that an error stopped, one that another tab or process had."""
    mine = this_tab().shown_run
    with problems_kept():
        keep(runs().open(mine.run_id, by=visitor()))


def look_again() -> None:
    """Try the address once more that was refused because its run was alive in another browser."""
    problems = this_tab().problems
    st.query_params[RUN], problems.refused_run = problems.refused_run, ""


def leave() -> None:
    """Let go of the run. Where no other tab looks at it, it is parked; it is not deleted."""
    tab = this_tab()
    mine, tab.run = tab.run, None
    if mine is not None:
        mine.leave()
    look_at(None)
    keep_address()


def moment(mine: Run) -> Moment:
    """Return the moment that the tab looks at: after `k` events, the newest when `k` is None. The address follows."""
    keep_address()
    this_tab().moment = moment = _playback().at(mine.records, at_event())
    return moment


def bank_at(records: Sequence[Record[Any]], k: int) -> MemoryState:
    """Return the memory of the tab's run after `k` of its events."""
    return _playback().bank_at(records, k)


def _playback() -> Playback:
    playback = this_tab().playback
    assert playback is not None, "a run was kept"
    return playback


def at_event() -> int | None:
    """Return the moment at which every page of this tab looks: after that many events; None is the newest."""
    return this_tab().at


def is_replay(mine: Run) -> bool:
    """Say whether what is shown was made before: a past moment, or a saved run that nobody goes on with."""
    return at_event() is not None or mine.is_saved


def look_at(k: int | None) -> None:
    """Look at another moment, on every page."""
    this_tab().at = k


def asked_in_tree() -> NodeId | None:
    """Return the node that the Tree page shows: the one asked for, else the graph's. It may have been merged away."""
    node_id = focus("tree")
    return NodeId(node_id) if node_id else selection(GRAPH)


def go(until: Until) -> None:
    """Let the tab's run go on."""
    mine = worker()
    if mine is not None and mine.takes_orders:
        mine.go(until)
