"""The scenes of the disputes of one task: the first step by step, the others counted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Final

from memorybank.contradiction.disputes.dispute import Dispute, label
from memorybank.contradiction.disputes.gathering import disputes_of
from memorybank.language.text import source_key
from memorybank.memory.events import (
    ConflictAttempted,
    ConflictClosed,
    ConflictFound,
    ConflictRestored,
    ConflictToldApart,
    MemoryImported,
    MergeRestored,
    MergeUndone,
    NodesMerged,
    PlanUpdated,
    ToolUsed,
)
from memorybank.memory.state import MemoryState
from memorybank.memory.types import ConflictId, ConflictStatus, NodeId, TaskType
from memorybank.prompts.claim_words import LONGEST_LISTED
from memorybank.views.run.commits import Commit
from memorybank.views.story.scene import Scene, SceneKind, Side, in_order, sides_of_dispute, undecided

MOST_WHOLE: Final = 2
"""Disputes that are shown step by step, from the clash to the fold."""
_BY_HAND: Final = (ConflictRestored, ConflictToldApart, MergeRestored, MergeUndone)
"""What a person does to disputes that were decided."""


@dataclass(slots=True)
class _Course:
    """How far a dispute has come in the story."""

    is_whole: bool
    sides: tuple[Side, ...]
    """Before its verdict."""
    is_checked: bool = False
    outcome: tuple[ConflictStatus, str] = (ConflictStatus.OPEN, "")


class DisputeScenes:
    """Takes the stages of one task as they end."""

    def __init__(self) -> None:
        self.met: set[ConflictId] = set()
        """Conflicts that were found or worked on; not what an imported memory brought and had settled before."""
        self._courses: dict[str, _Course] = {}
        """Maps the name that a dispute had first to how far it has come."""
        self._counted: Counter[ConflictStatus] = Counter()
        self._counted_until = 0
        self._read: dict[str, int] = {}
        """When the executor's last work read each source, by its `source_key`."""
        self._query = ""
        """What that work looked for first."""
        self._executed = 0
        """Where that work ended."""

    @property
    def has_begun(self) -> bool:
        return bool(self._courses)

    def take(self, commit: Commit, bank: MemoryState) -> Iterator[Scene]:
        if commit.stage == "execute":
            uses = [(record.seq, record.event) for record in commit.records if isinstance(record.event, ToolUsed)]
            self._read = {source_key(name): seq for seq, use in reversed(uses) for name in use.sources}
            self._query = next((query for _, use in uses if (query := _query_of(use))), "")
            self._executed = commit.seq
        found = {event.conflict_id for event in commit.events(ConflictFound)} | _brought(commit)
        closed = {event.conflict_id for event in commit.events(ConflictClosed)}
        tried = {event.conflict_id for event in commit.events(ConflictAttempted)}
        if _is_by_hand(commit):
            closed |= self.met
        touched = found | closed | tried
        self.met |= touched
        disputes = disputes_of(bank, touched) if touched else ()
        for dispute in disputes:
            if found.intersection(dispute.conflict_ids):
                yield from self._clash(dispute, commit, bank)
        yield from self._check(commit, bank)
        folds: dict[str, Scene] = {}
        for dispute in disputes:
            if closed.intersection(dispute.conflict_ids):
                yield from self._verdict(dispute, commit, bank, folds)
            elif tried.intersection(dispute.conflict_ids):
                yield from self._no_verdict(dispute, commit, bank)
        yield from folds.values()

    def rest(self) -> Iterator[Scene]:
        """The disputes that are only counted."""
        count = self._counted.total()
        if count:
            left = self._counted[ConflictStatus.INCONCLUSIVE]
            values = {"count": count, "settled": count - left, "left": left}
            words = "rest" if left else "rest_settled"
            yield Scene(seq=self._counted_until, kind="rest", words=words, values=values, stage="resolve")
            self._counted.clear()

    # -- from the clash to the fold -----------------------------------------------------------------------------------

    def _course(self, dispute: Dispute) -> _Course | None:
        """Return the course of a dispute, known by its points; one that grew into an older one is that."""
        return next((self._courses[point] for point in dispute.points if point in self._courses), None)

    def _clash(self, dispute: Dispute, commit: Commit, bank: MemoryState) -> Iterator[Scene]:
        is_open = dispute.status is ConflictStatus.OPEN
        sides, known = undecided(sides_of_dispute(dispute, bank)), self._course(dispute)
        if known is not None:
            known.sides = in_order(sides, known.sides) if is_open else known.sides
            return
        is_whole = is_open and sum(course.is_whole for course in self._courses.values()) < MOST_WHOLE
        self._courses[dispute.id] = _Course(is_whole=is_whole, sides=sides)
        if is_whole:
            yield _scene("clash", _clash_words(dispute), dispute, sides, commit, bank)

    def _check(self, commit: Commit, bank: MemoryState) -> Iterator[Scene]:
        """One scene for a check, whatever else it is on: of the first dispute that is shown step by step."""
        task = next((plan.next_task for plan in commit.events(PlanUpdated)), None)
        if task is None or task.type is not TaskType.CROSS_VALIDATE or commit.stage != "plan":
            return
        checked = disputes_of(bank, [name for name in task.conflict_ids if name in bank.conflicts.all])
        courses = [(dispute, self._course(dispute)) for dispute in checked]
        fresh = [
            (dispute, course) for dispute, course in courses if course and course.is_whole and not course.is_checked
        ]
        for _, course in fresh:
            course.is_checked = True
        for dispute, course in fresh[:1]:
            yield _scene("check", "check", dispute, course.sides, commit, bank, count=len(checked))

    def _verdict(self, dispute: Dispute, commit: Commit, bank: MemoryState, folds: dict[str, Scene]) -> Iterator[Scene]:
        course = self._course(dispute)
        outcome = (dispute.status, dispute.holds.text if dispute.holds else "")
        if (
            course is None
            or outcome == course.outcome
            or (dispute.status is ConflictStatus.OPEN and not _is_by_hand(commit))
        ):
            return
        is_first, course.outcome = course.outcome[0] is ConflictStatus.OPEN, outcome
        if dispute.status is ConflictStatus.INCONCLUSIVE and commit.events(MergeUndone):
            return  # the scene of the merge that was taken back says so
        sides = in_order(sides_of_dispute(dispute, bank), course.sides)
        words = _verdict_words(dispute, sides, course.sides, by_hand=commit.stage == "verdict")
        merge = _merge_of(dispute, commit, bank) if commit.events(ConflictClosed) else None  # a split unites the rest
        if course.is_whole:
            if commit.stage == "resolve":
                yield self._sources(dispute, sides, commit, bank)
            seq = _closing(dispute, commit) if merge is not None else commit.seq
            yield _scene("verdict", words, dispute, sides, commit, bank, seq=seq)
            if merge is not None:
                count = len(merge.merged_node_ids)
                fold = _scene("fold", "fold_verdict", dispute, sides, commit, bank, merge=merge, count=count)
                folds.setdefault(merge.event_id, fold)
        elif is_first:
            self._counted[dispute.status] += 1
            self._counted_until = commit.seq

    def _sources(self, dispute: Dispute, sides: tuple[Side, ...], commit: Commit, bank: MemoryState) -> Scene:
        """As they were read in the check; where it read none that speaks of the matter, at its end."""
        fresh = [source.name for side in sides for source in side.sources if source.is_new]
        read = [self._read[key] for key in map(source_key, fresh) if key in self._read]
        words, seq = "source" if fresh else "source_known", max(read, default=self._executed)
        scene = _scene(
            "source", words, dispute, undecided(sides), commit, bank, seq=seq, stage="execute", count=len(fresh)
        )
        return replace(scene, query=self._query)

    def _no_verdict(self, dispute: Dispute, commit: Commit, bank: MemoryState) -> Iterator[Scene]:
        course = self._course(dispute)
        if course is not None and course.is_whole and dispute.status is ConflictStatus.OPEN:
            yield _scene("verdict", "verdict_open", dispute, course.sides, commit, bank)


def _query_of(use: ToolUsed) -> str:
    """The words of a search; empty for another tool."""
    query = use.arguments.get("query")
    return next(iter(query), "") if isinstance(query, list) else str(query or "")


def _is_by_hand(commit: Commit) -> bool:
    return any(isinstance(record.event, _BY_HAND) for record in commit.records)


def _closing(dispute: Dispute, commit: Commit) -> int:
    """The last event of a stage that closes one of its conflicts."""
    return max(
        record.seq
        for record in commit.records
        if isinstance(record.event, ConflictClosed) and record.event.conflict_id in dispute.conflict_ids
    )


def _brought(commit: Commit) -> set[ConflictId]:
    """The conflicts that an imported memory leaves to be checked."""
    imported = (conflict for event in commit.events(MemoryImported) for conflict in event.conflicts)
    return {conflict.id for conflict in imported if conflict.status is ConflictStatus.OPEN}


def _clash_words(dispute: Dispute) -> str:
    if not dispute.values:
        return "clash_unnamed"
    is_long = max(len(value.text) for value in dispute.values) > LONGEST_LISTED
    return "clash_of_sentences" if is_long and label(dispute) else "clash"


def _verdict_words(dispute: Dispute, sides: tuple[Side, ...], known: Iterable[Side], *, by_hand: bool) -> str:
    held = next((side.value for side in sides if side.holds), None)
    if not dispute.status.decides:
        return "verdict_open_again" if dispute.status is ConflictStatus.OPEN else f"verdict_{dispute.status}"
    if held is None:
        return "verdict_unnamed"
    if by_hand:
        return "verdict_by_hand"
    if not any(side.value == held for side in known):
        return "verdict_third"
    return "verdict_resolved_many" if len(sides) > 2 else "verdict_resolved"


def _nodes_before(dispute: Dispute, commit: Commit, bank: MemoryState) -> tuple[NodeId, ...]:
    """The nodes that stand against each other, as they were called before the stage."""
    made = {merge.new_node_id for merge in commit.events(NodesMerged)}
    nodes: dict[NodeId, None] = {}
    for conflict_id in dispute.conflict_ids:
        for node_id in bank.conflicts.all[conflict_id].node_ids:
            while (into := bank.graph.gone.get(node_id)) is not None and into not in made:
                node_id = into
            nodes[node_id] = None
    return tuple(nodes)


def _merge_of(dispute: Dispute, commit: Commit, bank: MemoryState) -> NodesMerged | None:
    nodes, merges = set(_nodes_before(dispute, commit, bank)), commit.events(NodesMerged)
    return next((merge for merge in merges if len(nodes.intersection(merge.merged_node_ids)) > 1), None)


def _scene(
    kind: SceneKind,
    words: str,
    dispute: Dispute,
    sides: tuple[Side, ...],
    commit: Commit,
    bank: MemoryState,
    *,
    seq: int = 0,
    stage: str = "",
    merge: NodesMerged | None = None,
    **values: object,
) -> Scene:
    return Scene(
        seq=seq or commit.seq,
        kind=kind,
        words=words,
        values=values,
        stage=stage or commit.stage,
        nodes=merge.merged_node_ids if merge is not None else _nodes_before(dispute, commit, bank),
        conflicts=dispute.conflict_ids,
        merge=merge.event_id if merge is not None else None,
        dispute=dispute,
        sides=sides,
        status=dispute.status if kind in ("verdict", "fold") else ConflictStatus.OPEN,
    )
