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
from memorybank_studio.page.shelf import OpenStudio, Shelf
from memorybank_studio.page.tab import NOT_PRESSED, TypedHere, studio_tab
from memorybank_studio.tasks.by_hand import SEARCH, KeptText, beside
from memorybank_studio.types import BEARERS

P = ParamSpec("P")
T = TypeVar("T")
Typing = OpenStudio | Shelf
"""What has fields: an open studio, or the shelf with the form of a new one."""
Shown = str | int | None
"""What a field shows; a number's field shows a number."""
_FIELD_RE: Final = re.compile(r"[A-Za-z0-9_-]{1,200}")
"""The keys of fields: Streamlit tells a browser no others as they are."""


def _here(held: Typing) -> TypedHere:
    return studio_tab().typed.setdefault(held.id, TypedHere())


def begin(held: Typing, field: str, otherwise: Shown = "", numbers: range | None = None) -> str:
    """Fill a field before it is drawn, where this tab has not: with what was typed there and not handed over, else
    `otherwise`, be it another value than before. What is typed there is saved from now on. Return the field's key.
    `numbers`: those that a number's field takes."""
    here, kept = _here(held), held.typed.get(field)
    is_other = kept is None and here.shown.get(field, otherwise) != otherwise
    if field not in st.session_state or is_other:
        here.seen[field] = _at(kept)
        Widget[Shown](field).set(otherwise if kept is None else _shown(kept.text, otherwise, numbers))
    here.shown[field] = otherwise
    return field


def _shown(text: str, otherwise: Shown, numbers: range | None) -> Shown:
    """Return what the field shows of a kept text: one that is typed in part may be none of its numbers."""
    if numbers is None:
        return text
    number = int(text) if text.isdecimal() and len(text) <= len(str(numbers[-1])) else -1
    return number if number in numbers else otherwise


def draw_number(held: Typing, words: str, field: str, otherwise: int, numbers: range, **more: Any) -> int:
    """Draw a field for a number, saved as it is typed or stepped to, and return the number. `otherwise`: the first."""
    begin(held, field, otherwise, numbers)
    number = int(st.number_input(words, numbers.start, numbers[-1], key=field, **more))
    if number != otherwise and not is_kept(held, field):
        save(held, field, str(number))
    return number


def draw_search(held: Typing, words: str, name: str, **more: Any) -> str:
    """Draw a field for a search, saved as it is typed, and return what is searched for."""
    return (st.text_input(words, key=begin(held, f"{name}{SEARCH}"), **more) or "").strip()


def is_kept(held: Typing, *fields: str) -> bool:
    """Whether something that was typed into the fields waits to be handed over."""
    return any(held.typed.get(field) is not None for field in fields)


def save(held: Typing, field: str, text: str) -> None:
    """Save what was typed so far; what goes wrong is said."""
    here, typed = _here(held), held.typed
    if here.sent.pop(field, None) == text.strip():
        return
    shown = here.shown.get(field)
    if typed.get(field) is None and text == ("" if shown is None else str(shown)):
        return
    try:
        kept = typed.put(field, text, seen=here.seen.get(field, 0.0))
    except (InputError, OSError) as error:
        here.problems[field] = error
        return
    here.problems.pop(field, None)
    here.seen[field] = _at(kept)


def let_go(held: Typing, filled: Mapping[str, str]) -> None:
    """Empty fields whose texts were handed over, or are not wanted: they show again what they showed at first. What
    the browser still tells of a text from before is no new one."""
    here = _here(held)
    for field, text in filled.items():
        _drop(held, field)
        here.seen[field] = 0.0
        here.sent[field] = text.strip()
        here.problems.pop(field, None)
        Widget[str](field).reset()


def form_button(form: str, words: str, **more: Any) -> bool:
    """Draw a form's button, and return whether it was pressed. The press is kept until the form was taken or refused
    (`form_sent`, `handing`): what was typed asks for the page as well, and may cut short the drawing that heard it."""
    desk = studio_tab().desk  # here: Streamlit may cut short whoever asks for it in the callback
    st.form_submit_button(words, on_click=setattr, args=(desk, "pressed", (form, words)), **more)
    return desk.pressed == (form, words)


@contextmanager
def form_sent(held: Typing, filled: Mapping[str, str]) -> Iterator[None]:
    """Keep what the fields of a form hold until it was taken; where it is refused it stands there, whenever the form
    is drawn."""
    desk = studio_tab().desk
    for field, text in filled.items():
        save(held, field, text)
    try:
        yield
    except Exception:  # it was refused; what cuts the drawing short is none of these, and keeps the press
        desk.pressed = NOT_PRESSED
        raise
    desk.pressed = NOT_PRESSED
    let_go(held, filled)


def handing(held: Typing, filled: Mapping[str, str], work: Callable[P, T]) -> Callable[P, T]:
    """Return work that takes what a form holds, in another thread; until it has, it is kept."""
    desk = studio_tab().desk
    for field, text in filled.items():
        save(held, field, text)
        _here(held).sent[field] = text.strip()
    desk.pressed = NOT_PRESSED

    def done(*given: P.args, **named: P.kwargs) -> T:
        result = work(*given, **named)
        for field in filled:
            _drop(held, field)
        return result

    return done


def _drop(held: Typing, field: str) -> None:
    with suppress(OSError):  # then it lies there until its field is used again, or for good
        held.typed.drop(field)


def _at(kept: KeptText | None) -> float:
    return kept.at if kept is not None else 0.0


def hear(held: Typing) -> None:
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


def draw_typed(held: Typing, lang: Lang) -> None:
    """Draw what listens to the fields of the page, when all are drawn, and says whether they are saved. It is no
    fragment: Streamlit would lose the click on a button that follows the typing, as it puts both into one message and
    draws the fragment alone."""
    here, key = _here(held), f"studio-typed-{held.id}"
    words = {name: t(f"studio.saved_{name}", lang, time="{time}") for name in ("saving", "unheard", "at")}
    failed = [field for field, problem in here.problems.items() if isinstance(problem, OSError)]
    problem = next(reversed(here.problems.values()), None)
    data = {
        "studio": held.id,
        "fields": list(here.shown),
        "failed": failed,
        "words": words,
        "lang": lang,
        "at": max(here.seen.values(), default=0.0),
        "problem": plain(t("studio.saved_not", lang, reason=explain(problem, lang).words)) if problem else "",
        "heard": this_tab().browser.heard.get(key, 0),
    }
    listening = _component("autosave", '<p class="saved" role="status"></p>', "autosave.css")
    listening(key=key, data=wrap_for_component(data), on_typed_change=_stay)


def _stay() -> None:
    """Keep the problem above the page for the run that follows: no reader asked for it."""
    problems = this_tab().problems
    problems.waiting = problems.waiting or problems.shown


def draw_kept(held: Typing, fields: Iterable[str], lang: Lang, *, is_form: bool = False) -> None:
    """Draw below fields what can be done with texts that are kept of them: those of a form, another tab's."""
    fields, typed = tuple(fields), held.typed
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


def _turn(held: Typing, field: str) -> None:
    """Put the text of the other tab into the field, and keep beside it the one that stood there."""
    typed, other = held.typed, held.typed.get(beside(field))
    if other is not None:
        with problems_kept():
            typed.drop(beside(field))
            kept = typed.put(field, other.text)  # not seen here: it is another tab's
            Widget[str](field).set(other.text)
            _here(held).seen[field] = _at(kept)


_read = partial(text_beside, __package__)


@cache
def _component(name: str, html: str, css: str = "") -> Any:
    """Return the component, which is registered once a process, at the first drawing."""
    styles = _read(css) if css else None
    return st.components.v2.component(f"memorybank_{name}", html=html, css=styles, js=_read(f"{name}.js"))


def draw_names(held: OpenStudio, field: str) -> None:
    """Mark who and what is on record in the text field; a single Han character stands in too many words."""
    names = [name for name in held.studio.stores.facts.names(BEARERS) if len(name) > 1 or not is_han(name)]
    data = {"wrapped": ({"field": field, "names": names},)}  # into a tuple Streamlit does not look
    _component("highlight", "<span></span>\n")(key=f"{field}-names", data=data, height=1)
