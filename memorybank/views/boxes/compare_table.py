"""Two runs side by side: a card each, the figures in a table, the conflicts, the answers. What differs is marked."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from memorybank.contradiction.disputes.dispute import Dispute, describe
from memorybank.contradiction.same_value import same_value
from memorybank.language.names import same_name
from memorybank.language.text import fold_space
from memorybank.memory.types import ConflictStatus, Lang
from memorybank.session.phase import Phase
from memorybank.views.box import Box, aside, box, chip, div, marked, muted, note, row_of, table_of
from memorybank.views.boxes.conflicts import status_chip
from memorybank.views.boxes.state import run_state
from memorybank.views.i18n import catalogue, t
from memorybank.views.run.badge import chip_of
from memorybank.views.run.comparison import ComparisonRow, Figures, Value
from memorybank.views.run.playback import Moment
from memorybank.views.text.display import format_duration, mark_difference
from memorybank.views.text.passages import without_citations

MOST_CONFLICTS = 12
NOTHING = "–"


def run_card(name: str, run: Figures, moment: Moment, phase: Phase, lang: Lang) -> Box:
    """Return a card with which run it is, what made it, and how it stands."""
    words, look = run_state(moment, phase)
    stage = moment.strip.current or moment.strip.last
    return div(
        "compare-card",
        row_of(
            box("span", "strong", t(f"compare.run_{name}", lang)),
            chip(t(words, lang), look),
            chip_of(moment.answered, lang, replay=phase is Phase.PARKED),
        ),
        box("p", "text clamp", run.goal) if run.goal else None,
        note(_progress(stage, moment, lang)) if stage else None,
    )


def _progress(stage: str, moment: Moment, lang: Lang) -> str:
    nodes = t("graph.nodes", lang, count=len(moment.bank.graph.nodes))
    conflicts = t("run.conflicts", lang, count=len(moment.disputes))
    merges = t("run.merges", lang, count=len(moment.merged))
    return " · ".join((t(f"stage.{stage}", lang), nodes, conflicts, merges))


def table_box(rows: Sequence[ComparisonRow], lang: Lang) -> Box:
    body: list[Box] = []
    for group, members in groupby(rows, key=lambda row: row.group):
        head = box("th", "group", t(f"compare.group.{group}", lang))
        body.append(box("tr", "", head, box("th", ""), box("th", "")))
        body.extend(_row(row, lang) for row in members)
    names = (box("th", "figure", t(f"compare.run_{run}", lang)) for run in "ab")
    differing = sum(row.differs for row in rows if row.group != "settings")
    return div(
        "",
        note(t("compare.differing", lang, count=differing)),
        table_of("figures", (box("th", ""), *names), body),
        box("p", "muted small gap", t("compare.times", lang)),
    )


def _row(row: ComparisonRow, lang: Lang) -> Box:
    return box(
        "tr",
        "differs" if row.differs else "",
        box("td", "indent" if row.indent else "", t(f"compare.row.{row.name}", lang)),
        *(box("td", "figure", cell_text(row, value, lang)) for value in (row.left, row.right)),
    )


def cell_text(row: ComparisonRow, value: Value, lang: Lang) -> str:
    """Return the value of a cell, with a dash for what a run does not tell."""
    if value is None:
        return NOTHING
    if isinstance(value, str):
        return _name(row.name, value, lang)
    if row.unit == "seconds":
        return format_duration(value, lang)
    return f"{value:g}" if row.unit == "number" else f"{int(value):,}"


def _name(row: str, value: str, lang: Lang) -> str:
    """Return names of our own in the page's language, a model's name as it is."""
    key = {
        "engine": f"engine.{value}" if value == "offline" else "",
        "preset": "compare.preset_own" if value == "own" else f"input.preset_{value}",
        "result": f"run.result.{value}",
    }.get(row, "")
    return t(key, lang) if key in catalogue(lang) else value


def conflicts_box(left: Sequence[Dispute], right: Sequence[Dispute], lang: Lang) -> Box:
    """Return the disputes that each run saw. One that only one saw, or that ended otherwise, is marked."""
    columns = [_conflicts(left, right, lang), _conflicts(right, left, lang)]
    return div("", box("h3", "part-title", t("conflict.title", lang)), div("sides", *columns))


def _status_in(dispute: Dispute, others: Sequence[Dispute]) -> ConflictStatus | None:
    """Return the status of the same dispute in the other run; ids, order and pairs depend on the run."""
    return next((candidate.status for candidate in others if _is_same(dispute, candidate)), None)


def _is_same(left: Dispute, right: Dispute) -> bool:
    """Say whether two runs' disputes are one: a statement in both, or the same value of the same thing."""
    if not left.claims or not right.claims:
        return left.description == right.description
    return any(
        first.text == second.text
        or (
            same_name(first.subject, second.subject)
            and fold_space(first.attribute).casefold() == fold_space(second.attribute).casefold()
            and same_value(first, second)
        )
        for first in left.claims
        for second in right.claims
    )


def _conflicts(items: Sequence[Dispute], others: Sequence[Dispute], lang: Lang) -> Box:
    if not items:
        return div("side", muted(t("conflict.none", lang)))
    lines = [_conflict(item, _status_in(item, others), lang) for item in items[:MOST_CONFLICTS]]
    rest = len(items) - MOST_CONFLICTS
    more = note(t("conflict.more_evidence", lang, count=rest)) if rest > 0 else None
    return div("side", box("ul", "compare-conflicts", *lines), more)


def _conflict(dispute: Dispute, there: ConflictStatus | None, lang: Lang) -> Box:
    note = "compare.only_here" if there is None else "compare.ended_otherwise" if there is not dispute.status else ""
    return box(
        "li",
        "differs" if note else "",
        row_of(status_chip(dispute.status, lang), aside(t(note, lang)) if note else None),
        box("p", "text", describe(dispute, lang)),
    )


def answers_box(left: Figures, right: Figures, lang: Lang) -> Box:
    """Return both answers, the words that differ marked. Citations name nodes of one run each, so they are left out."""
    texts = [without_citations(run.answer).strip() for run in (left, right)]
    pieces = mark_difference(*texts) if all(texts) else None
    sides = []
    for place, text in enumerate(texts):
        if not text:
            sides.append(div("side", muted(t("run.answer_none", lang))))
        else:
            sides.append(div("side", box("p", "text", *(marked(pieces[place]) if pieces else (text,)))))
    same = note(t("compare.same_answer", lang)) if pieces and texts[0] == texts[1] else None
    return div("", box("h3", "part-title", t("run.answer", lang)), same, div("sides node", *sides))
