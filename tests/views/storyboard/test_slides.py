"""The slides of a run: one for each decisive moment, its graph drawn with what it is about ringed."""

from __future__ import annotations

import pytest

from memorybank.errors import InputError
from memorybank.memory.types import Lang
from memorybank.runs.run_folder import load
from memorybank.views.box import Box, box
from memorybank.views.story import build_scenes, scene_notes, scene_sentence
from memorybank.views.storyboard import make_storyboard
from memorybank.views.storyboard.graph_shapes import RING, Shape
from memorybank.views.storyboard.slides import CARD_LINES, Slide, build_slides, split
from tests.recorded import recorded_run


@pytest.fixture(scope="module", params=["en", "zh"])
def lang(request: pytest.FixtureRequest) -> Lang:
    chosen: Lang = request.param
    return chosen


@pytest.fixture(scope="module")
def slides(lang: Lang) -> tuple[Slide, ...]:
    return build_slides(load(recorded_run(lang).path), lang)


def rings(slide: Slide) -> list[Shape]:
    return [shape for shape in slide.graph if shape.stroke == RING and shape.kind == "circle" and shape.fill == "none"]


def test_each_decisive_moment_is_a_slide_with_its_sentence_and_its_notes(slides: tuple[Slide, ...], lang: Lang) -> None:
    scenes = build_scenes(load(recorded_run(lang).path))
    said = list(dict.fromkeys((slide.at, slide.sentence) for slide in slides))
    assert said == [(scene.seq, scene_sentence(scene, lang)) for scene in scenes]
    assert [slide.notes for slide in slides if slide.notes] == [
        notes for scene in scenes if (notes := scene_notes(scene, lang))
    ]
    assert [slide.number for slide in slides] == list(range(1, len(slides) + 1))
    assert len({slide.kind for slide in slides}) > 5


def test_what_a_slide_is_about_is_ringed_and_named_and_nothing_leaves_the_sheet(slides: tuple[Slide, ...]) -> None:
    drawn = [slide for slide in slides if slide.graph]
    assert drawn
    assert any(len(rings(slide)) > 1 for slide in drawn)
    for slide in drawn:
        names = [shape for shape in slide.graph if shape.kind == "text" and shape.bold and shape.size > 12]
        assert len(names) == len(rings(slide))
        for shape in slide.graph:
            for x, y in shape.points:
                assert 0 <= x <= slide.graph_width
                assert 0 <= y <= slide.graph_height


def test_no_node_moves_from_a_slide_to_the_next(slides: tuple[Slide, ...]) -> None:
    """Where they are as wide, and one node is ringed: its name tells which."""
    places: dict[tuple[float, str], set[tuple[float, float]]] = {}
    for slide in slides:
        names = [shape.words for shape in slide.graph if shape.kind == "text" and shape.bold and shape.size > 12]
        if len(names) == 1:
            (ring,) = rings(slide)
            x, y = ring.points[0]
            places.setdefault((slide.graph_width, names[0]), set()).add((round(x, 6), round(y, 6)))
    assert places
    assert all(len(known) == 1 for known in places.values())


def test_a_long_card_goes_on_on_the_next_slide_and_no_heading_stays_behind() -> None:
    points = [box("li", "text", f"Point {number}. " + "word " * 30) for number in range(20)]
    card = box("div", "card", box("p", "text", "On the first matter:"), box("ul", "points", *points))
    parts = split(card)
    assert len(parts) > 2
    assert "".join(map(words, parts)) == words(card)
    assert not any(words(part).endswith(":") for part in parts)
    short = box("div", "card", *(box("p", "", "word") for _ in range(CARD_LINES)))
    assert split(short) == [short]


def words(drawn: Box) -> str:
    return "".join(piece if isinstance(piece, str) else words(piece) for piece in drawn.inside)


def test_a_card_on_a_slide_leads_nowhere(slides: tuple[Slide, ...]) -> None:
    def choices(drawn: Box) -> list[str]:
        return [drawn.choose, *(one for piece in drawn.inside if isinstance(piece, Box) for one in choices(piece))]

    cards = [slide.card for slide in slides if slide.card is not None]
    assert len(cards) > 4
    assert not any(choice for card in cards for choice in choices(card))


def test_before_anything_has_happened_there_are_no_slides() -> None:
    records = load(recorded_run("en").path)[:1]
    with pytest.raises(InputError, match="nothing has happened"):
        make_storyboard(records, "en", "html")
