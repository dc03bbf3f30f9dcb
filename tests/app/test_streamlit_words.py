"""Streamlit's own words in the app's language: the table is whole, only they are turned, and back again."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import streamlit
from playwright.sync_api import Browser
from streamlit.elements import exception

from memorybank.ui.frame.browser import streamlit_words
from tests.app.driving import SMALL
from tests.app.looking import at_rest
from tests.app.test_demo import opened
from tests.serving import served
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


MADE = """(words) => {
    const made = (parent, attributes, text) => {
        const one = document.createElement("p");
        for (const [name, value] of Object.entries(attributes)) one.setAttribute(name, value);
        one.textContent = text;
        parent.append(one);
        return one;
    };
    const own = made(document.body, { "data-testid": "stDialog", id: "own" }, "");
    const content = made(document.body, { id: "content" }, "");
    const list = made(content, { role: "listbox" }, "");
    const chip = made(own, { "data-testid": "stFileChipName" }, "");
    for (const word of words) {
        made(own, { title: word }, word);
        for (const place of [content, chip]) made(place, { class: "text", title: word }, word);
        made(list, { class: "text", role: "option", "aria-label": word }, word);
    }
}"""
SEEN = """() => [...document.querySelectorAll("#own > [title]:not([class])")]
    .map((one) => [one.textContent, one.title])"""
KEPT = """() => [...document.querySelectorAll("#content .text, #own .text")]
    .every((one) => one.textContent === (one.title || one.ariaLabel))"""


def test_all_are_turned_where_streamlit_writes_and_nowhere_else_and_back_again(
    browser: Browser, serve_app: Callable[..., str]
) -> None:
    chinese = {theirs: re.sub(r"\{\w+\}", "7", ours) for theirs, ours in TABLE}
    with opened(browser, f"{serve_app(**SMALL)}/?lang=zh") as (_, page):
        at_rest(page)
        page.evaluate(MADE, list(PUT_IN.values()))
        expect(page.locator("html")).to_have_attribute("lang", "zh-CN")
        assert page.evaluate(SEEN) == [[chinese[theirs]] * 2 for theirs in PUT_IN]
        assert page.evaluate(KEPT)
        page.locator(".st-key-lang").get_by_text("EN").click()
        expect(page.locator("html")).to_have_attribute("lang", "en")
        expect(page.locator("[data-testid=stFileUploaderDropzone] button").first).to_have_text("uploadUpload")
        assert page.evaluate(SEEN) == [[theirs] * 2 for theirs in PUT_IN.values()]
        page.locator(".st-key-lang").get_by_text("中文").click()
        expect(page.locator("html")).to_have_attribute("lang", "zh-CN")
        assert page.evaluate(SEEN) == [[chinese[theirs]] * 2 for theirs in PUT_IN]
        assert page.evaluate(KEPT)


WRONG: list[Any] = [
    {"name": "Remove.txt", "mimeType": "text/plain", "buffer": b"x" * 10_500_000},
    {"name": "Open.exe", "mimeType": "application/octet-stream", "buffer": b"x"},
]


def test_what_goes_wrong_is_said_in_chinese(browser: Browser, tmp_path: Path) -> None:
    """Files that are refused, a number out of range, a search without a result, a page that is not there, no server."""
    environment = {"STORAGE_DIR": str(tmp_path / "runs"), "XDG_STATE_HOME": str(tmp_path / "state"), **SMALL}
    page = browser.new_context(locale="en-GB").new_page()
    with served(Path("app.py"), tmp_path / "log.txt", environment) as address:
        page.goto(f"{address}/?lang=zh")
        at_rest(page)
        page.locator(".st-key-new-context input[type=file]").set_input_files(WRONG)
        files = page.locator(".st-key-new-context")
        expect(files).to_contain_text("文件不能超过 10.0MB。")
        expect(files).to_contain_text("不支持这种文件（application/octet-stream）。")
        expect(files.get_by_role("button", name="移除 Remove.txt")).to_be_visible()
        expect(files.locator("[data-testid=stFileChipName]").last).to_have_text("Open.exe")
        files.locator("[data-testid=stFileChip]").first.hover()
        expect(page.locator("[data-testid=stTooltipErrorContent]")).to_have_text("文件不能超过 10.0MB。")

        at_rest(page)
        page.locator(".st-key-new-corpus button[aria-haspopup=listbox]").click()
        page.keyboard.type("Stop")
        expect(page.locator("[data-testid=stSelectboxVirtualDropdown]")).to_have_text("没有符合的项")
        page.keyboard.press("Escape")
        page.locator(".st-key-more-settings summary, details summary").first.click()
        number = page.locator(".st-key-new-k input")
        number.fill("9999")
        number.press("Tab")
        expect(page.locator(".st-key-new-k")).to_contain_text("出错：超出范围：请输入")
        page.locator(".st-key-new-prompt textarea").fill("Close")
        expect(page.locator(".st-key-new-prompt [data-testid=InputInstructions]")).to_contain_text("确认")

        page.goto(f"{address}/Stop?lang=zh")
        expect(page.get_by_role("dialog")).to_contain_text("您要的页面似乎不存在，已改为打开首页。")
        page.get_by_role("dialog").get_by_role("button", name="关闭").click()
        at_rest(page)
    expect(page.get_by_role("dialog")).to_contain_text("连接已断开", timeout=120_000)  # it tries some times first
    expect(page.get_by_role("dialog")).to_contain_text("网络连接正常吗")
    page.context.close()
