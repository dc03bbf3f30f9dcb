"""Addresses: a saved run opens to be read, at its page, moment and node; a living one to tabs of its browser alone."""

from __future__ import annotations

import re
import shutil
import threading
from collections.abc import Callable
from pathlib import Path

import pytest
import streamlit as st
from playwright.sync_api import Browser
from streamlit.testing.v1 import AppTest

from memorybank.hosting.browser_mark import COOKIE, Visitor
from memorybank.hosting.tabs import Watcher
from memorybank.memory.types import Lang
from memorybank.runs.run_folder import load, state_at
from memorybank.session.phase import Phase
from memorybank.ui.shell import links, server, state
from tests.app.driving import SMALL, keys, rest, says, shown, start, tab_of, texts, worker_of
from tests.recorded import recorded_run
from tests.waiting import wait_until
from tests.watching import expect

RUN = "5a" * 16
WRITING = {"run", "step", "pause", "popover-ask", "popover-add", "refile"}
"""What gives orders."""
HOSTILE = "<img src=x onerror=alert(1)>"

Open = Callable[..., AppTest]


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    """A finished run in the app's folder."""
    return Path(shutil.copytree(recorded_run("en").path, tmp_path / "runs" / RUN))


@pytest.fixture
def open_tab(whole_app: AppTest, monkeypatch: pytest.MonkeyPatch) -> Open:
    """Open a tab of its own with these words in its address. `state.tab_id` tells the tabs apart; `closed` are gone."""
    closed: set[str] = set()
    cookies: dict[str, str] = {}
    monkeypatch.setattr(state, "tab_id", lambda: st.session_state["tab-name"])
    monkeypatch.setattr(state, "visitor", lambda: Visitor(st.session_state["tab-name"], cookies.get(COOKIE, "")))
    monkeypatch.setattr(server, "is_connected", lambda tab: bool(tab) and tab not in closed)

    def make(name: str = "one", page: str = "session", **address: str) -> AppTest:
        tab = AppTest.from_file(whole_app._script_path, default_timeout=60)
        tab.session_state["tab-name"] = name
        tab_of(tab).page_wanted = page
        tab.query_params.update(address)
        return tab.run()

    make.closed, make.cookies = closed, cookies  # type: ignore[attr-defined]
    return make


def address(tab: AppTest) -> dict[str, str]:
    return {name: value if isinstance(value, str) else value[-1] for name, value in tab.query_params.items()}


def written(folder: Path) -> dict[str, bytes]:
    """All files of a run but its lock, and what the list of runs has noted of it."""
    aside = (".lock", ".summary.json")
    return {str(path): path.read_bytes() for path in folder.rglob("*") if path.is_file() and path.name not in aside}


@pytest.mark.parametrize(
    ("name", "lang"), [*((name, "en") for name in links.PAGES), ("session", "zh"), ("prompt", "zh"), ("replay", "zh")]
)
def test_each_page_opens_a_saved_run_to_read_it(open_tab: Open, saved: Path, name: str, lang: Lang) -> None:
    before, threads = written(saved), threading.enumerate()  # runs of other tests may still be ending
    bank = state_at(load(saved)[:180])
    node = next(iter(bank.graph.nodes))
    tab = open_tab(page=name, run=RUN, k="180", node=node, lang=lang)
    assert not tab.exception
    assert tab_of(tab).page == name
    assert tab_of(tab).at == 180
    assert tab_of(tab).selections["graph"] == node
    assert address(tab) == {"run": RUN, "k": "180", "node": node, "lang": lang}
    if name != "studio":  # which shows no run
        assert says(tab, {"en": "Saved run, read-only.", "zh": "已保存的运行，只读。"}[lang])
        assert "continue-run" in keys(tab)
    assert not keys(tab) & WRITING
    watcher = tab_of(tab).run
    assert isinstance(watcher, Watcher)
    assert (watcher.phase, watcher.busy, watcher.session) == (Phase.PARKED, False, None)
    new = [thread.name for thread in threading.enumerate() if thread not in threads]
    assert not any(name.startswith("run-") for name in new)
    assert len(new) <= 2, "no worker, no model; only the warm-up of the page itself"
    assert written(saved) == before


def test_the_address_goes_from_page_to_page_and_with_the_moment(open_tab: Open, saved: Path) -> None:
    tab = open_tab(run=RUN, k="180")
    for name, (file, _) in links.PAGES.items():
        tab.query_params.clear()  # as a switch of pages does
        tab.switch_page(file).run()
        assert tab_of(tab).page == name
        assert address(tab) == {"run": RUN, "k": "180", "lang": "en"}, name
    tab_of(tab).at = None
    tab_of(tab).selections["graph"] = "n2"  # type: ignore[arg-type]
    tab.run()
    assert address(tab) == {"run": RUN, "node": "n2", "lang": "en"}, "the newest moment is not named"


@pytest.mark.parametrize("k", ["-1", "99999", "abc", "1e3", "１２", "9" * 400, HOSTILE])
def test_a_moment_that_the_run_does_not_have(open_tab: Open, saved: Path, k: str) -> None:
    tab = open_tab(run=RUN, k=k)
    assert not tab.exception
    total = len(load(saved))
    said = [text for text in texts(tab) if text.startswith("The address asks for moment")]
    assert said == [f"The address asks for moment {k}; this run has {total} events. You see the newest."]
    assert tab_of(tab).at is None
    assert "k" not in tab.query_params
    assert "answer" in keys(tab), "the rest of the page is there"
    tab_of(tab).at = 20
    assert not says(tab.run(), "The address asks for"), "said until the reader looks at something else"


@pytest.mark.parametrize("node", ["n99", HOSTILE, "../n1", "n" * 3000])
def test_a_node_that_the_memory_does_not_hold(open_tab: Open, saved: Path, node: str) -> None:
    tab = open_tab(run=RUN, node=node, lang="zh")
    assert not tab.exception
    (said,) = (text for text in texts(tab) if text.startswith("网址要求选中节点"))
    assert node in said
    assert tab_of(tab).selections["graph"] is None
    parsed = [*tab.markdown, *tab.caption, *tab.header, *tab.subheader, *tab.html]
    assert not any(HOSTILE in one.value for one in parsed)


def test_a_node_that_is_not_born_yet_at_the_moment(open_tab: Open, saved: Path) -> None:
    last = list(state_at(load(saved)).graph.nodes)[-1]
    assert says(open_tab(run=RUN, k="25", node=last), f"The address asks for node {last}")
    gone = next(iter(state_at(load(saved)).graph.gone))
    tab = open_tab(run=RUN, node=gone)
    assert not says(tab, "The address asks for"), "a node that was merged away is followed to what it became"


@pytest.mark.parametrize(
    ("name", "run"), [*((name, "0" * 32) for name in links.PAGES), ("session", "../../etc"), ("graph", HOSTILE)]
)
def test_an_address_that_names_no_run_is_one_sentence_on_a_usable_page(open_tab: Open, name: str, run: str) -> None:
    tab = open_tab(page=name, run=run, k="3")
    assert not tab.exception
    assert says(tab, "There is no such run on this machine: check the address, or open another.")
    assert address(tab) == {"lang": "en"}
    assert keys(tab) & {"demo", "start-demo", "runs-compare", "models", "studio-demo"}


def test_a_saved_run_is_continued_and_then_belongs_to_its_tab(open_tab: Open, saved: Path) -> None:
    tab = open_tab(run=RUN, k="180")
    tab.button(key="continue-run").click().run()
    rest(tab)
    worker = worker_of(tab)
    assert not tab.exception
    assert worker.phase is Phase.RESTING
    assert (worker.run_id, tab_of(tab).at) == (RUN, 180), "it stays where the reader was"
    assert not says(tab, "Saved run, read-only.")
    assert {"run", "step", "popover-ask"} <= keys(tab)

    other = open_tab("other", run=RUN)
    assert says(other, "This browser keeps no cookies")
    open_tab.cookies[COOKIE] = "another browser's"  # type: ignore[attr-defined]
    assert says(other.run(), "open in another browser"), "until it is free, or something else is opened"
    assert tab_of(other).run is None
    assert "run" not in other.query_params

    tab.button(key="new-session").click().run()
    assert worker.close()
    other.button(key="look-again").click().run()
    assert says(other, "Saved run, read-only.")
    assert not says(other, "open in another browser")


def test_a_run_that_is_deleted_while_it_is_read(open_tab: Open, saved: Path) -> None:
    tab = open_tab(run=RUN)
    shutil.rmtree(saved)
    tab.button(key="continue-run").click().run()
    assert not tab.exception
    assert says(tab, "There is no such run on this machine: check the address, or open another.")
    assert not tab.run().exception


def test_ten_tabs_see_only_their_own_run(open_tab: Open) -> None:
    names = [f"Bridge{letter}" for letter in "ABCDEFGHIJ"]
    tabs = {}
    for name in names:
        tab = open_tab(name)
        tabs[name] = start(tab, "", (f"{name}.txt", f"The {name} was opened in 1961. It has three lanes.".encode()))
    for name, tab in tabs.items():
        wait_until(lambda tab=tab: not worker_of(tab).busy, 120)  # type: ignore[misc]
        for file in ("pages/4_tree.py", "pages/2_graph.py"):
            tab.switch_page(file).run()
            assert not tab.exception
            said = " ".join(texts(tab))
            assert name in said
            assert [other for other in names if other in said] == [name]
        assert address(tab)["run"] == worker_of(tab).run_id
    assert len({worker_of(tab).run_id for tab in tabs.values()}) == len(names)
    for tab in tabs.values():
        worker_of(tab).close()


def test_a_servers_very_first_request_may_be_for_a_page(browser: Browser, serve_app: Callable[..., str]) -> None:
    """Streamlit would run the page's file alone, for it finds `pages/`; the whole app must stand all the same."""
    address = serve_app(**SMALL, FRESH="a server of its own")
    page = browser.new_page()
    page.goto(f"{address}/graph?lang=en")
    expect(page.locator(".st-key-header").first).to_be_visible(timeout=60_000)
    expect(page.locator(".st-key-start-demo button")).to_be_visible(timeout=30_000)
    expect(page.locator('[data-testid="stSidebar"]')).to_have_count(0)
    page.close()


def test_a_page_turned_to_at_once_keeps_what_the_address_said(
    browser: Browser, serve_app: Callable[..., str], tmp_path: Path
) -> None:
    """A switch of pages clears the address, also before the first run of the page has come to what it names."""
    shutil.copytree(recorded_run().path, tmp_path / RUN)
    address = serve_app(**SMALL, STORAGE_DIR=str(tmp_path))
    page = browser.new_context(locale="en-GB").new_page()
    page.goto(f"{address}/?run={RUN}&k=40&lang=zh")
    page.locator('a[href$="/replay"]', has_text="回放").first.click(timeout=60_000)  # by then it has been read
    slider = page.get_by_role("slider", name="运行到的时刻")
    expect(slider).to_have_value("40", timeout=60_000)
    expect(page).to_have_url(re.compile(f"run={RUN}"))
    page.context.close()


@pytest.mark.parametrize(("lang", "replayed"), [("en", "Replay"), ("zh", "回放")])
def test_what_is_read_from_a_saved_run_says_that_it_is_a_replay(
    open_tab: Open, saved: Path, lang: Lang, replayed: str
) -> None:
    """On every page, at any moment; until the run is gone on with, and is live at its newest moment."""
    for name in ("session", "graph", "conflicts", "prompt", "replay"):
        assert replayed in shown(open_tab(f"one-{name}", name, run=RUN, lang=lang), "badges"), name
    past = open_tab("past", "session", run=RUN, k="180", lang=lang)
    assert replayed in shown(past, "badges")
    mine = open_tab("mine", "session", run=RUN, lang=lang)
    mine.button(key="continue-run").click().run()
    assert replayed not in shown(rest(mine), "badges")
