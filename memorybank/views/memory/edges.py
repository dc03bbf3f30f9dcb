"""The edges of the graph at a moment, with the reasons that were given for each.

An edge that a merged node inherited was judged between the nodes that went into it: its reasons are looked for among
all that its ends once were.
"""

from __future__ import annotations

import functools
import unicodedata
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from memorybank.memory.events import NodesLinked, RelationsJudged
from memorybank.memory.state import MemoryState
from memorybank.memory.types import Conflict, ConflictStatus, Node, NodeId, Relation
from memorybank.views.graph.overlays import Pair
from memorybank.views.graph.style import EdgeKind
from memorybank.views.memory.conflict_life import judging_calls
from memorybank.views.run.commits import Records, commits


@dataclass(frozen=True, slots=True, kw_only=True)
class Reason:
    """A reason for which two nodes are, or are not, what an edge says."""

    seq: int
    round: int
    left: NodeId
    right: NodeId
    """The other node as judged; either may have been merged away since."""
    words: str
    relation: Relation | None = None
    """The relation found; None for the link itself, made on the words of a verdict."""
    confidence: float | None = None
    call: int = 0
    """The number (seq) of the analysis agent's call that said so; 0 where none is recorded."""


Reasons = Mapping[frozenset[NodeId], Sequence[Reason]]
"""Maps two nodes, as they were when it was said, to the reasons."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NodeLink:
    """Two live nodes and all that lies between them, drawn as one line of the strongest kind."""

    ends: Pair
    """(older, newer)"""
    kind: EdgeKind
    linked: bool
    """Whether they are related too, or only."""
    conflicts: tuple[Conflict, ...] = ()
    """The open or disputed conflicts between them."""

    @property
    def id(self) -> str:
        """The id of the edge, as in the graph (`GraphView.edge`)."""
        return f"{self.ends[0]}|{self.ends[1]}"


_KINDS = {ConflictStatus.OPEN: EdgeKind.CONFLICT, ConflictStatus.INCONCLUSIVE: EdgeKind.DISPUTED}


def links_between(
    nodes: Mapping[NodeId, Node], conflicts: Iterable[Conflict], successor: Callable[[NodeId], NodeId]
) -> dict[Pair, NodeLink]:
    """Return one edge a pair, of the strongest kind it has: contested pairs first, then links."""
    contested: dict[Pair, list[Conflict]] = defaultdict(list)
    for conflict in conflicts:
        ends = [nodes[end] for end in map(successor, conflict.node_ids) if end in nodes]
        if conflict.status in _KINDS and len(ends) == 2 and ends[0].id != ends[1].id:
            older, newer = sorted(ends, key=lambda node: node.seq)
            contested[older.id, newer.id].append(conflict)
    linked = dict.fromkeys(
        (node.id, other)
        for node in nodes.values()
        for other in node.links
        if other in nodes and nodes[other].seq > node.seq
    )
    rank = list(EdgeKind).index
    return {
        pair: NodeLink(
            ends=pair,
            kind=min((_KINDS[each.status] for each in contested.get(pair, ())), key=rank, default=EdgeKind.RELATED),
            linked=pair in linked,
            conflicts=tuple(contested.get(pair, ())),
        )
        for pair in {**dict.fromkeys(contested), **linked}
    }


def edges_of(bank: MemoryState) -> dict[str, NodeLink]:
    """Return all edges by id: conflicts, then disputed pairs, then links, each in the order of the older node."""
    nodes, rank = bank.graph.nodes, list(EdgeKind).index
    links = links_between(nodes, bank.conflicts.all.values(), bank.graph.successor).values()
    ordered = sorted(links, key=lambda edge: (rank(edge.kind), *(nodes[end].seq for end in edge.ends)))
    return {edge.id: edge for edge in ordered}


def reasons_in(records: Records) -> Reasons:
    """Return all that was said of any two nodes, first to last, up to the last commit."""
    reasons: dict[frozenset[NodeId], list[Reason]] = defaultdict(list)
    for commit in commits(records):
        calls = judging_calls(commit)
        for record in commit.records:
            match record.event:
                case RelationsJudged(node_id=new, relations=relations):
                    for verdict in relations:
                        reasons[frozenset((new, verdict.node_id))].append(
                            Reason(
                                seq=record.seq,
                                round=commit.round,
                                left=verdict.node_id,
                                right=new,
                                words=verdict.reasoning,
                                relation=verdict.relation,
                                confidence=verdict.confidence,
                                call=calls.get((verdict.relation, verdict.reasoning), 0),
                            )
                        )
                case NodesLinked(left=left, right=right, reason=words):
                    reasons[frozenset((left, right))].append(
                        Reason(seq=record.seq, round=commit.round, left=left, right=right, words=words)
                    )
    return reasons


def reasons_of(edge: NodeLink, reasons: Reasons, members: Mapping[NodeId, Sequence[NodeId]]) -> list[Reason]:
    """Return what was said of an edge's ends, and of what went into them, first to last.

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


def members_of(bank: MemoryState) -> dict[NodeId, list[NodeId]]:
    """Map each live node to itself and all that were merged into it, directly or through another."""
    members = {node_id: [node_id] for node_id in bank.graph.nodes}
    for gone in bank.graph.gone:
        live = bank.graph.successor(gone)
        if live in members:
            members[live].append(gone)
    return members


def search(nodes: Iterable[Node], words: str) -> list[NodeId]:
    """Return the nodes that hold every word of a search, in topic, keywords, summary or id. Best first.

    Best: its id; then all words in the topic; then in topic and keywords; then anywhere. Among these, the newest.
    """
    wanted = fold(words).split()
    if not wanted:
        return []
    matches: list[tuple[int, int, NodeId]] = []
    for node in nodes:
        place = _place(node, wanted)
        if place is not None:
            matches.append((place, -node.seq, node.id))
    return [node_id for _, _, node_id in sorted(matches)]


def _place(node: Node, wanted: Sequence[str]) -> int | None:
    if [fold(node.id)] == list(wanted):
        return 0
    text = ""
    for place, part in enumerate((node.context, " ".join(node.keywords), node.summary, node.id), start=1):
        text = f"{text}\n{fold(part)}"
        if all(word in text for word in wanted):
            return place
    return None


@functools.lru_cache(maxsize=8_192)
def fold(text: str) -> str:
    """Return the form for comparing: width, compatibility forms, upper and lower case count as the same."""
    return unicodedata.normalize("NFKC", text).casefold()
