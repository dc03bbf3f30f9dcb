"""Disputes in a prompt: the list of open ones, and the state of a memory that takes part in one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from memorybank.contradiction.disputes.dispute import Dispute
from memorybank.contradiction.disputes.grouping import disputes_of
from memorybank.contradiction.disputes.words import describe, is_plain
from memorybank.language.tags import neutralise
from memorybank.memory.bank import MemoryBank
from memorybank.memory.types import Conflict, ConflictStatus, Lang, NodeId
from memorybank.prompts import say

MOST_STATES = 3
"""Disputes of one memory that are shown; the others are counted."""

_IN_DOUBT: Final = (ConflictStatus.OPEN, ConflictStatus.INCONCLUSIVE)


def open_lines(state: MemoryBank, lang: Lang) -> list[str]:
    """A conflict in one line; several on one matter below what they are on, each with what its sides say of it."""
    still_open = [dispute for dispute in disputes_of(state) if dispute.status is ConflictStatus.OPEN]
    lines = (line for dispute in still_open for line in _dispute_lines(dispute, state, lang))
    return list(dict.fromkeys(lines))  # a conflict on two matters, told by its description, stands there once


def _dispute_lines(dispute: Dispute, state: MemoryBank, lang: Lang) -> Iterator[str]:
    members = _members(dispute, state, ConflictStatus.OPEN)
    if len(members) == 1:
        yield _conflict_line(members[0], _words(dispute, members, lang), state, lang)
        return
    yield say("open_dispute", lang, dispute=neutralise(describe(dispute, lang)))
    for conflict in members:
        yield "  " + _conflict_line(conflict, neutralise(conflict.description), state, lang)


def _conflict_line(conflict: Conflict, description: str, state: MemoryBank, lang: Lang) -> str:
    left, right = (state.graph.successor(node_id) for node_id in conflict.node_ids)
    return say("open_conflict", lang, id=conflict.id, left=left, right=right, description=description)


def _members(dispute: Dispute, state: MemoryBank, *statuses: ConflictStatus) -> list[Conflict]:
    members = (state.conflicts.all[conflict_id] for conflict_id in dispute.conflict_ids)
    return [conflict for conflict in members if conflict.status in statuses]


def _words(dispute: Dispute, members: Sequence[Conflict], lang: Lang) -> str:
    """The values with their sources; of a single conflict its own words, where they say more than the values."""
    is_said = len(members) != 1 or len(dispute.conflict_ids) != 1 or is_plain(members[0])
    return neutralise(describe(dispute, lang) if is_said else members[0].description)


# -- the state of a memory --------------------------------------------------------------------------------------------


def doubts(state: MemoryBank) -> Mapping[NodeId, Sequence[Dispute]]:
    """By live node, the disputes in which a conflict of it is open or was not decided; open ones first."""
    by_node: dict[NodeId, list[Dispute]] = {}
    for dispute in sorted(disputes_of(state), key=lambda dispute: dispute.status is not ConflictStatus.OPEN):
        members = _members(dispute, state, *_IN_DOUBT)
        for node_id in dict.fromkeys(
            state.graph.successor(written_id) for each in members for written_id in each.node_ids
        ):
            if node_id in state.graph.nodes:
                by_node.setdefault(node_id, []).append(dispute)
    return by_node


def state_lines(node_id: NodeId, disputes: Sequence[Dispute], state: MemoryBank, lang: Lang) -> list[str]:
    """One line a dispute of a memory."""
    lines = [_state_line(node_id, dispute, state, lang) for dispute in disputes[:MOST_STATES]]
    rest = len(disputes) - MOST_STATES
    return [*dict.fromkeys(lines), *([say("memory_disputes_more", lang, count=rest)] if rest > 0 else [])]


def _state_line(node_id: NodeId, dispute: Dispute, state: MemoryBank, lang: Lang) -> str:
    own = _members(dispute, state, *_IN_DOUBT)
    own = [conflict for conflict in own if node_id in map(state.graph.successor, conflict.node_ids)]
    members = [conflict for conflict in own if conflict.status is ConflictStatus.OPEN] or own
    is_open = members[0].status is ConflictStatus.OPEN
    key = "memory_open" if is_open else "memory_settled" if dispute.holds else "memory_disputed"
    others = dict.fromkeys(state.graph.successor(written_id) for each in members for written_id in each.node_ids)
    between = say("sources_between", lang)
    return say(
        key,
        lang,
        id=between.join(conflict.id for conflict in members),
        other=between.join(live_id for live_id in others if live_id != node_id) or node_id,
        description=_words(dispute, members, lang),
    )
