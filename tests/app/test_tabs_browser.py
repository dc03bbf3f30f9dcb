"""Two windows of one browser on one living run, and a stranger: in a real browser, for only there is a cookie."""

from __future__ import annotations

import re
from collections.abc import Callable
from urllib.parse import urlsplit

from playwright.sync_api import Browser, Page

from memorybank.hosting.browser_mark import COOKIE
from tests.app.driving import SMALL
from tests.watching import expect


def test_a_run_in_two_windows_of_one_browser(browser: Browser, serve_app: Callable[..., str]) -> None:
    address = serve_app(**SMALL)
    context = browser.new_context(locale="en-GB")
    mine = context.new_page()
    mine.goto(f"{address}/?lang=en")
    mine.locator(".st-key-demo button").click(timeout=60_000)
    mine.wait_for_url(re.compile("run="))
    mine.locator(".st-key-story-leave button").first.click(timeout=60_000)
    mine.wait_for_url(lambda url: "run=" in url and "k=" not in url)  # it follows when the page has been drawn
    here = mine.url
    (mark,) = (cookie for cookie in context.cookies() if cookie["name"] == COOKIE)
    assert (mark["httpOnly"], mark["sameSite"], len(mark["value"])) == (True, "Strict", 43)
    assert mark["value"] not in mine.content()

    other = context.new_page()
    other.goto(_at(mine, "/graph"))
    expect(other.get_by_text("You are watching.")).to_be_visible()
    assert [one["value"] for one in context.cookies() if one["name"] == COOKIE] == [mark["value"]]

    other.get_by_role("button", name="Take over").click()
    expect(mine.get_by_text("You are watching.")).to_be_visible()
    expect(mine.locator(".st-key-controls")).to_have_count(0)
    expect(other.get_by_text("You are watching.")).to_have_count(0)
    other.close()
    expect(mine.get_by_text("No tab controls this run now.")).to_be_visible()
    mine.reload()
    expect(mine.locator(".st-key-controls")).to_be_visible()
    expect(mine.locator(".answer-box")).to_be_visible(timeout=120_000)
    assert mine.url == here

    strangers = browser.new_context(locale="en-GB")
    stranger = strangers.new_page()
    stranger.goto(mine.url)
    expect(stranger.get_by_text("open in another browser")).to_be_visible()
    strangers.close()
    context.close()


def _at(page: Page, path: str) -> str:
    return urlsplit(page.url)._replace(path=path).geturl()
