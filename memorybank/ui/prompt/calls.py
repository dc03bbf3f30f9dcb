"""Every call up to this moment: what they come to, filters, the table; or one of them whole."""

from __future__ import annotations

import sys
from collections.abc import Sequence

import streamlit as st

from memorybank.errors import MemoryBankError
from memorybank.hosting.run import Run
from memorybank.memory.events import AgentCalled
from memorybank.memory.types import Lang
from memorybank.runs.run_folder import RunFolder
from memorybank.session.usage import AgentUsage
from memorybank.ui.components.paged import back_to_first_page, draw_more, page_end
from memorybank.ui.components.rich import draw
from memorybank.ui.prompt.call_detail import draw_call
from memorybank.ui.shell import state
from memorybank.ui.shell.links import focus
from memorybank.ui.shell.memo import kept, past, remembered
from memorybank.ui.shell.tab import Widget
from memorybank.views.box import Box, box, chip, muted, note, table_of
from memorybank.views.boxes.call_words import call_words, made_by, place_words
from memorybank.views.calls.call_table import CallRow, read_calls
from memorybank.views.calls.call_view import subject
from memorybank.views.i18n import t
from memorybank.views.link import link
from memorybank.views.run.playback import Moment
from memorybank.views.text.display import clip
from memorybank.views.text.quantities import format_duration, format_tokens

PAGE = 50
"""Rows shown at first, and how many more each time."""
ALL = "all"
WIDTH = 90
"""Columns of what a call is about."""


def draw_calls(worker: Run, moment: Moment, folder: RunFolder, lang: Lang) -> None:
    calls = remembered(worker.run_id, worker.records, moment.at, read_calls)
    rows = calls.rows
    if not rows:
        draw(muted(t("prompt.calls.none", lang)), key="calls-none")
        return
    requested = focus("call")
    row = next((row for row in rows if str(row.seq) == requested), None)
    if row is not None:
        draw_call(row, worker, moment, folder, lang)
        return
    if requested:
        later = requested.isdecimal() and len(requested) < 10 and int(requested) > moment.at
        words = t("prompt.calls.later" if later else "prompt.calls.unknown", lang, seq=clip(requested, 20))
        draw(box("p", "notice text", words), key="call-unknown")
    name = ("call-totals", *past(worker.run_id, worker.records, moment.at))
    draw_totals(kept(name, lambda: calls.totals(state.default_settings().llm)), lang)
    wanted, failed = _filter(rows, lang)
    listed = [row for row in reversed(rows) if wanted in (ALL, row.name) and (row.failed or not failed)]
    _draw_table(listed, rows, worker, folder, lang)


# -- filters --------------------------------------------------------------------------------------------------------


def _filter(rows: Sequence[CallRow], lang: Lang) -> tuple[str, bool]:
    """The agent or tool that is asked for, and whether only what failed is."""
    names = [ALL, *dict.fromkeys(row.name for row in rows)]
    choice = Widget[str]("calls-name")
    if choice.value(ALL) not in names:
        choice.set(ALL)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        name = st.selectbox(
            t("prompt.calls.by_name", lang),
            names,
            format_func=lambda value: t("prompt.calls.all", lang) if value == ALL else call_words(value, lang),
            key=choice.key,
            persist_state="session",
            on_change=back_to_first_page,
            args=("calls",),
        )
        failed = any(row.failed for row in rows) and st.toggle(
            t("prompt.calls.outcome.failed", lang), key="calls-failed", persist_state="session"
        )
    return name, failed


# -- the table ------------------------------------------------------------------------------------------------------


def _draw_table(chosen: list[CallRow], rows: Sequence[CallRow], worker: Run, folder: RunFolder, lang: Lang) -> None:
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
        table_of("calls", head, (_row(row, columns, _about(row, worker, folder), lang) for row in shown)),
        key="calls",
    )
    draw_more("calls", PAGE, len(chosen), lang, is_noted=False)


_ALWAYS = ("when", "call", "made_by", "outcome", "time")
_NUMBERS = ("input_tokens", "output_tokens", "time", "attempts")


def _filled_columns(rows: Sequence[CallRow]) -> list[str]:
    """Columns that say something in this run: the offline engine counts no tokens and tries once."""
    columns = ["input_tokens", "output_tokens"] if any(row.input_tokens or row.output_tokens for row in rows) else []
    return [*columns, "attempts"] if any(row.attempts > 1 for row in rows) else columns


def _about(row: CallRow, worker: Run, folder: RunFolder) -> str:
    """A tool's arguments, an agent's error, else what the agent was asked about, read once from its input."""
    if row.about:
        return row.about
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


def _row(row: CallRow, columns: Sequence[str], about: str, lang: Lang) -> Box:
    numbers = {
        "input_tokens": _number(row.input_tokens),
        "output_tokens": _number(row.output_tokens),
        "attempts": _number(row.attempts if row.attempts > 1 else 0),
    }
    cached = box("span", "tag", t("prompt.calls.cached", lang)) if row.cached else None
    return box(
        "tr",
        "failure" if row.failed else "",
        box("td", "muted small", place_words(row, lang)),
        box(
            "td",
            "",
            box("span", "open strong", call_words(row.name, lang, kind=row.kind), choose=link("call", row.seq)),
            box("span", "muted small about", clip(about, WIDTH)) if about else None,
        ),
        box("td", "small", made_by(row, lang), cached),
        box("td", "small", t(f"prompt.calls.outcome.{'failed' if row.failed else 'ok'}", lang)),
        box("td", "number", format_duration(row.ms / 1000, lang)),
        *(numbers[name] for name in columns),
    )


def _number(value: int) -> Box:
    return box("td", "number", f"{value:,}" if value else "")


# -- what the calls come to -------------------------------------------------------------------------------------------


def draw_totals(totals: tuple[AgentUsage, AgentUsage], lang: Lang) -> None:
    agents, tools = totals
    facts = [
        t("prompt.totals.agents", lang, count=agents.calls),
        t("prompt.totals.tools", lang, count=tools.calls),
        format_duration((agents.ms + tools.ms) / 1000, lang),
    ]
    tokens = agents.input_tokens + agents.output_tokens
    if tokens:
        facts.append(format_tokens(tokens, lang))
    if agents.cached_input_tokens:
        facts.append(t("prompt.call.prefix", lang, count=f"{agents.cached_input_tokens:,}"))
    if agents.cost is not None:
        facts.append(t("prompt.totals.cost", lang, cost=money(agents.cost)))
    failed = agents.failed + tools.failed
    draw(
        box(
            "div",
            "row call-facts",
            *(box("span", "fact", fact) for fact in facts),
            chip(t("prompt.totals.failed", lang, count=failed), "failure") if failed else None,
            chip(t("prompt.totals.cached", lang, count=agents.cached), "node") if agents.cached else None,
        ),
        key="call-facts",
    )


def money(cost: float) -> str:
    """In the user's own currency, which nobody names here."""
    return f"{cost:,.2f}" if cost >= 1 else f"{cost:.4f}"
