"""Shortcuts: each is that of a button on a page, no key presses two of them; and in a real browser they work."""

from __future__ import annotations

import shutil
import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page
from streamlit.testing.v1 import AppTest

from memorybank.ui.shell.switch import SHORTCUTS
from memorybank.views.link import PAGES
from tests.app.driving import ROOT, SMALL, rest, tab_of, worker_of
from tests.app.looking import at_rest
from tests.app.test_demo import opened
from tests.recorded import recorded_run
from tests.watching import expect

RUN = "5e" * 16


@pytest.fixture
def owned(whole_app: AppTest, tmp_path: Path) -> AppTest:
    """The recorded run, gone on with in this tab: all that can be pressed is there."""
    shutil.copytree(recorded_run("en").path, tmp_path / "runs" / RUN)
    whole_app.query_params["run"] = RUN
    whole_app.run()
    whole_app.button(key="continue-run").click().run()
    return rest(whole_app)


def test_every_shortcut_is_that_of_a_button_and_no_key_presses_two(owned: AppTest) -> None:
    """On every page, with and without the story."""
    seen: dict[str, set[str]] = {}

    def look_at_all_pages() -> None:
        for name in PAGES:
            tab_of(owned).page_wanted = name
            owned.run()
            assert not owned.exception, name
            heard = [one for one in owned.button if one.proto.shortcut]
            for one in heard:
                seen.setdefault(one.proto.shortcut, set()).add(str(one.key))
            pressed = [one.proto.shortcut for one in heard if not one.disabled]
            assert len(pressed) == len(set(pressed)), tab_of(owned).page

    look_at_all_pages()
    owned.button(key="story-start").click().run()
    look_at_all_pages()
    tab_of(owned).story.place = None
    worker_of(owned).obey(lambda session: session.ask("How long?"))
    rest(owned)
    look_at_all_pages()
    assert seen == {one.key.lower(): set(one.buttons) - {"pause"} for one in SHORTCUTS}


# -- in a real browser ------------------------------------------------------------------------------------------------


def test_keys_only_write_in_a_field_and_language_and_theme_are_switched_and_remembered(
    browser: Browser, serve_app: Callable[..., str]
) -> None:
    """Whatever is pressed: no error in the browser's console, and no request that leaves the machine."""
    with opened(browser, f"{serve_app(**SMALL)}/?lang=en") as (_, page):
        expect(page.locator(".st-key-demo button").first).to_be_visible()
        expect(page.locator(".st-key-shell .theme")).to_be_visible()
        _write_and_choose_a_language(page)
        _switch_the_theme(page)


def _write_and_choose_a_language(page: Page) -> None:
    board = page.keyboard
    task = page.locator(".st-key-new-prompt textarea")
    task.click()
    board.type("This: a step, 100 pages ")
    expect(task).to_have_value("This: a step, 100 pages ")
    at_rest(page)
    expect(page.locator(".st-key-story")).not_to_be_attached()
    page.locator(".app-title").click()
    page.locator(".st-key-lang").get_by_text("中文").click()
    expect(page.locator(".st-key-demo button").first).to_contain_text("运行演示")
    page.wait_for_function("document.cookie.includes('memorybank-lang=zh')")
    page.locator(".st-key-lang").get_by_text("EN").click()
    expect(page.locator(".st-key-demo button").first).to_contain_text("Run the demo")


def _switch_the_theme(page: Page) -> None:
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
