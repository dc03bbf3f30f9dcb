"""A chapter in a real browser, its model a scripted endpoint: planned, and written before one's eyes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

import pytest
from playwright.sync_api import Browser, Page

from memorybank.memory.types import Lang
from memorybank.views.i18n import t
from memorybank_lab.scripted import ScriptedServer, asks, on
from memorybank_studio.page.page import VIEWS
from memorybank_studio.tests.app.test_studio_browser import HERE, open_demo, press, turn_to_studio
from memorybank_studio.tests.chapters.story import OUTLINE, TITLE, answers, rules
from tests.app.driving import SMALL
from tests.app.test_demo import opened
from tests.watching import expect

NO_MARKS: dict[str, list[str]] = {"marks": [], "doubts": [], "now": []}


def choose(page: Page, key: str, words: str) -> None:
    page.locator(f".st-key-{key} [data-testid=stSelectbox] button").click()
    page.get_by_role("option").filter(has_text=words).last.click()


def turn_to_chapter(page: Page) -> None:
    page.locator(".st-key-studio-view button").nth(VIEWS.index("write")).click()
    expect(page.locator(".st-key-chapter-title input")).to_be_visible(timeout=HERE)


@pytest.mark.parametrize(("lang", "scheme"), [("en", "light"), ("zh", "dark")])
def test_a_chapter_is_planned_and_written_before_ones_eyes(
    browser: Browser, serve_app: Callable[..., str], lang: Lang, scheme: Literal["light", "dark"]
) -> None:
    own = answers(lang)
    with ScriptedServer(rules(lang, more=[on(asks(schema="continuity"), NO_MARKS)])) as server:
        model = {"ENGINE": "llm", "LLM_BASE_URL": server.base_url, "LLM_MODEL": "m", "LLM_API_KEY": "k-1234567890"}
        address = serve_app(**{**SMALL, **model, "LLM_ATTEMPTS": "1"})
        with opened(browser, f"{address}/?lang={lang}", lang, scheme) as (_, page):
            turn_to_studio(page)
            open_demo(page)
            turn_to_chapter(page)
            page.locator(".st-key-chapter-title input").fill(TITLE[lang])
            choose(page, "chapter-plan", OUTLINE[lang])
            page.get_by_role("button", name=t("chapter.plan_do", lang), exact=True).click()
            expect(page.locator(".st-key-chapter-beats")).to_contain_text(
                own["plan"]["pieces"][1]["title"], timeout=HERE
            )
            press(page, "chapter-all")
            expect(page.locator(".st-key-chapter-piece-text-3")).to_contain_text(
                own["pieces"][2]["outcome_quote"], timeout=HERE
            )
            expect(page.locator(".st-key-chapter-state")).to_contain_text(own["pieces"][2]["state"][0]["what"])
