"""Text typed in the studio is saved as it is typed, and the page says when, or why not."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import cache, partial
from typing import Any, Final, ParamSpec, TypeVar

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
from memorybank_studio.tasks.by_hand import KeptText, beside
from memorybank_studio.types import BEARERS

P = ParamSpec("P")
T = TypeVar("T")
_FIELD_RE: Final = re.compile(r"[A-Za-z0-9_-]{1,200}")
"""The keys of fields: Streamlit tells a browser no others as they are."""


def begin(held: OpenStudio, field: str, otherwise: str | None = "") -> str:
    """Fill a field before it is drawn, where this tab has not: with what was typed there and not handed over, else
    `otherwise`, be it another value than before. What is typed there is saved from now on. Return the field's key."""
    desk, kept = studio_tab().desk, held.studio.gateway.typed.get(field)
    is_other = kept is None and desk.typed_from.get(field, otherwise) != otherwise
    if field not in st.session_state or is_other:
        desk.typed_seen[field] = _at(kept)
        Widget[str | None](field).set(kept.text if kept is not None else otherwise)
    desk.typed_from[field] = otherwise
    return field


def is_kept(held: OpenStudio, *fields: str) -> bool:
    """Whether something that was typed into the fields waits to be handed over."""
    return any(held.studio.gateway.typed.get(field) is not None for field in fields)


def save(held: OpenStudio, field: str, text: str) -> None:
    """Save what was typed so far; what goes wrong is said."""
    desk, typed = studio_tab().desk, held.studio.gateway.typed
    if desk.typed_sent.pop(field, None) == text.strip():
        return
    if typed.get(field) is None and text == (desk.typed_from.get(field) or ""):
        return
    try:
        kept = typed.put(field, text, seen=desk.typed_seen.get(field, 0.0))
    except (InputError, OSError) as error:
        desk.typed_problems[field] = error
        return
    desk.typed_problems.pop(field, None)
    desk.typed_seen[field] = _at(kept)


def let_go(held: OpenStudio, filled: Mapping[str, str]) -> None:
    """Empty fields whose texts were handed over, or are not wanted: they show again what they showed at first. What
    the browser still tells of a text from before is no new one."""
    desk = studio_tab().desk
    for field, text in filled.items():
        _drop(held, field)
        desk.typed_seen[field] = 0.0
        desk.typed_sent[field] = text.strip()
        desk.typed_problems.pop(field, None)
        Widget[str](field).reset()


@contextmanager
def form_sent(held: OpenStudio, filled: Mapping[str, str]) -> Iterator[None]:
    """Keep what the fields of a form hold until it was taken; where it is refused it stands there, whenever the form
    is drawn."""
    for field, text in filled.items():
        save(held, field, text)
    yield
    let_go(held, filled)


def handing(held: OpenStudio, filled: Mapping[str, str], work: Callable[P, T]) -> Callable[P, T]:
    """Return work that takes what a form holds, in another thread; until it has, it is kept."""
    for field, text in filled.items():
        save(held, field, text)
        studio_tab().desk.typed_sent[field] = text.strip()

    def done(*given: P.args, **named: P.kwargs) -> T:
        result = work(*given, **named)
        for field in filled:
            _drop(held, field)
        return result

    return done


def _drop(held: OpenStudio, field: str) -> None:
    with suppress(OSError):  # then it lies there until its field is used again, or for good
        held.studio.gateway.typed.drop(field)


def _at(kept: KeptText | None) -> float:
    return kept.at if kept is not None else 0.0


def hear(held: OpenStudio) -> None:
    """Take what was typed, before anything is drawn, also in a run that another one cut short; what was heard before
    is an echo. A text that its field does not show (the page was loaded anew since) is put there."""
    key = f"studio-typed-{held.id}"
    said, heard = sent_by(key, "typed"), this_tab().browser.heard
    turn, texts, elsewhere = said.get("turn"), said.get("texts"), said.get("other")
    if not (isinstance(turn, int) and isinstance(texts, dict) and turn > heard.get(key, 0)):
        return
    heard[key] = turn
    for field, text in texts.items():
        if isinstance(text, str) and _FIELD_RE.fullmatch(field):
            save(held, field, text)
            if isinstance(elsewhere, list) and field in elsewhere and is_kept(held, field):
                Widget[str](field).reset()


def draw_typed(held: OpenStudio, lang: Lang) -> None:
    """Draw what listens to the fields of the page, when all are drawn, and says whether they are saved. It is no
    fragment: Streamlit would lose the click on a button that follows the typing, as it puts both into one message and
    draws the fragment alone."""
    desk, key = studio_tab().desk, f"studio-typed-{held.id}"
    words = {name: t(f"studio.saved_{name}", lang, time="{time}") for name in ("saving", "unheard", "at")}
    failed = [field for field, problem in desk.typed_problems.items() if isinstance(problem, OSError)]
    problem = next(reversed(desk.typed_problems.values()), None)
    data = {
        "studio": held.id,
        "fields": list(desk.typed_from),
        "failed": failed,
        "words": words,
        "lang": lang,
        "at": max(desk.typed_seen.values(), default=0.0),
        "problem": plain(t("studio.saved_not", lang, reason=explain(problem, lang).words)) if problem else "",
        "heard": this_tab().browser.heard.get(key, 0),
    }
    _autosave()(key=key, data=wrap_for_component(data), on_typed_change=lambda: None)


def draw_kept(held: OpenStudio, fields: Iterable[str], lang: Lang, *, is_form: bool = False) -> None:
    """Draw below fields what can be done with texts that are kept of them: those of a form, another tab's."""
    fields, typed = tuple(fields), held.studio.gateway.typed
    if is_form and is_kept(held, *fields):
        kept = {field: text.text if (text := typed.get(field)) else "" for field in fields}
        empty = partial(let_go, held, kept)
        button(t("studio.form_discard", lang), f"{fields[0]}-discard", empty, icon="close", look="tertiary")
    for field in fields:
        if typed.get(beside(field)) is None:
            continue
        with st.container(horizontal=True, gap="small", vertical_alignment="center", key=f"{field}-two"):
            draw(box("p", "muted small text", t("studio.saved_two", lang)), key=f"{field}-two-words")
            button(t("studio.saved_other", lang), f"{field}-other", partial(_turn, held, field), icon="swap_horiz")
            drop = partial(typed.drop, beside(field))
            button(t("studio.saved_drop", lang), f"{field}-drop", drop, icon="close", look="tertiary")


def _turn(held: OpenStudio, field: str) -> None:
    """Put the text of the other tab into the field, and keep beside it the one that stood there."""
    typed, other = held.studio.gateway.typed, held.studio.gateway.typed.get(beside(field))
    if other is not None:
        with problems_kept():
            typed.drop(beside(field))
            kept = typed.put(field, other.text)  # not seen here: it is another tab's
            Widget[str](field).set(other.text)
            studio_tab().desk.typed_seen[field] = _at(kept)


_read = partial(text_beside, __package__)


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
