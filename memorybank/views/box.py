"""Boxes: text with marks and colours that is still text. A string becomes a text node, whatever it contains.

    box("p", "", "It has ", box("mark", "", "105"), " qubits.")

Tags come from the list in views/drawing/rich/loader.js, classes from the style sheets in views/drawing/rich/css/;
neither may come from data. A box with `choose` can be clicked: it leads where a link says (link.py), unless the drawer
takes the choice itself.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import partial
from typing import Any, Literal

from memorybank.memory.types import Lang
from memorybank.views.i18n import t
from memorybank.views.link import link
from memorybank.views.text.display import Mark, plain


@dataclass(frozen=True, slots=True)
class Box:
    tag: str
    look: str
    inside: tuple[Piece, ...]
    title: str = ""
    """The words shown when the pointer rests on the box."""
    choose: str = ""
    """The target that a click on the box chooses; empty where nothing can be clicked."""
    current: bool = False
    """The box is the step at work, which a screen reader is told, too."""
    checked: bool | None = None
    """Whether a box that a click ticks is ticked; its title is then its name. None for any other box."""
    share: float | None = None
    """The part of its row that a bar takes, from 0 to 1."""

    def data(self) -> list[Any]:
        inside = [piece.data() if isinstance(piece, Box) else plain(piece) for piece in self.inside]
        extra: dict[str, Any] = {}
        if self.title:
            extra["title"] = plain(self.title)
        if self.choose:
            extra["choose"] = self.choose
        if self.current:
            extra["current"] = True
        if self.checked is not None:
            extra["checked"] = self.checked
        if self.share is not None:
            extra["share"] = round(self.share, 3)
        return [self.tag, self.look, inside, *([extra] if extra else [])]


Piece = str | Box


def box(
    tag: str,
    look: str,
    *inside: Piece | None,
    title: str = "",
    choose: str = "",
    current: bool = False,
    checked: bool | None = None,
    share: float | None = None,
) -> Box:
    """Return a box; None among its contents is left out."""
    pieces = tuple(piece for piece in inside if piece is not None)
    return Box(tag, look, pieces, title, choose, current, checked, share)


div = partial(box, "div")
"""A box that begins on a line of its own: `div(look, *inside)`."""
item_of = partial(box, "li", "")
"""An item of a list: `item_of(*inside)`."""


def row_of(*inside: Piece | None) -> Box:
    """Return pieces side by side."""
    return box("div", "row", *inside)


def stack_of(*inside: Piece | None) -> Box:
    """Return pieces below each other."""
    return box("div", "stack", *inside)


def note(*inside: Piece | None) -> Box:
    """Return a small and quiet paragraph."""
    return box("p", "muted small", *inside)


def muted(*inside: Piece | None) -> Box:
    """Return a quiet paragraph."""
    return box("p", "muted", *inside)


def aside(*inside: Piece | None) -> Box:
    """Return a small and quiet remark within a line."""
    return box("span", "muted small", *inside)


def label(*inside: Piece | None) -> Box:
    """Return the name of what comes next."""
    return box("p", "label", *inside)


def labelled(words: str, *inside: Piece | None) -> Box:
    """Return things under a label."""
    return box("div", "", label(words), *inside)


def section(heading: str, *inside: Piece | None) -> Box:
    """Return a part of a page under its heading."""
    return box("div", "cm-part", box("h3", "", heading), *inside)


def table_of(look: str, heads: Iterable[Box], rows: Iterable[Box]) -> Box:
    """Return a table: the cells of its head, and its rows."""
    return box("table", look, box("thead", "", box("tr", "", *heads)), box("tbody", "", *rows))


def facts_of(*facts: tuple[str, Piece | None]) -> Box | None:
    """Return the known facts, each under its name; unknown ones are left out, and so is a list of nothing."""
    known = [(name, fact) for name, fact in facts if fact]
    cells = (cell for name, fact in known for cell in (box("dt", "", name), box("dd", "text", fact)))
    return box("dl", "fact-list", *cells) if known else None


def folded(words: str, *inside: Piece | None, look: str = "") -> Box:
    """Return boxes that are seen once the line of `words` is chosen."""
    return box("details", look, box("summary", "", words), *inside)


def chip(words: str, look: str = "") -> Box:
    return box("span", f"chip {look}".strip(), words)


def marked(pieces: Iterable[Mark]) -> tuple[Piece, ...]:
    """Return a text whose differing pieces are marked."""
    return tuple(box("mark", "", piece.text) if piece.differs else piece.text for piece in pieces)


def cut_note(most: int, total: int, lang: Lang, of: Literal["lines", "characters"] = "lines") -> Box | None:
    """Say that of `total` things at most `most` are shown; None when that is all of them."""
    if total <= most:
        return None
    return note(t(f"showing.{of}", lang, shown=f"{most:,}", total=f"{total:,}"))


def go(words: str, target: str, *, title: str = "") -> Box:
    """Return words that lead to a target."""
    return box("span", "leads", words, choose=target, title=title)


def go_moment(seq: int, lang: Lang) -> Box:
    return go(t("conflicts.go_moment", lang), link("moment", seq), title=t("conflicts.go_moment_help", lang))


def go_call(seq: int, lang: Lang) -> Box:
    return go(t("conflicts.go_call", lang), link("call", seq), title=t("conflicts.go_call_help", lang))


def gos(*pieces: Box | None) -> Box | None:
    """Return links beside each other; None when there is none."""
    links: Iterable[Box] = [piece for piece in pieces if piece is not None]
    return box("div", "leads-row", *links) if links else None
