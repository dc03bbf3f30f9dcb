"""The drawing code in a page of its own, opened from disk: no server, no request, nothing that runs out of data."""

from __future__ import annotations

import json
from pathlib import Path
from string import Template
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from memorybank.memory.events import NodesMerged, StageFinished
from memorybank.memory.types import NodeId
from memorybank.runs.run_folder import load
from memorybank.views.drawing.graph.script import graph_script
from memorybank.views.graph.model import GraphView, build_view
from memorybank.views.graph.moment_view import view_of
from memorybank.views.run.playback import Playback
from tests.hostile import OWNED, PAYLOADS
from tests.recorded import recorded_run
from tests.views.graph.test_model import graph_of, node, places
from tests.waiting import wait_until
from tests.watching import expect

PAGE = Template(Path(__file__).with_suffix(".html").read_text("utf-8"))
PATIENCE = 30.0
"""Seconds that anything may take here, on however busy a machine."""


def picture(view: GraphView) -> dict[str, Any]:
    return {"nodes": list(view.nodes), "edges": list(view.edges), **view.parts["frame"]}


def drawn_at(kind: type, after: type | None = None) -> dict[str, Any]:
    """The graph of the recorded run just before its first event of a kind, or with the first behind one of another."""
    records = load(recorded_run().path)
    begin = next(record.seq for record in records if isinstance(record.event, after)) if after else 0
    seq = next(record.seq for record in records[begin:] if isinstance(record.event, kind))
    return picture(view_of(Playback().at(records, seq if after else seq - 1), None, "en"))


def opened(
    browser: Browser, folder: Path, pictures: list[dict[str, Any]], *, dark: bool = False, **context: Any
) -> Page:
    file = folder / "graph.html"
    data = json.dumps(pictures).replace("<", "\\u003c")
    colours = {"text": "#eee", "page": "#111"} if dark else {"text": "#222", "page": "#fff"}
    file.write_text(PAGE.substitute(script=graph_script(), pictures=data, **colours), encoding="utf-8")
    page = browser.new_context(viewport={"width": 900, "height": 600}, **context).new_page()
    page.seen = []  # type: ignore[attr-defined]
    for event in ("request", "pageerror", "console"):
        page.on(event, lambda one: page.seen.append(getattr(one, "url", None) or str(one)))  # type: ignore[attr-defined]
    page.goto(file.as_uri())
    page.evaluate("atRest()")
    return page


def test_the_keyboard_moves_the_view_while_the_canvas_has_the_focus(browser: Browser, tmp_path: Path) -> None:
    page = opened(browser, tmp_path, [drawn_at(NodesMerged)])
    page.evaluate("document.addEventListener('keydown', (event) => chosen.push(event.key))")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.shadowRoot.activeElement.className") == "canvas"
    start = page.evaluate("view()")
    assert min(page.evaluate("filled()")) > 0.7, "the map takes the shape of its box"
    page.keyboard.press("+")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowDown")
    scale, x, y = page.evaluate("view()")
    assert scale == pytest.approx(start[0] * 1.3)
    assert (x, y) == (pytest.approx(start[1] + 80 / scale), pytest.approx(start[2] + 80 / scale))
    page.keyboard.press("-")
    page.keyboard.press("0")
    page.evaluate("atRest()")
    assert page.evaluate("view()") == pytest.approx(start, rel=0.01, abs=1)
    page.keyboard.press("s")
    assert page.evaluate("chosen") == ["Tab", "s"], "the page hears what the canvas has no use for"
    names = [button.get_attribute("aria-label") for button in page.locator(".tools button").all()]
    assert names == ["Zoom out", "Zoom in", "Fit to view"]
    assert page.locator(".canvas").get_attribute("aria-description")
    page.context.close()


@pytest.mark.parametrize("dark", [False, True])
def test_a_picture_that_changes_and_a_graph_opened_again_keep_places_view_and_choice(
    browser: Browser, tmp_path: Path, dark: bool
) -> None:
    later = drawn_at(NodesMerged)
    *kept, new = later["nodes"]
    edges = [edge for edge in later["edges"] if new["id"] not in (edge["from"], edge["to"])]
    page = opened(browser, tmp_path, [{**later, "nodes": kept, "edges": edges}, later], dark=dark)
    drawn = "light" if dark else "dark"  # text drawn on the canvas follows the theme, and can be read
    wait_until(lambda: page.evaluate("brightness()")[drawn] > 200, PATIENCE, lambda: page.evaluate("brightness()"))
    page.locator(".canvas").click(position=page.evaluate("onAnEdge(pictures[0].edges[0])"))
    wait_until(lambda: page.evaluate("chosen.length"), PATIENCE)
    assert page.evaluate("chosen[0][0]") in (edges[0]["from"], edges[0]["to"]), "an edge leads to its nearer end"
    choose = f"selected: '{kept[1]['id']}'"
    page.evaluate(f"graph.show({{ ...pictures[0], {choose} }})")
    page.get_by_role("button", name="Zoom in").click()
    before = page.evaluate("shown()")
    page.evaluate("box().network.isTheSame = true")
    page.evaluate(f"graph.show({{ ...pictures[1], {choose} }})")
    after = page.evaluate("shown()")
    assert after["places"].keys() - before["places"].keys() == {new["id"]}
    assert before == {**after, "places": {id_: after["places"][id_] for id_ in before["places"]}}
    assert before["chosen"] == [kept[1]["id"]]
    assert page.evaluate("box().network.isTheSame")
    page.evaluate(f"graph.destroy(); open(); graph.show({{ ...pictures[1], {choose} }})")
    assert page.evaluate("shown()") == after, "who comes back to the page finds it as it was"
    page.get_by_role("button", name="Fit to view").click()
    page.evaluate("atRest()")
    assert page.evaluate("areAllInSight()")
    assert page.seen == [page.url], page.seen  # type: ignore[attr-defined]
    page.context.close()


def test_touch_selects(browser: Browser, tmp_path: Path) -> None:
    page = opened(browser, tmp_path, [drawn_at(NodesMerged)], has_touch=True)
    spot = page.evaluate("at('n3')")
    place = page.locator(".canvas").bounding_box()
    assert place is not None
    page.touchscreen.tap(place["x"] + spot["x"], place["y"] + spot["y"])
    wait_until(lambda: page.evaluate("chosen.length"), PATIENCE)
    assert page.evaluate("chosen") == [["n3", None]]
    page.context.close()


LOST = "nodes: pictures[0].nodes.filter(({ id }) => id !== node.id), edges: []"


def test_a_tooltip_stays_as_long_as_the_mouse_rests_on_what_it_is_about(browser: Browser, tmp_path: Path) -> None:
    page = opened(browser, tmp_path, [drawn_at(NodesMerged)])
    page.evaluate("""() => {
      document.body.append(Object.assign(document.createElement('p'), { style: 'height: 3000px' }));
      globalThis.node = pictures[0].nodes.find(({ id }) => id === 'n3');
      globalThis.spot = () => {
        const { x, y } = box().getBoundingClientRect();
        const place = at('n3');
        return [x + place.x, y + place.y];
      };
    }""")
    tip = page.locator(".vis-tooltip")

    def rest_on_it() -> None:
        page.evaluate("scrollTo(0, 0); graph.show(pictures[0])")
        page.mouse.move(5, 5)
        page.mouse.move(*page.evaluate("spot()"))
        expect(tip).to_be_visible()
        expect(tip).to_contain_text(page.evaluate("(node.topic || node.label).slice(0, 20)"))

    for act in (
        lambda: page.mouse.move(450, 560),
        lambda: page.mouse.wheel(0, 200),
        lambda: page.keyboard.press("Escape"),
        lambda: page.evaluate("dispatchEvent(new Event('blur'))"),
        lambda: (page.locator(".canvas").focus(), page.keyboard.press("-")),
        lambda: page.evaluate(f"graph.show({{ ...pictures[0], {LOST} }})"),
    ):
        rest_on_it()
        act()
        expect(tip).not_to_be_visible()
    rest_on_it()
    page.evaluate("graph.show({ ...pictures[0], nodes: pictures[0].nodes.slice(0, -1), edges: [] })")
    expect(tip).to_be_visible()  # who reads it is not disturbed by what happens elsewhere
    page.evaluate(
        "graph.show({ ...pictures[0], nodes: pictures[0].nodes.map((one) => one === node ? "
        "{ ...one, topic: 'Another topic' } : one), edges: [] })"
    )
    expect(tip).to_contain_text("Another topic")
    page.evaluate("graph.destroy()")
    assert page.seen == [page.url], page.seen  # type: ignore[attr-defined]
    page.context.close()


@pytest.mark.parametrize("calm", ["", "reduced motion", "leap"])
def test_a_merge_is_seen_to_happen(browser: Browser, tmp_path: Path, calm: str) -> None:
    """Its sources glide into it; not for readers who want calm, nor when the reader leaps."""
    pictures = [drawn_at(NodesMerged), {**drawn_at(StageFinished, after=NodesMerged), "calm": calm == "leap"}]
    motion = "reduce" if calm == "reduced motion" else "no-preference"
    page = opened(browser, tmp_path, pictures, reduced_motion=motion)
    frames = page.evaluate("framesOf(pictures[1])")
    assert (frames > 1) == (not calm)

    def is_still() -> bool:
        before = page.evaluate("painted()")
        page.wait_for_timeout(200)
        return bool(page.evaluate("painted()") == before)

    wait_until(is_still, PATIENCE)
    page.context.close()


def test_hostile_text_is_text(browser: Browser, tmp_path: Path) -> None:
    nodes = graph_of(*(node(NodeId(f"n{i}"), context=text) for i, text in enumerate(PAYLOADS.values(), start=1)))
    page = opened(browser, tmp_path, [picture(build_view(nodes, places(nodes)))])
    for name in list(nodes)[:6]:
        spot = page.evaluate("(name) => at(name)", name)
        page.locator(".canvas").hover(position=spot)
        wait_until(lambda: page.evaluate("tooltip()"), PATIENCE)
    assert page.locator(".vis-tooltip *:not(br)").count() == 0
    assert page.evaluate("window.__ran") is None
    assert page.locator(f".{OWNED}").count() == 0
    assert page.seen == [page.url], page.seen  # type: ignore[attr-defined]
    page.context.close()
