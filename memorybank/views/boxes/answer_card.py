"""The answer: the question on top, then a row for each part of it with its values and their state.

A row unfolds to the trail behind it: the memory, the check, the raw text with the passage marked.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from memorybank.memory.events import AnswerGiven, TaskReceived
from memorybank.memory.state import MemoryState
from memorybank.memory.types import AnswerPoint, AnswerValue, CompletedTask, Lang, PointState, TaskStatus
from memorybank.prompts.claim_words import opened
from memorybank.views.box import Box, Piece, aside, box, chip, div, folded, go, go_moment, gos, muted, note, row_of
from memorybank.views.boxes.entries import quoted_passage
from memorybank.views.graph.model import node_label
from memorybank.views.i18n import t
from memorybank.views.link import link
from memorybank.views.run.commits import Records, commits
from memorybank.views.run.origin import chip_of
from memorybank.views.run.playback import Moment
from memorybank.views.text.passages import CITATION_RE, names_of, passage

_ITEM_RE = re.compile(r"\s*[-*•]\s+(?=\S)")
"""Matches the start of a list's line, in what models write and in what the offline engine writes."""


def answer_boxes(answer: str, lang: Lang) -> list[Box]:
    """Return paragraphs and lists, as the answer has them; all else of its marks stays text."""
    boxes: list[Box] = []
    for is_list, lines in groupby(_lines(answer), key=lambda line: _ITEM_RE.match(line) is not None):
        if is_list:
            points = (box("li", "text", *_line(_ITEM_RE.sub("", line, count=1), lang)) for line in lines)
            boxes.append(box("ul", "points", *points))
        else:
            boxes += [box("p", "text", *_line(line, lang)) for line in lines]
    return boxes


def answer_lines(answer: str, lang: Lang) -> list[Box]:
    """Return the answer, a paragraph a line."""
    return [box("p", "text", *_line(line, lang)) for line in _lines(answer)]


def _lines(answer: str) -> list[str]:
    return [line for line in answer.splitlines() if line.strip()]


def _line(line: str, lang: Lang) -> list[Piece]:
    pieces: list[Piece] = []
    at = 0
    for match in CITATION_RE.finditer(line):
        pieces += [line[at : match.start()], _citation(match["node"], match["sources"] or "", lang)]
        at = match.end()
    return [*pieces, line[at:]]


def _citation(node: str, sources: str, lang: Lang) -> Box:
    names = names_of(sources)
    words = names[0] if len(names) == 1 else t("answer.sources", lang, count=len(names)) if names else node
    return box("span", "cite", words, title="\n".join([node, *names]), choose=link("node", node))


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
    """Return the card; None without an answer. An answer from before points were kept is shown as it was written."""
    answer = moment.bank.progress.answer
    if not answer.strip():
        return None
    points, whole = shown_points(moment.bank), answer_boxes(answer, lang)
    often = Counter(point.part for point in points)
    goal = moment.bank.doc.task_goal
    is_other = moment.answered != moment.origin  # of what made the run as a whole, the header tells
    return div(
        "answer-box answer-first",
        box("h3", "text answer-question", goal) if goal else None,
        _failures(moment.bank.doc.completed_tasks, lang),
        div("answer-rows", *(_row(point, moment.bank, lang, shares=often[point.part] > 1) for point in points)),
        folded(t("answer.whole", lang), *whole, look="answer-text") if points else div("answer-whole", *whole),
        row_of(aside(t("answer.by", lang)), chip_of(moment.answered, lang, replay=replay)) if is_other else None,
    )


def shown_points(bank: MemoryState) -> list[AnswerPoint]:
    """Return the values of each part of the question and what was not found; without any, the part's first sentence."""
    shown: list[AnswerPoint] = []
    for _, own in groupby(bank.progress.points, key=lambda point: point.part):
        points = list(own)
        shown += [point for point in points if not point.is_sentence] or points[:1]
    return shown


def earlier_box(earlier: Sequence[EarlierAnswer], lang: Lang) -> Box | None:
    """Return the earlier questions and answers, folded; each leads to the moment that shows its values."""
    if not earlier:
        return None
    return folded(
        t("answer.earlier", lang, count=len(earlier)),
        *(
            div(
                "gap",
                box("p", "text strong", each.goal),
                *answer_boxes(each.answer, lang),
                gos(go_moment(each.seq, lang)),
            )
            for each in reversed(earlier)
        ),
    )


def _failures(tasks: Iterable[CompletedTask], lang: Lang) -> Box | None:
    """Say how many tasks failed, which a reader of the answer must know; None where none did."""
    count = sum(task.status is TaskStatus.FAILED for task in tasks)
    return box("p", "text small", t("session.answer_failures", lang, count=count)) if count else None


def _row(point: AnswerPoint, bank: MemoryState, lang: Lang, *, shares: bool) -> Box:
    """Return the part, its values, their state. It unfolds to why that is so, and to the sources of each value. A row
    that `shares` its part with another says what its values are of."""
    name = " · ".join(filter(None, (opened(point.part), point.about if shares else "")))
    part = box("span", "answer-part text", name, title=point.about)
    summary = box("summary", "answer-line", part, *_given(point, lang))
    trail = box("dl", "trail", *_trail(point, bank, lang)) if point.values else None
    return box("details", f"answer-row {_LOOKS[point.state]}".strip(), summary, note(_why(point, bank, lang)), trail)


def given(points: Sequence[AnswerPoint], lang: Lang) -> list[Box]:
    """Return the values that an answer gives to a part of the question, with their states; of several, what each is."""
    return [row_of(*_given(point, lang), aside(point.about) if len(points) > 1 else None) for point in points]


def _given(point: AnswerPoint, lang: Lang) -> tuple[Box, Box]:
    """Return the values that the answer gives, all when disputed or all holding, else the first; and their state."""
    values = point.values if point.state in ("disputed", "both_hold") else point.values[:1]
    look = "answer-sentence" if point.is_sentence else "answer-value"
    texts = [box("p", f"{look} text", value.text) for value in values] or [muted("–")]
    return box("span", "answer-values", *texts), chip(t(f"answer.state.{point.state}", lang), _LOOKS[point.state])


def _names(values: Iterable[AnswerValue], bank: MemoryState, lang: Lang) -> str:
    names = dict.fromkeys(bank.tree.entries[at.entry_id].source for value in values for at in value.sources)
    return t("punctuation.list", lang).join(names) if names else t("answer.no_source", lang)


def _why(point: AnswerPoint, bank: MemoryState, lang: Lang) -> str:
    """Say in a sentence what the state of a point rests on, then give the check's reason."""
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


def _trail(point: AnswerPoint, bank: MemoryState, lang: Lang) -> Iterator[Box]:
    """Yield the way from the values to the memories, the check and the raw text."""
    live = dict.fromkeys(bank.graph.successor(node_id) for value in point.values for node_id in value.node_ids)
    lines = [
        box("p", "", go(node_label(node, lang), link("node", node.id)), box("span", "muted mono", f"  {node.id}"))
        for node_id in live
        if (node := bank.graph.nodes.get(node_id)) is not None
    ]
    yield from _step("answer.trail.node", lines or [note(t("answer.no_node", lang))], lang)
    if point.conflict_ids:
        checks = [go(conflict_id, link("conflict", conflict_id)) for conflict_id in point.conflict_ids]
        yield from _step("answer.trail.check", [div("leads-row small mono", *checks)], lang)
    places = [place for value in point.values for place in value.sources]
    raw = [quoted_passage(passage(bank.tree.entries[at.entry_id], at.start, at.end)) for at in places]
    yield from _step("answer.trail.raw", raw or [note(t("answer.no_source", lang))], lang)


def _step(words: str, inside: Iterable[Box], lang: Lang) -> Iterator[Box]:
    yield box("dt", "", t(words, lang))
    yield box("dd", "", *inside)


@dataclass(frozen=True, slots=True, kw_only=True)
class EarlierAnswer:
    goal: str
    answer: str
    seq: int
    """The moment that shows it: the end of the stage that gave it."""


def earlier_answers(records: Records) -> tuple[EarlierAnswer, ...]:
    """Return the answers, first to last; that to the newest question is not among them."""
    answered: list[EarlierAnswer] = []
    goal, current = "", None
    for commit in commits(records):
        for record in commit.records:
            match record.event:
                case TaskReceived():
                    answered += [current] if current is not None else []
                    goal, current = record.event.goal, None
                case AnswerGiven(answer=answer) if answer.strip():
                    current = EarlierAnswer(goal=goal, answer=answer, seq=commit.records[-1].seq)
    return tuple(answered)
