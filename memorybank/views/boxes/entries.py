"""Raw text as it is stored: entries with the nodes' pieces marked, where they came from, and their attachments."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from memorybank.memory.types import Attachment, Entry, Lang, NodeId, Span
from memorybank.views.box import Box, Piece, aside, box, chip, go, row_of
from memorybank.views.i18n import t
from memorybank.views.link import link
from memorybank.views.text.display import format_bytes
from memorybank.views.text.passages import Page, Passage, address, opening, owns_all, page_at, segments

PART = 1_600
"""The most characters of an entry shown at once in a node's list of entries; an entry by itself shows a page."""
MOST_CITED = 3
"""The most nodes named behind a marked piece."""


def entry_head(entry: Entry, lang: Lang, note: Box | None = None) -> Box:
    return row_of(
        chip(t(f"entry.kind.{entry.kind}", lang), "node"),
        box("span", "strong text", entry.source),
        aside(characters(len(entry.text), lang)),
        box("span", "muted small mono", entry.id),
        note,
    )


def quoted_passage(found: Passage, *more: Box) -> Box:
    """Return a passage of an entry, what was looked for marked in it, and the way to the entry."""
    entry, ends = found.entry, ("…" if found.cut_before else None, "…" if found.cut_after else None)
    return box(
        "div",
        "",
        row_of(go(entry.source, link("entry", address(entry.id, found.start, found.end))), *more),
        box("p", "raw", ends[0], found.before, box("mark", "span", found.match), found.after, ends[1]),
    )


def characters(count: int, lang: Lang) -> str:
    return t("tree.characters", lang, count=count, number=f"{count:,}")


def entry_part(entry: Entry, spans: tuple[Span, ...], lang: Lang, *, whole: bool) -> list[Box]:
    """Return one source of a node: the entry from the node's first piece on, pieces marked, or the pieces alone."""
    first = spans[0] if spans else Span(entry_id=entry.id, start=0, end=0)
    all_of_it = owns_all(spans, entry)
    place = address(entry.id) if all_of_it else address(entry.id, first.start, first.end)
    marked = () if all_of_it else tuple((NodeId(""), span) for span in spans)
    page = page_at(entry.text, opening(entry.text, first.start, PART), PART)
    note = aside(t("tree.owns_all", lang)) if all_of_it else None
    pieces = marked_text(entry, marked, page, {}, lang) if whole or all_of_it else _pieces(entry, spans)
    cut = _cut(entry, page, lang) if whole or all_of_it else None
    return [
        entry_head(entry, lang, note),
        box("p", "raw", *pieces),
        box("div", "row small", cut, box("span", "leads", t("tree.open_entry", lang), choose=link("entry", place))),
    ]


def _pieces(entry: Entry, spans: tuple[Span, ...]) -> list[Piece]:
    """Return the pieces alone, in order, each as far as it adds to the one before; cut where they are long."""
    pieces: list[Piece] = []
    at, left = 0, PART
    for span in spans:
        start, end = max(at, span.start), min(span.end, max(at, span.start) + left)
        if start >= end:
            continue
        pieces += ["\n…\n"] if pieces and start > at else []
        pieces.append(entry.text[start:end])
        at, left = end, left - (end - start)
    return [*pieces, "…"] if not left else pieces


def marked_text(
    entry: Entry,
    spans: tuple[tuple[NodeId, Span], ...],
    page: Page,
    topics: Mapping[NodeId, str],
    lang: Lang,
    pointed: tuple[int, int] = (0, 0),
) -> list[Piece]:
    """Return a page of an entry, the nodes' pieces marked; behind each, the nodes that are named in `topics`."""
    pieces: list[Piece] = []
    ends = {span.end for _, span in spans} | {page.end}
    for segment in segments(spans, page.start, page.end, pointed):
        text = entry.text[segment.start : segment.end]
        if not segment.owners and not segment.pointed:
            pieces.append(text)
            continue
        body = text.rstrip()  # the names stand behind the last word, not on the line below it
        pieces.append(box("mark", "span here" if segment.pointed else "span", body))
        if segment.end in ends:
            pieces += _names([node_id for node_id in segment.owners if node_id in topics], topics, lang)
        pieces.append(text[len(body) :])
    return pieces


def _names(node_ids: Sequence[NodeId], topics: Mapping[NodeId, str], lang: Lang) -> Iterable[Box]:
    for node_id in node_ids[:MOST_CITED]:
        yield box("span", "cite", node_id, title=topics[node_id], choose=link("tree", node_id))
    if len(node_ids) > MOST_CITED:
        words = t("tree.more_owners", lang, count=len(node_ids) - MOST_CITED)
        yield box("span", "cite", words, title="\n".join(node_ids[MOST_CITED:]))


def _cut(entry: Entry, page: Page, lang: Lang) -> Box | None:
    """Say which part is shown of an entry that is not shown whole."""
    if page.previous is None and page.next is None:
        return None
    return box("span", "muted", part_line(entry, page, lang))


def part_line(entry: Entry, page: Page, lang: Lang) -> str:
    """Say which characters are shown, counted from 1, as people do: `characters 1 to 8,000 of 20,000`."""
    return t("tree.part", lang, start=f"{page.start + 1:,}", end=f"{page.end:,}", total=f"{len(entry.text):,}")


def attachment_head(attachment: Attachment, lang: Lang, *more: Box) -> tuple[Box, ...]:
    """Return kind, name and size in a row, with what is said besides; where it was met; the hash of its bytes."""
    row = row_of(
        chip(t(f"attachment.type.{attachment.type}", lang), "node"),
        box("span", "strong text", attachment.name),
        aside(format_bytes(attachment.size, lang)),
        *more,
    )
    digest = box("p", "muted small mono", f"SHA-256 {attachment.sha256}")
    if not attachment.found_in:
        return row, digest
    return row, box("p", "muted small text", t("attachment.found_in", lang, source=attachment.found_in)), digest
