"""A node's states as chips: whole words on its card, short ones in lists, the same colours everywhere."""

from __future__ import annotations

from collections.abc import Collection

from memorybank.memory.types import Lang, NodeId
from memorybank.views.box import Box, chip
from memorybank.views.graph.style import NodeState
from memorybank.views.i18n import t
from memorybank.views.memory.node_states import states_of
from memorybank.views.run.playback import Moment

LOOKS = {
    NodeState.CONFLICT: "conflict",
    NodeState.DISPUTED: "disputed",
    NodeState.MERGED: "merge",
    NodeState.NEW: "new",
    NodeState.NORMAL: "node",
}


def node_chips(node_id: NodeId, moment: Moment, lang: Lang) -> list[Box]:
    """For a card: all that holds, and that it is a node where nothing else is to be said."""
    states = states_of(moment.bank, new=moment.new, merged=moment.merged, node_ids=[node_id])[node_id]
    return [chip(t(f"state.{state}", lang), LOOKS[state]) for state in NodeState if state in states]


def row_chips(states: Collection[NodeState], lang: Lang) -> list[Box]:
    """For a line of a list: only what stands out."""
    stands_out = [state for state in NodeState if state in states and state is not NodeState.NORMAL]
    return [chip(t(f"graph.state.{state}", lang), LOOKS[state]) for state in stands_out]
