"""Every page as a reader meets it: under axe, in both languages and themes, on a telephone and on a wide screen."""

from __future__ import annotations

import itertools
import re
import shutil
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Browser, Page

from memorybank.hosting.ready_tasks import recorded_runs
from memorybank.memory.types import Lang
from memorybank.runs.run_folder import JOURNAL, RunFolder
from memorybank.views.link import PAGES
from tests.app.driving import SMALL
from tests.app.foreign_words import words_given
from tests.app.looking import LEAST_UNTOUCHED, LOOKS, Look, at_rest, faults, press, show
from tests.app.test_demo import opened
from tests.app.test_hostile_browser import unfolded
from tests.recorded import recorded_run
from tests.watching import expect

RUN, SAMPLE = "a" * 32, "b" * 32
ANYTHING = re.compile(".")


def test_every_page_can_be_read_in_each_language_theme_and_width(
    browser: Browser, serve_app: Callable[..., str], tmp_path: Path, lang: Lang
) -> None:
    """axe finds nothing serious, no word is of the other language, and nothing is wider than a telephone.

    The browser itself speaks the other language. What a page unfolds is looked at in one look, the next page's in the
    other, for each change of it draws all anew; of a run with a language model the story, and what its calls are shown
    by. axe looks at all of it in English; in Chinese, where the words alone are others, all is looked at on a
    telephone, which leaves them the least room.
    """
    english = lang == "en"
    looks = LOOKS if english else LOOKS[1:2]
    sample = next(one for one in recorded_runs(lang) if one.engine == "llm")
    shutil.unpack_archive(sample.file, tmp_path / "sample")
    runs = {RUN: recorded_run(lang).path, SAMPLE: next((tmp_path / "sample").rglob(JOURNAL)).parent}
    for name, folder in runs.items():
        shutil.copytree(folder, tmp_path / "runs" / name)
    given = frozenset[str]().union(*(words_given(RunFolder(folder)) for folder in runs.values()))
    address = serve_app(STORAGE_DIR=str(tmp_path / "runs"), **SMALL)
    found: dict[tuple[str, Look], list[str]] = {}

    def look_at(place: str) -> None:
        for look in looks:  # nothing but width and theme changes between two of them
            found[place, look] = faults(page, look, lang, given, LEAST_UNTOUCHED, axe=english)

    with opened(browser, f"{address}/?lang={lang}", "en" if lang == "zh" else "zh") as (_, page):
        at_rest(page)  # Streamlit loses the app's theme where the system's changes before a browser has loaded it twice
        for state, names, query in (("empty", ("session", "graph"), ""), ("full", tuple(PAGES), f"run={RUN}&")):
            page.goto(f"{address}/?{query}lang={lang}")
            at_rest(page)
            for name, look in zip(names, itertools.cycle(looks)):
                _turn(page, name)
                look_at(f"{name}, {state}")
                for words in unfolded(page):
                    found[f"{name}, {state} / {words}", look] = faults(page, look, lang, given, axe=english)
        page.goto(f"{address}/?run={SAMPLE}&lang={lang}")
        at_rest(page)
        press(page, "story-start")
        expect(page.locator(".canvas").first).to_have_attribute("aria-label", ANYTHING)  # with the picture
        for look in looks:
            press(page, "story-next")
            found["story", look] = faults(page, look, lang, given, axe=english)
        press(page, "story-leave")  # which has the screen, without the links to the pages
        _turn(page, "prompt")
        look_at("prompt, with a model")
    assert {place: told for place, told in found.items() if told} == {}


def _turn(page: Page, name: str) -> None:
    """In a wide look: on a telephone the links to the pages are folded away."""
    show(page, *LOOKS[0])
    page.locator(
        'a[href*="studio"]' if name == "studio" else f'a[href$="/{"" if name == "session" else name}"]'
    ).first.click()
    at_rest(page)
