"""An author's book in a real browser: whom the map shows, their page, another name everywhere, a file out and in; a
chapter that a scripted endpoint writes. No word of a part of it is English."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Browser, Page

from memorybank.views.i18n import t
from memorybank_lab.scripted import ScriptedServer, asks, on
from memorybank_studio.books.files import book_from_bytes
from memorybank_studio.page.demo import recording
from memorybank_studio.tests.app.test_studio_browser import (
    HERE,
    OPENING,
    each_part,
    open_demo,
    press,
    serious,
    turn_to,
    turn_to_studio,
)
from memorybank_studio.tests.chapters.story import OUTLINE, TITLE, answers, rules
from memorybank_studio.types import EntityKind, entity_key
from tests.app.driving import SMALL
from tests.app.looking import LOOKS, faults, graph_at_rest, show
from tests.app.test_demo import opened
from tests.watching import expect

SPOT = "(box, id) => box.network.canvasToDOM(box.network.getPosition(id))"
BOX = ".st-key-studio-graph .canvas"


def test_a_book_is_renamed_taken_out_and_in_and_goes_on_by_a_chapter(
    browser: Browser, serve_app: Callable[..., str], tmp_path: Path
) -> None:
    with ScriptedServer(rules("en", more=[on(asks(schema="continuity"), {"marks": [], "now": []})])) as server:
        model = {"ENGINE": "llm", "LLM_BASE_URL": server.base_url, "LLM_MODEL": "m", "LLM_API_KEY": "k-1234567890"}
        address = serve_app(**{**SMALL, **model, "LLM_ATTEMPTS": "1"})
        with opened(browser, f"{address}/?lang=zh", "zh", "dark") as (_, page):
            whom_the_map_shows_gets_another_name_and_goes_out_in_a_file_that_comes_back(page, tmp_path)
            press(page, "studio-close")
            page.locator(".st-key-studio-demo").wait_for()
            page.goto(f"{address}/?lang=en")
            a_chapter_is_planned_and_written_before_ones_eyes(page)


def whom_the_map_shows_gets_another_name_and_goes_out_in_a_file_that_comes_back(page: Page, folder: Path) -> None:
    """In the recorded studio."""
    new, kind = "欧阳晴", "epub"
    name = next(str(each["name"]) for each in recording("zh").entities if each["kind"] == "Character")
    turn_to_studio(page)
    press(page, "studio-recorded")
    expect(page.locator(".st-key-studio-view")).to_be_visible(timeout=OPENING)
    found = {part: faults(page, LOOKS[1], "zh", axe=False) for part in each_part(page)}  # the least room, as well
    assert {part: told for part, told in found.items() if told} == {}
    show(page, 1440, "dark")
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
    turn_to(page, "chapters", "book")
    press(page, f"studio-make-book-{kind}")
    with page.expect_download(timeout=HERE) as waiting:
        press(page, f"studio-download-book-{kind}")
    path = folder / waiting.value.suggested_filename
    waiting.value.save_as(path)
    book = book_from_bytes(path.name, path.read_bytes())
    text = "".join(chapter.text for chapter in book.chapters)
    assert new in text
    assert name not in text
    page.locator(".st-key-studio-import-file input[type=file]").set_input_files(path)
    expect(page.locator(".st-key-studio-chapters li")).to_have_count(len(book.chapters), timeout=HERE)
    assert serious(page) == []


def a_chapter_is_planned_and_written_before_ones_eyes(page: Page) -> None:
    own = answers("en")
    turn_to_studio(page)
    open_demo(page)
    turn_to(page, "write")
    page.locator(".st-key-chapter-title input").fill(TITLE["en"])
    page.locator(".st-key-chapter-plan [data-testid=stSelectbox] button").click()
    page.get_by_role("option").filter(has_text=OUTLINE["en"]).last.click()
    page.get_by_role("button", name=t("chapter.plan_do", "en"), exact=True).click()
    planned = own["plan"]["pieces"][1]["title"]
    expect(page.locator(".st-key-chapter-beats")).to_contain_text(planned, timeout=HERE)
    press(page, "chapter-all")
    last = own["pieces"][2]
    expect(page.locator(".st-key-chapter-piece-text-3")).to_contain_text(last["outcome_quote"], timeout=HERE)
    expect(page.locator(".st-key-chapter-state")).to_contain_text(last["state"][0]["what"])
