"""The steps of a guided tour, from a run's records alone: whatever the run was about, and however it went.

Each step stands at the end of a stage, when what it did is true, and carries the numbers and names that its sentence
(`tour.<kind>`) says. What has been told once is not told again, so that a long run makes no long tour.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

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
    MergeUndone,
    NodeCreated,
    NodesLinked,
    NodesMerged,
    PlanUpdated,
    PromptEnhanced,
    SessionFinished,
    TaskExecuted,
    TaskReceived,
    ToolUsed,
)
from memorybank.memory.types import ClusterId, ConflictStatus, Task, TaskType
from memorybank.runs.journal import Record
from memorybank.runs.stages import border_of
from memorybank.views.link import link
from memorybank.views.text.display import clip

Place = Literal["strip", "graph", "insight", "events", "feed"]

NAME, SENTENCE = 60, 120
"""Columns of a name and of a sentence that is quoted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TourStep:
    seq: int
    """The moment that it shows: after so many events."""
    stage: str
    kind: str
    """Its sentence is `tour.<kind>`."""
    values: Mapping[str, object] = field(default_factory=dict)
    place: Place = "strip"
    """The part of the Session page that it speaks of."""
    closer: str = ""
    """A link to where it can be seen closely (ui/shell/links.py); empty: nowhere else."""


def build_tour(records: Sequence[Record[Any]]) -> tuple[TourStep, ...]:
    """From the beginning to the newest stage that has ended. Of a run that goes on, the tour grows at its end."""
    teller = _Teller()
    steps: dict[str, TourStep] = {}
    facts: list[Record[Any]] = []
    for record in records:
        facts.append(record)
        border = border_of(record.event)
        if border is None or border.side != "end":
            continue
        step = teller.tell(border.stage, facts)
        facts = []
        if step is not None and (step.kind not in steps or step.stage == "finish"):
            steps.pop(step.kind, None)
            if not (step.kind in _SMALL and any(kind.startswith("analyse_") for kind in steps)):
                steps[step.kind] = step
    return tuple(steps.values())


_TELLING = (ConflictStatus.RESOLVED, ConflictStatus.BOTH_WRONG, ConflictStatus.CHECKED, ConflictStatus.FALSE_ALARM)
"""Of several verdicts, the first of these is told."""
_OF_MANY = ("resolve_resolved", "resolve_unnamed", "resolve_both_wrong", "resolve_checked", "resolve_false_alarm")
"""Have a second sentence, for a round that closed several conflicts."""
_SMALL = ("analyse_nothing", "analyse_related")
"""Worth telling only while no comparison was told yet."""


class _Teller:
    """What later sentences need of earlier events."""

    def __init__(self) -> None:
        self._task: Task | None = None
        self._clusters: dict[ClusterId, Cluster] = {}
        self._answer = ""

    def tell(self, stage: str, facts: Sequence[Record[Any]]) -> TourStep | None:
        """The step of one stage; None for one that has nothing to tell."""
        telling: Callable[[Sequence[Record[Any]]], _Told | None] | None = getattr(self, f"_{stage}", None)
        sentence = telling(facts) if telling is not None else None
        if sentence is None:
            return None
        kind, values, place, closer = sentence
        return TourStep(seq=facts[-1].seq, stage=stage, kind=kind, values=values, place=place, closer=closer)

    # -- what comes in ------------------------------------------------------------------------------------------------

    def _receive(self, facts: Sequence[Record[Any]]) -> _Told:
        goal = next((event.goal for event in _all(facts, TaskReceived)), "")
        count = len([*_all(facts, EntryRecorded), *_all(facts, ImageStaged)])
        kind = "receive_both" if goal and count else "receive_task" if goal else "receive_sources"
        return kind, {"goal": clip(goal, SENTENCE), "count": count}, "insight", ""

    # -- filing -------------------------------------------------------------------------------------------------------

    def _classify(self, facts: Sequence[Record[Any]]) -> _Told | None:
        clusters = [cluster for event in _all(facts, ClustersFound) for cluster in event.clusters]
        self._clusters |= {cluster.id: cluster for cluster in clusters}
        if not clusters:
            return None
        return "classify", {"count": len(clusters), "topic": clip(clusters[0].context, NAME)}, "feed", ""

    def _structure(self, facts: Sequence[Record[Any]]) -> _Told | None:
        summaries = {key: text for event in _all(facts, ClustersSummarised) for key, text in event.summaries.items()}
        spans = [span for key in summaries if key in self._clusters for span in self._clusters[key].spans]
        before, after = sum(span.end - span.start for span in spans), sum(map(len, summaries.values()))
        if not summaries:
            return None
        kind = "structure" if after < before else "structure_whole"
        return kind, {"count": len(summaries), "before": f"{before:,}", "after": f"{after:,}"}, "feed", ""

    def _file(self, facts: Sequence[Record[Any]]) -> _Told | None:
        nodes = list(_all(facts, NodeCreated))
        if not nodes:
            return None
        values = {"count": len(nodes), "topic": clip(nodes[0].context, NAME)}
        return "file", values, "graph", link("node", nodes[0].node_id)

    def _analyse(self, facts: Sequence[Record[Any]]) -> _Told:
        conflicts, merges = list(_all(facts, ConflictFound)), list(_all(facts, NodesMerged))
        links = len(list(_all(facts, NodesLinked)))
        if conflicts:
            first = conflicts[0]
            values = {"count": len(conflicts), "description": clip(first.description, SENTENCE)}
            return "analyse_conflict", values, "graph", link("conflict", first.conflict_id)
        if merges:
            nodes = len(merges[0].merged_node_ids)
            values = {"nodes": nodes, "topic": clip(merges[0].context, NAME)}
            return "analyse_merge", values, "graph", link("merge", merges[0].event_id)
        return ("analyse_related" if links else "analyse_nothing"), {"count": links}, "graph", ""

    # -- the task loop ------------------------------------------------------------------------------------------------

    def _plan(self, facts: Sequence[Record[Any]]) -> _Told | None:
        self._task = task = next((plan.next_task for plan in _all(facts, PlanUpdated)), None)
        if task is None:
            return None
        if task.type is TaskType.CROSS_VALIDATE:
            values: dict[str, object] = {"count": len(task.conflict_ids)}
            return "plan_check", values, "insight", link("conflict", task.conflict_ids[0]) if task.conflict_ids else ""
        if task.image_ids:
            return "plan_images", {"count": len(task.image_ids)}, "insight", ""
        if task.final:
            return "plan_final", {}, "insight", ""
        return "plan_task", {"task": clip(task.description, SENTENCE)}, "insight", ""

    def _enhance(self, facts: Sequence[Record[Any]]) -> _Told | None:
        made = next(((record.seq, record.event) for record in facts if isinstance(record.event, PromptEnhanced)), None)
        if made is None:
            return None
        seq, prompt = made
        memories = sum(part.node_id is not None for part in prompt.parts)
        tokens = sum(part.tokens for part in prompt.parts)
        kind = "enhance" if memories else "enhance_empty"
        return kind, {"count": memories, "tokens": f"{tokens:,}"}, "strip", link("prompt", seq)

    def _execute(self, facts: Sequence[Record[Any]]) -> _Told | None:
        done = next(_all(facts, TaskExecuted), None)
        if done is None:
            return None
        values: dict[str, object] = {"tools": len(list(_all(facts, ToolUsed))), "count": len(set(done.materials))}
        closer = link("entry", done.transcript)
        task = self._task
        if done.failure:
            return "execute_failed", {"reason": clip(done.failure, SENTENCE)}, "feed", closer
        if task is not None and task.type is TaskType.CROSS_VALIDATE:
            return "execute_check", values, "feed", closer
        if task is not None and task.image_ids:
            return "execute_images", {"count": len(task.image_ids)}, "feed", closer
        if task is not None and task.final:
            return "execute_final", {}, "feed", closer
        return ("execute" if done.materials else "execute_nothing"), values, "feed", closer

    def _intercept(self, facts: Sequence[Record[Any]]) -> _Told | None:
        answer = next(_all(facts, AnswerGiven), None)
        task = self._task
        if answer is not None:
            self._answer = answer.answer
            return "intercept_final", {}, "insight", link("entry", answer.entry_id)
        if task is not None and task.type is TaskType.CROSS_VALIDATE:
            return "intercept_check", {"count": len(task.conflict_ids)}, "events", ""
        if task is not None and task.image_ids:
            return "intercept_images", {"count": len(task.image_ids)}, "feed", ""
        queued = {span.entry_id for event in _all(facts, FilingQueued) for span in event.spans}
        return ("intercept", {"count": len(queued)}, "feed", "") if queued else None

    def _resolve(self, facts: Sequence[Record[Any]]) -> _Told | None:
        closed, merges = list(_all(facts, ConflictClosed)), list(_all(facts, NodesMerged))
        if not closed:
            tried = any(True for _ in _all(facts, ConflictAttempted))
            return ("resolve_open", {}, "events", "") if tried else None
        telling = next((s for s in _TELLING if any(conflict.status is s for conflict in closed)), closed[0].status)
        those = [conflict for conflict in closed if conflict.status is telling]
        first = next((conflict for conflict in those if conflict.value), those[0])
        nodes = sum(len(merge.merged_node_ids) for merge in merges)
        values: dict[str, object] = {
            "found": len(those),
            "count": len(closed),
            "value": clip(first.value, NAME),
            "nodes": nodes,
        }
        if telling is ConflictStatus.RESOLVED and not nodes:
            kind, values["count"] = "resolve_plain", len(those)
        elif telling in (ConflictStatus.RESOLVED, ConflictStatus.BOTH_WRONG) and not first.value:
            kind = "resolve_unnamed" if telling is ConflictStatus.RESOLVED else "resolve_third"
        else:
            kind = f"resolve_{telling}"
        if len(closed) > 1 and kind in _OF_MANY:
            kind += "_many"
        return kind, values, "events", link("conflict", first.conflict_id)

    def _finish(self, facts: Sequence[Record[Any]]) -> _Told | None:
        ended = next(_all(facts, SessionFinished), None)
        if ended is None:
            return None
        return f"finish_{ended.result}", {}, "insight", ""

    # -- by a person --------------------------------------------------------------------------------------------------

    def _undo(self, facts: Sequence[Record[Any]]) -> _Told | None:
        undone = next(_all(facts, MergeUndone), None)
        if undone is None:
            return None
        return "undo", {"count": len(undone.restored)}, "graph", link("merge", undone.event_id)


_Told = tuple[str, Mapping[str, object], Place, str]
"""Kind, values, place, closer."""


def _all(facts: Iterable[Record[Any]], kind: type[Any]) -> Any:
    """The events of a kind, in order."""
    return (record.event for record in facts if isinstance(record.event, kind))
