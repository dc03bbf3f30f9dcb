"""Settings: what holds for this run, which models there are and how they are, what the runs take on disk."""

from __future__ import annotations

import streamlit as st

from memorybank.errors import MemoryBankError
from memorybank.types import Lang
from memorybank.ui import state
from memorybank.ui.i18n import LANGUAGES, t
from memorybank.ui.problems import explain
from memorybank.ui.quantities import format_bytes
from memorybank.ui.rich import Box, box, chip, draw
from memorybank.ui.watcher import Watcher
from memorybank.ui.worker import Worker

ORIGINS = {
    "default": "settings.origin.default",
    "environment": "settings.origin.environment",
    ".env": "settings.origin.dotenv",
    "command line": "settings.origin.command_line",
}


def draw_settings(worker: Worker | Watcher | None, lang: Lang) -> None:
    left, right = st.columns(2, gap="large")
    with left:
        _draw_effective(worker, lang)
    with right:
        _draw_models(lang)
        _draw_storage(worker, lang)


def _draw_effective(worker: Worker | Watcher | None, lang: Lang) -> None:
    st.subheader(t("settings.effective", lang), anchor=False)
    begun = state.moment(worker).bank.settings if worker is not None else None
    changed = state.moment(worker).bank.changed if worker is not None else None
    defaults = state.default_settings()
    now = changed or begun
    relations = now.relations if now else defaults.relations
    strategy = now.strategy if now else defaults.strategy
    rows = [
        ("settings.engine", begun.engine if begun else defaults.engine),
        ("settings.embedding_model", begun.embedding_model if begun else defaults.embedding_model),
        ("input.lang", LANGUAGES[begun.lang] if begun else t("input.lang_auto", lang)),
        ("settings.relations", " > ".join(relations)),
        ("settings.strategy", t(f"settings.strategy_{strategy}", lang)),
        ("input.k", str(now.k if now else defaults.retrieval_k)),
        ("input.alpha", f"{now.alpha if now else defaults.retrieval_alpha:g}"),
        ("settings.max_rounds", str(begun.max_rounds if begun else defaults.max_rounds)),
        ("settings.prompt_tokens", f"{begun.prompt_tokens if begun else defaults.prompt_tokens:,}"),
    ]
    source = t("settings.source.session" if begun else "settings.source.default", lang)
    draw([box("p", "muted small", source), _table([(t(key, lang), value) for key, value in rows])], key="effective")
    _draw_machine(lang)


def _draw_machine(lang: Lang) -> None:
    """Every variable of this machine, its value and where it came from; secrets are masked before they get here."""
    effective, problem = state.local()
    if problem is not None:
        draw([box("p", "notice failure text", str(problem))], key="settings-problem")
    with st.expander(t("settings.machine", lang), icon=":material/tune:"):
        lines = [
            (row.name, f"{row.value or '–'}  ·  {t(ORIGINS[row.origin], lang)}{'  ·  ' + row.says if row.says else ''}")
            for row in effective.rows
        ]
        draw([box("p", "muted small", t("settings.machine_help", lang)), _table(lines)], key="machine")


def _draw_models(lang: Lang) -> None:
    st.subheader(t("settings.models", lang), anchor=False)
    boxes: list[Box] = [
        box(
            "div",
            "row",
            chip(t("badge.offline", lang), "node"),
            box("span", "muted small", t("badge.offline_help", lang)),
        )
    ]
    for code in LANGUAGES:
        try:
            choice = state.model_choice(code)
        except MemoryBankError as error:
            problem = explain(error, lang)
            boxes.append(box("p", "notice failure text", problem.words))
            if problem.detail:
                boxes.append(box("p", "muted small text", problem.detail))
            continue
        note = choice.note(lang)
        words = t(f"model.badge_{state.warm_up(code).state}", lang) if code == lang else None
        boxes.append(
            box(
                "div",
                "gap",
                box("p", "label", t(f"settings.model_{code}", lang)),
                box("p", "strong text", choice.spec.name),
                box("p", "muted small", words) if words else None,
            )
        )
        if note:
            boxes.append(box("p", "muted small text", note))
    draw(boxes, key="models")


def _draw_storage(worker: Worker | Watcher | None, lang: Lang) -> None:
    st.subheader(t("settings.storage", lang), anchor=False)
    count, size = state.runs().storage()
    draw(
        [box("p", "text", t("settings.storage_used", lang, count=count, size=format_bytes(size, lang)))], key="storage"
    )
    if worker is None or isinstance(worker, Watcher):
        return
    with st.popover(t("action.clear", lang), icon=":material/delete:"):
        st.text(t("settings.clear_warning", lang))
        if st.button(t("settings.clear_now", lang), key="clear", type="primary"):
            with st.spinner(" "):
                state.runs().clear(worker)
            state.leave()
            st.rerun()


def _table(rows: list[tuple[str, str]]) -> Box:
    return box(
        "div",
        "table",
        *(box("div", "line", box("span", "muted", key), box("span", "text", value)) for key, value in rows),
    )
