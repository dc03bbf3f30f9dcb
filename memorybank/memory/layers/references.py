"""What a fact names, and the vectors it brings: for whoever checks that all of it is there and fits."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain

from memorybank.memory.events import (
    AnswerGiven,
    CandidatesRetrieved,
    ClustersFound,
    ClustersSummarised,
    ConflictClosed,
    ConflictFound,
    EntryRecorded,
    Fact,
    FilingQueued,
    ImageAttempted,
    ImageRecognised,
    MemoryImported,
    NodeCreated,
    NodeDescribed,
    NodesAnalysed,
    NodesMerged,
    PlanUpdated,
    PromptEnhanced,
    RelationsJudged,
    TaskExecuted,
    TaskFailed,
    ValidationApplied,
)
from memorybank.memory.types import AgentFailure, AttachmentId, ConflictId, EntryId, Hit, ImageId, NodeId, Span


@dataclass(frozen=True, slots=True, kw_only=True)
class Named:
    """Ids of what must have been made before, by kind."""

    nodes: Iterable[NodeId] = ()
    """Live, or merged away."""
    entries: Iterable[EntryId] = ()
    attachments: Iterable[AttachmentId] = ()
    conflicts: Iterable[ConflictId] = ()
    images: Iterable[ImageId] = ()
    """Waiting."""
    spans: Iterable[Span] = ()


_NOTHING = Named()


def named_by(event: Fact) -> Named:
    """What a layer itself looks up is not in it."""
    match event:
        case EntryRecorded():
            return Named(attachments=event.entry.attachments)
        case FilingQueued():
            return Named(spans=event.spans)
        case ClustersFound():
            spans = [span for cluster in event.clusters for span in cluster.spans]
            return Named(spans=[*spans, *_left_undone(event.failed).spans])
        case ClustersSummarised():
            return _left_undone(event.failed)
        case CandidatesRetrieved():
            return Named(nodes=(event.node_id, *_of_hits(event.hits, event.below)))
        case RelationsJudged():
            return Named(nodes=(event.node_id, *(one.node_id for one in event.relations)))
        case NodesAnalysed():
            undone = _left_undone(event.failed)
            return Named(nodes=(*event.node_ids, *undone.nodes), spans=undone.spans)
        case NodeDescribed():
            return Named(nodes=(event.because,), conflicts=event.conflict_ids)
        case PromptEnhanced():
            parts = [part.node_id for part in event.parts if part.node_id is not None]
            return Named(nodes=(*parts, *_of_hits(event.hits, event.below)))
        case ConflictFound():
            return Named(nodes=event.node_ids)
        case ConflictClosed():
            return Named(entries=[one.entry_id for one in event.evidence if one.entry_id is not None])
        case PlanUpdated(next_task=task) if task is not None:
            return Named(conflicts=task.conflict_ids, images=task.image_ids)
        case TaskExecuted():
            return Named(entries=(event.transcript, *event.materials))
        case AnswerGiven():
            return Named(entries=(event.entry_id,))
        case ImageRecognised():
            return Named(
                images=(event.image_id,), attachments=() if event.attachment_id is None else (event.attachment_id,)
            )
        case ImageAttempted():
            return Named(images=(event.image_id,))
        case ValidationApplied():
            return Named(conflicts=event.conflict_ids, nodes=_left_undone(event.failed).nodes)
        case TaskFailed():
            return _left_undone(event.agents)
        case _:
            return _NOTHING


def _left_undone(failures: Sequence[AgentFailure]) -> Named:
    spans = [span for one in failures for span in one.spans]
    return Named(spans=spans, nodes=[node_id for one in failures for node_id in one.node_ids])


def _of_hits(*lists: Iterable[Hit]) -> Iterator[NodeId]:
    for hit in chain.from_iterable(lists):
        yield hit.node_id
        if hit.via is not None:
            yield hit.via


def vectors_of(event: Fact) -> Iterable[bytes]:
    match event:
        case NodeCreated() | NodeDescribed() | NodesMerged():
            return (event.vector,)
        case PromptEnhanced():
            return (event.query_vector,)
        case MemoryImported():
            return [node.vector for node in event.nodes]
        case _:
            return ()
