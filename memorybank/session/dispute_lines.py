"""Disputes in a prompt: the list of open ones with their points, and the state of a memory that takes part in one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from textwrap import indent
from typing import Final

from memorybank.contradiction.disputes.dispute import Dispute, describe
from memorybank.contradiction.disputes.gathering import LONGEST_VALUE, disputes_of
from memorybank.language.text import fold_space
from memorybank.memory.state import MemoryState
from memorybank.memory.types import Conflict, ConflictStatus, Contradiction, Lang, NodeId
from memorybank.prompts import say
from memorybank.prompts.claim_words import GAP, matter, short, shown
from memorybank.prompts.tags import neutralise

MOST_DOCUMENTS = 3
"""Documents of one side that are named."""

_IN_DOUBT: Final = (ConflictStatus.OPEN, ConflictStatus.INCONCLUSIVE)


def open_lines(state: MemoryState, lang: Lang) -> list[str]:
    """A conflict with its points below it; several on one matter below what they are on."""
    still_open = [dispute for dispute in disputes_of(state) if dispute.status is ConflictStatus.OPEN]
    lines: dict[str, None] = {}  # a conflict on two matters, told by its description, stands there once
    for dispute in still_open:
        members = _members(dispute, state, ConflictStatus.OPEN)
        if len(members) == 1:
            lines[_conflict_lines(members[0], state, lang)] = None
            continue
        lines[say("open_dispute", lang, dispute=neutralise(describe(dispute, lang)))] = None
        for conflict in members:
            lines[indent(_conflict_lines(conflict, state, lang), "  ")] = None
    return list(lines)


def _conflict_lines(conflict: Conflict, state: MemoryState, lang: Lang) -> str:
    description = neutralise(conflict.description)
    left, right = (_with_documents(state.graph.successor(node_id), state, lang) for node_id in conflict.node_ids)
    head = say("open_conflict", lang, id=conflict.id, left=left, right=right, description=description)
    points = (_point_line(number, pair, lang) for number, pair in enumerate(conflict.contradictions))
    return "\n".join([head, *(indent(point, "    ") for point in points)])


def _with_documents(node_id: NodeId, state: MemoryState, lang: Lang) -> str:
    """A node with the documents that it comes from."""
    names = [neutralise(name) for name in state.tree.sources_of(node_id)]
    if not names:
        return node_id
    shown_names = [*names[:MOST_DOCUMENTS], *(["…"] if len(names) > MOST_DOCUMENTS else [])]
    return say("dispute_value", lang, value=node_id, sources=say("sources_between", lang).join(shown_names))


def _point_line(number: int, pair: Contradiction, lang: Lang) -> str:
    """A point by its number. Where values alone do not say what is disputed, the sentences stand there."""
    attribute = pair.left.attribute or pair.right.attribute
    sides = (pair.left, pair.right)
    is_named = attribute and GAP not in attribute and all(claim.value for claim in sides)  # by a model
    is_plain_value = attribute and all(claim.value and claim.kind not in ("negation", "text") for claim in sides)
    left, right = (
        neutralise(short(shown(claim) if is_named or is_plain_value else fold_space(claim.text), LONGEST_VALUE))
        for claim in sides
    )
    about = matter(pair.left.subject or pair.right.subject, attribute, () if is_named else sides, lang)
    about = about or fold_space(pair.reason)
    return say("open_point", lang, number=number, about=neutralise(about), left=left, right=right)


def _members(dispute: Dispute, state: MemoryState, *statuses: ConflictStatus) -> list[Conflict]:
    members = (state.conflicts.all[conflict_id] for conflict_id in dispute.conflict_ids)
    return [conflict for conflict in members if conflict.status in statuses]


# -- the state of a memory --------------------------------------------------------------------------------------------


def doubts(state: MemoryState) -> Mapping[NodeId, Sequence[Dispute]]:
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


def state_lines(node_id: NodeId, disputes: Sequence[Dispute], state: MemoryState, lang: Lang) -> list[str]:
    """How a memory stands, a line for each dispute in which it has no open conflict: those stand among the open
    ones."""
    lines: dict[str, None] = {}
    for dispute in disputes:
        own = _conflicts_of(node_id, dispute, state)
        if own and not any(conflict.status is ConflictStatus.OPEN for conflict in own):
            lines[_state_line(dispute, own, lang)] = None
    return list(lines)


def _conflicts_of(node_id: NodeId, dispute: Dispute, state: MemoryState) -> list[Conflict]:
    """The conflicts of a dispute that a node took part in and that no verdict decided."""
    return [
        conflict
        for conflict in _members(dispute, state, *_IN_DOUBT)
        if node_id in map(state.graph.successor, conflict.node_ids)
    ]


def _state_line(dispute: Dispute, own: Sequence[Conflict], lang: Lang) -> str:
    ids = say("sources_between", lang).join(conflict.id for conflict in own)
    key = "memory_settled" if dispute.holds else "memory_disputed"
    return say(key, lang, id=ids, description=neutralise(describe(dispute, lang)))
