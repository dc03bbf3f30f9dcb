"""How the engines are: the models of this machine, and endpoints that answer one small question on demand."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Literal

import streamlit as st

from memorybank.errors import InputError, MemoryBankError
from memorybank.hosting.health import Check, Health, LocalModel, ask_embedding, ask_llm, local_model
from memorybank.memory.types import Lang
from memorybank.ui.components.rich import draw
from memorybank.ui.shell import state
from memorybank.ui.shell.problems import draw_again
from memorybank.ui.shell.tab import this_tab
from memorybank.views.box import Box, aside, box, chip, label, muted, note, row_of, stack_of
from memorybank.views.i18n import LANGUAGES, catalogue, t
from memorybank.views.problems import as_sentence, explain
from memorybank.views.text.quantities import format_bytes, format_duration, relative_time

POLL = 0.5
Kind = Literal["llm", "embedding"]

_LOOKS = {"ready": "done", "loading": "task live", "failed": "failure", "closed": "failure", "idle": ""}


def draw_health(lang: Lang) -> None:
    st.subheader(t("settings.health", lang), anchor=False)
    with st.container(border=True, key="engine-offline"):
        _draw_offline(lang)
    settings = state.default_settings()
    with st.container(border=True, key="engine-llm"):
        _draw_endpoint("llm", lang)
    if settings.embedding_endpoint.base_url:
        with st.container(border=True, key="engine-embedding"):
            _draw_endpoint("embedding", lang)


def _draw_offline(lang: Lang) -> None:
    boxes: list[Box] = [box("p", "strong", t("badge.offline", lang))]
    if state.default_settings().embedding_endpoint.base_url:
        boxes.append(note(t("settings.vectors_elsewhere", lang)))
    else:
        boxes += [note(t("badge.offline_help", lang)), *_local_models(lang)]
    draw(stack_of(*boxes), key="models")


def _local_models(lang: Lang) -> list[Box]:
    """One for both languages, or one each."""
    boxes: list[Box] = []
    shown: set[str] = set()
    for code in LANGUAGES:
        try:
            choice = state.model_choice(code)
        except MemoryBankError as error:
            explanation = explain(error, lang)
            detail = box("p", "muted small text", explanation.detail) if explanation.detail else None
            boxes.append(box("div", "notice failure", box("p", "text", explanation.words), detail))
            continue
        words = t(f"settings.model_{code}", lang)
        if choice.spec.name in shown:
            continue
        served = [language for language in LANGUAGES if _serves(language, choice.spec.name)]
        if len(served) > 1:
            words = t("settings.model_both", lang)
        shown.add(choice.spec.name)
        model = local_model(choice, state.warm_up(code).process)
        boxes.append(model_box(model, words, choice.note(lang), lang))
    return boxes


def _serves(code: Lang, name: str) -> bool:
    try:
        return state.model_choice(code).spec.name == name
    except MemoryBankError:
        return False


def model_box(model: LocalModel, words: str, remark: str, lang: Lang) -> Box:
    facts = [
        f"{model.package} {model.version}".strip() if model.package else t(f"settings.origin_{model.origin}", lang)
    ]
    if model.memory is not None:
        facts.append(t("settings.memory_used", lang, size=format_bytes(model.memory, lang)))
    return box(
        "div",
        "model",
        label(words),
        row_of(
            box("span", "strong text", model.name),
            chip(t(f"settings.model_state.{model.state}", lang), _LOOKS[model.state]),
        ),
        note(" · ".join(facts)),
        box("p", "muted small text", remark) if remark else None,
    )


# -- endpoints --------------------------------------------------------------------------------------------------------


def _draw_endpoint(kind: Kind, lang: Lang) -> None:
    check = this_tab().settings.checks.get(kind)
    running = check is not None and check.running
    st.fragment(_draw_check, key=f"health-live-{kind}", run_every=POLL if running else None)(kind, lang, running)


def _draw_check(kind: Kind, lang: Lang, was_running: bool) -> None:
    check = this_tab().settings.checks.get(kind)
    running = check is not None and check.running
    missing = _missing(kind)
    with st.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="center"):
        draw(_head(kind, lang), key=f"health-head-{kind}")
        st.button(
            t("settings.check", lang),
            key=f"check-now-{kind}",
            icon=":material/network_check:",
            help=t("settings.check_help", lang),
            disabled=running or missing is not None,
            on_click=_begin,
            args=(kind,),
        )
    if missing is not None:
        draw(box("p", "muted text", as_sentence(explain(missing, lang).words)), key=f"health-{kind}")
    elif running:
        draw(chip(t("settings.checking", lang), "task live"), key=f"health-{kind}")
    elif check is not None and check.result is not None:
        draw(health_box(check.result, check.at, lang), key=f"health-{kind}")
    else:
        draw(muted(t("settings.not_checked", lang)), key=f"health-{kind}")
    if running != was_running:
        draw_again()


def _head(kind: Kind, lang: Lang) -> Box:
    settings = state.default_settings()
    name = settings.embedding_model
    if kind == "llm":
        try:
            name = settings.llm.model_name
        except InputError:
            name = "–"
    return box("div", "", box("p", "strong", t(f"settings.endpoint_{kind}", lang)), box("p", "muted small text", name))


def _missing(kind: Kind) -> InputError | None:
    """What has to be set before there is anything to ask."""
    try:
        if kind == "llm":
            state.default_settings().llm.check()
    except InputError as error:
        return error
    return None


def _begin(kind: Kind) -> None:
    settings = state.default_settings()
    ask: Callable[[], Health] = lambda: ask_llm(settings.llm)  # noqa: E731
    if kind == "embedding":
        ask = lambda: ask_embedding(settings.embedding_endpoint, settings.embedding_model)  # noqa: E731
    this_tab().settings.checks[kind] = Check(ask)


def health_box(health: Health, at: float, lang: Lang) -> Box:
    """How it answered, or what was in the way and what to do."""
    when = aside(relative_time(at, time.time(), lang))
    took = aside(t("settings.latency", lang, duration=format_duration(health.seconds, lang)))
    if health.problem is not None:
        explanation = explain(health.problem, lang)
        return stack_of(
            row_of(chip(t("settings.check_failed", lang), "failure"), took, when),
            box("p", "text", as_sentence(explanation.words)),
            box("p", "muted small text", explanation.detail) if explanation.detail else None,
        )
    rows = [
        box("tr", "", box("td", "muted", t(f"settings.fact.{name}", lang)), box("td", "text", _fact(value, lang)))
        for name, value in (("host", health.host), *health.facts)
    ]
    return stack_of(
        row_of(chip(t("settings.check_ok", lang), "done"), took, when),
        box("table", "set-table", box("tbody", "", *rows)),
        *(box("p", "muted small text", note) for note in health.notes),
    )


def _fact(value: str, lang: Lang) -> str:
    return t(value, lang) if value in catalogue(lang) else value
