"""Merges before and after, from a run's records alone. Undone ones are kept."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal, NamedTuple

from memorybank.language.text import fold_space, sentences
from memorybank.memory.events import OBSERVATIONS, MemoryImported, MergeRestored, MergeUndone, NodesMerged
from memorybank.memory.layers.query_graph import QueryGraph
from memorybank.memory.state import MemoryState
from memorybank.memory.types import Check, ConflictId, MergeEventId, Node, NodeId, Refuted
from memorybank.runs.journal import Record
from memorybank.runs.stages import Place
from memorybank.session.checks import marks_of
from memorybank.views.memory.conflict_life import integration_call
from memorybank.views.run.commits import Commit, Records, commits


@dataclass(frozen=True, slots=True, kw_only=True)
class Version:
    """A node as it stood at a merge. Of an imported merge the texts are not known: they are empty."""

    id: NodeId
    context: str = ""
    summary: str = ""
    keywords: tuple[str, ...] = ()
    marks: tuple[tuple[Refuted, Check], ...] = ()
    """The words that checks had refuted in it by then."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MergeStory:
    id: MergeEventId
    place: Place
    trigger: Literal["merge", "conflict"]
    description: str
    sources: tuple[Version, ...]
    """The sources, oldest first."""
    result: Version
    dropped: tuple[str, ...] = ()
    """The sentences of the sources that the result does not say, white space folded."""
    call: int = 0
    """The number (seq) of the call that wrote the result."""
    undone: Place | None = None
    split: tuple[NodeId, ...] = ()
    """The nodes that came off an undone merge alone: the others were united anew."""
    rest_of: MergeEventId | None = None
    """The merge that these stayed together of."""
    imported: bool = False


def merge_stories(records: Records) -> Mapping[MergeEventId, MergeStory]:
    """Return every merge of a run by its id, oldest first."""
    reader = MergeReader()
    for commit in commits(records):
        reader.take(commit)
    return reader.stories


class MergeReader:
    """A reader that follows one run: `stories` are those up to the commit that was taken last."""

    def __init__(self) -> None:
        self.stories: dict[MergeEventId, MergeStory] = {}
        self._graph = QueryGraph()

    def take(self, commit: Commit) -> None:
        stories = self.stories
        for record in commit.records:
            event = record.event
            if isinstance(event, OBSERVATIONS):
                continue
            match event:
                case NodesMerged():
                    stories[event.event_id] = _story(commit, record, self._graph)
                case MergeUndone(event_id=event_id) if event_id in stories:
                    stories[event_id] = replace(stories[event_id], undone=commit.place(record), split=event.split)
                case MergeRestored(event_id=event_id) if event_id in stories:
                    stories[event_id] = replace(stories[event_id], undone=None, split=())
                    if event.rest in stories:
                        stories[event.rest] = replace(stories[event.rest], undone=commit.place(record))
                case MemoryImported():
                    stories.update({story.id: story for story in _imported(event, commit.place(record))})
            self._graph.apply(event, record.at)


def _story(commit: Commit, record: Record[Any], graph: QueryGraph) -> MergeStory:
    event: NodesMerged = record.event
    return MergeStory(
        id=event.event_id,
        place=commit.place(record),
        trigger=event.trigger,
        description=event.description,
        sources=tuple(_version(graph.nodes[node_id]) for node_id in event.merged_node_ids),
        result=Version(id=event.new_node_id, context=event.context, summary=event.summary, keywords=event.keywords),
        dropped=event.dropped,
        call=integration_call(commit, event),
        rest_of=event.rest_of,
    )


def _version(node: Node) -> Version:
    marks = tuple(marks_of(node))
    return Version(id=node.id, context=node.context, summary=node.summary, keywords=node.keywords, marks=marks)


def _imported(event: MemoryImported, place: Place) -> Iterable[MergeStory]:
    """Yield imported merges: their sources were gone before; the results are among the nodes, or were merged on."""
    nodes = {node.node_id: node for node in event.nodes}
    for merge in event.merge_events:
        node = nodes.get(merge.new_node_id)
        yield MergeStory(
            id=merge.id,
            place=replace(place, at=merge.timestamp or place.at),
            trigger=merge.trigger,
            description=merge.description,
            sources=tuple(Version(id=node_id) for node_id in merge.merged_node_ids),
            result=Version(id=merge.new_node_id, context=node.context, summary=node.summary, keywords=node.keywords)
            if node is not None
            else Version(id=merge.new_node_id),
            undone=place if merge.undone else None,
            imported=True,
        )


class Sentence(NamedTuple):
    text: str
    """The sentence with the white space after it: joined, they are the text."""
    apart: bool
    """The sentence of a source is not in the result, or that of a result is in no source."""


def kept_and_dropped(source: str, dropped: Collection[str]) -> list[Sentence]:
    """Return a source's text by sentence, those that the merge dropped told apart."""
    known = set(dropped)
    return [Sentence(source[start:end], fold_space(source[start:end]) in known) for start, end in sentences(source)]


def old_and_new(result: str, sources: Iterable[str]) -> list[Sentence]:
    """Return a merged text by sentence, those that stand in no source word for word told apart."""
    source_texts = [fold_space(text) for text in sources]
    pieces = [result[start:end] for start, end in sentences(result)]
    return [Sentence(piece, not any(fold_space(piece) in text for text in source_texts)) for piece in pieces]


@dataclass(frozen=True, slots=True, kw_only=True)
class Undo:
    """The consequences of taking a merge back, said before it is done."""

    restored: tuple[NodeId, ...]
    leaves: NodeId
    disputed: tuple[ConflictId, ...]
    """The conflicts that become inconclusive, closed by the reader."""
    blocked_by: MergeEventId | None
    """A later merge that stands on this one and must be undone first."""


def undo_of(bank: MemoryState, merge_id: MergeEventId) -> Undo | None:
    """Return what an undo will do; None for a merge that does not stand, or was imported: it cannot be taken back."""
    merge = bank.graph.merges.get(merge_id)
    if merge is None:
        return None
    restored = tuple(source.id for source in merge.sources)
    above = bank.graph.merge_above(merge_id)
    return Undo(
        restored=restored,
        leaves=merge.new_node_id,
        disputed=tuple(
            conflict.id
            for conflict in bank.conflicts.all.values()
            if conflict.status.merges and set(conflict.node_ids) <= set(restored)
        ),
        blocked_by=above.event_id if above else None,
    )
