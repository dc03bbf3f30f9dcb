"""The decisive scenes of a run, from its records alone: whatever it was about, and however it went.

A stage is shown when it has ended, from what came before it, so that the story of a run that goes on grows at its end
and nothing of it is taken back.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

from memorybank.contradiction.disputes.gathering import disputes_of
from memorybank.memory.events import (
    EntryRecorded,
    ImageStaged,
    MemoryImported,
    MergeUndone,
    NodeCreated,
    NodesMerged,
    SessionFinished,
    TaskFailed,
    TaskReceived,
)
from memorybank.memory.state import MemoryState
from memorybank.memory.types import ConflictId, ConflictStatus
from memorybank.runs.banks import Banks
from memorybank.runs.journal import Record
from memorybank.runs.stages import StageReader
from memorybank.views.run.commits import Commit
from memorybank.views.story.dispute_scenes import DisputeScenes
from memorybank.views.story.scene import Scene
from memorybank.views.text.display import clip

MOST_FAILED: Final = 2
"""Failed steps of a task that have a scene."""
NAME, SENTENCE = 60, 160
"""Columns of a name and of a sentence that is quoted."""


def build_scenes(records: Sequence[Record[Any]]) -> tuple[Scene, ...]:
    return tuple(SceneReader().read(records))


@dataclass(slots=True)
class _Act:
    """What was shown of one task."""

    disputes: DisputeScenes = field(default_factory=DisputeScenes)
    filed: set[str] = field(default_factory=set)
    """Where what was filed came from: each origin is shown once."""
    failed: int = 0
    has_direct_fold: bool = False


class SceneReader:
    """Follows one run. `read` takes what is new; records that were taken back make it begin anew."""

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
        """A stage has ended with the record that was taken last, and `bank` is the memory then."""
        commit = Commit(stage=self._stages.stage, round=self._stages.round, records=self._pending)
        self._pending = []
        for scene in sorted(self._scenes(commit, bank), key=lambda scene: scene.seq):
            seq = max(scene.seq, self.scenes[-1].seq if self.scenes else 0)
            self.scenes.append(replace(scene, seq=seq, stage=scene.stage or commit.stage))

    def _scenes(self, commit: Commit, bank: MemoryState) -> Iterator[Scene]:
        if commit.events(TaskReceived):
            self._act = _Act()
        for imported in commit.events(MemoryImported):
            yield _imported(imported, commit)
        if commit.stage == "receive":
            yield from self._received(commit)
        yield from self._filed(commit, bank)
        yield from self._direct_fold(commit)
        yield from self._act.disputes.take(commit, bank)
        yield from self._turns(commit)
        for ending in commit.events(SessionFinished):
            yield from self._act.disputes.rest()
            yield _answer(ending, bank, commit, self._act.disputes.met)

    def _turns(self, commit: Commit) -> Iterator[Scene]:
        """What went wrong, and what a person took back."""
        for record in commit.records:
            match record.event:
                case TaskFailed(task=task) if self._act.failed < MOST_FAILED:
                    self._act.failed += 1
                    reason = {"reason": clip(task.context, SENTENCE)}
                    yield Scene(seq=commit.seq, kind="failed", words="failed", values=reason)
                case MergeUndone(restored=restored, split=split):
                    nodes = split or restored
                    values = {"count": len(nodes)}
                    yield Scene(seq=commit.seq, kind="undone", words="undone", values=values, nodes=nodes)

    def _received(self, commit: Commit) -> Iterator[Scene]:
        """A task, or what a run without one begins with; not what is handed over while it is worked on."""
        goal = next((event.goal for event in commit.events(TaskReceived)), "")
        count = len(commit.events(EntryRecorded)) + len(commit.events(ImageStaged))
        if goal or (count and not self.scenes):
            words = "task_both" if goal and count else "task" if goal else "task_sources"
            values = {"goal": clip(goal, SENTENCE), "count": count}
            yield Scene(seq=commit.seq, kind="task", words=words, values=values)

    def _filed(self, commit: Commit, bank: MemoryState) -> Iterator[Scene]:
        """What came into the memory: of each origin the first, and nothing once a conflict was shown."""
        nodes = commit.events(NodeCreated)
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
        """The first nodes that became one because they say the same."""
        direct = (one for one in commit.events(NodesMerged) if one.trigger == "merge" and one.rest_of is None)
        merge = next(direct, None)
        if merge is None or self._act.has_direct_fold:
            return
        self._act.has_direct_fold = True
        values = {"count": len(merge.merged_node_ids), "topic": clip(merge.context, NAME)}
        yield Scene(
            seq=commit.seq,
            kind="fold",
            words="fold_same",
            values=values,
            nodes=merge.merged_node_ids,
            merge=merge.event_id,
        )


def _imported(event: MemoryImported, commit: Commit) -> Scene:
    values = {"count": len(event.nodes), "merges": len(event.merge_events), "conflicts": len(event.conflicts)}
    nodes = tuple(node.node_id for node in event.nodes)
    return Scene(seq=commit.seq, kind="imported", words="imported", values=values, nodes=nodes)


def _answer(event: SessionFinished, bank: MemoryState, commit: Commit, met: Collection[ConflictId]) -> Scene:
    """How it ended, and how many disputes there were on the way: those of `met`."""
    disputes = disputes_of(bank, met)
    settled = sum(dispute.status.decides or dispute.status is ConflictStatus.FALSE_ALARM for dispute in disputes)
    words = f"answer_{event.result}"
    if event.result == "complete" and disputes:
        words = "answer_settled" if settled == len(disputes) else "answer_disputed" if settled else "answer_undecided"
    values = {"count": len(disputes), "settled": settled, "left": len(disputes) - settled}
    return Scene(seq=commit.seq, kind="answer", words=words, values=values)
