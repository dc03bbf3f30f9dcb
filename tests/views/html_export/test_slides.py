"""The slides of a page: one for each decisive moment, and every text a text."""

from __future__ import annotations

from pathlib import Path

import pytest

from memorybank.memory.types import Lang
from memorybank.runs.run_folder import load
from memorybank.views.html_export import export_html
from memorybank.views.html_export.slides import slides_html
from memorybank.views.story import build_scenes, scene_sentence
from tests.app.hostile_run import write_hostile_run
from tests.hostile import OWNED
from tests.recorded import recorded_run
from tests.views.html_export.reading import PrintedSlide, slides_in

ATTRIBUTES = {"class", "open"}
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
