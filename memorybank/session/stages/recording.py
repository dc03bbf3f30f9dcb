"""record: the raw entry first, whatever becomes of it later. Also `receive`: what a caller brings in.

Everything tells documents apart by `Entry.source`, so that name is given here, once, and to one document of a session.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

from memorybank.language.text import encodable, fold_space, sha256, source_key
from memorybank.memory.events import AttachmentStored, EntryRecorded, FilingQueued
from memorybank.memory.layers.interaction_tree import InteractionTree
from memorybank.memory.state import Draft
from memorybank.memory.types import Attachment, AttachmentId, Entry, EntryId, EntryKind, Lang, Span, StagedImage, Value
from memorybank.prompts import say
from memorybank.prompts.tags import neutralise
from memorybank.runs.files.names import numbered, shortest_names
from memorybank.session.waiting_images import cited_name
from memorybank.tools.base import Original
from memorybank.tools.corpus import Corpus


@dataclass(frozen=True, slots=True, kw_only=True)
class Source(Value):
    """A text from outside, ready to be recorded."""

    name: str
    """The path, URL or name that it was given as. The name that it has in memory is made from it (`Names`)."""
    text: str
    kind: EntryKind
    original: Original | None = None
    tool_call: str = ""
    continues: bool = False
    """Whether another text under its name is the next part of one thing, as turns of a conversation and what has no
    name of its own are; else it is another document."""

    def __post_init__(self) -> None:
        """Replaces characters that no journal can hold."""
        object.__setattr__(self, "name", encodable(self.name))
        object.__setattr__(self, "text", encodable(self.text))


class Names:
    """The names that documents have in a session: its entries, the images that wait, and the files of its corpus."""

    def __init__(self, tree: InteractionTree, lang: Lang, corpus: Corpus | None = None) -> None:
        self._tree, self._lang, self._corpus = tree, lang, corpus
        self._holders: dict[str, list[tuple[EntryKind, str]]] = {}
        """Maps a name to the kinds and the texts of what has it; an image that waits has none yet."""
        self._pages: dict[str, str] = {}
        """Maps a page, by its `source_key`, to its name."""
        for entry in tree.entries.values():
            self._take(entry.source, entry.kind, entry.body)
        for image in tree.staged.values():
            self._take(cited_name(image, lang), "image", "")

    def of_given(self, sources: Iterable[Source]) -> list[Source]:
        """Name sources that came together by their own names: files by as much of their paths as tells them apart."""
        sources = list(sources)
        paths = [source.name for source in sources if not _is_page(source.name)]
        shortest = dict(zip(paths, shortest_names(paths), strict=True))
        return [replace(source, name=self.of(source, shortest.get(source.name, source.name))) for source in sources]

    def of(self, source: Source, name: str, digest: str = "") -> str:
        """Name a document: as the known text is named, or by `name`, numbered where another document has it.

        `digest`: the text's hash, where it was made already.
        """
        known = self._tree.by_content.get(digest or sha256(source.text))
        if known is not None:
            return self._tree.entries[known].source
        if _is_page(name):
            return self.of_page(name)
        tries = numbered(neutralise(name.strip()))  # as prompts show it, for a model to ask for it by
        own = next(name for name in tries if self._is_free(name, lambda *other: _is_one(source, *other)))
        self._take(own, source.kind, source.text)
        return own

    def of_page(self, name: str) -> str:
        """Return the first spelling of a page's address; another name as it is."""
        return self._pages.setdefault(source_key(name), name) if _is_page(name) else name

    def of_image(self, image: StagedImage) -> StagedImage:
        """Return the image under a name that no other image or document has; a person's that is known keeps its own."""
        files = {file.id for file in self._tree.attachments.values() if file.sha256 == image.sha256}
        given = [one.name for one in self._tree.staged.values() if one.sha256 == image.sha256 and not one.found_in]
        given += [one.source for one in self._tree.entries.values() if not files.isdisjoint(one.attachments)]
        if given and not image.found_in:
            return replace(image, name=given[0])
        tries = (replace(image, name=name) for name in numbered(neutralise(image.name)))
        cited = ((one, cited_name(one, self._lang)) for one in tries)
        return next(one for one, name in cited if _is_page(name) or self._is_free(name, lambda *_: False))

    def _take(self, name: str, kind: EntryKind, text: str) -> None:
        self._holders.setdefault(name, []).append((kind, text))
        self.of_page(name)

    def _is_free(self, name: str, is_own: Callable[[EntryKind, str], bool]) -> bool:
        in_corpus = self._corpus.text_at(name) if self._corpus is not None else None
        others = self._holders.get(name, [])
        return all(is_own(*other) for other in others) and (in_corpus is None or is_own("document", in_corpus))


def _is_page(name: str) -> bool:
    return source_key(name) != name


def _is_one(source: Source, kind: EntryKind, text: str) -> bool:
    """Whether a text that has the name already is of the same document: an excerpt and the whole are."""
    if source.text == text or (source.continues and source.kind == kind):
        return True
    read, other = fold_space(source.text), fold_space(text)
    return source.kind == "tool" and (read in other or (kind == "tool" and other in read))


def record(draft: Draft, source: Source, lang: Lang) -> EntryId:
    """Record the source as a new entry, unless one has the same text. An original becomes a cited attachment."""
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


def receive(draft: Draft, sources: Iterable[Source], lang: Lang, corpus: Corpus | None = None) -> tuple[EntryId, ...]:
    """Record what a caller brought, each document under a name of its own."""
    return tuple(record(draft, source, lang) for source in Names(draft.state.tree, lang, corpus).of_given(sources))
