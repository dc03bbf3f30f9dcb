"""A batch in a real browser, in Chinese and by keys alone: watched, searched, read in place, compared."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

from playwright.sync_api import Browser

from memorybank.views.i18n import t
from tests.app.by_keys import Keys
from tests.app.driving import ROOT
from tests.app.foreign_words import foreign_words
from tests.app.looking import at_rest, show, violations
from tests.app.test_demo import opened
from tests.batch.making import HASHED, RESERVOIR, documents, line, task_file
from tests.serving import served
from tests.watching import expect

HERE = 60_000


def test_a_batch_is_watched_and_its_runs_are_read_and_compared(browser: Browser, tmp_path: Path) -> None:
    """In a narrow window, where the table is wider than the page and the links to the pages are folded away."""
    (documents(tmp_path) / "坏.pdf").write_bytes(b"%PDF-1.7 nothing")
    expected = ("4200", "4200", "4200", "一头鲸")
    lines = [
        line(f"库容-{number}", RESERVOIR, context=["corpus/水库.md"], expect=words, lang="zh")
        for number, words in enumerate(expected)
    ]
    lines.append(line("坏文件", RESERVOIR, context=["corpus/坏.pdf"], expect="4200", lang="zh"))
    tasks = task_file(tmp_path, lines)
    out = tmp_path / "批次"
    folders = {"STORAGE_DIR": tmp_path / "runs", "XDG_STATE_HOME": tmp_path / "state", "BATCH_DIR": out}
    with (
        served(Path("app.py"), tmp_path / "log.txt", {name: str(path) for name, path in folders.items()}) as url,
        opened(browser, f"{url}/?lang=zh", "en") as (_, page),
    ):
        page.set_viewport_size({"width": 640, "height": 900})
        at_rest(page)
        keys = Keys(page)
        keys.go("to-batch")
        keys.press("Enter")
        expect(page.locator(".st-key-batch-not-yet")).to_be_visible(timeout=HERE)
        command = [sys.executable, "-m", "memorybank", "batch", str(tasks), "--out", str(out), *HASHED]
        working = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        rows = page.locator(".batch-table tbody tr")
        expect(rows).to_have_count(5, timeout=HERE)
        assert working.wait(300) == 1, "one of them fails"
        progress = page.locator(".st-key-batch-progress")
        expect(progress).to_contain_text(f"{t('batch.state.failed', 'zh')} 1", timeout=HERE)
        expect(progress).to_contain_text(t("batch.expected", "zh", met=3, count=5))
        expect(progress).not_to_contain_text(t("runs.live", "zh"), timeout=HERE)
        for width in (1440, 640):
            show(page, width, "light")
            assert violations(page) == []
        assert foreign_words(page, "zh") == []

        keys.go("batch-search")
        for words, count in ((t("batch.state.failed", "zh"), 1), ("青岚 管理", 4)):
            page.keyboard.press("Control+A")
            page.keyboard.type(words)
            keys.press("Enter")
            expect(rows).to_have_count(count)

        keys.go("batch-table", "库容-1", what="button")
        keys.press("Enter")
        expect(page.locator(".st-key-timeline-card")).to_be_visible(timeout=HERE)
        expect(page.locator(".batch-table tr.selected")).to_contain_text("库容-1", timeout=HERE)
        keys.is_at("batch-table", "库容-1")
        assert foreign_words(page, "zh") == []
        for name, back in (("库容-0", False), ("库容-2", True)):
            tick = t("runs.tick", "zh", title=name)
            keys.go("batch-table", tick, back=back)
            keys.press("Space")
            keys.is_at("batch-table", tick)
            expect(page.locator("tr", has_text=name).get_by_role("checkbox")).to_be_checked()
        keys.go("batch-compare", back=True)
        keys.press("Enter")
        expect(page.locator(".st-key-compare-table .figures").first).to_be_visible(timeout=HERE)
        expect(page).to_have_url(re.compile("^" + re.escape(f"{url}/compare")))
        keys.is_at("compare-open-a")  # a page that was turned to begins at its beginning; a batch's run is only read
        assert foreign_words(page, "zh") == []
