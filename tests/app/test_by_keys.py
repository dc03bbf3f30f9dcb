"""By keys alone, without a mouse: the story, the lists of runs, why nodes were merged, a run with a language model."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from memorybank.hosting.ready_tasks import recorded_runs
from memorybank.runs.label import read_label
from memorybank.views.i18n import t
from tests.app.by_keys import PAGE, Keys
from tests.app.test_accessibility import at_rest
from tests.recorded import recorded_run
from tests.serving import RUN, served_run
from tests.waiting import wait_until
from tests.watching import expect

OTHERS = ("b" * 32, "c" * 32)
"""Two more runs: a list of six can be searched."""


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, Path]]:
    folder = tmp_path_factory.mktemp("app")
    for name, lang in zip(OTHERS, ("zh", "en"), strict=True):
        shutil.copytree(recorded_run(lang).path, folder / "runs" / name)
    with served_run(folder) as url:
        yield url, folder / "runs"


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    with browser.new_context(viewport={"width": 1280, "height": 720}, reduced_motion="reduce") as context:
        page = context.new_page()
        yield page


def opened(page: Page, address: str) -> Keys:
    page.goto(address)
    expect(page.locator(".st-key-shell .theme")).to_be_visible()
    at_rest(page)
    return Keys(page)


def test_the_story_is_begun_stepped_paused_and_left(page: Page, served: tuple[str, Path]) -> None:
    keys = opened(page, f"{served[0]}/?run={RUN}&lang=zh")
    keys.go("story-start")
    keys.press("Enter")
    keys.is_at("story-pause", t("story.bar.pause", "zh"))
    keys.press("Space")
    keys.is_at("story-pause", t("story.bar.play", "zh"))
    keys.go("story-next")
    sentence = page.locator(".story-sentence")
    sentences = set()
    for key in ("Enter", "Space", "Enter"):
        before = sentence.inner_text()
        keys.press(key)
        wait_until(lambda before=before: sentence.inner_text() not in ("", before), 60)
        keys.is_at("story-next")
        sentences.add(sentence.inner_text())
    assert len(sentences) == 3
    keys.go("story-previous", back=True)
    keys.press("Enter")
    keys.is_at("story-previous")
    met = []
    while (place := keys.tab()).keys or place.what == PAGE:  # to the end of the page: nothing lies under the caption
        met.append(place)
    assert {"graph", "scene-card"} & {place.keys[0] for place in met if place.keys}
    keys.go("story-leave")
    keys.press("Enter")
    expect(page.locator(".st-key-story")).not_to_be_attached()
    keys.is_at("continue-run")


def test_runs_are_searched_named_pinned_compared_and_deleted_with_undo(page: Page, served: tuple[str, Path]) -> None:
    address, folder = served
    keys = opened(page, f"{address}/graph?lang=en")
    rows = page.locator(".run-row")
    keys.go("runs-search")
    page.keyboard.type("FAST")
    keys.press("Enter")
    expect(rows).to_have_count(1)
    keys.go("runs-rows", "Tick")
    keys.press("Space")
    keys.is_at("runs-rows", "Tick")  # it is drawn anew, and has the focus
    keys.go("runs-rename", back=True)
    keys.press("Enter")
    keys.go("runs-name-", what="input")
    page.keyboard.type("The dish")
    keys.press("Enter")
    keys.is_at("runs-")
    expect(rows.first).to_contain_text("The dish")

    keys.go("runs-pin", "Pin")
    keys.press("Enter")
    keys.is_at("runs-pin", "Unpin")
    assert read_label(folder / OTHERS[0]).pinned
    keys.press("Enter")
    keys.is_at("runs-pin", "Pin")
    keys.go("runs-delete")
    keys.press("Enter")
    expect(page.locator(".st-key-runs-deleted")).to_be_visible()
    keys.is_at("runs-undo")
    keys.press("Enter")
    expect(page.locator(".st-key-runs-deleted")).to_have_count(0)
    keys.is_at("runs-")
    assert (folder / OTHERS[0]).exists()

    keys.go("runs-search")
    page.keyboard.press("Control+A")
    page.keyboard.press("Delete")
    keys.press("Enter")
    for words in ("The dish", "Space telescopes"):
        keys.go("runs-rows", f"Tick: {words}")
        keys.press("Space")
    keys.go("runs-compare", back=True)
    keys.press("Enter")
    expect(page.locator(".st-key-compare-table")).to_contain_text("Conflicts found")
    keys.is_at("compare-")


def test_a_run_with_a_language_model_is_walked_from_its_answer_to_a_source(
    page: Page, served: tuple[str, Path]
) -> None:
    sample = next(run for run in recorded_runs("en") if run.engine == "llm")
    keys = opened(page, f"{served[0]}/?lang=en")
    keys.go("runs-rows", f"Tick: {sample.title}")
    assert keys.tab().fits("runs-rows", "Open")
    keys.press("Enter")
    keys.is_at("")
    expect(page.locator(".chip.origin", has_text=t("session.origin.recorded", "en")).first).to_be_visible()
    page.wait_for_function("document.querySelector('[data-testid=stMain]').scrollTop === 0")  # it opens on its answer
    keys.go("answer", t("answer.state.checked", "en"))
    keys.press("Enter")
    keys.is_at("answer", t("answer.state.checked", "en"))
    expect(page.locator(".answer-row[open] .trail")).to_be_visible()
    keys.go("answer", "willow_data_card.md")
    keys.press("Enter")
    expect(page.locator("mark.here").first).to_be_visible()
    keys.is_at("continue-run")  # a page that was turned to begins at its beginning
