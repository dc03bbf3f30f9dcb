"""The states of a run that a walk through a finished one does not meet, in Chinese: no word of the other language."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Browser, FilePayload, Page

from tests.app.driving import SMALL
from tests.app.foreign_words import foreign_words
from tests.app.test_accessibility import at_rest
from tests.watching import expect

DOCUMENTS: list[FilePayload] = [
    {"name": "大桥.txt", "mimeType": "text/plain", "buffer": "清河大桥于1961年通车，全长335米。".encode()},
    {"name": "导览.txt", "mimeType": "text/plain", "buffer": "清河大桥于1981年通车。桥边有渡船。".encode()},
]
NOWHERE = {"LLM_PROVIDER": "local", "LLM_BASE_URL": "http://127.0.0.1:9/v1", "LLM_MODEL": "模型", "LLM_ATTEMPTS": "1"}
ON_A_NODE = """(box) => {
    const { x, y } = box.getBoundingClientRect();
    const [place] = Object.values(box.network.getPositions()).map((one) => box.network.canvasToDOM(one));
    return [x + place.x, y + place.y];
}"""


def test_no_state_of_a_run_speaks_english(browser: Browser, serve_app: Callable[..., str]) -> None:
    page = browser.new_context(locale="en-GB", viewport={"width": 1280, "height": 900}).new_page()
    page.set_default_timeout(60_000)
    found: dict[str, list[str]] = {}

    def look(state: str, *, rest: bool = True) -> None:
        if rest:
            at_rest(page)
        found[state] = foreign_words(page, "zh")

    page.goto(f"{serve_app(**SMALL, **NOWHERE)}/?lang=zh")
    at_rest(page)
    press(page, "new-run")
    look("an empty form")
    for mark in page.locator("[data-testid=stTooltipIcon] button").all():
        if mark.is_visible():
            mark.hover()
            expect(page.locator("[data-testid=stTooltipContent]").first).to_be_visible()
            look(f"the hint of {mark.get_attribute('aria-label')}", rest=False)
    page.keyboard.press("?")
    look("the keys")
    page.keyboard.press("?")
    page.keyboard.press("o")
    look("all that can be done")
    page.keyboard.press("Escape")

    fill_in(page, "离线")
    press(page, "new-step")
    expect(page.locator(".st-key-step button").first).to_be_enabled()
    look("after one stage")
    page.locator(".st-key-popover-until button").first.click()
    look("how far it is to run")
    page.keyboard.press("Escape")
    press(page, "run")
    look("running", rest=False)
    expect(page.locator(".answer-box").first).to_be_visible()
    look("answered")
    page.locator('a[href$="/graph"]').first.click()
    at_rest(page)
    page.mouse.move(*page.locator(".canvas").evaluate(ON_A_NODE))
    expect(page.locator(".vis-tooltip")).to_be_visible()
    look("the hint of a node", rest=False)
    page.keyboard.press("p")
    expect(page.locator("#memorybank-over .exit")).to_be_visible()
    look("presented")
    page.keyboard.press("Escape")

    page.locator('a[href$="/settings"]').first.click()
    at_rest(page)
    press(page, "check-now-llm")
    look("a model that does not answer")
    page.locator('a[href$="/"]').first.click()
    at_rest(page)
    press(page, "new-session")
    at_rest(page)
    fill_in(page, "语言模型")
    press(page, "new-run")
    expect(page.locator(".notice.failure, [class*=problem]").first).to_be_visible()
    look("failed")
    page.context.close()
    assert {state: words for state, words in found.items() if words} == {}


def press(page: Page, key: str) -> None:
    page.locator(f".st-key-{key} button").first.click()


def fill_in(page: Page, engine: str) -> None:
    page.locator(".st-key-new-engine button", has_text=engine).click()
    at_rest(page)
    page.locator(".st-key-new-context input[type=file]").set_input_files(DOCUMENTS)
    expect(page.locator(".st-key-new-context [data-testid=stFileChipName]")).to_have_count(2)
    page.locator(".st-key-new-prompt textarea").fill("清河大桥哪一年通车？")
