"""What the engine was told for an answer: the route with its reasons, the parts with their origin, the prompt."""

from __future__ import annotations

import streamlit as st

from memorybank.llm.tokens import estimate
from memorybank.memory.types import Lang
from memorybank.ui.components.rich import draw
from memorybank.views.box import Box, aside, box, label, note, row_of, stack_of
from memorybank.views.i18n import t
from memorybank.views.text.quantities import format_tokens
from memorybank_studio.journal.context import BuiltContext, Part

BEGINNING = 240
"""Characters of a part's text; the prompt below has it whole."""


def draw_context(context: BuiltContext, name: str, lang: Lang) -> None:
    more = st.expander(
        t("studio.told", lang, parts=len(context.parts)),
        icon=":material/data_object:",
        key=f"studio-told-{name}",
        on_change="rerun",
    )
    if more.open:
        with more:
            draw(_context(context, lang), key=f"studio-told-words-{name}")


def cut(text: str, most: int) -> str:
    """At most so many characters, lines as they are."""
    return text if len(text) <= most else f"{text[: most - 1]}…"


def _context(context: BuiltContext, lang: Lang) -> Box:
    prompt = context.prompt()
    budget = t("studio.budget", lang, budget=f"{context.budget:,}") if context.budget else t("studio.no_budget", lang)
    return stack_of(
        box("p", "text", context.why),
        box("ul", "points", *(box("li", "text", route.reason) for route in context.routes)) if context.routes else None,
        note(f"{format_tokens(estimate(prompt), lang)} · {budget}"),
        box("ol", "wr-parts", *(_part(part, lang) for part in context.parts)),
        *(
            box("p", "notice disputed text", t("studio.left_out", lang, title=entry.title, tokens=f"{entry.tokens:,}"))
            for entry in context.left_out
        ),
        label(t("studio.prompt", lang)),
        box("pre", "raw wr-prompt", prompt),
    )


def _part(part: Part, lang: Lang) -> Box:
    why = " · ".join(entry for entry in (part.origin, part.why) if entry)
    return box(
        "li",
        "",
        row_of(box("span", "strong text", part.title), aside(format_tokens(estimate(part.text), lang))),
        box("p", "muted small text", why) if why else None,
        box("p", "small text", cut(part.text, BEGINNING)),
    )
