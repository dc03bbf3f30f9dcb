"""What every view of a conflict or a relation shows alike: its look, who decided it, what differs between claims."""

from __future__ import annotations

from dataclasses import dataclass

from memorybank.contradiction.disputes.dispute import Dispute
from memorybank.memory.state import MemoryState
from memorybank.memory.types import Conflict, ConflictStatus, Lang, MergeEvent, NodeId, Relation
from memorybank.session.executors.base import OFFLINE_RESEARCHER, REACT_AGENT
from memorybank.views.box import Box, Piece, box, chip, marked
from memorybank.views.i18n import t
from memorybank.views.memory.lineage import MergeStory
from memorybank.views.text.diff import mark_difference

MOST_MARKED = 0.4
"""Share of a statement that may be marked; more marks nothing."""
LOOKS = {
    ConflictStatus.OPEN: "conflict",
    ConflictStatus.RESOLVED: "done",
    ConflictStatus.BOTH_WRONG: "done",
    ConflictStatus.FALSE_ALARM: "node",
    ConflictStatus.INCONCLUSIVE: "disputed",
    ConflictStatus.CHECKED: "done",
}
RELATION_LOOKS = {
    Relation.CONFLICT: "conflict",
    Relation.MERGE: "merge",
    Relation.RELATED: "node",
    Relation.UNRELATED: "",
}
USER = "user"
"""`closed_by` of a verdict that a person stated, or brought about by undoing a merge."""
_EXECUTORS = {OFFLINE_RESEARCHER: "executor.offline", REACT_AGENT: "executor.react", USER: "conflicts.by_user"}


def status_chip(status: ConflictStatus, lang: Lang) -> Box:
    live = " live" if status is ConflictStatus.OPEN else ""
    return chip(t(f"conflict.status.{status}", lang), LOOKS[status] + live)


def status_help(dispute: Dispute, conflict: Conflict, lang: Lang) -> str:
    """What its state means, in a sentence; the pair that a person left open is not put down to the evidence."""
    if conflict.status is ConflictStatus.INCONCLUSIVE and conflict.closed_by == USER:
        return t("conflicts.left_open", lang)
    return t(f"conflict.status_help.{dispute.status}", lang)


@dataclass(frozen=True, slots=True)
class ClaimSide:
    """One statement of a contradiction, as it is shown."""

    text: str
    pieces: tuple[Piece, ...]
    """The text, what differs marked."""


def sides_of(conflict: Conflict, bank: MemoryState) -> list[tuple[ClaimSide, ClaimSide]]:
    """The pairs of statements that contradict each other; without any, the two summaries."""
    pairs = dict.fromkeys(
        ((contradiction.left.text, contradiction.left.value), (contradiction.right.text, contradiction.right.value))
        for contradiction in conflict.contradictions
    )
    if not pairs:
        left, right = (_summary(node_id, bank) for node_id in conflict.node_ids)
        pairs = {((left, ""), (right, "")): None}
    return [mark_claims(left, right) for left, right in pairs]


def mark_claims(left: tuple[str, str], right: tuple[str, str]) -> tuple[ClaimSide, ClaimSide]:
    """Two statements, each with its contested value.

    Where the sentences are built alike, the words that differ are marked; where they share little, the values alone.
    """
    marks = mark_difference(left[0], right[0])
    shares = (
        sum(len(mark.text) for mark in pieces if mark.differs) / max(1, len(text))
        for pieces, (text, _) in zip(marks, (left, right), strict=True)
    )
    by_value = all(value and value in text for text, value in (left, right)) and left[1] != right[1]
    if max(shares) > MOST_MARKED and by_value:
        return _mark_value(*left), _mark_value(*right)
    return ClaimSide(left[0], marked(marks[0])), ClaimSide(right[0], marked(marks[1]))


def _mark_value(text: str, value: str) -> ClaimSide:
    before, _, after = text.partition(value)
    return ClaimSide(text, (before, box("mark", "", value), after))


def _summary(node_id: NodeId, bank: MemoryState) -> str:
    node = bank.graph.nodes.get(node_id) or next(
        (source for merge in bank.graph.merges.values() for source in merge.sources if source.id == node_id), None
    )
    return node.summary if node else node_id


def decided_by(conflict: Conflict, lang: Lang) -> str:
    if conflict.closed_by == USER:
        return t("conflict.decided_by_user", lang)
    return t("conflict.decided_by", lang, name=executor_name(conflict.closed_by, lang))


def executor_name(name: str, lang: Lang) -> str:
    """Who worked on a task, or gave a verdict; an executor of one's own goes by its name."""
    return t(_EXECUTORS[name], lang) if name in _EXECUTORS else name


def merge_chip(merge: MergeEvent | MergeStory, lang: Lang) -> Box:
    words = t("merge.undone", lang) if merge.undone else t(f"merge.trigger.{merge.trigger}", lang)
    return chip(words, "" if merge.undone else "merge")
