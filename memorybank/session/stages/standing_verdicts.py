"""Verdicts that stand: what a validation has read and weighed is not validated again when it is filed.

A document that repeats the refuted value contradicts the memory that its own validation has just corrected. The verdict
knew it, so it decides this conflict too. A document that the validation had not read is new evidence, and is checked.
What an earlier check left inconclusive is lifted by a verdict on the same values that outweighs all that check found.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from memorybank.contradiction.disputes import Standing, standing
from memorybank.contradiction.votes import checked, is_on, unproven
from memorybank.language.text import fold_space
from memorybank.memory.bank import MemoryBank
from memorybank.memory.contracts import StatedVerdict
from memorybank.memory.events import TaskExecuted
from memorybank.memory.types import SIDES, Conflict, ConflictStatus, Evidence, Lang, NodeId
from memorybank.prompts import say
from memorybank.session.stages.executing import brief, documents


def standing_verdicts(state: MemoryBank, lang: Lang) -> list[tuple[Conflict, StatedVerdict]]:
    """The conflicts, open or left inconclusive, that the verdicts of this round decide, each with the verdict."""
    task, executed = state.doc.current_task, state.progress.executed
    if state.progress.route != "cross_validate" or task is None or executed is None:
        return []
    known = (state.conflicts.all[conflict_id] for conflict_id in task.conflict_ids)
    decided = [conflict for conflict in known if conflict.status.decides]
    waiting = [one for one in state.conflicts.all.values() if one.status is ConflictStatus.OPEN or one.may_be_lifted]
    verdicts = (_verdict(state, conflict, decided, executed, lang) for conflict in waiting)
    return [(state.conflicts.all[verdict.conflict], verdict) for verdict in verdicts if verdict is not None]


def _verdict(
    state: MemoryBank, conflict: Conflict, decided: Sequence[Conflict], executed: TaskExecuted, lang: Lang
) -> StatedVerdict | None:
    live = [state.graph.successor(node_id) for node_id in conflict.node_ids]
    for other in decided:
        corrected = {state.graph.successor(node_id) for node_id in other.node_ids}
        points = standing(conflict, other, of_one_memory=bool(corrected & set(live)))
        if not points:
            continue
        winner = points[0].side
        loser = live[1] if winner == "left" else live[0]
        verdict = StatedVerdict(
            conflict=conflict.id,
            status=ConflictStatus.RESOLVED,
            winner=winner,
            value=points[0].value,
            reasoning=say("verdict_stands", lang, conflict=other.id, reason=other.reason),
            evidence=_evidence(state, conflict, other, points),
        )
        if conflict.may_be_lifted:
            stands = executed.stated or not unproven(verdict, lang)
        else:
            stands = set(state.tree.entries_of(loser)) <= set(executed.materials)
        if stands:
            return verdict
    return None


def _evidence(
    state: MemoryBank, conflict: Conflict, decided: Conflict, points: Sequence[Standing]
) -> tuple[Evidence, ...]:
    """What the verdict stood on, as this conflict sees it: first the documents of its own two sides, and what an
    earlier check of it heard.

    Who is a party, or a copy, is judged anew: a party of the conflict that was decided may be none of this one.
    """
    voices = list(_own_voices(state, conflict))
    own = {voice.source for voice in voices}
    voices += (voice for voice in conflict.evidence if voice.is_said and voice.source not in own)
    heard = {voice.source for voice in voices}
    others = [voice for voice in decided.evidence if voice.source not in heard and voice.is_said]
    for point in points:
        voices += (
            replace(voice, supports=point.side_of(voice), contradictions=(), independent=True, refused="", copy_of="")
            for voice in others
            if voice.supports != "neither" and is_on(voice, point.contradiction)
        )
    return checked(dict.fromkeys(voices), [*brief(state, conflict).parties, *documents(state)])


def _own_voices(state: MemoryBank, conflict: Conflict) -> Iterable[Evidence]:
    for pair in conflict.contradictions:
        for side, node_id, claim in zip(SIDES, conflict.node_ids, (pair.left, pair.right), strict=True):
            source = _stating(state, node_id, claim.text)
            if source is not None:
                yield Evidence(source=source, quote=claim.text, supports=side, value=claim.value, independent=False)


def _stating(state: MemoryBank, node_id: NodeId, sentence: str) -> str | None:
    """The first document behind a node that says it."""
    wanted = fold_space(sentence)
    entries = (state.tree.entries[entry_id] for entry_id in state.tree.entries_of(node_id))
    return next((entry.source for entry in entries if wanted in fold_space(entry.text)), None)
