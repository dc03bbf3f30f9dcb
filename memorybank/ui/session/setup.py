"""The first page: one button that shows everything, and a form for one's own task and documents."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from memorybank.documents import ACCEPTED
from memorybank.engines.offline import limits
from memorybank.errors import DamagedError, InputError, MemoryBankError
from memorybank.hosting import new_runs
from memorybank.hosting.ready_tasks import ReadyTask, demo_corpus, demo_image, ready_tasks
from memorybank.hosting.run import NewRun, Until, Upload
from memorybank.memory.types import Lang
from memorybank.settings.config import Preset, Settings
from memorybank.settings.llm import HAND, RECORDING, LLMSettings
from memorybank.ui.components.problems import draw_error, draw_good_part, draw_problem
from memorybank.ui.components.rich import draw
from memorybank.ui.components.run_list import draw_runs
from memorybank.ui.session.lead import draw_lead
from memorybank.ui.shell import course, links, state
from memorybank.ui.shell.engines import ENGINES, Engine, engine_of
from memorybank.ui.shell.switch import button
from memorybank.ui.shell.tab import problems_kept, this_tab
from memorybank.ui.shell.widgets import NEW_ALPHA, NEW_CORPUS, NEW_ENGINE, NEW_K, NEW_PRESET
from memorybank.views.box import box, note
from memorybank.views.i18n import explain, t


def draw_open(lang: Lang) -> None:
    count = this_tab().files_opened  # a file that was opened leaves the field
    file = st.file_uploader(
        t("replay.files.open", lang),
        type=["zip", "jsonl"],
        key=f"open-file-{count}",
        help=t("replay.files.open_help", lang),
        max_upload_size=new_runs.MOST_UPLOADED,
    )
    if file is None or not st.button(
        t("replay.files.open_do", lang), key="open-file-do", icon=":material/upload_file:"
    ):
        return
    try:
        run_id, _ = new_runs.open_file(state.runs(), file.name, file.getvalue())
        state.keep(state.look_up(run_id))
    except (MemoryBankError, OSError) as error:
        draw_error(error, lang, key="problem-open")
        if isinstance(error, DamagedError):
            make = partial(new_runs.open_file, state.runs(), file.name, file.getvalue(), to_last_good=True)
            draw_good_part(make, lang, key="open-file-good")
        return
    this_tab().files_opened = count + 1
    st.rerun()


DOCUMENTS = [suffix.removeprefix(".") for suffix in ACCEPTED]
PICTURES = ["png", "jpg", "jpeg", "webp", "gif", "bmp", "tiff"]
CORPORA = ("en", "zh", "upload", "none")
PRESETS = ("default", "final", "v3")
DOCUMENT_MB, PICTURE_MB = 10, 10


def draw_setup(lang: Lang) -> None:
    _draw_watch(lang)
    _draw_batch(lang)
    _draw_demo(lang)
    _draw_own(lang)
    draw_runs(lang)
    draw_open(lang)


def _draw_watch(lang: Lang) -> None:
    """Draw the way to a run of another program, when the settings of this machine name one."""
    watched = state.runs().watched if state.default_settings().watch_dir else None
    if watched is None:
        return
    with st.container(border=True, horizontal=True, vertical_alignment="center"):
        st.text(t("watch.offer", lang, name=watched.name))
        if (watched / "journal.jsonl").is_file():
            button(t("action.watch", lang), "watch", state.watch, icon="visibility")
        else:
            st.caption(t("watch.not_yet", lang))


def _draw_batch(lang: Lang) -> None:
    """Draw the way to the batch, when the settings of this machine name one."""
    batch = state.default_settings().batch_dir
    if batch is None:
        return
    with st.container(border=True, horizontal=True, vertical_alignment="center"):
        st.text(t("batch.offer", lang, name=batch.name))
        words = t("batch.open", lang)
        button(words, "to-batch", partial(links.open_page, "replay"), icon="table_view")


# -- the demo ---------------------------------------------------------------------------------------------------------


def _draw_demo(lang: Lang) -> None:
    first, *others = ready_tasks(lang)
    with st.container(border=True, gap="medium"):
        draw_lead("home", ("node", "conflict", "merge", "new"), lang, key="steps")
        st.text(first.task)
        with st.container(horizontal=True, vertical_alignment="center", gap="medium"):
            if st.button(t("home.demo", lang), key="demo", type="primary", icon=":material/play_arrow:"):
                _begin(new_run_of(first), Until.END, lang, as_story=True)
            if st.button(t("home.demo_without", lang), key="demo-without", help=limits(lang).in_language(lang)):
                _begin(new_run_of(first, without_model=True), Until.END, lang, as_story=True)
        draw(note(t("home.demo_text", lang)), key="demo-text")
        with st.container(horizontal=True, vertical_alignment="center"):
            st.text(t("home.others", lang))
            for task in others:
                if st.button(task.title, key=f"ready-{task.id}", help=task.task, icon=":material/play_arrow:"):
                    _begin(new_run_of(task), Until.END, lang, as_story=True)


def new_run_of(task: ReadyTask, *, without_model: bool = False) -> NewRun:
    """Return a ready task as it is begun, in its own language, with its corpus and its images: on the recorded answers
    of a language model where it has such, else, or when that is asked for, without a model. Answers fit the requests of
    the session that they were recorded in, hence of its settings and its embedding model."""
    from memorybank.embedding.models import HASHED, resolve

    settings = replace(state.default_settings(), engine="offline", lang=task.lang)
    if task.recorded and not without_model and resolve("auto", (task.task,)).spec != HASHED:
        settings = Settings(engine="llm", lang=task.lang, llm=LLMSettings(provider=RECORDING, model=task.recorded))
    return NewRun(
        prompt=task.task,
        corpus=demo_corpus(task.corpus),
        images=tuple(Upload(name=name, data=demo_image(name)) for name in task.images),
        settings=settings,
    )


# -- one's own task ---------------------------------------------------------------------------------------------------


def _draw_own(lang: Lang) -> None:
    with st.container(border=True, key="own"):
        st.subheader(t("home.own", lang), anchor=False)
        engine = _draw_engines(lang)
        new, problem = _draw_recorded(lang) if engine == "recorded" else _draw_task(engine, lang)
        with st.container(horizontal=True):
            run = st.button(t("action.run", lang), key="new-run", type="primary", icon=":material/play_arrow:")
            step = st.button(
                t("home.step", lang), key="new-step", icon=":material/skip_next:", help=t("home.step_help", lang)
            )
        if run or step:
            with problem:
                _begin(new, Until.END if run else Until.STEP, lang)


def _draw_engines(lang: Lang) -> Engine:
    """Draw the four engines, each with what it can do; the header tells the chosen one."""
    NEW_ENGINE.begin_with(engine_of(state.default_settings()))
    chosen = st.radio(
        t("input.engine", lang),
        ENGINES,
        format_func=lambda name: t(f"engine.{name}", lang),
        captions=[t(f"engine.{name}_can", lang) for name in ENGINES],
        key=NEW_ENGINE.key,
        horizontal=True,
        label_visibility="collapsed",
        persist_state="session",
    )
    return chosen or "offline"


def _draw_recorded(lang: Lang) -> tuple[NewRun, DeltaGenerator]:
    """Draw the tasks that answers were recorded for, and return the chosen one, and where its problem is told."""
    tasks = {task.id: task for task in ready_tasks(lang) if task.recorded}
    chosen = st.radio(
        t("engine.recorded_task", lang), list(tasks), format_func=lambda name: tasks[name].task, key="new-recorded"
    )
    return new_run_of(tasks[chosen or next(iter(tasks))]), st.container()


def _draw_task(engine: Engine, lang: Lang) -> tuple[NewRun, DeltaGenerator]:
    left, right = st.columns([3, 2], gap="medium")
    with right:
        context = uploads(
            t("input.context", lang), t("input.context_help", lang), DOCUMENTS, DOCUMENT_MB, "new-context"
        )
        images = uploads(t("input.images", lang), t("input.images_help", lang), PICTURES, PICTURE_MB, "new-images")
        problem = st.container()  # beside the files, of which most problems are
    with left:
        prompt = st.text_area(
            t("input.task", lang),
            key="new-prompt",
            height=148,
            placeholder=t("input.task_placeholder", lang),
            help=f"{t('input.task_help', lang)} {t('input.prompt_help', lang)}",
            persist_state="session",
        )
        corpus = _draw_corpus(lang, has_own=bool(context or images))
        settings = _engine_settings(_draw_settings(lang), engine, corpus, lang)
    return NewRun(prompt=prompt or "", context=context, corpus=corpus, images=images, settings=settings), problem


def _draw_corpus(lang: Lang, *, has_own: bool) -> Path | tuple[Upload, ...] | None:
    """Draw the choice of what is searched besides one's own files; it begins with nothing where there are such."""
    if not this_tab().corpus_chosen:
        NEW_CORPUS.set("none" if has_own else lang)
    corpus = st.selectbox(
        t("input.corpus", lang),
        CORPORA,
        format_func=lambda name: t(f"input.corpus_{name}", lang),
        key=NEW_CORPUS.key,
        help=t("input.corpus_help", lang),
        persist_state="session",
        on_change=_choose_corpus,
    )
    if corpus == "upload":
        label = t("input.corpus_upload", lang)
        return uploads(label, t("input.corpus_help", lang), DOCUMENTS, DOCUMENT_MB, "new-corpus-files")
    return demo_corpus(corpus) if corpus in ("en", "zh") else None


def _choose_corpus() -> None:
    this_tab().corpus_chosen = True


def _engine_settings(
    settings: Settings, engine: Engine, corpus: Path | tuple[Upload, ...] | None, lang: Lang
) -> Settings:
    """Return the settings with the chosen engine, or say what a language model lacks and make the run without one."""
    if engine == "hand":
        return replace(settings, engine="llm", llm=replace(settings.llm, provider=HAND, model="", base_url=""))
    if engine == "llm":
        try:
            settings.llm.check_roles()
        except InputError as error:
            words = f"{explain(error, lang).words} {t('engine.stays_offline', lang)}"
            draw(box("p", "notice text", words), key="problem-engine")
        else:
            if not settings.web.serper_key and corpus in (None, ()):
                draw(box("p", "notice", t("engine.nothing_to_search", lang)), key="engine-search")
            elif settings.web.serper_key and corpus:
                draw(note(t("engine.web_first", lang)), key="engine-search")
            return replace(settings, engine="llm")
    draw(note(limits(lang).in_language(lang)), key="engine-limits")
    return replace(settings, engine="offline")


def _draw_settings(lang: Lang) -> Settings:
    """Draw the settings only while open: closed, they cost the first page nothing. What was chosen holds either way."""
    defaults = state.default_settings()
    NEW_PRESET.begin_with(PRESETS[0])
    NEW_K.begin_with(defaults.retrieval_k)
    NEW_ALPHA.begin_with(defaults.retrieval_alpha)
    more = st.expander(t("input.advanced", lang), icon=":material/tune:", key="new-more", on_change="rerun")
    if more.open:
        left, middle, right = more.columns([2, 1, 1], gap="medium")
        left.selectbox(
            t("input.preset", lang),
            PRESETS,
            format_func=lambda name: t(f"input.preset_{name}", lang),
            key=NEW_PRESET.key,
            persist_state="session",
        )
        k_help, alpha_help = t("input.k_help", lang), t("input.alpha_help", lang)
        middle.number_input(t("input.k", lang), 0, 100, key=NEW_K.key, help=k_help, persist_state="session")
        right.slider(
            t("input.alpha", lang), 0.0, 1.0, step=0.05, key=NEW_ALPHA.key, help=alpha_help, persist_state="session"
        )
    k, alpha = int(NEW_K.value(defaults.retrieval_k)), float(NEW_ALPHA.value(defaults.retrieval_alpha))
    settings = replace(defaults, retrieval_k=k, retrieval_alpha=alpha)
    preset: Preset | None = {"final": "final", "v3": "v3"}.get(NEW_PRESET.value(PRESETS[0]))  # type: ignore[assignment]
    return settings.with_preset(preset) if preset else settings


def preset_changes(preset: str) -> dict[str, Any]:
    """Return what a preset sets in a run that exists; `default` is one, too."""
    wanted = Settings() if preset == "default" else Settings().with_preset("final" if preset == "final" else "v3")
    return {
        "relations": wanted.relations,
        "strategy": wanted.strategy,
        "neighbor_share": wanted.neighbor_share,
        "merge_after_verdict": wanted.merge_after_verdict,
    }


def uploads(label: str, help_: str, kinds: list[str], megabytes: int, key: str) -> tuple[Upload, ...]:
    """Draw a field for files and return those that are in it."""
    files = st.file_uploader(
        label, type=kinds, accept_multiple_files=True, key=key, help=help_, max_upload_size=megabytes
    )
    return tuple(Upload(name=file.name, data=file.getvalue()) for file in files or ())


# -- beginning --------------------------------------------------------------------------------------------------------


def _begin(new: NewRun, until: Until, lang: Lang, *, as_story: bool = False) -> None:
    """Start the run and show it. What is wrong with the input is said where this is drawn; the form stays as it is."""
    if not (new.prompt.strip() or new.context or new.images):
        draw_problem(t("error.task_empty", lang), lang, key="problem-form")
        return
    try:
        with st.spinner(t("home.reading", lang)):
            worker = state.runs().start(new, by=state.visitor(), until=until)
    except (MemoryBankError, OSError) as error:
        draw_error(error, lang, key="problem-form")
        return
    state.keep(worker)
    if as_story:
        course.begin()
    st.rerun()


# -- the demo, and the story of whatever run is open ------------------------------------------------------------------


def start_demo(lang: Lang) -> None:
    """Begin the first ready task of the language as a story, on the page where the reader is. For callbacks."""
    with problems_kept():
        new = new_run_of(ready_tasks(lang)[0])
        state.keep(state.runs().start(new, by=state.visitor(), until=Until.END))
        course.begin()


def start_story(lang: Lang) -> None:
    """Begin the story of the run, or of the demo, on a page with the graph. It is called from callbacks."""
    if this_tab().page != "session":
        links.open_page("session")
    if this_tab().run is None:
        start_demo(lang)
    elif not course.is_on():  # one that waits goes on where it was
        course.begin()
