"""Your turn: the requests of a run that wait for a person in a language model's place."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

import streamlit as st

from memorybank.errors import AgentError
from memorybank.hosting.run import Run
from memorybank.llm.hand.chat import awaited, hand_folder
from memorybank.llm.hand.folder import HandFolder, HandRequest, Place, check
from memorybank.llm.repair import parse_json
from memorybank.memory.types import Lang
from memorybank.settings.llm import AGENTS
from memorybank.ui.components.problems import guarded
from memorybank.ui.components.rich import draw
from memorybank.ui.shell import state
from memorybank.ui.shell.switch import draw_switch
from memorybank.ui.shell.tab import HandPanel, this_tab
from memorybank.ui.shell.widgets import HAND_CHOSEN
from memorybank.views.box import box, note
from memorybank.views.boxes.call_words import call_words, message_box
from memorybank.views.i18n import t
from memorybank.views.text.display import plain

POLL = 1.0
"""Seconds between two looks at what waits."""
HEIGHT = 560
"""The height of the prompt and of the answer beside it, in pixels; each scrolls by itself."""
MOST_TEXT = 1_000_000
"""The most characters of a message: whoever answers must see it whole."""


def draw_hand(worker: Run, lang: Lang) -> None:
    """Draw the requests; nothing where this machine's settings give a person no role, or the run is only read."""
    run = state.runs().root / worker.run_id
    folder = hand_folder(worker.session.parts.settings, run) if worker.session is not None else None
    if folder is None or not worker.takes_orders:
        return
    draw_waiting(run, folder, lang, is_busy=worker.busy)


def draw_waiting(run: Path, folder: HandFolder, lang: Lang, *, is_busy: bool) -> None:
    """Draw the requests for which the run in this folder waits. `is_busy` says that it may ask more."""
    if this_tab().hand.run_id != run.name:
        this_tab().hand = HandPanel(run_id=run.name)
    names = awaited(run)
    with st.container(border=True, key="hand"):
        st.subheader(t("hand.title", lang), anchor=False)
        st.fragment(_draw_request, key="hand-answer")(folder, names, lang)
        st.fragment(_watch, key="hand-live", run_every=POLL if is_busy else None)(run, names)


@guarded
def _watch(run: Path, drawn: list[str]) -> None:
    """Draw the page again when other requests wait than those that it shows."""
    if awaited(run) != drawn:
        st.rerun()


@guarded
def _draw_request(folder: HandFolder, names: list[str], lang: Lang) -> None:
    waiting = [name for name in names if name not in this_tab().hand.sent]
    if not waiting:
        draw(note(t("hand.nothing", lang)), key="hand-nothing")
        return
    draw(note(t("hand.lead", lang, count=len(waiting))), key="hand-lead")
    if HAND_CHOSEN.held() not in waiting:
        HAND_CHOSEN.set(waiting[0])
    name = draw_switch(t("hand.which", lang), waiting, lambda it: _title(it, lang), key=HAND_CHOSEN.key)
    request = folder.request(name)
    if request is None:
        draw(note(t("hand.gone", lang)), key="hand-gone")
        return
    if request.role in AGENTS:
        draw(box("p", "text", t(f"hand.for.{request.role}", lang)), key="hand-for")
    prompt, answer = st.columns(2, gap="medium")
    with prompt:
        _draw_prompt(request, folder, lang)
    with answer:
        _draw_answer(request, folder, lang)


def _title(name: str, lang: Lang) -> str:
    number, _, role = name.partition(".")
    return t("hand.request", lang, number=number, role=call_words(role, lang, kind="agent"))


def _draw_prompt(request: HandRequest, folder: HandFolder, lang: Lang) -> None:
    """Draw the prompt: what stays the same is folded away, what this request brings is open."""
    fixed = [message for message in request.messages if message.role == "system"]
    with st.expander(t("hand.instructions", lang), key=f"hand-{request.name}-system"):
        draw(*(message_box(message.role, message.content, lang) for message in fixed), key="hand-system")
    with st.container(height=HEIGHT, border=False, key="hand-prompt"):
        for place, message in enumerate(request.messages):
            if message in fixed:
                continue
            draw(message_box(message.role, message.content, lang, most=MOST_TEXT), key=f"hand-message-{place}")
            for image in message.images:
                if data := folder.image(image):
                    st.image(data)


def _draw_answer(request: HandRequest, folder: HandFolder, lang: Lang) -> None:
    """Draw the field in which the answer is written or pasted as text; it is sent once nothing is wrong with it."""
    hand, name = this_tab().hand, request.name
    draw(note(t("hand.text_help" if request.schema is None else "hand.json_help", lang)), key="hand-help")
    if request.schema is not None:
        with st.expander(t("hand.schema", lang), key=f"hand-{name}-schema"):
            st.code(json.dumps(request.schema, ensure_ascii=False, indent=1), language="json", height=HEIGHT // 2)
    draft = hand.drafts.get(name, "")
    hand.drafts[name] = st.text_area(t("hand.answer", lang), value=draft, key=f"hand-{name}-text", height=HEIGHT)
    above = st.container()
    if st.button(t("hand.send", lang), key=f"hand-{name}-send", type="primary", icon=":material/send:"):
        hand.tried = name
        if not _problems(request, lang):
            _send(request, folder)
    problems = _problems(request, lang) if hand.tried == name else {}
    if problems:
        listed = [box("p", "small", box("span", "mono", _place(path)), words) for path, words in problems.items()]
        with above:
            draw(box("div", "notice failure", *listed), key="hand-problems")


def _problems(request: HandRequest, lang: Lang) -> Mapping[Place, str]:
    """Return what is wrong with the draft, by the place in it, found as a model's answer would be read."""
    draft = this_tab().hand.drafts.get(request.name, "")
    if not draft.strip():
        return {(): t("hand.empty", lang)}
    if request.schema is None:
        return {}
    try:
        value, _ = parse_json(draft)
    except AgentError:
        return {(): t("hand.no_json", lang)}
    return {path: notice.in_language(lang) for path, notice in check(value, request.schema).items()}


def _place(path: Place) -> str:
    steps = "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in path).lstrip(".")
    return f"{plain(steps)}: " if steps else ""


def _send(request: HandRequest, folder: HandFolder) -> None:
    hand = this_tab().hand
    folder.give(request.name, hand.drafts.pop(request.name))
    hand.sent.append(request.name)
    st.rerun()
