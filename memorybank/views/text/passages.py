"""Words have places in the raw text, and a long text is shown by passages, pages, and the spans that nodes own."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal, NamedTuple

from memorybank.language import quotation
from memorybank.language.text import fold_space, form_and_places, sha256
from memorybank.memory.layers.interaction_tree import InteractionTree
from memorybank.memory.types import Claim, Entry, EntryId, Evidence, NodeId, Span

AROUND = 180
"""The characters shown before and after a claim."""
PAGE = 6_000
"""The most characters of an entry shown at once."""
SLACK = 200
"""The characters that a page may be shorter, so that it ends between two words."""
LEAD = 240
"""The characters shown before the place that a text is opened at."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Passage:
    """A piece of an entry around what was looked for; `entry.text[start:end]` is `found`."""

    entry: Entry
    start: int
    end: int
    before: str
    match: str
    after: str
    cut_before: bool
    cut_after: bool


def find(text: str, wanted: str, start: int = 0, end: int | None = None) -> tuple[int, int] | None:
    """Return the place of `wanted` in `text[start:end]`, in one form and with any white space taken as one space."""
    words = fold_space(wanted).split()
    if not words:
        return None
    form, places = form_and_places(text)
    first, last = (bisect_left(places, at) for at in (start, len(text) if end is None else end))
    match = re.compile(r"\s+".join(map(re.escape, words))).search(form, first, last)
    return (places[match.start()], places[match.end() - 1] + 1) if match else None


def passage(entry: Entry, start: int, end: int) -> Passage:
    first, last = max(0, start - AROUND), min(len(entry.text), end + AROUND)
    return Passage(
        entry=entry,
        start=start,
        end=end,
        before=entry.text[first:start],
        match=entry.text[start:end],
        after=entry.text[end:last],
        cut_before=first > 0,
        cut_after=last < len(entry.text),
    )


Weight = Literal["counted", "own", "repeats", "silent", "no_source", "not_there", "party", "copy"]
"""`counted`: an independent source. `own`: the source that the claim of its side stands in. `repeats`: neither. The
last four: stated as an independent source, and refused for that reason."""


def weight_of(evidence: Evidence, sides: Mapping[str, Sequence[Claim]]) -> Weight:
    """Say why a piece of evidence counts or not. `sides`: the claims of left and right."""
    if evidence.refused:
        return evidence.refused
    if evidence.supports == "neither":
        return "silent"
    if evidence.independent:
        return "counted"
    quote = " ".join(evidence.quote.split())
    own = any(quote and quote == " ".join(claim.text.split()) for claim in sides.get(evidence.supports, ()))
    return "own" if own else "repeats"


def place_of(tree: InteractionTree, evidence: Evidence) -> Span | None:
    """Return the place of a quote in the tree; None when its source is not there, or does not say it."""
    entry = tree.entries.get(evidence.entry_id) if evidence.entry_id else None
    at = quotation.place(entry.text, evidence.quote) if entry else None
    return Span(entry_id=entry.id, start=at[0], end=at[1]) if entry and at else None


_ADDRESS_RE = re.compile(r"(?P<id>[^@]+)(?:@(?P<start>\d{1,12})-(?P<end>\d{1,12}))?")


class Address(NamedTuple):
    id: str
    start: int = 0
    end: int = 0
    """Nothing is pointed at when it equals `start`."""


def address(id_: str, start: int = 0, end: int = 0) -> str:
    """Return the id of a place in an entry, or in a memory's wording, for a link: `e6`, or `e6@31-108`."""
    return f"{id_}@{start}-{end}" if end > start else id_


def read_address(text: str) -> Address:
    """Read a link; it may name an entry that is not there, or a place beyond its end."""
    match = _ADDRESS_RE.fullmatch(text)
    if match is None or match["start"] is None:
        return Address(match["id"] if match else text)
    return Address(match["id"], int(match["start"]), int(match["end"]))


class Page(NamedTuple):
    """A page `text[start:end]`, and where the pages beside it begin; None at either end of the text."""

    start: int
    end: int
    previous: int | None
    next: int | None


def page_at(text: str, start: int, size: int = PAGE) -> Page:
    """Return the page that begins at `start`. It ends between two words, and going on or back leaves nothing out."""
    start = max(0, min(start, max(0, len(text) - 1)))
    end = min(len(text), start + size)
    if end < len(text):
        line, word = text.rfind("\n", end - SLACK, end), text.rfind(" ", end - SLACK, end)
        end = 1 + line if line >= 0 else 1 + word if word >= 0 else end
    return Page(start, end, max(0, start - size + SLACK) if start else None, end if end < len(text) else None)


def opening(text: str, place: int, size: int = PAGE) -> int:
    """Return the start of the page that shows a place near its top. A text of one page begins at its beginning."""
    if len(text) <= size or place <= LEAD:
        return 0
    first = min(place, len(text)) - LEAD
    line, word = text.find("\n", first, place), text.find(" ", first, place)
    return 1 + (line if line >= 0 else word if word >= 0 else first - 1)


class Owned(NamedTuple):
    """`text[start:end]` and the nodes that stand on all of it, oldest first; none: no node does."""

    start: int
    end: int
    owners: tuple[NodeId, ...]
    pointed: bool = False
    """Whether a link pointed at this place."""


def owners(tree: InteractionTree, live: Iterable[NodeId]) -> Mapping[EntryId, tuple[tuple[NodeId, Span], ...]]:
    """Return live nodes and their spans by entry, oldest node first."""
    by_entry: dict[EntryId, list[tuple[NodeId, Span]]] = {}
    for node_id in live:
        for span in tree.spans.get(node_id, ()):
            by_entry.setdefault(span.entry_id, []).append((node_id, span))
    return {entry_id: tuple(spans) for entry_id, spans in by_entry.items()}


def segments(
    spans: Iterable[tuple[NodeId, Span]], start: int, end: int, pointed: tuple[int, int] = (0, 0)
) -> Iterator[Owned]:
    """Cut `text[start:end]` wherever a span, or the place pointed at, begins or ends. Joined, they are all of it."""
    inside = [(node_id, span) for node_id, span in spans if span.start < end and span.end > start]
    cuts = {start, end}
    cuts.update(cut for _, span in inside for cut in (span.start, span.end) if start < cut < end)
    cuts.update(cut for cut in pointed if start < cut < end)
    for first, last in pairwise(sorted(cuts)):
        here = (node_id for node_id, span in inside if span.start <= first and last <= span.end)
        yield Owned(first, last, tuple(dict.fromkeys(here)), pointed[0] <= first and last <= pointed[1])


def owns_all(spans: Iterable[Span], entry: Entry) -> bool:
    """Say whether spans reach over all of an entry, but for a line that cites its attachment."""
    return any(not entry.text[span.end :].strip() and span.start <= entry.body_start for span in spans)


def hash_covers(entry: Entry) -> Literal["all", "body", ""]:
    """Say what an entry's hash covers, worked out anew: all its text, its body below a line that cites an attachment,
    or neither."""
    if sha256(entry.body) != entry.sha256:
        return ""
    return "body" if entry.body_start else "all"


CITATION_RE = re.compile(r"\s*\[(?P<node>n\d+)(?:\s*[:：]\s*(?P<sources>[^\]]*))?\]")
"""The pattern takes the white space before it too."""


def cited(answer: str) -> list[NodeId]:
    """Return the nodes that an answer cites, each once, in the order in which they come."""
    return [NodeId(node_id) for node_id in dict.fromkeys(match["node"] for match in CITATION_RE.finditer(answer))]


def names_of(sources: str) -> list[str]:
    """Return the documents that a citation names behind its memory."""
    return [name.strip() for name in re.split("[,，、]", sources) if name.strip()]


def without_citations(answer: str) -> str:
    return CITATION_RE.sub("", answer)
