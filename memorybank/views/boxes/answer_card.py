"""The answer as it is read first: its values in large, each with its sources and how far it was checked.

Each unfolds to the trail behind it: the sentence of the answer, the memory, the check, the raw text with the quote
marked.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from memorybank.contradiction.disputes import StatedValue, describe
from memorybank.language import quotation
from memorybank.memory.types import CompletedTask, Lang, TaskStatus
from memorybank.views.answer.earlier import EarlierAnswer
from memorybank.views.answer.points import AnswerPoint, PointState, PointValue, points_of
from memorybank.views.answer.sources import CitedSource
from memorybank.views.box import Box, Piece, box, chip, label, note, row_of
from memorybank.views.boxes.answer import answer_boxes
from memorybank.views.boxes.conflicts import status_chip
from memorybank.views.boxes.leads import go, go_moment, go_value, gos
from memorybank.views.graph.model import node_label
from memorybank.views.i18n import t
from memorybank.views.link import link
from memorybank.views.run.badge import chip_of
from memorybank.views.run.playback import Moment
from memorybank.views.text.passages import address, passage

MOST = 8
"""Values shown in large; all stand in the answer below."""
LONG = 420
"""Characters from which on the whole answer is folded."""

_LOOKS: dict[PointState, str] = {
    "checked": "done",
    "decided": "done",
    "open": "disputed",
    "both_hold": "node",
    "refuted": "conflict",
    "agreed": "node",
    "single": "",
    "found": "",
    "silent": "disputed",
    "unknown": "disputed",
}


def answer_card(
    moment: Moment, lang: Lang, *, points: Sequence[AnswerPoint] | None = None, replay: bool = False
) -> Box | None:
    """None without an answer. `points`: those of the moment, where they are known."""
    answer = moment.bank.progress.answer
    if not answer.strip():
        return None
    points = points_of(moment.bank) if points is None else points
    whole = answer_boxes(answer, lang)
    return box(
        "div",
        "answer-box answer-first",
        row_of(box("h3", "part-title", t("run.answer", lang)), chip_of(moment.answered, lang, replay=replay)),
        _failures(moment.doc.doc.completed_tasks, lang),
        answer_points(points, moment, lang),
        note(t("answer.more", lang, count=len(points) - MOST)) if len(points) > MOST else None,
        _folded(t("answer.whole", lang), whole) if len(answer) > LONG else box("div", "answer-whole", *whole),
    )


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


def answer_points(points: Sequence[AnswerPoint], moment: Moment, lang: Lang) -> Box:
    """The values alone, the first of them."""
    return box("div", "answer-points", *(_point(point, moment, lang) for point in points[:MOST]))


def _failures(tasks: Iterable[CompletedTask], lang: Lang) -> Box | None:
    """What a reader of the answer must know of it."""
    count = sum(task.status is TaskStatus.FAILED for task in tasks)
    return box("p", "text small", t("session.answer_failures", lang, count=count)) if count else None


def _folded(words: str, inside: Iterable[Box]) -> Box:
    return box("details", "", box("summary", "", words), *inside)


# -- a value ----------------------------------------------------------------------------------------------------------


def _point(point: AnswerPoint, moment: Moment, lang: Lang) -> Box:
    look = "answer-sentence text" if point.is_sentence else "answer-value text"
    between = t(f"answer.between.{'both' if point.state == 'both_hold' else 'open'}", lang)
    large: list[Piece] = []
    for number, value in enumerate(point.values):
        large += [box("span", "answer-between", f" {between} ")] if number else []
        large.append(value.text)
    return box(
        "details",
        f"answer-point {_LOOKS[point.state]}".strip(),
        box(
            "summary",
            "",
            label(point.about) if point.about else None,
            box("p", look, *large),
            row_of(
                chip(t(f"answer.state.{point.state}", lang), _LOOKS[point.state]),
                box("span", "muted small text", _source_names(point.values, lang)),
                box("span", "leads", t("answer.trail", lang)),
            ),
            note(_why(point, lang)),
        ),
        box("dl", "trail", *_trail(point, moment, lang)),
    )


def _source_names(values: Sequence[PointValue], lang: Lang) -> str:
    names = dict.fromkeys(source.name for value in values for source in value.sources)
    return t("punctuation.list", lang).join(names) if names else t("answer.no_source", lang)


def _why(point: AnswerPoint, lang: Lang) -> str:
    """What its state rests on, in a sentence."""
    sources = sum(len(value.sources) for value in point.values)
    rivals = t("punctuation.list", lang).join(_with_sources(rival, lang) for rival in point.rivals)
    if point.state == "refuted" and point.dispute is not None and point.dispute.holds is not None:
        return t("answer.why.refuted", lang, value=_with_sources(point.dispute.holds, lang))
    if point.state in ("checked", "decided", "open", "both_hold") and rivals:
        return t(
            f"answer.why.{point.state}_against", lang, rivals=rivals, sources=sources, independent=point.independent
        )
    return t(f"answer.why.{point.state}", lang, count=point.independent)


def _with_sources(value: StatedValue, lang: Lang) -> str:
    if not value.sources:
        return value.text
    return t("answer.value_of", lang, value=value.text, sources=t("punctuation.list", lang).join(value.sources))


# -- the trail --------------------------------------------------------------------------------------------------------


def _trail(point: AnswerPoint, moment: Moment, lang: Lang) -> Iterator[Box]:
    """From the value to the sentence, the memory, the check and the raw text."""
    yield from _step("answer.trail.sentence", [box("p", "text", *_marking(point))], lang)
    nodes = {node_id: value.text for value in point.values for node_id in value.nodes}
    lines = [
        box(
            "p",
            "",
            go(node_label(moment.bank.graph.nodes[node_id], lang), link("node", node_id)),
            box("span", "muted mono", f"  {node_id}  "),
            go_value(moment.bank.graph.nodes[node_id], text, lang),
        )
        for node_id, text in nodes.items()
    ]
    yield from _step("answer.trail.node", lines or [note(t("answer.no_node", lang))], lang)
    if point.dispute is not None:
        dispute = point.dispute
        checks = [go(conflict_id, link("conflict", conflict_id)) for conflict_id in dispute.conflict_ids]
        words = box("p", "text", status_chip(dispute.status, lang), " ", describe(dispute, lang))
        yield from _step("answer.trail.check", [words, box("div", "leads-row small mono", *checks)], lang)
    sources = [source for value in point.values for source in value.sources]
    raw = [_raw(source, lang) for source in sources] or [note(t("answer.no_source", lang))]
    yield from _step("answer.trail.raw", raw, lang)


def _step(words: str, inside: Iterable[Box], lang: Lang) -> Iterator[Box]:
    yield box("dt", "", t(words, lang))
    yield box("dd", "", *inside)


def _marking(point: AnswerPoint) -> list[Piece]:
    """The statement of the answer, its value marked."""
    if point.is_sentence:
        return [point.sentence]
    pieces: list[Piece] = []
    at = 0
    for value in point.values:
        place = quotation.place(point.sentence, value.text)
        if place is not None and place[0] >= at:
            pieces += [point.sentence[at : place[0]], box("mark", "", point.sentence[slice(*place)])]
            at = place[1]
    return [*pieces, point.sentence[at:]]


def _raw(source: CitedSource, lang: Lang) -> Box:
    """A document, at the place where it says it."""
    entry, place = source.entry, source.place
    if entry is None:
        return box("div", "", box("p", "strong", source.name), note(t("answer.source_gone", lang)))
    if place is None:
        return box(
            "div", "", box("p", "strong", go(source.name, link("entry", entry.id))), note(t("answer.not_said", lang))
        )
    piece = passage(entry, place.start, place.end)
    return box(
        "div",
        "",
        box("p", "strong", go(source.name, link("entry", address(entry.id, place.start, place.end)))),
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
