"""Your turn in a real browser: reached and answered by the keyboard, in light and dark, with an image in the prompt."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Literal

import pytest
from playwright.sync_api import Browser

from memorybank.memory.types import Lang
from memorybank.views.i18n import t
from tests.app.driving import SMALL
from tests.watching import expect

FIELD = ".st-key-hand-001-analysis-0-relationships-0"
TEXTS = ("The Tamar Bridge was opened in 1961. It is 335 metres long.", "The Tamar Bridge was opened in 1981.")


@pytest.mark.parametrize(("lang", "scheme"), [("en", "light"), ("zh", "dark")])
def test_a_relation_is_given_by_the_keyboard(
    browser: Browser, serve_app: Callable[..., str], tmp_path: Path, lang: Lang, scheme: Literal["light", "dark"]
) -> None:
    paths = [tmp_path / f"{number}.txt" for number in range(len(TEXTS))]
    for path, text in zip(paths, TEXTS, strict=True):
        path.write_text(text, "utf-8")
    context = browser.new_context(viewport={"width": 1360, "height": 900}, color_scheme=scheme, locale="en-US")
    page = context.new_page()
    faults: list[str] = []
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.goto(f"{serve_app(**SMALL, LLM_PROVIDER_ANALYSIS='hand')}/?lang={lang}")
    page.locator(".st-key-new-prompt textarea").fill("When was the Tamar Bridge opened?")
    page.locator(".st-key-new-context input[type=file]").set_input_files([str(path) for path in paths])
    for path in paths:
        expect(page.get_by_text(path.name)).to_be_visible()
    page.locator(".st-key-new-run button").click()
    expect(page.get_by_role("heading", name=t("hand.title", lang))).to_be_visible()
    expect(page.locator(".st-key-hand-prompt")).to_contain_text("1981")
    row = page.locator(".st-key-hand-001-analysis-0-relationships-row0")
    page.get_by_role("button", name=t("hand.add_row", lang, name=t("prompt.field.relationships", lang))).press("Enter")
    pair = row.locator(f"{FIELD}-pair textarea")
    pair.focus()
    page.keyboard.type("A-0")
    page.keyboard.press("Tab")
    send = page.locator(".st-key-hand-001-analysis-send button")
    send.press("Enter")
    expect(row.locator(".notice.failure").first).to_be_visible()
    choice = row.locator(f"{FIELD}-relationship input").first
    choice.focus()
    page.keyboard.type("unrelated")
    page.keyboard.press("Enter")
    expect(choice).to_have_value("unrelated")
    share = row.locator(f"{FIELD}-confidence input").first
    share.focus()
    page.keyboard.type("0.9")
    page.keyboard.press("Tab")
    expect(row.locator(".notice.failure")).to_have_count(0)
    send.press("Enter")
    outcomes = page.locator(".st-key-hand-outcomes")
    expect(outcomes).to_contain_text(t("hand.taken", lang))
    outcomes.get_by_text(t("hand.to_call", lang, seq="").strip(" #")).first.click()
    expect(page.get_by_role("heading", name=t("role.analysis", lang))).to_be_visible()
    assert faults == []
    context.close()
