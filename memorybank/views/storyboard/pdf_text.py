"""Text on a page: runs of one look, broken into lines that fit, in as many fonts as their signs need."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from memorybank.views.storyboard.pdf_fonts import Fonts

INK, MUTED = "#1D2630", "#5B6672"
LEADING = 1.32
_WORD_RE = re.compile(r"\n|[^\S\n]+|[\u2e80-\uffef]|[^\s\u2e80-\uffef]+")
"""A break, a gap, a Han character or a mark of its kind, or a word."""
_NEVER_FIRST = frozenset("，。、；：？！”’）》】」』…—·,.;:?!)]}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    text: str
    bold: bool = False
    color: str = INK
    scale: float = 1.0
    """Of its size, to that of what it stands in."""
    opacity: float = 1.0


Line = list[Run]


@dataclass(frozen=True, slots=True)
class Setter:
    """Measures and draws, on the canvas of a page whose y runs up."""

    canvas: Any
    fonts: Fonts

    def width(self, run: Run, size: float) -> float:
        from reportlab.pdfbase.pdfmetrics import stringWidth

        pieces = self.fonts.pieces(run.text, bold=run.bold)
        return sum(float(stringWidth(piece, font, size * run.scale)) for font, piece in pieces)

    def lines(self, runs: Sequence[Run], width: float, size: float) -> list[Line]:
        """The text, broken between words, between Han characters, and within a word that is longer than a line."""
        lines: list[Line] = [[]]
        left = width
        for word in self._words(runs, width, size):
            if word.text == "\n":
                lines.append([])
                left = width
                continue
            wide = self.width(word, size)
            if wide > left + 0.01 and word.text not in _NEVER_FIRST:
                lines.append([])
                left = width
            if not lines[-1] and word.text.isspace():
                continue
            lines[-1].append(word)
            left -= wide
        return [line for line in lines if line] or [[]]

    def _words(self, runs: Sequence[Run], width: float, size: float) -> Iterator[Run]:
        for run in runs:
            for match in _WORD_RE.finditer(run.text):
                word = replace(run, text=match[0])
                while len(word.text) > 1 and self.width(word, size) > width:
                    fits = max(1, int(len(word.text) * width / self.width(word, size)) - 1)
                    yield replace(word, text=word.text[:fits])
                    word = replace(word, text=word.text[fits:])
                yield word

    def height(self, lines: Sequence[Line], size: float) -> float:
        return sum(self._high(line, size) for line in lines)

    @staticmethod
    def _high(line: Line, size: float) -> float:
        return size * LEADING * max((run.scale for run in line), default=1.0)

    def draw(self, lines: Sequence[Line], x: float, top: float, size: float) -> None:
        """From `top` down."""
        for line in lines:
            high = self._high(line, size)
            self.draw_line(line, x, top - high * 0.78, size)
            top -= high

    def draw_line(self, line: Line, x: float, y: float, size: float) -> None:
        """One line, as one text for who selects it."""
        text = self.canvas.beginText(x, y)
        for run in line:
            text.setFillColor(run.color, alpha=run.opacity)
            for font, piece in self.fonts.pieces(run.text, bold=run.bold):
                text.setFont(font, size * run.scale)
                text.textOut(piece)
        self.canvas.drawText(text)
