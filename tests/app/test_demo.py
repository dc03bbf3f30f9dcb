"""The whole demo in a real browser, with the real engine and models: one button, a conflict, a merge, its raw text."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Literal
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Browser, BrowserContext, Page

from memorybank.memory.types import Lang
from memorybank.runs.run_folder import load, state_at
from memorybank_lab.evaluation.planted import read_truth
from tests.app.demo_graph import check
from tests.app.driving import ROOT
from tests.app.looking import at_rest, graph_at_rest, press
from tests.watching import expect

WORDS: dict[str, dict[str, str]] = {
    "en": {"demo": "Run the demo", "merged": "Merged from several nodes", "raw": "Raw text", "complete": "Complete"},
    "zh": {"demo": "运行演示", "merged": "由多个节点合并而成", "raw": "原文", "complete": "完成"},
}
TRUTH = read_truth(ROOT / "assets/corpus/truth.yaml")
MERGED = """box => box.network.body.data.nodes.get()
    .filter(node => node.shape === 'hexagon')
    .map(node => ({ id: node.id, ...box.network.canvasToDOM(box.network.getPosition(node.id)) }))"""
A_RUN = 240_000
"""Milliseconds a run may take here; the machine may be busy with other things."""


@contextmanager
def opened(
    browser: Browser, address: str, lang: str = "en", scheme: Literal["light", "dark"] = "light"
) -> Iterator[tuple[BrowserContext, Page]]:
    """A window on the app. Leaving it asserts that no request left the machine and that no error was logged."""
    locale = "zh-CN" if lang == "zh" else "en-GB"
    context = browser.new_context(color_scheme=scheme, locale=locale, viewport={"width": 1440, "height": 1000})
    asked: list[str] = []
    errors: list[str] = []

    def listen(page: Page) -> None:
        page.on("request", lambda request: asked.append(request.url))
        page.on("websocket", lambda socket: asked.append(socket.url))
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.on("console", lambda message: errors.append(message.text) if message.type == "error" else None)

    context.on("page", listen)
    page = context.new_page()
    page.goto(address)
    yield context, page
    base = address.partition("?")[0].rstrip("/")
    local = (base, base.replace("http", "ws"), "data:", "blob:")
    assert [url for url in asked if not url.startswith(local)] == []
    assert errors == []
    context.close()


@pytest.fixture(scope="module")
def storage(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("demo-runs")


@pytest.mark.parametrize(("lang", "scheme"), [("en", "light"), ("zh", "dark")])
def test_the_demo_from_the_button_to_the_raw_text(
    browser: Browser, serve_app: Callable[..., str], storage: Path, lang: Lang, scheme: Literal["light", "dark"]
) -> None:
    words = WORDS[lang]
    with opened(browser, serve_app(STORAGE_DIR=str(storage)), lang, scheme) as (_, page):
        page.get_by_role("button", name=words["demo"]).click(timeout=60_000)
        page.locator(".st-key-story-leave button").first.click(timeout=60_000)
        views = page.locator(".st-key-session-view button")
        expect(page.locator(".answer-box")).to_be_visible(timeout=A_RUN)
        expect(page.locator(".chip", has_text=words["complete"]).first).to_be_visible()
        at_rest(page)  # the answer opens its own view when it comes
        views.nth(3).click()
        press(page, "feed-more")
        expect(page.locator(".feed .merge").first).to_be_visible()
        views.nth(2).click()
        expect(page.locator(".disputes .dispute-line").first).to_be_visible()
        views.nth(1).click()
        run = parse_qs(urlsplit(page.url).query)["run"][0]
        records = load(storage / run)
        seconds = records[-1].at - records[0].at
        print(f"\n{lang}: {check(state_at(records), records, TRUTH[lang])}; {seconds:.1f} s")

        canvas = page.locator(".canvas")
        graph_at_rest(canvas)
        merged = canvas.evaluate(MERGED)
        assert merged
        canvas.click(position={"x": merged[-1]["x"], "y": merged[-1]["y"]})
        card = page.locator(".st-key-beside")
        expect(card.get_by_text(words["merged"])).to_be_visible()
        card.get_by_role("tab", name=words["raw"]).click()
        raw = card.locator(".raw").first.inner_text()
        assert len(raw) > 40

        card.locator(".raw-text [role=button]").first.click()
        expect(page.locator(".raw", has_text=raw.strip()[:30]).first).to_be_visible()
        expect(page).to_have_url(re.compile("run="))
