"""The graph in a real browser: clicks reach Python, nothing moves, nothing runs, nothing leaves the machine."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Literal

import pytest
from playwright.sync_api import Browser, Locator, Page

from tests.app.looking import graph_at_rest
from tests.app.test_demo import opened
from tests.serving import served
from tests.waiting import wait_until
from tests.watching import expect

SCRIPT = Path(__file__).parents[2] / "fixtures" / "graph_app.py"

POSITIONS = "box => box.network.getPositions()"
ON_SCREEN = "(box, id) => box.network.canvasToDOM(box.network.getPosition(id))"
BETWEEN = """(box, [one, other]) => {
  const [a, b] = [one, other].map(id => box.network.canvasToDOM(box.network.getPosition(id)));
  return { x: a.x + (b.x - a.x) * 0.3, y: a.y + (b.y - a.y) * 0.3 };
}"""

IN_SIGHT = """box => Object.values(box.network.getPositions()).map(place => box.network.canvasToDOM(place))
  .every(({ x, y }) => 0 < x && x < box.clientWidth && 0 < y && y < box.clientHeight)"""


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with served(SCRIPT, tmp_path_factory.mktemp("server") / "log.txt", {}) as url:
        yield url


@contextmanager
def graph(browser: Browser, url: str, scheme: Literal["light", "dark"] = "light") -> Iterator[tuple[Page, Locator]]:
    """The page and the graph's canvas box. Leaving it asserts that no error was logged and no request left."""
    with opened(browser, url, scheme=scheme) as (_, page):
        box = page.locator(".canvas")
        expect(page.locator(".legend li").first).to_be_visible()
        graph_at_rest(box)
        yield page, box


def click_at(box: Locator, script: str, argument: Any) -> None:
    box.click(position=box.evaluate(script, argument))


def test_selection_reaches_python_and_the_graph_stays_as_it_is(browser: Browser, address: str) -> None:
    with graph(browser, f"{address}/") as (page, box):
        expect(box).to_have_attribute("role", "img")
        expect(box).to_have_attribute(
            "aria-label", "Query Graph. Nodes: 15. Links: 12. Pairs in open conflict: 1. Disputed pairs: 1."
        )

        click_at(box, ON_SCREEN, "n4")
        expect(page.get_by_text("selected: n4")).to_be_visible()
        click_at(box, BETWEEN, ["n1", "n3"])
        expect(page.get_by_text("selected: n3")).to_be_visible()
        page.get_by_role("button", name="Select the second").click()
        expect(page.get_by_text("selected: n2")).to_be_visible()
        wait_until(lambda: box.evaluate("box => box.network.getSelectedNodes()") == ["n2"], 60)

        page.get_by_role("button", name="Zoom in").click()
        before = box.evaluate(POSITIONS)
        box.evaluate("box => { box.network.isTheSame = true }")
        zoom, centre = box.evaluate("box => [box.network.getScale(), box.network.getViewPosition()]")
        page.get_by_role("button", name="Add a node").click()
        expect(page.get_by_text("nodes: 16")).to_be_visible()
        expect(box).to_have_attribute(
            "aria-label", "Query Graph. Nodes: 16. Links: 13. Pairs in open conflict: 1. Disputed pairs: 1."
        )
        after = box.evaluate(POSITIONS)
        assert set(after) - set(before) == {"n16"}
        assert {node_id: after[node_id] for node_id in before} == before
        assert box.evaluate("box => box.network.isTheSame")
        assert box.evaluate("box => [box.network.getScale(), box.network.getViewPosition()]") == [zoom, centre]
        expect(page.get_by_text("selected: n2")).to_be_visible()

        page.get_by_role("button", name="Remove the last").click()
        expect(page.get_by_text("nodes: 15")).to_be_visible()
        expect(box).to_have_attribute(
            "aria-label", "Query Graph. Nodes: 15. Links: 12. Pairs in open conflict: 1. Disputed pairs: 1."
        )
        assert box.evaluate(POSITIONS) == before

        page.get_by_role("button", name="Fit to view").click()
        wait_until(lambda: box.evaluate(IN_SIGHT), 30)


def test_a_page_switch_keeps_zoom_and_selection(browser: Browser, address: str) -> None:
    """Leaving the page takes the graph off it; coming back draws it anew."""
    with graph(browser, f"{address}/?count=40") as (page, box):
        click_at(box, ON_SCREEN, "n6")
        expect(page.get_by_text("selected: n6")).to_be_visible()
        page.get_by_role("button", name="Zoom in").click()
        page.get_by_role("button", name="Zoom in").click()
        view = box.evaluate("box => [box.network.getScale(), box.network.getViewPosition()]")
        places = box.evaluate(POSITIONS)
        page.get_by_text("Hide the graph").click()
        expect(box).to_have_count(0)
        page.get_by_text("Hide the graph").click()
        expect(page.locator(".legend li").first).to_be_visible()
        assert box.evaluate("box => [box.network.getScale(), box.network.getViewPosition()]") == view
        assert box.evaluate(POSITIONS) == places
        assert box.evaluate("box => box.network.getSelectedNodes()") == ["n6"]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_labels_can_be_read_on_the_page_they_stand_on(
    browser: Browser, address: str, scheme: Literal["light", "dark"]
) -> None:
    """Text drawn on the canvas follows the theme: some pixels are nearly the colour of the page's text."""
    with graph(browser, f"{address}/?lang=zh", scheme) as (page, box):
        brightness = """box => {
                const canvas = box.querySelector('canvas');
                const pixels = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data;
                let dark = 0, light = 0;
                for (let at = 0; at < pixels.length; at += 4) {
                  if (pixels[at + 3] < 200) continue;
                  const mean = (pixels[at] + pixels[at + 1] + pixels[at + 2]) / 3;
                  if (mean < 70) dark += 1;
                  if (mean > 215) light += 1;
                }
                return { dark, light };
            }"""
        wait_until(lambda: box.evaluate(brightness)["dark" if scheme == "light" else "light"] > 1000, 30)
        assert page.locator(".legend").inner_text().split("\n")[:2] == ["节点", "自上一步以来新增"]
