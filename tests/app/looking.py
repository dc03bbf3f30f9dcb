"""How a test looks at a page in a real browser: at rest, at a width and in a theme, under axe, word by word."""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Literal

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Locator, Page

from memorybank.memory.types import Lang
from tests.app.foreign_words import foreign_words
from tests.waiting import wait_until
from tests.watching import expect

Scheme = Literal["light", "dark"]
Look = tuple[int, Scheme]
LOOKS: tuple[Look, ...] = ((1280, "light"), (420, "dark"))
"""A screen and a telephone, each theme once: colours are those of a theme at every width."""
SERIOUS = ("serious", "critical")

STILL = """({ asked, least }) => {
    const inShell = [...document.querySelectorAll(".st-key-shell *")];
    const hasKeys = inShell.some((one) => (one.shadowRoot ?? one).querySelector(".theme"));
    const isDrawn = hasKeys && document.querySelector(".st-key-rich-loader");
    const running = document.querySelector('.stApp')?.getAttribute('data-test-script-state') !== 'notRunning';
    const now = performance.now();
    const { sent, heard } = window.socketTimes;
    const isUnanswered = sent > heard && now - sent < 10_000;
    const isBusy = !isDrawn || running || isUnanswered;
    if (isBusy || window.still?.asked !== asked) window.still = { asked, since: now, looks: 0 };
    window.still.looks += 1;
    return window.still.looks > 2 && now - window.still.since >= least;
}"""
"""No script runs, and none is asked for (`socketTimes`: conftest.py), in several looks: a page that is busy by
itself is not still because time passes."""
LEAST = 400
"""Milliseconds in which nothing begins: what a click sets going has begun by then."""
LEAST_UNTOUCHED = 150
"""The same, where nothing was clicked: what a width or a theme sets going begins at once."""
THEMED = """(isDark) => {
    const [red] = getComputedStyle(document.querySelector(".stApp")).backgroundColor.match(/\\d+/g);
    const moves = ({ effect, playState }) => playState === "running" && effect.getTiming().iterations !== Infinity;
    const within = (root) => [...root.querySelectorAll("*")].map(({ shadowRoot }) => shadowRoot).filter(Boolean);
    const isMoving = (root) => root.getAnimations().some(moves) || within(root).some(isMoving);
    return red < 128 === isDark && !isMoving(document);
}"""
"""The theme is on, and nothing fades or moves any more, in no component's own tree either."""
STANDS = """({ network, clientWidth, clientHeight }) => {
  const places = Object.entries(network?.getPositions() ?? {}).map(([id, at]) => [id, network.canvasToDOM(at)]);
  return places.length ? JSON.stringify([clientWidth, clientHeight, places]) : "";
}"""
FITS = """() => [document.documentElement, document.querySelector('[data-testid="stMain"]')].every(
  (one) => one.scrollWidth <= one.clientWidth
)"""
"""Nothing is wider than the window."""
SEEN_BY_AXE = Path(__file__).with_name("seen_by_axe.js").read_text("utf-8")
"""A rule that fails at one element says nothing of all others, so it is asked again without that one.

That of contrast does at some that are scrolled out of sight in a part of the page, where the window is 1,280 pixels
wide: where it does so often, without the component that they are in, which is looked at in the other widths.
"""
_TRIES = 12
_AXE = Axe()
_asked = itertools.count()


def press(page: Page, key: str) -> None:
    """Streamlit draws a button with a hint twice, for wide windows and for narrow ones."""
    page.locator(f".st-key-{key} button:visible").first.click()


def at_rest(page: Page, least: int = LEAST) -> None:
    """The page has been drawn: its script is over and stays over for a moment, of `least` milliseconds.

    The buttons of the keyboard's component are there, too: what a page looks like by keys comes with its code.
    """
    page.wait_for_function(STILL, arg={"asked": next(_asked), "least": least}, polling=50, timeout=180_000)


def files_at_rest(page: Page) -> None:
    """What was given is with the server, and the page has been drawn with it: the name of a file is there before."""
    expect(page.get_by_test_id("stFileChipIconSpinner")).to_have_count(0)
    at_rest(page)


def graph_at_rest(box: Locator) -> None:
    """The picture is there and stands: nodes may come in pieces, and a change of the page's size moves all of them."""
    looks = [""]

    def stands() -> bool:
        looks.append(str(box.evaluate(STANDS)))
        box.page.wait_for_timeout(100)
        return looks[-1] != "" and len(set(looks[-4:])) == 1

    wait_until(stands, 60)


def show(page: Page, width: int, scheme: Scheme, least: int = LEAST) -> None:
    """With the pointer on nothing: a button it rests on has Streamlit's own paint."""
    page.mouse.move(2, 2)
    page.evaluate(
        "document.fullscreenElement && document.exitFullscreen()"
    )  # a story that a click began has the screen
    page.set_viewport_size({"width": width, "height": 900})
    page.emulate_media(color_scheme=scheme)
    at_rest(page, least)
    page.wait_for_function(THEMED, arg=scheme == "dark")


def violations(page: Page) -> list[str]:
    """What axe finds that is serious. It is brought to a page once, and is quicker each time it looks."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(_AXE.axe_script)
    found = page.evaluate(SEEN_BY_AXE, _TRIES)
    return [_told(one) for one in found if one["impact"] in SERIOUS]


def _told(violation: Any) -> str:
    nodes = violation["nodes"]
    places = [f"{node['target']} {node['any'][0]['message'] if node['any'] else ''}" for node in nodes[:3]]
    return f"{violation['id']} ({violation['impact']}, {len(nodes)}): {' | '.join(places)}"


def faults(
    page: Page, look: Look, lang: Lang, given: Iterable[str] = (), least: int = LEAST, *, axe: bool = True
) -> list[str]:
    """In a look: what axe finds, words of the other language but those that are `given`, what is too wide."""
    show(page, *look, least)
    wide = [] if page.evaluate(FITS) else ["something is wider than the window"]
    return [*(violations(page) if axe else ()), *foreign_words(page, lang, given), *wide]
