"""Two runs side by side: a card each, the answers by the parts of the question, the conflicts, the figures."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby, product
from operator import attrgetter

from memorybank.contradiction.disputes.dispute import Dispute, describe
from memorybank.contradiction.same_value import same_value
from memorybank.memory.state import MemoryState
from memorybank.memory.types import ConflictStatus, Lang
from memorybank.prompts.claim_words import opened
from memorybank.session.phase import Phase
from memorybank.settings.llm import HAND, RECORDING
from memorybank.views.box import Box, aside, box, chip, div, folded, muted, note, row_of, table_of
from memorybank.views.boxes.answer_card import given, shown_points
from memorybank.views.boxes.conflicts import status_chip
from memorybank.views.boxes.state import run_state
from memorybank.views.i18n import catalogue, t
from memorybank.views.run.comparison import ComparisonRow, Value
from memorybank.views.run.origin import chip_of
from memorybank.views.run.playback import Moment
from memorybank.views.text.display import format_duration
from memorybank.views.text.passages import without_citations

MOST_CONFLICTS = 12
NOTHING = "–"


def run_card(name: str, moment: Moment, phase: Phase, lang: Lang) -> Box:
    """Return a card with which run it is, what made it, and how it stands."""
    words, look = run_state(moment, phase)
    return div(
        "compare-card",
        row_of(
            box("span", "strong", t(f"compare.run_{name}", lang)),
            chip(t(words, lang), look),
            chip_of(moment.answered, lang, replay=phase is Phase.PARKED),
        ),
        box("p", "text clamp", goal) if (goal := moment.bank.doc.task_goal) else None,
    )


def table_box(rows: Sequence[ComparisonRow], lang: Lang) -> Box:
    """Return the figures that differ, and folded those that do not."""
    differing, same = ([row for row in rows if row.differs is differs] for differs in (True, False))
    return div(
        "gap",
        _figures(differing, lang) if differing else None,
        folded(t("compare.same", lang, count=len(same)), _figures(same, lang)),
        box("p", "muted small gap", t("compare.times", lang)),
    )


def _figures(rows: Sequence[ComparisonRow], lang: Lang) -> Box:
    body: list[Box] = []
    for group, members in groupby(rows, key=lambda row: row.group):
        body.append(box("tr", "", box("th", "group", t(f"compare.group.{group}", lang)), box("th", ""), box("th", "")))
        body.extend(_row(row, lang) for row in members)
    return table_of("figures", (box("th", ""), *_names(lang)), body)


def _names(lang: Lang) -> list[Box]:
    return [box("th", "figure", t(f"compare.run_{run}", lang)) for run in "ab"]


def _row(row: ComparisonRow, lang: Lang) -> Box:
    return box(
        "tr",
        "",
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
    engines = {"offline": "engine.offline", HAND: "session.origin.by_hand", RECORDING: "session.origin.recorded"}
    key = {
        "engine": engines.get(value.partition(":")[0], ""),
        "preset": "compare.preset_own" if value == "own" else f"input.preset_{value}",
        "result": f"run.result.{value}",
    }.get(row, "")
    return t(key, lang) if key in catalogue(lang) else value


def conflicts_box(left: Sequence[Dispute], right: Sequence[Dispute], lang: Lang) -> Box:
    """Return the disputes that each run saw. One that only one saw, or that ended otherwise, is marked."""
    columns = [_conflicts(left, right, lang), _conflicts(right, left, lang)]
    return div("gap", box("h3", "part-title", t("conflict.title", lang)), div("sides", *columns))


def _is_same(left: Dispute, right: Dispute) -> bool:
    """Say whether two runs' disputes are one: a statement in both, or two of the same values and one of the same
    documents, whatever the engines call the thing."""
    statements = [{claim.text for claim in each.claims} or {each.description} for each in (left, right)]
    documents = [{name for value in each.values for name in value.sources} for each in (left, right)]
    agreed = {first.value for first, second in product(left.claims, right.claims) if same_value(first, second)}
    return bool(statements[0] & statements[1]) or (len(agreed) > 1 and bool(documents[0] & documents[1]))


def _conflicts(items: Sequence[Dispute], others: Sequence[Dispute], lang: Lang) -> Box:
    if not items:
        return div("side", muted(t("conflict.none", lang)))
    shown = items[:MOST_CONFLICTS]
    there = [next((one.status for one in others if _is_same(item, one)), None) for item in shown]  # in the other run
    lines = [_conflict(item, status, lang) for item, status in zip(shown, there, strict=True)]
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


def answers_box(left: MemoryState, right: MemoryState, lang: Lang) -> Box:
    """Return both answers by the parts of the question, and folded both as they were written. Citations name nodes of
    one run each, so they are left out."""
    answers = [without_citations(bank.progress.answer).strip() for bank in (left, right)]
    written = (box("p", "text", each) if each else muted(t("run.answer_none", lang)) for each in answers)
    whole = div("sides", *(div("side", each) for each in written))
    sides = [{part: [*own] for part, own in groupby(shown_points(bank), attrgetter("part"))} for bank in (left, right)]
    rows = [
        box("tr", "", box("td", "", opened(part)), *(box("td", "", *given(own.get(part, ()), lang)) for own in sides))
        for part in {**sides[0], **sides[1]}
    ]
    return div(
        "",
        box("h3", "part-title", t("run.answer", lang)),
        note(t("compare.same_answer", lang)) if answers[0] and answers[0] == answers[1] else None,
        table_of("figures", (box("th", ""), *_names(lang)), rows) if rows else None,
        folded(t("answer.whole", lang), whole) if rows else whole,
    )
