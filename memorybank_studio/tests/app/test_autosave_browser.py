"""A draft in a real browser is saved while it is being typed, and the page says so."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Browser, Page

from memorybank_studio.page.page import VIEWS
from memorybank_studio.tests.app.test_studio_browser import HERE, OPENING, turn_to_studio
from tests.app.driving import SMALL
from tests.app.looking import at_rest, violations
from tests.app.test_demo import opened
from tests.watching import expect

FIELD = ".st-key-studio-draft textarea"
FIRST, SECOND = "The water rose.", " It fell again."


def turn_to_draft(page: Page) -> None:
    page.locator(".st-key-studio-view button").nth(VIEWS.index("draft")).click()
    expect(page.locator(FIELD)).to_be_visible(timeout=HERE)
    at_rest(page)


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
