"""The quotable parts of a text: its sentences, each with its place, so that neighbours can be quoted as one run."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from memorybank.engines.offline.statements import pieces
from memorybank.engines.offline.units import PRONOUN_RE, width
from memorybank.language.text import TURN_RE, fold_space, form_and_places
from memorybank.language.tokens import tokenize
from memorybank.memory.types import NodeId, Span

SHORTEST = 12
"""Characters, Han characters counted twice; a shorter sentence (a label) says nothing that could be quoted."""

_MARK_RE = re.compile(r"\s*(?:[-*•>]\s+|\d{1,2}[.)、]\s*(?=\D))?")
_TITLE_RE = re.compile(r"^[#\s]+|\s*#+\s*$|\n\s*[=-]+\s*$")


@dataclass(frozen=True, slots=True, kw_only=True)
class Passage:
    source: str
    text: str
    node_id: NodeId | None = None
    """The memory that it is quoted from; None: it comes straight from its source."""
    place: Span | None = None
    """The place of its text in the raw text; None: it is the memory's own wording, or is not filed."""
    left_out: frozenset[str] = frozenset()
    """Sentences, their space folded, that are not to be quoted."""
    weight: float = 1.0
    """The factor on the scores of its sentences, beside those of other passages."""

    places: Sequence[int] = field(init=False, repr=False)
    """The place of each character of the text before it was brought to one form."""

    def __post_init__(self) -> None:
        """Brings the text to one form."""
        text, places = form_and_places(self.text)
        object.__setattr__(self, "text", text)
        object.__setattr__(self, "places", places)

    def span(self, start: int, end: int) -> Span | None:
        """Return the place of `text[start:end]` in the raw text; None where the passage has none."""
        at, first, last = self.place, self.places[start], self.places[end]
        return at and Span(entry_id=at.entry_id, start=at.start + first, end=at.start + last)


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """A sentence that may be quoted, from passage number `passage`."""

    passage: int
    run: int
    """Lines with the same number follow one another in the text with nothing between but space and marks of a list."""
    gap: str
    """The separator from the line before it in one quote: a space, or nothing."""
    start: int
    end: int
    """The line stands from `start` to `end` in the text of its passage."""
    text: str
    """Verbatim but for white space, without the mark of a list."""
    said: str
    """The same without the head of a turn."""
    words: frozenset[str]
    title: str
    """The heading it stands under."""
    title_words: frozenset[str]
    """The words of the heading, and of the lead-in of the list it stands in."""
    weight: float
    """The weight of its passage."""
    leans: bool
    """Begins with "it" or the like: what that is, the sentence before says."""
    is_turn: bool
    """Begins with who said it, and when: the same speaker may say otherwise later, in other words."""

    @property
    def size(self) -> int:
        return width(self.text)

    @property
    def stands_alone(self) -> bool:
        """Whether it says something by itself: no label, no lead-in."""
        return self.size >= SHORTEST and not self.text.endswith((":", "："))


def lines(passages: Sequence[Passage]) -> list[Line]:
    """Return all sentences that may be quoted, in the order of the passages. Headings, tables and code are not."""
    collected: list[Line] = []
    for number, passage in enumerate(passages):
        collected += _lines(passage, number, 1 + (collected[-1].run if collected else 0))
    return collected


def _lines(passage: Passage, number: int, run: int) -> Iterator[Line]:
    title, lead = "", ""
    for (start, end), kind in pieces(passage.text):
        if kind in ("heading", "table", "code"):
            run += 1
            title = fold_space(_TITLE_RE.sub(" ", passage.text[start:end])) if kind == "heading" else title
            continue
        mark = _MARK_RE.match(passage.text, start, end)
        lead = lead if kind == "list" or (mark and mark[0].strip()) else ""
        start = mark.end() if mark else start
        text = fold_space(passage.text[start:end])
        if text in passage.left_out:
            run += 1
        elif text:
            turn = TURN_RE.match(text)
            timed = turn is not None and any(map(str.isdigit, turn["before"] or turn["time"] or turn["at"] or ""))
            yield Line(
                passage=number, run=run, start=start, end=end, text=text, title=title, weight=passage.weight,
                gap=" " if passage.text[start - 1 : start].isspace() else "", words=frozenset(tokenize(text)),
                title_words=frozenset(tokenize(f"{title}\n{lead}")), leans=bool(PRONOUN_RE.match(text)),
                said=text[turn.end() :] if timed and turn else text, is_turn=timed,
            )  # fmt: skip
        if text.endswith((":", "：")):
            lead = text
