"""A card on a page: the boxes of the app (views/box.py) as lines, panels and columns.

What a look means is read here for print; a box of a look that is not known is what is inside it.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass, replace

from memorybank.views.box import Box, Piece
from memorybank.views.storyboard.pdf_text import INK, MUTED, Run, Setter
from memorybank.views.text.display import plain

BLOCKS = frozenset({"div", "p", "ul", "ol", "li", "h3", "h4", "table", "thead", "tbody", "tr", "dl", "figure", "pre"})
TONES = {
    "conflict": "#9A4300", "open": "#9A4300", "disputed": "#8A5A00", "merge": "#96497A", "done": "#00694D",
    "new": "#00694D", "node": "#0B5F94", "failure": "#B02525",
}  # fmt: skip
BOLD = {"strong", "story-matter", "story-value", "answer-value", "label", "chip"}
BOLD_TAGS = {"h3", "h4", "th", "mark"}
ANSWER = ("#EBF5FC", "#56B4E9")
FILL, EDGE, HOLDS = "#F4F6F8", "#D8DEE5", "#009E73"
GAP, PADDING, INDENT, LEAST_COLUMN, SIGN = 0.35, 0.6, 1.1, 12.0, 1.2
"""In sizes of the text."""


class Block(ABC):
    """A part of a card."""

    @abstractmethod
    def height(self, setter: Setter, width: float, size: float) -> float: ...

    @abstractmethod
    def draw(self, setter: Setter, x: float, top: float, width: float, size: float) -> None: ...


@dataclass(frozen=True, slots=True)
class Text(Block):
    runs: tuple[Run, ...]
    is_point: bool = False
    """Of a list."""

    def height(self, setter: Setter, width: float, size: float) -> float:
        return setter.height(setter.lines(self.runs, width - self._indent(size), size), size)

    def draw(self, setter: Setter, x: float, top: float, width: float, size: float) -> None:
        lines = setter.lines(self.runs, width - self._indent(size), size)
        if self.is_point:
            setter.canvas.setFillColor(MUTED)
            setter.canvas.circle(x + size * 0.4, top - size * 0.72, size * 0.16, stroke=0, fill=1)
        setter.draw(lines, x + self._indent(size), top, size)

    def _indent(self, size: float) -> float:
        return INDENT * size if self.is_point else 0.0


@dataclass(frozen=True, slots=True)
class Stack(Block):
    parts: tuple[Block, ...]
    fill: str = ""
    edge: str = ""

    def _padding(self, size: float) -> float:
        return PADDING * size if self.fill or self.edge else 0.0

    def height(self, setter: Setter, width: float, size: float) -> float:
        inside = width - 2 * self._padding(size)
        heights = [part.height(setter, inside, size) for part in self.parts]
        return sum(heights) + GAP * size * max(0, len(heights) - 1) + 2 * self._padding(size)

    def draw(self, setter: Setter, x: float, top: float, width: float, size: float) -> None:
        padding = self._padding(size)
        if padding:
            high = self.height(setter, width, size)
            setter.canvas.setFillColor(self.fill or "#FFFFFF")
            setter.canvas.setStrokeColor(self.edge or self.fill)
            setter.canvas.setLineWidth(1.2)
            setter.canvas.roundRect(x, top - high, width, high, 8, stroke=1, fill=1)
        top -= padding
        for part in self.parts:
            part.draw(setter, x + padding, top, width - 2 * padding, size)
            top -= part.height(setter, width - 2 * padding, size) + GAP * size


@dataclass(frozen=True, slots=True)
class Columns(Block):
    """Side by side where there is room for it, else below each other. A sign between two of them takes little room."""

    parts: tuple[Block, ...]

    def _widths(self, width: float, size: float) -> list[float]:
        signs = sum(map(_is_sign, self.parts))
        left = width - size * (len(self.parts) - 1) - SIGN * size * signs
        wide = left / max(1, len(self.parts) - signs)
        return [SIGN * size if _is_sign(part) else wide for part in self.parts]

    def _is_narrow(self, width: float, size: float) -> bool:
        return max(self._widths(width, size)) < LEAST_COLUMN * size

    def height(self, setter: Setter, width: float, size: float) -> float:
        if self._is_narrow(width, size):
            return Stack(self.parts).height(setter, width, size)
        widths = self._widths(width, size)
        return max(part.height(setter, wide, size) for part, wide in zip(self.parts, widths, strict=True))

    def draw(self, setter: Setter, x: float, top: float, width: float, size: float) -> None:
        if self._is_narrow(width, size):
            Stack(self.parts).draw(setter, x, top, width, size)
            return
        for part, wide in zip(self.parts, self._widths(width, size), strict=True):
            part.draw(setter, x, top, wide, size)
            x += wide + size


def _is_sign(part: Block) -> bool:
    return isinstance(part, Text) and len("".join(run.text for run in part.runs).strip()) == 1


def block_of(drawn: Box) -> Block:
    """The card."""
    looks = set(drawn.look.split())
    blocks = [piece for piece in drawn.inside if isinstance(piece, Box) and _is_block(piece)]
    if not blocks or "row" in looks or drawn.tag == "tr":
        return Text(tuple(_runs(drawn, Run(text=""))), is_point=drawn.tag == "li")
    parts = tuple(_parts(drawn))
    if looks & {"fold", "scales"}:
        return Columns(parts)
    if "side" in looks:
        return Stack(parts, FILL, HOLDS if "holds" in looks else "")
    if "answer-box" in looks:
        return Stack(parts, *ANSWER)
    return Stack(parts, "#FFFFFF", EDGE) if "card" in looks else Stack(parts)


def _is_block(drawn: Box) -> bool:
    return drawn.tag in BLOCKS or any(isinstance(piece, Box) and _is_block(piece) for piece in drawn.inside)


def _parts(drawn: Box) -> Iterator[Block]:
    """Blocks as they stand; what stands between them, together."""
    between: list[Piece] = []
    for piece in drawn.inside:
        if isinstance(piece, Box) and _is_block(piece):
            if between:
                yield block_of(Box("p", "", tuple(between)))
                between = []
            yield block_of(piece)
        else:
            between.append(piece)
    if between:
        yield block_of(Box("p", "", tuple(between)))


def _runs(drawn: Box, around: Run) -> Iterator[Run]:
    """Its text, each piece with the look that it has on the screen, as near as print comes."""
    looks = set(drawn.look.split())
    here = _look(looks, drawn.tag, around)
    is_apart = bool(looks & {"row", "vote"}) or drawn.tag == "tr"
    for place, piece in enumerate(drawn.inside):
        if is_apart and place:
            yield replace(here, text="  ")
        if isinstance(piece, str):
            yield replace(here, text=plain(piece))
        elif "cite" in piece.look.split():
            source = "".join(run.text for run in _runs(piece, here))
            yield replace(here, text=f" [{source}]", color=MUTED, scale=here.scale * 0.85)
        else:
            yield from _runs(piece, here)


def _look(looks: set[str], tag: str, around: Run) -> Run:
    run = around
    if looks & BOLD or tag in BOLD_TAGS:
        run = replace(run, bold=True)
    if looks & {"muted", "label"}:
        run = replace(run, color=MUTED)
    if looks & {"small", "label", "chip"}:
        run = replace(run, scale=run.scale * 0.86)
    if looks & {"story-value", "answer-value"}:
        run = replace(run, scale=run.scale * 1.25)
    if "chip" in looks:
        run = replace(run, color=next((TONES[look] for look in sorted(looks) if look in TONES), INK))
    return run
