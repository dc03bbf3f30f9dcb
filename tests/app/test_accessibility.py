"""Every page under axe, in both languages and both themes: no serious finding."""

from __future__ import annotations

import itertools
import shutil
from collections.abc import Callable, Iterator
from typing import Any, Literal

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, TimeoutError

from memorybank.memory.types import Lang
from memorybank.views.link import PAGES
from tests.app.driving import SMALL
from tests.app.test_demo import opened
from tests.app.test_hostile_browser import choices
from tests.recorded import recorded_run

RUNS: dict[Lang, str] = {"en": "a" * 32, "zh": "b" * 32}
SERIOUS = ("serious", "critical")


@pytest.fixture(scope="module")
def address(serve_app: Callable[..., str], tmp_path_factory: pytest.TempPathFactory) -> str:
    """A server that holds a finished run in each language."""
    storage = tmp_path_factory.mktemp("storage")
    for lang, name in RUNS.items():
        shutil.copytree(recorded_run(lang).path, storage / name)
    return serve_app(STORAGE_DIR=str(storage), **SMALL)


@pytest.mark.parametrize(("lang", "scheme"), [("en", "light"), ("zh", "dark")])
def test_no_page_has_a_serious_finding(
    browser: Browser, address: str, lang: Lang, scheme: Literal["light", "dark"]
) -> None:
    found: dict[str, list[str]] = {}
    with opened(browser, f"{address}/?lang={lang}", lang, scheme) as (_, page):
        for state, names in (("empty", ("session", "graph")), ("full", tuple(PAGES))):
            if state == "full":
                page.goto(f"{address}/?run={RUNS[lang]}&lang={lang}")
            for name in names:
                at_rest(page)
                page.locator(f'a[href$="/{"" if name == "session" else name}"]').first.click()
                at_rest(page)
                found[f"{name}, {state}"] = [_told(one) for one in _violations(page)]
                if state == "full" and scheme == "light":
                    found |= {f"{name} / {words}": [_told(one) for one in seen] for words, seen in _unfolded(page)}
    assert {name: told for name, told in found.items() if told} == {}


def _unfolded(page: Page) -> Iterator[tuple[str, list[Any]]]:
    """What is serious in each view that the page's own choices unfold, by the choice's words."""
    for choice in choices(page):
        words = choice.inner_text()
        try:
            choice.click(timeout=5_000)
        except TimeoutError:
            continue  # it went away, or is switched off
        at_rest(page)
        yield words, _violations(page)


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


def _violations(page: Page) -> list[Any]:
    results = Axe().run(page, options={"resultTypes": ["violations"]})
    return [one for one in results.response["violations"] if one["impact"] in SERIOUS]


def _told(violation: Any) -> str:
    places = [str(node["target"]) for node in violation["nodes"][:4]]
    return f"{violation['id']} ({violation['impact']}, {len(violation['nodes'])}): {' | '.join(places)}"
