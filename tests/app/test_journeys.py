"""What a person does in a real browser, first page to last: by mouse, by keyboard alone, in a narrow window.

Each journey asserts, on leaving, that no request left the machine and that nothing was logged as an error.
"""

from __future__ import annotations

import io
import re
import shutil
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Browser, FilePayload, Page

from memorybank.hosting.ready_tasks import demo_image
from memorybank.runs.run_folder import load
from tests.app.driving import ROOT, SMALL
from tests.app.looking import at_rest, files_at_rest
from tests.app.test_accessibility import RUN
from tests.app.test_demo import A_RUN, opened
from tests.recorded import recorded_run
from tests.watching import expect

ONE = b"The Tamar Bridge was opened in 1961. It is 335 metres long. Ferries run beside it in summer."
OTHER = b"The Tamar Bridge was opened in 1981. It carries three lanes of traffic. Walkers cross it too."
THIRD = b"A plaque at the Tamar Bridge says: the Tamar Bridge was opened in 1961 by the Queen Mother."
HERE = 60_000
CORPUS = ROOT / "assets" / "corpus" / "en"


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


def test_from_the_conflict_to_the_branch(browser: Browser, serve_app: Callable[..., str], tmp_path: Path) -> None:
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

        _undo(page)
        _replay(page, tmp_path)


def _undo(page: Page) -> None:
    """Undo the merge: what was said it would do is done, it stays in the list, and the graph has its nodes back."""
    turn_to(page, "conflicts")
    page.locator(".st-key-conflicts-view button").nth(1).click()
    undo = page.locator("[class*=st-key-undo-] button").first
    expect(undo).to_be_enabled(timeout=HERE)
    said = page.locator("[class*=st-key-merge-][class*=-undo] .rich")
    words = re.compile(r"(n\d+.*n\d+) come back as they were before, and (n\d+) leaves")
    expect(said).to_contain_text(words, timeout=HERE)  # the button may be drawn before what it promises
    promise = words.search(said.inner_text())
    assert promise, said.inner_text()
    restored, merged = re.findall(r"n\d+", promise[1]), promise[2]
    assert len(restored) >= 2
    expect(page.locator(".chip", has_text=re.compile("^Undone$"))).to_have_count(0)
    undo.click()
    expect(said).to_contain_text(re.compile(f"It was undone: {re.escape(promise[1])} came back"), timeout=HERE)
    expect(undo).to_have_count(0)
    expect(page.locator(".chip", has_text=re.compile("^Undone$")).first).to_be_visible(timeout=HERE)
    turn_to(page, "graph")
    for node in restored:
        expect(page.locator(f".gr-item[title^='{node} ']")).to_be_visible(timeout=HERE)
    expect(page.locator(f".gr-item[title^='{merged} ']")).to_have_count(0)


def _replay(page: Page, folder: Path) -> None:
    """Scrub, compare two moments, branch off, save, open what was saved, export and open the file from disk."""
    turn_to(page, "replay")
    slider = page.locator("input[type=range]").first
    slider.focus()
    slider.press("Home")
    press(page, "set-a")
    slider.press("End")
    press(page, "set-b")
    expect(page.locator(".st-key-diff-card").first).to_be_visible(timeout=HERE)
    expect(page.locator(".st-key-diff-card .canvas").first).to_be_visible(timeout=HERE)

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

    before = page.url
    turn_to(page, "session")
    press(page, "new-session")
    page.locator("[class*=st-key-open-file-] input[type=file]").first.set_input_files(packed)
    press(page, "open-file-do")
    expect(page.locator(".st-key-continue-run button").first).to_be_visible(timeout=HERE)
    assert page.url != before, "a run of its own, under an address of its own"

    browser = page.context.browser
    assert browser is not None
    from_disk = browser.new_context(offline=True).new_page()
    from_disk.goto((folder / "run.html").as_uri())
    expect(from_disk.locator("input[type=range]").first).to_be_visible(timeout=HERE)
    expect(from_disk.get_by_role("heading", level=1)).to_have_text("When was the Tamar Bridge opened?")
    from_disk.context.close()

    opened_here = page.url
    turn_to(page, "settings")
    page.locator(".run-row", has_text="Tamar").locator(".run-open").first.click(timeout=HERE)  # what all began with
    expect(page.locator(".answer-box").first).to_contain_text("1961", timeout=HERE)
    assert page.url != opened_here


def test_a_branch_is_made_run_and_seen_beside_its_parent(
    browser: Browser, serve_app: Callable[..., str], tmp_path_factory: pytest.TempPathFactory
) -> None:
    """From a saved run at an earlier moment: what came before is taken over as it is, and the parent stays."""
    storage = tmp_path_factory.mktemp("forked")
    shutil.copytree(recorded_run("en").path, storage / RUN)
    parent = load(storage / RUN)
    address = serve_app(STORAGE_DIR=str(storage), **SMALL)
    with opened(browser, f"{address}/?run={RUN}&lang=en") as (_, page):
        expect(page.locator(".st-key-continue-run button").first).to_be_visible(timeout=HERE)
        at_rest(page)
        turn_to(page, "replay")
        expect(page.locator("input[type=range]").first).to_be_visible(timeout=HERE)
        page.locator("input[type=range]").first.fill("200")
        expect(page.locator(".st-key-timeline-card")).to_contain_text("200", timeout=HERE)
        at_rest(page)
        press(page, "fork-here")
        words = page.locator(".st-key-fork-words .rich")
        expect(words).to_contain_text(re.compile(r"up to event \d+ .*none of it is run again"), timeout=HERE)
        border = int(re.findall(r"up to event (\d+)", words.inner_text())[0])
        assert 100 < border <= 200
        press(page, "fork-do")
        page.wait_for_url(lambda url: f"run={RUN}" not in url, timeout=HERE)
        (run_id,) = re.findall(r"run=(\w{32})", page.url)
        turn_to(page, "session")
        expect(page.locator(".st-key-run button").first).to_be_enabled(timeout=HERE)
        press(page, "run")
        expect(page.locator(".answer-box").first).to_be_visible(timeout=A_RUN)
        expect(page.locator(".st-key-run")).to_have_count(0, timeout=HERE)
        turn_to(page, "replay")
        page.locator(".st-key-replay-section button").nth(2).click()
        expect(page.locator(f".st-key-branch-{RUN}")).to_contain_text(f"at event {border}", timeout=HERE)
        press(page, f"branch-{RUN}-compare")
        expect(page.locator(".st-key-compare-table")).to_contain_text("Conflicts found", timeout=HERE)
    branch = load(storage / run_id)
    assert branch[:border] == parent[:border], "the past is the parent's, to the millisecond: no call was made again"
    assert all(record.at > parent[-1].at for record in branch[border:])
    assert load(storage / RUN) == parent
