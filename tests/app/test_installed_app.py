"""The app as it comes with the wheel, started by `memorybank demo` where no checkout is."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Browser

from tests.raw_http import ask
from tests.serving import served_by
from tests.waiting import wait_until
from tests.watching import expect
from tests.wheels import installed, wheel

__all__ = ["installed", "wheel"]


def test_the_app_starts_from_the_wheel_in_an_empty_folder(installed: Path, tmp_path: Path, browser: Browser) -> None:
    """Its pages, its words and its demo come along, and its configuration; runs stay in the folder."""
    (folder := tmp_path / "empty").mkdir()
    environment = {
        "PYTHONPATH": str(installed),
        "WITH_APP": "1",
        "XDG_STATE_HOME": str(tmp_path / "state"),
        "EMBEDDING_MODEL": "hashed-ngrams",
    }
    with served_by(("-m", "memorybank", "demo", "--port"), folder, tmp_path / "log.txt", environment) as url:
        assert ask(url, "GET /_stcore/health", "Host: localhost\r\n") == (200, "ok")
        assert ask(url, "GET /", "Host: evil.example\r\n")[0] == 421
        page = browser.new_context(locale="en-GB").new_page()
        page.goto(url)
        page.get_by_role("button", name="Run the demo").click(timeout=60_000)
        page.locator(".st-key-story-leave button").first.click(timeout=60_000)
        expect(page.locator(".st-key-run-view button >> nth=0")).to_be_visible()
        wait_until(lambda: [path.name for path in folder.iterdir()] == ["runs"], 60)
        page.context.close()
