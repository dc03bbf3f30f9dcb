"""Verdicts that stand: what a validation has read and weighed is not validated again when it is filed.

A document that repeats the refuted value contradicts the memory that its own validation has just corrected. The verdict
knew it, so it decides this conflict too. A document that the validation had not read is new evidence, and is checked.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Literal

from memorybank.contradiction.disputes import decided_side
from memorybank.memory.bank import MemoryBank
from memorybank.memory.contracts import StatedVerdict
from memorybank.memory.types import Conflict, ConflictStatus, EntryId, Evidence, Lang
from memorybank.prompts import say


def standing_verdicts(state: MemoryBank, lang: Lang) -> list[tuple[Conflict, StatedVerdict]]:
    """The open conflicts that the verdicts of this round decide, each with the verdict."""
    task, executed = state.doc.current_task, state.progress.executed
    if state.progress.route != "cross_validate" or task is None or executed is None:
        return []
    known = (state.conflicts.all[conflict_id] for conflict_id in task.conflict_ids)
    decided = [conflict for conflict in known if conflict.status.decides]
    verdicts = (_verdict(state, conflict, decided, executed.materials, lang) for conflict in state.conflicts.open())
    return [(state.conflicts.all[verdict.conflict], verdict) for verdict in verdicts if verdict is not None]


def _verdict(
    state: MemoryBank, conflict: Conflict, decided: Sequence[Conflict], read: Sequence[EntryId], lang: Lang
) -> StatedVerdict | None:
    live = [state.graph.successor(node_id) for node_id in conflict.node_ids]
    for other in decided:
        corrected = {state.graph.successor(node_id) for node_id in other.node_ids}
        winner = decided_side(conflict, other, of_one_memory=bool(corrected & set(live)))
        loser = live[1] if winner == "left" else live[0]
        if winner and set(state.tree.entries_of(loser)) <= set(read):
            return StatedVerdict(
                conflict=conflict.id,
                status=ConflictStatus.RESOLVED,
                winner=winner,
                value=other.value,
                reasoning=say("verdict_stands", lang, conflict=other.id, reason=other.reason),
                evidence=tuple(_seen_from(item, other, winner) for item in other.evidence),
            )
    return None


def _seen_from(evidence: Evidence, decided: Conflict, winner: Literal["left", "right"]) -> Evidence:
    """The evidence of a verdict for another conflict that it decides: what held there holds here."""
    if evidence.supports == "neither":
        return evidence
    held = evidence.supports == (decided.winner or "other")
    loser: Literal["left", "right"] = "right" if winner == "left" else "left"
    return replace(evidence, supports=winner if held else loser)
