"""Text typed in the studio is saved as it is typed, and the page says when, or why not."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import cache, partial
from typing import Any, TypeVar

import streamlit as st

from memorybank.errors import InputError
from memorybank.language.text import is_han
from memorybank.memory.types import Lang
from memorybank.ui.components.rich import draw
from memorybank.ui.shell.switch import button
from memorybank.ui.shell.tab import Widget, problems_kept, sent_by, this_tab, wrap_for_component
from memorybank.views.box import box
from memorybank.views.drawing.beside import text_beside
from memorybank.views.i18n import explain, t
from memorybank.views.text.display import plain
from memorybank_studio.page.shelf import OpenStudio
from memorybank_studio.page.tab import studio_tab
from memorybank_studio.tasks.by_hand import KeptText
from memorybank_studio.types import BEARERS

T = TypeVar("T")


def begin(held: OpenStudio, field: str, otherwise: str = "", *, is_emptied: bool = False) -> None:
    """Fill the field when this tab first draws it: with text typed there and not handed over, else `otherwise`.
    `is_emptied`: Streamlit empties it when it is sent; it is filled each time that it comes onto the page anew."""
    widget = Widget[str](field)
    if field not in st.session_state if is_emptied else widget.held() is None:
        kept = held.studio.gateway.typed.get(field)
        studio_tab().desk.typed_seen[field] = _at(kept)
        widget.set(kept.text if kept is not None else otherwise)


def sent(held: OpenStudio, field: str, text: str) -> None:
    """Note that such a field's text was sent; what the browser still tells of it from before is no new text."""
    handed_over(held, field, None)
    desk = studio_tab().desk
    desk.typed_seen[field] = 0.0
    desk.typed_sent[field] = text.strip()


def save(held: OpenStudio, field: str, text: str) -> None:
    """Save what was typed so far; what goes wrong is said beside the field. A text that another tab's stands against is
    kept beside that one. For callbacks."""
    desk, typed = studio_tab().desk, held.studio.gateway.typed
    if desk.typed_sent.pop(field, None) == text.strip():
        return
    try:
        kept = typed.put(field, text, seen=desk.typed_seen.get(field, 0.0))
        desk.typed_problems.pop(field, None)
        desk.typed_seen[field] = _at(kept)
    except InputError as error:
        desk.typed_problems[field] = _keep_beside(held, field, text, error)
    except OSError as error:
        desk.typed_problems[field] = error


def _keep_beside(held: OpenStudio, field: str, text: str, refused: InputError) -> BaseException:
    """Save a text that may not stand in the field's place beside it; return the error to be told."""
    typed = held.studio.gateway.typed
    try:
        typed.put(_beside(field), text, seen=_at(typed.get(_beside(field))))
    except (InputError, OSError) as error:
        return error
    return refused


def left_in(held: OpenStudio, form: str) -> dict[str, str]:
    """Return what stands in a form that was refused, by field."""
    kept = held.studio.gateway.typed.get(form)
    return dict(json.loads(kept.text)) if kept is not None else {}


@contextmanager
def form_sent(held: OpenStudio, form: str, filled: Mapping[str, str]) -> Iterator[None]:
    """Keep what a form holds until it was taken: where it is refused it stands there again, whenever it is drawn."""
    typed = held.studio.gateway.typed
    typed.put(form, json.dumps(dict(filled), ensure_ascii=False), seen=_at(typed.get(form)))
    yield
    typed.drop(form)


def handed_over(held: OpenStudio, field: str, result: T) -> T:
    """Stop keeping what was typed, as it is in the journal now, and hand the result on."""
    with suppress(OSError):  # then it lies there until its field is used again, or for good
        held.studio.gateway.typed.drop(field)
    return result


def _beside(field: str) -> str:
    return f"{field}-beside"


def _at(kept: KeptText | None) -> float:
    return kept.at if kept is not None else 0.0


def draw_saved(held: OpenStudio, field: str, lang: Lang) -> None:
    """Draw the line below a field. It is no fragment: Streamlit would lose the click on a button that follows the
    typing, as it puts both into one message and draws the fragment alone."""
    desk = studio_tab().desk
    key, typed = f"{field}-saved", partial(save, held, field)
    _take(key, typed)
    problem, beside = desk.typed_problems.get(field), held.studio.gateway.typed.get(_beside(field))
    words = {name: t(f"studio.saved_{name}", lang) for name in ("idle", "saving", "unheard")}
    words["at"] = t("studio.saved_at", lang, time="{time}")
    data = {
        "field": field,
        "words": words,
        "lang": lang,
        "at": desk.typed_seen.get(field) or None,
        "problem": plain(_told(problem, beside is not None, lang)),
        "heard": this_tab().browser.heard.get(key, 0),
    }
    _autosave()(key=key, data=wrap_for_component(data), on_typed_change=partial(_take, key, typed))
    if beside is None:
        return
    with st.container(horizontal=True, gap="small", vertical_alignment="center", key=f"{field}-two"):
        draw(box("p", "muted small text", t("studio.saved_two", lang)), key=f"{field}-two-words")
        button(t("studio.saved_other", lang), f"{field}-other", partial(_turn, held, field), icon="swap_horiz")
        if problem is None:
            drop = partial(held.studio.gateway.typed.drop, _beside(field))
            button(t("studio.saved_drop", lang), f"{field}-drop", drop, icon="close", look="tertiary")


def _told(problem: BaseException | None, is_beside: bool, lang: Lang) -> str:
    if problem is None:
        return ""
    if isinstance(problem, InputError) and is_beside:
        return t("studio.saved_beside", lang)
    return t("studio.saved_not", lang, reason=explain(problem, lang).words)


def _turn(held: OpenStudio, field: str) -> None:
    """Put the other of two texts into the field, and keep the one that stood there beside it."""
    desk, typed = studio_tab().desk, held.studio.gateway.typed
    main, beside = typed.get(field), typed.get(_beside(field))
    is_here = field in desk.typed_problems  # this tab types what is kept beside
    wanted = main if is_here else beside
    if wanted is None:
        return
    with problems_kept():
        if not is_here:
            kept = typed.put(field, wanted.text, seen=_at(main))
            typed.put(_beside(field), main.text if main is not None else "", seen=_at(beside))
            wanted = kept or wanted
        Widget[str](field).set(wanted.text)
        desk.typed_seen[field] = wanted.at
        desk.typed_problems.pop(field, None)


_read = partial(text_beside, __package__)


def _take(key: str, on_typed: Callable[[str], None]) -> None:
    """Hear what was typed, also in a run that another one cut short; what was heard before is an echo."""
    said, heard = sent_by(key, "typed"), this_tab().browser.heard
    turn, text = said.get("turn"), said.get("text")
    if isinstance(turn, int) and isinstance(text, str) and turn > heard.get(key, 0):
        heard[key] = turn
        on_typed(text)


@cache
def _autosave() -> Any:
    """Return the component, which is registered once a process, at the first drawing."""
    return st.components.v2.component(
        "memorybank_autosave",
        html='<p class="saved" role="status"></p>',
        css=_read("autosave.css"),
        js=_read("autosave.js"),
    )


def draw_names(held: OpenStudio, field: str) -> None:
    """Mark who and what is on record in the text field; a single Han character stands in too many words."""
    names = [name for name in held.studio.stores.facts.names(BEARERS) if len(name) > 1 or not is_han(name)]
    data = {"wrapped": ({"field": field, "names": names},)}  # into a tuple Streamlit does not look
    _highlight()(key=f"{field}-names", data=data, height=1)


@cache
def _highlight() -> Any:
    """Return the component, which is registered once a process, at the first drawing."""
    return st.components.v2.component("memorybank_names", html="<span></span>\n", js=_read("highlight.js"))
