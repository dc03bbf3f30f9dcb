"""What a person does in a real browser with a task and documents of their own, from the form to the file on the disk.

On leaving it is asserted that no request left the machine and that nothing was logged as an error.
"""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Browser, FilePayload, Page

from memorybank.hosting.ready_tasks import demo_image
from tests.app.driving import SMALL
from tests.app.looking import at_rest, files_at_rest
from tests.app.test_demo import A_RUN, opened
from tests.watching import expect

ONE = b"The Tamar Bridge was opened in 1961. It is 335 metres long. Ferries run beside it in summer."
OTHER = b"The Tamar Bridge was opened in 1981. It carries three lanes of traffic. Walkers cross it too."
THIRD = b"A plaque at the Tamar Bridge says: the Tamar Bridge was opened in 1961 by the Queen Mother."
HERE = 60_000


def turn_to(page: Page, name: str) -> None:
    page.locator(
        'a[href*="studio"]' if name == "studio" else f'a[href$="/{"" if name == "session" else name}"]'
    ).first.click()
    at_rest(page)


def press(page: Page, key: str) -> None:
    page.locator(f".st-key-{key} button").first.click(timeout=HERE)


def begin(page: Page, *, images: tuple[str, ...] = ()) -> None:
    """A task of one's own: three documents that disagree, no corpus, the first step taken.

    A file that is given while the page is being drawn with the one before may be taken by a field that goes: a reader
    would see it missing and give it again.
    """
    at_rest(page)
    page.get_by_label("Task", exact=True).fill("When was the Tamar Bridge opened?")
    files = [
        FilePayload(name=f"{n}.txt", mimeType="text/plain", buffer=data) for n, data in enumerate((ONE, OTHER, THIRD))
    ]
    page.locator(".st-key-new-context input[type=file]").set_input_files(files)
    expect(page.get_by_text("2.txt")).to_be_visible(timeout=HERE)
    files_at_rest(page)
    for name in images:
        data = FilePayload(name=name, mimeType="image/png", buffer=demo_image(name))
        page.locator(".st-key-new-images input[type=file]").set_input_files([data])
        expect(page.get_by_text(name)).to_be_visible(timeout=HERE)
        files_at_rest(page)
    press(page, "new-step")
    expect(page.locator(".st-key-step button").first).to_be_enabled(timeout=A_RUN)


def test_from_the_conflict_to_what_is_taken_along(
    browser: Browser, serve_app: Callable[..., str], tmp_path: Path
) -> None:
    with opened(browser, f"{serve_app(**SMALL)}/?lang=en") as (_, page):
        begin(page, images=("willow_poster_en.png",))
        # Run until the next conflict: it is there, open, before it is checked.
        press(page, "popover-until")
        press(page, "until-conflict")
        expect(page.locator(".chip.conflict").first).to_be_visible(timeout=A_RUN)
        expect(page.locator(".st-key-run button").first).to_be_enabled(timeout=HERE)
        press(page, "run")
        expect(page.locator(".answer-box").first).to_contain_text("1961", timeout=A_RUN)
        expect(page.locator(".st-key-run")).to_have_count(0, timeout=HERE)

        # The picture has gone from the temporary store to the formal one: the Tree shows it with its hash.
        turn_to(page, "tree")
        page.locator(".st-key-tree-view button").nth(1).click()
        page.locator(".st-key-tree-search input").fill("willow_poster")
        page.locator(".st-key-tree-search input").press("Enter")
        page.locator("[role=button]", has_text="willow_poster_en.png").first.click(timeout=HERE)
        expect(page.locator("img").first).to_be_visible(timeout=HERE)
        expect(page.get_by_text(re.compile("SHA-256")).first).to_be_visible()

        _export(page, tmp_path)


def _export(page: Page, folder: Path) -> None:
    """Save it, open what was saved, and the exported page from the disk."""
    press(page, "export")
    for kind in ("zip", "html"):
        press(page, f"export-{kind}")
        with page.expect_download(timeout=HERE) as saved:
            press(page, f"export-{kind}-file")
        saved.value.save_as(folder / f"run.{kind}")
    packed = folder / "run.zip"
    names = zipfile.ZipFile(io.BytesIO(packed.read_bytes())).namelist()
    assert any(name.endswith("journal.jsonl") for name in names)
    assert any(name.startswith("files/") or "/files/" in name for name in names), "attachments come with it"
    page.keyboard.press("Escape")

    first = page.url.partition("run=")[2]
    turn_to(page, "session")
    press(page, "new-session")
    page.locator("[class*=st-key-open-file-] input[type=file]").first.set_input_files(packed)
    press(page, "open-file-do")
    expect(page.locator(".st-key-continue-run button").first).to_be_visible(timeout=HERE)
    # A run of its own, under an address of its own.
    expect(page).to_have_url(re.compile(f"run=(?!{re.escape(first)})"), timeout=HERE)

    browser = page.context.browser
    assert browser is not None
    from_disk = browser.new_context(offline=True).new_page()
    from_disk.goto((folder / "run.html").as_uri())
    expect(from_disk.locator("input[type=range]").first).to_be_visible(timeout=HERE)
    expect(from_disk.get_by_role("heading", level=1)).to_have_text("When was the Tamar Bridge opened?")
    from_disk.context.close()

    opened_here = page.url
    press(page, "new-session")
    page.locator(".run-row", has_text="Tamar").locator(".run-open").last.click(timeout=HERE)  # what all began with
    expect(page.locator(".answer-box").first).to_contain_text("1961", timeout=HERE)
    expect(page).not_to_have_url(opened_here, timeout=HERE)  # its answer was there before it, too
