"""The answer as it is read first: the question, then each part of it with its values, their sources and their state.

A value unfolds to the trail behind it: the memory, the check, the raw text with the passage marked.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

from memorybank.memory.bank import MemoryBank
from memorybank.memory.types import (
    AnswerPoint,
    AnswerValue,
    CompletedTask,
    Entry,
    Lang,
    PointState,
    Span,
    TaskStatus,
)
from memorybank.views.box import Box, Piece, box, chip, label, note, row_of
from memorybank.views.boxes.answer import answer_boxes
from memorybank.views.boxes.leads import go, go_moment, go_value, gos
from memorybank.views.graph.model import node_label
from memorybank.views.i18n import t
from memorybank.views.link import link
from memorybank.views.run.badge import chip_of
from memorybank.views.run.earlier_answers import EarlierAnswer
from memorybank.views.run.playback import Moment
from memorybank.views.text.passages import address, passage

MOST = 8
"""Values shown in large; all stand in the answer below."""
LONG = 420
"""Characters from which on the whole answer is folded."""

_LOOKS: dict[PointState, str] = {
    "checked": "done",
    "decided": "done",
    "corrected": "conflict",
    "agreed": "node",
    "single": "",
    "disputed": "disputed",
    "both_hold": "node",
    "unsourced": "disputed",
    "nothing_found": "disputed",
}


def answer_card(moment: Moment, lang: Lang, *, replay: bool = False) -> Box | None:
    """None without an answer. One from before answers were kept point by point is shown as it was written."""
    answer = moment.bank.progress.answer
    if not answer.strip():
        return None
    points, whole = shown_points(moment.bank), answer_boxes(answer, lang)
    return box(
        "div",
        "answer-box answer-first",
        row_of(box("h3", "part-title", t("run.answer", lang)), chip_of(moment.answered, lang, replay=replay)),
        box("p", "text strong answer-question", moment.doc.doc.task_goal) if moment.doc.doc.task_goal else None,
        _failures(moment.doc.doc.completed_tasks, lang),
        box("div", "answer-points", *(_point(point, moment.bank, lang) for point in points[:MOST])),
        note(t("answer.more", lang, count=len(points) - MOST)) if len(points) > MOST else None,
        _folded(t("answer.whole", lang), whole) if len(answer) > LONG else box("div", "answer-whole", *whole),
    )


def shown_points(bank: MemoryBank) -> list[AnswerPoint]:
    """Return the values of each part of the question and what was not found; without any, the part's first sentence."""
    shown: list[AnswerPoint] = []
    for _, own in groupby(bank.progress.points, key=lambda point: point.part):
        points = list(own)
        shown += [point for point in points if not point.is_sentence] or points[:1]
    return shown


def earlier_box(earlier: Sequence[EarlierAnswer], lang: Lang) -> Box | None:
    """What was asked before, folded; each leads to the moment that shows its values."""
    if not earlier:
        return None
    return _folded(
        t("answer.earlier", lang, count=len(earlier)),
        [
            box(
                "div",
                "gap",
                box("p", "text strong", each.goal),
                *answer_boxes(each.answer, lang),
                gos(go_moment(each.seq, lang)),
            )
            for each in reversed(earlier)
        ],
    )


def _failures(tasks: Iterable[CompletedTask], lang: Lang) -> Box | None:
    """What a reader of the answer must know of it."""
    count = sum(task.status is TaskStatus.FAILED for task in tasks)
    return box("p", "text small", t("session.answer_failures", lang, count=count)) if count else None


def _folded(words: str, inside: Iterable[Box]) -> Box:
    return box("details", "", box("summary", "", words), *inside)


# -- a value ----------------------------------------------------------------------------------------------------------


def _point(point: AnswerPoint, bank: MemoryBank, lang: Lang) -> Box:
    look = "answer-sentence text" if point.is_sentence else "answer-value text"
    between = t(f"answer.between.{'both' if point.state == 'both_hold' else 'open'}", lang)
    large: list[Piece] = []
    for number, value in enumerate(_given(point)):
        large += [box("span", "answer-between", f" {between} ")] if number else []
        large.append(value.text)
    words = [
        label(" · ".join(filter(None, (point.part, point.about)))),
        box("p", look, *large) if large else None,
        row_of(
            chip(t(f"answer.state.{point.state}", lang), _LOOKS[point.state]),
            box("span", "muted small text", _names(_given(point), bank, lang)) if large else None,
            box("span", "leads", t("answer.trail", lang)) if large else None,
        ),
        note(_why(point, bank, lang)),
    ]
    look = f"answer-point {_LOOKS[point.state]}".strip()
    if not large:
        return box("div", f"card {_LOOKS[point.state]}", *words)
    return box("details", look, box("summary", "", *words), box("dl", "trail", *_trail(point, bank, lang)))


def _given(point: AnswerPoint) -> tuple[AnswerValue, ...]:
    """What the answer gives; what stands beside it was not settled, or holds as well."""
    return point.values if point.state in ("disputed", "both_hold") else point.values[:1]


def _names(values: Iterable[AnswerValue], bank: MemoryBank, lang: Lang) -> str:
    names = dict.fromkeys(bank.tree.entries[at.entry_id].source for value in values for at in value.sources)
    return t("punctuation.list", lang).join(names) if names else t("answer.no_source", lang)


def _why(point: AnswerPoint, bank: MemoryBank, lang: Lang) -> str:
    """What its state rests on, in a sentence; then the reason of the check."""
    others = [value for value in point.values[1:] if value.stands is (point.state == "corrected")]
    rivals = t("punctuation.list", lang).join(
        t("answer.value_of", lang, value=each.text, sources=_names([each], bank, lang)) if each.sources else each.text
        for each in others
    )
    tasks, key = t("punctuation.list", lang).join(point.looked_for), point.state
    sources = len(point.values[0].sources) if point.values else 0
    against = "_against" if rivals and key in ("checked", "decided") else "_looked" if tasks else ""
    words = t(
        f"answer.why.{key}{against}", lang, rivals=rivals, sources=sources, independent=point.independent, tasks=tasks
    )
    return f"{words} {point.why}".strip()


# -- the trail --------------------------------------------------------------------------------------------------------


def _trail(point: AnswerPoint, bank: MemoryBank, lang: Lang) -> Iterator[Box]:
    """Yield the way from the values to the memories, the check and the raw text."""
    texts = {bank.graph.successor(node_id): value.text for value in point.values for node_id in value.node_ids}
    lines = [
        box(
            "p",
            "",
            go(node_label(node, lang), link("node", node.id)),
            box("span", "muted mono", f"  {node.id}  "),
            go_value(node, text, lang),
        )
        for node_id, text in texts.items()
        if (node := bank.graph.nodes.get(node_id)) is not None
    ]
    yield from _step("answer.trail.node", lines or [note(t("answer.no_node", lang))], lang)
    if point.conflict_ids:
        checks = [go(conflict_id, link("conflict", conflict_id)) for conflict_id in point.conflict_ids]
        yield from _step("answer.trail.check", [box("div", "leads-row small mono", *checks)], lang)
    places = [place for value in point.values for place in value.sources]
    raw = [_raw(bank.tree.entries[place.entry_id], place) for place in places]
    yield from _step("answer.trail.raw", raw or [note(t("answer.no_source", lang))], lang)


def _step(words: str, inside: Iterable[Box], lang: Lang) -> Iterator[Box]:
    yield box("dt", "", t(words, lang))
    yield box("dd", "", *inside)


def _raw(entry: Entry, place: Span) -> Box:
    """A document, at the place where it says it."""
    piece = passage(entry, place.start, place.end)
    return box(
        "div",
        "",
        box("p", "strong", go(entry.source, link("entry", address(entry.id, place.start, place.end)))),
        box(
            "p",
            "raw",
            "…" if piece.cut_before else None,
            piece.before,
            box("mark", "", piece.match),
            piece.after,
            "…" if piece.cut_after else None,
        ),
    )
