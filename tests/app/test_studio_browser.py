"""The writing studio in a real browser, on its real stores: the tour by its buttons, a row written by keys alone."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

import pytest
from playwright.sync_api import Browser, Page

from memorybank.memory.types import Lang
from memorybank.ui.studio.demo import demo
from memorybank.views.i18n import t
from tests.app.driving import SMALL
from tests.app.test_accessibility import _told, at_rest, violations
from tests.app.test_demo import opened
from tests.watching import expect

OPENING = 120_000
"""Milliseconds that the graph engine may take to start beside other work."""
HERE = 60_000
PART = {"facts": ".st-key-studio-graph canvas", "": ".st-key-studio-view"}


def press(page: Page, key: str) -> None:
    button = page.locator(f".st-key-{key} button").first
    expect(button).to_be_enabled(timeout=HERE)
    button.click()


def turn_to_studio(page: Page) -> None:
    at_rest(page)
    page.locator('a[href$="/studio"]').first.click()
    expect(page.locator(".st-key-studio-demo")).to_be_visible(timeout=HERE)


def open_demo(page: Page) -> None:
    press(page, "studio-demo")
    expect(page.locator(".st-key-studio-tour")).to_be_visible(timeout=OPENING)


def serious(page: Page) -> list[str]:
    """What axe finds, with the pointer on nothing: a button it rests on has Streamlit's own paint."""
    page.mouse.move(2, 2)
    at_rest(page)
    return [_told(one) for one in violations(page)]


@pytest.mark.parametrize(("lang", "scheme"), [("en", "light"), ("zh", "dark")])
def test_the_tour_by_its_buttons_without_a_serious_finding(
    browser: Browser, serve_app: Callable[..., str], lang: Lang, scheme: Literal["light", "dark"]
) -> None:
    found: dict[str, list[str]] = {}
    steps = demo(lang).steps
    with opened(browser, f"{serve_app(**SMALL)}/?lang={lang}", lang, scheme) as (_, page):
        turn_to_studio(page)
        open_demo(page)
        for place, step in enumerate(steps):
            expect(page.locator(".tour-sentence")).to_have_text(step.words, timeout=HERE)
            if step.send or step.confirm or step.draft:
                press(page, "studio-tour-do")
            if step.confirm:
                expect(page.locator(".st-key-studio-written")).to_be_visible(timeout=HERE)
            if step.entity:
                expect(page.locator(".st-key-studio-about")).to_contain_text(step.entity, timeout=HERE)
                expect(page.locator(PART["facts"]).first).to_be_visible(timeout=HERE)
            if step.draft:
                expect(page.locator("mark.conflict")).to_have_count(3, timeout=HERE)
            found[f"step {place + 1}"] = serious(page)
            if place + 1 < len(steps):
                press(page, "studio-tour-next")
        for number, part in enumerate(("facts", "plans", "hooks", "settings", "archive")):
            page.locator(".st-key-studio-view button").nth(1).click()
            at_rest(page)
            page.locator(".st-key-studio-hub button").nth(number).click()
            expect(page.locator(f".st-key-studio-hub-{part}")).to_be_visible(timeout=HERE)
            found[part] = serious(page)
        page.locator(".st-key-studio-view button").nth(4).click()
        expect(page.locator(".st-key-studio-export-card")).to_be_visible(timeout=HERE)
        found["book"] = serious(page)
        press(page, "studio-close")
        expect(page.locator(".st-key-studio-demo")).to_be_visible(timeout=HERE)
    assert {name: told for name, told in found.items() if told} == {}


def say(page: Page, words: str, answered: int) -> None:
    """Type into the input, and wait until so many turns of the task are there."""
    field = page.locator(".st-key-studio-input textarea")
    expect(field).to_be_enabled(timeout=HERE)
    field.fill(words)
    field.press("Enter")
    expect(page.locator(".wr-turn.assistant")).to_have_count(answered, timeout=HERE)


NIGHT: dict[Lang, tuple[str, str, str, tuple[str, str]]] = {
    "en": (
        "Character: Lin Shuang\nCharacter: Rao",
        "In chapter 4 Lin Shuang could not look at Rao without hearing the mill burn. It had rained since noon.",
        "mourns with",
        ("Lin Shuang", "Rao"),
    ),
    "zh": (
        "人物：林霜\n人物：饶青",
        "第四章里，林霜一看饶青，耳边便响起磨坊的火声。雨从正午下到了天黑。",
        "共同悼念",
        ("林霜", "饶青"),
    ),
}


@pytest.mark.parametrize(("lang", "scheme"), [("en", "light"), ("zh", "dark")])
def test_a_sentence_that_was_not_read_is_written_down_by_keys_alone(
    browser: Browser, serve_app: Callable[..., str], lang: Lang, scheme: Literal["light", "dark"]
) -> None:
    cast, prose, relation, names = NIGHT[lang]
    with opened(browser, f"{serve_app(**SMALL)}/?lang={lang}", lang, scheme) as (_, page):
        turn_to_studio(page)
        page.locator(".st-key-studio-new-title input").fill("Night")
        page.get_by_role("button", name=t("studio.new_do", lang), exact=True).click()
        expect(page.locator(".st-key-studio-input")).to_be_visible(timeout=OPENING)
        say(page, f"/new Cast\n{cast}", 1)
        press(page, "studio-settle-t1")
        press(page, "studio-confirm")
        expect(page.locator(".st-key-studio-written")).to_be_visible(timeout=HERE)
        say(page, f"/new Night\n{prose}", 1)
        press(page, "studio-settle-t2")
        count = page.locator(".st-key-studio-unread-count")
        expect(count).to_have_text(t("studio.unread", lang, count=2), timeout=HERE)
        at_rest(page)
        page.locator("body").press("w")
        field = lambda name: page.locator(f".st-key-form-studio-unread-t2-2-0-fact-0-{name} input")  # noqa: E731
        expect(field("subject")).to_be_visible(timeout=HERE)
        assert serious(page) == []
        assert [field(name).input_value() for name in ("subject", "object")] == list(names)
        field("predicate").fill(relation)
        field("predicate").press("Enter")
        expect(field("chapter")).to_have_value("4")
        field("chapter").press("Enter")
        expect(count).to_have_text(t("studio.unread", lang, count=1), timeout=HERE)
        page.locator("body").press("w")
        at_rest(page)
        page.get_by_role("button", name=t("studio.unread_dismiss", lang), exact=True).press("Enter")
        expect(count).to_have_text(t("studio.unread_none", lang), timeout=HERE)
        row = page.locator(".st-key-studio-row-words-1")
        expect(row).to_contain_text(names[0])
        expect(page.locator(".st-key-studio-unread-dismissed")).to_be_visible()
        assert serious(page) == []


ASKED: dict[Lang, tuple[str, str, str]] = {
    "en": ("/new Who\nIs Captain Brandt dead?", "Captain Brandt is dead (since chapter 2)", "Captain Brandt"),
    "zh": ("/新建 谁\n韩船长死了吗？", "韩船长的状态是死（自第2章起）", "韩船长"),
}


@pytest.mark.parametrize(("lang", "scheme"), [("en", "light"), ("zh", "dark")])
def test_a_question_shows_its_lines_and_is_taken_for_something_else_by_a_click(
    browser: Browser, serve_app: Callable[..., str], lang: Lang, scheme: Literal["light", "dark"]
) -> None:
    asked, line, name = ASKED[lang]
    with opened(browser, f"{serve_app(**SMALL)}/?lang={lang}", lang, scheme) as (_, page):
        turn_to_studio(page)
        open_demo(page)
        say(page, asked, 1)
        expect(page.locator(".st-key-studio-cited-t2-2")).to_contain_text(line, timeout=HERE)
        told = page.locator(".st-key-studio-taken-words-t2-1")
        expect(told).to_contain_text(t("studio.kind_of_fact", lang))
        page.locator(".st-key-studio-take-as-t2-1 button").first.click()
        remark = page.locator(".st-key-studio-take-as-t2-1-remark button")
        expect(remark).to_be_visible(timeout=HERE)
        assert serious(page) == []
        remark.click()
        expect(told).to_contain_text(t("studio.kind_of_remark", lang), timeout=HERE)
        expect(page.locator(".st-key-studio-replaced-t2-2")).to_be_visible(timeout=HERE)
        assert serious(page) == []
        page.locator(".st-key-studio-take-as-t2-1 button").first.click()
        page.locator(".st-key-studio-take-as-t2-1-fact button").click()
        press(page, "studio-cited-t2-4-0")
        expect(page.locator(".st-key-studio-about")).to_contain_text(name, timeout=HERE)
        assert serious(page) == []
