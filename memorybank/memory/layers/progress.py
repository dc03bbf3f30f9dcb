"""Progress: where the session stands. It is folded like everything else, so the next stage is a pure function of it.

There is no "phase" to keep in step: what waits (text to classify, clusters to summarise, nodes to compare, a plan to
make, a prompt to run) *is* the phase.

`Unfinished` is what an agent's failure left undone, which can be done again: text in no node, nodes not compared. Text
is kept by the piece, for of one entry some topics may be filed and others not. What is unfiled for another reason (a
final answer, quoted memory, a source read in a round that failed) is not in it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, field, replace
from typing import Literal

from memorybank.memory import events
from memorybank.memory.layers import Copyable
from memorybank.memory.types import AgentFailure, AnswerPoint, ClusterId, NodeId, Span, Value

Need = Literal["", "plan", "enhance", "execute", "intercept", "resolve", "finish"]
"""The next step of the task loop, when nothing waits to be filed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Progress(Value):
    queue: tuple[Span, ...] = ()
    """Raw text that waits for classification."""
    clusters: tuple[events.Cluster, ...] = ()
    """Found, not yet nodes; those without a summary wait for the structure stage."""
    fresh: tuple[NodeId, ...] = ()
    """Nodes that wait for analysis, oldest first."""
    need: Need = ""
    round: int = 0
    """Executor rounds begun for the current task goal."""
    prompt: events.PromptEnhanced | None = None
    executed: events.TaskExecuted | None = None
    route: Literal["", "normal", "cross_validate", "images", "final", "failed"] = ""
    """The route of the round's outcome, until the planner runs."""
    new_nodes: tuple[NodeId, ...] = ()
    """Nodes that came since the planner last ran."""
    failures: tuple[AgentFailure, ...] = ()
    """Failures of agents since the planner last ran."""
    brings_new: bool | None = None
    """Whether the round brings something new, as `ContextIntercepted` says, until the planner runs."""
    barren_rounds: int = 0
    """NORMAL rounds in a row, when the planner last ran, that brought no new value or name into memory."""
    answer: str = ""
    points: tuple[AnswerPoint, ...] = ()
    """Points of the answer, part by part."""
    result: str = ""
    """The result that `SessionFinished` states; empty while there is something to do."""
    images_met: int = 0
    """The number of images of pages and documents that were staged for the current task goal."""
    clusters_found: int = 0
    """The number of clusters ever found: the last id's number."""

    @property
    def barren_rounds_now(self) -> int:
        """Return the barren rounds in a row, the last one too; a validation that brings something new ends it."""
        if self.route == "normal":
            return 0 if self.new_nodes and self.brings_new is not False else self.barren_rounds + 1
        return 0 if self.brings_new else self.barren_rounds


def next_stage(progress: Progress) -> events.StageName | None:
    """Return the stage that `step` runs next; None when the session waits for input.

    Verdicts come before filing: what the validation read is compared with what the verdicts made of the memory.
    """
    if progress.need == "resolve":
        return "resolve"
    if progress.queue:
        return "classify"
    if any(not cluster.summary for cluster in progress.clusters):
        return "structure"
    if progress.clusters:
        return "file"
    if progress.fresh:
        return "analyse"
    return progress.need or None


def advance(progress: Progress, event: events.Fact) -> Progress:
    """Return the progress after one more fact."""
    match event:
        case events.TaskReceived():
            return Progress(
                queue=progress.queue,
                clusters=progress.clusters,
                fresh=progress.fresh,
                need="plan",
                failures=progress.failures,
                clusters_found=progress.clusters_found,
            )
        case events.FilingQueued():
            need: Need = progress.need or "finish"
            return replace(
                progress,
                queue=(*progress.queue, *event.spans),
                fresh=(*progress.fresh, *event.node_ids),
                need=need,
                result="",
            )
        case events.ImageStaged():
            waiting: Need = "plan" if progress.need in ("", "finish") else progress.need
            met = progress.images_met + bool(event.image.found_in)
            return replace(progress, need=waiting, result="", images_met=met)
        case events.ClustersFound():
            return replace(
                progress,
                queue=tuple(span for span in progress.queue if span not in event.taken),
                clusters=(*progress.clusters, *event.clusters),
                clusters_found=progress.clusters_found + len(event.clusters),
                failures=(*progress.failures, *event.failed),
            )
        case events.ClustersSummarised():
            clusters = _summarised(progress.clusters, event)
            return replace(progress, clusters=clusters, failures=(*progress.failures, *event.failed))
        case events.NodeCreated():
            return replace(
                progress,
                clusters=_without(progress.clusters, event.cluster_id),
                fresh=(*progress.fresh, event.node_id),
                new_nodes=(*progress.new_nodes, event.node_id),
            )
        case events.NodesAnalysed():
            fresh = tuple(node for node in progress.fresh if node not in event.node_ids)
            return replace(progress, fresh=fresh, failures=(*progress.failures, *event.failed))
        case events.NodesMerged():
            return _merged(progress, event)
        case events.MergeUndone(new_node_id=merged):
            return _without_nodes(progress, {merged})
        case events.MergeRestored(merged_node_ids=sources, rest_node_id=rest):
            fresh = (event.new_node_id,) if progress.fresh and {*sources, rest} & {*progress.fresh} else ()
            return _without_nodes(replace(progress, fresh=(*progress.fresh, *fresh)), {*sources, rest})
        case events.ConflictToldApart() | events.ConflictRestored() if progress.need in ("enhance", "execute"):
            return replace(progress, need="plan", prompt=None)  # the task may be to check it
        case _:
            return _advance_loop(progress, event)


def _advance_loop(progress: Progress, event: events.Fact) -> Progress:
    match event:
        case events.PlanUpdated():
            return replace(
                progress,
                need="enhance" if event.next_task else "finish",
                new_nodes=(),
                failures=(),
                route="",
                brings_new=None,
                executed=None,
                prompt=None,
                barren_rounds=progress.barren_rounds_now,
            )
        case events.PromptEnhanced():
            return replace(progress, need="execute", prompt=event, round=progress.round + 1)
        case events.TaskExecuted():
            return replace(progress, need="intercept", executed=event, prompt=None)
        case events.ContextIntercepted():
            need: Need = "resolve" if event.route == "cross_validate" else "plan"
            return replace(progress, need=need, route=event.route, brings_new=event.brings_new)
        case events.ValidationApplied():
            return replace(progress, need="plan", failures=(*progress.failures, *event.failed))
        case events.AnswerGiven():
            return replace(progress, answer=event.answer, points=event.points)
        case events.SessionFinished():
            return replace(progress, need="", result=event.result)
        case events.MemoryImported():
            return replace(progress, need="plan" if event.pending_tasks else "")
        case _:
            return progress


def _summarised(clusters: tuple[events.Cluster, ...], event: events.ClustersSummarised) -> tuple[events.Cluster, ...]:
    """Return the clusters with summaries; one that waited for one in vain is given up, its text stays unfiled."""
    done = (replace(cluster, summary=event.summaries.get(cluster.id, cluster.summary)) for cluster in clusters)
    return tuple(cluster for cluster in done if cluster.summary)


def _without(clusters: tuple[events.Cluster, ...], cluster_id: ClusterId | None) -> tuple[events.Cluster, ...]:
    if clusters and clusters[0].id == cluster_id:  # the usual case: nodes are filed in order, and a book has thousands
        return clusters[1:]
    return tuple(cluster for cluster in clusters if cluster.id != cluster_id)


def _merged(progress: Progress, event: events.NodesMerged) -> Progress:
    """Have the merged node compared in the next round; its sources have nothing more to be compared.

    One of those that stay together after a split says nothing that was not compared before.
    """
    gone = set(event.merged_node_ids)
    fresh = () if event.rest_of else (event.new_node_id,)
    return replace(
        progress,
        fresh=(*(node for node in progress.fresh if node not in gone), *fresh),
        new_nodes=(*(node for node in progress.new_nodes if node not in gone), event.new_node_id),
    )


def _without_nodes(progress: Progress, gone: Collection[NodeId | None]) -> Progress:
    """Forget nodes that a person took away: a prompt that may name one is made again."""
    return replace(
        progress,
        fresh=tuple(node for node in progress.fresh if node not in gone),
        new_nodes=tuple(node for node in progress.new_nodes if node not in gone),
        need="enhance" if progress.need == "execute" else progress.need,
        prompt=None,
    )


@dataclass(slots=True)
class Unfinished(Copyable):
    text: dict[Span, AgentFailure] = field(default_factory=dict)
    nodes: dict[NodeId, AgentFailure] = field(default_factory=dict)
    """Some may have been merged away since; see `MemoryState.uncompared`."""

    def apply(self, event: events.Fact) -> None:
        match event:
            case events.ClustersFound():
                self._done(event.taken)
                self._failed(event.failed)
            case events.ClustersSummarised():
                self._failed(event.failed)
            case events.NodesAnalysed():
                for node_id in event.node_ids:
                    self.nodes.pop(node_id, None)
                for failure in event.failed:
                    self.nodes.update((node_id, failure) for node_id in failure.node_ids if node_id in event.node_ids)

    def _done(self, taken: Iterable[Span]) -> None:
        """Drop the pieces that failed of sources that are taken again, which are taken whole."""
        if self.text:
            done = tuple(taken)
            self.text = {
                span: failure for span, failure in self.text.items() if not any(whole.holds(span) for whole in done)
            }

    def _failed(self, failures: Iterable[AgentFailure]) -> None:
        for failure in failures:
            self.text.update(dict.fromkeys(failure.spans, failure))
