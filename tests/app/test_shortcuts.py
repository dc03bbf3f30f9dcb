"""Shortcuts: each is that of a button on a page, no key presses two of them; and in a real browser they work."""

from __future__ import annotations

import shutil
import tomllib
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page
from streamlit.testing.v1 import AppTest

from memorybank.memory.events import StageFinished
from memorybank.runs.run_folder import JOURNAL, load, state_at
from memorybank.ui.shell.shortcuts import SHORTCUTS
from memorybank.views.i18n import catalogue, t
from memorybank.views.link import PAGES
from tests.app.driving import ROOT, SMALL, rest, tab_of
from tests.app.looking import LEAST_UNTOUCHED, at_rest
from tests.app.test_demo import opened
from tests.recorded import recorded_run
from tests.watching import expect

RUN = "5e" * 16

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


def test_every_shortcut_is_that_of_a_button_and_no_key_presses_two(owned: AppTest) -> None:
    """On every page, with and without the story, presented or not."""
    seen: dict[str, set[str]] = {}

    def look() -> None:
        heard = [one for one in owned.button if one.proto.shortcut]
        for one in heard:
            seen.setdefault(one.proto.shortcut, set()).add(str(one.key))
        pressed = [one.proto.shortcut for one in heard if not one.disabled]
        assert len(pressed) == len(set(pressed)), tab_of(owned).page

    def look_at_all_pages() -> None:
        for name in PAGES:
            tab_of(owned).page_wanted = name
            owned.run()
            assert not owned.exception, name
            look()

    look_at_all_pages()
    owned.button(key="present").click().run()
    owned.button(key="story-start").click().run()
    look_at_all_pages()
    assert seen == {one.key.lower().replace("esc", "escape"): set(one.buttons) for one in SHORTCUTS}
    for lang in ("en", "zh"):
        assert {f"shell.keys.{one.name}" for one in SHORTCUTS} <= catalogue(lang).keys()


# -- in a real browser ------------------------------------------------------------------------------------------------


@pytest.fixture
def page(browser: Browser, serve_app: Callable[..., str]) -> Iterator[Page]:
    """Whatever is pressed: no error in the browser's console, and no request that leaves the machine."""
    with opened(browser, f"{serve_app(**SMALL)}/?lang=en") as (_, page):
        expect(page.locator(".st-key-demo button").first).to_be_visible()
        expect(page.locator(".st-key-shell .theme")).to_be_visible()
        yield page


def turn_to(page: Page, name: str) -> None:
    page.locator(f'header a[href$="/{name}"]').first.click()


def test_keys_press_the_pages_own_buttons_and_only_write_in_a_field(page: Page) -> None:
    board = page.keyboard
    board.press("h")
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("Pause the story")
    for key in ("p", "t", " "):  # not for the page behind it
        board.press(key)
    board.press("Escape")
    expect(dialog).not_to_be_visible()
    at_rest(page)
    assert "view=" not in page.url
    expect(page.locator(".st-key-story")).not_to_be_attached()

    task = page.locator(".st-key-new-prompt textarea")
    task.click()
    board.type("This: a step, 100 pages ")
    expect(task).to_have_value("This: a step, 100 pages ")
    at_rest(page)
    assert "view=" not in page.url
    expect(dialog).not_to_be_visible()
    page.locator(".app-title").click()
    page.locator(".st-key-lang").get_by_text("中文").click()
    expect(page.locator(".st-key-demo button").first).to_contain_text("运行演示")
    page.wait_for_function("document.cookie.includes('memorybank-lang=zh')")
    page.locator(".app-title").click()
    board.press("h")
    expect(dialog).to_contain_text(t("shell.keys.pause", "zh"))
    dialog.get_by_role("button", name="关闭").last.click()
    expect(dialog).not_to_be_visible()
    page.locator(".st-key-lang").get_by_text("EN").click()
    expect(page.locator(".st-key-demo button").first).to_contain_text("Run the demo")

    page.locator(".app-title").click()
    board.press("t")
    expect(page.locator(".st-key-story-leave button")).to_be_visible()
    board.press("t")
    expect(page.locator(".st-key-story")).not_to_be_attached()
    # Two scenes at least, whatever else this machine does: they are gone through below.
    expect(page.locator(".stage.done", has_text="Analyse").first).to_be_visible()
    board.press("g")
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
    expect(page.locator(".st-key-present-end button")).to_be_visible()
    page.locator(".canvas").first.click()  # whatever has the focus, a clicker's keys are heard
    dark = page.locator("#memorybank-dark")
    for key in ("b", "PageDown", "b"):  # faster than the server: the second time it waits already
        board.press(key)
    expect(dark).to_be_visible()
    expect(page.locator(".st-key-story-pause")).to_contain_text("Play")  # the story waits
    at_rest(page)
    expect(page.locator(".st-key-story-pause")).to_contain_text("Play")
    held = page.evaluate(K)
    board.press("PageDown")
    expect(dark).not_to_be_visible()
    assert page.evaluate(K) == held, "out of the dark first"
    board.press("PageUp" if held > 3 else "PageDown")
    page.wait_for_function(f"{K} {'<' if held > 3 else '>'} {held}")
    end_presenting(page)
    expect(page.locator(".st-key-header")).to_be_visible()
    board.press("t")
    expect(page.locator(".st-key-story")).not_to_be_attached()
    expect(page.locator(".st-key-controls")).to_be_visible()
    page.wait_for_function("!location.search.includes('k=')")


def end_presenting(page: Page) -> None:
    """A first Esc is the browser's own where it shows the page in full screen."""
    page.keyboard.press("Escape")
    if page.evaluate("document.fullscreenElement !== null"):
        page.wait_for_function("document.fullscreenElement === null")
        page.keyboard.press("Escape")
    page.wait_for_function("!location.search.includes('view=present')")


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
        end_presenting(page)
        for selector in away:
            expect(page.locator(selector).first).to_be_visible()

    presented([".st-key-header", ".st-key-controls", ".st-key-feed-box"], [".canvas", ".stage"])
    turn_to(page, "graph")
    presented([".st-key-graph-tools", ".st-key-header"], [".canvas", ".gr-item"])
    turn_to(page, "conflicts")
    presented([".st-key-decide"], [".st-key-conflicts-view", ".st-key-conflict-rows"])
    page.locator(".st-key-conflicts-view button").nth(1).click()
    presented(["[class*=st-key-undo-] button", "[class*=st-key-merge-][class*=-undo]"], [".st-key-merge-rows"])
    turn_to(page, "replay")
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
    turn_to(page, "tree")
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


def test_light_and_dark_are_switched_and_remembered(page: Page) -> None:
    themes = tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text("utf-8"))["theme"]
    light, dark = (themes[one]["backgroundColor"] for one in ("light", "dark"))

    def looks(which: Page, colour: str) -> None:
        red, green, blue = (int(colour[at : at + 2], 16) for at in (1, 3, 5))
        expect(which.locator(".stApp")).to_have_css("background-color", f"rgb({red}, {green}, {blue})")

    looks(page, light)
    page.locator(".st-key-shell .theme").click()
    looks(page, dark)
    page.reload()
    expect(page.locator(".st-key-shell .theme")).to_be_visible()
    looks(page, dark)
    other = page.context.new_page()
    other.goto(page.url)
    expect(other.locator(".st-key-shell .theme")).to_be_visible()
    looks(other, dark)
    other.close()
    page.locator(".st-key-shell .theme").click()
    looks(page, light)
