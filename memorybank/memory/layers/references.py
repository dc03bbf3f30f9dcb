"""The references of a fact and the vectors it brings, for whoever checks that all of it is there and fits."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain

from memorybank.memory import events
from memorybank.memory.types import (
    AgentFailure,
    AnswerPoint,
    AttachmentId,
    ConflictId,
    EntryId,
    Hit,
    ImageId,
    NodeId,
    Span,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class ReferencedIds:
    """Ids of what must exist before the fact, by kind."""

    nodes: Iterable[NodeId] = ()
    """Nodes that are live, or were merged away."""
    entries: Iterable[EntryId] = ()
    attachments: Iterable[AttachmentId] = ()
    conflicts: Iterable[ConflictId] = ()
    images: Iterable[ImageId] = ()
    """Images that wait for recognition."""
    spans: Iterable[Span] = ()


_NO_REFERENCES = ReferencedIds()


def referenced_ids(event: events.Fact) -> ReferencedIds:
    """Collects the ids that a fact refers to, except for those that a layer itself looks up."""
    match event:
        case events.EntryRecorded():
            return ReferencedIds(attachments=event.entry.attachments)
        case events.FilingQueued():
            return ReferencedIds(spans=event.spans)
        case events.ClustersFound():
            spans = [span for cluster in event.clusters for span in cluster.spans]
            return ReferencedIds(spans=[*spans, *_ids_of_failures(event.failed).spans])
        case events.ClustersSummarised():
            return _ids_of_failures(event.failed)
        case events.CandidatesRetrieved():
            return ReferencedIds(nodes=(event.node_id, *_nodes_of_hits(event.hits, event.below)))
        case events.RelationsJudged():
            return ReferencedIds(nodes=(event.node_id, *(relation.node_id for relation in event.relations)))
        case events.NodesAnalysed():
            undone = _ids_of_failures(event.failed)
            return ReferencedIds(nodes=(*event.node_ids, *undone.nodes), spans=undone.spans)
        case events.NodeDescribed():
            return ReferencedIds(nodes=(event.because,))
        case events.NodeChecked():
            return ReferencedIds(
                conflicts=[check.conflict_id for check in event.checks],
                entries=[piece.entry_id for check in event.checks for piece in check.evidence if piece.entry_id],
            )
        case events.PromptEnhanced():
            parts = [part.node_id for part in event.parts if part.node_id is not None]
            return ReferencedIds(nodes=(*parts, *_nodes_of_hits(event.hits, event.below)))
        case events.ConflictFound():
            return ReferencedIds(nodes=event.node_ids)
        case events.ConflictClosed():
            return ReferencedIds(entries=[item.entry_id for item in event.evidence if item.entry_id is not None])
        case events.PlanUpdated(next_task=task, then=then):
            planned = [*([task] if task else ()), *then]
            conflicts = [conflict_id for each in planned for conflict_id in each.conflict_ids]
            return ReferencedIds(conflicts=conflicts, images=[image for each in planned for image in each.image_ids])
        case events.TaskExecuted():
            return _ids_of_points(event.points, event.transcript, *event.materials)
        case events.AnswerGiven():
            return _ids_of_points(event.points, event.entry_id)
        case events.ImageRecognised():
            return ReferencedIds(
                images=(event.image_id,), attachments=() if event.attachment_id is None else (event.attachment_id,)
            )
        case events.ImageAttempted():
            return ReferencedIds(images=(event.image_id,))
        case events.ValidationApplied():
            return ReferencedIds(conflicts=event.conflict_ids, nodes=_ids_of_failures(event.failed).nodes)
        case events.TaskFailed():
            return _ids_of_failures(event.agents)
        case _:
            return _NO_REFERENCES


def _ids_of_points(points: Sequence[AnswerPoint], *entries: EntryId) -> ReferencedIds:
    values = [value for point in points for value in point.values]
    return ReferencedIds(
        entries=entries,
        spans=[span for value in values for span in value.sources],
        nodes=[node_id for value in values for node_id in value.node_ids],
        conflicts=[conflict_id for point in points for conflict_id in point.conflict_ids],
    )


def _ids_of_failures(failures: Sequence[AgentFailure]) -> ReferencedIds:
    spans = [span for failure in failures for span in failure.spans]
    return ReferencedIds(spans=spans, nodes=[node_id for failure in failures for node_id in failure.node_ids])


def _nodes_of_hits(*lists: Iterable[Hit]) -> Iterator[NodeId]:
    for hit in chain.from_iterable(lists):
        yield hit.node_id
        if hit.via is not None:
            yield hit.via


def vectors_of(event: events.Fact) -> Iterable[bytes]:
    match event:
        case events.NodeCreated() | events.NodeDescribed() | events.NodesMerged():
            return (event.vector,)
        case events.PromptEnhanced():
            return (event.query_vector,)
        case events.MemoryImported():
            return [node.vector for node in event.nodes]
        case _:
            return ()
