"""The whole demo in a real browser, with the real engine and models: at story pace from the clash to the fold and the
answer, then its print, its merge and the raw text."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Literal
from urllib.parse import parse_qs, urlsplit

from playwright.sync_api import Browser, BrowserContext, Page

from memorybank.memory.types import ConflictStatus
from memorybank.runs.run_folder import load, state_at
from memorybank.views.i18n import t
from tests.app.hostile_sight import listen
from tests.app.looking import at_rest, graph_at_rest
from tests.tables import tables
from tests.views.html_export.reading import slides_in
from tests.waiting import wait_until
from tests.watching import expect

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
    heard = listen(context, "/".join(address.split("/")[:3]))
    page = context.new_page()
    page.goto(address)
    yield context, page
    assert heard == []
    context.close()


GRAPH = """(canvas) => ({
  nodes: canvas.network.body.data.nodes.getIds(),
  right: Math.max(...Object.values(canvas.network.getPositions()).map((place) => canvas.network.canvasToDOM(place).x)),
  edges: canvas.network.body.data.edges.get().filter((edge) => edge.dashes).length,
})"""
TIPPED = ".scales.to-left > .side.holds:first-child, .scales.to-right > .side.holds:last-child"
"""The side that the scales go down on is the one that holds."""


def sentence(page: Page) -> str:
    """Return the sentence of the scene; it is empty for a moment while it is drawn anew."""
    return "".join(page.locator(".story-sentence").all_text_contents())


def step_to(page: Page, words: str, sentences: list[str]) -> str:
    """Press the arrow until a sentence has these words; what is not there yet is waited for. All are kept."""
    for _ in range(20):
        if words in sentences[-1]:
            return sentences[-1]
        page.keyboard.press("ArrowRight")
        wait_until(lambda: sentence(page) not in ("", sentences[-1], t("story.bar.waiting", "en")), A_RUN / 1000)
        sentences.append(sentence(page))
    raise AssertionError(f"no sentence has {words!r}")


def test_from_the_demo_at_a_pace_to_the_answer_and_its_raw_text(
    browser: Browser, serve_app: Callable[..., str], tmp_path: Path
) -> None:
    """Every scene in both languages: test_story.py."""
    storage = tmp_path / "runs"
    with opened(browser, serve_app(STORAGE_DIR=str(storage))) as (_, page):
        page.emulate_media(reduced_motion="no-preference")
        page.set_viewport_size({"width": 1280, "height": 720})
        page.locator(".st-key-demo button").click(timeout=60_000)
        expect(page.locator(".story-sentence")).to_contain_text(WORDS["task"], timeout=60_000)
        page.locator(".st-key-story-speed button").last.click()
        page.evaluate("document.activeElement.blur()")  # a button that has the focus would take the key
        expect(page.locator(".story-sentence")).to_contain_text(WORDS["filed"], timeout=A_RUN)  # by itself
        page.keyboard.press(" ")
        pause = page.locator(".st-key-story-pause")
        expect(pause.get_by_text(t("story.bar.play", "en"), exact=True).first).to_be_visible()  # it is not over

        sentences = [sentence(page)]
        clash = step_to(page, WORDS["clash"], sentences)
        left, right = WORDS["values"]
        assert left in clash
        assert right in clash
        card = page.locator(".st-key-beside")
        for value in (left, right):
            expect(card.locator(".side", has_text=value)).to_be_visible()
        expect(card.locator(".side.holds")).to_have_count(0)
        graph = page.locator(".canvas").first
        expect(page.locator(".foot").first).not_to_be_visible()
        area = "box => box.clientWidth * box.clientHeight"
        wait_until(lambda: graph.evaluate(area) > 0.8 * 1280 * 720, 30)  # the graph has the screen, when it has grown
        beside = card.evaluate("box => box.getBoundingClientRect().toJSON()")
        assert graph.evaluate(area) - beside["width"] * beside["height"] > 0.7 * 1280 * 720, "the card is a small part"
        wait_until(lambda: graph.evaluate(GRAPH)["right"] < beside["x"], 30)  # and no node is under it
        assert page.evaluate("document.querySelector('[data-testid=stMain]').scrollHeight") <= 720
        expect(page.locator(".st-key-header, [data-testid=stHeader]").first).not_to_be_visible()
        wait_until(lambda: len(graph.evaluate(GRAPH)["nodes"]) > 2, 30)  # they may come in pieces
        apart = graph.evaluate(GRAPH)
        assert apart["edges"], "the edge of the conflict joins them"

        step_to(page, WORDS["check"], sentences)
        step_to(page, WORDS["source"], sentences)
        expect(card.locator(".asked-query")).not_to_be_empty()  # the question, the document, and its sentence
        expect(card.locator(".asked mark").first).to_be_visible()
        verdict = step_to(page, WORDS["verdict"], sentences)
        assert left in verdict
        expect(card.locator(".side.holds", has_text=left)).to_be_visible()
        expect(card.locator(TIPPED)).to_have_count(1)
        wait_until(lambda: set(graph.evaluate(GRAPH)["nodes"]) == set(apart["nodes"]), 60)  # they are still apart

        step_to(page, WORDS["fold"], sentences)
        expect(card.locator(".fold-before .side").nth(1)).to_be_visible()
        expect(card.locator(".fold-after .story-value")).to_contain_text(left)
        expect(card.locator(".fold-after")).to_contain_text(t("story.card.not", "en", values=right))
        wait_until(lambda: len(graph.evaluate(GRAPH)["nodes"]) < len(apart["nodes"]), 60)
        step_to(page, WORDS["answer"], sentences)
        expect(card).to_contain_text(WORDS["answered"])
        page.keyboard.press("t")
        expect(page.locator(".st-key-story")).not_to_be_attached()
        expect(page.locator(".st-key-controls")).to_be_visible()
        page.wait_for_function("!location.search.includes('k=')")
        expect(page.locator(".answer-box")).to_be_visible(timeout=A_RUN)
        expect(page.locator(".chip", has_text=t("run.result.complete", "en")).first).to_be_visible()
        at_rest(page)  # the answer opens its own view when it comes
        page.locator(".st-key-run-view button").nth(1).click()
        run = parse_qs(urlsplit(page.url).query)["run"][0]
        bank = state_at(load(storage / run))
        fates = {conflict.status for conflict in bank.conflicts.all.values()}
        assert fates >= {ConflictStatus.INCONCLUSIVE, ConflictStatus.FALSE_ALARM}
        assert any(fate.decides for fate in fates), "a demo shows each kind of verdict; each as planted: test_truth.py"
        assert len(bank.graph.nodes) >= 8

        canvas = page.locator(".canvas")
        graph_at_rest(canvas)
        merged = canvas.evaluate(MERGED)
        assert merged
        canvas.click(position={"x": merged[-1]["x"], "y": merged[-1]["y"]})
        expect(card.get_by_text(WORDS["merged"])).to_be_visible()
        card.get_by_role("tab", name=WORDS["raw"]).click()
        expect(card.locator(".raw").first).to_contain_text(re.compile(".{40}", re.DOTALL))
        raw = card.locator(".raw").first.inner_text()
        card.locator(".raw-text [role=button]").first.click()
        expect(page.locator(".raw", has_text=raw.strip()[:30]).first).to_be_visible()
        # The page that the header's Export makes, downloaded: the sentence of each slide that it prints.
        page.locator(".st-key-export button").first.click(timeout=A_RUN)
        page.locator(".st-key-export-html button").click(timeout=A_RUN)
        with page.expect_download(timeout=A_RUN) as download:
            page.locator(".st-key-export-html-file button").click(timeout=A_RUN)
        slides = [slide.sentence for slide in slides_in(download.value.path().read_bytes())]
        assert WORDS["task"] in slides[0]
        assert slides[-len(sentences) :] == sentences, "each moment that was seen, in its order"


WORDS: dict[str, Any] = tables(__file__)
"""Parts of the sentences, in the order in which they come; the first dispute's values."""
