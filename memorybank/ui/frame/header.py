"""The top of every page: the name, what makes the results, the embedding model's state, the tools, the language."""

from __future__ import annotations

import functools
import json
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

import streamlit as st

from memorybank.errors import InputError, MemoryBankError
from memorybank.memory.types import Lang
from memorybank.settings.llm import HAND, RECORDING
from memorybank.ui.components import rich
from memorybank.ui.components.problems import draw_again
from memorybank.ui.components.rich import draw
from memorybank.ui.shell import course, links, state
from memorybank.ui.shell.engines import engine_of
from memorybank.ui.shell.switch import button
from memorybank.ui.shell.tab import sent_by, this_tab, wrap_for_component
from memorybank.ui.shell.widgets import LANGUAGE, NEW_ENGINE
from memorybank.views.box import Box, box, chip, row_of
from memorybank.views.drawing.beside import text_beside
from memorybank.views.i18n import LANGUAGES, catalogue, t
from memorybank.views.link import PAGES, beside_the_bank
from memorybank.views.run.origin import OFFLINE, Origin, chip_of

if TYPE_CHECKING:
    from memorybank.hosting.run import Run

_read = functools.partial(text_beside, __package__)

KEY = "shell"


def draw_frame(lang: Lang) -> None:
    """Draw the button for light and dark, with all that the browser does for the page. Once a page, in the header."""
    components = _components()
    with st.container(gap=None, width="content"):
        components.loader(key="shell-loader", height=1)
        components.shell(
            key=KEY,
            data=wrap_for_component(
                {
                    "lang": lang,
                    "page": this_tab().page or "session",
                    "pages": [(name, "" if name == "session" else name) for name in PAGES],
                    "theme": t("shell.tool.theme", lang),
                    "staged": course.is_staged(),
                    "remember": state.for_the_browser(),
                }
            ),
            width="content",
            height="content",
            on_asked_change=_take,
        )


def _take() -> None:
    """Open the page that the browser asks for; it does the rest itself. `again` asks only for a new run of the page."""
    action = sent_by(KEY, "asked")
    # On another page the component is another widget, and brings its last word along as news.
    count = action.get("count")
    if not isinstance(count, int) or count == this_tab().browser.heard.get(KEY):
        return
    this_tab().browser.heard[KEY] = count
    if action.get("what") == "page" and action.get("name") in PAGES:
        links.open_page(action["name"])


class _Components(NamedTuple):
    loader: Any
    shell: Any


@functools.cache
def _components() -> _Components:
    """Register the components, once a process, at the first drawing."""
    parts = ("pages.js", "focusing.js", "memory.js", "streamlit_words.js")
    loader = _read("loader.js").replace("/* CODE */", "\n".join(map(_read, ("is_drawing.js", *parts))))
    loader = loader.replace("/* STYLE */", json.dumps(_read("frame.css")))
    loader = loader.replace("/* ICON */", json.dumps(_read("icon.svg")))
    loader = loader.replace("/* WORDS */", json.dumps(streamlit_words(), ensure_ascii=False))
    return _Components(
        loader=st.components.v2.component("memorybank_shell_loader", js=loader),
        shell=st.components.v2.component(
            "memorybank_shell", html=_read("theme.html"), css=_read("theme.css"), js=_read("mounted.js")
        ),
    )


def streamlit_words() -> dict[Lang, list[tuple[str, str]]]:
    """Return Streamlit's own words and what the app shows in their place, in each language but Streamlit's own."""
    theirs = {key: words for key, words in catalogue("en").items() if key.startswith("streamlit.")}
    return {
        lang: [(words, catalogue(lang)[key]) for key, words in theirs.items()] for lang in LANGUAGES if lang != "en"
    }


LOOKS = {"loading": "task live", "failed": "failure", "closed": "failure"}
"""The looks of a model that is not ready, by its state."""


def draw_header(lang: Lang, worker: Run | None) -> None:
    rich.load()
    with st.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="center", key="header"):
        with st.container(horizontal=True, width="content", vertical_alignment="center", key="header-name"):
            with st.container(width="content", gap=None):
                draw(box("div", "app-name", box("span", "app-title", t("app.title", lang))), key="app-name")
            with st.container(width="content", key="header-badges"):
                loading = model_state(worker, lang) == "loading"
                st.fragment(_draw_badges, run_every=1.0 if loading else None)(worker, lang, loading)
        _draw_tools(lang, worker)


def _draw_tools(lang: Lang, worker: Run | None) -> None:
    """Draw the tools together, so that on a narrow page they go below the name as a whole."""
    with st.container(horizontal=True, width="content", vertical_alignment="center", gap="small", key="header-end"):
        for name in beside_the_bank():
            file, icon = PAGES[name]
            st.page_link(file, label=t(f"page.{name}", lang), icon=icon)
        if worker is not None and not course.is_staged():
            _draw_export(worker, lang)
        if not course.is_staged():
            button(
                t("story.bar.start", lang),
                "story-start",
                partial(_start_story, lang),
                icon="slideshow",
                look="tertiary",
                help_text=t("story.bar.start_help", lang),
            )
        with st.container(width="content", key="header-tools"):
            draw_frame(lang)
        with st.container(width="content", key="header-language"):
            LANGUAGE.begin_with(lang)
            st.segmented_control(
                t("app.language", lang),
                list(LANGUAGES),
                format_func=lambda code: "EN" if code == "en" else LANGUAGES[code],
                key=LANGUAGE.key,
                on_change=state.remember_lang,
                args=(lang,),
                label_visibility="collapsed",
            )


def _draw_export(worker: Run, lang: Lang) -> None:
    """Draw the button; what it offers is drawn while it is open."""
    words = t("export.title", lang)
    opened = st.popover(words, icon=":material/ios_share:", type="tertiary", key="export", on_change="rerun")
    if opened.open and worker.records:
        from memorybank.ui.frame.export import draw_export  # heavy, and a page does without it

        with opened:
            st.fragment(draw_export)(worker, lang)


def _start_story(lang: Lang) -> None:
    from memorybank.ui.session.setup import start_story  # heavy, and the first page does without it

    start_story(lang)


def model_state(worker: Run | None, lang: Lang) -> str:
    """Return the state of the run's embedding model, else of the language's; it is empty where nothing needs loading.

    `loading`, `ready`, `failed` or `closed`.
    """
    if worker is not None and not worker.takes_orders:
        return ""  # to read needs no model
    if state.default_settings().embedding_endpoint.base_url:
        return ""  # nothing is loaded here
    if worker is None or worker.session is None:
        return state.warm_up(lang).state
    state_text: str = getattr(worker.session.parts.embedder, "state", "")
    return state_text.partition(":")[0]


def _draw_badges(worker: Run | None, lang: Lang, was_loading: bool) -> None:
    now = model_state(worker, lang)
    draw(
        row_of(_engine(worker, lang), chip(t(f"model.badge_{now}", lang), LOOKS[now]) if now in LOOKS else None),
        key="badges",
    )
    if was_loading and now != "loading":
        draw_again()


def _engine(worker: Run | None, lang: Lang) -> Box:
    """Return a chip for what makes the run's results, once it has said so; without a run, for the next one's choice."""
    if worker is None:
        return chip_of(_chosen(), lang)
    try:
        made = state.moment(worker).origin
    except MemoryBankError:
        made = Origin(engine="")  # the page says what is wrong with the run
    return chip_of(made, lang, replay=state.is_replay(worker))


def _chosen() -> Origin:
    settings = state.default_settings()
    engine = NEW_ENGINE.held() or engine_of(settings)
    if engine == OFFLINE:
        return Origin(engine=OFFLINE)
    if engine in (HAND, RECORDING):
        return Origin(engine="llm", model=engine, recorded=engine == RECORDING)
    try:
        settings.llm.check_roles()
    except InputError:
        return Origin(engine=OFFLINE)  # what is missing for the model is said where it is chosen
    return Origin(engine="llm", model=settings.llm.models)
