"""How the engines are: the models of this machine, and endpoints that are asked on demand what they can do."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Literal

import streamlit as st

from memorybank.errors import InputError, MemoryBankError
from memorybank.hosting.health import TIMEOUT, Check, Health, LocalModel, ask_embedding, ask_llm, local_model
from memorybank.memory.types import Lang
from memorybank.settings.config import Settings
from memorybank.settings.llm import AGENTS, HAND, LLMSettings
from memorybank.ui.components.problems import draw_again
from memorybank.ui.components.rich import draw
from memorybank.ui.shell import state
from memorybank.ui.shell.tab import this_tab
from memorybank.views.box import Box, aside, box, chip, label, muted, note, row_of, stack_of
from memorybank.views.boxes.call_words import call_words
from memorybank.views.i18n import LANGUAGES, catalogue, t
from memorybank.views.problems import as_sentence, explain
from memorybank.views.text.quantities import format_bytes, format_duration, relative_time

POLL = 0.5

_LOOKS = {"ready": "done", "loading": "task live", "failed": "failure", "closed": "failure", "idle": ""}


def draw_health(lang: Lang) -> None:
    st.subheader(t("settings.health", lang), anchor=False)
    with st.container(border=True, key="engine-offline"):
        _draw_offline(lang)
    for endpoint in _endpoints(state.default_settings()):
        with st.container(border=True, key=f"engine-{endpoint.key}"):
            _draw_endpoint(endpoint, lang)


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


@dataclass(frozen=True, slots=True, kw_only=True)
class _Endpoint:
    """A model that can be asked whether it serves."""

    key: str
    kind: Literal["llm", "embedding"]
    name: str
    ask: Callable[[], Health]
    roles: tuple[str, ...] = ()
    """Those it serves, where not all are served by one model."""
    missing: InputError | None = None
    """What has to be set before there is anything to ask."""


def _endpoints(settings: Settings) -> Iterator[_Endpoint]:
    try:
        groups = settings.llm.groups
    except InputError:  # an unknown provider: asking says so
        groups = {AGENTS: settings.llm}
    models = [(roles, model) for roles, model in groups.items() if model.provider != HAND]  # a person is not checked
    for number, (roles, model) in enumerate(models):
        yield _Endpoint(
            key="llm" if number == 0 else f"llm-{number + 1}",
            kind="llm",
            name=_name(model),
            ask=partial(ask_llm, model),
            roles=roles if len(groups) > 1 else (),
            missing=_missing(model),
        )
    vectors, name = settings.embedding_endpoint, settings.embedding_model
    if vectors.base_url:
        yield _Endpoint(key="embedding", kind="embedding", name=name, ask=partial(ask_embedding, vectors, name))


def _name(llm: LLMSettings) -> str:
    try:
        return llm.model_name or llm.provider
    except InputError:
        return "–"


def _missing(llm: LLMSettings) -> InputError | None:
    try:
        llm.check()
    except InputError as error:
        return error
    return None


def _draw_endpoint(endpoint: _Endpoint, lang: Lang) -> None:
    check = this_tab().settings.checks.get(endpoint.key)
    running = check is not None and check.running
    draw_live = st.fragment(_draw_check, key=f"health-live-{endpoint.key}", run_every=POLL if running else None)
    draw_live(endpoint, lang, running)


def _draw_check(endpoint: _Endpoint, lang: Lang, was_running: bool) -> None:
    key, missing = endpoint.key, endpoint.missing
    check = this_tab().settings.checks.get(key)
    running = check is not None and check.running
    with st.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="center"):
        draw(_head(endpoint, lang), key=f"health-head-{key}")
        st.button(
            t("settings.check", lang),
            key=f"check-now-{key}",
            icon=":material/network_check:",
            help=t("settings.check_help", lang, seconds=f"{TIMEOUT:g}"),
            disabled=running or missing is not None,
            on_click=_begin,
            args=(endpoint,),
        )
    if missing is not None:
        draw(box("p", "muted text", as_sentence(explain(missing, lang).words)), key=f"health-{key}")
    elif running:
        draw(chip(t("settings.checking", lang), "task live"), key=f"health-{key}")
    elif check is not None and check.result is not None:
        draw(health_box(check.result, check.at, lang), key=f"health-{key}")
    else:
        draw(muted(t("settings.not_checked", lang)), key=f"health-{key}")
    if running != was_running:
        draw_again()


def _head(endpoint: _Endpoint, lang: Lang) -> Box:
    serves = ("、" if lang == "zh" else ", ").join(call_words(role, lang) for role in endpoint.roles)
    return box(
        "div",
        "",
        box("p", "strong", t(f"settings.endpoint_{endpoint.kind}", lang)),
        box("p", "muted small text", endpoint.name),
        box("p", "muted small text", t("settings.serves", lang, roles=serves)) if serves else None,
    )


def _begin(endpoint: _Endpoint) -> None:
    this_tab().settings.checks[endpoint.key] = Check(endpoint.ask)


def health_box(health: Health, at: float, lang: Lang) -> Box:
    """What it can do, or what was in the way and what to do."""
    when = aside(relative_time(at, time.time(), lang))
    took = aside(t("settings.latency", lang, duration=format_duration(health.seconds, lang)))
    facts = health.facts
    if health.problem is not None:
        explanation = explain(health.problem, lang)
        head = [
            row_of(chip(t("settings.check_failed", lang), "failure"), took, when),
            box("p", "text", as_sentence(explanation.words)),
            box("p", "muted small text", explanation.detail) if explanation.detail else None,
        ]
    else:
        head = [row_of(chip(t("settings.check_ok", lang), "done"), took, when)]
        facts = (("model", health.name), ("host", health.host), *facts)
    rows = [
        box("tr", "", box("td", "muted", t(f"settings.fact.{name}", lang)), box("td", "text", _fact(value, lang)))
        for name, value in facts
    ]
    return stack_of(
        *head,
        box("table", "set-table", box("tbody", "", *rows)) if rows else None,
        *(box("p", "muted small text", note) for note in health.notes),
    )


def _fact(value: str, lang: Lang) -> str:
    return t(value, lang) if value in catalogue(lang) else value
