"""Raw text as it is stored: entries with the nodes' pieces marked, where they came from, and their attachments."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import PurePosixPath

import streamlit as st

from memorybank.errors import MemoryBankError
from memorybank.memory.types import Attachment, AttachmentType, Entry, Lang, NodeId, Span
from memorybank.runs.files.formal import FormalStore
from memorybank.ui.components.rich import draw
from memorybank.ui.shell.problems import draw_error
from memorybank.views.box import Box, Piece, aside, box, chip, note, row_of
from memorybank.views.i18n import t
from memorybank.views.link import link
from memorybank.views.text.display import clip
from memorybank.views.text.passages import Page, address, opening, owns_all, page_at, segments
from memorybank.views.text.quantities import format_bytes

PART = 1_600
"""Characters of an entry shown at once in a node's list of entries; an entry by itself shows a page."""
MOST_CITED = 3
"""Nodes named behind a marked piece."""
CODE_LONGEST = 100_000

_LANGUAGES = {
    "py": "python", "js": "javascript", "ts": "typescript", "java": "java", "c": "c", "h": "c", "cpp": "cpp",
    "go": "go", "rs": "rust", "sh": "bash", "sql": "sql", "json": "json", "yaml": "yaml", "yml": "yaml", "toml": "toml",
}  # fmt: skip


def entry_head(entry: Entry, lang: Lang, note: Box | None = None) -> Box:
    return row_of(
        chip(t(f"entry.kind.{entry.kind}", lang), "node"),
        box("span", "strong text", entry.source),
        aside(characters(len(entry.text), lang)),
        box("span", "muted small mono", entry.id),
        note,
    )


def characters(count: int, lang: Lang) -> str:
    return t("tree.characters", lang, count=count, number=f"{count:,}")


def entry_part(entry: Entry, spans: tuple[Span, ...], lang: Lang, *, whole: bool) -> list[Box]:
    """One source of a node: the entry from the node's first piece on, all its pieces marked, or the pieces alone."""
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
    """The pieces alone, in order, each as far as it adds to the one before; cut where they are long."""
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
    """A page of an entry with the nodes' pieces marked; behind each, the nodes that are named in `topics`."""
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
    """Which part is shown, of an entry that is not shown whole."""
    if page.previous is None and page.next is None:
        return None
    return box("span", "muted", part_line(entry, page, lang))


def part_line(entry: Entry, page: Page, lang: Lang) -> str:
    """`characters 1 to 8,000 of 20,000`: counted from 1, as people do."""
    return t("tree.part_of", lang, start=f"{page.start + 1:,}", end=f"{page.end:,}", total=f"{len(entry.text):,}")


def attachment_head(attachment: Attachment, lang: Lang, *more: Box) -> tuple[Box, ...]:
    """Kind, name and size in a row, with what is said besides; where it was met; and the hash of its bytes."""
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


def draw_attachment(attachment: Attachment, store: FormalStore, lang: Lang, *, key: str) -> None:
    """An image as a picture, code as code, anything else to download; from the store's bytes, checked by their hash."""
    with st.container(border=True):
        draw(
            *attachment_head(attachment, lang, box("span", "muted small mono", attachment.id)),
            *_about(attachment, lang),
            key=f"{key}-head",
        )
        try:
            data = store.read(attachment.path)
        except MemoryBankError as error:
            draw_error(error, lang, key=f"{key}-problem")
            return
        _draw_content(attachment, data, lang, key=key)
        st.download_button(
            t("action.download", lang),
            data,
            file_name=attachment.name,
            mime="application/octet-stream",
            key=f"{key}-download",
            icon=":material/download:",
            on_click="ignore",
        )


def _about(attachment: Attachment, lang: Lang) -> list[Box]:
    """What the entry's text is to the original."""
    if attachment.type is AttachmentType.CODE:
        return []
    words = "tree.read_from_image" if attachment.type is AttachmentType.IMAGE else "tree.read_from_document"
    return [note(t(words, lang))]


def _draw_content(attachment: Attachment, data: bytes, lang: Lang, *, key: str) -> None:
    if attachment.type is AttachmentType.IMAGE:
        st.image(data, width="content", alt=clip(attachment.name, 120))
    elif attachment.type is AttachmentType.CODE:
        suffix = PurePosixPath(attachment.name).suffix.lower().removeprefix(".")
        st.code(data[:CODE_LONGEST].decode("utf-8", "replace"), language=_LANGUAGES.get(suffix), line_numbers=True)
        if len(data) > CODE_LONGEST:
            shown = t(
                "tree.code_cut", lang, shown=format_bytes(CODE_LONGEST, lang), total=format_bytes(len(data), lang)
            )
            draw(note(shown), key=f"{key}-cut")
