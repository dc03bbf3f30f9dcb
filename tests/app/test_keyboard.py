"""Shortcuts: each presses something that is on its page; none is told twice; and in a real browser they work."""

from __future__ import annotations

import itertools
import shutil
import tomllib
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page
from streamlit.testing.v1 import AppTest

from memorybank.memory.events import StageFinished
from memorybank.runs.run_folder import JOURNAL, load, state_at
from memorybank.ui.components.keyboard.shortcuts import GROUPS, SHORTCUTS, Shortcut, listed, path_of
from memorybank.ui.shell import links, state
from memorybank.ui.shell.tab import Selection
from memorybank.views.i18n import catalogue
from memorybank.views.link import PageName
from tests.app.driving import ROOT, SMALL, keys, rest, tab_of
from tests.app.looking import LEAST_UNTOUCHED, at_rest
from tests.app.test_demo import opened
from tests.recorded import recorded_run
from tests.watching import expect

RUN = "5e" * 16

ADDRESSED = ("press", "focus", "cycle")
INSIDE = {"timeline": "replay", "timeline-line": "graph"}
"""Components whose own buttons are pressed, and a page that has them at a past moment."""


def on(page: PageName) -> list[Shortcut]:
    return [one for one in SHORTCUTS if not one.pages or page in one.pages]


def test_no_key_means_two_things_on_a_page_and_none_is_streamlits() -> None:
    for page, presenting in itertools.product(links.PAGES, (False, True)):
        typed = [one.keys for one in on(page) if one.presenting is presenting]
        assert len(typed) == len(set(typed)), page
        for one in typed:
            assert not any(other != one and other[: len(one)] == one for other in typed), "a beginning is not an end"
        assert not {("r",), ("c",)} & {one[:1] for one in typed}
    assert {one.group for one in SHORTCUTS} == set(GROUPS)


def test_the_help_tells_every_shortcut_in_both_languages() -> None:
    for lang in ("en", "zh"):
        told = listed(lang)
        assert [one["keys"] for one in told] == [one.keys for one in SHORTCUTS]
        assert all(one["words"] for one in told)
        assert {f"shell.group.{group}" for group in GROUPS} <= catalogue(lang).keys()


K = "Number(new URLSearchParams(location.search).get('k'))"
"""The moment that the address names; 0 for the newest."""


@pytest.fixture
def owned(whole_app: AppTest, tmp_path: Path) -> AppTest:
    """The recorded run, gone on with in this tab: all that can be pressed is there."""
    shutil.copytree(recorded_run("en").path, tmp_path / "runs" / RUN)
    whole_app.query_params["run"] = RUN
    whole_app.run()
    whole_app.button(key="continue-run").click().run()
    return rest(whole_app)


def turned_to(page: AppTest, name: str) -> AppTest:
    tab_of(page).page_wanted = name
    return page.run()


def test_what_a_shortcut_presses_is_on_its_page(owned: AppTest) -> None:
    """In one state or another: with a run and without, at a past moment, with a node or a call chosen, in the story."""
    seen: dict[str, set[str]] = {name: set() for name in links.PAGES}

    def look(name: str) -> None:
        turned_to(owned, name)
        assert not owned.exception, name
        seen[name] |= keys(owned)

    for name in links.PAGES:
        look(name)
    tab_of(owned).at = 120
    tab_of(owned).selections["graph"] = Selection("n1", None)  # type: ignore[arg-type]
    owned.session_state["graph-search"] = "telescope"
    tab_of(owned).focus["call"] = next(
        str(one.seq) for one in tab_of(owned).run.records if type(one.event).__name__ == "AgentCalled"
    )
    tab_of(owned).followed = f"call:{tab_of(owned).focus['call']}"
    for name in ("session", "graph", "prompt", "replay"):
        look(name)
    owned.session_state["replay-section"] = "diff"
    look("replay")
    tab_of(owned).selections["graph"] = Selection(None, None)
    owned.button(key="story-start").click().run()
    for name in ("session", "graph", "replay", "compare"):
        look(name)
    state.runs().clear(tab_of(owned).run)
    tab_of(owned).story.place = None
    del tab_of(owned).story.place, tab_of(owned).run
    for name in links.PAGES:
        look(name)

    elsewhere = {"continue-run": "a saved run", "take-over": "a foreign run", "reopen": "a failed run"}
    elsewhere |= {"close-edge": "a chosen edge", "conflicts-search": "more conflicts than fit"}
    elsewhere |= {"studio-unread-next": "a settlement with a sentence that was not read"}
    for one in SHORTCUTS:
        if one.act not in ADDRESSED:
            continue
        for target in one.target:
            pressed = {step.split(" :: ")[0] for step in path_of(target)} - elsewhere.keys()
            pages = one.pages or tuple(links.PAGES)
            assert any(pressed <= seen[page] for page in pages), f"{one.keys}: {target} is on none of {pages}"
    for page in {page for one in SHORTCUTS for page in one.pages}:
        for one in on(page):
            if one.pages and one.act in ADDRESSED:
                assert any(
                    {step.split(" :: ")[0] for step in path_of(t)} - elsewhere.keys() <= seen[page] for t in one.target
                ), f"{one.keys} does nothing on {page}"


# -- in a real browser ------------------------------------------------------------------------------------------------


@pytest.fixture
def page(browser: Browser, serve_app: Callable[..., str]) -> Iterator[Page]:
    """Whatever is pressed: no error in the browser's console, and no request that leaves the machine."""
    with opened(browser, f"{serve_app(**SMALL)}/?lang=en") as (_, page):
        expect(page.locator(".st-key-demo button").first).to_be_visible()
        expect(page.locator(".st-key-shell .tools .help")).to_be_visible()
        yield page


def test_keys_press_the_pages_own_buttons(page: Page) -> None:
    board = page.keyboard
    board.press("?")
    dialog = page.locator("#memorybank-over dialog.keys")
    expect(dialog).to_be_visible()
    expect(dialog).to_contain_text("Until the next conflict")
    board.press("Escape")
    expect(dialog).not_to_be_visible()
    page.locator(".st-key-shell .tools .help").click()
    expect(dialog).to_be_visible()
    board.press("?")
    expect(dialog).not_to_be_visible()

    task = page.locator(".st-key-new-prompt textarea")
    expect(task).to_be_visible()
    board.press("i")
    expect(task).to_be_focused()
    board.type("s?2 l")
    expect(task).to_have_value("s?2 l")
    expect(dialog).not_to_be_visible()
    board.press("Escape")
    expect(task).not_to_be_focused()

    board.press("2")
    expect(page.locator(".st-key-no-run")).to_be_visible()
    assert "/graph" in page.url
    board.press("1")
    expect(page.locator(".st-key-demo button").first).to_be_visible()
    board.press("3")
    expect(page.locator(".st-key-no-run")).to_be_visible()
    assert "/conflicts" in page.url, "what was asked once is not heard again on the next page"
    board.press("1")
    expect(page.locator(".st-key-demo button").first).to_be_visible()
    board.press("l")
    expect(page.locator(".st-key-demo button").first).to_contain_text("运行演示")
    page.wait_for_function("document.cookie.includes('memorybank-lang=zh')")
    board.press("?")
    expect(dialog).to_contain_text("运行到下一个冲突")
    board.press("Escape")
    board.press("l")
    expect(page.locator(".st-key-demo button").first).to_contain_text("Run the demo")
    expect(page.locator(".st-key-shell .tools .help")).to_have_attribute("title", "Keyboard shortcuts")

    board.press("s")
    expect(page.locator("#memorybank-over .line")).to_contain_text("not possible now")
    board.press(" ")
    expect(page.locator(".st-key-story")).to_be_visible()
    board.press("t")
    expect(page.locator(".st-key-story")).not_to_be_attached()
    # Two scenes at least, whatever else this machine does: they are gone through below.
    expect(page.locator(".stage.done", has_text="Analyse").first).to_be_visible()
    board.press(" ")
    expect(page.locator(".st-key-pause button").first).to_be_disabled()

    board.press("t")
    expect(page.locator(".st-key-story-next button").first).to_be_enabled()
    page.locator(".st-key-story-speed").get_by_role("radio").first.click()  # no scene ends by itself meanwhile
    page.evaluate("document.activeElement.blur()")  # there the arrows would choose another speed
    page.wait_for_function(f"{K} >= 3")
    k = page.evaluate(K)
    board.press("ArrowRight")
    page.wait_for_function(f"{K} > {k}")
    expect(page.locator(".st-key-story-pause")).to_contain_text("Play")
    board.press("ArrowLeft")
    page.wait_for_function(f"{K} === {k}")
    board.press(" ")
    expect(page.locator(".st-key-story-pause")).to_contain_text("Pause")
    board.press("p")
    page.wait_for_function("location.search.includes('view=present')")
    expect(page.locator(".st-key-header")).not_to_be_visible()
    expect(page.locator("#memorybank-over .exit")).to_be_visible()
    page.locator(".canvas").first.click()  # whatever has the keyboard, a clicker's keys are heard
    dark = page.locator("#memorybank-over .dark")
    for key in ("b", "PageDown", "b"):  # faster than the server: the second time it waits already
        board.press(key)
    expect(dark).to_be_visible()
    expect(page.locator(".st-key-story-pause")).to_contain_text("Play")  # the story waits
    at_rest(page)
    expect(page.locator(".st-key-story-pause")).to_contain_text("Play")
    held = page.evaluate(K)
    for key in ("b", "."):
        board.press("PageDown")
        expect(dark).not_to_be_visible()
        board.press(key)
        expect(dark).to_be_visible()
    board.press("PageDown")
    expect(dark).not_to_be_visible()
    assert page.evaluate(K) == held, "out of the dark first"
    board.press("PageUp" if held > 3 else "PageDown")
    page.wait_for_function(f"{K} {'<' if held > 3 else '>'} {held}")
    board.press("PageDown" if held > 3 else "PageUp")
    page.wait_for_function(f"{K} === {held}")
    board.press("Escape")
    page.wait_for_function("!location.search.includes('view=present')")
    expect(page.locator(".st-key-header")).to_be_visible()
    board.press("Escape")
    expect(page.locator(".st-key-story")).not_to_be_attached()
    expect(page.locator(".st-key-controls")).to_be_visible()
    page.wait_for_function("!location.search.includes('k=')")


def cut_where_there_is_something_to_decide(folder: Path) -> None:
    """Leave the run where its last conflict is open and a merge can be undone."""
    records = load(folder)
    for border in [one.seq for one in reversed(records) if isinstance(one.event, StageFinished)]:
        bank = state_at(records[:border])
        if bank.tree.merge_events and any(one.status == "open" for one in bank.conflicts.all.values()):
            break
    lines = (folder / JOURNAL).read_text("utf-8").splitlines(keepends=True)
    (folder / JOURNAL).write_text("".join(lines[: 1 + border]), "utf-8")


def test_what_is_presented_is_shown_without_what_changes_the_run(
    browser: Browser, serve_app: Callable[..., str], tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Page by page: what is away while it is presented and there before and after, and what stays."""
    storage = tmp_path_factory.mktemp("presented")
    shutil.copytree(recorded_run("en").path, storage / ("a" * 32))
    cut_where_there_is_something_to_decide(storage / ("a" * 32))
    address = serve_app(STORAGE_DIR=str(storage), **SMALL)
    page = browser.new_context(viewport={"width": 1360, "height": 900}, locale="en-US").new_page()
    page.goto(f"{address}/?run={'a' * 32}&lang=en")
    page.locator(".st-key-continue-run button").first.click()
    expect(page.locator(".st-key-step button").first).to_be_visible()

    def presented(away: Sequence[str], stays: Sequence[str]) -> None:
        at_rest(page)
        for selector in (*away, *stays):
            expect(page.locator(selector).first).to_be_visible()
        page.keyboard.press("p")
        page.wait_for_function("location.search.includes('view=present')")
        for selector in away:
            expect(page.locator(selector).first).to_be_hidden()
        for selector in stays:
            expect(page.locator(selector).first).to_be_visible()
        page.keyboard.press("Escape")
        page.wait_for_function("!location.search.includes('view=present')")
        for selector in away:
            expect(page.locator(selector).first).to_be_visible()

    presented([".st-key-header", ".st-key-controls", ".st-key-feed-box"], [".canvas", ".stage"])
    page.keyboard.press("2")
    presented([".st-key-graph-tools", ".st-key-header"], [".canvas", ".gr-item"])
    page.keyboard.press("3")
    presented([".st-key-decide"], [".st-key-conflicts-view", ".st-key-conflict-rows"])
    page.locator(".st-key-conflicts-view button").nth(1).click()
    presented(["[class*=st-key-undo-] button", "[class*=st-key-merge-][class*=-undo]"], [".st-key-merge-rows"])
    page.keyboard.press("6")
    page.locator(".st-key-fork-here button").first.click()
    slider = ["input[type=range]", ".st-key-timeline .play", ".canvas"]
    presented(
        [".st-key-fork-here", ".st-key-fork-card", ".st-key-fork-do", ".st-key-set-a"], [*slider, ".st-key-diff-card"]
    )
    files = page.locator(".st-key-replay-section button").last
    files.click()
    presented([".st-key-save-card", ".st-key-export-card", ".st-key-replay-section button >> nth=-1"], slider)


def test_back_leads_to_the_page_before_not_to_the_moment_before(page: Page) -> None:
    page.keyboard.press("t")
    expect(page.locator(".st-key-story-next button").first).to_be_enabled()
    page.keyboard.press(" ")
    expect(page.locator(".st-key-story-pause")).to_contain_text("Play")  # no scene ends by itself
    page.keyboard.press("4")
    page.wait_for_function("location.pathname === '/tree'")
    at_rest(page, LEAST_UNTOUCHED)  # until then the bar may be that of the page before; the run goes on
    expect(page.locator(".st-key-story-next button").first).to_be_enabled()
    k = page.evaluate(K)
    for _ in range(2):
        page.keyboard.press("ArrowRight")
        page.wait_for_function(f"{K} > {k}")
        k = page.evaluate(K)
    page.go_back()
    page.wait_for_function("location.pathname === '/'")
    page.wait_for_function(f"{K} === {k}")


def test_everything_on_the_page_is_found_by_name_and_done_by_enter(page: Page) -> None:
    """What has no key of its own is chosen from the list of the page, in the language of the page."""
    board = page.keyboard
    found = page.locator("#memorybank-over dialog.actions")
    board.press("o")
    expect(found).to_be_visible()
    expect(found.get_by_role("option", name="Run the demo", exact=True)).to_have_count(1)
    expect(found.get_by_role("option", name="Conflicts & merges", exact=True)).to_have_count(1)
    board.type("no such thing on it")
    expect(found.get_by_role("option")).to_have_count(0)
    expect(found.locator("p")).to_contain_text("0 of")
    board.press("Enter")
    board.press("Escape")
    board.press("o")
    expect(found.get_by_role("option", name="Run the demo", exact=True)).to_have_count(1)
    board.press("Escape")
    expect(found).not_to_be_visible()

    board.press("o")
    expect(found).to_be_visible()
    every = found.get_by_role("option").all_inner_texts()
    assert not any("_" in one for one in every), f"icons are no words: {every}"
    board.type("merges confl")
    board.press("ArrowDown")
    board.press("ArrowUp")
    expect(found.locator("[aria-selected=true]")).to_have_text("Conflicts & merges")
    board.press("Enter")
    expect(found).not_to_be_visible()
    page.wait_for_function("location.pathname === '/conflicts'")
    expect(page.locator(".st-key-no-run")).to_be_visible()
    board.press("l")
    expect(page.locator(".st-key-no-run")).to_contain_text("运行演示")
    board.press("o")
    expect(found.get_by_placeholder("输入要找的操作")).to_be_visible()
    expect(found.get_by_role("option", name="运行演示")).to_have_count(1)


def test_light_and_dark_are_switched_and_remembered(page: Page) -> None:
    themes = tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text("utf-8"))["theme"]
    light, dark = (themes[one]["backgroundColor"] for one in ("light", "dark"))

    def looks(which: Page, colour: str) -> None:
        red, green, blue = (int(colour[at : at + 2], 16) for at in (1, 3, 5))
        expect(which.locator(".stApp")).to_have_css("background-color", f"rgb({red}, {green}, {blue})")

    looks(page, light)
    page.keyboard.press("d")
    looks(page, dark)
    page.reload()
    expect(page.locator(".st-key-shell .tools .help")).to_be_visible()
    looks(page, dark)
    other = page.context.new_page()
    other.goto(page.url)
    expect(other.locator(".st-key-shell .tools .help")).to_be_visible()
    looks(other, dark)
    other.close()
    page.keyboard.press("d")
    looks(page, light)
