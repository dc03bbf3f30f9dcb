"""The slides of a page: one for each decisive moment, what it is about ringed in its graph, and every text a text."""

from __future__ import annotations

from pathlib import Path

import pytest

from memorybank.memory.types import Lang
from memorybank.runs.run_folder import load
from memorybank.views.html_export import export_html
from memorybank.views.html_export.slides import HEIGHT, slides_html
from memorybank.views.story import build_scenes, scene_sentence
from tests.app.hostile_run import write_hostile_run
from tests.hostile import OWNED
from tests.recorded import recorded_run
from tests.views.html_export.reading import PrintedSlide, slides_in

ATTRIBUTES = {
    *"class role aria-label viewBox width height x y x1 y1 x2 y2 cx cy r points fill stroke stroke-width".split(),
    *("stroke-dasharray", "font-size", "open"),
}
"""All that a slide needs: none of them leads anywhere, runs anything or looks like anything by itself."""


@pytest.fixture(scope="module", params=["en", "zh"])
def lang(request: pytest.FixtureRequest) -> Lang:
    chosen: Lang = request.param
    return chosen


@pytest.fixture(scope="module")
def slides(lang: Lang) -> list[PrintedSlide]:
    return slides_in(export_html(load(recorded_run(lang).path), None, lang))


def test_each_decisive_moment_is_a_slide_with_its_sentence(slides: list[PrintedSlide], lang: Lang) -> None:
    scenes = build_scenes(load(recorded_run(lang).path))
    assert [slide.sentence for slide in slides] == [scene_sentence(scene, lang) for scene in scenes]
    assert len({slide.kind for slide in slides}) > 5


def test_what_a_slide_is_about_is_ringed_and_named_and_nothing_leaves_the_sheet(slides: list[PrintedSlide]) -> None:
    graphs = [graph for slide in slides for graph in slide.element.iter("svg")]
    rings = [graph.findall("circle[@class='ring']") for graph in graphs]
    assert max(map(len, rings)) > 1
    for graph, ringed in zip(graphs, rings, strict=True):
        assert len(graph.findall("text[@class='name lit']")) == len(ringed)
        for element in graph.iter():
            for across in ("x", "cx", "x1", "x2"):
                assert 0 <= float(element.get(across, 0)) <= float(graph.attrib["width"])
            for down in ("y", "cy", "y1", "y2"):
                assert 0 <= float(element.get(down, 0)) <= HEIGHT


def test_no_node_moves_from_a_slide_to_the_next(slides: list[PrintedSlide]) -> None:
    """A slide on which one node is ringed tells by its name which; it stands where it stood on a slide as wide."""
    places: dict[tuple[str, str | None], set[tuple[str, str]]] = {}
    for slide in slides:
        for graph in slide.element.iter("svg"):
            rings, names = graph.findall("circle[@class='ring']"), graph.findall("text[@class='name lit']")
            if len(rings) == 1:
                place = (rings[0].attrib["cx"], rings[0].attrib["cy"])
                places.setdefault((graph.attrib["width"], names[0].text), set()).add(place)
    assert places
    assert all(len(known) == 1 for known in places.values())


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_hostile_texts_are_text(tmp_path: Path, lang: Lang) -> None:
    page = export_html(load(write_hostile_run(tmp_path, "ab" * 16)), None, lang)
    sections = [slide.element for slide in slides_in(page)]
    assert OWNED in "".join(text for section in sections for text in section.itertext())
    elements = [element for section in sections for element in section.iter()]
    assert {name for element in elements for name in element.attrib} <= ATTRIBUTES
    assert not any(OWNED in element.get("class", "") for element in elements)
    assert {element.tag for element in elements}.isdisjoint({"a", "script", "style", "img", "iframe", "form", "use"})


def test_before_anything_has_happened_there_are_no_slides() -> None:
    assert slides_html(load(recorded_run("en").path)[:1], "en") == '<div class="slides"></div>'
