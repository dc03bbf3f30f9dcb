"""One call whole: who made it, what it was asked and what came back; of a model word for word on request."""

from __future__ import annotations

import streamlit as st

from memorybank.calls import ChatCall
from memorybank.hosting.run import Run
from memorybank.memory.types import Lang
from memorybank.runs.run_folder import RunFolder
from memorybank.ui.components.rich import draw
from memorybank.ui.prompt.call_cases import draw_test
from memorybank.ui.shell.links import clear_focus
from memorybank.ui.shell.switch import draw_switch
from memorybank.ui.shell.widgets import CALL_FORM
from memorybank.views.box import Box, aside, box, chip, cut_note, label, muted, note, row_of
from memorybank.views.boxes.call_fields import fields_box
from memorybank.views.boxes.call_words import MOST_TEXT, call_words, message_box, notes_box, place_words
from memorybank.views.calls.call_table import CallRow
from memorybank.views.calls.call_view import AgentView, Exchange, ToolView, agent_view, tool_view
from memorybank.views.i18n import t
from memorybank.views.link import link
from memorybank.views.run.origin import origin_chip
from memorybank.views.run.playback import Moment
from memorybank.views.text.quantities import format_duration, format_tokens

MOST_SOURCES = 40


def draw_call(row: CallRow, worker: Run, moment: Moment, folder: RunFolder, lang: Lang) -> None:
    st.button(
        t("prompt.call.all", lang), key="call-back", icon=":material/arrow_back:", on_click=clear_focus, args=("call",)
    )
    record = worker.records[row.seq - 1]
    view: AgentView | ToolView
    if row.kind == "agent":
        view = agent_view(record, row, folder.blobs.text)
    else:
        view = tool_view(record, row, folder.blobs.text, moment.bank)
    draw(_head(view, lang), *_findings(view, lang), key="call-head")
    asked_a_model = isinstance(view, AgentView) and bool(view.exchanges or view.output_blob)
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
        case "exchanges" if isinstance(view, AgentView):
            _draw_exchanges(view, lang)
        case "test":
            draw_test(view, worker, lang)
        case _:
            _draw_fields(view, lang)


# -- the head ---------------------------------------------------------------------------------------------------------


def _head(view: AgentView | ToolView, lang: Lang) -> Box:
    row = view.row
    facts = [place_words(row, lang), format_duration(row.ms / 1000, lang)]
    if row.input_tokens or row.output_tokens:
        facts += _tokens(row, lang)
    if row.attempts > 1:
        facts.append(t("prompt.call.attempts", lang, count=row.attempts))
    chips: list[Box | None] = [
        origin_chip(view.event, lang) if isinstance(view, AgentView) else chip(t("prompt.calls.tool", lang)),
        chip(t("prompt.calls.outcome.failed", lang), "failure") if row.failed else None,
    ]
    return box(
        "div",
        "call-head",
        row_of(box("h3", "call-name", call_words(row.name, lang, kind=row.kind)), *chips),
        row_of(
            *(aside(fact) for fact in facts),
            box("span", "small go", t("prompt.call.to_prompt", lang), choose=link("prompt", row.prompt))
            if row.prompt
            else None,
            box("span", "small go", t("prompt.call.to_moment", lang, seq=row.seq), choose=link("moment", row.seq)),
        ),
    )


def _findings(view: AgentView | ToolView, lang: Lang) -> list[Box]:
    """What a reader should know before the content: an error, repairs, a blob that is gone."""
    notices: list[Box] = []
    if view.row.failed:
        words = view.event.error if isinstance(view, AgentView) else view.event.excerpt
        notices.append(box("p", "notice failure text gap", words or t("prompt.call.no_reason", lang)))
    missing = (view.input_blob, view.output_blob) if isinstance(view, AgentView) else (view.blob,)
    if "missing" in missing:
        notices.append(box("p", "notice text gap", t("prompt.call.blob_missing", lang)))
    if isinstance(view, AgentView) and (notes := notes_box(view.event.notes, lang)):
        notices.append(notes)
    return notices


# -- readable ---------------------------------------------------------------------------------------------------------


def _draw_fields(view: AgentView | ToolView, lang: Lang) -> None:
    if isinstance(view, ToolView):
        _draw_tool(view, lang)
        return
    if view.input_fields is not None:
        input_box = fields_box(view.input_fields, lang)
    else:
        input_box = muted(t("prompt.call.input_none" if not view.input_text else "prompt.call.input_chat", lang))
    got = fields_box(view.event.answer, lang) if view.event.answer else None
    draw(
        box(
            "div",
            "sides call-sides",
            box("div", "side", box("h3", "side-name", t("prompt.call.asked", lang)), input_box),
            box(
                "div",
                "side",
                box("h3", "side-name", t("prompt.call.answered", lang)),
                got or muted(t("prompt.call.no_answer", lang)),
            ),
        ),
        key="call-fields",
    )


def _draw_tool(view: ToolView, lang: Lang) -> None:
    text = view.result.text if view.result is not None else view.event.excerpt
    draw(
        box(
            "div",
            "sides call-sides",
            box(
                "div",
                "side",
                box("h3", "side-name", t("prompt.call.arguments", lang)),
                fields_box(view.event.arguments, lang),
                *_sources(view, lang),
            ),
            box(
                "div",
                "side",
                box("h3", "side-name", t("prompt.call.result", lang)),
                box("p", "text", text[:MOST_TEXT] or t("prompt.call.no_text", lang)),
                cut_note(MOST_TEXT, len(text), lang, "characters"),
            ),
        ),
        key="call-fields",
    )


def _sources(view: ToolView, lang: Lang) -> list[Box]:
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


def _draw_exchanges(view: AgentView, lang: Lang) -> None:
    if not view.exchanges:
        draw(muted(t("prompt.call.blob_missing", lang)), key="call-exchanges")
        return
    draw(
        [
            _exchange(number, exchange, len(view.exchanges), lang)
            for number, exchange in enumerate(view.exchanges, start=1)
        ],
        key="call-exchanges",
    )


def _tokens(counted: CallRow | ChatCall, lang: Lang) -> list[str]:
    sent, answered = f"{counted.input_tokens:,}", format_tokens(counted.output_tokens, lang)
    words = [t("prompt.call.tokens", lang, given=sent, got=answered)]
    if counted.cached_input_tokens:
        words.append(t("prompt.call.prefix", lang, count=f"{counted.cached_input_tokens:,}"))
    return words


def _exchange(number: int, exchange: Exchange, total: int, lang: Lang) -> Box:
    facts = [exchange.call.model, *_tokens(exchange.call, lang), format_duration(exchange.call.ms / 1000, lang)]
    head = t("prompt.call.question", lang, number=number, total=total) if total > 1 else None
    return box(
        "div",
        "exchange",
        box("h3", "side-name", head) if head else None,
        row_of(*(aside(fact) for fact in facts if fact)),
        *(message_box(role, text, lang) for role, text in exchange.messages),
        box(
            "div",
            "message reply",
            label(t("prompt.call.raw_answer", lang)),
            box("pre", "raw", exchange.reply[:MOST_TEXT] or t("prompt.call.no_text", lang)),
            cut_note(MOST_TEXT, len(exchange.reply), lang, "characters"),
        ),
        *(box("p", "muted small text", text) for text in exchange.call.notes),
    )
