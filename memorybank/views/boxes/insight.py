"""The Insight Doc: what the task is, what is being done now, what was done; what changed is marked."""

from __future__ import annotations

from memorybank.contradiction.disputes import describe
from memorybank.memory.types import CompletedTask, Lang, Task, TaskStatus, TaskType
from memorybank.views.box import Box, box, chip, labelled, muted, note, row_of
from memorybank.views.boxes.answer_card import answer_lines
from memorybank.views.i18n import t
from memorybank.views.link import link
from memorybank.views.memory.doc_diff import DocLine, DocVersion, doc_diff
from memorybank.views.run.playback import Moment


def insight_box(moment: Moment, lang: Lang) -> Box:
    """The doc at a moment, what differs from the version it replaced marked. The answer is shown elsewhere."""
    lines = doc_diff(moment.doc_before, moment.doc)
    done = [line for line in lines if line.part == "done"]
    return box(
        "div",
        "stack doc",
        _since(moment.doc, lang) if moment.doc_before.seq else None,
        *([] if moment.doc.doc.task_goal else [_no_goal(lang)]),
        *(_goal(line, lang) for line in lines if line.part == "goal"),
        *(_now(line, moment, lang) for line in lines if line.part == "now"),
        _done(done, lang),
    )


def _since(doc: DocVersion, lang: Lang) -> Box:
    """Which stage made what is marked."""
    words = t("session.doc.changed_by", lang, stage=t(f"stage.{doc.stage}", lang), round=doc.round)
    if not doc.round:
        words = t("session.doc.changed_by_first", lang, stage=t(f"stage.{doc.stage}", lang))
    return note(words, " ", box("span", "ev-seq", f"#{doc.seq}", choose=link("moment", doc.seq)))


def _no_goal(lang: Lang) -> Box:
    return labelled(t("doc.goal", lang), muted(t("doc.goal_none", lang)))


def _label(key: str, line: DocLine, lang: Lang, *more: Box) -> Box:
    return row_of(box("span", "label", t(key, lang)), _mark(line, lang), *more)


def _mark(line: DocLine, lang: Lang) -> Box | None:
    """In words, too: colour alone says nothing to many."""
    return chip(t(f"session.doc.{line.change}", lang), f"mark {line.change}") if line.change else None


def _look(line: DocLine, look: str = "") -> str:
    return f"{look} doc-{line.change}".strip() if line.change else look


def _goal(line: DocLine, lang: Lang) -> Box:
    return box("div", _look(line), _label("doc.goal", line, lang), box("p", "text strong", line.text))


def _now(line: DocLine, moment: Moment, lang: Lang) -> Box:
    task = line.task
    assert isinstance(task, Task)
    wanted = set(task.conflict_ids)
    checks = [dispute for dispute in moment.disputes if wanted.intersection(dispute.conflict_ids)] if wanted else []
    return box(
        "div",
        _look(line, "now"),
        _label("doc.current", line, lang, _type_chip(task.type, task.final, lang)),
        box("p", "text", task.description),
        *(
            box("p", "text muted small", words, choose=link("conflict", dispute.conflict_ids[0]))
            for dispute in checks
            if (words := describe(dispute, lang)) not in task.description
        ),
    )


def _done(lines: list[DocLine], lang: Lang) -> Box:
    if not lines:
        return labelled(t("doc.completed", lang), muted(t("doc.completed_none", lang)))
    count = sum(line.change != "gone" for line in lines)
    return labelled(
        t("doc.completed_count", lang, count=count), box("ol", "tasks", *(_completed(line, lang) for line in lines))
    )


def _completed(line: DocLine, lang: Lang) -> Box:
    task = line.task
    assert isinstance(task, CompletedTask)
    good = task.status is TaskStatus.SUCCESS
    head = (
        chip(t(f"task.status.{task.status}", lang), "failure") if not good else None,
        _type_chip(task.type, False, lang) if task.type is TaskType.CROSS_VALIDATE else None,
        _mark(line, lang),
        box("span", "text", task.description),
    )
    if not task.context:
        return box("li", _look(line), row_of(*head))
    learnt = box("p", "text muted small", *_learnt(task.context, lang))
    return box("li", _look(line), box("details", "", box("summary", "", *head), learnt))


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
