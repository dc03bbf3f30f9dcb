"""One hop from the direct hits of a ranking: which of their neighbours in the graph come along."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace

from memorybank.memory.types import Hit, Node, NodeId
from memorybank.retrieval.index import NodeRanking
from memorybank.retrieval.names import shared_name
from memorybank.settings.ranges import check_range

FEW_NEIGHBORS, NEIGHBORS_A_HIT = 10, 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Expansion:
    """Direct hits with their neighbours, one hop."""

    hits: tuple[Hit, ...]
    """The direct hits, and after them the neighbours that come along."""
    left_out: tuple[Hit, ...]
    """The neighbours that do not, best first, rank counting on."""


def expand(
    ranking: NodeRanking, nodes: Mapping[NodeId, Node], exclude: Collection[NodeId] = (), *, share: float
) -> Expansion:
    """The direct hits' neighbours by their own scores: with a `share` of 0 all of them, to the specifications' letter.

    Else none that scores less than `share` of the last direct hit (it takes room and says nothing of the question), and
    at most `most_neighbors`. First come those that a hit names or that name a hit: what is merely like a hit, the
    question would have found itself.

    A neighbour comes once, `via` the best-ranked hit it is linked to. `nodes` is the graph: what is not in it does not
    come, nor what the index does not hold or `rank` was told to exclude. Raises RuntimeError when the index has changed
    since the ranking, InputError for a share outside [0, 1].
    """
    check_range("neighbor share", share, 0.0, 1.0)
    seen = {hit.node_id for hit in ranking.hits}.union(exclude)
    named: dict[NodeId, NodeId] = {}
    alike: dict[NodeId, NodeId] = {}
    for hit in ranking.hits:
        for neighbor in nodes[hit.node_id].links:
            if neighbor in nodes and neighbor not in seen:
                group = named if shared_name(nodes[hit.node_id], nodes[neighbor]) else alike
                group.setdefault(neighbor, hit.node_id)
    alike = {neighbor: hit for neighbor, hit in alike.items() if neighbor not in named}
    least = share * ranking.hits[-1].score if ranking.hits else 0.0
    most = most_neighbors(len(ranking.hits)) if share else len(nodes)
    near = [hit for group in (named, alike) for hit in ranking.scores.neighbors(group)]
    fit = [hit for hit in near if hit.score >= least][:most]
    kept = {hit.node_id for hit in fit}
    rest = sorted((hit for hit in near if hit.node_id not in kept), key=lambda hit: -hit.score)
    ranked = [replace(hit, rank=rank) for rank, hit in enumerate([*fit, *rest], start=len(ranking.hits) + 1)]
    return Expansion(hits=(*ranking.hits, *ranked[: len(fit)]), left_out=tuple(ranked[len(fit) :]))


def most_neighbors(hits: int) -> int:
    """A dense graph has a hundred nodes one hop away; more than these cost a language model more than they tell it."""
    return max(FEW_NEIGHBORS, NEIGHBORS_A_HIT * hits)


def newest_first(hits: Iterable[Hit], nodes: Mapping[NodeId, Node]) -> tuple[Hit, ...]:
    """Sort by creation, the latest first (final specification 6.1, step 4)."""
    return tuple(sorted(hits, key=lambda hit: -nodes[hit.node_id].seq))
