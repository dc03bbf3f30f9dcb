"""plan -> enhance -> … -> finish: what to do next, and with what in mind (final specification, sections 6.2, 6.3)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from memorybank.contradiction.disputes.dispute import describe
from memorybank.contradiction.disputes.gathering import disputes_of
from memorybank.engines import tasks
from memorybank.engines.offline.planning import aspects
from memorybank.errors import AgentError
from memorybank.llm.schemas import one_line
from memorybank.memory.contracts import (
    FinishedTask,
    KnownMemory,
    OpenConflict,
    PlanningInput,
    PlanningOutput,
    StagedImageInfo,
    TaskDraft,
)
from memorybank.memory.events import Fact, PlanUpdated, SessionFinished, TaskCompleted, TaskFailed
from memorybank.memory.state import Draft, MemoryState
from memorybank.memory.types import (
    AgentFailure,
    Check,
    CompletedTask,
    Conflict,
    ConflictId,
    Lang,
    NodeId,
    Task,
    TaskStatus,
    TaskType,
)
from memorybank.prompts import say
from memorybank.prompts.tags import without_blocks
from memorybank.retrieval.recall import Recalled
from memorybank.session.adapter import enhance_prompt, search_text
from memorybank.session.checks import marked_summary, marked_topic, outcomes
from memorybank.session.effects import Failed
from memorybank.session.executors.base import sources_named
from memorybank.session.prompt_layout import listed_sources, states_text, whole_memory
from memorybank.session.stages.agent_failures import agent_failures, by_agent, failure_sentences
from memorybank.session.stages.base import StageEffects
from memorybank.session.stages.executing import with_names
from memorybank.session.stages.standing_verdicts import conflicts_checked

IMAGE_CHARS = 300
"""The most characters of an image's text that stand in the Insight Doc."""


def plan(state: MemoryState, fx: StageEffects) -> list[Fact]:
    """Let the planner write the finished task's context and the next task, never the past; only where it can choose.

    Without a usable answer the finished task has failed, as with any other agent, and the goal is answered from what
    memory holds.
    """
    draft = Draft.of(state, fx.now)
    agents = by_agent(state.progress.failures)
    finished = _finished(state, failure_sentences(agents, fx.lang), fx.lang)
    if agents and (finished is None or finished.final):  # of what came in outside of a task, or beside the answer
        draft.emit(_failed_beside(say("task_filing", fx.lang), agents, fx))
    request = _planning_input(draft.state, fx, finished)
    unplanned: tuple[AgentFailure, ...] = ()
    try:
        answer = tasks.decided(request) or tasks.ahead(state.doc.planned_ahead, request)
        answer = answer or fx.ask("planning", _with_memory(request, draft.state, fx), PlanningOutput)
    except AgentError as error:
        unplanned = agent_failures("planning", [Failed(str(error))])
        answer = tasks.unplanned(request, failure_sentences(unplanned, fx.lang))
        if finished is not None and not finished.final:
            finished = finished.model_copy(update={"status": TaskStatus.FAILED})
            agents, unplanned = (*agents, *unplanned), ()
    if finished is not None:
        context = with_names(answer.finished_context, state, fx.lang)
        draft.emit(_closing(finished, context, () if finished.final else agents, fx))
    if unplanned:
        draft.emit(_failed_beside(say("task_plan", fx.lang), unplanned, fx))
    next_task, *then = (_next_task(state, each) for each in (answer.next_task, *answer.then))
    draft.emit(PlanUpdated(next_task=next_task, reasoning=answer.reasoning, then=tuple(filter(None, then))))
    return draft.facts


def _failed_beside(description: str, agents: tuple[AgentFailure, ...], fx: StageEffects) -> Fact:
    """Records a failed step that no task stands for (filing, planning) as a failed task: it shows in the result."""
    context = failure_sentences(agents, fx.lang)
    task = CompletedTask(type=TaskType.NORMAL, description=description, status=TaskStatus.FAILED, context=context)
    return TaskFailed(task=task, agents=agents)


def _finished(state: MemoryState, agents: str, lang: Lang) -> FinishedTask | None:
    """Describes the round's task. It failed when the executor or an agent of the memory did; an answer stays one."""
    task, executed = state.doc.current_task, state.progress.executed
    if task is None or executed is None:
        return None
    reasons = [executed.failure] if task.final else [executed.failure, agents]
    failure = " ".join(reason for reason in reasons if reason)
    failed = state.progress.route == "failed" or bool(failure)
    return FinishedTask(
        type=task.type,
        description=task.description,
        status=TaskStatus.FAILED if failed else TaskStatus.SUCCESS,
        answer=without_blocks(executed.answer),
        failure=failure,
        final=task.final,
        outcomes=(*outcomes(_checked(state, task), lang), *_images_read(state, task, lang)),
    )


def _checked(state: MemoryState, task: Task) -> Iterator[tuple[Conflict, list[Check]]]:
    """Yield the conflicts that a round checked, beside its task too, with what was found on their points, as their
    first nodes carry it."""
    for conflict_id in conflicts_checked(state, task) if task.conflict_ids else ():
        conflict = state.conflicts.all[conflict_id]
        node = state.graph.nodes[state.graph.successor(conflict.node_ids[0])]
        yield conflict, [check for check in node.checks if check.conflict_id == conflict_id]


def _images_read(state: MemoryState, task: Task, lang: Lang) -> Iterator[str]:
    """Yield what is written in each image of a task, as it stands in its entry."""
    for image_id in task.image_ids:
        if (entry_id := state.tree.recognised.get(image_id)) is not None:
            entry = state.tree.entries[entry_id]
            yield say("planned_whole", lang, head=entry.source, text=one_line(entry.body, IMAGE_CHARS))
        elif image_id in state.tree.staged:
            yield say("planned_whole", lang, head=state.tree.staged[image_id].name, text=say("not_recognised", lang))


def _closing(finished: FinishedTask, context: str, agents: tuple[AgentFailure, ...], fx: StageEffects) -> Fact:
    """Closes the task. What came of a check or of images, and which agent failed and why, stands in its context
    whatever the planner wrote."""
    failed = finished.status is TaskStatus.FAILED
    why = failure_sentences(agents, fx.lang)
    told = ("" if fx.lang == "zh" else " ").join(finished.outcomes)
    context = told or context
    if failed and (finished.failure if told else not context):
        why = say("context_failed", fx.lang, failure=finished.failure or say("no_answer", fx.lang))
    if why and why not in context:
        context = f"{why} {context}".rstrip()
    task = CompletedTask(type=finished.type, description=finished.description, status=finished.status, context=context)
    return TaskFailed(task=task, agents=agents) if failed else TaskCompleted(task=task)


def _planning_input(state: MemoryState, fx: StageEffects, finished: FinishedTask | None) -> PlanningInput:
    matters: dict[ConflictId, list[str]] = {}
    for dispute in disputes_of(state):
        for conflict_id in dispute.conflict_ids:
            matters.setdefault(conflict_id, []).append(describe(dispute, fx.lang))
    return PlanningInput(
        task_goal=state.doc.task_goal,
        completed_tasks=state.doc.completed_tasks,
        finished=finished,
        open_conflicts=tuple(
            OpenConflict(id=conflict.id, description=conflict.description, disputes=tuple(matters[conflict.id]))
            for conflict in _checked_together(state, fx)
        ),
        staged_images=tuple(StagedImageInfo(id=image.id, name=image.name) for image in state.tree.staged.values()),
        memory_size=len(state.graph.nodes),
        barren_rounds=state.progress.barren_rounds_now,
        is_settled=fx.settings.corpus is not None
        and (state.progress.route, state.progress.brings_new) == ("cross_validate", False)
        and finished is not None
        and finished.status is TaskStatus.SUCCESS,
        rounds_left=fx.settings.max_rounds - state.progress.round,
        lang=fx.lang,
    )


def _checked_together(state: MemoryState, fx: StageEffects) -> list[Conflict]:
    """Open conflicts whose memories fit half of a prompt, and in any case all that share a memory with the first."""
    together: list[Conflict] = []
    shown: set[NodeId] = set()
    for group in state.conflicts.groups(state.graph.successor):
        shown |= {state.graph.successor(node_id) for conflict in group for node_id in conflict.node_ids}
        summaries = [state.graph.nodes[node_id].summary for node_id in shown]
        if together and 2 * sum(map(fx.embedder.count_tokens, summaries)) > fx.settings.prompt_tokens:
            break
        together += group
    return together


def _with_memory(request: PlanningInput, state: MemoryState, fx: StageEffects) -> PlanningInput:
    """Adds all of memory where it fits a prompt, else what is new and what memory holds on the goal."""
    nodes, count = state.graph.nodes, fx.embedder.count_tokens
    ranks = {hit.node_id: rank for rank, hit in enumerate(_recalled(state, fx, state.doc.task_goal)[0].hits)}
    new = [node_id for node_id in state.progress.new_nodes if node_id in nodes]
    shown = whole_memory(state, fx.settings.prompt_tokens, count, fx.lang) or sorted(
        {*ranks, *new}, key=lambda node_id: nodes[node_id].seq
    )

    def known(node_id: NodeId) -> KnownMemory:
        node = nodes[node_id]
        return KnownMemory(
            id=node_id,
            summary=marked_summary(node, fx.lang),
            context=marked_topic(node, fx.lang),
            keywords=node.keywords,
            sources=listed_sources(state.tree.sources_of(node_id), fx.lang),
            rank=ranks.get(node_id),
            is_new=node_id in new,
        )

    states = states_text(shown, state, fx.lang)
    return request.model_copy(update={"memories": tuple(map(known, shown)), "states": states})


def _next_task(state: MemoryState, drafted: TaskDraft | None) -> Task | None:
    """Return the planner's task with ids that exist."""
    if drafted is None:
        return None
    still_open = {conflict.id for conflict in state.conflicts.open()}
    checked = tuple(conflict_id for conflict_id in drafted.conflict_ids if conflict_id in still_open)
    if drafted.type is TaskType.CROSS_VALIDATE and not checked:
        return None
    return Task(
        type=drafted.type,
        description=drafted.description,
        conflict_ids=checked,
        image_ids=tuple(image for image in drafted.image_ids if image in state.tree.staged),
        query=drafted.query,
        queries=drafted.queries,
        final=drafted.final,
    )


def enhance(state: MemoryState, fx: StageEffects) -> list[Fact]:
    """Return the prompt of the next round: memory searched with the current task, as it stands now."""
    task = state.doc.current_task
    query = search_text(task) if task else state.doc.task_goal
    if task and sources_named(task.queries, fx.tools) == list(task.queries):
        query = task.description
    parts = aspects(state.doc.task_goal, fx.lang, fx.parse) if task and task.final else []
    recalled, vector = _recalled(state, fx, query, parts)
    budget, context = fx.settings.prompt_tokens, fx.context_window("react")
    enhanced = enhance_prompt(
        state,
        recalled,
        query,
        vector,
        lang=fx.lang,
        budget=budget if context is None else min(budget, context // 2),
        count_tokens=fx.embedder.count_tokens,
    )
    return [replace(enhanced, further_queries=tuple(parts))]


def _recalled(state: MemoryState, fx: StageEffects, query: str, further: Sequence[str] = ()) -> tuple[Recalled, bytes]:
    """Return what memory holds on a query, then what else it holds on each further one, and the query's vector."""
    fx.recall.sync(state.graph.nodes, hold_back=state.progress.fresh)
    settings = fx.settings
    return fx.recall.for_text(
        query,
        state.graph.nodes,
        k=settings.retrieval_k,
        alpha=settings.retrieval_alpha,
        share=settings.neighbor_share,
        further=further,
    )


def finish(state: MemoryState, fx: StageEffects) -> list[Fact]:
    """End: nothing is pending. A failed task, or text left unfiled, does not block that; it shows in the result."""
    failed = any(task.status is TaskStatus.FAILED for task in state.doc.completed_tasks)
    failed = failed or bool(state.unfiled_text() or state.uncompared())
    if not state.doc.task_goal:
        return [SessionFinished(result="filed_with_failures" if failed else "filed")]
    if not state.progress.answer and state.progress.round >= fx.settings.max_rounds:
        return [SessionFinished(result="out_of_rounds")]
    return [SessionFinished(result="complete_with_failures" if failed else "complete")]
