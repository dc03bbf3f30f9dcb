"""Your turn in a real browser: answered by the keyboard, in light and dark; what is being typed is never lost; and no
word of it is of the other language."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Browser, Page, Route

from memorybank.llm.hand.folder import HandFolder
from memorybank.views.i18n import t
from tests.app.driving import SMALL
from tests.app.foreign_words import foreign_words
from tests.app.looking import LEAST_UNTOUCHED, at_rest, files_at_rest
from tests.watching import expect

QUESTION = "清河大桥哪一年通车？"
TEXTS = ("清河大桥于1961年通车，全长335米。", "清河大桥于1981年通车。")


def begin(page: Page, address: str, folder: Path) -> None:
    """Hand two long documents over and run. One takes its time, and is not left behind."""
    paths = [folder / f"{number}.txt" for number in range(len(TEXTS))]
    for path, text in zip(paths, TEXTS, strict=True):
        path.write_text(80 * text, "utf-8")
    page.goto(f"{address}/?lang=zh")
    at_rest(page)
    page.locator(".st-key-new-prompt textarea").fill(QUESTION)
    late = list[Route]()
    page.route("**/_stcore/upload_file/**", lambda route: late.append(route), times=1)
    page.locator(".st-key-new-context input[type=file]").set_input_files(paths)
    for path in paths:
        expect(page.get_by_text(path.name)).to_be_visible()
    run = page.locator(".st-key-new-run button")
    run.focus()
    expect(run).not_to_be_focused()
    expect(page.locator(".st-key-new-run")).to_have_css("pointer-events", "none")
    for _ in range(600):  # its address is asked for first
        if late:
            break
        page.wait_for_timeout(100)
    late.pop().continue_()
    files_at_rest(page)  # the form grows by what the server says of the files: a button moves under the pointer
    run.click()
    expect(page.get_by_role("heading", name=t("hand.title", "zh"))).to_be_visible()


def test_what_is_being_typed_stays_when_another_request_comes_or_goes(
    browser: Browser, serve_app: Callable[..., str], tmp_path: Path
) -> None:
    desk = tmp_path / "desk"
    context = browser.new_context(viewport={"width": 1360, "height": 900}, locale="en-US")
    page = context.new_page()
    small = {"CLASSIFICATION_AGENT_WINDOW": "2048"}  # the two texts do not fit one request
    address = serve_app(**SMALL, **small, ENGINE="llm", LLM_PROVIDER="hand", HAND_DIR=str(desk))
    begin(page, address, tmp_path)
    requests = page.locator(".st-key-hand-chosen button")
    expect(requests).to_have_count(2)
    found = {"two requests": foreign_words(page, "zh")}
    typed = page.locator(".st-key-hand-001-classification-text textarea")
    typed.focus()
    page.keyboard.type("half a thou")
    HandFolder(desk).give("002.classification", "{}")
    expect(page.get_by_text(f"003 · {t('role.classification', 'zh')}")).to_be_visible()
    page.keyboard.type("ght")
    expect(typed).to_have_value("half a thought")
    at_rest(page, LEAST_UNTOUCHED)  # between two looks at the run: what is typed before may be lost
    found["one was answered"] = foreign_words(page, "zh")
    page.locator(".st-key-hand-001-classification-send button").press("Enter")  # what is above it may grow meanwhile
    expect(page.locator(".st-key-hand-problems")).to_be_visible()
    found["no JSON"] = foreign_words(page, "zh")
    assert {state: words for state, words in found.items() if words} == {}
    context.close()
