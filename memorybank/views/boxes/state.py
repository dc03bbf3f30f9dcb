"""The state of a run: running, paused or finished, its stage, what the memory holds; and its Insight Doc."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from memorybank.contradiction.disputes.dispute import describe
from memorybank.memory.state import MemoryState
from memorybank.memory.types import CompletedTask, Lang, NodeId, Task, TaskStatus, TaskType
from memorybank.session.phase import Phase
from memorybank.session.session import Activity
from memorybank.views.box import Box, aside, box, chip, div, label, labelled, muted, row_of
from memorybank.views.boxes.answer_card import answer_lines
from memorybank.views.graph.style import NodeState
from memorybank.views.i18n import t
from memorybank.views.link import link
from memorybank.views.run.playback import Moment
from memorybank.views.text.display import format_duration


def states_of(
    bank: MemoryState, *, new: Collection[NodeId], merged: Collection[NodeId], node_ids: Iterable[NodeId] | None = None
) -> dict[NodeId, frozenset[NodeState]]:
    """Return all states that hold of each node, or of `node_ids`; a node of which nothing is to be said is NORMAL."""
    disputed, checked = bank.disputed(), bank.under_validation()
    by_node: dict[NodeId, frozenset[NodeState]] = {}
    for node_id in bank.graph.nodes if node_ids is None else node_ids:
        states = {
            *([NodeState.CONFLICT] if node_id in checked else []),
            *([NodeState.DISPUTED] if node_id in disputed and node_id not in checked else []),
            *([NodeState.MERGED] if node_id in merged else []),
            *([NodeState.NEW] if node_id in new else []),
        }
        by_node[node_id] = frozenset(states or {NodeState.NORMAL})
    return by_node


LOOKS = {
    NodeState.CONFLICT: "conflict",
    NodeState.DISPUTED: "disputed",
    NodeState.MERGED: "merge",
    NodeState.NEW: "new",
}


def node_chips(node_id: NodeId, moment: Moment, lang: Lang) -> list[Box]:
    """Return all that stands out, for a card."""
    states = states_of(moment.bank, new=moment.new, merged=moment.merged, node_ids=[node_id])[node_id]
    return [chip(t(f"state.{state}", lang), look) for state, look in LOOKS.items() if state in states]


def row_chips(states: Collection[NodeState], lang: Lang) -> list[Box]:
    """Return the same in a word each, for a line of a list."""
    return [chip(t(f"graph.state.{state}", lang), look) for state, look in LOOKS.items() if state in states]


_LOOKS = {"out_of_rounds": "failure", "complete_with_failures": "disputed", "filed_with_failures": "disputed"}


def state_box(
    moment: Moment, phase: Phase | None, lang: Lang, activity: Activity | None = None, *, waits_for: str = ""
) -> Box:
    """Return the state in a line. `phase`: None where it is only told of. `activity`: how far the stage at work is;
    `waits_for`: what must come before anything is done."""
    bank, strip = moment.bank, moment.strip
    words, look = run_state(moment, phase)
    rounds = bank.settings.max_rounds if bank.settings else 0
    part = activity if activity is not None and activity.stage == strip.current and activity.total else None
    progress = f" {t('session.part', lang, done=part.done, total=part.total)}" if part is not None else ""
    facts = [
        f"{t(f'stage.{strip.current}', lang)}{progress}" if strip.current else None,
        t("run.round", lang, round=strip.round, rounds=rounds) if strip.round else None,
        t("graph.nodes", lang, count=len(bank.graph.nodes)) if phase is None else None,
        t("run.elapsed", lang, duration=format_duration(strip.total, lang)) if strip.total else None,
    ]
    conflicts = len(moment.disputes)
    return row_of(
        chip(t(words, lang), look) if words else None,
        chip(waits_for, "task") if waits_for else None,
        chip(t("run.conflicts", lang, count=conflicts), "conflict") if conflicts else None,
        chip(t("run.merges", lang, count=len(moment.merged)), "merge") if moment.merged else None,
        *(aside(fact) for fact in facts if fact),
    )


def run_state(moment: Moment, phase: Phase | None) -> tuple[str, str]:
    """Return the key of the words and the look of the chip."""
    result = moment.bank.progress.result
    if phase is Phase.LOADING:
        return "run.opening", "task live"
    if phase is Phase.RUNNING:
        return "run.running", "task live"
    if phase is Phase.FAILED:
        return "run.failed", "failure"
    if result:
        return f"run.result.{result}", _LOOKS.get(result, "done")
    if phase is Phase.PARKED:
        return "session.stopped", ""
    return ("run.paused" if phase is not None else ""), ""


def insight_box(moment: Moment, lang: Lang, *, has_goal: bool = True) -> Box:
    """Return the doc at a moment. The answer is shown elsewhere, and the goal, too, where it stands on top of that."""
    doc = moment.bank.doc
    goal = box("p", "text strong", doc.task_goal) if doc.task_goal else muted(t("doc.goal_none", lang))
    return div(
        "stack doc",
        labelled(t("doc.goal", lang), goal) if has_goal else None,
        _now(doc.current_task, moment, lang) if doc.current_task is not None else None,
        labelled(t("doc.then", lang), *(box("p", "text", task.description) for task in doc.planned_ahead))
        if doc.planned_ahead
        else None,
        _done(doc.completed_tasks, lang),
    )


def _now(task: Task, moment: Moment, lang: Lang) -> Box:
    wanted = set(task.conflict_ids)
    checks = [dispute for dispute in moment.disputes if wanted.intersection(dispute.conflict_ids)] if wanted else []
    return div(
        "now",
        row_of(label(t("doc.current", lang)), _type_chip(task.type, task.final, lang)),
        box("p", "text", task.description) if not checks else None,
        *(box("p", "text", describe(each, lang), choose=link("conflict", each.conflict_ids[0])) for each in checks),
    )


def _done(tasks: tuple[CompletedTask, ...], lang: Lang) -> Box:
    """Return the completed tasks, the newest first."""
    if not tasks:
        return labelled(t("doc.completed", lang), muted(t("doc.completed_none", lang)))
    lines = (_completed(task, lang) for task in reversed(tasks))
    return labelled(t("doc.completed_count", lang, count=len(tasks)), box("ol", "tasks", *lines))


def _completed(task: CompletedTask, lang: Lang) -> Box:
    good = task.status is TaskStatus.SUCCESS
    is_check = task.type is TaskType.CROSS_VALIDATE  # its wording lists all conflicts, by their numbers
    head = (
        chip(t(f"task.status.{task.status}", lang), "failure") if not good else None,
        _type_chip(task.type, False, lang) if is_check else box("span", "text", task.description),
    )
    if not task.context:
        return box("li", "", row_of(*head))
    learnt = box("p", "text muted small", *_learnt(task.context, lang))
    return box("li", "", box("details", "", box("summary", "", *head), learnt))


def _learnt(context: str, lang: Lang) -> list[Box | str]:
    """Return what was learnt, its citations as links."""
    pieces: list[Box | str] = []
    for number, line in enumerate(answer_lines(context, lang)):
        pieces += ["\n"] if number else []
        pieces += line.inside
    return pieces


def _type_chip(kind: TaskType, final: bool, lang: Lang) -> Box:
    if final:
        return chip(t("task.final", lang), "answer")
    return chip(t(f"task.type.{kind}", lang), "conflict" if kind is TaskType.CROSS_VALIDATE else "task")
