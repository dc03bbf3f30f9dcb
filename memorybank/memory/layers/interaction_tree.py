"""Interaction Tree: the raw record, read-only. Entries are never changed or removed; nodes own spans of them.

A merge unites the spans of its sources on the new node and adds a `MergeEvent`; undoing it marks that event and gives
the sources their own spans back. What a validation read is kept apart: a node leads to it and does not stand on it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from memorybank.errors import JournalError
from memorybank.memory import events
from memorybank.memory.bounds import is_numbered
from memorybank.memory.layers import Copyable
from memorybank.memory.types import (
    Attachment,
    AttachmentId,
    AttachmentType,
    Entry,
    EntryId,
    ImageId,
    MergeEvent,
    MergeEventId,
    NodeId,
    Span,
    StagedImage,
)


@dataclass(slots=True)
class InteractionTree(Copyable):
    entries: dict[EntryId, Entry] = field(default_factory=dict)
    attachments: dict[AttachmentId, Attachment] = field(default_factory=dict)
    spans: dict[NodeId, tuple[Span, ...]] = field(default_factory=dict)
    """Maps a node (merged-away ones included) to the pieces of raw text that it stands on."""
    validations: dict[NodeId, tuple[Span, ...]] = field(default_factory=dict)
    """Maps a node to what the validations of its conflicts read and answered: evidence, never where it comes from."""
    merge_events: dict[MergeEventId, MergeEvent] = field(default_factory=dict)
    staged: dict[ImageId, StagedImage] = field(default_factory=dict)
    """Images that wait for recognition; not part of the tree until then."""
    recognised: dict[ImageId, EntryId] = field(default_factory=dict)
    """Maps an image that was read to the entry of its text."""
    images: int = 0
    """The number of images ever staged: the last id's number."""
    by_content: dict[str, EntryId] = field(default_factory=dict)
    """Maps a text's hash to its first entry: a source that is read again is recognised by it."""

    # -- reading ------------------------------------------------------------------------------------------------------

    def text(self, span: Span) -> str:
        return self.entries[span.entry_id].text[span.start : span.end]

    def entries_of(self, node_id: NodeId) -> tuple[EntryId, ...]:
        """Return the entries that a node stands on, each once, in the order of its spans."""
        return tuple(dict.fromkeys(span.entry_id for span in self.spans.get(node_id, ())))

    def sources_of(self, node_id: NodeId) -> tuple[str, ...]:
        """Return the names of what a node stands on, each once, conclusions last."""
        entries = [self.entries[entry_id] for entry_id in self.entries_of(node_id)]
        return tuple(dict.fromkeys(entry.source for entry in sorted(entries, key=lambda entry: entry.kind == "answer")))

    def images_known(self) -> list[tuple[str, str]]:
        """Return the content hash and origin (`StagedImage.found_in`) of each image that waits or is filed."""
        waiting = [(image.sha256, image.found_in) for image in self.staged.values()]
        filed = [attachment for attachment in self.attachments.values() if attachment.type is AttachmentType.IMAGE]
        return waiting + [(image.sha256, image.found_in) for image in filed]

    def unfiled(self, queued: Iterable[Span] = (), live: Iterable[NodeId] | None = None) -> tuple[EntryId, ...]:
        """Return source entries no node took and that await no filing. Transcripts and answers are no sources."""
        taken = {span.entry_id for span in queued}
        for node_id in self.spans if live is None else live:
            taken.update(span.entry_id for span in self.spans.get(node_id, ()))
        return tuple(entry.id for entry in self.entries.values() if entry.id not in taken and entry.is_source)

    # -- events -------------------------------------------------------------------------------------------------------

    def apply(self, event: events.Fact, at: float) -> None:
        match event:
            case events.EntryRecorded():
                self._record(replace(event.entry, timestamp=at))
            case events.AttachmentStored():
                self._store(event.attachment)
            case events.ImageStaged():
                if event.image.id in self.staged or not is_numbered(event.image.id, "i"):
                    raise JournalError("fold.bad_image", id=event.image.id[:20])
                self.staged[event.image.id] = event.image
                self.images += 1
            case events.ImageRecognised():
                self.staged.pop(event.image_id, None)
                if event.entry_id is not None:
                    self.recognised[event.image_id] = event.entry_id
            case events.NodeCreated():
                self._own(event.node_id, event.spans)
            case events.NodesMerged():
                self._merge(event, at)
            case events.MergeUndone():
                self._undo(event.event_id)
            case events.MergeRestored():
                if event.rest is not None:
                    self._undo(event.rest)
                self._unite(event.new_node_id, event.merged_node_ids)
                self.merge_events[event.event_id] = replace(self.merge_events[event.event_id], undone=False)
            case events.MemoryImported():
                self._import(event)

    def add_validation(self, node_id: NodeId, spans: Iterable[Span]) -> None:
        """Add what a validation read to what a live node leads to."""
        read = tuple(dict.fromkeys((*self.validations.get(node_id, ()), *spans)))
        for span in read:
            self.check(span)
        if read:
            self.validations[node_id] = read

    def _record(self, entry: Entry) -> None:
        if entry.id in self.entries or not is_numbered(entry.id, "e"):
            raise JournalError("fold.bad_entry", id=entry.id[:20])
        if entry.body_start > len(entry.text):
            raise JournalError("fold.text_behind_end", id=entry.id)
        self.entries[entry.id] = entry
        self.by_content.setdefault(entry.sha256, entry.id)

    def _store(self, attachment: Attachment) -> None:
        if attachment.id in self.attachments or not is_numbered(attachment.id, "a"):
            raise JournalError("fold.bad_attachment", id=attachment.id[:20])
        self.attachments[attachment.id] = attachment

    def _note(self, merge: MergeEvent) -> None:
        if merge.id in self.merge_events or not is_numbered(merge.id, "m"):
            raise JournalError("fold.bad_merge", id=merge.id[:20])
        self.merge_events[merge.id] = merge

    def check(self, span: Span) -> None:
        """Raises JournalError for what is no text of an entry."""
        entry = self.entries.get(span.entry_id)
        if entry is None or not 0 <= span.start <= span.end <= len(entry.text):
            raise JournalError("fold.bad_span", entry=span.entry_id, start=span.start, end=span.end)

    def _own(self, node_id: NodeId, spans: Iterable[Span]) -> None:
        owned = tuple(dict.fromkeys(spans))
        for span in owned:
            self.check(span)
        self.spans[node_id] = owned

    def _unite(self, new_id: NodeId, sources: Iterable[NodeId]) -> None:
        sources = tuple(sources)
        self._own(new_id, (span for node_id in sources for span in self.spans.get(node_id, ())))
        for node_id in sources:
            self.add_validation(new_id, self.validations.get(node_id, ()))

    def _merge(self, event: events.NodesMerged, at: float) -> None:
        self._unite(event.new_node_id, event.merged_node_ids)
        self._note(
            MergeEvent(
                id=event.event_id,
                merged_node_ids=event.merged_node_ids,
                new_node_id=event.new_node_id,
                trigger=event.trigger,
                description=event.description,
                timestamp=at,
            )
        )

    def _undo(self, event_id: MergeEventId) -> None:
        merge = self.merge_events[event_id]
        self.merge_events[event_id] = replace(merge, undone=True)
        self.spans.pop(merge.new_node_id, None)
        read = self.validations.pop(merge.new_node_id, ())
        for node_id in merge.merged_node_ids:
            self.add_validation(node_id, read)

    def _import(self, event: events.MemoryImported) -> None:
        for attachment in event.attachments:
            self._store(attachment)
        for entry in event.entries:
            if not set(entry.attachments) <= self.attachments.keys():
                raise JournalError("fold.entry_without_attachment", id=entry.id)
            self._record(entry)
        for node in event.nodes:
            self._own(node.node_id, node.spans)
            self.add_validation(node.node_id, node.validations)
        for merge in event.merge_events:
            self._note(merge)
