"""The plan board in a real browser: a card is moved by the mouse and by keys, and told to the server."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Browser, Page

from memorybank_studio.page.page import VIEWS
from memorybank_studio.tests.app.test_studio_browser import HERE, open_demo, turn_to_studio
from tests.app.by_keys import Keys
from tests.app.driving import SMALL
from tests.app.looking import at_rest, violations
from tests.app.test_demo import opened
from tests.watching import expect

LANES = """lanes => Object.fromEntries(lanes.map((lane) =>
  [lane.querySelector("h4").textContent,
   [...lane.querySelectorAll(".wr-card .leads")].map((title) => title.textContent)]))"""
BEGUN = {
    "Ilse": ["Ilse sees the light", "Ilse enters the Tide Tower", "Ilse finds her mother in the lamp room"],
    "Quill": ["Quill admits his debt", "Quill stays behind"],
}


def lanes(page: Page) -> dict[str, list[str]]:
    at_rest(page)
    found: dict[str, list[str]] = page.locator(".wr-lane").evaluate_all(LANES)
    return found


def turn_to_board(page: Page) -> None:
    expect(page.locator(".st-key-studio-view")).to_be_visible(timeout=HERE)
    page.locator(".st-key-studio-view button").nth(VIEWS.index("plan")).click()
    expect(page.locator(".wr-card").first).to_be_visible(timeout=HERE)


def test_a_card_is_moved_by_mouse_and_keys(browser: Browser, serve_app: Callable[..., str]) -> None:
    with opened(browser, f"{serve_app(**SMALL)}/?lang=en", "en") as (_, page):
        turn_to_studio(page)
        open_demo(page)
        turn_to_board(page)
        assert lanes(page) == BEGUN
        assert violations(page) == []
        page.get_by_role("button", name="Quill stays behind").click()
        step = page.locator(".st-key-studio-board-step")
        expect(step).to_contain_text("storyline Quill, 2 of 2", timeout=HERE)
        at_rest(page)
        assert violations(page) == []
        step.locator("[data-testid=stSelectbox] button").click()
        page.get_by_role("option", name="Ilse").click()
        expect(step).to_contain_text("storyline Ilse, 1 of 1", timeout=HERE)
        assert sorted(lanes(page)["Ilse"]) == sorted(["Quill stays behind", *BEGUN["Ilse"]])
        step.locator("[data-testid=stSelectbox] button").click()
        page.get_by_role("option", name="Quill").click()
        expect(step).to_contain_text("storyline Quill, 2 of 2", timeout=HERE)
        assert lanes(page) == BEGUN

        keys = Keys(page)
        first, second, third = BEGUN["Ilse"]
        keys.go("studio-board", first)
        keys.press("Enter")
        expect(step).to_contain_text(f"{first}storyline Ilse, 1 of 3", timeout=HERE)
        keys.is_at("studio-board", first)
        keys.go("studio-board-later", back=True)
        keys.press("Enter")
        expect(step).to_contain_text("2 of 3", timeout=HERE)
        keys.is_at("studio-board-later")
        keys.press("Enter")
        expect(step).to_contain_text("3 of 3", timeout=HERE)
        keys.is_at("studio-board-")  # what had the focus is switched off: it is nearby
        assert lanes(page) == {**BEGUN, "Ilse": [second, third, first]}
