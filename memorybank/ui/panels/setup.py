"""The first page: one button that shows everything, and a form for one's own task and documents."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import streamlit as st

from memorybank.config import Preset, Settings
from memorybank.errors import MemoryBankError
from memorybank.types import Lang
from memorybank.ui import state
from memorybank.ui.i18n import t
from memorybank.ui.panels.problems import draw_kept_problem, draw_problem, words_of
from memorybank.ui.panels.rich import box, draw
from memorybank.ui.ready_tasks import ReadyTask, demo_corpus, demo_image, ready_tasks
from memorybank.ui.runs import NewRun, Upload
from memorybank.ui.worker import Until

DOCUMENTS = ["txt", "md", "html", "htm", "pdf", "jsonl", "csv", "py", "js", "ts", "java", "c", "cpp", "go", "rs", "sh"]
DOCUMENTS += ["sql", "json", "yaml", "yml", "toml", "rst"]
PICTURES = ["png", "jpg", "jpeg", "webp", "gif", "bmp", "tiff"]
CORPORA = ("en", "zh", "upload", "none")
PRESETS = ("default", "final", "v3")
DOCUMENT_MB, PICTURE_MB = 10, 10


def draw_setup(lang: Lang) -> None:
    draw_kept_problem(lang)
    _draw_demo(lang)
    _draw_own(lang)


# -- the demo ---------------------------------------------------------------------------------------------------------


def _draw_demo(lang: Lang) -> None:
    first, *others = ready_tasks(lang)
    with st.container(border=True, gap="medium"):
        with st.container(gap=None):
            st.header(t("home.title", lang), anchor=False)
            st.text(t("home.lead", lang))
        tones = ("node", "conflict", "merge", "new")
        steps = [
            box(
                "li",
                tone,
                box("p", "strong", t(f"home.step{n}", lang)),
                box("p", "muted", t(f"home.step{n}_text", lang)),
            )
            for n, tone in enumerate(tones, start=1)
        ]
        draw([box("ol", "steps", *steps)], key="steps")
        with st.container(horizontal=True, vertical_alignment="center", gap="medium"):
            if st.button(t("home.demo", lang), key="demo", type="primary", icon=":material/play_arrow:"):
                _begin(_ready(first), Until.END, lang)
            st.text(first.task)
        with st.container(horizontal=True, vertical_alignment="center"):
            st.caption(t("home.others", lang))
            for task in others:
                if st.button(task.title, key=f"ready-{task.id}", help=task.task, icon=":material/play_arrow:"):
                    _begin(_ready(task), Until.END, lang)


def _ready(task: ReadyTask) -> NewRun:
    return NewRun(
        prompt=task.task,
        corpus=demo_corpus(task.corpus),
        images=tuple(Upload(name=name, data=demo_image(name)) for name in task.images),
        settings=replace(state.default_settings(), lang=task.lang),
    )


# -- one's own task ---------------------------------------------------------------------------------------------------


def _draw_own(lang: Lang) -> None:
    with st.container(border=True):
        st.subheader(t("home.own", lang), anchor=False)
        left, right = st.columns([3, 2], gap="medium")
        with left:
            prompt = st.text_area(
                t("input.task", lang),
                key="new-prompt",
                height=148,
                placeholder=t("input.task_placeholder", lang),
                help=f"{t('input.task_help', lang)} {t('input.prompt_help', lang)}",
                persist_state="session",
            )
        with right:
            context = _uploads(
                t("input.context", lang), t("input.context_help", lang), DOCUMENTS, DOCUMENT_MB, "new-context"
            )
        left, right = st.columns([3, 2], gap="medium")
        with left:
            corpus = _draw_corpus(lang)
        with right:
            images = _uploads(t("input.images", lang), t("input.images_help", lang), PICTURES, PICTURE_MB, "new-images")
        settings = _draw_settings(lang)
        with st.container(horizontal=True):
            run = st.button(t("action.run", lang), key="new-run", type="primary", icon=":material/play_arrow:")
            step = st.button(
                t("home.step", lang), key="new-step", icon=":material/skip_next:", help=t("home.step_help", lang)
            )
        if run or step:
            new = NewRun(prompt=prompt or "", context=context, corpus=corpus, images=images, settings=settings)
            _begin(new, Until.END if run else Until.STEP, lang)


def _draw_corpus(lang: Lang) -> Path | tuple[Upload, ...] | None:
    st.session_state.setdefault("new-corpus", lang)
    corpus = st.selectbox(
        t("input.corpus", lang),
        CORPORA,
        format_func=lambda name: t(f"input.corpus_{name}", lang),
        key="new-corpus",
        help=t("input.corpus_help", lang),
        persist_state="session",
    )
    if corpus == "upload":
        label = t("input.corpus_upload", lang)
        return _uploads(label, t("input.corpus_help", lang), DOCUMENTS, DOCUMENT_MB, "new-corpus-files")
    return demo_corpus(corpus) if corpus in ("en", "zh") else None


def _draw_settings(lang: Lang) -> Settings:
    defaults = state.default_settings()
    with st.expander(t("input.advanced", lang), icon=":material/tune:"):
        left, middle, right = st.columns([2, 1, 1], gap="medium")
        preset = left.selectbox(
            t("input.preset", lang),
            PRESETS,
            format_func=lambda name: t(f"input.preset_{name}", lang),
            key="new-preset",
            persist_state="session",
        )
        k = middle.number_input(
            t("input.k", lang), 0, 100, defaults.retrieval_k, key="new-k", help=t("input.k_help", lang)
        )
        alpha = right.slider(
            t("input.alpha", lang),
            0.0,
            1.0,
            defaults.retrieval_alpha,
            0.05,
            key="new-alpha",
            help=t("input.alpha_help", lang),
        )
    settings = replace(defaults, retrieval_k=int(k), retrieval_alpha=float(alpha))
    chosen: Preset | None = {"final": "final", "v3": "v3"}.get(preset)  # type: ignore[assignment]
    return settings.with_preset(chosen) if chosen else settings


def _uploads(label: str, help_: str, kinds: list[str], megabytes: int, key: str) -> tuple[Upload, ...]:
    files = st.file_uploader(
        label, type=kinds, accept_multiple_files=True, key=key, help=help_, max_upload_size=megabytes
    )
    return as_uploads(files)


def as_uploads(files: Sequence[Any] | None) -> tuple[Upload, ...]:
    return tuple(Upload(name=file.name, data=file.getvalue()) for file in files or ())


# -- beginning --------------------------------------------------------------------------------------------------------


def _begin(new: NewRun, until: Until, lang: Lang) -> None:
    """Start the run and show it. What is wrong with the input is said at the button; the form stays as it is."""
    if not (new.prompt.strip() or new.context or new.images):
        draw_problem(t("error.task_empty", lang), lang)
        return
    try:
        with st.spinner(t("home.reading", lang)):
            worker = state.runs().start(new, owner=state.tab(), until=until)
    except MemoryBankError as error:
        draw_problem(words_of(error, lang), lang)
        return
    state.keep(worker)
    st.rerun()
