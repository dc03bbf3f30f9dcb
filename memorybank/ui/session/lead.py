"""The lead stands above a first choice: a title, a sentence, and the steps of what will happen."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from memorybank.memory.types import Lang
from memorybank.ui.components.rich import draw
from memorybank.views.box import box, muted
from memorybank.views.i18n import t


def draw_lead(prefix: str, tones: Sequence[str], lang: Lang, *, key: str) -> None:
    """Draw the lead: `PREFIX.title`, `PREFIX.lead` and, for each tone, `PREFIX.step1`, `PREFIX.step1_text` and on."""
    with st.container(gap=None):
        st.header(t(f"{prefix}.title", lang), anchor=False)
        st.text(t(f"{prefix}.lead", lang))
    steps = [
        box("li", tone, box("p", "strong", t(f"{prefix}.step{n}", lang)), muted(t(f"{prefix}.step{n}_text", lang)))
        for n, tone in enumerate(tones, start=1)
    ]
    draw(box("ol", "steps", *steps), key=key)
