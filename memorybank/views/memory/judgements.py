"""Who said of two nodes that they are the same, or contradict each other: the call, its words, what was retrieved.

It is what a merge rests on, at once or through a verdict, from a run's records alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from memorybank.memory.events import CandidatesRetrieved, ConflictFound, NodesMerged, RelationsJudged
from memorybank.memory.types import ConflictId, Hit, MergeEventId, NodeId, Relation
from memorybank.runs.stages import Place
from memorybank.views.memory.conflict_life import judging_call
from memorybank.views.run.commits import Commit, Records, commits


@dataclass(frozen=True, slots=True, kw_only=True)
class Retrieved:
    """What the memory brought for a new node, and the best that did not make it."""

    seq: int
    node_id: NodeId
    hits: tuple[Hit, ...]
    below: tuple[Hit, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Judgement:
    """A pair that was found to say the same, or to contradict each other."""

    older: NodeId
    newer: NodeId
    relation: Relation
    words: str
    """The agent's reason."""
    confidence: float
    place: Place
    call: int = 0
    """Seq of the analysis agent's call that said so; 0 where none is recorded."""
    retrieved: Retrieved | None = None
    """For the newer one, when it was compared."""
    others: Mapping[NodeId, Relation] = field(default_factory=dict)
    """What was said of all that the newer one was compared with."""


@dataclass(frozen=True, slots=True)
class Judgements:
    merges: Mapping[MergeEventId, tuple[Judgement, ...]]
    """The pairs that were found to say the same, in the stage of the merge."""
    conflicts: Mapping[ConflictId, Judgement]


def judgements(records: Records) -> Judgements:
    merges: dict[MergeEventId, tuple[Judgement, ...]] = {}
    conflicts: dict[ConflictId, Judgement] = {}
    retrieved: dict[NodeId, Retrieved] = {}
    for commit in commits(records):
        pairs: dict[frozenset[NodeId], Judgement] = {}
        for record in commit.records:
            match record.event:
                case CandidatesRetrieved() as event:
                    retrieved[event.node_id] = Retrieved(
                        seq=record.seq, node_id=event.node_id, hits=event.hits, below=event.below
                    )
                case RelationsJudged() as event:
                    of_node = retrieved.get(event.node_id)
                    judged = _judged(event, commit, commit.place(record), of_node)
                    pairs.update((frozenset((pair.older, pair.newer)), pair) for pair in judged)
                case ConflictFound() as event if (pair := pairs.get(frozenset(event.node_ids))) is not None:
                    conflicts[event.conflict_id] = pair
                case NodesMerged() as event:
                    members = set(event.merged_node_ids)
                    same = [pair for ends, pair in pairs.items() if ends <= members and pair.relation is Relation.MERGE]
                    merges[event.event_id] = tuple(same)
                case _:
                    pass
    return Judgements(merges, conflicts)


def _judged(event: RelationsJudged, commit: Commit, place: Place, retrieved: Retrieved | None) -> Iterator[Judgement]:
    others = {verdict.node_id: verdict.relation for verdict in event.relations}
    for verdict in event.relations:
        if verdict.relation in (Relation.MERGE, Relation.CONFLICT):
            yield Judgement(
                older=verdict.node_id,
                newer=event.node_id,
                relation=verdict.relation,
                words=verdict.reasoning,
                confidence=verdict.confidence,
                place=place,
                call=judging_call(commit, verdict.reasoning, verdict.relation),
                retrieved=retrieved,
                others=others,
            )
