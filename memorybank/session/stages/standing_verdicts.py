"""Verdicts that stand: what a validation has read and weighed is not validated again when it is filed.

A document that repeats the refuted value contradicts the memory that its own validation has just corrected. The verdict
knew it, so it decides this conflict too. A document that the validation had not read is new evidence, and is checked.
What an earlier check left inconclusive is lifted by a verdict on the same values that outweighs all that check found.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from memorybank.contradiction.disputes.gathering import Point, held_by, is_one_thing, points_of, share_an_attribute
from memorybank.contradiction.same_value import same_value
from memorybank.contradiction.votes import checked, is_on, unproven
from memorybank.language.text import fold_space
from memorybank.memory.contracts import StatedVerdict
from memorybank.memory.events import TaskExecuted
from memorybank.memory.state import MemoryState
from memorybank.memory.types import SIDES, Claim, Conflict, ConflictId, ConflictStatus, Evidence, Lang, Task
from memorybank.prompts import say
from memorybank.session.stages.executing import brief, documents


def conflicts_checked(state: MemoryState, task: Task) -> list[ConflictId]:
    """Return the conflicts of the round's task, then the others that it gave a verdict on which was taken."""
    stated = (verdict.conflict for verdict in (state.progress.executed.verdicts if state.progress.executed else ()))
    beside = (id_ for id_ in stated if id_ in state.conflicts.all and state.conflicts.all[id_].status.decides)
    return list(dict.fromkeys((*task.conflict_ids, *beside)))


def standing_verdicts(state: MemoryState, lang: Lang) -> list[tuple[Conflict, StatedVerdict]]:
    """Return the open or inconclusive conflicts that the verdicts of this round decide, each with the verdict."""
    task, executed = state.doc.current_task, state.progress.executed
    if state.progress.route != "cross_validate" or task is None or executed is None:
        return []
    known = (state.conflicts.all[conflict_id] for conflict_id in conflicts_checked(state, task))
    decided = [conflict for conflict in known if conflict.status.decides]
    waiting = [one for one in state.conflicts.all.values() if one.status is ConflictStatus.OPEN or one.may_be_lifted]
    verdicts = (_verdict(state, conflict, decided, executed, lang) for conflict in waiting)
    return [(state.conflicts.all[verdict.conflict], verdict) for verdict in verdicts if verdict is not None]


def _verdict(
    state: MemoryState, conflict: Conflict, decided: Sequence[Conflict], executed: TaskExecuted, lang: Lang
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
    state: MemoryState, conflict: Conflict, decided: Conflict, points: Sequence[Standing]
) -> tuple[Evidence, ...]:
    """Return the verdict's evidence, as this conflict sees it: first the documents of its own two sides, and what an
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


def _own_voices(state: MemoryState, conflict: Conflict) -> Iterable[Evidence]:
    for pair in conflict.contradictions:
        for side, node_id, claim in zip(SIDES, conflict.node_ids, (pair.left, pair.right), strict=True):
            entries = (state.tree.entries[entry_id] for entry_id in state.tree.entries_of(node_id))
            saying = (entry.source for entry in entries if fold_space(claim.text) in fold_space(entry.text))
            if (source := next(saying, None)) is not None:
                yield Evidence(source=source, quote=claim.text, supports=side, value=claim.value, independent=False)


# -- whether a conflict is on a point that a verdict has decided -------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """A point of a conflict that a verdict on another conflict decides."""

    side: Literal["left", "right"]
    """The one of its own sides that holds."""
    value: str
    contradiction: int
    """The place of the point that was decided there."""
    claims: tuple[Claim, ...]
    """The point's own two claims, left and right."""
    claims_there: tuple[Claim, ...]
    """The two claims that stood against each other there, left and right."""
    held_there: Literal["left", "right", "other"]
    """The side that holds there, in the words of that conflict's evidence."""

    def side_of(self, voice: Evidence) -> Literal["left", "right", "other"]:
        """Return which of its own sides a voice of that conflict speaks for; a third value is for neither."""
        there = zip(SIDES, self.claims_there, strict=True)
        stated = next((claim for side, claim in there if side == voice.supports), None)
        if stated is None and voice.value:
            stated = replace(self.claims[0], value=voice.value)
        if stated is None:
            return self.side if voice.supports == self.held_there else "other"
        return next((side for side, own in zip(SIDES, self.claims, strict=True) if same_value(stated, own)), "other")


def standing(conflict: Conflict, verdict_on: Conflict, *, of_one_memory: bool) -> tuple[Standing, ...]:
    """Return how another conflict's verdict decides this one's points; empty where it does not decide all of them for
    one side.

    `of_one_memory`: one side of it is what the verdict made of its own, so that both are on one thing.
    """
    points, there = points_of(conflict), points_of(verdict_on)
    sentences = [claim.text for point in there for claim in point.claims]
    sentences += [evidence.quote for evidence in verdict_on.evidence]
    weighed = frozenset(map(fold_space, sentences))
    decided = [(point, held) for point in there if (held := held_by(point)) is not None]
    settled = [on for point in points if (on := _decided(point, decided, weighed, of_one_memory)) is not None]
    return tuple(settled) if len(settled) == len(points) and len({point.side for point in settled}) == 1 else ()


def _decided(
    point: Point, decided: Iterable[tuple[Point, Claim]], weighed: frozenset[str], of_one_memory: bool
) -> Standing | None:
    """Return how a point is decided by a verdict on other points, which knew the sentences in `weighed`."""
    known = [fold_space(claim.text) in weighed for claim in point.claims]
    for other, held in decided:
        if not (of_one_memory or all(known) or is_one_thing(point, other)):
            continue
        alike = share_an_attribute(point, other)
        for side, claim, rival, is_known in zip(SIDES, point.claims, point.claims[::-1], known[::-1], strict=False):
            is_refuted = any(same_value(rival, refuted) for refuted in other.claims)
            if same_value(claim, held) and (alike or is_refuted or is_known):
                words = (word for word, own in zip(SIDES, other.claims, strict=True) if same_value(own, held))
                return Standing(
                    side=side,
                    value=held.value,
                    contradiction=other.number,
                    claims=point.claims,
                    claims_there=other.claims,
                    held_there=next(words, "other"),
                )
    return None
