"""The list of runs in a real browser, on a narrow page, a run that cannot be read among them."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from memorybank.memory.types import Lang
from tests.app.looking import at_rest
from tests.recorded import recorded_run
from tests.serving import served_run
from tests.watching import expect

OTHER, BROKEN = "b" * 32, "c" * 32


PLACES = """rows => rows.map((row) =>
  [row, row.querySelector(".run-open"), row.querySelector(".run-title")].map((one) => {
    const { left, top, right, bottom } = one.getBoundingClientRect();
    return [left, top, right, bottom];
  }))"""


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, Path]]:
    folder = tmp_path_factory.mktemp("app")
    shutil.copytree(recorded_run("zh").path, folder / "runs" / OTHER)
    (folder / "runs" / BROKEN).mkdir()
    (folder / "runs" / BROKEN / "journal.jsonl").write_bytes(b"\xff no journal\n")
    with served_run(folder) as url:
        yield url, folder / "runs"


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_no_row_breaks_on_a_narrow_page(browser: Browser, served: tuple[str, Path], lang: Lang) -> None:
    page = browser.new_page(viewport={"width": 420, "height": 900})
    page.goto(f"{served[0]}/graph?lang={lang}")
    rows = page.locator(".run-row")
    expect(rows.first).to_be_visible()
    at_rest(page)
    damaged = {"en": ("Damaged run cccccccc", "Cannot be read"), "zh": ("已损坏", "无法读取")}[lang]
    expect(page.locator(".run-row", has_text=damaged[0])).to_contain_text(damaged[1])
    for (_, top, _, bottom), button, title in rows.evaluate_all(PLACES):  # at one moment: a list may be drawn anew
        assert top < button[1] < button[3] < bottom
        assert button[2] <= 420
        assert title[2] <= button[0], "the title is cut, not laid under the button"
        assert title[3] - title[1] < 30, "one line"
    page.close()
