"""Keys that are faster than the server: each is pressed in its turn, none on a page that the user has left."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, Page

from memorybank.runs.run_folder import load
from memorybank.views.story import build_scenes
from tests.app.driving import SMALL
from tests.app.test_demo import opened
from tests.recorded import recorded_run
from tests.serving import ROOT, RUN, served_run
from tests.watching import expect

SLOW = """
import time
from memorybank.ui.story import bar
draw = bar.draw_story
def slowly(*given):
    time.sleep(0.5)
    draw(*given)
bar.draw_story = slowly
from memorybank.views import story
story.scene_seconds = lambda scene, lang: 600.0
"""
"""Run by the server's interpreter at its start: each drawing of a page takes half a second more, and no scene ends by
itself while the first is waited for."""


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder = tmp_path_factory.mktemp("slow")
    (folder / "sitecustomize.py").write_text(SLOW)
    with served_run(folder, PYTHONPATH=f"{folder}:{ROOT}") as url:
        yield url


FAR = """(() => {
  const send = WebSocket.prototype.send;
  WebSocket.prototype.send = function (...given) { setTimeout(() => send.apply(this, given), 250); };
})()"""
"""Run by each page before its own code: what it says comes to the server a quarter of a second later."""


@pytest.fixture
def page(browser: Browser, address: str) -> Iterator[Page]:
    with opened(browser, f"{address}/?run={RUN}&lang=en") as (_, page):
        expect(page.locator(".st-key-shell .tools .help")).to_be_visible(timeout=60_000)
        yield page


STANDS = """([seq, rest]) => {
  const state = document.querySelector("[data-test-script-state]").dataset.testScriptState;
  const reached = new URLSearchParams(location.search).get("k") === seq && state === "notRunning";
  if (!reached) window.reachedAt = 0;
  else if (!window.reachedAt) window.reachedAt = performance.now();
  return reached && performance.now() - window.reachedAt > rest;
}"""
REST = 1_000
"""Milliseconds: longer than it takes until a key that waits is pressed."""


def at(page: Page, step: int) -> None:
    """The moment of that step of the story is shown, and stays: a moment on the way to another is left at once."""
    seq = build_scenes(load(recorded_run().path))[step].seq
    page.evaluate("window.reachedAt = 0")
    page.wait_for_function(STANDS, arg=[str(seq), REST])


def pressed(page: Page, keys: str) -> None:
    """At once, one event after the other, as no hand could be slower than the page."""
    names = {">": "ArrowRight", "<": "ArrowLeft"}
    page.evaluate(
        """(keys) => {
          const how = { bubbles: true, composed: true, cancelable: true };
          for (const key of keys) document.body.dispatchEvent(new KeyboardEvent("keydown", { key, ...how }));
        }""",
        [names.get(key, key) for key in keys],
    )


def test_a_key_waits_until_the_server_has_begun_to_answer_the_last_one(page: Page) -> None:
    """Until then the page looks at rest, and its buttons do what they did before."""
    page.add_init_script(FAR)
    page.reload()
    expect(page.locator(".st-key-shell .tools .help")).to_be_visible(timeout=60_000)
    page.keyboard.press("t")
    expect(page.locator(".st-key-story-next button").first).to_be_enabled(timeout=60_000)
    at(page, 0)
    pressed(page, ">>><")
    at(page, 2)


def test_each_key_counts_and_in_its_order(page: Page) -> None:
    page.keyboard.press("t")
    expect(page.locator(".st-key-story-next button").first).to_be_enabled(timeout=60_000)
    at(page, 0)
    pressed(page, ">>>>>")
    at(page, 5)
    pressed(page, "<<>")
    at(page, 4)
    task = page.locator(".st-key-feed-text input").first
    pressed(page, ">>")
    task.click()
    page.keyboard.type("s<>2 ")
    page.keyboard.press("ArrowLeft")
    at(page, 6)
    expect(task).to_have_value("s<>2 ")

    pressed(page, ">>>4")
    page.wait_for_function("location.pathname === '/tree'")
    at(page, 7)


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
        page.locator(".st-key-story-pause button").click()
        page.wait_for_timeout(SEVERAL_TIMERS)
        assert page.evaluate("window.words") == ["Pause"], "it is still on its way"
        page.evaluate("() => window.heldBack = 0")
        expect(page.locator(".st-key-story-pause")).to_contain_text("Play")
        page.wait_for_timeout(SEVERAL_TIMERS)
        assert page.evaluate("window.words") == ["Pause", "Play"]
