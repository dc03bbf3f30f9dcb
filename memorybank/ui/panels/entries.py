"""Raw text as it is stored: entries with the node's pieces marked, where they came from, and their attachments."""

from __future__ import annotations

from pathlib import PurePosixPath

import streamlit as st

from memorybank.errors import MemoryBankError
from memorybank.files.formal import FormalStore
from memorybank.tools.deep_retrieval import DeepEntry
from memorybank.types import Attachment, AttachmentType, Entry, Lang, Span
from memorybank.ui.i18n import t
from memorybank.ui.panels.problems import draw_error
from memorybank.ui.quantities import format_bytes
from memorybank.ui.rich import Box, Piece, box, chip, draw

LONGEST = 20_000
"""Characters of an entry shown at once."""
AROUND = 1_500
"""Characters shown before the first marked piece of a long entry."""
CODE_LONGEST = 100_000

_LANGUAGES = {
    "py": "python", "js": "javascript", "ts": "typescript", "java": "java", "c": "c", "h": "c", "cpp": "cpp",
    "go": "go", "rs": "rust", "sh": "bash", "sql": "sql", "json": "json", "yaml": "yaml", "yml": "yaml", "toml": "toml",
}  # fmt: skip


def draw_entry(one: DeepEntry, lang: Lang, *, key: str, whole: bool) -> None:
    """One source of a node: the whole entry with the node's pieces marked, or the pieces alone."""
    pieces = _whole(one.entry, one.spans, lang) if whole else (one.text,)
    owns_all = any(_is_whole(span, one.entry) for span in one.spans)
    note = box("span", "muted small", t("tree.owns_all", lang)) if owns_all else None
    draw([entry_head(one.entry, lang, note), box("p", "raw tall", *pieces)], key=key)


def _is_whole(span: Span, entry: Entry) -> bool:
    """All of the entry, but for the line that cites its attachment."""
    return not entry.text[span.end :].strip() and (span.start == 0 or "\n" not in entry.text[: span.start - 1])


def entry_head(entry: Entry, lang: Lang, note: Box | None = None) -> Box:
    return box(
        "div",
        "row",
        chip(t(f"entry.kind.{entry.kind}", lang), "node"),
        box("span", "strong text", entry.source),
        box("span", "muted small", t("tree.entry_size", lang, count=len(entry.text))),
        box("span", "muted small mono", entry.id),
        note,
    )


def _whole(entry: Entry, spans: tuple[Span, ...], lang: Lang) -> tuple[Piece, ...]:
    """The text cut at the marks. Of a very long entry, the part around the first mark, and a word about the rest."""
    first = max(0, spans[0].start - AROUND) if spans and len(entry.text) > LONGEST else 0
    last = min(len(entry.text), first + LONGEST)
    pieces: list[Piece] = ["… "] if first else []
    at = first
    for span in spans:
        start, end = max(at, span.start), min(span.end, last)
        if start >= end or _is_whole(span, entry):  # a mark on everything marks nothing
            continue
        pieces += [entry.text[at:start], box("mark", "span", entry.text[start:end])]
        at = end
    pieces.append(entry.text[at:last])
    if last < len(entry.text) or first:
        part = t("tree.part", lang, start=first, end=last, total=len(entry.text))
        pieces.append(box("span", "muted small", f"\n{part}"))
    return tuple(pieces)


def draw_attachment(attachment: Attachment, store: FormalStore, lang: Lang, *, key: str) -> None:
    """An image as a picture, code as code, anything else to download; from the store's bytes, checked by their hash."""
    with st.container(border=True):
        draw(
            [
                box(
                    "div",
                    "row",
                    chip(t(f"attachment.type.{attachment.type}", lang), "node"),
                    box("span", "strong text", attachment.name),
                    box("span", "muted small", format_bytes(attachment.size, lang)),
                ),
                box("p", "muted small mono", f"SHA-256 {attachment.sha256}"),
            ],
            key=f"{key}-head",
        )
        try:
            data = store.read(attachment.path)
        except MemoryBankError as error:
            draw_error(error, lang, key=f"{key}-problem")
            return
        _draw_content(attachment, data)
        st.download_button(
            t("action.download", lang),
            data,
            file_name=attachment.name,
            mime="application/octet-stream",
            key=f"{key}-download",
            icon=":material/download:",
            on_click="ignore",
        )


def _draw_content(attachment: Attachment, data: bytes) -> None:
    if attachment.type is AttachmentType.IMAGE:
        st.image(data, width="content", alt=attachment.name)
    elif attachment.type is AttachmentType.CODE:
        suffix = PurePosixPath(attachment.name).suffix.lower().removeprefix(".")
        st.code(data[:CODE_LONGEST].decode("utf-8", "replace"), language=_LANGUAGES.get(suffix), line_numbers=True)
