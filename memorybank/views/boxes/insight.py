"""The Insight Doc: what the task is, what is being done now, what was done."""

from __future__ import annotations

from memorybank.contradiction.disputes.dispute import describe
from memorybank.memory.types import CompletedTask, Lang, Task, TaskStatus, TaskType
from memorybank.views.box import Box, box, chip, label, labelled, muted, row_of
from memorybank.views.boxes.answer_card import answer_lines
from memorybank.views.i18n import t
from memorybank.views.link import link
from memorybank.views.run.playback import Moment


def insight_box(moment: Moment, lang: Lang) -> Box:
    """The doc at a moment. The answer is shown elsewhere."""
    doc = moment.bank.doc
    goal = box("p", "text strong", doc.task_goal) if doc.task_goal else muted(t("doc.goal_none", lang))
    return box(
        "div",
        "stack doc",
        labelled(t("doc.goal", lang), goal),
        _now(doc.current_task, moment, lang) if doc.current_task is not None else None,
        _done(doc.completed_tasks, lang),
    )


def _now(task: Task, moment: Moment, lang: Lang) -> Box:
    wanted = set(task.conflict_ids)
    checks = [dispute for dispute in moment.disputes if wanted.intersection(dispute.conflict_ids)] if wanted else []
    return box(
        "div",
        "now",
        row_of(label(t("doc.current", lang)), _type_chip(task.type, task.final, lang)),
        box("p", "text", task.description),
        *(
            box("p", "text muted small", words, choose=link("conflict", dispute.conflict_ids[0]))
            for dispute in checks
            if (words := describe(dispute, lang)) not in task.description
        ),
    )


def _done(tasks: tuple[CompletedTask, ...], lang: Lang) -> Box:
    """The newest first."""
    if not tasks:
        return labelled(t("doc.completed", lang), muted(t("doc.completed_none", lang)))
    lines = (_completed(task, lang) for task in reversed(tasks))
    return labelled(t("doc.completed_count", lang, count=len(tasks)), box("ol", "tasks", *lines))


def _completed(task: CompletedTask, lang: Lang) -> Box:
    good = task.status is TaskStatus.SUCCESS
    head = (
        chip(t(f"task.status.{task.status}", lang), "failure") if not good else None,
        _type_chip(task.type, False, lang) if task.type is TaskType.CROSS_VALIDATE else None,
        box("span", "text", task.description),
    )
    if not task.context:
        return box("li", "", row_of(*head))
    learnt = box("p", "text muted small", *_learnt(task.context, lang))
    return box("li", "", box("details", "", box("summary", "", *head), learnt))


def _learnt(context: str, lang: Lang) -> list[Box | str]:
    """What was learnt, its citations as links."""
    pieces: list[Box | str] = []
    for number, line in enumerate(answer_lines(context, lang)):
        pieces += ["\n"] if number else []
        pieces += line.inside
    return pieces


def _type_chip(kind: TaskType, final: bool, lang: Lang) -> Box:
    if final:
        return chip(t("task.final", lang), "answer")
    return chip(t(f"task.type.{kind}", lang), "conflict" if kind is TaskType.CROSS_VALIDATE else "task")
