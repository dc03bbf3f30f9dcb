"""Streamlit's own words in the app's language: the table is whole, only they are turned, and back again."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from pathlib import Path

import streamlit
from playwright.sync_api import Browser, Page
from streamlit.elements import exception

from memorybank.ui.frame.header import streamlit_words
from tests.app.driving import SMALL
from tests.app.looking import at_rest
from tests.app.test_demo import opened
from tests.waiting import wait_until
from tests.watching import expect

TABLE = streamlit_words()["zh"]
PUT_IN = {theirs: re.sub(r"\{\w+\}", "7", theirs) for theirs, _ in TABLE}
JOINTS = re.compile(r": |\{\w+\}|\.(?: |$)| to (?=apply|submit)| (?=available)")
"""Where Streamlit joins what it writes."""


def test_each_of_the_words_is_one_that_this_streamlit_writes() -> None:
    """A newer Streamlit that words it otherwise is noticed here, and not by a Chinese reader."""
    code = exception._GENERIC_UNCAUGHT_EXCEPTION_TEXT + "".join(
        path.read_text("utf-8") for path in (Path(streamlit.__file__).parent / "static/static/js").glob("*.js")
    )
    pieces = {piece.strip() for theirs in PUT_IN for piece in JOINTS.split(theirs)}
    assert len(pieces) > 60
    assert sorted(piece for piece in pieces if piece not in code) == []


MADE = Path(__file__).with_suffix(".js").read_text("utf-8")
SEEN = """() => [...document.querySelectorAll("#own > [title]:not([class])")]
    .map((one) => [one.textContent, one.title])"""
KEPT = """() => [...document.querySelectorAll("#content .text, #own .text")]
    .every((one) => one.textContent === (one.title || one.ariaLabel))"""


def stands(page: Page, words: Sequence[str]) -> bool:
    """Each in its place, as text and as title; and what is not Streamlit's is as it was."""
    wait_until(lambda: page.evaluate(SEEN) == [[one] * 2 for one in words], 60, lambda: page.evaluate(SEEN))
    return bool(page.evaluate(KEPT))


def test_all_are_turned_where_streamlit_writes_and_nowhere_else_and_back_again(
    browser: Browser, serve_app: Callable[..., str]
) -> None:
    chinese = [re.sub(r"\{\w+\}", "7", ours) for _, ours in TABLE]
    with opened(browser, f"{serve_app(**SMALL)}/?lang=zh") as (_, page):
        at_rest(page)
        page.evaluate(MADE, list(PUT_IN.values()))
        expect(page.locator("html")).to_have_attribute("lang", "zh-CN")
        assert stands(page, chinese)
        page.locator(".st-key-lang").get_by_text("EN").click()
        expect(page.locator("html")).to_have_attribute("lang", "en")
        expect(page.locator("[data-testid=stFileUploaderDropzone] button").first).to_have_text("uploadUpload")
        assert stands(page, [*PUT_IN.values()])
        page.locator(".st-key-lang").get_by_text("中文").click()
        expect(page.locator("html")).to_have_attribute("lang", "zh-CN")
        assert stands(page, chinese)
