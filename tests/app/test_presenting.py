"""A story before a room: each scene fits one screen, and the speaker has a window that shows more and drives it."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any, Literal

import pytest
from playwright.sync_api import Browser, Page
from playwright.sync_api import TimeoutError as PlaywrightTimeoutError

from memorybank.memory.types import Lang
from memorybank.runs.run_folder import load
from memorybank.session.assembly import assemble
from memorybank.session.intake import text_source
from memorybank.session.session import Session
from memorybank.settings.config import Settings
from memorybank.views.i18n import t
from memorybank.views.story import Scene, build_scenes, scene_notes, scene_sentence
from tests.app.driving import SMALL
from tests.app.looking import at_rest, violations
from tests.app.test_demo import opened
from tests.recorded import recorded_run
from tests.watching import expect

RUN = "5c" * 16
COUNTS = {"1,121": 3, "1,211": 2, "1,112": 2, "1,311": 2, "1,411": 1}
"""How many documents state each value."""
HALLS = "amber birch cedar dune ember fjord grove heath islet jasper".split()

OUTSIDE = """() => {
  const all = function* (root) {
    for (const one of root.querySelectorAll("*")) {
      yield one;
      if (one.shadowRoot) yield* all(one.shadowRoot);
    }
  };
  const found = [];
  const main = document.querySelector("[data-testid=stMain]");
  if (main.scrollTop || main.scrollHeight > innerHeight) found.push(`page at ${main.scrollTop}`);
  for (const name of [".story-sentence", ".canvas", ".st-key-beside"]) {
    const one = [...all(document)].find((each) => each.matches(name));
    if (!one) {
      found.push(`${name} is away`);
      continue;
    }
    const { top, left, right, bottom, height } = one.getBoundingClientRect();
    const isOut = top < 0 || left < 0 || right > innerWidth || bottom > innerHeight || height < 20;
    const isCut = name !== ".canvas" && one.scrollHeight > one.clientHeight + 2;
    if (isOut || isCut) found.push(`${name} ${top} to ${bottom}, ${one.scrollHeight} in ${one.clientHeight}`);
  }
  return found;
}"""
"""What is not on the screen, or not whole."""


def with_many_values(folder: Path) -> None:
    """A run with five values of one thing, in documents with long names, and a long task."""
    goal = f"How many qubits does the Condor processor have, and {'what do the reports say of it, ' * 9}if anything?"
    values = [value for value, count in COUNTS.items() for _ in range(count)]
    sources = [
        text_source(
            f"# Condor\n\nThe Condor processor has {value} superconducting qubits, as the {hall} hall tells.", name
        )
        for value, hall in zip(values, HALLS, strict=True)
        for name in [f"a_rather_long_name_of_a_document_from_the_{hall}_hall.md"]
    ]
    settings = Settings(embedding_model="hashed-ngrams")
    with Session.start(folder, assemble(settings, [goal]), goal=goal, sources=sources) as session:
        session.run()


def begin_story(page: Page, address: str, lang: Lang) -> None:
    page.goto(f"{address}/?run={RUN}&lang={lang}")
    expect(page.locator(".st-key-run-graph .canvas")).to_be_visible()
    at_rest(page)
    page.keyboard.press("t")
    expect(page.locator(".st-key-story-pause button")).to_be_visible()
    page.keyboard.press(" ")
    expect(page.locator(".st-key-story-pause button")).to_contain_text(t("story.bar.play", lang))
    page.keyboard.press("ArrowLeft")  # should the first scene have ended before it was paused


def test_the_graph_page_is_one_screen_with_a_list_and_with_a_card(
    browser: Browser, serve_app: Callable[..., str], tmp_path_factory: pytest.TempPathFactory
) -> None:
    storage = tmp_path_factory.mktemp("presented")
    shutil.copytree(recorded_run("en").path, storage / RUN)
    with opened(browser, serve_app(STORAGE_DIR=str(storage), **SMALL), "en", "light") as (_, page):
        page.set_viewport_size({"width": 1280, "height": 720})
        page.goto(f"{page.url.partition('?')[0]}?run={RUN}&lang=en")
        page.locator('header a[href$="/graph"]').first.click()
        page.wait_for_url("**/graph?*")
        at_rest(page)
        page.keyboard.press("p")
        for beside in (".st-key-graph-list-box", ".st-key-graph-card-box"):
            expect(page.locator(beside)).to_be_visible()
            at_rest(page)
            assert page.evaluate("document.querySelector('[data-testid=stMain]').scrollHeight") <= 720
            bottom = page.locator(beside).bounding_box()
            assert bottom
            assert 600 < bottom["y"] + bottom["height"] <= 720
            page.locator(".gr-item").first.click()


def is_shown(page: Page, scene: Scene, lang: Lang) -> None:
    expect(page.locator(".st-key-story .story-sentence")).to_have_text(scene_sentence(scene, lang))
    for part in (".canvas", ".st-key-beside"):
        expect(page.locator(part).first).to_be_visible()
    fits(page, scene.words)


def fits(page: Page, words: str) -> None:
    try:
        page.wait_for_function(f"({OUTSIDE})().length === 0", polling=100)
    except PlaywrightTimeoutError:
        raise AssertionError(f"{words}: {page.evaluate(OUTSIDE)}") from None


@pytest.mark.parametrize(
    ("lang", "scheme"), [("en", "light"), ("zh", "dark"), ("many", "light")], ids=["en", "zh", "many values"]
)
def test_every_scene_fits_one_screen_and_the_speaker_drives_it(
    browser: Browser,
    serve_app: Callable[..., str],
    tmp_path_factory: pytest.TempPathFactory,
    lang: Any,
    scheme: Literal["light", "dark"],
) -> None:
    storage = tmp_path_factory.mktemp("presented")
    if lang == "many":
        lang = "en"
        with_many_values(storage / RUN)
    else:
        shutil.copytree(recorded_run(lang).path, storage / RUN)
    scenes = build_scenes(load(storage / RUN))
    address = serve_app(STORAGE_DIR=str(storage), **SMALL)
    with opened(browser, address, lang, scheme) as (_, page):
        page.emulate_media(reduced_motion="reduce")
        page.set_viewport_size({"width": 1280, "height": 720})
        begin_story(page, address, lang)
        with page.expect_popup() as popup:
            page.locator(".st-key-story-speaker button").click()
        speaker = popup.value
        page.keyboard.press("p")
        page.wait_for_function("location.search.includes('view=present')")
        for place, scene in enumerate(scenes, start=1):
            is_shown(page, scene, lang)
            expect(speaker.locator("#sentence")).to_have_text(scene_sentence(scene, lang))
            expect(speaker.locator("#place")).to_have_text(t("story.bar.place", lang, step=place, total=len(scenes)))
            expect(speaker.locator("#notes")).to_have_text(scene_notes(scene, lang))
            if scene.kind == "clash":
                page.set_viewport_size({"width": 1920, "height": 1080})
                fits(page, "the same on a larger screen")
                page.set_viewport_size({"width": 1280, "height": 720})
            if place < len(scenes):
                expect(speaker.locator("#next")).to_have_text(scene_sentence(scenes[place], lang))
                speaker.keyboard.press(("PageDown", "ArrowRight")[place % 2])
        at_rest(page)  # while it is drawn anew, what is old is pale
        assert not violations(page)
        assert not violations(speaker)
        speaker.locator("#previous-step").click()
        is_shown(page, scenes[-2], lang)
        page.set_viewport_size({"width": 420, "height": 900})
        page.wait_for_function("document.querySelector('[data-testid=stMain]').scrollWidth <= innerWidth")
        speaker.keyboard.press("b")
        expect(page.locator("#memorybank-dark")).to_be_visible()
        speaker.keyboard.press(".")
        expect(page.locator("#memorybank-dark")).to_be_hidden()
        page.keyboard.press("t")
        expect(speaker.locator("#sentence")).to_have_text(t("story.speaker.none", lang))
