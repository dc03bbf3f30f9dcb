"""The decisive scenes of a run, from its records alone: whatever it was about, and however it went.

A stage is shown when it has ended, from what came before it, so that the story of a run that goes on grows at its end
and nothing of it is taken back.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

from memorybank.contradiction.disputes.dispute import Dispute, label
from memorybank.contradiction.disputes.gathering import disputes_of
from memorybank.language.text import source_key
from memorybank.language.tokens import query_tokens
from memorybank.memory import events
from memorybank.memory.state import MemoryState
from memorybank.memory.types import ConflictId, ConflictStatus, NodeId, TaskType
from memorybank.prompts.claim_words import LONGEST_LISTED
from memorybank.runs.banks import Banks
from memorybank.runs.journal import Record
from memorybank.runs.stages import StageReader
from memorybank.views.run.commits import Commit
from memorybank.views.story.scene import Scene, SceneKind, Side, continued, sides_of_dispute, undecided
from memorybank.views.text.display import clip

MOST_WHOLE: Final = 2
"""The most disputes that are shown step by step, from the clash to the fold."""
_BY_HAND: Final = (events.ConflictRestored, events.ConflictToldApart, events.MergeRestored, events.MergeUndone)
"""The events in which a person acts on disputes that were decided."""


@dataclass(slots=True)
class _Course:
    """The course of a dispute in the story so far."""

    is_whole: bool
    sides: tuple[Side, ...]
    """The sides before the verdict."""
    is_checked: bool = False
    outcome: tuple[ConflictStatus, str] = (ConflictStatus.OPEN, "")


class DisputeScenes:
    """The scenes of the disputes of one task, whose stages are taken as they end."""

    def __init__(self) -> None:
        self.met: set[ConflictId] = set()
        """Conflicts that were found or worked on; not what an imported memory brought and had settled before."""
        self._courses: dict[str, _Course] = {}
        """Maps the name that a dispute had first to how far it has come."""
        self._counted: list[Scene] = []
        self._read: dict[str, int] = {}
        """The number of the event in which the executor's last work read each source, by its `source_key`."""
        self._queries: tuple[str, ...] = ()
        """The queries of that work."""
        self._executed = 0
        """The number of the event with which that work ended."""

    @property
    def has_begun(self) -> bool:
        return bool(self._courses)

    def take(self, commit: Commit, bank: MemoryState) -> Iterator[Scene]:
        if commit.stage == "execute":
            uses = [
                (record.seq, record.event) for record in commit.records if isinstance(record.event, events.ToolUsed)
            ]
            self._read = {source_key(name): seq for seq, use in reversed(uses) for name in use.sources}
            self._queries = tuple(query for _, use in uses for query in _queries_of(use))
            self._executed = commit.seq
        found = {event.conflict_id for event in commit.events(events.ConflictFound)} | _brought(commit)
        closed = {event.conflict_id for event in commit.events(events.ConflictClosed)}
        tried = {event.conflict_id for event in commit.events(events.ConflictAttempted)}
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
                course = self._course(dispute)
                if course is not None and course.is_whole and dispute.status is ConflictStatus.OPEN:
                    yield _scene("verdict", "verdict_open", dispute, course.sides, commit, bank)
        yield from folds.values()

    def rest(self) -> Iterator[Scene]:
        """Yield a scene for the disputes that are only counted."""
        if count := len(self._counted):
            left = sum(verdict.status is ConflictStatus.INCONCLUSIVE for verdict in self._counted)
            values = {"count": count, "settled": count - left, "left": left}
            words = "rest_settled" if not left else "rest_undecided" if left == count else "rest"
            conflicts, seq = tuple(verdict.conflicts[0] for verdict in self._counted), self._counted[-1].seq
            yield Scene(seq=seq, kind="rest", words=words, values=values, stage="resolve", conflicts=conflicts)
            self._counted = []

    # -- from the clash to the fold -----------------------------------------------------------------------------------

    def _course(self, dispute: Dispute) -> _Course | None:
        """Return the course of a dispute, known by its points; one that grew into an older one is that."""
        return next((self._courses[point] for point in dispute.points if point in self._courses), None)

    def _clash(self, dispute: Dispute, commit: Commit, bank: MemoryState) -> Iterator[Scene]:
        is_open = dispute.status is ConflictStatus.OPEN
        sides, known = undecided(sides_of_dispute(dispute, bank)), self._course(dispute)
        if known is not None:
            known.sides = continued(sides, known.sides) if is_open else known.sides
            return
        is_whole = is_open and sum(course.is_whole for course in self._courses.values()) < MOST_WHOLE
        self._courses[dispute.id] = _Course(is_whole=is_whole, sides=sides)
        if is_whole:
            yield _scene("clash", _clash_words(dispute), dispute, sides, commit, bank)

    def _check(self, commit: Commit, bank: MemoryState) -> Iterator[Scene]:
        """Yield one scene for a check, whatever else it is on: of the first dispute that is shown step by step."""
        task = next((plan.next_task for plan in commit.events(events.PlanUpdated)), None)
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
        if dispute.status is ConflictStatus.INCONCLUSIVE and commit.events(events.MergeUndone):
            return  # the scene of the merge that was taken back says so
        sides = continued(sides_of_dispute(dispute, bank), course.sides)
        words = _verdict_words(dispute, sides, course.sides, by_hand=commit.stage == "verdict")
        merge = (
            _merge_of(dispute, commit, bank) if commit.events(events.ConflictClosed) else None
        )  # a split unites the rest
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
            self._counted.append(_scene("verdict", words, dispute, sides, commit, bank))

    def _sources(self, dispute: Dispute, sides: tuple[Side, ...], commit: Commit, bank: MemoryState) -> Scene:
        """Return the scene of the sources as the check read them, or at its end where none speaks of the matter."""
        fresh = [source.name for side in sides for source in side.sources if source.is_new]
        read = [self._read[key] for key in map(source_key, fresh) if key in self._read]
        words, seq = "source" if fresh else "source_known", max(read, default=self._executed)
        scene = _scene(
            "source", words, dispute, undecided(sides), commit, bank, seq=seq, stage="execute", count=len(fresh)
        )
        matter = set(query_tokens(" ".join(claim.text for claim in dispute.claims)))
        query = max(self._queries, key=lambda query: len(matter.intersection(query_tokens(query))), default="")
        return replace(scene, query=query)


def _queries_of(use: events.ToolUsed) -> Sequence[str]:
    """Return the words of a search, which may look for several; none for another tool."""
    query = use.arguments.get("query") or ()
    return [query] if isinstance(query, str) else list(query)


def _is_by_hand(commit: Commit) -> bool:
    return any(isinstance(record.event, _BY_HAND) for record in commit.records)


def _closing(dispute: Dispute, commit: Commit) -> int:
    """Return the number of the last event of a stage that closes a conflict of the dispute."""
    return max(
        record.seq
        for record in commit.records
        if isinstance(record.event, events.ConflictClosed) and record.event.conflict_id in dispute.conflict_ids
    )


def _brought(commit: Commit) -> set[ConflictId]:
    """Return the conflicts that an imported memory leaves to be checked."""
    imported = (conflict for event in commit.events(events.MemoryImported) for conflict in event.conflicts)
    return {conflict.id for conflict in imported if conflict.status is ConflictStatus.OPEN}


def _clash_words(dispute: Dispute) -> str:
    if not dispute.values:
        return "clash_unnamed"
    is_long = max(len(value.text) for value in dispute.values) > LONGEST_LISTED
    return "clash_of_sentences" if is_long and label(dispute) else "clash"


def _verdict_words(dispute: Dispute, sides: tuple[Side, ...], known: Iterable[Side], *, by_hand: bool) -> str:
    held = next((side for side in sides if side.holds), None)
    if not dispute.status.decides:
        return "verdict_open_again" if dispute.status is ConflictStatus.OPEN else f"verdict_{dispute.status}"
    if held is None:
        return "verdict_unnamed"
    if by_hand:
        return "verdict_by_hand"
    if not any(side.value == held.value for side in known):
        return "verdict_third"
    return "verdict_resolved_many" if len(sides) > 2 else "verdict_resolved"


def _nodes_before(dispute: Dispute, commit: Commit, bank: MemoryState) -> tuple[NodeId, ...]:
    """Return the nodes that stand against each other, as they were called before the stage."""
    made = {merge.new_node_id for merge in commit.events(events.NodesMerged)}
    nodes: dict[NodeId, None] = {}
    for conflict_id in dispute.conflict_ids:
        for node_id in bank.conflicts.all[conflict_id].node_ids:
            while (into := bank.graph.gone.get(node_id)) is not None and into not in made:
                node_id = into
            nodes[node_id] = None
    return tuple(nodes)


def _merge_of(dispute: Dispute, commit: Commit, bank: MemoryState) -> events.NodesMerged | None:
    nodes, merges = set(_nodes_before(dispute, commit, bank)), commit.events(events.NodesMerged)
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
    merge: events.NodesMerged | None = None,
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


MOST_FAILED: Final = 2
"""The most failed steps of a task that have a scene."""
NAME, SENTENCE, GOAL = 60, 160, 320
"""The most columns of a name, of a sentence that is quoted and of the task."""


def build_scenes(records: Sequence[Record[Any]]) -> tuple[Scene, ...]:
    return tuple(SceneReader().read(records))


@dataclass(slots=True)
class _Act:
    """The scenes shown of one task."""

    disputes: DisputeScenes = field(default_factory=DisputeScenes)
    filed: set[str] = field(default_factory=set)
    """The origins of which something filed was shown: each is shown once."""
    failed: int = 0
    has_direct_fold: bool = False


class SceneReader:
    """A reader that follows one run. `read` takes what is new; records taken back make it begin anew."""

    def __init__(self) -> None:
        self.scenes: list[Scene] = []
        self._banks = Banks()
        self._count = 0
        self._newest: Record[Any] | None = None
        self._stages = StageReader()
        self._pending: list[Record[Any]] = []
        self._act = _Act()

    def read(self, records: Sequence[Record[Any]]) -> Sequence[Scene]:
        if self._newest is not None and list(records[self._count - 1 : self._count]) != [self._newest]:
            self.__init__()  # type: ignore[misc]
        for record in records[self._count : len(records)]:
            self._count, self._newest = record.seq, record
            self._stages.take(record)
            self._pending.append(record)
            if self._banks.take(record):
                self._settle(self._banks.newest)
        return self.scenes

    def _settle(self, bank: MemoryState) -> None:
        """Add the scenes of the stage that ended with the record taken last; `bank` is the memory then."""
        commit = Commit(stage=self._stages.stage, round=self._stages.round, records=self._pending)
        self._pending = []
        for scene in sorted(self._scenes(commit, bank), key=lambda scene: scene.seq):
            seq = max(scene.seq, self.scenes[-1].seq if self.scenes else 0)
            self.scenes.append(replace(scene, seq=seq, stage=scene.stage or commit.stage))

    def _scenes(self, commit: Commit, bank: MemoryState) -> Iterator[Scene]:
        if commit.events(events.TaskReceived):
            self._act = _Act()
        for imported in commit.events(events.MemoryImported):
            yield _imported(imported, commit)
        if commit.stage == "receive":
            # A scene for a task, or for a run that begins without one; not for what is handed over meanwhile.
            goal = next((event.goal for event in commit.events(events.TaskReceived)), "")
            count = len(commit.events(events.EntryRecorded)) + len(commit.events(events.ImageStaged))
            if goal or (count and not self.scenes):
                words = "task_both" if goal and count else "task" if goal else "task_sources"
                values = {"goal": clip(goal, GOAL), "count": count}
                yield Scene(seq=commit.seq, kind="task", words=words, values=values)
        yield from self._filed(commit, bank)
        disputed = list(self._act.disputes.take(commit, bank))
        if not any(scene.kind == "clash" for scene in disputed):  # which is what everybody waits for
            yield from self._direct_fold(commit)
        yield from disputed
        yield from self._turns(commit)
        for ending in commit.events(events.SessionFinished):
            yield from self._act.disputes.rest()
            yield _answer(ending, bank, commit, self._act.disputes.met)

    def _turns(self, commit: Commit) -> Iterator[Scene]:
        """Yield a scene for each failed step, and for each merge that a person took back."""
        for record in commit.records:
            match record.event:
                case events.TaskFailed(task=task) if self._act.failed < MOST_FAILED:
                    self._act.failed += 1
                    reason = {"reason": clip(task.context, SENTENCE)}
                    yield Scene(seq=commit.seq, kind="failed", words="failed", values=reason)
                case events.MergeUndone(restored=restored, split=split):
                    nodes = split or restored
                    values = {"count": len(nodes)}
                    yield Scene(seq=commit.seq, kind="undone", words="undone", values=values, nodes=nodes)

    def _filed(self, commit: Commit, bank: MemoryState) -> Iterator[Scene]:
        """Yield a scene for what came into the memory: the first of each origin, and none once a conflict was shown."""
        nodes = commit.events(events.NodeCreated)
        entries = [bank.tree.entries[span.entry_id] for node in nodes for span in node.spans]
        if not entries:
            return
        kind = entries[0].kind
        origin = kind if kind == "image" else "read" if kind == "tool" else "given"
        if origin in self._act.filed or self._act.disputes.has_begun:
            return
        self._act.filed.add(origin)
        values = {
            "count": len(nodes),
            "sources": len({entry.id for entry in entries}),
            "source": clip(entries[0].source, NAME),
        }
        node_ids = tuple(node.node_id for node in nodes)
        yield Scene(seq=commit.seq, kind="filed", words=f"filed_{origin}", values=values, nodes=node_ids)

    def _direct_fold(self, commit: Commit) -> Iterator[Scene]:
        """Yield a scene for the first nodes that became one because they say the same."""
        direct = (one for one in commit.events(events.NodesMerged) if one.trigger == "merge" and one.rest_of is None)
        merge = next(direct, None)
        if merge is None or self._act.has_direct_fold:
            return
        self._act.has_direct_fold = True
        values = {"count": len(merge.merged_node_ids)}
        yield Scene(
            seq=commit.seq,
            kind="fold",
            words="fold_same",
            values=values,
            nodes=merge.merged_node_ids,
            merge=merge.event_id,
        )


def _imported(event: events.MemoryImported, commit: Commit) -> Scene:
    values = {"count": len(event.nodes), "merges": len(event.merge_events), "conflicts": len(event.conflicts)}
    nodes = tuple(node.node_id for node in event.nodes)
    return Scene(seq=commit.seq, kind="imported", words="imported", values=values, nodes=nodes)


def _answer(event: events.SessionFinished, bank: MemoryState, commit: Commit, met: Collection[ConflictId]) -> Scene:
    """Return the scene of the end, with how many disputes there were on the way: those of `met`."""
    disputes = disputes_of(bank, met)
    settled = sum(dispute.status.decides or dispute.status is ConflictStatus.FALSE_ALARM for dispute in disputes)
    words = f"answer_{event.result}"
    if event.result == "complete" and disputes:
        words = "answer_settled" if settled == len(disputes) else "answer_disputed" if settled else "answer_undecided"
    values = {"count": len(disputes), "settled": settled, "left": len(disputes) - settled}
    return Scene(seq=commit.seq, kind="answer", words=words, values=values)
