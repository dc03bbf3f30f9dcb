"""How a test looks at a page in a real browser: at rest, at a width and in a theme, under axe, word by word."""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from typing import Any, Literal

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

from memorybank.memory.types import Lang
from tests.app.foreign_words import foreign_words

Scheme = Literal["light", "dark"]
Look = tuple[int, Scheme]
WIDTHS = (1280, 420, 1920)
LOOKS: tuple[Look, ...] = (*((width, "light") for width in WIDTHS), *((width, "dark") for width in reversed(WIDTHS)))
"""Every width in every theme, a ring: from each to the next one thing changes, as each change is drawn anew."""
SERIOUS = ("serious", "critical")

STILL = """({ asked, least }) => {
    const running = document.querySelector('.stApp')?.getAttribute('data-test-script-state') !== 'notRunning';
    const now = performance.now();
    if (running || window.stillSince?.asked !== asked) window.stillSince = { asked, now };
    return now - window.stillSince.now >= least;
}"""
LEAST = 400
"""Milliseconds in which nothing begins: what a click sets going has begun by then."""
LEAST_UNTOUCHED = 150
"""The same, where nothing was clicked: what a width or a theme sets going begins at once."""
THEMED = """(isDark) => {
    const [red] = getComputedStyle(document.querySelector(".stApp")).backgroundColor.match(/\\d+/g);
    const moves = ({ effect, playState }) => playState === "running" && effect.getTiming().iterations !== Infinity;
    return red < 128 === isDark && !document.getAnimations().some(moves);
}"""
FITS = """() => [document.documentElement, document.querySelector('[data-testid="stMain"]')].every(
  (one) => one.scrollWidth <= one.clientWidth
)"""
"""Nothing is wider than the window."""
_AXE = Axe()
_asked = itertools.count()


def press(page: Page, key: str) -> None:
    page.locator(f".st-key-{key} button").first.click()


def at_rest(page: Page, least: int = LEAST) -> None:
    """The page has been drawn: its script is over and stays over for a moment, of `least` milliseconds."""
    page.locator(".st-key-rich-loader").first.wait_for(state="attached", timeout=60_000)
    page.wait_for_function(STILL, arg={"asked": next(_asked), "least": least}, polling=50, timeout=60_000)


def show(page: Page, width: int, scheme: Scheme, least: int = LEAST) -> None:
    """With the pointer on nothing: a button it rests on has Streamlit's own paint."""
    page.mouse.move(2, 2)
    page.set_viewport_size({"width": width, "height": 900})
    page.emulate_media(color_scheme=scheme)
    at_rest(page, least)
    page.wait_for_function(THEMED, arg=scheme == "dark")


def violations(page: Page) -> list[str]:
    """What axe finds that is serious. It is brought to a page once, and is quicker each time it looks."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(_AXE.axe_script)
    found = page.evaluate("axe.run({ resultTypes: ['violations'] }).then((results) => results.violations)")
    return [_told(one) for one in found if one["impact"] in SERIOUS]


def _told(violation: Any) -> str:
    nodes = violation["nodes"]
    places = [f"{node['target']} {node['any'][0]['message'] if node['any'] else ''}" for node in nodes[:3]]
    return f"{violation['id']} ({violation['impact']}, {len(nodes)}): {' | '.join(places)}"


def faults_in_every_look(page: Page, lang: Lang, given: Iterable[str] = ()) -> dict[Look, list[str]]:
    """Of a page at rest: nothing but width and theme changes between two looks."""
    return {look: faults(page, look, lang, given, LEAST_UNTOUCHED) for look in LOOKS}


def faults(page: Page, look: Look, lang: Lang, given: Iterable[str] = (), least: int = LEAST) -> list[str]:
    """In a look: what axe finds, words of the other language but those that are `given`, what is too wide."""
    show(page, *look, least)
    wide = [] if page.evaluate(FITS) else ["something is wider than the window"]
    return [*violations(page), *foreign_words(page, lang, given), *wide]
