"""Options in a browser, the model a scripted endpoint: asked for, mixed by the form, found on the shelf, taken."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

import pytest
from playwright.sync_api import Browser

from memorybank.memory.types import Lang
from memorybank.views.i18n import t
from memorybank_lab.scripted import ScriptedServer
from memorybank_studio.page.page import VIEWS
from memorybank_studio.tests.app.test_studio_browser import HERE, open_demo, press, serious, turn_to_studio
from memorybank_studio.tests.test_options_by_model import MIX, script, writes_at_once
from tests.app.driving import SMALL
from tests.app.looking import at_rest
from tests.app.test_demo import opened
from tests.watching import expect

MIXED = "Lin waits, and the gate opens."
ASKED: dict[Lang, str] = {"en": "/new Gate\nWhat could go wrong?", "zh": "/新建 门\n会出什么岔子？"}


@pytest.mark.parametrize(("lang", "scheme"), [("en", "light"), ("zh", "dark")])
def test_options_are_mixed_and_taken_back_from_the_shelf(
    browser: Browser, serve_app: Callable[..., str], lang: Lang, scheme: Literal["light", "dark"]
) -> None:
    with ScriptedServer(script(writes_at_once)) as server:
        model = {"ENGINE": "llm", "LLM_BASE_URL": server.base_url, "LLM_MODEL": "m", "LLM_API_KEY": "k-1234567890"}
        address = serve_app(**{**SMALL, **model, "LLM_ATTEMPTS": "1"})
        with opened(browser, f"{address}/?lang={lang}", lang, scheme) as (_, page):
            turn_to_studio(page)
            open_demo(page)
            press(page, "studio-tour-leave")
            field = page.locator(".st-key-studio-input textarea")
            field.fill(ASKED[lang])
            field.press("Enter")
            form = page.locator("[class*=st-key-studio-rework-options-]")
            expect(form).to_be_visible(timeout=HERE)
            assert serious(page) == []
            for number in (0, 2):
                form.get_by_role("button").nth(number).click()
            page.locator("[class*=st-key-studio-rework-words-] input").fill(MIX[lang])
            page.get_by_role("button", name=t("studio.rework_do", lang)).click()
            expect(page.get_by_text(MIXED).first).to_be_visible(timeout=HERE)

            page.locator(".st-key-studio-view button").nth(VIEWS.index("offers")).click()
            expect(page.locator(".st-key-studio-shelf-count")).to_contain_text(
                t("studio.shelf_count", lang, count=4), timeout=HERE
            )
            page.locator(".st-key-studio-shelf-search input").fill("the gate opens")
            page.keyboard.press("Enter")
            expect(page.locator(".st-key-studio-shelf-count")).not_to_contain_text(
                t("studio.shelf_count", lang, count=4), timeout=HERE
            )
            at_rest(page)
            assert serious(page) == []
            before = len(server.chats)
            page.locator("[class*=st-key-studio-shelf-take-]").first.get_by_role("button").click()
            expect(page.locator("[class*=st-key-studio-rework-options-]").last).to_be_visible(timeout=HERE)
            assert len(server.chats) == before, "that costs no call"
