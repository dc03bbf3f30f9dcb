"""What a tab remembers: its language, its run, the moment and the node it looks at. What a server has is in server.py.

All of it is in the tab's address, too, so that a page can be found again, loaded again, or given to somebody else:

    /conflicts?run=<32 hex digits>&k=120&node=n7&lang=en

Such an address opens a saved run to read it (`worker`); a living run opens in tabs of its own browser alone. The tab's
own memory is what holds; the address follows it (`keep_address`), and is read once, when a tab arrives.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import streamlit as st

from memorybank.errors import DamagedError, LockedError, MemoryBankError
from memorybank.hosting.browser_mark import COOKIE, Visitor
from memorybank.hosting.orders import Until
from memorybank.memory.types import Lang, NodeId
from memorybank.session.phase import Phase
from memorybank.ui.shell.links import GRAPH as GRAPH
from memorybank.ui.shell.links import enter_by_app, focus
from memorybank.ui.shell.server import WarmUp as WarmUp
from memorybank.ui.shell.server import begin_warm_up as begin_warm_up
from memorybank.ui.shell.server import default_settings as default_settings
from memorybank.ui.shell.server import is_alive as is_alive
from memorybank.ui.shell.server import is_connected as is_connected
from memorybank.ui.shell.server import local as local
from memorybank.ui.shell.server import model_choice as model_choice
from memorybank.ui.shell.server import runs as runs
from memorybank.ui.shell.server import runs_root as runs_root
from memorybank.ui.shell.server import tab_id as tab_id
from memorybank.ui.shell.server import warm_up as warm_up
from memorybank.ui.shell.tab import this_tab
from memorybank.ui.shell.widgets import LANGUAGE
from memorybank.views.i18n import LANGUAGES, preferred_lang

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from memorybank.hosting.run import Run
    from memorybank.memory.state import MemoryState
    from memorybank.runs.journal import Record
    from memorybank.runs.salvage import DamagedPart
    from memorybank.views.run.playback import Moment, Playback

LANG = "lang"
"""Query parameter, and what the browser keeps: en or zh."""
RUN = "run"
"""Query parameter: the run's id."""
K = "k"
"""Query parameter: the moment, where it is not the newest."""
NODE = "node"
"""Query parameter: the selected node."""
said_in_address: dict[str, Callable[[], dict[str, str | None]]] = {}
"""What packages beside the bank say in the address of a tab, by the package: its parameters, None for one without
value."""
MOST_KNOWN = 8
"""Runs that a browser remembers."""


def lang() -> Lang:
    """The page's language: chosen here, else in the address, else remembered by the browser, else what it asks for."""
    for wish in (LANGUAGE.held(), addressed(LANG), _cookie(LANG)):
        for language in LANGUAGES:
            if language == wish:
                return language
    return preferred_lang(st.context.locale)


def addressed(name: str) -> str:
    """What the address says, or said when the tab came: a page that is turned to at once clears it too early."""
    address = this_tab().address
    if address.arrived is None:
        address.arrived = st.query_params.to_dict()
    return st.query_params.get(name) or address.arrived.get(name, "")


def remember_lang(before: Lang) -> None:
    """The reader has used the switch. Choosing the same language again chooses it, too."""
    this_tab().language = chosen = LANGUAGE.held() or before
    LANGUAGE.set(chosen)


def _cookie(name: str) -> str:
    """What this browser was given to keep (frame/memory.js), as of when the tab was loaded."""
    return st.context.cookies.get(f"memorybank-{name}", "")


def for_the_browser() -> dict[str, str]:
    """What this browser is told: the language that was chosen, the run, and whether it belongs to this tab.

    It keeps the first two; the last goes from tab to tab, so that the tab that had the run draws itself anew.
    """
    mine = this_tab().run
    run_id = mine.run_id if mine is not None else ""
    return {"lang": this_tab().language, "run": run_id, "own": run_id if mine is not None and mine.takes_orders else ""}


def visitor() -> Visitor:
    """This tab, and its browser by the mark that the server has given it."""
    return Visitor(tab_id(), st.context.cookies.get(COOKIE, ""))


def keep_address() -> None:
    """Make the address say what the tab shows. A switch of pages clears it; a click in a fragment moves on from it."""
    mine = this_tab().run
    wanted: dict[str, str | None] = {RUN: None, K: None, NODE: None, LANG: lang()}
    for said in said_in_address.values():
        wanted |= said()
    if mine is not None:
        from memorybank.ui.shell.selections import selection

        k = at_event()
        wanted |= {RUN: mine.run_id, K: None if k is None else str(k), NODE: selection(GRAPH)}
    now = st.query_params.to_dict()
    then = {name: value for name, value in {**now, **wanted}.items() if value}
    if then != now:
        st.query_params.from_dict(then)


def worker() -> Run | None:
    """The tab's run, alive or only read; from the address when the tab is new. A problem is kept for the page."""
    from memorybank.ui.shell.kept import problems_kept

    enter_by_app()
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
    """A run by its address: one's own after the tab was loaded again, else to read. Raises InputError, LockedError,
    JournalError; of a run that can be read in part, the address is kept for `open_good_part`."""
    try:
        return runs().look(run_id, by=visitor())
    except DamagedError:
        this_tab().problems.damaged_run = run_id
        raise


def open_good_part(make: Callable[[], tuple[str, DamagedPart | None]]) -> None:
    """For callbacks: show a new run that holds the good part of a damaged one, and keep what was left out."""
    from memorybank.ui.shell.kept import problems_kept

    with problems_kept():
        run_id, left_out = make()
        keep(look_up(run_id))
        this_tab().problems.left_out = (run_id, left_out)


def _arrive(run_id: str) -> Run | None:
    """A tab opens an address: at its run, its moment and its node, as far as there are such."""
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
    """The address was come to, or is not to be had: it is not looked for again. Until then a rerun begins anew."""
    this_tab().address.arrived = {LANG: addressed(LANG)}


def _look_at_address(mine: Run, k: str, node: str) -> None:
    """What an address names and the run does not have is left out, and said."""
    from memorybank.ui.shell.selections import select

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
    """Addresses of the runs that this browser has opened, the last one first. Nobody is told another's."""
    ids = [*this_tab().runs_opened, *_cookie("runs").split(".")]
    return [run_id for run_id in dict.fromkeys(ids) if run_id][:MOST_KNOWN]


def keep(mine: Run) -> None:
    """From now on this is the tab's run, and its address says so."""
    from memorybank.ui.shell.selections import select
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
    from memorybank.ui.shell.kept import problems_kept

    with problems_kept():
        keep(runs().open(runs().watched_id, by=visitor()))


def reopen() -> None:
    """Go on with the run here: one opened to read, one that an error stopped, one that another tab or process had."""
    from memorybank.ui.shell.kept import problems_kept

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
    """What the tab looks at: the moment after `k` events, the newest when `k` is None. The address follows."""
    keep_address()
    return _playback().at(mine.records, at_event())


def bank_at(records: Sequence[Record[Any]], k: int) -> MemoryState:
    """The memory of the tab's run after `k` of its events."""
    return _playback().bank_at(records, k)


def _playback() -> Playback:
    playback = this_tab().playback
    assert playback is not None, "a run was kept"
    return playback


def at_event() -> int | None:
    """The moment that every page of this tab looks at: after that many events; None: the newest, as it comes."""
    return this_tab().at


def is_replay(mine: Run) -> bool:
    """Whether what is shown was made before: a past moment, or a saved run that nobody goes on with."""
    return at_event() is not None or mine.is_saved


def look_at(k: int | None) -> None:
    """Look at another moment, on every page."""
    this_tab().at = k


def asked_in_tree() -> NodeId | None:
    """The node the Tree page was asked for; it may have been merged away. From the graph when nothing else was said."""
    from memorybank.ui.shell.selections import selection

    node_id = focus("tree")
    return NodeId(node_id) if node_id else selection(GRAPH)


def go(until: Until) -> None:
    """The tab's run goes on."""
    mine = worker()
    if mine is not None and mine.takes_orders:
        mine.go(until)
