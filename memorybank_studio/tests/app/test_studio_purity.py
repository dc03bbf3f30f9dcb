"""Ten tasks spoken to from two browser tabs at once: each queue and each settlement has exactly its own turns.

`PURITY_TURNS` says how many turns (20 unless told). A thousand, as many as the scheduler's own test has
(memorybank_studio/tests/scheduler), take a quarter of an hour in a browser: too long for every run.
"""

from __future__ import annotations

import os
import random
from collections.abc import Callable, Iterator

from playwright.sync_api import Browser, BrowserContext, Page

from memorybank.views.i18n import t
from memorybank_studio.tests.app.test_studio_browser import HERE, OPENING, press, turn_to_studio
from tests.app.driving import SMALL
from tests.app.looking import at_rest
from tests.app.test_demo import opened
from tests.waiting import wait_until
from tests.watching import expect

TURNS = int(os.environ.get("PURITY_TURNS", "20"))
STONES = ("amber", "beryl", "coral", "diamond", "emerald", "garnet", "jasper", "lapis", "onyx", "ruby")
SEED = 20


def words(stone: str, number: int) -> str:
    return f"Hook: who took the {stone} stone {number}"


def own_words(page: Page) -> list[str]:
    return page.locator(".wr-turn.author .text").all_inner_texts()


def two_tabs(context: BrowserContext, one: Page, address: str, title: str) -> Page:
    """A new studio, open in this tab and in another one, which is the answer."""
    turn_to_studio(one)
    one.locator(".st-key-studio-new-title input").fill(title)
    one.get_by_role("button", name=t("studio.new_do", "en"), exact=True).click()
    expect(one.locator(".st-key-studio-input")).to_be_visible(timeout=OPENING)
    other = context.new_page()
    other.goto(address)
    turn_to_studio(other)
    row = other.locator("[class*=st-key-studio-one-]", has_text=title).first
    expect(row).to_be_visible(timeout=HERE)
    row.get_by_role("button").click()
    expect(other.locator(".st-key-studio-input")).to_be_visible(timeout=OPENING)
    return other


class Told:
    """What was said to every task so far, and which task each tab stands in."""

    def __init__(self) -> None:
        self.turns = dict.fromkeys(STONES, 0)
        self.task_of: dict[str, str] = {}
        self.stands: dict[Page, str] = {}

    def begin(self, page: Page, stone: str) -> None:
        page.locator(".st-key-studio-task-title input").fill(f"The {stone} task")
        page.locator(".st-key-studio-task-words textarea").fill(words(stone, 1))
        page.get_by_role("button", name=t("studio.task_new", "en"), exact=True).click()
        self.turns[stone] = 1
        self.shows(page, stone)
        self.answered(page, stone)
        card = page.locator("[class*=st-key-studio-task-words-]", has=page.locator(".wr-current"))
        self.task_of[stone] = card.locator(".mono").inner_text()

    def turn_to(self, page: Page, stone: str) -> None:
        if self.stands[page] != stone:
            press(page, f"studio-switch-{self.task_of[stone]}")
            self.shows(page, stone)
            expect(page.locator(".st-key-studio-input textarea")).to_be_enabled(timeout=HERE)

    def shows(self, page: Page, stone: str) -> None:
        expect(page.locator(".st-key-studio-current .wr-task")).to_have_text(f"The {stone} task", timeout=HERE)
        self.stands[page] = stone

    def say(self, page: Page, stone: str) -> None:
        """Without waiting for the answer: the other tab speaks meanwhile."""
        self.turns[stone] += 1
        field = page.locator(".st-key-studio-input textarea")
        field.fill(words(stone, self.turns[stone]))
        field.press("Enter")

    def answered(self, page: Page, stone: str) -> None:
        number = t("studio.role_assistant", "en", number=2 * self.turns[stone])
        expect(page.locator(".wr-turn.assistant .label", has_text=number).last).to_be_visible(timeout=HERE)
        expect(page.locator(".st-key-studio-input textarea")).to_be_enabled(timeout=HERE)


def pairs(count: int) -> Iterator[tuple[str, str]]:
    """Which two tasks are spoken to at the same moment, drawn at random."""
    draw = random.Random(SEED)
    for _ in range(count):
        first, second = draw.sample(STONES, 2)
        yield first, second


def test_ten_tasks_from_two_tabs(browser: Browser, serve_app: Callable[..., str]) -> None:
    address = f"{serve_app(**SMALL)}/?lang=en"
    with opened(browser, address) as (context, one):
        other = two_tabs(context, one, address, "Ten tasks")
        told = Told()
        for place, stone in enumerate(STONES):
            told.begin((one, other)[place % 2], stone)
        at_rest(one), at_rest(other)
        for both in pairs((TURNS - len(STONES)) // 2):
            for page, stone in zip((one, other), both, strict=True):
                told.turn_to(page, stone)
            for page, stone in zip((one, other), both, strict=True):
                told.say(page, stone)
            for page, stone in zip((one, other), both, strict=True):
                told.answered(page, stone)
        assert sum(told.turns.values()) == TURNS

        for place, stone in enumerate(STONES):
            expect_own((one, other)[place % 2], told, stone)


def expect_own(page: Page, told: Told, stone: str) -> None:
    """The task's conversation and what its settlement wrote: all of its own turns, and nothing of another task's."""
    if told.stands[page] == stone:  # the other tab may have spoken to it since: turned to anew, it is drawn anew
        told.turn_to(page, next(one for one in reversed(STONES) if one != stone))
    told.turn_to(page, stone)
    everything = page.locator(".st-key-studio-all-turns-do button")
    if everything.count():
        everything.click()
    numbers = range(1, told.turns[stone] + 1)
    own = [words(stone, number) for number in numbers]
    wait_until(lambda: own_words(page) == own, 60, lambda: own_words(page))
    press(page, f"studio-settle-{told.task_of[stone]}")
    press(page, "studio-confirm")
    written = page.locator(".st-key-studio-written .notice")
    expect(written).to_contain_text(f"the {stone} stone", timeout=HERE)
    text = written.inner_text()
    assert [text.count(f"the {stone} stone {number} ") for number in numbers] == [2] * told.turns[stone]
    told.stands[page] = ""  # a settled task is left
    assert text.count("stone") == 2 * told.turns[stone], "and nothing of another task's"
