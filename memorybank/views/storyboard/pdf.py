"""The slides as PDF: a page each, with text that can be searched and copied, and nothing that runs."""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from typing import Any

from memorybank.memory.types import Lang
from memorybank.views.box import Box
from memorybank.views.i18n import t
from memorybank.views.storyboard import graph_shapes
from memorybank.views.storyboard.graph_shapes import Shape
from memorybank.views.storyboard.pdf_card import block_of
from memorybank.views.storyboard.pdf_fonts import Fonts, fonts_for
from memorybank.views.storyboard.pdf_text import INK, MUTED, Run, Setter
from memorybank.views.storyboard.slides import FOOT, GAP, HEIGHT, MARGIN, TOP, WIDTH, Slide
from memorybank.views.text.display import clip, plain

POINTS = 0.75
"""Of a page, to one of a slide: 13 1/3 by 7 1/2 inches, as slides are."""
BLUE, QUIET = "#0B6BA8", "#8A94A0"
SENTENCE, LARGE_SENTENCE, LEAST_SENTENCE = 33.0, 44.0, 17.0
CARD, LEAST_CARD = 23.0, 9.0
_COLOURS = {graph_shapes.INK: INK, graph_shapes.QUIET: QUIET}


def pdf(slides: Sequence[Slide], title: str, lang: Lang) -> tuple[bytes, bool]:
    """The file; and whether a font was lacking, so that some signs may not show."""
    from reportlab.pdfgen.canvas import Canvas

    file = io.BytesIO()
    canvas = Canvas(file, pagesize=(WIDTH * POINTS, HEIGHT * POINTS), lang="zh-CN" if lang == "zh" else "en")
    canvas.setTitle(plain(title))
    canvas.setCreator(t("app.title", lang))
    fonts = fonts_for(_texts(slides, title, lang), is_chinese=lang == "zh")
    try:
        for slide in slides:
            _Page(canvas, fonts, slide).draw(f"{slide.number} / {len(slides)}", clip(title, 110))
        canvas.save()
    finally:
        fonts.release()
    return file.getvalue(), bool(fonts.lacking)


def _texts(slides: Sequence[Slide], title: str, lang: Lang) -> Iterator[str]:
    yield title + t("app.title", lang)
    for slide in slides:
        yield slide.kind + slide.sentence
        yield from (plain(shape.words) for shape in slide.graph)
        yield from _words(slide.card) if slide.card is not None else ()


def _words(drawn: Box) -> Iterator[str]:
    for piece in drawn.inside:
        if isinstance(piece, Box):
            yield from _words(piece)
        else:
            yield plain(piece)


class _Page:
    def __init__(self, canvas: Any, fonts: Fonts, slide: Slide) -> None:
        self._canvas, self._slide = canvas, slide
        self._setter = Setter(canvas, fonts)

    def draw(self, number: str, title: str) -> None:
        canvas, slide = self._canvas, self._slide
        canvas.bookmarkPage(str(slide.number))
        canvas.addOutlineEntry(f"{slide.number}. {slide.kind}", str(slide.number))
        canvas.scale(POINTS, POINTS)
        self._line(Run(text=slide.kind, bold=True, color=BLUE), MARGIN, HEIGHT - 43, 17)
        count = Run(text=number, color=MUTED)
        self._line(count, WIDTH - MARGIN - self._setter.width(count, 16), HEIGHT - 43, 16)
        self._line(Run(text=title, color=MUTED), MARGIN, 16, 13)
        self._sentence()
        for shape in slide.graph:
            self._shape(shape)
        if slide.card is not None:
            self._card(slide.card)
        canvas.showPage()

    def _line(self, run: Run, x: float, y: float, size: float) -> None:
        self._setter.draw_line([run], x, y, size)

    def _sentence(self) -> None:
        """As large as it may be; the whole of it, however long."""
        is_alone = not self._slide.graph and self._slide.card is None
        top, high = (HEIGHT - 150, HEIGHT - 230) if is_alone else (HEIGHT - 58, TOP - 66)
        size = LARGE_SENTENCE if is_alone else SENTENCE
        runs = [Run(text=self._slide.sentence, bold=True)]
        while True:
            lines = self._setter.lines(runs, WIDTH - 2 * MARGIN, size)
            if self._setter.height(lines, size) <= high or size <= LEAST_SENTENCE:
                break
            size -= 1
        self._setter.draw(lines, MARGIN, top, size)

    def _card(self, drawn: Box) -> None:
        left = MARGIN + self._slide.graph_width + GAP if self._slide.graph else MARGIN
        width, high, size = WIDTH - MARGIN - left, HEIGHT - TOP - FOOT, CARD
        block = block_of(drawn)
        while block.height(self._setter, width, size) > high and size > LEAST_CARD:
            size -= 1
        self._canvas.saveState()
        path = self._canvas.beginPath()
        path.rect(left - 2, FOOT, width + 4, high + 2)
        self._canvas.clipPath(path, stroke=0)
        block.draw(self._setter, left, HEIGHT - TOP, width, size)
        self._canvas.restoreState()

    # -- the graph ----------------------------------------------------------------------------------------------------

    def _at(self, point: tuple[float, float]) -> tuple[float, float]:
        return MARGIN + point[0], HEIGHT - TOP - point[1]

    def _shape(self, shape: Shape) -> None:
        canvas = self._canvas
        canvas.saveState()
        fill, stroke = _COLOURS.get(shape.fill, shape.fill), _COLOURS.get(shape.stroke, shape.stroke)
        if shape.kind == "text":
            run = Run(text=plain(shape.words), bold=shape.bold, color=fill, opacity=shape.opacity)
            x, y = self._at(shape.points[0])
            self._line(run, x - self._setter.width(run, shape.size) / 2 if shape.middle else x, y, shape.size)
        else:
            if fill != "none":
                canvas.setFillColor(fill, alpha=shape.opacity)
            if stroke != "none":
                canvas.setStrokeColor(stroke, alpha=shape.opacity)
            canvas.setLineWidth(shape.width)
            canvas.setDash(*([list(shape.dashes)] if shape.dashes else []))
            self._outline(shape, is_filled=fill != "none", is_drawn=stroke != "none")
        canvas.restoreState()

    def _outline(self, shape: Shape, *, is_filled: bool, is_drawn: bool) -> None:
        points = [self._at(point) for point in shape.points]
        if shape.kind == "circle":
            self._canvas.circle(*points[0], shape.radius, stroke=is_drawn, fill=is_filled)
            return
        path = self._canvas.beginPath()
        path.moveTo(*points[0])
        for point in points[1:]:
            path.lineTo(*point)
        if shape.kind == "polygon":
            path.close()
        self._canvas.drawPath(path, stroke=is_drawn, fill=is_filled)
