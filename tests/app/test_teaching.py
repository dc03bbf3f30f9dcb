"""The teaching path in a real browser: the demo at story pace, stopped at the clash, on to verdict, fold and answer."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

import pytest
from playwright.sync_api import Browser, Page

from memorybank.memory.types import Lang
from memorybank.views.i18n import t
from tests.app.driving import SMALL
from tests.app.test_demo import opened
from tests.waiting import wait_until
from tests.watching import expect

GRAPH = """(canvas) => ({
  nodes: canvas.network.body.data.nodes.getIds(),
  edges: canvas.network.body.data.edges.get().filter((edge) => edge.dashes).length,
})"""
A_RUN = 120_000


def sentence(page: Page) -> str:
    return page.locator(".story-sentence").inner_text()


def step_to(page: Page, words: str) -> str:
    """Press the arrow until a sentence has these words; what is not there yet is waited for."""
    for _ in range(20):
        said = sentence(page)
        if words in said:
            return said
        page.keyboard.press("ArrowRight")
        page.wait_for_function("(said) => window.said() !== said", arg=said, timeout=A_RUN)
    raise AssertionError(f"no sentence has {words!r}")


SAID = """window.said = () => {
  for (const one of document.querySelectorAll(".st-key-story-words *")) {
    const found = one.shadowRoot?.querySelector(".story-sentence");
    if (found) return found.textContent;
  }
  return "";
}"""


@pytest.mark.parametrize(("lang", "motion"), [("en", "no-preference"), ("zh", "reduce")])
def test_from_the_demo_at_a_pace_to_the_answer(
    browser: Browser,
    serve_app: Callable[..., str],
    lang: Lang,
    motion: Literal["no-preference", "reduce"],
) -> None:
    words = WORDS[lang]
    with opened(browser, serve_app(**SMALL), lang, "light") as (_, page):
        page.emulate_media(reduced_motion=motion)
        page.set_viewport_size({"width": 1280, "height": 720})
        page.locator(".st-key-demo button").click(timeout=60_000)
        page.evaluate(SAID)
        expect(page.locator(".story-sentence")).to_contain_text(words["task"], timeout=60_000)
        page.locator(".st-key-story-speed button").last.click()
        expect(page.locator(".story-sentence")).to_contain_text(words["filed"], timeout=20_000)  # by itself
        page.locator(".story-sentence").click()  # a button that has the focus would take the key
        page.keyboard.press(" ")
        expect(page.locator(".st-key-story-pause")).to_contain_text(t("story.bar.play", lang))

        clash = step_to(page, words["clash"])
        left, right = WORDS[lang]["values"]
        assert left in clash
        assert right in clash
        card = page.locator(".st-key-beside")
        for value in (left, right):
            expect(card.locator(".side", has_text=value)).to_be_visible()
        expect(card.locator(".side.holds")).to_have_count(0)
        graph = page.locator(".canvas").first
        expect(page.locator(".legend").first).to_contain_text(t("graph.spoken_of", lang))
        apart = graph.evaluate(GRAPH)
        assert apart["edges"], "the edge of the conflict joins them"

        step_to(page, words["check"])
        step_to(page, words["source"])
        expect(card.locator(".vote").first).to_be_visible()
        verdict = step_to(page, words["verdict"])
        assert left in verdict
        expect(card.locator(".side.holds", has_text=left)).to_be_visible()
        expect(card.locator(".scales.to-left")).to_have_count(1)
        assert set(graph.evaluate(GRAPH)["nodes"]) == set(apart["nodes"]), "they are still apart"

        step_to(page, words["fold"])
        expect(card.locator(".fold-before .side").nth(1)).to_be_visible()
        expect(card.locator(".fold-after .side")).to_have_count(1)
        wait_until(lambda: len(graph.evaluate(GRAPH)["nodes"]) < len(apart["nodes"]), 10)
        step_to(page, words["answer"])
        expect(page.locator(".st-key-run-answer")).to_contain_text(left.split()[0].rstrip("个光子"))
        page.keyboard.press("Escape")
        expect(page.locator(".st-key-story")).not_to_be_attached()
        expect(page.locator(".st-key-controls")).to_be_visible()


WORDS: dict[str, dict[str, Any]] = {
    "en": {
        "task": "The task:",
        "filed": "filed by topic",
        "clash": "contradict each other",
        "check": "takes no side",
        "source": "The check",
        "verdict": " holds: ",
        "fold": "nodes fold into one that",
        "answer": "The answer",
        "values": ("105 qubits", "98 qubits"),
    },
    "zh": {
        "task": "任务：",
        "filed": "按主题归档",
        "clash": "互相矛盾",
        "check": "不偏向任何一方",
        "source": "核查",
        "verdict": "成立：",
        "fold": "写明成立的说法",
        "answer": "这就是回答",
        "values": ("76个光子", "67个光子"),
    },
}
"""Parts of the sentences, in the order in which they come; the first dispute's values."""
