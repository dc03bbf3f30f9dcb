"""An entry whole: exactly as stored, page by page, the nodes' spans marked, and where it came from and was used."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial
from pathlib import PurePosixPath

import streamlit as st

from memorybank.errors import MemoryBankError
from memorybank.memory.state import MemoryState
from memorybank.memory.types import Attachment, AttachmentType, Entry, EntryId, Lang, NodeId, Span
from memorybank.runs.files.stores import FormalStore
from memorybank.ui.components.problems import draw_error
from memorybank.ui.components.rich import draw
from memorybank.ui.shell.switch import button
from memorybank.ui.shell.tab import kept, this_tab
from memorybank.views.box import (
    Box,
    aside,
    box,
    chip,
    cut_note,
    facts_of,
    go,
    go_moment,
    gos,
    muted,
    note,
    row_of,
    section,
)
from memorybank.views.boxes.conflict_claims import day, moment_line
from memorybank.views.boxes.conflicts import executor_name, status_chip
from memorybank.views.boxes.entries import attachment_head, characters, marked_text, part_line
from memorybank.views.graph.items import node_label, node_title
from memorybank.views.i18n import t
from memorybank.views.link import link
from memorybank.views.memory.provenance import Provenance, Round
from memorybank.views.run.playback import Moment
from memorybank.views.text.display import clip, format_bytes, task_words
from memorybank.views.text.passages import Address, Page, address, hash_covers, opening, owners, owns_all, page_at

MOST_OWNERS = 12
MOST_ROUNDS = 8
FEW_CALLS, MOST_CALLS = 3, 200
"""The most tool calls shown without being asked for, and the most listed at all."""
MARKABLE = 400
"""The most spans marked on a page: an entry that a thousand nodes stand on is still a text to read."""

Owners = Sequence[tuple[NodeId, Span]]


def open_at(entry: Entry, start: int) -> None:
    """Show the page of an entry that has this place near its top."""
    this_tab().entry_page = (entry.id, opening(entry.text, start))


def draw_entry_whole(
    entry: Entry, place: Address | None, moment: Moment, origins: Provenance, store: FormalStore, lang: Lang
) -> None:
    bank = moment.bank
    standing = owners(bank.tree, bank.graph.nodes).get(entry.id, ())
    draw(
        _about(entry, origins, lang),
        *_nodes(standing, entry, bank, lang),
        *_history(entry, bank, origins, lang),
        key="tree-entry-about",
    )
    _draw_text(entry, place, standing, bank, lang)
    _draw_calls(entry, lang)
    for attachment_id in entry.attachments:
        attachment = bank.tree.attachments.get(attachment_id)
        if attachment is not None:
            draw_attachment(attachment, store, lang, key=f"attachment-{entry.id}-{attachment.id}")


def _about(entry: Entry, origins: Provenance, lang: Lang) -> Box:
    place = origins.recorded.get(entry.id)
    name = ("entry", entry.id, entry.sha256, len(entry.text))
    size, covers = kept(name, lambda: (len(entry.text.encode("utf-8", "surrogatepass")), hash_covers(entry)))
    when = " · ".join(part for part in (day(entry.timestamp), moment_line(place, lang) if place else "") if part)
    return box(
        "div",
        "card spaced node",
        row_of(chip(t(f"entry.kind.{entry.kind}", lang), "node"), box("span", "muted small mono", entry.id)),
        box("p", "head-line text", entry.source),
        facts_of(
            (t("tree.size", lang), f"{characters(len(entry.text), lang)} · {format_bytes(size, lang)}"),
            (t("tree.recorded", lang), when),
            (t("tree.hash", lang), box("span", "mono", entry.sha256)),
            ("", box("span", "small" if covers else "failure small", t(f"tree.hash_of.{covers or 'none'}", lang))),
        ),
        gos(go_moment(place.seq, lang) if place else None),
    )


def _part(words: str, lines: Sequence[Box], *, total: int, lang: Lang) -> Iterable[Box]:
    if lines:
        yield section(
            words, box("ul", "line-list", *(box("li", "", line) for line in lines)), cut_note(len(lines), total, lang)
        )


def _nodes(standing: Owners, entry: Entry, bank: MemoryState, lang: Lang) -> Iterable[Box]:
    """Yield the nodes that stand on the entry, each with its pieces, which lead to their place in the text."""
    spans: dict[NodeId, list[Span]] = {}
    for node_id, span in standing:
        spans.setdefault(node_id, []).append(span)
    lines = [_node(node_id, spans[node_id], entry, bank, lang) for node_id in list(spans)[:MOST_OWNERS]]
    if not lines:
        yield section(t("tree.owners", lang), muted(t("tree.owners_none", lang)))
    yield from _part(t("tree.owners", lang), lines, total=len(spans), lang=lang)


def _node(node_id: NodeId, spans: Sequence[Span], entry: Entry, bank: MemoryState, lang: Lang) -> Box:
    node = bank.graph.nodes[node_id]
    label = go(node_title(node, lang), link("tree", node_id))
    name = box("span", "muted small mono", node_id)
    if owns_all(spans, entry):
        return row_of(label, name, aside(t("tree.owns_all", lang)))
    places = [
        go(f"{span.start + 1:,}–{span.end:,}", link("entry", address(entry.id, span.start, span.end)))
        for span in sorted(spans, key=lambda span: span.start)[:6]
    ]
    more = box("span", "muted", t("tree.more_places", lang, count=len(spans) - 6)) if len(spans) > 6 else None
    return row_of(label, name, box("span", "leads-row", box("span", "muted", t("tree.at", lang)), *places, more))


def _history(entry: Entry, bank: MemoryState, origins: Provenance, lang: Lang) -> Iterable[Box]:
    """Yield the rounds that read the entry and the conflicts it was evidence in."""
    made = origins.records.get(entry.id)
    if made is not None:
        yield from _part(t("tree.record_of", lang), [_round(made, lang)], total=1, lang=lang)
    read = origins.read.get(entry.id, ())
    yield from _part(
        t("tree.read_in", lang), [_round(round_, lang) for round_ in read[:MOST_ROUNDS]], total=len(read), lang=lang
    )
    conflicts = [
        row_of(status_chip(conflict.status, lang), go(clip(conflict.description, 140), link("conflict", conflict.id)))
        for conflict in bank.conflicts.all.values()
        if any(evidence.entry_id == entry.id for evidence in conflict.evidence)
    ]
    yield from _part(t("tree.evidence_in", lang), conflicts[:MOST_ROUNDS], total=len(conflicts), lang=lang)


def _round(round_: Round, lang: Lang) -> Box:
    return row_of(
        go(moment_line(round_.place, lang), link("moment", round_.place.seq)),
        go(t("conflicts.go_prompt", lang), link("prompt", round_.prompt)) if round_.prompt else None,
        aside(executor_name(round_.executor, lang)),
        box("span", "small text", clip(task_words(round_.task, lang), 120)) if round_.task else None,
    )


def _draw_calls(entry: Entry, lang: Lang) -> None:
    """Draw the tool calls that led to the entry; of a transcript there may be many."""
    calls = entry.tool_calls
    if not calls:
        return
    with st.expander(t("tree.calls", lang, count=len(calls)), expanded=len(calls) <= FEW_CALLS, key="tree-calls"):
        cut = cut_note(MOST_CALLS, len(calls), lang)
        draw(
            *(box("p", "mono text", clip(line, 300)) for line in calls[:MOST_CALLS]),
            *([cut] if cut else []),
            key="tree-calls-list",
        )


def _draw_text(entry: Entry, place: Address | None, standing: Owners, bank: MemoryState, lang: Lang) -> None:
    page = _page(entry, place)
    parts: dict[NodeId, list[Span]] = {}
    for node_id, span in standing:
        parts.setdefault(node_id, []).append(span)
    whole = {node_id for node_id, spans in parts.items() if owns_all(spans, entry)}
    marked = [(node_id, span) for node_id, span in standing if node_id not in whole]
    marked = [mark for mark in marked if mark[1].start < page.end and mark[1].end > page.start][:MARKABLE]
    topics = {node_id: node_label(bank.graph.nodes[node_id], lang) for node_id, _ in marked}
    pointed = (place.start, min(place.end, len(entry.text))) if place and place.id == entry.id else (0, 0)
    st.subheader(t("tree.text", lang), anchor=False)
    long = page.previous is not None or page.next is not None
    if long:
        _draw_pager(entry, page, lang, key="tree-page-top")
    pieces = marked_text(entry, tuple(marked), page, topics, lang, pointed)
    words = t("tree.marks", lang) if marked else t("tree.as_stored", lang)
    draw(
        note(words), box("p", "raw", *pieces) if entry.text else muted(t("tree.no_text", lang)), key=f"text-{entry.id}"
    )
    if long:
        _draw_pager(entry, page, lang, key="tree-page")


def _page(entry: Entry, place: Address | None) -> Page:
    kept_id, start = this_tab().entry_page
    if kept_id != entry.id:
        pointed = place.start if place and place.id == entry.id else 0
        start = opening(entry.text, pointed)
    return page_at(entry.text, start)


def _draw_pager(entry: Entry, page: Page, lang: Lang, *, key: str) -> None:
    steps = (
        ("first", "first_page", 0 if page.previous is not None else None),
        ("previous", "chevron_left", page.previous),
        ("next", "chevron_right", page.next),
    )
    with st.container(horizontal=True, vertical_alignment="center", key=key):
        draw(muted(part_line(entry, page, lang)), key=f"{key}-part")
        for name, icon, start in steps:
            button(
                t(f"tree.page_{name}", lang),
                f"{key}-{name}",
                partial(_turn, entry.id, start),
                icon=icon,
                disabled=start is None,
            )


def _turn(entry_id: EntryId, start: int | None) -> None:
    this_tab().entry_page = (entry_id, start or 0)


CODE_LONGEST = 20_000
"""The most bytes of code that are shown: the browser colours every word of it."""

_LANGUAGES = {
    "py": "python", "js": "javascript", "ts": "typescript", "java": "java", "c": "c", "h": "c", "cpp": "cpp",
    "go": "go", "rs": "rust", "sh": "bash", "sql": "sql", "json": "json", "yaml": "yaml", "yml": "yaml", "toml": "toml",
}  # fmt: skip


def draw_attachment(attachment: Attachment, store: FormalStore, lang: Lang, *, key: str) -> None:
    """Draw an image as a picture, code as code, else a download; from the store's bytes, checked by their hash."""
    with st.container(border=True):
        draw(
            *attachment_head(attachment, lang, box("span", "muted small mono", attachment.id)),
            *_attached(attachment, lang),
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


def _attached(attachment: Attachment, lang: Lang) -> list[Box]:
    """Say how the entry's text was made from the original."""
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
