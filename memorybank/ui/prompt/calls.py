"""Every call up to this moment: what they come to, filters, the table; or one of them whole."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar, cast, get_args

import streamlit as st

from memorybank.errors import MemoryBankError
from memorybank.hosting.run import Run
from memorybank.memory.events import AgentCalled
from memorybank.memory.types import Lang
from memorybank.runs.run_folder import RunFolder
from memorybank.ui.components.paged import back_to_first_page, draw_more, page_end
from memorybank.ui.components.rich import draw
from memorybank.ui.prompt.call_detail import draw_call
from memorybank.ui.prompt.call_totals import draw_totals
from memorybank.ui.shell import state
from memorybank.ui.shell.links import focus
from memorybank.ui.shell.memo import kept, past, read_on
from memorybank.ui.shell.tab import Widget
from memorybank.views.box import Box, box, muted, note
from memorybank.views.boxes.call_remarks import mark_tags
from memorybank.views.boxes.call_words import call_words, made_by, place_words, stage_words
from memorybank.views.calls.call_marks import CallMark, MarkReader
from memorybank.views.calls.call_table import CallFilter, CallReader, CallRow, Order, Reuse, chosen
from memorybank.views.calls.call_view import subject
from memorybank.views.i18n import t
from memorybank.views.link import link
from memorybank.views.problems import recorded_words
from memorybank.views.run.playback import Moment
from memorybank.views.text.display import clip
from memorybank.views.text.quantities import format_duration

T = TypeVar("T", bound=str)
Marks = Mapping[int, tuple[CallMark, ...]]

PAGE = 50
"""Rows shown at first, and how many more each time."""
ALL = "all"
WIDTH = 90
"""Columns of what a call is about."""


def draw_calls(worker: Run, moment: Moment, folder: RunFolder, lang: Lang) -> None:
    calls = read_on(worker.run_id, worker.records, moment.at, CallReader)
    rows = calls.rows
    if not rows:
        draw(muted(t("prompt.calls.none", lang)), key="calls-none")
        return
    requested = focus("call")
    row = next((row for row in rows if str(row.seq) == requested), None)
    if row is not None:
        draw_call(row, rows, worker, moment, folder, lang)
        return
    if requested:
        later = requested.isdecimal() and len(requested) < 10 and int(requested) > moment.at
        words = t("prompt.calls.later" if later else "prompt.calls.unknown", lang, seq=clip(requested, 20))
        draw(box("p", "notice text", words), key="call-unknown")
    name = ("call-totals", *past(worker.run_id, worker.records, moment.at))
    draw_totals(kept(name, lambda: calls.totals(state.default_settings().llm)), lang)
    marks = read_on(worker.run_id, worker.records, moment.at, MarkReader).marks
    wanted, order = _filter(rows, marks, lang)
    _draw_table(chosen(rows, wanted, order), rows, marks, worker, folder, lang)


# -- filters ----------------------------------------------------------------------------------------------------------


def _filter(rows: Sequence[CallRow], marks: Marks, lang: Lang) -> tuple[CallFilter, Order]:
    """What the reader has chosen, and in which order; a choice that this run has nothing for is all."""
    names = list(dict.fromkeys(row.name for row in rows))
    stages = list(dict.fromkeys(row.stage for row in rows))
    columns = st.columns(5)
    with columns[0]:
        name = _select("name", names, lambda name: call_words(name, lang), lang)
    with columns[1]:
        stage = _select("stage", stages, lambda name: stage_words(name, lang), lang)
    with columns[2]:
        outcomes = ["ok", "failed", *(["marked"] if marks else [])]
        outcome = _select("outcome", outcomes, lambda name: t(f"prompt.calls.outcome.{name}", lang), lang)
    with columns[3]:
        kinds: list[Reuse] = ["fresh", "cached", "again"]
        reuse = _select("reuse", kinds, lambda name: t(f"prompt.calls.reuse.{name}", lang), lang)
    with columns[4]:
        order: Order = st.selectbox(
            t("prompt.calls.order", lang),
            get_args(Order),
            format_func=lambda name: t(f"prompt.calls.order.{name}", lang),
            key="calls-order",
            persist_state="session",
            on_change=back_to_first_page,
            args=("calls",),
        )
    failed = outcome == "failed" if outcome in ("ok", "failed") else None
    among = marks if outcome == "marked" else None
    return CallFilter(name=name, stage=stage, failed=failed, reuse=reuse, among=among), order


def _select(which: str, options: Sequence[T], words: Callable[[T], str], lang: Lang) -> T | None:
    key = f"calls-{which}"
    choice = Widget[str](key)
    if choice.value(ALL) not in (ALL, *options):
        choice.set(ALL)
    picked: object = st.selectbox(
        t(f"prompt.calls.by_{which}", lang),
        [ALL, *options],
        format_func=lambda value: t("prompt.calls.all", lang) if value == ALL else words(cast(T, value)),
        key=key,
        persist_state="session",
        on_change=back_to_first_page,
        args=("calls",),
    )
    return None if picked == ALL else cast(T, picked)


# -- the table --------------------------------------------------------------------------------------------------------


def _draw_table(
    chosen: list[CallRow], rows: Sequence[CallRow], marks: Marks, worker: Run, folder: RunFolder, lang: Lang
) -> None:
    shown = chosen[: page_end("calls", PAGE)]
    if not shown:
        draw(muted(t("prompt.calls.no_match", lang)), key="calls")
        return
    columns = _filled_columns(rows)
    head = [
        box("th", "number" if name in _NUMBERS else "", t(f"prompt.calls.head.{name}", lang))
        for name in (*_ALWAYS, *columns)
    ]
    key = "prompt.calls.showing_all" if len(chosen) == len(rows) else "prompt.calls.showing"
    draw(
        note(t(key, lang, shown=len(shown), found=len(chosen), total=len(rows))),
        box(
            "table",
            "calls",
            box("thead", "", box("tr", "", *head)),
            box("tbody", "", *(_row(row, columns, marks, _about(row, worker, folder, lang), lang) for row in shown)),
        ),
        key="calls",
    )
    draw_more("calls", PAGE, len(chosen), lang, is_noted=False)


_ALWAYS = ("when", "call", "made_by", "outcome", "time")
_NUMBERS = ("input_tokens", "output_tokens", "time", "attempts")


def _filled_columns(rows: Sequence[CallRow]) -> list[str]:
    """Columns that say something in this run: the offline engine counts no tokens and tries once."""
    columns = ["input_tokens", "output_tokens"] if any(row.input_tokens or row.output_tokens for row in rows) else []
    return [*columns, "attempts"] if any(row.attempts > 1 for row in rows) else columns


def _about(row: CallRow, worker: Run, folder: RunFolder, lang: Lang) -> str:
    """A tool's arguments, an agent's error, else what the agent was asked about, read once from its input."""
    if row.about:
        return recorded_words(row.about, lang) if row.failed else row.about
    event = worker.records[row.seq - 1].event
    if not isinstance(event, AgentCalled):  # a tool that takes no arguments
        return ""
    name = ("call-subject", worker.run_id, row.seq, row.at)
    return kept(name, lambda: _subject(event, folder), most=sys.maxsize)


def _subject(event: AgentCalled, folder: RunFolder) -> str:
    try:
        return clip(subject(folder.blobs.text(event.input_blob)), WIDTH)
    except MemoryBankError:  # the input is gone; the call itself says so
        return ""


def _row(row: CallRow, columns: Sequence[str], marks: Marks, about: str, lang: Lang) -> Box:
    numbers = {
        "input_tokens": _number(row.input_tokens),
        "output_tokens": _number(row.output_tokens),
        "attempts": _number(row.attempts if row.attempts > 1 else 0),
    }
    return box(
        "tr",
        "failure" if row.failed else "",
        box("td", "muted small", place_words(row, lang)),
        box(
            "td",
            "",
            box("span", "open strong", call_words(row.name, lang, kind=row.kind), choose=link("call", row.seq)),
            *mark_tags(marks.get(row.seq, ()), lang),
            box("span", "muted small about", clip(about, WIDTH)) if about else None,
        ),
        box("td", "small", made_by(row, lang), *_reuse(row, lang)),
        box("td", "small", t(f"prompt.calls.outcome.{'failed' if row.failed else 'ok'}", lang)),
        box("td", "number", format_duration(row.ms / 1000, lang)),
        *(numbers[name] for name in columns),
    )


def _number(value: int) -> Box:
    return box("td", "number", f"{value:,}" if value else "")


def _reuse(row: CallRow, lang: Lang) -> list[Box]:
    if row.reuse == "fresh":
        return []
    return [box("span", "tag", t(f"prompt.calls.reuse.{row.reuse}", lang))]
