"""The pages, and a run of one's own from the form to the comparison, in Chinese: no English word on the way.

On leaving it is asserted that no request left the machine and that nothing was logged as an error.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Browser, FilePayload, Page

from memorybank.hosting.ready_tasks import demo_image
from tests.app.driving import SMALL
from tests.app.foreign_words import foreign_words
from tests.app.looking import LOOKS, at_rest, files_at_rest, graph_at_rest, press, show
from tests.app.test_accessibility import save_runs, wrong_on_the_pages
from tests.app.test_demo import A_RUN, opened
from tests.watching import expect

DOCUMENTS: list[FilePayload] = [
    {"name": "大桥.txt", "mimeType": "text/plain", "buffer": "清河大桥于1961年通车，全长335米。".encode()},
    {"name": "导览.txt", "mimeType": "text/plain", "buffer": "清河大桥于1981年通车。桥边有渡船。".encode()},
]
QUESTION, PICTURE = "清河大桥哪一年通车？", "jiuzhang_slide_zh.png"
NOWHERE = {"LLM_PROVIDER": "local", "LLM_BASE_URL": "http://127.0.0.1:9/v1", "LLM_MODEL": "模型", "LLM_ATTEMPTS": "1"}
ON_A_NODE = """(box) => {
    const { x, y } = box.getBoundingClientRect();
    const [place] = Object.values(box.network.getPositions()).map((one) => box.network.canvasToDOM(one));
    return [x + place.x, y + place.y];
}"""


def test_no_page_and_no_state_of_a_run_speaks_english(
    browser: Browser, serve_app: Callable[..., str], tmp_path: Path
) -> None:
    """The pages on a telephone, which leaves the words the least room."""
    given = save_runs("zh", tmp_path)
    address = serve_app(STORAGE_DIR=str(tmp_path), **SMALL, **NOWHERE)
    with opened(browser, f"{address}/?lang=zh", "en") as (_, page):
        assert wrong_on_the_pages(page, address, "zh", given, LOOKS[1:]) == {}
        show(page, 1440, "light")
        page.goto(f"{address}/?lang=zh")
        _walk(page, given)


def _walk(page: Page, given: frozenset[str]) -> None:
    found: dict[str, list[str]] = {}

    def look(state: str, *, rest: bool = True) -> None:
        if rest:
            at_rest(page)
        found[state] = foreign_words(page, "zh", given)

    at_rest(page)
    press(page, "new-run")
    look("an empty form")
    for mark in page.locator("[data-testid=stTooltipIcon] button").all():
        if mark.is_visible():
            mark.hover()
            expect(page.locator("[data-testid=stTooltipContent]").first).to_be_visible()
            look(f"the hint of {mark.get_attribute('aria-label')}", rest=False)
    fill_in(page, "不用模型")
    picture = FilePayload(name=PICTURE, mimeType="image/png", buffer=demo_image(PICTURE))
    page.locator(".st-key-new-images input[type=file]").set_input_files([picture])
    expect(page.locator(".st-key-new-images [data-testid=stFileChipName]")).to_have_count(1)
    files_at_rest(page)
    press(page, "new-step")
    expect(page.locator(".st-key-step button").first).to_be_enabled(timeout=A_RUN)
    look("after one stage")
    page.locator(".st-key-popover-until button").first.click()
    look("how far it is to run")
    press(page, "until-conflict")
    expect(page.locator(".chip.conflict").first).to_be_visible(timeout=A_RUN)  # it is there before it is checked
    expect(page.locator(".st-key-run button").first).to_be_enabled(timeout=A_RUN)
    press(page, "run")
    look("running", rest=False)
    expect(page.locator(".answer-box").first).to_be_visible(timeout=A_RUN)
    look("answered")
    turn_to(page, "graph")
    graph_at_rest(page.locator(".canvas"))
    page.mouse.move(*page.locator(".canvas").evaluate(ON_A_NODE))
    expect(page.locator(".vis-tooltip")).to_be_visible()
    look("the hint of a node", rest=False)
    turn_to(page, "compare")
    for tick in page.locator(".st-key-runs-rows .tick").all()[:2]:
        tick.click()
        at_rest(page)
    press(page, "runs-compare")
    expect(page.locator(".st-key-compare-table .side > .text")).to_have_count(2, timeout=A_RUN)
    look("two runs side by side")

    turn_to(page, "settings")
    look("settings")
    turn_to(page, "")
    press(page, "new-session")
    at_rest(page)
    fill_in(page, "语言模型")
    press(page, "new-run")
    expect(page.locator(".notice.failure, [class*=problem]").first).to_be_visible()
    look("failed")
    assert {state: words for state, words in found.items() if words} == {}


def turn_to(page: Page, name: str) -> None:
    page.locator(f'a[href$="/{name}"]').first.click()
    at_rest(page)


def fill_in(page: Page, engine: str) -> None:
    page.locator(".st-key-new-engine label", has_text=engine).last.click()
    at_rest(page)
    page.locator(".st-key-new-context input[type=file]").set_input_files(DOCUMENTS)
    expect(page.locator(".st-key-new-context [data-testid=stFileChipName]")).to_have_count(2)
    files_at_rest(page)
    page.locator(".st-key-new-prompt textarea").fill(QUESTION)
    page.keyboard.press("Control+Enter")  # the page is drawn with it before a button is pressed
    at_rest(page)
