"""Every call up to this moment: what they come to, filters, the table; or one of them whole."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import streamlit as st

from memorybank.calls import ChatCall
from memorybank.errors import MemoryBankError
from memorybank.hosting.run import Run
from memorybank.memory.events import AgentCalled
from memorybank.memory.types import Lang
from memorybank.runs.run_folder import RunFolder
from memorybank.session.usage import AgentUsage
from memorybank.ui.components.paged import back_to_first_page, draw_more, page_end
from memorybank.ui.components.rich import draw
from memorybank.ui.prompt.call_cases import draw_test
from memorybank.ui.shell import state
from memorybank.ui.shell.links import clear_focus, focus
from memorybank.ui.shell.switch import button, draw_switch
from memorybank.ui.shell.tab import Widget, kept
from memorybank.ui.shell.widgets import CALL_FORM
from memorybank.views.box import Box, aside, box, chip, cut_note, div, go, label, muted, note, row_of, table_of
from memorybank.views.boxes.call_words import MOST_TEXT, call_words, made_by, message_box, notes_box, place_words
from memorybank.views.calls import call_view
from memorybank.views.i18n import catalogue, t
from memorybank.views.link import link
from memorybank.views.run.origin import origin_chip
from memorybank.views.run.playback import Moment
from memorybank.views.text.display import clip, format_duration, format_tokens, unheaded

MOST_FIELD = 4_000
"""The most characters of one field; the export has them all."""
MOST_ITEMS = 40
DEEPEST = 6
_SHORT = 60
"""The most columns of a value that stands on its field's line."""
_CHOICES = ("relations", "type", "status", "relationship", "trigger", "finish", "winner", "kind", "supports", "mode")


def fields_box(value: Any, lang: Lang) -> Box:
    """Return a mapping as labelled fields, in its order; empty ones are left out, and named at the end."""
    return _value("", value, lang, 0) if value else muted(t("prompt.field_none", lang))


def _value(name: str, value: Any, lang: Lang, depth: int) -> Box:
    if isinstance(value, bool):
        return box("span", "text", t("prompt.field_yes" if value else "prompt.field_no", lang))
    if isinstance(value, str):
        rest = len(value) - MOST_FIELD
        more = aside(f" {t('prompt.more_text', lang, count=rest)}") if rest > 0 else None
        return box("span", "text", _choice(name, value, lang) or value[:MOST_FIELD], more)
    if depth >= DEEPEST and isinstance(value, Mapping | Sequence):
        return box("p", "text mono", clip(json.dumps(value, ensure_ascii=False, default=str), 400))
    if isinstance(value, Mapping):
        return div("fields", *_fields(value, lang, depth))
    if isinstance(value, Sequence):
        return _list(name, value, lang, depth)
    return box("span", "text", f"{value:g}" if isinstance(value, float) else clip(str(value), 400))


def _fields(value: Mapping[str, Any], lang: Lang, depth: int) -> list[Box]:
    shown = [_field(str(name), content, lang, depth) for name, content in value.items() if not _is_empty(content)]
    empty = ", ".join(field_name(str(name), lang) for name, content in value.items() if _is_empty(content))
    if empty and not depth:
        shown.append(box("p", "muted small text", t("prompt.field_empty", lang, names=clip(empty, 400))))
    return shown


def _is_empty(value: Any) -> bool:
    return value is None or value == "" or (isinstance(value, Sequence | Mapping) and not value)


def _field(name: str, value: Any, lang: Lang, depth: int) -> Box:
    body = _value(name, value, lang, depth + 1)
    is_short = isinstance(value, str) and len(value) <= _SHORT and "\n" not in value
    if is_short or isinstance(value, bool | int | float):
        return div("field inline", box("span", "label", field_name(name, lang)), body)
    return div("field", label(field_name(name, lang)), body)


def field_name(name: str, lang: Lang) -> str:
    """Return a field's name in words, or as it is written where this version does not know it."""
    key = f"prompt.field.{name}"
    return t(key, lang) if key in catalogue(lang) else clip(name.replace("_", " "), 60)


def _choice(name: str, value: str, lang: Lang) -> str:
    """Return a word of our own that stands in a field, such as a relation, as the pages say it."""
    keys = (f"prompt.value.{value}", f"conflict.status.{value}", f"task.type.{value}", f"task.status.{value}")
    known = (key for key in keys if name in _CHOICES and key in catalogue(lang))
    return next((t(key, lang) for key in known), "")


def _list(name: str, value: Sequence[Any], lang: Lang, depth: int) -> Box:
    shown, hidden = value[:MOST_ITEMS], len(value) - MOST_ITEMS
    rest = note(t("prompt.field_more", lang, count=hidden)) if hidden > 0 else None
    if all(isinstance(item, str) and len(item) <= _SHORT for item in value):
        return div("row words", *(box("span", "word", _choice(name, item, lang) or item) for item in shown), rest)
    items = [
        div("item", box("span", "number", str(place)), _value(name, item, lang, depth + 1))
        for place, item in enumerate(shown)
    ]
    return div("items", *items, rest)


MOST_SOURCES = 40


def draw_call(row: call_view.CallRow, worker: Run, moment: Moment, folder: RunFolder, lang: Lang) -> None:
    button(t("prompt.call.all", lang), "call-back", partial(clear_focus, "call"), icon="arrow_back")
    record = worker.records[row.seq - 1]
    view: call_view.AgentView | call_view.ToolView
    if row.kind == "agent":
        view = call_view.agent_view(record, row, folder.blobs.text)
    else:
        view = call_view.tool_view(record, row, folder.blobs.text, moment.bank)
    draw(_head(view, lang), *_findings(view, lang), key="call-head")
    asked_a_model = isinstance(view, call_view.AgentView) and bool(view.exchanges or view.output_blob)
    kinds = ["fields", *(["exchanges"] if asked_a_model else []), "test"]
    if CALL_FORM.held() not in kinds:
        CALL_FORM.set("fields")
    shown = draw_switch(
        t("prompt.call.show", lang),
        kinds,
        lambda name: t(f"prompt.call.show.{name}", lang),
        key=CALL_FORM.key,
        persists=False,
    )
    match shown:
        case "exchanges" if isinstance(view, call_view.AgentView):
            _draw_exchanges(view, lang)
        case "test":
            draw_test(view, worker, lang)
        case _:
            _draw_fields(view, lang)


def _head(view: call_view.AgentView | call_view.ToolView, lang: Lang) -> Box:
    row = view.row
    facts = [place_words(row, lang), format_duration(row.ms / 1000, lang)]
    if row.input_tokens or row.output_tokens:
        facts += _tokens(row, lang)
    if row.attempts > 1:
        facts.append(t("prompt.call.attempts", lang, count=row.attempts))
    chips: list[Box | None] = [
        origin_chip(view.event, lang) if isinstance(view, call_view.AgentView) else chip(t("prompt.calls.tool", lang)),
        chip(t("prompt.calls.outcome.failed", lang), "failure") if row.failed else None,
    ]
    return div(
        "call-head",
        row_of(box("h3", "call-name", call_words(row.name, lang, kind=row.kind)), *chips),
        row_of(
            *(aside(fact) for fact in facts),
            aside(go(t("prompt.call.to_prompt", lang), link("prompt", row.prompt))) if row.prompt else None,
            aside(go(t("prompt.call.to_moment", lang, seq=row.seq), link("moment", row.seq))),
        ),
    )


def _findings(view: call_view.AgentView | call_view.ToolView, lang: Lang) -> list[Box]:
    """Return what a reader should know before the content: an error, repairs, a blob that is gone."""
    notices: list[Box] = []
    if view.row.failed:
        words = view.event.error if isinstance(view, call_view.AgentView) else view.event.excerpt
        notices.append(box("p", "notice failure text gap", words or t("prompt.call.no_reason", lang)))
    missing = (view.input_blob, view.output_blob) if isinstance(view, call_view.AgentView) else (view.blob,)
    if "missing" in missing:
        notices.append(box("p", "notice text gap", t("prompt.call.blob_missing", lang)))
    if isinstance(view, call_view.AgentView) and (notes := notes_box(view.event.notes, lang)):
        notices.append(notes)
    return notices


# -- readable ---------------------------------------------------------------------------------------------------------


def _draw_fields(view: call_view.AgentView | call_view.ToolView, lang: Lang) -> None:
    if isinstance(view, call_view.ToolView):
        _draw_tool(view, lang)
        return
    if view.input_fields is not None:
        input_box = fields_box(view.input_fields, lang)
    else:
        input_box = muted(t("prompt.call.input_none" if not view.input_text else "prompt.call.input_chat", lang))
    got = fields_box(view.event.answer, lang) if view.event.answer else None
    answered = got or muted(t("prompt.call.no_answer", lang))
    _draw_sides(_side(t("prompt.call.asked", lang), input_box), _side(t("prompt.call.answered", lang), answered))


def _draw_tool(view: call_view.ToolView, lang: Lang) -> None:
    text = view.result.text if view.result is not None else view.event.excerpt
    given = (fields_box(view.event.arguments, lang), *_sources(view, lang))
    got = box("p", "text", text[:MOST_TEXT] or t("prompt.call.no_text", lang))
    cut = cut_note(MOST_TEXT, len(text), lang, "characters")
    _draw_sides(_side(t("prompt.call.arguments", lang), *given), _side(t("prompt.call.result", lang), got, cut))


def _side(name: str, *inside: Box | None) -> Box:
    return div("side", box("h3", "side-name", name), *inside)


def _draw_sides(left: Box, right: Box) -> None:
    draw(div("sides call-sides", left, right), key="call-fields")


def _sources(view: call_view.ToolView, lang: Lang) -> list[Box]:
    if not view.event.sources:
        return []
    more = cut_note(MOST_SOURCES, len(view.event.sources), lang)
    entries = [box("span", "cite", entry, choose=link("entry", entry)) for entry in view.entries]
    return [
        box("p", "label gap", t("prompt.call.sources", lang)),
        box("ul", "notes", *(box("li", "text", source) for source in view.event.sources[:MOST_SOURCES])),
        *([more] if more else []),
        *([note(t("prompt.call.filed_as", lang)), row_of(*entries)] if entries else []),
    ]


# -- prompts and raw answers ------------------------------------------------------------------------------------------


def _draw_exchanges(view: call_view.AgentView, lang: Lang) -> None:
    if not view.exchanges:
        draw(muted(t("prompt.call.blob_missing", lang)), key="call-exchanges")
        return
    total = len(view.exchanges)
    asked = [_exchange(number, exchange, total, lang) for number, exchange in enumerate(view.exchanges, start=1)]
    draw(asked, key="call-exchanges")


def _tokens(counted: call_view.CallRow | ChatCall, lang: Lang) -> list[str]:
    sent, answered = f"{counted.input_tokens:,}", format_tokens(counted.output_tokens, lang)
    words = [t("prompt.call.tokens", lang, given=sent, got=answered)]
    if counted.cached_input_tokens:
        words.append(t("prompt.call.prefix", lang, count=f"{counted.cached_input_tokens:,}"))
    return words


def _exchange(number: int, exchange: call_view.Exchange, total: int, lang: Lang) -> Box:
    facts = [exchange.call.model, *_tokens(exchange.call, lang), format_duration(exchange.call.ms / 1000, lang)]
    return div(
        "exchange",
        box("h3", "side-name", t("prompt.call.question", lang, number=number, total=total)) if total > 1 else None,
        row_of(*(aside(fact) for fact in facts if fact)),
        *(message_box(role, text, lang) for role, text in exchange.messages),
        div(
            "message reply",
            label(t("prompt.call.raw_answer", lang)),
            box("pre", "raw", exchange.reply[:MOST_TEXT] or t("prompt.call.no_text", lang)),
            cut_note(MOST_TEXT, len(exchange.reply), lang, "characters"),
        ),
        *(box("p", "muted small text", text) for text in exchange.call.notes),
    )


PAGE = 50
"""The number of rows shown at first, and added each time."""
ALL = "all"
WIDTH = 300
"""The most columns of what a call is about; the page cuts it where the line ends."""


def draw_calls(worker: Run, moment: Moment, folder: RunFolder, lang: Lang) -> None:
    calls = moment.read(worker.records, call_view.read_calls)
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
    with st.container(horizontal=True, vertical_alignment="center"):
        draw_totals(calls.totals(state.default_settings().llm), lang)
        wanted, failed = _filter(rows, lang)
    listed = [row for row in reversed(rows) if wanted in (ALL, row.name) and (row.failed or not failed)]
    _draw_table(listed, rows, worker, folder, lang)


# -- filters --------------------------------------------------------------------------------------------------------


def _filter(rows: Sequence[call_view.CallRow], lang: Lang) -> tuple[str, bool]:
    """Return the agent or tool that is asked for, and whether only failed calls are."""
    names = [ALL, *dict.fromkeys(row.name for row in rows)]
    choice = Widget[str]("calls-name")
    if choice.value(ALL) not in names:
        choice.set(ALL)
    name = st.selectbox(
        t("prompt.calls.by_name", lang),
        names,
        format_func=lambda value: t("prompt.calls.all", lang) if value == ALL else call_words(value, lang),
        key=choice.key,
        label_visibility="collapsed",
        persist_state="session",
        on_change=partial(back_to_first_page, "calls"),
        width=240,
    )
    failed = any(row.failed for row in rows) and st.toggle(
        t("prompt.calls.outcome.failed", lang), key="calls-failed", persist_state="session"
    )
    return name, failed


# -- the table ------------------------------------------------------------------------------------------------------


def _draw_table(
    chosen: list[call_view.CallRow], rows: Sequence[call_view.CallRow], worker: Run, folder: RunFolder, lang: Lang
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
    drawn = (_row(row, columns, _about(row, worker, folder), lang) for row in shown)
    draw(table_of("calls", head, drawn), key="calls")
    draw_more("calls", PAGE, len(chosen), lang)


_ALWAYS = ("when", "call", "made_by", "time")
_NUMBERS = ("input_tokens", "output_tokens", "time", "attempts")


def _filled_columns(rows: Sequence[call_view.CallRow]) -> list[str]:
    """Return the columns that say something in this run: the offline engine counts no tokens and tries once."""
    columns = ["input_tokens", "output_tokens"] if any(row.input_tokens or row.output_tokens for row in rows) else []
    return [*columns, "attempts"] if any(row.attempts > 1 for row in rows) else columns


def _about(row: call_view.CallRow, worker: Run, folder: RunFolder) -> str:
    """Return a tool's arguments, an agent's error, else what the agent was asked about, read once from its input."""
    if row.about:
        return row.about
    event = worker.records[row.seq - 1].event
    if not isinstance(event, AgentCalled):  # a tool that takes no arguments
        return ""
    name = ("call-subject", worker.run_id, row.seq, row.at)
    return kept(name, lambda: _subject(event, folder), most=sys.maxsize)


def _subject(event: AgentCalled, folder: RunFolder) -> str:
    try:
        return clip(unheaded(call_view.subject(folder.blobs.text(event.input_blob))), WIDTH)
    except MemoryBankError:  # the input is gone; the call itself says so
        return ""


def _row(row: call_view.CallRow, columns: Sequence[str], about: str, lang: Lang) -> Box:
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
            chip(t("prompt.calls.outcome.failed", lang), "failure") if row.failed else None,
            box("span", "muted small about", clip(about, WIDTH)) if about else None,
        ),
        box("td", "small", made_by(row, lang), cached),
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
    if tokens := agents.input_tokens + agents.output_tokens:
        facts.append(format_tokens(tokens, lang))
    if agents.cached_input_tokens:
        facts.append(t("prompt.call.prefix", lang, count=f"{agents.cached_input_tokens:,}"))
    if agents.cost is not None:
        facts.append(t("prompt.totals.cost", lang, cost=money(agents.cost)))
    failed = agents.failed + tools.failed
    draw(
        div(
            "row call-facts",
            *(box("span", "fact", fact) for fact in facts),
            chip(t("prompt.totals.failed", lang, count=failed), "failure") if failed else None,
            chip(t("prompt.totals.cached", lang, count=agents.cached), "node") if agents.cached else None,
        ),
        key="call-facts",
    )


def money(cost: float) -> str:
    """Return the sum in the user's own currency, which is not named."""
    return f"{cost:,.2f}" if cost >= 1 else f"{cost:.4f}"
