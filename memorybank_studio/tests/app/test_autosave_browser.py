"""A draft in a real browser is saved while it is being typed, and the page says so."""

from __future__ import annotations

from collections.abc import Callable
from urllib.parse import urlsplit

from playwright.sync_api import Browser, Page

from memorybank_studio.page.page import VIEWS
from memorybank_studio.tests.app.test_studio_browser import HERE, OPENING, press, turn_to_studio
from tests.app.driving import SMALL
from tests.app.looking import at_rest, violations
from tests.app.test_demo import opened
from tests.watching import expect

FIELD = ".st-key-studio-draft textarea"
FIRST, SECOND = "The water rose.", " It fell again."


def turn_to_draft(page: Page) -> None:
    page.locator(".st-key-studio-view button").nth(VIEWS.index("write")).click()
    expect(page.locator(FIELD)).to_be_visible(timeout=HERE)
    at_rest(page)


def load_anew(page: Page) -> None:
    """As a reload of the address, but by the root: a page's own path answers a reload with errors of Streamlit's."""
    page.goto(urlsplit(page.url)._replace(path="/").geturl())
    at_rest(page)
    page.locator('a[href*="studio"]').first.click()


def test_a_draft_is_saved_while_it_is_being_typed(browser: Browser, serve_app: Callable[..., str]) -> None:
    address = f"{serve_app(**SMALL)}/?lang=en"
    with opened(browser, address, "en") as (_, page):
        turn_to_studio(page)
        page.locator(".st-key-studio-new-title input").fill("Night")
        page.keyboard.press("Enter")
        expect(page.locator(".st-key-studio-view")).to_be_visible(timeout=OPENING)
        at_rest(page)
        turn_to_draft(page)
        expect(page.locator(".saved")).not_to_have_text("")
        page.locator(FIELD).click()
        for words in (FIRST, SECOND):  # the field is never left
            page.keyboard.type(words)
            expect(page.locator(".saved")).to_have_text("Saving…")
            expect(page.locator(".saved")).to_contain_text("Saved at", timeout=HERE)
        expect(page.locator(FIELD)).to_be_focused()
        assert page.locator(FIELD).input_value() == FIRST + SECOND, "nothing that was typed is drawn over"
        at_rest(page)
        assert violations(page) == []
        page.keyboard.type(" The end.")
        page.keyboard.press("Control+Enter")
        chapter = page.locator(".st-key-studio-draft-chapter")
        chapter.get_by_role("button", name="Increment").click()  # at once: the field is left by this press; both count
        expect(chapter.locator("input")).to_have_value("2", timeout=HERE)
        expect(page.locator(".saved")).to_contain_text("Saved at", timeout=HERE)


def test_what_is_typed_to_a_task_waits_there(browser: Browser, serve_app: Callable[..., str]) -> None:
    with opened(browser, f"{serve_app(**SMALL)}/?lang=zh", "zh") as (_, page):
        turn_to_studio(page)
        page.locator(".st-key-studio-new-title input").fill("夜")
        page.keyboard.press("Enter")
        expect(page.locator(".st-key-studio-task-title")).to_be_visible(timeout=OPENING)
        field = page.locator(".st-key-studio-input textarea")
        for number, title in enumerate(("甲", "乙"), start=1):
            new = page.locator(".st-key-studio-task-title input")
            new.fill(title)
            page.locator(".st-key-studio-task-words textarea").fill(f"{title}说了第一句。")
            page.get_by_role("button", name="新建任务").click()
            expect(page.locator(".st-key-studio-current")).to_have_text(title, timeout=HERE)
            expect(page.locator(".wr-turn.assistant")).to_have_count(1, timeout=HERE)
            expect(field).to_have_value("")
            at_rest(page)
            field.click()
            page.keyboard.type(f"写给{title}的半句话")
            expect(page.locator(".saved")).to_contain_text("已于", timeout=HERE)
            page.locator(".st-key-studio-view button").nth(1).click()  # and back
            at_rest(page)
            page.locator(".st-key-studio-view button").nth(0).click()
            expect(field).to_have_value(f"写给{title}的半句话", timeout=HERE)
            assert number == page.locator("[class*=st-key-studio-task-words-]").count()
        press(page, "studio-switch-t1")
        expect(field).to_have_value("写给甲的半句话", timeout=HERE)
        load_anew(page)
        expect(field).to_have_value("写给甲的半句话", timeout=HERE)
        field.press("Enter")
        expect(page.locator(".wr-turn.assistant")).to_have_count(2, timeout=HERE)
        expect(field).to_have_value("")
        page.wait_for_timeout(1500)  # what the browser tells of the words after they were sent
        load_anew(page)
        expect(field).to_be_visible(timeout=HERE)
        expect(field).to_have_value("")
        press(page, "studio-switch-t2")
        expect(field).to_have_value("写给乙的半句话", timeout=HERE)
