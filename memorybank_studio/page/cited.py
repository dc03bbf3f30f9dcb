"""The lines of the record that an answer stands on, with where they are from, and the way to them in the hub."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Final

import streamlit as st

from memorybank.calls import Spent
from memorybank.memory.types import Lang
from memorybank.ui.components.rich import draw
from memorybank.ui.shell.button import button
from memorybank.views.box import Box, box, label, note, stack_of
from memorybank.views.i18n import t
from memorybank.views.text.quantities import format_tokens
from memorybank_studio.journal.answers import Citation
from memorybank_studio.page.widgets import FACTS_ENTITY, HUB_PART, STUDIO_VIEW
from memorybank_studio.wording import cut

LINE_CHARS: Final = 400
"""Of a line; a passage may be longer."""
MOST_LINKS: Final = 4
PARTS: Final = {"setting": "settings", "pointer": "plans", "plan": "plans", "hook": "hooks", "scene": "archive"}
"""Where in the hub a line is found, by its kind."""


def draw_cited(cited: Sequence[Citation], name: str, lang: Lang) -> None:
    draw(
        stack_of(label(t("studio.cited", lang)), box("ul", "line-list", *(_line(line, lang) for line in cited))),
        key=f"studio-cited-{name}",
    )
    entities = dict.fromkeys(line.title for line in cited if line.kind == "facts")
    parts = dict.fromkeys(PARTS[line.kind] for line in cited if line.kind in PARTS)
    links = [*((t("studio.cited_see", lang, name=title), "facts", title) for title in entities)]
    links += [(t(f"studio.hub_{part}", lang), part, "") for part in parts]
    with st.container(horizontal=True, gap="small", key=f"studio-cited-links-{name}"):
        for place, (words, part, entity) in enumerate(links[:MOST_LINKS]):
            button(
                words,
                f"studio-cited-{name}-{place}",
                partial(_show, part, entity),
                icon="travel_explore",
                look="tertiary",
            )


def _line(line: Citation, lang: Lang) -> Box:
    words = t("studio.fact_source", lang, words=line.words) if line.words else ""
    return box(
        "li",
        "",
        box("p", "text", f"[{line.number}] {cut(line.text, LINE_CHARS)}"),
        box("p", "muted small text", " · ".join(filter(None, (line.title, line.origin, words)))),
    )


def _show(part: str, entity: str) -> None:
    STUDIO_VIEW.set("hub")
    HUB_PART.set(part)
    if entity:
        FACTS_ENTITY.set(entity)


def draw_spent(spent: Spent, name: str, lang: Lang) -> None:
    """What the answer cost of the language model; nothing where none was asked."""
    if spent.calls:
        tokens = format_tokens(spent.input_tokens + spent.output_tokens, lang)
        draw(note(t("studio.spent", lang, count=spent.calls, tokens=tokens)), key=f"studio-spent-{name}")
