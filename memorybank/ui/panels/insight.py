"""The Insight Doc: what the task is, what is being done now, what was done, and the answer."""

from __future__ import annotations

from memorybank.types import CompletedTask, Lang, Task, TaskStatus, TaskType
from memorybank.ui.i18n import t
from memorybank.ui.panels.answer import answer_lines
from memorybank.ui.playback import Moment
from memorybank.ui.rich import Box, box, chip, draw


def draw_insight(moment: Moment, lang: Lang) -> None:
    doc, answer = moment.bank.doc, moment.bank.progress.answer
    if moment.bank.settings is None:
        draw([box("p", "muted", t("run.opening", lang))], key="insight")
        return
    boxes = [
        box(
            "div",
            "",
            box("p", "label", t("doc.goal", lang)),
            box("p", "text strong", doc.task_goal or t("doc.goal_none", lang)),
        )
    ]
    if answer:
        boxes.append(box("div", "answer-box", box("p", "label", t("run.answer", lang)), *answer_lines(answer, lang)))
    if doc.current_task is not None:
        boxes.append(_now(doc.current_task, moment, lang))
    boxes.append(_done(doc.completed_tasks, lang))
    draw([box("div", "stack", *boxes)], key="insight")


def _now(task: Task, moment: Moment, lang: Lang) -> Box:
    known = moment.bank.conflicts.all
    checked = [known[one].description for one in task.conflict_ids if one in known]
    return box(
        "div",
        "now",
        box("div", "row", box("span", "label", t("doc.current", lang)), _type_chip(task.type, task.final, lang)),
        box("p", "text", task.description),
        *(box("p", "text muted small", line) for line in checked if line not in task.description),
    )


def _done(tasks: tuple[CompletedTask, ...], lang: Lang) -> Box:
    if not tasks:
        return box(
            "div", "", box("p", "label", t("doc.completed", lang)), box("p", "muted", t("doc.completed_none", lang))
        )
    return box(
        "div",
        "",
        box("p", "label", t("doc.completed_count", lang, count=len(tasks))),
        box("ol", "tasks", *(_completed(task, lang) for task in reversed(tasks))),
    )


def _completed(task: CompletedTask, lang: Lang) -> Box:
    good = task.status is TaskStatus.SUCCESS
    return box(
        "li",
        "",
        box(
            "div",
            "row",
            chip(t(f"task.status.{task.status}", lang), "done" if good else "failure"),
            _type_chip(task.type, False, lang) if task.type is TaskType.CROSS_VALIDATE else None,
        ),
        box("p", "text", task.description),
        box("p", "text muted small", task.context) if task.context else None,
    )


def _type_chip(kind: TaskType, final: bool, lang: Lang) -> Box:
    if final:
        return chip(t("task.final", lang), "answer")
    return chip(t(f"task.type.{kind}", lang), "conflict" if kind is TaskType.CROSS_VALIDATE else "task")
