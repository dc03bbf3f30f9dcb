"""The life of each conflict, step by step, from a run's records alone: found, planned, checked, decided, merged.

Every step names the events that it rests on, so that a page can lead to the moment, the call and the prompt.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from memorybank.memory import events
from memorybank.memory.types import ConflictId, ConflictStatus, EntryId, MergeEventId, NodeId, Relation
from memorybank.runs.journal import Record
from memorybank.runs.stages import Place
from memorybank.views.run.commits import Commit, Records, commits, listed

StepKind = Literal[
    "imported", "found", "planned", "checked", "attempted", "stated", "closed", "merged", "joined", "apart",
    "undone", "restored",
]  # fmt: skip
"""`stated`: a verdict given from outside. `joined`: the nodes were one already. `apart`: settled, not united.
`restored`: a person took back that they had taken the merge back, or that the two are about different things."""

VERDICT = "verdict"
"""The act by which a person states a verdict (events.UserAction)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LifeStep:
    kind: StepKind
    place: Place
    words: str = ""
    """What went wrong in a check."""
    who: str = ""
    """The executor, or who stated the verdict."""
    status: ConflictStatus | None = None
    call: int = 0
    """The number (seq) of the agent's call that decided this; 0 where none did."""
    prompt: int = 0
    """The number (seq) of the prompt that a check was given; 0 where there was none."""
    transcript: EntryId | None = None
    materials: tuple[EntryId, ...] = ()
    """The entries that a check read."""
    tools: int = 0
    """The number of tool calls of a check."""
    merge: MergeEventId | None = None
    nodes: tuple[NodeId, ...] = ()
    """found: the two that met. merged: the new one. undone: those that came back."""


def lives(records: Records) -> Mapping[ConflictId, tuple[LifeStep, ...]]:
    """Return the steps of every conflict, oldest first."""
    reader = LifeReader()
    for commit in commits(records):
        reader.take(commit)
    return {conflict_id: tuple(steps) for conflict_id, steps in reader.steps.items()}


def settled_by(steps_of: Mapping[ConflictId, Iterable[LifeStep]]) -> Mapping[MergeEventId, Sequence[ConflictId]]:
    """Return the conflicts that each merge settled."""
    settled: dict[MergeEventId, list[ConflictId]] = {}
    for conflict_id, steps in steps_of.items():
        for step in steps:
            if step.kind == "merged" and step.merge is not None:
                settled.setdefault(step.merge, []).append(conflict_id)
    return settled


@dataclass(slots=True)
class LifeReader:
    """A reader that follows one run: `steps` are those up to the commit that was taken last."""

    steps: dict[ConflictId, list[LifeStep]] = field(default_factory=dict)
    nodes: dict[ConflictId, tuple[NodeId, NodeId]] = field(default_factory=dict)
    merging: set[ConflictId] = field(default_factory=set)
    """The conflicts that are closed so that their nodes become one."""
    parted: dict[str, set[ConflictId]] = field(default_factory=dict)
    """Maps a merge that was undone, or a conflict told apart, to the conflicts that were merging until then."""
    gone: dict[NodeId, NodeId] = field(default_factory=dict)
    sources: dict[NodeId, tuple[NodeId, ...]] = field(default_factory=dict)
    """Maps a merged node whose merge was undone to its sources, one of which has its conflicts now."""
    task: tuple[ConflictId, ...] = ()
    """The conflicts that are being checked."""
    prompt: int = 0
    failure: str = ""
    executor: str = ""

    def take(self, commit: Commit) -> None:
        closing: list[ConflictId] = []
        united: set[ConflictId] = set()
        calls = judging_calls(commit)
        for record in commit.records:
            place = commit.place(record)
            match record.event:
                case events.ConflictFound() as event:
                    self.nodes[event.conflict_id] = event.node_ids
                    call = calls.get((Relation.CONFLICT, event.description), 0)
                    self._add(event.conflict_id, LifeStep(kind="found", place=place, nodes=event.node_ids, call=call))
                case events.PlanUpdated():
                    self._plan(commit, record)
                case events.PromptEnhanced():
                    self.prompt = record.seq
                case events.TaskExecuted():
                    self._check(commit, record)
                case events.ConflictAttempted(conflict_id=conflict_id):
                    step = LifeStep(kind="attempted", place=place, words=self.failure, who=self.executor)
                    self._add(conflict_id, step)
                case events.ConflictClosed() as event:
                    step = LifeStep(kind="closed", place=place, status=event.status, who=event.closed_by)
                    self._add(event.conflict_id, step)
                    if event.status.merges:
                        closing.append(event.conflict_id)
                case events.NodesMerged() as event:
                    united |= self._merge(commit, record, closing)
                case events.ConflictToldApart(conflict_ids=told) as event:
                    self.parted[told[0]] = self.merging & set(told)
                    self.merging -= set(told)
                    step = LifeStep(kind="closed", place=place, status=ConflictStatus.FALSE_ALARM, who=event.closed_by)
                    for conflict_id in told:
                        self._add(conflict_id, step)
                case events.ConflictRestored(conflict_ids=told):
                    self._restore(told[0], told, LifeStep(kind="restored", place=place, who="user"))
                case events.MergeUndone() as event:
                    self._undo(event, place)
                case events.MergeRestored() as event:
                    self.gone.update(dict.fromkeys(event.merged_node_ids, event.new_node_id))
                    nodes, merge = (event.new_node_id,), event.event_id
                    step = LifeStep(kind="restored", place=place, who="user", merge=merge, nodes=nodes)
                    self._restore(merge, self.parted.get(merge, set()), step)
                case events.MemoryImported() as event:
                    self._import(event, place)
        for conflict_id in closing:
            if conflict_id not in united:
                left, right = map(self._live, self.nodes[conflict_id])
                kind: StepKind = "joined" if left == right else "apart"
                last = commit.place(commit.records[-1])
                self._add(conflict_id, LifeStep(kind=kind, place=last, nodes=tuple(dict.fromkeys((left, right)))))

    def _add(self, conflict_id: ConflictId, step: LifeStep) -> None:
        self.steps.setdefault(conflict_id, []).append(step)

    def _restore(self, reason: str, conflict_ids: Iterable[ConflictId], step: LifeStep) -> None:
        for conflict_id in sorted(conflict_ids, key=number):
            self._add(conflict_id, step)
        self.merging |= self.parted.pop(reason, set())

    def _plan(self, commit: Commit, record: Record[Any]) -> None:
        task = record.event.next_task
        self.task, self.failure, self.prompt = task.conflict_ids if task else (), "", 0
        if commit.stage == VERDICT:
            return  # there is no round: the verdict itself is the step
        call = _last(commit.calls("planning"))
        for conflict_id in self.task:
            place = commit.place(record)
            self._add(conflict_id, LifeStep(kind="planned", place=place, call=call))

    def _check(self, commit: Commit, record: Record[Any]) -> None:
        event: events.TaskExecuted = record.event
        self.failure, self.executor = event.failure, event.executor
        kind: StepKind = "stated" if commit.stage == VERDICT else "checked"
        for conflict_id in self.task:
            step = LifeStep(
                kind=kind,
                place=commit.place(record),
                words=event.failure,
                who=event.executor,
                prompt=0 if kind == "stated" else self.prompt,
                call=_last(observed for observed in commit.records if isinstance(observed.event, events.AgentCalled)),
                transcript=event.transcript,
                materials=event.materials,
                tools=sum(isinstance(observed.event, events.ToolUsed) for observed in commit.records),
            )
            self._add(conflict_id, step)

    def _merge(self, commit: Commit, record: Record[Any], closing: Iterable[ConflictId]) -> set[ConflictId]:
        """Return the conflicts of this commit that the merge settles."""
        event: events.NodesMerged = record.event
        sources = set(event.merged_node_ids)
        call = integration_call(commit, event)
        settled: set[ConflictId] = set()
        for conflict_id in closing:
            if all(self._is_among(node_id, sources) for node_id in self.nodes[conflict_id]):
                settled.add(conflict_id)
                self._add(
                    conflict_id,
                    LifeStep(
                        kind="merged",
                        place=commit.place(record),
                        merge=event.event_id,
                        nodes=(event.new_node_id,),
                        call=call,
                    ),
                )
        self.merging |= settled
        self.gone.update(dict.fromkeys(event.merged_node_ids, event.new_node_id))
        return settled

    def _undo(self, event: events.MergeUndone, place: Place) -> None:
        restored, off = set(event.restored), set(event.split or event.restored)
        self.parted[event.event_id] = set()
        self.sources[event.new_node_id] = event.restored
        for node_id in event.restored:
            self.gone.pop(node_id, None)
        for conflict_id in sorted(self.merging, key=number):
            if set(self.nodes[conflict_id]) <= restored and off & set(self.nodes[conflict_id]):
                self.merging.discard(conflict_id)
                self.parted[event.event_id].add(conflict_id)
                step = LifeStep(
                    kind="undone",
                    place=place,
                    who="user",
                    status=ConflictStatus.INCONCLUSIVE,
                    merge=event.event_id,
                    nodes=event.split or event.restored,
                )
                self._add(conflict_id, step)

    def _import(self, event: events.MemoryImported, place: Place) -> None:
        for conflict in event.conflicts:
            self.nodes[conflict.id] = conflict.node_ids
            self._add(
                conflict.id, LifeStep(kind="imported", place=place, nodes=conflict.node_ids, status=conflict.status)
            )
            if conflict.status.merges:
                self.merging.add(conflict.id)
        for merge in event.merge_events:
            if not merge.undone:
                self.gone.update(dict.fromkeys(merge.merged_node_ids, merge.new_node_id))

    def _is_among(self, node_id: NodeId, merged: set[NodeId]) -> bool:
        live = self._live(node_id)
        return live in merged or any(self._is_among(source, merged) for source in self.sources.get(live, ()))

    def _live(self, node_id: NodeId) -> NodeId:
        while node_id in self.gone:
            node_id = self.gone[node_id]
        return node_id


def judging_calls(commit: Commit) -> dict[tuple[str, str], int]:
    """Return the calls that found a relation, each by the relation and by what the agent says of it: its reason, or
    what it calls the conflict."""
    return {
        (str(relationship.get("relationship")), str(relationship.get(words))): record.seq
        for record in reversed(commit.calls("analysis"))
        for relationship in listed(record.event.answer, "relationships")
        for words in ("reasoning", "conflict_description")
    }


def integration_call(commit: Commit, event: events.NodesMerged) -> int:
    """Return the seq of the call that wrote a merged node, by its text; 0 when none did."""
    for record in commit.calls("integration"):
        answer = record.event.answer
        if answer.get("summary") == event.summary and answer.get("context") == event.context:
            return record.seq
    return 0


def _last(records: Iterable[Record[Any]]) -> int:
    return next((record.seq for record in reversed(list(records))), 0)


def number(id_: str) -> int:
    """Return the number of an id: `c12` → 12. Ids are counters, and later ones are newer."""
    return int(id_[1:]) if id_[1:].isdigit() else 0
