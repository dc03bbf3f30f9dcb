"""The slides as PDF: text that can be read out again, whatever its signs are, and nothing that runs or leads away."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from pypdf import PdfReader

from memorybank.language.text import fold_space
from memorybank.memory.types import Lang
from memorybank.runs.run_folder import load
from memorybank.views.box import Box
from memorybank.views.story import build_scenes, scene_sentence
from memorybank.views.storyboard import make_storyboard
from memorybank.views.storyboard.slides import build_slides
from memorybank.views.text.display import plain
from tests.app.hostile_run import write_hostile_run
from tests.hostile import OWNED
from tests.recorded import recorded_run


def pages_of(data: bytes) -> list[str]:
    """What a reader copies from each page, without gaps: lines end where the page wants them to."""
    return [bare(page.extract_text()) for page in PdfReader(io.BytesIO(data)).pages]


def bare(text: str) -> str:
    return "".join(text.split())


def texts(drawn: Box) -> list[str]:
    return [text for piece in drawn.inside for text in ([piece] if isinstance(piece, str) else texts(piece))]


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_every_sentence_and_every_card_can_be_read_from_its_page(lang: Lang) -> None:
    records = load(recorded_run(lang).path)
    made = make_storyboard(records, lang, "pdf")
    slides, pages = build_slides(records, lang), pages_of(made.data)
    assert len(pages) == made.slides == len(slides)
    for slide, page in zip(slides, pages, strict=True):
        assert bare(slide.sentence) in page
        assert bare(slide.kind) in page
        for text in texts(slide.card) if slide.card is not None else []:
            assert bare(plain(text)) in page
    assert all(any(bare(scene_sentence(scene, lang)) in page for page in pages) for scene in build_scenes(records))
    box = PdfReader(io.BytesIO(made.data)).pages[0].mediabox
    assert round(float(box.width) / float(box.height), 3) == round(16 / 9, 3)


def test_without_any_font_of_this_machine_the_text_is_there_and_the_lack_is_said(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("memorybank.views.storyboard.pdf_fonts.FOLDERS", {"linux": ()})
    records = load(recorded_run("zh").path)
    made = make_storyboard(records, "zh", "pdf")
    assert made.lacks_font
    pages = pages_of(made.data)
    assert all(any(bare(scene_sentence(scene, "zh")) in page for page in pages) for scene in build_scenes(records))


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_hostile_texts_are_text(tmp_path: Path, lang: Lang) -> None:
    run = write_hostile_run(tmp_path, "ab" * 16)
    made = make_storyboard(load(run), lang, "pdf")
    reader = PdfReader(io.BytesIO(made.data))
    assert bare(OWNED) in "".join(pages_of(made.data))
    assert "/OpenAction" not in reader.trailer["/Root"]
    assert "/Names" not in reader.trailer["/Root"]
    assert all("/Annots" not in page and "/AA" not in page for page in reader.pages)
    assert reader.get_fields() is None
    assert "\n" not in fold_space(reader.metadata.title or "")
