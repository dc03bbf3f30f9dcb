"""The top of every page: the name, what makes the results, the state of the embedding model, the language."""

from __future__ import annotations

from typing import Literal

import streamlit as st

from memorybank.embedding.process import EmbeddingProcess
from memorybank.types import Lang
from memorybank.ui import state
from memorybank.ui.i18n import LANGUAGES, t
from memorybank.ui.panels import rich
from memorybank.ui.panels.rich import box, chip, draw
from memorybank.ui.worker import Worker

ModelState = Literal["loading", "ready", "failed", "closed"]


def draw_header(lang: Lang, worker: Worker | None) -> None:
    rich.load()
    name, badges, language = st.columns([6, 4, 1.3], vertical_alignment="center", gap="small")
    with name.container(gap=None):
        st.subheader(t("app.title", lang), anchor=False)
        st.caption(t("app.tagline", lang))
    process = embedding(worker, lang)
    loading = process is not None and process.state == "loading"
    with badges:
        st.fragment(draw_badges, run_every=1.0 if loading else None)(lang, process, loading)
    with language:
        draw_language(lang)


def embedding(worker: Worker | None, lang: Lang) -> EmbeddingProcess | None:
    """The process of the run's model, else of the model that this language calls for. Starts it, waits for nothing."""
    if worker is not None and worker.session is not None:
        embedder = worker.session.parts.embedder
        return embedder if isinstance(embedder, EmbeddingProcess) else None
    return state.warm_up(lang)


def model_state(process: EmbeddingProcess) -> ModelState:
    found: ModelState = "failed"
    if process.state in ("loading", "ready", "closed"):
        found = process.state  # type: ignore[assignment]
    return found


def draw_badges(lang: Lang, process: EmbeddingProcess | None, was_loading: bool) -> None:
    chips = [box("span", "", chip(t("badge.offline", lang), "node"), title=t("badge.offline_help", lang))]
    if process is not None:
        now = model_state(process)
        look = {"loading": "task live", "ready": "done", "failed": "failure", "closed": "failure"}[now]
        chips.append(box("span", "", chip(t(f"model.badge_{now}", lang), look), title=process.name))
    draw([box("div", "row end", *chips)], key="badges")
    if was_loading and (process is None or process.state != "loading"):
        st.rerun()


def draw_language(lang: Lang) -> None:
    st.session_state.setdefault("lang", lang)
    st.segmented_control(
        t("app.language", lang),
        list(LANGUAGES),
        format_func=lambda code: "EN" if code == "en" else LANGUAGES[code],
        key="lang",
        label_visibility="collapsed",
        width="stretch",
        bind="query-params",
    )
