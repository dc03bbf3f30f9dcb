"""The list of runs in a real browser, on a narrow page: searched, named, pinned, compared, deleted and brought back."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page

from memorybank.hosting.ready_tasks import recorded_runs
from memorybank.memory.types import Lang
from memorybank.runs.label import RunLabel, read_label
from tests.app.looking import at_rest
from tests.recorded import recorded_run
from tests.serving import served_run
from tests.watching import expect

OTHER, BROKEN = "b" * 32, "c" * 32


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, Path]]:
    folder = tmp_path_factory.mktemp("app")
    shutil.copytree(recorded_run("zh").path, folder / "runs" / OTHER)
    (folder / "runs" / BROKEN).mkdir()
    (folder / "runs" / BROKEN / "journal.jsonl").write_bytes(b"\xff no journal\n")
    with served_run(folder) as url:
        yield url, folder / "runs"


def tick(page: Page, row: Locator) -> None:
    row.get_by_role("checkbox").click()
    expect(row.get_by_role("checkbox")).to_be_checked()


def press(page: Page, key: str) -> None:
    page.locator(f".st-key-{key} button:enabled").last.click()


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_no_row_breaks_on_a_narrow_page(browser: Browser, served: tuple[str, Path], lang: Lang) -> None:
    page = browser.new_page(viewport={"width": 420, "height": 900})
    page.goto(f"{served[0]}/graph?lang={lang}")
    rows = page.locator(".run-row")
    expect(rows.first).to_be_visible()
    at_rest(page)
    for row in rows.all():
        box, button = row.bounding_box(), row.locator(".run-open").bounding_box()
        title = row.locator(".run-title").bounding_box()
        assert box
        assert button
        assert title
        assert box["y"] < button["y"] < button["y"] + button["height"] < box["y"] + box["height"]
        assert button["x"] + button["width"] <= 420
        assert title["x"] + title["width"] <= button["x"], "the title is cut, not laid under the button"
        assert title["height"] < 30, "one line"
    page.close()


def test_runs_are_searched_named_pinned_compared_and_deleted_with_undo(
    browser: Browser, served: tuple[str, Path]
) -> None:
    address, folder = served
    page = browser.new_page(viewport={"width": 420, "height": 900})
    page.goto(f"{address}/graph?lang=en")
    rows = page.locator(".run-row")
    expect(page.locator(".run-row", has_text="Sample")).to_have_count(len(recorded_runs("en")))
    expect(page.locator(".run-row", has_text="Damaged run cccccccc")).to_contain_text("Cannot be read")

    chinese = page.locator(".run-row", has_text="FAST")
    tick(page, chinese)
    press(page, "runs-rename")
    page.locator("[class*=st-key-runs-name-] input").fill("The telescope")
    page.keyboard.press("Enter")
    named = page.locator(".run-row", has_text="The telescope")
    expect(named).to_contain_text("中文")
    expect(named.locator(".run-title")).to_have_attribute("title", re.compile(r"^The telescope\n.*FAST"))
    press(page, "runs-pin")
    expect(rows.first).to_contain_text("The telescope")
    assert read_label(folder / OTHER) == RunLabel(name="The telescope", pinned=True)

    press(page, "runs-delete")
    expect(named).to_have_count(0)
    expect(page.locator(".st-key-runs-deleted")).to_contain_text("1 run is in the trash.")
    assert not (folder / OTHER).exists()
    press(page, "runs-undo")
    expect(rows.first).to_contain_text("The telescope")

    field = page.locator(".st-key-runs-search input")
    field.fill("offline sample")
    field.press("Enter")
    expect(rows).to_have_count(1)
    tick(page, rows.first)
    expect(page.locator(".st-key-runs-delete button").last).to_be_disabled()
    field.fill("telescope pinned no such")
    field.press("Enter")
    expect(page.locator(".st-key-runs-none")).to_be_visible()
    field.fill("the telescope")
    field.press("Enter")
    expect(rows).to_have_count(len(recorded_runs("en")))
    tick(page, named)
    press(page, "runs-compare")
    expect(page.locator(".st-key-compare-table")).to_contain_text("Conflicts found")
    page.close()
