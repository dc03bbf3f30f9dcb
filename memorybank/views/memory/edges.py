"""The edges of the graph at a moment, with the reasons that were given for each.

An edge that a merged node inherited was judged between the nodes that went into it: its reasons are looked for among
all that its ends once were.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from memorybank.memory.bank import MemoryBank
from memorybank.memory.events import NodesLinked, RelationsJudged
from memorybank.memory.types import ConflictId, ConflictStatus, NodeId, Relation
from memorybank.views.graph.overlays import Pair
from memorybank.views.graph.style import EdgeKind
from memorybank.views.run.commits import Records, commits


@dataclass(frozen=True, slots=True, kw_only=True)
class Reason:
    """Why two nodes are, or are not, what an edge says."""

    seq: int
    round: int
    left: NodeId
    right: NodeId
    """As judged; either may have been merged away since."""
    words: str
    relation: Relation | None = None
    """None: the link itself, made on the words of a verdict."""
    confidence: float | None = None


Reasons = Mapping[frozenset[NodeId], Sequence[Reason]]
"""By the two nodes, as they were when it was said."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NodeLink:
    """Two live nodes and all that lies between them, drawn as one line of the strongest kind."""

    ends: Pair
    """(older, newer)"""
    kind: EdgeKind
    linked: bool
    """They are related too, or only."""
    conflicts: tuple[ConflictId, ...] = ()
    """Open or disputed ones between them."""

    @property
    def id(self) -> str:
        """As in the graph (`GraphView.edge`)."""
        return f"{self.ends[0]}|{self.ends[1]}"


_KINDS = {ConflictStatus.OPEN: EdgeKind.CONFLICT, ConflictStatus.INCONCLUSIVE: EdgeKind.DISPUTED}


def edges_of(bank: MemoryBank) -> dict[str, NodeLink]:
    """All edges by id: conflicts, then disputed pairs, then links, each in the order of the older node."""
    nodes = bank.graph.nodes
    contested: dict[Pair, list[tuple[EdgeKind, ConflictId]]] = defaultdict(list)
    for conflict in bank.conflicts.all.values():
        kind = _KINDS.get(conflict.status)
        ends = [bank.graph.successor(end) for end in conflict.node_ids]
        if kind is not None and ends[0] != ends[1] and all(end in nodes for end in ends):
            left, right = sorted(ends, key=lambda end: nodes[end].seq)
            contested[left, right].append((kind, conflict.id))
    linked = dict.fromkeys(bank.graph.edges())
    links = []
    for pair in {**dict.fromkeys(contested), **linked}:
        kinds = [kind for kind, _ in contested.get(pair, ())]
        kind = min(kinds, key=list(EdgeKind).index, default=EdgeKind.RELATED)
        ids = tuple(conflict_id for _, conflict_id in contested.get(pair, ()))
        links.append(NodeLink(ends=pair, kind=kind, linked=pair in linked, conflicts=ids))
    rank = {kind: place for place, kind in enumerate(EdgeKind)}
    links.sort(key=lambda edge: (rank[edge.kind], nodes[edge.ends[0]].seq, nodes[edge.ends[1]].seq))
    return {edge.id: edge for edge in links}


def reasons_in(records: Records) -> Reasons:
    """All that was said of any two nodes, first to last, up to the last commit."""
    reasons: dict[frozenset[NodeId], list[Reason]] = defaultdict(list)
    for record, round_ in ((record, commit.round) for commit in commits(records) for record in commit.records):
        match record.event:
            case RelationsJudged(node_id=new, relations=relations):
                for verdict in relations:
                    reasons[frozenset((new, verdict.node_id))].append(
                        Reason(
                            seq=record.seq,
                            round=round_,
                            left=verdict.node_id,
                            right=new,
                            words=verdict.reasoning,
                            relation=verdict.relation,
                            confidence=verdict.confidence,
                        )
                    )
            case NodesLinked(left=left, right=right, reason=words):
                reasons[frozenset((left, right))].append(
                    Reason(seq=record.seq, round=round_, left=left, right=right, words=words)
                )
            case _:
                pass
    return reasons


def reasons_of(edge: NodeLink, reasons: Reasons, members: Mapping[NodeId, Sequence[NodeId]]) -> list[Reason]:
    """What was said of an edge's ends, and of what went into them, first to last.

    A link that only repeats the words of its verdict is left out, and so are verdicts that found nothing in common
    between what the ends once were.
    """
    left, right = (members.get(end, (end,)) for end in edge.ends)
    edge_reasons = [reason for a in left for b in right for reason in reasons.get(frozenset((a, b)), ())]
    edge_reasons.sort(key=lambda reason: reason.seq)
    judged = {reason.words for reason in edge_reasons if reason.relation is not None}
    return [
        reason
        for reason in edge_reasons
        if (reason.relation is not None or reason.words not in judged)
        and (reason.relation is not Relation.UNRELATED or {reason.left, reason.right} == set(edge.ends))
    ]


def members_of(bank: MemoryBank) -> dict[NodeId, list[NodeId]]:
    """For each live node: itself, and all that were merged into it, directly or through another."""
    members = {node_id: [node_id] for node_id in bank.graph.nodes}
    for gone in bank.graph.gone:
        live = bank.graph.successor(gone)
        if live in members:
            members[live].append(gone)
    return members
