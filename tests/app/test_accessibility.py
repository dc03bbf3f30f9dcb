"""Every page as a reader meets it: under axe, in both languages and themes, on a telephone and on a wide screen."""

from __future__ import annotations

import itertools
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Literal

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, TimeoutError

from memorybank.hosting.ready_tasks import recorded_runs
from memorybank.memory.types import Lang
from memorybank.runs.run_folder import JOURNAL, RunFolder
from memorybank.views.link import PAGES
from tests.app.driving import SMALL
from tests.app.foreign_words import foreign_words, words_given
from tests.app.test_demo import opened
from tests.app.test_hostile_browser import choices
from tests.recorded import recorded_run

RUN, SAMPLE = "a" * 32, "b" * 32
SERIOUS = ("serious", "critical")


@pytest.fixture
def address(lang: Lang, serve_app: Callable[..., str], tmp_path: Path) -> str:
    """A server that holds a finished run of one language."""
    shutil.copytree(recorded_run(lang).path, tmp_path / "runs" / RUN)
    return serve_app(STORAGE_DIR=str(tmp_path / "runs"), **SMALL)


Look = tuple[int, Literal["light", "dark"]]
LOOKS: dict[Lang, tuple[Look, ...]] = {
    "en": ((420, "dark"), (1920, "light"), (1280, "light")),
    "zh": ((420, "light"), (1920, "dark"), (1280, "dark")),
}
"""Widths and themes: with both languages every two of the three meet. The last is the one that pages are turned in."""


@pytest.mark.parametrize("lang", LOOKS)
def test_every_page_can_be_read_in_each_language_theme_and_width(browser: Browser, address: str, lang: Lang) -> None:
    """axe finds nothing serious, no word is of the other language, and nothing is wider than a telephone.

    The browser itself speaks the other language.
    """
    given = words_given(recorded_run(lang))
    found: dict[str, list[str]] = {}

    def look(place: str, width: int, scheme: Literal["light", "dark"]) -> None:
        show(page, width, scheme)
        faults = [*map(_told, violations(page)), *foreign_words(page, lang, given)]
        faults += [] if page.evaluate(FITS) else ["something is wider than the window"]
        found.setdefault(f"{place}, {width} {scheme}", []).extend(faults)

    with opened(browser, f"{address}/?lang={lang}", "en" if lang == "zh" else "zh") as (_, page):
        for state, names in (("empty", ("session", "graph")), ("full", tuple(PAGES))):
            if state == "full":
                page.goto(f"{address}/?run={RUN}&lang={lang}")
            for name in names:
                show(page, *LOOKS[lang][-1])
                page.locator(f'a[href$="/{"" if name == "session" else name}"]').first.click()
                at_rest(page)
                for width, scheme in LOOKS[lang]:
                    look(f"{name}, {state}", width, scheme)
                for words, way in zip(_unfolded(page), itertools.cycle(LOOKS[lang])):
                    look(f"{name}, {state} / {words}", *way)
    assert {place: faults for place, faults in found.items() if faults} == {}


@pytest.mark.parametrize("lang", LOOKS)
def test_a_run_with_a_language_model_and_its_story_can_be_read(
    browser: Browser, address: str, tmp_path: Path, lang: Lang
) -> None:
    """The bar of the story and the card of a scene, and what the calls of a model are shown by."""
    found: dict[str, list[str]] = {}
    sample = next(one for one in recorded_runs(lang) if one.engine == "llm")
    shutil.unpack_archive(sample.file, tmp_path / "sample")
    given = words_given(RunFolder(next((tmp_path / "sample").rglob(JOURNAL)).parent))
    shutil.copytree(next((tmp_path / "sample").rglob(JOURNAL)).parent, tmp_path / "runs" / SAMPLE)
    with opened(browser, f"{address}/?run={SAMPLE}&lang={lang}", "en" if lang == "zh" else "zh") as (_, page):
        at_rest(page)
        press(page, "story-start")
        for name, way in itertools.product(("session", "prompt"), LOOKS[lang]):
            show(page, *LOOKS[lang][-1])
            page.locator(f'a[href$="/{"" if name == "session" else name}"]').first.click()
            show(page, *way)
            if name == "session":
                press(page, "story-next")
                at_rest(page)
            faults = [*map(_told, violations(page)), *foreign_words(page, lang, given)]
            found[f"{name}, {way}"] = faults if page.evaluate(FITS) else [*faults, "wider than the window"]
    assert {place: faults for place, faults in found.items() if faults} == {}


def press(page: Page, key: str) -> None:
    page.locator(f".st-key-{key} button").first.click()


def _unfolded(page: Page) -> Iterator[str]:
    """Each view that the page's own choices unfold, by the choice's words."""
    for choice in choices(page):
        words = choice.inner_text()
        try:
            choice.click(timeout=5_000)
        except TimeoutError:
            continue  # it went away, or is switched off
        yield words


FITS = """() => [document.documentElement, document.querySelector('[data-testid="stMain"]')].every(
  (one) => one.scrollWidth <= one.clientWidth
)"""
"""Nothing is wider than the window."""
THEMED = """(isDark) => {
    const [red] = getComputedStyle(document.querySelector(".stApp")).backgroundColor.match(/\\d+/g);
    const moves = ({ effect, playState }) => playState === "running" && effect.getTiming().iterations !== Infinity;
    return red < 128 === isDark && !document.getAnimations().some(moves);
}"""


def show(page: Page, width: int, scheme: Literal["light", "dark"]) -> None:
    """With the pointer on nothing: a button it rests on has Streamlit's own paint."""
    page.mouse.move(2, 2)
    page.set_viewport_size({"width": width, "height": 900})
    page.emulate_media(color_scheme=scheme)
    at_rest(page)
    page.wait_for_function(THEMED, arg=scheme == "dark")


STILL = """({ asked, least }) => {
    const running = document.querySelector('.stApp')?.getAttribute('data-test-script-state') !== 'notRunning';
    const now = performance.now();
    if (running || window.stillSince?.asked !== asked) window.stillSince = { asked, now };
    return now - window.stillSince.now >= least;
}"""
LEAST = 400
"""Milliseconds in which nothing begins: what a click sets going has begun by then."""
_asked = itertools.count()


def at_rest(page: Page) -> None:
    """The page has been drawn: its script is over and stays over for a moment."""
    page.locator(".st-key-rich-loader").first.wait_for(state="attached", timeout=60_000)
    page.wait_for_function(STILL, arg={"asked": next(_asked), "least": LEAST}, polling=50, timeout=60_000)


def violations(page: Page) -> list[Any]:
    results = Axe().run(page, options={"resultTypes": ["violations"]})
    return [one for one in results.response["violations"] if one["impact"] in SERIOUS]


def _told(violation: Any) -> str:
    nodes = violation["nodes"]
    places = [f"{node['target']} {node['any'][0]['message'] if node['any'] else ''}" for node in nodes[:3]]
    return f"{violation['id']} ({violation['impact']}, {len(nodes)}): {' | '.join(places)}"
