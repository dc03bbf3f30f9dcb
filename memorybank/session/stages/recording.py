"""record: the raw entry first, whatever becomes of it later. Also `receive`: what a caller brings in."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from memorybank.language.text import encodable, sha256
from memorybank.memory.bank import Draft
from memorybank.memory.events import AttachmentStored, EntryRecorded, FilingQueued
from memorybank.memory.types import Attachment, AttachmentId, Entry, EntryId, EntryKind, Lang, Span, Value
from memorybank.prompts import say
from memorybank.tools.base import Original


@dataclass(frozen=True, slots=True, kw_only=True)
class Source(Value):
    """A text from outside, ready to be recorded."""

    name: str
    text: str
    kind: EntryKind
    original: Original | None = None
    tool_call: str = ""

    def __post_init__(self) -> None:
        """Replaces characters that no journal can hold."""
        object.__setattr__(self, "name", encodable(self.name))
        object.__setattr__(self, "text", encodable(self.text))


def record(draft: Draft, source: Source, lang: Lang) -> EntryId:
    """The source's entry: a new one, or the first with the same text. An original becomes a cited attachment."""
    digest = sha256(source.text)
    known = draft.state.tree.by_content.get(digest)
    if known is not None:
        return known
    attachments: tuple[AttachmentId, ...] = ()
    head = ""
    if source.original is not None:
        attachment = _attach(draft, source.original)
        attachments = (attachment.id,)
        head = f"{say('attachment_line', lang, id=attachment.id, name=attachment.name)}\n"
    entry = Entry(
        id=draft.new_entry(),
        kind=source.kind,
        text=head + source.text,
        body_start=len(head),
        source=source.name,
        sha256=digest,
        tool_calls=(source.tool_call,) if source.tool_call else (),
        attachments=attachments,
    )
    draft.emit(EntryRecorded(entry=entry))
    return entry.id


def _attach(draft: Draft, original: Original) -> Attachment:
    """Stores one attachment for each content: the same file under another name is not kept twice."""
    for attachment in draft.state.tree.attachments.values():
        if attachment.sha256 == original.sha256:
            return attachment
    attachment = Attachment(
        id=draft.new_attachment(),
        type=original.type,
        name=original.name,
        path=original.path,
        sha256=original.sha256,
        size=original.size,
        media_type=original.media_type,
    )
    draft.emit(AttachmentStored(attachment=attachment))
    return attachment


def queue(draft: Draft, entry_ids: Iterable[EntryId]) -> None:
    """Queue for filing what no node has taken and what does not wait already."""
    tree = draft.state.tree
    busy = {span.entry_id for spans in tree.spans.values() for span in spans}
    busy |= {span.entry_id for span in draft.state.progress.queue}
    busy |= {span.entry_id for cluster in draft.state.progress.clusters for span in cluster.spans}
    entries = [tree.entries[entry_id] for entry_id in dict.fromkeys(entry_ids) if entry_id not in busy]
    waiting = tuple(Span(entry_id=entry.id, start=entry.body_start, end=len(entry.text)) for entry in entries)
    if waiting:
        draft.emit(FilingQueued(spans=waiting))


def receive(draft: Draft, sources: Sequence[Source], lang: Lang) -> tuple[EntryId, ...]:
    """Record what a caller brought and queue it for filing."""
    entry_ids = tuple(record(draft, source, lang) for source in sources)
    queue(draft, entry_ids)
    return entry_ids
