"""A prompt beside the plain task, and what changed since an earlier prompt: part by part, and line by line."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from memorybank.memory.types import Lang
from memorybank.ui.components.rich import draw
from memorybank.ui.prompt.prompt_shares import look, part_words, percent
from memorybank.views.box import Box, aside, box, chip, marked, muted, row_of
from memorybank.views.boxes.cut import cut_note
from memorybank.views.calls.prompt_change import PartChange, Prefix, part_changes, shared_prefix
from memorybank.views.calls.prompt_parts import PromptView
from memorybank.views.i18n import t
from memorybank.views.text.diff import Mark
from memorybank.views.text.display import clip
from memorybank.views.text.line_diff import LinePair, Skipped, changes, folded, line_diff
from memorybank.views.text.quantities import format_tokens

MOST_CHARS = 60_000
MOST_LINES = 400
MOST_PARTS = 40
TITLE = 70
"""Columns of a memory's topic."""


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
        _prefix(shared_prefix(earlier, view), view, lang),
        _parts(part_changes(earlier, view), view, earlier, lang),
        box("div", "prompt-diff gap", *lines),
        key="prompt-change",
    )


def _prefix(prefix: Prefix, view: PromptView, lang: Lang) -> Box:
    share = percent(prefix.characters, len(view.event.prompt))
    words = t("prompt.prefix", lang, characters=f"{prefix.characters:,}", share=share, tokens=f"{prefix.tokens:,}")
    return box("p", "text gap", words)


def _parts(changes: Sequence[PartChange], view: PromptView, earlier: PromptView, lang: Lang) -> Box | None:
    """What became of each part, those that stayed counted; None where the prompts cannot be taken apart."""
    changed = [change for change in changes if change.change != "same"]
    if not changes:
        return None
    same = len(changes) - len(changed)
    lines = [_part(change, view, earlier, lang) for change in changed[:MOST_PARTS]]
    return box(
        "ul",
        "prompt-left-out part-changes gap",
        *lines,
        box("li", "", aside(t("prompt.parts_same", lang, count=same))) if same else None,
        box("li", "", cut) if (cut := cut_note(MOST_PARTS, len(changed), lang)) else None,
    )


def _part(change: PartChange, view: PromptView, earlier: PromptView, lang: Lang) -> Box:
    nodes = earlier.bank.graph.nodes if change.change == "went" else view.bank.graph.nodes
    node = nodes.get(change.node) if change.node else None
    into = t("prompt.part_into", lang, node=change.into) if change.into else ""
    words: str = change.change
    if words == "reworded" and change.after != change.before:
        words = "grew" if change.after > change.before else "shrank"
    return box(
        "li",
        f"row part-{look(change.name)}",
        box("span", "swatch"),
        box("span", "name", part_words(change.name, lang)),
        box("span", "text", clip(node.context, TITLE)) if node else None,
        chip(t(f"prompt.part_change.{words}", lang)),
        aside(f"{into} {change.before:,} → {change.after:,}".strip()),
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
