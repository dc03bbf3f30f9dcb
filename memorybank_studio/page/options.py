"""The options of an answer as cards: what was written, what made it, what is wrong with it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import streamlit as st

from memorybank.memory.types import Lang
from memorybank.ui.components.paged import page_end, show_all
from memorybank.ui.components.rich import draw
from memorybank.ui.shell import state
from memorybank.ui.shell.switch import button
from memorybank.ui.shell.tab import Widget
from memorybank.views.box import Box, aside, box, chip, div, row_of, stack_of
from memorybank.views.i18n import t
from memorybank.views.text.display import unmarked
from memorybank_studio.creativity.model_judges import PROVED
from memorybank_studio.creativity.options import OfferId, Option
from memorybank_studio.journal.context import TurnKind
from memorybank_studio.page import desk
from memorybank_studio.page.autosave import begin, form_button, form_sent
from memorybank_studio.page.shelf import OpenStudio
from memorybank_studio.page.tab import NOT_PRESSED, studio_tab
from memorybank_studio.types import Command, Task
from memorybank_studio.wording import cut, joined

BRIEFS = ("pressure", "reversal", "quiet", "reworked", "asked")
"""Briefs with words of their own; another one is shown by its name."""
SHOWN = 3
"""Options that are drawn at first."""
_WEAK = 0.5
"""Below it style, tension and goal are told as weak: opinions, of which the rest says nothing."""


def draw_options(held: OpenStudio, task: Task, turn: int, options: Sequence[Option], is_last: bool, lang: Lang) -> None:
    """Draw cards, the best first; those of the last answer stand open and can be taken and edited."""
    if not is_last:
        pieces = [option_box(number, option, lang) for number, option in enumerate(options, start=1)]
        told = partial(draw, stack_of(*pieces), key=f"studio-past-words-{task.id}-{turn}")
        desk.fold(t("studio.proposals", lang, count=len(options)), f"studio-past-{task.id}-{turn}", told)
        return
    key = f"options-{held.id}-{task.id}-{turn}"
    shown = page_end(key, SHOWN)
    for number, option in enumerate(options[:shown], start=1):
        name = f"{task.id}-{turn}-{number}"
        with st.container(border=True, gap="small", key=f"studio-option-{name}"):
            draw(option_box(number, option, lang), key=f"studio-option-words-{name}")
            _draw_choices(held, option, name, lang)
    draw_rework(held, [option.draft.text for option in options], f"{task.id}-{turn}", lang)
    with st.container(horizontal=True):
        again = partial(_ask_again, held, task, turn)
        desk.work_button(t("studio.ask_again", lang), f"studio-ask-again-{task.id}-{turn}", again, icon="refresh")
        if shown < len(options):
            words, more = t("studio.more_proposals", lang, count=len(options) - shown), partial(show_all, key)
            button(words, f"studio-more-{task.id}-{turn}", more, icon="expand_more", look="tertiary")


def option_box(number: int, option: Option, lang: Lang) -> Box:
    """The words of a card."""
    draft = option.draft
    brief = t(f"studio.brief_{draft.brief}", lang) if draft.brief in BRIEFS else draft.brief
    return div(
        "",
        row_of(
            box("span", "strong", t("studio.option", lang, number=number)),
            chip(t("studio.option_best", lang), "new") if number == 1 else None,
            aside(brief),
            box("span", "muted small text", draft.made_by),
        ),
        box("p", "text gap", draft.text.strip()),
        box("p", "muted small text", _course(option, lang)) if _course(option, lang) else None,
        *(box("p", "wr-against small text", words) for words in _wrong(option, lang)),
    )


def _wrong(option: Option, lang: Lang) -> list[str]:
    """Return what the judges have against the option, in their words, each once under what it concerns."""
    told: dict[str, list[str]] = {}
    for score in option.scores:
        if score.value < (1 if score.criterion in PROVED else _WEAK):
            told.setdefault(" ".join(score.reasons), []).append(t(f"studio.criterion_{score.criterion}", lang))
    return [t("studio.option_against", lang, of=joined(of, lang), words=words) for words, of in told.items()]


def _course(option: Option, lang: Lang) -> str:
    draft = option.draft
    words = []
    if draft.parents:
        words.append(t("studio.parents", lang, options=joined((_parent(each, lang) for each in draft.parents), lang)))
    if draft.event:
        words.append(draft.event)
    if draft.step:
        words.append(t("studio.step_brought", lang, title=draft.step))
    return " · ".join(word.rstrip(".。") for word in words)


def _parent(parent: OfferId, lang: Lang) -> str:
    """Return an option by its answer and number; its id is made of task, answer and number."""
    task, turn, number = parent.rsplit("-", 2)
    return t("studio.parent", lang, number=number, turn=turn, task=task)


def _draw_choices(held: OpenStudio, option: Option, name: str, lang: Lang) -> None:
    if studio_tab().desk.edited_option == name:
        field = begin(held, f"studio-edit-{name}", option.draft.text.strip())
        words = (st.text_area(t("studio.edit_label", lang), key=field, height=160) or "").strip()
        with st.container(horizontal=True):
            if st.button(t("studio.edit_do", lang), key=f"studio-edit-do-{name}", type="primary"):
                with form_sent(held, {field: words}):
                    _send(held, words, TurnKind.REMARK)
                st.rerun()
            button(t("studio.edit_not", lang), f"studio-edit-not-{name}", partial(_edit, ""))
        return
    with st.container(horizontal=True, gap="small"):
        take = partial(_send, held, option.draft.text.strip(), TurnKind.REMARK)
        desk.work_button(t("studio.take", lang), f"studio-take-{name}", take, icon="check")
        button(t("studio.edit", lang), f"studio-edit-{name}-open", partial(_edit, name), icon="edit")


def _edit(name: str) -> None:
    studio_tab().desk.edited_option = name


def _send(held: OpenStudio, words: str, kind: TurnKind, options: Sequence[int] = ()) -> None:
    _edit("")
    desk.give(held, words, command=Command.CONTINUE, kind=kind, options=options)


def _ask_again(held: OpenStudio, task: Task, turn: int) -> None:
    gateway = held.studio.gateway
    requests = [earlier for earlier in gateway.history(task.id) if earlier.role == "author" and earlier.number < turn]
    if requests:
        taken = gateway.taken(task.id, requests[-1].number)
        _send(held, requests[-1].text, TurnKind.OPTIONS, taken.options if taken is not None else ())


_BEGINNING = 32
"""Characters of an option by which it is known in the form."""


def draw_rework(held: OpenStudio, texts: Sequence[str], name: str, lang: Lang) -> None:
    """Draw fields to mix or change options. `texts`: of the options, in order; nothing without a language model."""
    if state.default_settings().engine != "llm":
        return
    field = begin(held, f"studio-rework-words-{name}")
    with st.form(f"studio-rework-{name}", border=True):
        numbers = st.pills(
            t("studio.rework", lang),
            list(range(1, len(texts) + 1)),
            selection_mode="multi",
            format_func=lambda number: unmarked(f"{number}. {cut(' '.join(texts[number - 1].split()), _BEGINNING)}"),
            key=f"studio-rework-options-{name}",
        )
        sentence = st.text_input(t("studio.rework_how", lang), key=field, placeholder=t("studio.rework_as", lang))
        is_busy, form = desk.working() is not None, f"studio-rework-{name}"
        done = form_button(form, t("studio.rework_do", lang), icon=":material/merge:", disabled=is_busy)
    if done and not numbers:
        studio_tab().desk.pressed = NOT_PRESSED
    elif done:
        chosen = sorted(numbers)
        words = rework_words(chosen, sentence or "", held.card.lang)
        with form_sent(held, {field: sentence or ""}):
            desk.give(held, words, command=Command.CONTINUE, kind=TurnKind.OPTIONS, options=chosen)
        Widget[list[int]](f"studio-rework-options-{name}").reset()
        st.rerun()


def rework_words(numbers: Sequence[int], sentence: str, lang: Lang) -> str:
    """Return the order in the story's language, as the author's turn has it."""
    name = "studio.rework_mix" if len(numbers) > 1 else "studio.rework_change"
    return t(name, lang, options=joined(map(str, numbers), lang), words=sentence.strip()).rstrip("：: ")
