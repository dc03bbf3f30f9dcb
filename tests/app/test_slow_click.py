"""A click that is slow on its way is heard once."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Browser

from tests.app.driving import SMALL
from tests.app.test_demo import opened
from tests.watching import expect

HOLDS = """(() => {
  const later = window.setTimeout;
  window.heldBack = 0;
  window.setTimeout = (act, ms, ...given) => later(act, ms || window.heldBack, ...given);
})()"""
"""Run by each page before its own code: what Streamlit puts off until it has time, it puts off by `heldBack`."""
WORDS = """() => {
  window.words = [];
  setInterval(() => {
    const words = document.querySelector(".st-key-story-pause p")?.textContent;
    if (words && words !== window.words.at(-1)) window.words.push(words);
  }, 20);
}"""
HELD_BACK = 6_000
"""Milliseconds."""
SEVERAL_TIMERS = 2_000
"""Milliseconds, far fewer: in these each timer of the page is due at least twice."""


def test_a_click_that_is_slow_on_its_way_is_heard_once_though_timers_are_due(
    browser: Browser, serve_app: Callable[..., str]
) -> None:
    with opened(browser, f"{serve_app(**SMALL)}/?lang=en") as (_, page):
        page.add_init_script(HOLDS)
        page.reload()
        page.locator(".st-key-demo button").click(timeout=60_000)
        expect(page.locator(".st-key-story-pause")).to_contain_text("Pause")
        page.evaluate(WORDS)
        page.evaluate("(ms) => window.heldBack = ms", HELD_BACK)
        page.locator(".st-key-story-pause button").first.click()
        page.wait_for_timeout(SEVERAL_TIMERS)
        assert page.evaluate("window.words") == ["Pause"], "it is still on its way"
        page.evaluate("() => window.heldBack = 0")
        expect(page.locator(".st-key-story-pause")).to_contain_text("Play")
        page.wait_for_timeout(SEVERAL_TIMERS)
        assert page.evaluate("window.words") == ["Pause", "Play"]
