"""The slides of a run: its decisive moments (views/story), each with its sentence, its graph and its card.

One list, from which the HTML file and the PDF are written.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from memorybank.memory.types import Lang
from memorybank.runs.journal import Record
from memorybank.views.box import Box, Piece, box
from memorybank.views.graph.moment_view import view_of
from memorybank.views.i18n import t
from memorybank.views.run.playback import Playback
from memorybank.views.story import Scene, build_scenes, scene_card, scene_notes, scene_sentence
from memorybank.views.storyboard.graph_shapes import Rect, Shape, frame_of, graph_shapes
from memorybank.views.text.display import columns, plain

WIDTH, HEIGHT = 1280.0, 720.0
"""Of a slide: sixteen to nine. A file scales it to the screen or the page."""
MARGIN, GAP = 48.0, 32.0
TOP, FOOT = 196.0, 40.0
"""Where the graph and the card begin, below the sentence, and what they leave free at the bottom."""
GRAPH_SHARE = 0.56
TEXT_SHARE = 0.4
"""Of the width, the graph's beside a card, and beside one that is read rather than seen."""
MOST_NODES = 400
CARD_LINES, LINE_COLUMNS = 18, 56
"""What a card holds in large type; the parts of a longer one follow on slides of their own."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Slide:
    number: int
    """From 1."""
    kind: str
    """What kind of moment it is, in a word or two."""
    sentence: str
    notes: str
    """What a speaker may say beside it."""
    at: int
    """After so many events."""
    graph: tuple[Shape, ...]
    """Empty: there are no nodes yet."""
    graph_width: float
    graph_height: float
    card: Box | None
    described: str
    """The graph in a sentence, for those who cannot see it."""


def build_slides(
    records: Sequence[Record[Any]], lang: Lang, *, on_progress: Callable[[float], None] = lambda _: None
) -> tuple[Slide, ...]:
    """Raises JournalError for records that contradict each other."""
    playback, scenes = Playback(), build_scenes(records)
    if not scenes:
        return ()
    points = playback.at(records).points.values()
    maker = _Maker(playback, records, frame_of(points) if points else (0.0, 0.0, 1.0, 1.0), lang)
    slides: list[Slide] = []
    for scene in scenes:
        slides += [replace(part, number=len(slides) + place) for place, part in enumerate(maker.parts(scene), start=1)]
        on_progress(scene.seq / len(records))
    return tuple(slides)


@dataclass(frozen=True, slots=True)
class _Maker:
    playback: Playback
    records: Sequence[Record[Any]]
    frame: Rect
    lang: Lang

    def parts(self, scene: Scene) -> Sequence[Slide]:
        """One slide, or several where its card is long."""
        moment, lang = self.playback.at(self.records, scene.seq), self.lang
        view = view_of(moment, None, lang, limit=MOST_NODES)
        lit = {moment.bank.graph.successor(node_id) for node_id in scene.nodes}
        card = scene_card(scene, moment, lang)
        width, height = WIDTH - 2 * MARGIN, HEIGHT - TOP - FOOT
        if card is not None:
            width *= TEXT_SHARE if scene.kind in ("fold", "answer") else GRAPH_SHARE
        first = Slide(
            number=0,
            kind=t(f"storyboard.kind.{scene.kind}", lang),
            sentence=plain(scene_sentence(scene, lang)),
            notes=plain(scene_notes(scene, lang)),
            at=scene.seq,
            graph=graph_shapes(view, lit, self.frame, width, height) if view.nodes else (),
            graph_width=width,
            graph_height=height,
            card=None,
            described=view.description,
        )
        cards = [None] if card is None else split(still(card))
        if len(cards) == 1:
            return [replace(first, card=cards[0])]
        return [
            replace(
                first, kind=f"{first.kind} ({place}/{len(cards)})", card=part, notes=first.notes if place == 1 else ""
            )
            for place, part in enumerate(cards, start=1)
        ]


def still(drawn: Box) -> Box:
    """The box as it stands on a slide: it leads nowhere, for there are no pages behind it, and nothing unfolds."""
    inside = tuple(
        still(piece) if isinstance(piece, Box) else piece
        for piece in drawn.inside
        if not (isinstance(piece, Box) and "leads" in piece.look.split())
    )
    if drawn.tag != "details":
        return replace(drawn, choose="", inside=inside)
    summary, *rest = inside
    assert isinstance(summary, Box)
    looks = drawn.look.split()
    if "answer-point" in looks:  # a value: its trail is the app's
        return box("div", " ".join(("card", *looks[1:])), *summary.inside)
    return box("div", "", box("h3", "", *summary.inside), *rest)


def split(card: Box) -> list[Box]:
    """The card in parts that are fit for a slide, cut between its pieces and between the points of a list."""
    parts: list[list[Piece]] = [[]]
    used = 0
    for piece in _pieces(card):
        lines = _lines(piece)
        if parts[-1] and used + lines > CARD_LINES and not all(map(_is_heading, parts[-1])):
            heading = [parts[-1].pop()] if _is_heading(parts[-1][-1]) else []
            parts.append(heading)
            used = sum(map(_lines, heading))
        parts[-1].append(piece)
        used += lines
    return [replace(card, inside=tuple(part)) for part in parts] if len(parts) > 1 else [card]


def _pieces(drawn: Box) -> Iterator[Piece]:
    """The parts between which a card can be cut."""
    for piece in drawn.inside:
        if isinstance(piece, Box) and piece.tag in ("ul", "ol"):
            yield from (replace(piece, inside=(point,)) for point in piece.inside)
        elif isinstance(piece, Box) and piece.tag == "div" and piece.look in ("", "answer-points"):
            yield from _pieces(piece)
        else:
            yield piece


def _is_heading(piece: Piece) -> bool:
    """Whether it leads to what comes after it."""
    if isinstance(piece, str):
        return piece.rstrip().endswith((":", "："))
    if piece.tag == "h3":
        return True
    inside = piece.inside[:1] if "row" in piece.look.split() else piece.inside[-1:]
    return any(map(_is_heading, inside))


def _lines(piece: Piece) -> int:
    """About so many lines it takes."""
    if isinstance(piece, str):
        return sum(-(-sum(map(columns, line)) // LINE_COLUMNS) for line in piece.split("\n"))
    blocks = [inner for inner in piece.inside if isinstance(inner, Box) and inner.tag in ("p", "div", "ul", "ol", "li")]
    if "fold" in piece.look.split():
        return max((_lines(inner) * 2 for inner in blocks), default=1)
    if "answer-value" in piece.look.split():
        return 2 * sum(map(_lines, piece.inside))
    if blocks:
        return sum(map(_lines, blocks))
    return max(1, sum(map(_lines, piece.inside)))
