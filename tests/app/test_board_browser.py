"""The plan board in a real browser: a card is moved by the mouse and by keys, told to the server, and undone."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Browser, Page

from memorybank.ui.studio.hub import PARTS
from tests.app.driving import SMALL
from tests.app.looking import at_rest, violations
from tests.app.test_demo import opened
from tests.app.test_studio_browser import HERE, open_demo, press, turn_to_studio
from tests.watching import expect

LANES = """lanes => Object.fromEntries(lanes.map((lane) =>
  [lane.dataset.lane, [...lane.querySelectorAll(".card .title")].map((title) => title.textContent)]))"""
BEGUN = {
    "Ilse": ["Ilse sees the light", "Ilse enters the Tide Tower", "Ilse finds her mother in the lamp room"],
    "Quill": ["Quill admits his debt", "Quill stays behind"],
}


def lanes(page: Page) -> dict[str, list[str]]:
    at_rest(page)
    found: dict[str, list[str]] = page.locator(".lane").evaluate_all(LANES)
    return found


def turn_to_board(page: Page) -> None:
    expect(page.locator(".st-key-studio-view")).to_be_visible(timeout=HERE)
    page.locator(".st-key-studio-view button").nth(1).click()
    at_rest(page)
    page.locator(".st-key-studio-hub button").nth(list(PARTS).index("plans")).click()
    expect(page.locator(".card").first).to_be_visible(timeout=HERE)


def drag(page: Page, title: str, lane: str, below: int) -> None:
    card = page.locator(".card", has_text=title).bounding_box()
    to = page.locator(f".lane[data-lane={lane}]").bounding_box()
    assert card is not None
    assert to is not None
    page.mouse.move(card["x"] + 80, card["y"] + 12)
    page.mouse.down()
    page.mouse.move(to["x"] + 90, to["y"] + below, steps=6)
    expect(page.locator(f".lane[data-lane={lane}] .slot")).to_be_visible()
    page.mouse.up()


def test_a_card_is_moved_by_mouse_and_keys_and_undone(browser: Browser, serve_app: Callable[..., str]) -> None:
    with opened(browser, f"{serve_app(**SMALL)}/?lang=en", "en") as (_, page):
        turn_to_studio(page)
        open_demo(page)
        turn_to_board(page)
        assert lanes(page) == BEGUN
        assert violations(page) == []
        drag(page, "Quill stays behind", "Ilse", 90)
        moved = {"Ilse": ["Quill stays behind", *BEGUN["Ilse"]], "Quill": ["Quill admits his debt"]}
        assert sorted(lanes(page)["Ilse"]) == sorted(moved["Ilse"])
        expect(page.locator(".st-key-studio-board-undo button")).to_be_visible(timeout=HERE)
        press(page, "studio-board-undo")
        expect(page.locator(".lane[data-lane=Quill] .card")).to_have_count(2)
        assert lanes(page) == BEGUN
        page.locator(".card", has_text="Ilse sees the light").focus()
        for key in (" ", "ArrowDown", "ArrowDown", "Escape", " ", "ArrowDown", " "):
            page.keyboard.press(key)
        first, second, third = BEGUN["Ilse"]
        expect(page.locator(".live")).to_have_text(f"“{first}”: storyline Ilse, 2 of 3")
        assert (
            page.evaluate("document.activeElement.shadowRoot?.activeElement?.querySelector('.title')?.textContent")
            == first
        )
        expect(page.locator(".st-key-studio-board-undo button")).to_be_visible(timeout=HERE)
        assert lanes(page) == {**BEGUN, "Ilse": [second, first, third]}
