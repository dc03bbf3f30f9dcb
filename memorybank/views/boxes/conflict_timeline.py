"""The life of a conflict as steps, left to right; each leads to its moment, its call, its prompt, its record."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

from memorybank.memory.state import MemoryState
from memorybank.memory.types import Conflict, ConflictId, ConflictStatus, Lang, NodeId
from memorybank.runs.stages import Place
from memorybank.views.box import Box, box, go, go_call, go_moment, gos
from memorybank.views.boxes.conflicts import LOOKS, executor_name
from memorybank.views.i18n import t
from memorybank.views.link import link
from memorybank.views.memory.conflict_life import LifeStep
from memorybank.views.text.display import clip

TASK = 60
"""Columns of the task's wording in a step; all of it in the title."""

_TONES = {
    "imported": "node",
    "found": "conflict",
    "planned": "node",
    "checked": "node",
    "attempted": "disputed",
    "stated": "node",
    "merged": "merge",
    "joined": "merge",
    "apart": "node",
    "undone": "disputed",
    "restored": "node",
}


def timeline(conflict: Conflict, steps: Sequence[LifeStep], bank: MemoryState, lang: Lang) -> Box:
    ahead = _ahead(conflict, bank, lang)
    return box("ol", "life-steps", *(_step(conflict.id, step, lang) for step in steps), ahead)


def _step(conflict_id: ConflictId, step: LifeStep, lang: Lang) -> Box:
    tone = LOOKS[step.status] if step.kind == "closed" and step.status else _TONES.get(step.kind, "node")
    return box(
        "li",
        tone,
        box("p", "strong", _title(step, lang)),
        box("p", "muted small", moment_line(step.place, lang), title=day(step.place.at)),
        *_details(conflict_id, step, lang),
        gos(
            go_moment(step.place.seq, lang),
            go_call(step.call, lang) if step.call else None,
            go(t("conflicts.go_prompt", lang), link("prompt", step.prompt)) if step.prompt else None,
            go(t("conflicts.go_record", lang), link("entry", step.transcript)) if step.transcript else None,
            go(t("conflicts.go_merge", lang), link("merge", step.merge)) if step.merge else None,
        ),
    )


def _title(step: LifeStep, lang: Lang) -> str:
    if step.kind == "closed" and step.status is not None:
        return t(f"conflict.status.{step.status}", lang)
    return t(f"conflicts.step.{step.kind}", lang)


def _details(conflict_id: ConflictId, step: LifeStep, lang: Lang) -> list[Box]:
    """What there is to say of a step, in a line or two."""
    lines: list[Box] = []
    if step.kind in ("found", "imported"):
        left, right = step.nodes
        words = t("conflicts.step.met", lang, left=left, right=right)
        lines.append(box("p", "text", words, title=t("conflicts.step.met_help", lang)))
    if step.kind == "planned":
        lines.append(box("p", "text", clip(step.words, TASK), title=step.words))
        others = [
            box("span", "leads", other_id, choose=link("conflict", other_id))
            for other_id in step.group
            if other_id != conflict_id
        ]
        if others:
            lines.append(box("p", "leads-row", box("span", "muted", t("conflicts.step.with", lang)), *others))
    if step.kind == "checked":
        by = t("conflicts.step.checked_by", lang, name=executor_name(step.who, lang), count=step.tools)
        lines.append(box("p", "text", by))
        lines.append(box("p", "text", t("conflicts.step.read", lang, count=len(step.materials))))
    if step.kind in ("checked", "attempted") and step.words:
        lines.append(box("p", "text failure", step.words))
    if step.kind in ("stated", "closed", "undone", "restored"):
        lines.append(box("p", "text", t("conflicts.step.by", lang, name=executor_name(step.who, lang))))
    if step.kind in ("merged", "undone", "joined", "apart") or (step.kind == "restored" and step.nodes):
        lines.append(box("p", "text", nodes_line(step.nodes, lang)))
    return lines


def nodes_line(nodes: Sequence[NodeId], lang: Lang) -> str:
    return t("punctuation.list", lang).join(nodes)


def _ahead(conflict: Conflict, bank: MemoryState, lang: Lang) -> Box | None:
    """What an open conflict waits for."""
    if conflict.status is not ConflictStatus.OPEN:
        return None
    task, need = bank.doc.current_task, bank.progress.need
    checked = task is not None and conflict.id in task.conflict_ids
    words = "conflicts.ahead.plan"
    if checked:
        words = "conflicts.ahead.verdict" if need in ("intercept", "resolve") else "conflicts.ahead.check"
    return box("li", "ahead", box("p", "strong", t("conflicts.step.ahead", lang)), box("p", "text", t(words, lang)))


def moment_line(place: Place, lang: Lang) -> str:
    """`round 2 · event 155`"""
    known = [t("conflicts.round", lang, round=place.round)] if place.round else []
    return " · ".join([*known, t("conflicts.event", lang, seq=place.seq)])


def day(at: float) -> str:
    """Date and time where the server stands, which is the reader's own machine; empty when it is not known."""
    return datetime.fromtimestamp(at, tz=UTC).astimezone().strftime("%Y-%m-%d %H:%M:%S") if at > 0 else ""
