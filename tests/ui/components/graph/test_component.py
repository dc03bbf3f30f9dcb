"""The graph in a real browser: clicks reach Python, nothing moves, nothing runs, nothing leaves the machine."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Literal

import pytest
from playwright.sync_api import Browser, Locator, Page

from tests.app.looking import graph_at_rest
from tests.waiting import wait_until
from tests.watching import expect

SCRIPT = Path(__file__).parents[2] / "fixtures" / "graph_app.py"

RUN = SCRIPT.with_name("run_app.py")

POSITIONS = "box => box.network.getPositions()"
ON_SCREEN = "(box, id) => box.network.canvasToDOM(box.network.getPosition(id))"
BETWEEN = """(box, [one, other]) => {
  const [a, b] = [one, other].map(id => box.network.canvasToDOM(box.network.getPosition(id)));
  return { x: a.x + (b.x - a.x) * 0.3, y: a.y + (b.y - a.y) * 0.3 };
}"""

IN_SIGHT = """box => Object.values(box.network.getPositions()).map(place => box.network.canvasToDOM(place))
  .every(({ x, y }) => 0 < x && x < box.clientWidth && 0 < y && y < box.clientHeight)"""


@pytest.fixture(scope="module")
def address(serve: Callable[[Path], str]) -> str:
    return serve(SCRIPT)


@contextmanager
def opened(browser: Browser, url: str, scheme: Literal["light", "dark"] = "light") -> Iterator[tuple[Page, Locator]]:
    """The page and the graph's canvas box. Leaving it asserts that no error was logged and no request left."""
    context = browser.new_context(color_scheme=scheme, viewport={"width": 1200, "height": 800})
    page = context.new_page()
    requests: list[str] = []
    errors: list[str] = []
    page.on("request", lambda request: requests.append(request.url))
    page.on("websocket", lambda socket: requests.append(socket.url))
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on("console", lambda message: errors.append(message.text) if message.type == "error" else None)
    page.goto(url)
    box = page.locator(".canvas")
    expect(page.locator(".legend li").first).to_be_visible()
    graph_at_rest(box)
    yield page, box
    local = (url.split("?")[0], url.split("?")[0].replace("http", "ws"), "data:", "blob:")
    assert [request for request in requests if not request.startswith(local)] == []
    assert errors == []
    context.close()


def click_at(box: Locator, script: str, argument: Any) -> None:
    box.click(position=box.evaluate(script, argument))


def test_selection_reaches_python_and_the_graph_stays_as_it_is(browser: Browser, address: str) -> None:
    with opened(browser, f"{address}/") as (page, box):
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
    with opened(browser, f"{address}/?count=40") as (page, box):
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


def test_a_change_of_a_thousand_nodes_sends_little(browser: Browser, serve: Callable[[Path], str]) -> None:
    """Measured at the socket, with all that Streamlit says besides; a leap brings what differs, and is whole."""
    received: list[int] = []
    context = browser.new_context()
    page = context.new_page()
    page.on("websocket", lambda socket: socket.on("framereceived", lambda frame: received.append(len(frame))))
    page.goto(f"{serve(RUN)}/")
    expect(page.locator(".legend li").first).to_be_visible(timeout=60_000)
    moment, another = page.get_by_label("Moment"), page.get_by_text("Another page")

    def quiet() -> None:
        """Until nothing has come for a while, however long the machine takes for what is on its way."""
        count = -1
        while count != len(received):
            count = len(received)
            page.wait_for_timeout(1000)

    quiet()
    assert sum(received) > 400_000, "the library and the run, once"

    def sent_by(act: Callable[[], None]) -> int:
        quiet()
        received.clear()
        act()
        quiet()
        return sum(received)

    def is_whole() -> bool:
        drawn = page.locator(".canvas").evaluate("box => box.network.body.data.nodes.length")
        return bool(drawn == shown_at(page))

    def leap(k: int) -> Callable[[], None]:
        def act() -> None:
            moment.fill(str(k))
            moment.press("Enter")
            expect(page.get_by_text(f"moment: {k}", exact=True)).to_be_visible()

        return act

    for k, least in ((3_000, 0), (2_999, 5_000), (900, 0), (901, 5_000), (2_000, 0)):
        sent = sent_by(leap(k))
        assert not least or sent < least, k
        wait_until(is_whole, 30)
    another.click()
    quiet()
    assert sent_by(another.click) < 5_000
    wait_until(is_whole, 30)
    context.close()


def shown_at(page: Page) -> int:
    """As the description says; -1 before there is one."""
    found = re.search(r"Nodes: (\d+)", page.locator(".canvas").get_attribute("aria-label") or "")
    return int(found[1]) if found else -1


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_labels_can_be_read_on_the_page_they_stand_on(
    browser: Browser, address: str, scheme: Literal["light", "dark"]
) -> None:
    """Text drawn on the canvas follows the theme: some pixels are nearly the colour of the page's text."""
    with opened(browser, f"{address}/?lang=zh", scheme) as (page, box):
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
