"""What stands out about a node at a moment: its states, all that hold."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from memorybank.memory.bank import MemoryBank
from memorybank.memory.types import NodeId
from memorybank.views.graph.style import NodeState


def states_of(
    bank: MemoryBank,
    *,
    new: Collection[NodeId],
    merged: Collection[NodeId],
    node_ids: Iterable[NodeId] | None = None,
) -> dict[NodeId, frozenset[NodeState]]:
    """All states that hold of each node, or of `node_ids`; a node of which nothing is to be said is NORMAL."""
    disputed, checked = bank.disputed(), bank.under_validation()
    by_node: dict[NodeId, frozenset[NodeState]] = {}
    for node_id in bank.graph.nodes if node_ids is None else node_ids:
        states = {
            *([NodeState.CONFLICT] if node_id in checked else []),
            *([NodeState.DISPUTED] if node_id in disputed and node_id not in checked else []),
            *([NodeState.MERGED] if node_id in merged else []),
            *([NodeState.NEW] if node_id in new else []),
        }
        by_node[node_id] = frozenset(states or {NodeState.NORMAL})
    return by_node
