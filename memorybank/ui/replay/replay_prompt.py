"""Two prompts line by line: in one column, or side by side; the differing words marked, what is the same folded."""

from __future__ import annotations

from collections.abc import Iterator

import streamlit as st

from memorybank.memory.types import Lang
from memorybank.ui.components.paged import page_end, show_all
from memorybank.ui.components.rich import draw
from memorybank.ui.shell.switch import draw_switch
from memorybank.views.box import Box, box, label, marked, muted, note
from memorybank.views.i18n import t
from memorybank.views.link import link
from memorybank.views.run.step_diff import Prompt, StepDiff
from memorybank.views.text.line_diff import LinePair, Skipped, folded

FORMS = ("unified", "sides")
MOST_ROWS = 200


def draw_prompt_diff(diff: StepDiff, lang: Lang) -> None:
    before, after = diff.prompts
    if before.seq == after.seq:
        draw(muted(t("replay.diff.none.prompt", lang)), key="diff-none-prompt")
        return
    words = t("replay.diff.prompt_form", lang)
    form = draw_switch(words, FORMS, lambda name: t(f"replay.diff.{name}", lang), key="diff-form")
    look = "paired" if form == "sides" else "unified"
    rows = folded(diff.prompt_rows)
    key = f"diff-prompt-{before.seq}-{after.seq}"
    shown = rows[: page_end(key, MOST_ROWS)]
    head = box("div", f"diff-head {look}", _name(diff.earlier.name, before, lang), _name(diff.later.name, after, lang))
    lines = [line for row in shown for line in (_sides(row, lang) if form == "sides" else _unified(row, lang))]
    count = note(t("replay.diff.lines", lang, count=diff.prompt_changes))
    draw(count, head, box("div", f"diff-text {look}", *lines), key="diff-prompt")
    if len(shown) < len(rows):
        with st.container(horizontal=True, vertical_alignment="center"):
            cut = t("replay.diff.showing", lang, shown=len(shown), total=len(rows))
            draw(note(cut), key="diff-prompt-cut")
            st.button(
                t("replay.diff.all", lang),
                key="diff-all-prompt",
                type="tertiary",
                on_click=show_all,
                args=(key,),
            )


def _name(name: str, prompt: Prompt, lang: Lang) -> Box:
    if not prompt.seq:
        return label(box("span", "step-letter", name), t("replay.diff.no_prompt", lang))
    words = t("replay.diff.prompt_of", lang, seq=prompt.seq)
    return box("p", "label", box("span", "step-letter", name), words, choose=link("prompt", prompt.seq))


def _unified(row: LinePair | Skipped, lang: Lang) -> Iterator[Box]:
    if isinstance(row, Skipped):
        yield box("p", "diff-skip", t("replay.diff.skipped", lang, count=row.count))
    elif row.change == "same":
        yield box("p", "diff-line", box("span", "diff-sign", " "), row.right_text)
    else:
        if row.left:
            yield box("p", "diff-line gone", box("span", "diff-sign", "−"), *marked(row.left))
        if row.right:
            yield box("p", "diff-line added", box("span", "diff-sign", "+"), *marked(row.right))


def _sides(row: LinePair | Skipped, lang: Lang) -> Iterator[Box]:
    if isinstance(row, Skipped):
        yield box("p", "diff-skip", t("replay.diff.skipped", lang, count=row.count))
        return
    same = row.change == "same"
    left = "" if same else "gone" if row.left else "blank"
    right = "" if same else "added" if row.right else "blank"
    yield box("p", f"diff-line {left}".strip(), *marked(row.left))
    yield box("p", f"diff-line {right}".strip(), *marked(row.right))
