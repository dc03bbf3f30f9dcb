"""Mixing options, or changing one: which of them, and in a sentence what is to become of them."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from memorybank.memory.types import Lang
from memorybank.ui.shell import state
from memorybank.views.i18n import t
from memorybank_studio.journal.answers import TurnKind
from memorybank_studio.page import desk
from memorybank_studio.page.shelf import OpenStudio
from memorybank_studio.types import Command
from memorybank_studio.wording import cut, joined

_BEGINNING = 32
"""Characters of an option by which it is known in the form."""


def draw_rework(held: OpenStudio, texts: Sequence[str], name: str, lang: Lang) -> None:
    """`texts`: of the options, in their order. Without a language model nothing is drawn."""
    if state.default_settings().engine != "llm":
        return
    with st.form(f"studio-rework-{name}", border=True, clear_on_submit=True):
        numbers = st.pills(
            t("studio.rework", lang),
            list(range(1, len(texts) + 1)),
            selection_mode="multi",
            format_func=lambda number: f"{number}. {cut(' '.join(texts[number - 1].split()), _BEGINNING)}",
            key=f"studio-rework-options-{name}",
        )
        sentence = st.text_input(
            t("studio.rework_how", lang), key=f"studio-rework-words-{name}", placeholder=t("studio.rework_as", lang)
        )
        done = st.form_submit_button(
            t("studio.rework_do", lang), icon=":material/merge:", disabled=desk.working() is not None
        )
    if done and numbers:
        chosen = sorted(numbers)
        words = rework_words(chosen, sentence or "", held.card.lang)
        desk.give(held, words, command=Command.CONTINUE, kind=TurnKind.OPTIONS, options=chosen)
        st.rerun()


def rework_words(numbers: Sequence[int], sentence: str, lang: Lang) -> str:
    """The order in the story's language, as the author's turn has it."""
    name = "studio.rework_mix" if len(numbers) > 1 else "studio.rework_change"
    return t(name, lang, options=joined(map(str, numbers), lang), words=sentence.strip()).rstrip("：: ")
