"""A draft that becomes a chapter, in a real browser: a model's marks, each let stand and marked again by keys."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

import pytest
from playwright.sync_api import Browser, Page

from memorybank.memory.types import Lang
from memorybank.views.i18n import t
from memorybank_lab.scripted import Script, ScriptedServer, SeenRequest, asks, on
from memorybank_studio.tests.app.test_studio_browser import HERE, open_demo, press, serious, turn_to_studio
from tests.app.driving import SMALL
from tests.app.test_accessibility import at_rest
from tests.app.test_demo import opened
from tests.watching import expect

DRAFT: dict[Lang, str] = {
    "en": (
        "The door of the Tide Tower was open. Captain Brandt waited on the stairs and nodded to them.\n\n"
        "Rain ran down the wall.\n\n"
        "Ilse could never wait for anything. Captain Brandt opened the hatch."
    ),
    "zh": (
        "潮塔的门开着。韩船长站在楼梯上，朝他们点了点头。\n\n雨水顺着墙往下流。\n\n林汐一刻也等不得。韩船长打开了木板。"
    ),
}
MARKS: dict[Lang, tuple[tuple[str, str], ...]] = {
    "en": (
        ("waited on the stairs", "Captain Brandt is dead"),
        ("could never wait", "Ilse Marrow is patient"),
        ("opened the hatch", "Captain Brandt is dead"),
    ),
    "zh": (
        ("站在楼梯上", "韩船长的状态是死"),
        ("一刻也等不得", "林汐的性格是有耐心"),
        ("打开了木板", "韩船长的状态是死"),
    ),
}

NAMED: dict[Lang, list[str]] = {
    "en": ["Tide Tower", "Captain Brandt", "Ilse", "Captain Brandt"],
    "zh": ["潮塔", "韩船长", "林汐", "韩船长"],
}
"""Names on record that the editor marks."""


def answer(lang: Lang) -> Callable[[SeenRequest], dict[str, Any]]:
    def read(request: SeenRequest) -> dict[str, Any]:
        lines = request.prompt.splitlines()
        number = lambda words, first: next(line.split()[0] for line in lines if words in line and line[0] == first)  # noqa: E731
        marks = [
            {"sentence": number(quote, "s"), "against": number(words, "r"), "kind": "contradicts"}
            | {"quote": quote, "reason": f"Against: {words}"}
            for quote, words in MARKS[lang]
        ]
        return {"marks": marks}

    return read


@pytest.mark.parametrize(("lang", "scheme"), [("en", "light"), ("zh", "dark")])
def test_marks_stand_by_their_passages_and_are_let_stand_by_keys(
    browser: Browser, serve_app: Callable[..., str], lang: Lang, scheme: Literal["light", "dark"]
) -> None:
    with ScriptedServer(Script(rules=[on(asks(schema="continuity"), answer(lang))])) as server:
        model = {"ENGINE": "llm", "LLM_BASE_URL": server.base_url, "LLM_MODEL": "m", "LLM_API_KEY": "k-1234567890"}
        with opened(browser, f"{serve_app(**SMALL, **model)}/?lang={lang}", lang, scheme) as (_, page):
            turn_to_studio(page)
            open_demo(page)
            page.locator(".st-key-studio-view button", has_text=t("studio.view_write", lang)).click()
            field = page.locator(".st-key-studio-draft textarea")
            expect(field).to_be_visible(timeout=HERE)
            field.fill(DRAFT[lang])
            field.press("Control+Enter")
            expect(page.locator(".wr-names mark")).to_have_text(NAMED[lang], timeout=HERE)
            press(page, "studio-draft-keep")
            expect(page.locator("mark.conflict")).to_have_count(3, timeout=HERE)
            cards = page.locator(".card.conflict")
            for place, (_, words) in enumerate(MARKS[lang]):
                expect(cards.nth(place)).to_contain_text(f"Against: {words}")
            assert serious(page) == []
            let_stand(page, "chapter-let-stand-1-1")
            expect(page.locator("mark.conflict")).to_have_count(2, timeout=HERE)
            page.locator(".st-key-chapter-let-1 summary").press("Enter")
            let_stand(page, "chapter-mark-again-1-0")
            expect(page.locator("mark.conflict")).to_have_count(3, timeout=HERE)
            let_stand(page, "chapter-let-stand-1-1")
            press(page, "studio-draft-keep")
            expect(page.locator(".st-key-studio-findings")).to_contain_text(
                t("studio.findings_count", lang, count=2, chapter=4), timeout=HERE
            )
            expect(page.locator("mark.conflict")).to_have_count(2, timeout=HERE)
            at_rest(page)
            assert serious(page) == []


def let_stand(page: Page, key: str) -> None:
    at_rest(page)
    button = page.locator(f".st-key-{key} button").first  # one with help is there twice
    expect(button).to_be_enabled(timeout=HERE)
    button.focus()
    page.keyboard.press("Enter")
