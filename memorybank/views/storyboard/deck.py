"""The slides as one HTML file: it works from disk, asks for nothing, and prints one slide a page."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from memorybank.memory.types import Lang
from memorybank.views.drawing.beside import text_beside
from memorybank.views.drawing.file import html_file
from memorybank.views.drawing.rich.script import rich_script
from memorybank.views.html_export.page import read as read_shared
from memorybank.views.i18n import sentences_under
from memorybank.views.storyboard.slides import Slide
from memorybank.views.text.display import plain

_read = functools.partial(text_beside, __package__)

_SHARED = ("data.js", "elements.js")
"""Code of the page with the slider (html_export)."""


def deck(slides: Sequence[Slide], title: str, lang: Lang) -> bytes:
    """The file, UTF-8."""
    words = sentences_under("storyboard.page.", lang)
    data = {"words": words, "title": plain(title), "slides": [_slide(slide) for slide in slides]}
    code = "\n".join([*map(read_shared, _SHARED), _read("deck.js")])
    return html_file(data, lang, scripts=[rich_script(), code], style=_read("deck.css"))


def _slide(slide: Slide) -> dict[str, Any]:
    shapes = [{**asdict(shape), "words": plain(shape.words)} for shape in slide.graph]
    return {
        "kind": slide.kind,
        "sentence": slide.sentence,
        "notes": slide.notes,
        "graph": shapes,
        "graph_width": slide.graph_width,
        "graph_height": slide.graph_height,
        "described": slide.described,
        "card": slide.card.data() if slide.card is not None else None,
    }
