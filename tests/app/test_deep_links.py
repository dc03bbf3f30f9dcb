"""Addresses: a saved run opens to be read, at its page, moment and node; a living one to tabs of its browser alone."""

from __future__ import annotations

import re
import shutil
import threading
from collections.abc import Callable
from pathlib import Path
from urllib.parse import urlsplit

import pytest
import streamlit as st
from playwright.sync_api import Browser
from streamlit.testing.v1 import AppTest

from memorybank.hosting.browser_mark import COOKIE, Visitor
from memorybank.hosting.tabs import Watcher
from memorybank.runs.run_folder import load, state_at
from memorybank.session.phase import Phase
from memorybank.ui.shell import links, state
from memorybank.views.text.display import clip
from tests.app.driving import SMALL, keys, order, press, says, tab_of, texts, worker_of
from tests.recorded import recorded_run
from tests.watching import expect

RUN = "5a" * 16
WRITING = {"run", "step", "pause", "popover-ask", "popover-add", "refile"}
"""What gives orders."""
HOSTILE = "<img src=x onerror=alert(1)>"

NO_RUN = "There is no such run on this machine: check the address, or open another."

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
    monkeypatch.setattr(state, "is_connected", lambda tab: bool(tab) and tab not in closed)

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


@pytest.mark.parametrize("name", links.PAGES)
def test_each_page_opens_a_saved_run_to_read_it(open_tab: Open, saved: Path, name: str) -> None:
    before, threads = written(saved), threading.enumerate()  # runs of other tests may still be ending
    bank = state_at(load(saved)[:180])
    node = next(iter(bank.graph.nodes))
    tab = open_tab(page=name, run=RUN, k="180", node=node, lang="zh")
    assert not tab.exception
    assert tab_of(tab).page == name
    assert tab_of(tab).at == 180
    assert tab_of(tab).selections["graph"] == node
    assert address(tab) == {"run": RUN, "k": "180", "node": node, "lang": "zh"}
    if name != "studio":  # which shows no run
        assert "read-only-words" in keys(tab)
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


def test_a_moment_that_the_run_does_not_have(open_tab: Open, saved: Path) -> None:
    total = len(load(saved))
    for k in ("-1", "99999", "abc", "1e3", "１２", "9" * 400, HOSTILE):
        tab = open_tab(run=RUN, k=k)
        assert not tab.exception
        said = [text for text in texts(tab) if text.startswith("The address asks for moment")]
        assert said == [f"The address asks for moment {clip(k, 100)}; this run has {total} events. You see the newest."]
        assert tab_of(tab).at is None
        assert "k" not in tab.query_params
        assert "answer" in keys(tab), "the rest of the page is there"
    tab_of(tab).at = 20
    assert not says(tab.run(), "The address asks for"), "said until the reader looks at something else"


def test_a_node_that_the_memory_does_not_hold(open_tab: Open, saved: Path) -> None:
    for node in ("n99", HOSTILE, "../n1", "n" * 3000):
        tab = open_tab(run=RUN, node=node, lang="zh")
        assert not tab.exception
        (said,) = (text for text in texts(tab) if text.startswith("网址指定的节点"))
        assert clip(node, 100) in said
        assert tab_of(tab).selections["graph"] is None
        parsed = [*tab.markdown, *tab.caption, *tab.header, *tab.subheader, *tab.html]
        assert not any(HOSTILE in one.value for one in parsed)


def test_an_address_that_names_no_run_is_one_sentence_on_a_usable_page(open_tab: Open) -> None:
    for name, run in (*((name, "0" * 32) for name in links.PAGES), ("session", "../../etc"), ("graph", HOSTILE)):
        tab = open_tab(page=name, run=run, k="3")
        assert not tab.exception
        assert says(tab, NO_RUN), name
        assert address(tab) == {"lang": "en"}
        assert keys(tab) & {"demo", "start-demo", "runs-rows", "models", "studio-demo"}


def test_a_saved_run_is_continued_and_then_belongs_to_its_tab(open_tab: Open, saved: Path) -> None:
    tab = open_tab(run=RUN, k="180")
    worker = worker_of(order(tab, "continue-run"))
    assert worker.phase is Phase.RESTING
    assert (worker.run_id, tab_of(tab).at) == (RUN, 180), "it stays where the reader was"
    assert "read-only-words" not in keys(tab)
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
    assert "read-only-words" in keys(other)
    assert not says(other, "open in another browser")


def test_a_run_that_is_deleted_while_it_is_read(open_tab: Open, saved: Path) -> None:
    tab = open_tab(run=RUN)
    shutil.rmtree(saved)
    press(tab, "continue-run")
    assert says(tab, NO_RUN)
    assert not tab.run().exception


def test_a_page_is_turned_to_at_once_and_its_run_goes_on_in_two_windows(
    browser: Browser, serve_app: Callable[..., str], saved: Path
) -> None:
    """A switch of pages clears the address, also before the first run of the page has come to what it names.

    The windows of one browser take the run over from each other; a stranger's has no part in it.
    """
    address = serve_app(**SMALL, STORAGE_DIR=str(saved.parent))
    context = browser.new_context(locale="en-GB")
    mine = context.new_page()
    mine.goto(f"{address}/?run={RUN}&k=40&lang=zh")
    mine.locator('a[href$="/replay"]', has_text="回放").first.click()  # by then it has been read
    expect(mine.get_by_role("slider", name="运行到的时刻")).to_have_value("40")
    expect(mine).to_have_url(re.compile(f"run={RUN}"))

    mine.goto(f"{address}/?run={RUN}&lang=en")
    mine.locator(".st-key-continue-run button").first.click()
    expect(mine.locator(".st-key-controls")).to_be_visible()
    here = mine.url
    (mark,) = (cookie for cookie in context.cookies() if cookie["name"] == COOKIE)
    assert (mark["httpOnly"], mark["sameSite"], len(mark["value"])) == (True, "Strict", 43)
    assert mark["value"] not in mine.content()

    other = context.new_page()
    other.goto(urlsplit(mine.url)._replace(path="/graph").geturl())
    expect(other.get_by_text("You are watching.")).to_be_visible()
    assert [one["value"] for one in context.cookies() if one["name"] == COOKIE] == [mark["value"]]

    other.get_by_role("button", name="Take over").click()
    expect(mine.get_by_text("You are watching.")).to_be_visible()
    expect(mine.locator(".st-key-controls")).to_have_count(0)
    expect(other.get_by_text("You are watching.")).to_have_count(0)
    other.close()
    expect(mine.get_by_text("No tab controls this run now.")).to_be_visible()
    mine.reload()
    expect(mine.locator(".st-key-controls")).to_be_visible()
    expect(mine.locator(".answer-box")).to_be_visible(timeout=120_000)
    expect(mine).to_have_url(here)

    strangers = browser.new_context(locale="en-GB")
    stranger = strangers.new_page()
    stranger.goto(mine.url)
    expect(stranger.get_by_text("open in another browser")).to_be_visible()
    strangers.close()
    context.close()
