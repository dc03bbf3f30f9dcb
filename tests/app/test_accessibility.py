"""Every page as a reader meets it: under axe, in both languages and themes, on a telephone and on a wide screen."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable, Sequence
from pathlib import Path

from playwright.sync_api import Browser, Page

from memorybank.hosting.ready_tasks import recorded_runs
from memorybank.memory.types import Lang
from memorybank.runs.run_folder import JOURNAL, RunFolder
from memorybank.views.link import PAGES
from tests.app.driving import SMALL
from tests.app.foreign_words import words_given
from tests.app.looking import LEAST_UNTOUCHED, LOOKS, Look, at_rest, faults, press
from tests.app.test_demo import opened
from tests.app.test_hostile_browser import unfolded
from tests.recorded import recorded_run
from tests.watching import expect

OFFLINE, SAMPLE = "a" * 32, "b" * 32
"""Saved runs: of the offline engine, and with a language model."""
ANYTHING = re.compile(".")


def test_every_page_can_be_read_in_each_theme_and_width(
    browser: Browser, serve_app: Callable[..., str], tmp_path: Path
) -> None:
    """axe finds nothing serious, no word is of the other language, and nothing is wider than a telephone.

    In Chinese, where the words alone are others: test_chinese_states.py.
    """
    given = save_runs("en", tmp_path)
    address = serve_app(STORAGE_DIR=str(tmp_path), **SMALL)
    with opened(browser, f"{address}/?lang=en", "zh") as (_, page):
        assert wrong_on_the_pages(page, address, "en", given, LOOKS) == {}


def save_runs(lang: Lang, folder: Path) -> frozenset[str]:
    """Put both runs there, and return the words that they were given."""
    sample = next(one for one in recorded_runs(lang) if one.engine == "llm")
    shutil.unpack_archive(sample.file, folder / "unpacked")
    shutil.move(next((folder / "unpacked").rglob(JOURNAL)).parent, folder / SAMPLE)
    shutil.copytree(recorded_run(lang).path, folder / OFFLINE)
    return frozenset[str]().union(*(words_given(RunFolder(folder / name)) for name in (OFFLINE, SAMPLE)))


def wrong_on_the_pages(
    page: Page, address: str, lang: Lang, given: frozenset[str], looks: Sequence[Look]
) -> dict[tuple[str, Look], list[str]]:
    """Walk through all pages; the browser speaks the other language. Under axe in English, where it is done in each
    theme.

    A page is looked at first as the one before was last, and what it unfolds as the page was last: each change of
    width and theme draws all anew. Of a run with a language model, the story, and what its calls are shown by.
    """
    found: dict[tuple[str, Look], list[str]] = {}
    order = list(looks)

    def look_at(place: str) -> None:
        for look in order:  # nothing but width and theme changes between two of them
            found[place, look] = faults(page, look, lang, given, LEAST_UNTOUCHED, axe=lang == "en")
        order.reverse()

    at_rest(page)  # Streamlit loses the app's theme where the system's changes before a browser has loaded it twice
    for state, names, query in (("empty", ("session", "graph"), ""), ("full", tuple(PAGES), f"run={OFFLINE}&")):
        page.goto(f"{address}/?{query}lang={lang}")
        at_rest(page)
        for name in names:
            _turn(page, name)
            look_at(f"{name}, {state}")
            for words in unfolded(page):
                found[f"{name}, {state} / {words}", order[0]] = faults(page, order[0], lang, given, axe=lang == "en")
    page.goto(f"{address}/?run={SAMPLE}&lang={lang}")
    at_rest(page)
    press(page, "story-start")
    expect(page.locator(".canvas").first).to_have_attribute("aria-label", ANYTHING)  # with the picture
    for look in looks:
        press(page, "story-next")
        found["story", look] = faults(page, look, lang, given, axe=lang == "en")
    press(page, "story-leave")  # which has the screen, without the links to the pages
    _turn(page, "prompt")
    look_at("prompt, with a model")
    return {place: told for place, told in found.items() if told}


def _turn(page: Page, name: str) -> None:
    """On a telephone the links to the pages are folded away: they are pressed where they are."""
    place = 'a[href*="studio"]' if name == "studio" else f'a[href$="/{"" if name == "session" else name}"]'
    page.locator(place).first.evaluate("link => link.click()")
    at_rest(page)
