"""An author's book in a real browser: whom the map shows, their page, another name everywhere, a file out and in.

Once on the demo, once on the recorded studio, which needs no language model.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Literal

import pytest
from playwright.sync_api import Browser, Page

from memorybank.memory.types import Lang
from memorybank_studio.books.files import book_from_bytes
from memorybank_studio.page.demo import demo, recording
from memorybank_studio.page.hub import PARTS
from memorybank_studio.page.page import VIEWS
from memorybank_studio.tests.app.test_studio_browser import HERE, OPENING, open_demo, press, serious, turn_to_studio
from memorybank_studio.types import EntityKind, entity_key
from tests.app.driving import SMALL
from tests.app.looking import at_rest, graph_at_rest
from tests.app.test_demo import opened
from tests.watching import expect

SPOT = "(box, id) => box.network.canvasToDOM(box.network.getPosition(id))"
BOX = ".st-key-studio-graph .canvas"


def turn_to(page: Page, view: str, part: str = "") -> None:
    expect(page.locator(".st-key-studio-view")).to_be_visible(timeout=HERE)
    page.locator(".st-key-studio-view button").nth(VIEWS.index(view)).click()
    at_rest(page)
    if part:
        page.locator(f".st-key-studio-{view}-part button").nth(list(PARTS[view]).index(part)).click()
        expect(page.locator(f".st-key-studio-part-{part}")).to_be_visible(timeout=HERE)
        at_rest(page)


def open_recorded(page: Page) -> None:
    press(page, "studio-recorded")
    expect(page.locator(".st-key-studio-recording")).to_be_visible(timeout=OPENING)


@pytest.mark.parametrize(
    ("lang", "scheme", "new", "is_recorded"), [("en", "light", "Orla Finch", False), ("zh", "dark", "欧阳晴", True)]
)
def test_whom_the_map_shows_has_a_page_gets_another_name_and_goes_out_in_a_file_that_comes_back(
    browser: Browser,
    serve_app: Callable[..., str],
    tmp_path: Path,
    lang: Lang,
    scheme: Literal["light", "dark"],
    new: str,
    is_recorded: bool,
) -> None:
    story = recording(lang) if is_recorded else demo(lang)
    name = next(str(each["name"]) for each in story.entities if each["kind"] == "Character")
    with opened(browser, f"{serve_app(**SMALL)}/?lang={lang}", lang, scheme) as (_, page):
        turn_to_studio(page)
        (open_recorded if is_recorded else open_demo)(page)
        turn_to(page, "bible", "facts")
        box = page.locator(BOX)
        expect(box).to_be_visible(timeout=HERE)
        graph_at_rest(box)
        spot = box.evaluate(SPOT, entity_key(EntityKind.CHARACTER, name))
        box.click(position=spot)
        press(page, "studio-person-open-facts")
        expect(page.locator(".st-key-studio-person-head")).to_contain_text(name, timeout=HERE)
        expect(page.locator(".st-key-studio-person-appears mark").first).to_have_text(name)
        assert serious(page) == []

        press(page, "studio-person-rename")
        page.locator("[class*=st-key-studio-rename-to-] input").fill(new)
        page.keyboard.press("Enter")
        expect(page.locator(".st-key-studio-rename-places")).to_contain_text(new, timeout=HERE)
        assert serious(page) == []
        press(page, "studio-rename-do")
        expect(page.locator(".st-key-studio-rename-last-words")).to_contain_text(new, timeout=HERE)
        page.locator(".st-key-studio-words-find input").fill(name)
        page.keyboard.press("Enter")
        at_rest(page)
        turn_to(page, "chapters", "book")
        for kind in ("docx", "epub", "md"):
            press(page, f"studio-make-book-{kind}")
            with page.expect_download(timeout=HERE) as waiting:
                press(page, f"studio-download-book-{kind}")
            path = tmp_path / waiting.value.suggested_filename
            waiting.value.save_as(path)
            book = book_from_bytes(path.name, path.read_bytes())
            text = "".join(chapter.text for chapter in book.chapters)
            assert new in text
            assert name not in text
        page.locator(".st-key-studio-import-file input[type=file]").set_input_files(path)
        expect(page.locator(".st-key-studio-chapters li")).to_have_count(len(book.chapters), timeout=HERE)
        assert serious(page) == []

        turn_to(page, "bible", "rename")
        press(page, "studio-rename-undo")
        expect(page.locator(".st-key-studio-words-lines")).to_contain_text(name, timeout=HERE)
