"""What each stage did, in a sentence with its numbers and names: what a speaker may say beside the scenes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from memorybank.contradiction.disputes import Dispute, disputes_of
from memorybank.memory.bank import MemoryBank
from memorybank.memory.events import (
    AnswerGiven,
    Cluster,
    ClustersFound,
    ClustersSummarised,
    ConflictAttempted,
    ConflictClosed,
    ConflictFound,
    EntryRecorded,
    FilingQueued,
    ImageStaged,
    NodeCreated,
    NodesLinked,
    NodesMerged,
    PlanUpdated,
    PromptEnhanced,
    TaskExecuted,
    TaskReceived,
    ToolUsed,
)
from memorybank.memory.types import ClusterId, ConflictId, ConflictStatus, Task, TaskType
from memorybank.views.run.commits import Commit
from memorybank.views.story.scene import Note
from memorybank.views.text.display import clip

NAME, SENTENCE = 60, 120
"""Columns of a name and of a sentence that is quoted."""

_TELLING = (ConflictStatus.RESOLVED, ConflictStatus.FALSE_ALARM)
"""Of several verdicts, the first of these is noted."""
_OF_MANY = ("resolve_resolved", "resolve_unnamed", "resolve_false_alarm")
"""Have a second sentence, for a round that closed several disputes."""


class NoteReader:
    """Follows one run, whose stages are taken one by one as they end."""

    def __init__(self) -> None:
        self._task: Task | None = None
        self._bank = MemoryBank()
        self._clusters: dict[ClusterId, Cluster] = {}

    def take(self, commit: Commit, bank: MemoryBank) -> Note | None:
        """The note on a stage, after which the memory is `bank`; None where it did nothing to speak of."""
        self._bank = bank
        reading: Callable[[Commit], _Words | None] | None = getattr(self, f"_{commit.stage}", None)
        words = reading(commit) if reading is not None else None
        return Note(kind=words[0], values=words[1]) if words is not None else None

    # -- what comes in ------------------------------------------------------------------------------------------------

    def _receive(self, commit: Commit) -> _Words:
        goal = next((event.goal for event in commit.events(TaskReceived)), "")
        count = len(commit.events(EntryRecorded)) + len(commit.events(ImageStaged))
        kind = "receive_both" if goal and count else "receive_task" if goal else "receive_sources"
        return kind, {"goal": clip(goal, SENTENCE), "count": count}

    # -- filing -------------------------------------------------------------------------------------------------------

    def _classify(self, commit: Commit) -> _Words | None:
        clusters = [cluster for event in commit.events(ClustersFound) for cluster in event.clusters]
        self._clusters |= {cluster.id: cluster for cluster in clusters}
        if not clusters:
            return None
        return "classify", {"count": len(clusters), "topic": clip(clusters[0].context, NAME)}

    def _structure(self, commit: Commit) -> _Words | None:
        summaries = {key: text for event in commit.events(ClustersSummarised) for key, text in event.summaries.items()}
        spans = [span for key in summaries if key in self._clusters for span in self._clusters[key].spans]
        before, after = sum(span.end - span.start for span in spans), sum(map(len, summaries.values()))
        if not summaries:
            return None
        kind = "structure" if after < before else "structure_whole"
        return kind, {"count": len(summaries), "before": f"{before:,}", "after": f"{after:,}"}

    def _file(self, commit: Commit) -> _Words | None:
        nodes = commit.events(NodeCreated)
        return ("file", {"count": len(nodes), "topic": clip(nodes[0].context, NAME)}) if nodes else None

    def _analyse(self, commit: Commit) -> _Words:
        conflicts, merges = commit.events(ConflictFound), commit.events(NodesMerged)
        links = len(commit.events(NodesLinked))
        if conflicts:
            return "analyse_conflict", {
                "count": len(self._disputes(conflict.conflict_id for conflict in conflicts)),
                "description": clip(conflicts[0].description.rstrip(".。"), SENTENCE),
            }
        if merges:
            nodes = len(merges[0].merged_node_ids)
            return "analyse_merge", {"nodes": nodes, "topic": clip(merges[0].context, NAME)}
        return ("analyse_related" if links else "analyse_nothing"), {"count": links}

    # -- the task loop ------------------------------------------------------------------------------------------------

    def _plan(self, commit: Commit) -> _Words | None:
        self._task = task = next((plan.next_task for plan in commit.events(PlanUpdated)), None)
        if task is None:
            return None
        if task.type is TaskType.CROSS_VALIDATE:
            return "plan_check", {"count": len(self._disputes(task.conflict_ids))}
        if task.image_ids:
            return "plan_images", {"count": len(task.image_ids)}
        return ("plan_final", {}) if task.final else ("plan_task", {"task": clip(task.description, SENTENCE)})

    def _enhance(self, commit: Commit) -> _Words | None:
        prompt = next(iter(commit.events(PromptEnhanced)), None)
        if prompt is None:
            return None
        memories = sum(part.node_id is not None for part in prompt.parts)
        tokens = sum(part.tokens for part in prompt.parts)
        return "enhance" if memories else "enhance_empty", {"count": memories, "tokens": f"{tokens:,}"}

    def _execute(self, commit: Commit) -> _Words | None:
        done = next(iter(commit.events(TaskExecuted)), None)
        if done is None:
            return None
        task, values = self._task, {"tools": len(commit.events(ToolUsed)), "count": len(set(done.materials))}
        if done.failure:
            return "execute_failed", {"reason": clip(done.failure, SENTENCE)}
        if task is not None and task.type is TaskType.CROSS_VALIDATE:
            return "execute_check", values
        if task is not None and task.image_ids:
            return "execute_images", {"count": len(task.image_ids)}
        if task is not None and task.final:
            return "execute_final", {}
        return "execute" if done.materials else "execute_nothing", values

    def _intercept(self, commit: Commit) -> _Words | None:
        task = self._task
        if commit.events(AnswerGiven):
            return "intercept_final", {}
        if task is not None and task.type is TaskType.CROSS_VALIDATE:
            return "intercept_check", {"count": len(self._disputes(task.conflict_ids))}
        if task is not None and task.image_ids:
            return "intercept_images", {"count": len(task.image_ids)}
        queued = {span.entry_id for event in commit.events(FilingQueued) for span in event.spans}
        return ("intercept", {"count": len(queued)}) if queued else None

    def _resolve(self, commit: Commit) -> _Words | None:
        closed = self._disputes(conflict.conflict_id for conflict in commit.events(ConflictClosed))
        if not closed:
            return ("resolve_open", {}) if commit.events(ConflictAttempted) else None
        telling = next((s for s in _TELLING if any(dispute.status is s for dispute in closed)), closed[0].status)
        those = [dispute for dispute in closed if dispute.status is telling]
        value = next((dispute.holds.text for dispute in those if dispute.holds), "")
        nodes = sum(len(merge.merged_node_ids) for merge in commit.events(NodesMerged))
        values: dict[str, object] = {
            "found": len(those),
            "count": len(closed),
            "value": clip(value, NAME),
            "nodes": nodes,
        }
        kind = f"resolve_{telling}"
        if telling is ConflictStatus.RESOLVED and not nodes:
            kind, values["count"] = "resolve_plain", len(those)
        elif telling is ConflictStatus.RESOLVED and not value:
            kind = "resolve_unnamed"
        return f"{kind}_many" if len(closed) > 1 and kind in _OF_MANY else kind, values

    def _disputes(self, conflict_ids: Iterable[ConflictId]) -> tuple[Dispute, ...]:
        """What a person would count: the disputes that these conflicts are part of."""
        known = [conflict_id for conflict_id in conflict_ids if conflict_id in self._bank.conflicts.all]
        return disputes_of(self._bank, known) if known else ()


_Words = tuple[str, Mapping[str, object]]
"""Kind and values of a note."""
