"""A prompt beside the plain task, and what changed since the prompt of the round before."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from memorybank.memory.types import Lang
from memorybank.ui.components.rich import draw
from memorybank.views.box import Box, aside, box, marked, muted, row_of
from memorybank.views.boxes.cut import cut_note
from memorybank.views.calls.prompt_parts import PromptView
from memorybank.views.i18n import t
from memorybank.views.text.diff import Mark
from memorybank.views.text.line_diff import LinePair, Skipped, changes, folded, line_diff
from memorybank.views.text.quantities import format_tokens

MOST_CHARS = 60_000
MOST_LINES = 400


def draw_beside(view: PromptView, lang: Lang) -> None:
    """What the agent would have been told without a memory, and what it was told."""
    task = view.task
    plain = task.description if task else view.bank.doc.task_goal
    counted = [part.tokens for part in view.event.parts if part.name == "current"]
    draw(
        box(
            "div",
            "sides prompt-sides",
            box(
                "div",
                "side",
                _head("prompt.plain", sum(counted), lang),
                box("p", "text", plain or t("prompt.no_task", lang)),
                box("p", "muted small gap", t("prompt.plain_help", lang)),
            ),
            box(
                "div",
                "side",
                _head("prompt.enhanced", view.tokens, lang),
                box("p", "text", view.event.prompt[:MOST_CHARS]),
                cut_note(MOST_CHARS, len(view.event.prompt), lang, "characters"),
            ),
        ),
        key="prompt-beside",
    )


def _head(key: str, tokens: int, lang: Lang) -> Box:
    return row_of(box("h3", "side-name", t(key, lang)), aside(format_tokens(tokens, lang)))


def draw_change(view: PromptView, earlier: PromptView | None, lang: Lang) -> None:
    if earlier is None:
        draw(muted(t("prompt.change_first", lang)), key="prompt-change")
        return
    rows = line_diff(earlier.event.prompt, view.event.prompt)
    new, gone = changes(rows)
    tokens = view.tokens - earlier.tokens
    lines = [line for row in folded(rows) for line in _lines(row, lang)]
    if len(lines) > MOST_LINES:
        rest = box("p", "skipped", t("prompt.more_lines", lang, count=len(lines) - MOST_LINES))
        lines = [*lines[:MOST_LINES], rest]
    draw(
        row_of(
            box("span", "strong", t("prompt.change_between", lang, before=earlier.round, after=view.round)),
            box("span", "muted", t("prompt.change_count", lang, new=new, gone=gone, tokens=f"{tokens:+,}")),
        ),
        box("div", "prompt-diff gap", *lines),
        key="prompt-change",
    )


def _lines(row: LinePair | Skipped, lang: Lang) -> Iterator[Box]:
    """A changed line as the one that is gone and the one that is new."""
    if isinstance(row, Skipped):
        yield box("p", "skipped", t("prompt.same_lines", lang, count=row.count))
    elif row.change == "same":
        yield _line("div", "same", " ", row.right)
    else:
        if row.left:
            yield _line("del", "gone", "−", row.left)
        if row.right:
            yield _line("ins", "new", "+", row.right)


def _line(tag: str, look: str, sign: str, text: Sequence[Mark]) -> Box:
    return box(tag, f"line-{look}", box("span", "sign", sign), box("span", "text", *marked(text)))
