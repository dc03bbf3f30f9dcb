"""The table of a batch: its columns, what is searched in it, and a line a task."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Final

from memorybank.batch.results import TaskRow
from memorybank.batch.store import Line
from memorybank.hosting.registry import address_elsewhere
from memorybank.memory.types import ConflictStatus, Lang
from memorybank.views.box import Box, Piece, aside, box, chip, table_of
from memorybank.views.i18n import catalogue, t
from memorybank.views.text.display import clip
from memorybank.views.text.quantities import format_duration

NOTHING: Final = "–"
LONGEST: Final = 160
"""Columns of a task."""
STATES: Final = {
    "running": "task live",
    "waiting": "",
    "begun": "disputed",
    "stopped": "disputed",
    "failed": "failure",
    "out_of_rounds": "disputed",
    "filed_with_failures": "disputed",
    "complete_with_failures": "disputed",
    "filed": "done",
    "complete": "done",
}
"""Every state a line may have, in their order, and the look of its chip."""
COLUMNS: Final = (
    "id", "system", "state", "expected", "rounds", "conflicts", "merges", "nodes", "calls", "tokens", "seconds", "cost",
)  # fmt: skip


def fits(line: Line, words: Sequence[str], lang: Lang) -> bool:
    """Whether all of these words stand in what is told of it."""
    row = line.row
    texts = [line.id, line.task, state_words(line.state, lang), t(f"batch.system_{line.system}", lang)]
    if row is not None:
        texts += [row.answer, row.error, row.error_zh]
        texts += [t(f"batch.expected_{row.expected}", lang)] if row.expected is not None else []
    searched = " ".join(texts).casefold()
    return all(word in searched for word in words)


def columns_of(lines: Sequence[Line]) -> tuple[str, ...]:
    """Those that tell something: no column of one system, of nothing expected, of no token and of no price."""
    rows = [line.row for line in lines if line.row is not None]
    says = {
        "expected": any(row.expected is not None for row in rows),
        "cost": any(row.cost is not None for row in rows),
        "tokens": any(line.tokens for line in lines),
        "system": len({line.system for line in lines}) > 1,
    }
    return tuple(name for name in COLUMNS if says.get(name, True))


# -- boxes ------------------------------------------------------------------------------------------------------------


def table_box(lines: Sequence[Line], columns: Sequence[str], lang: Lang, *, ticked: Collection[str], here: str) -> Box:
    heads = (box("th", "", ""), *(box("th", "", t(f"batch.column.{name}", lang)) for name in columns))
    rows = (_line(line, columns, lang, ticked, here) for line in lines)
    return box("div", "scrolls", table_of("batch-table", heads, rows))


def _line(line: Line, columns: Sequence[str], lang: Lang, ticked: Collection[str], here: str) -> Box:
    address = address_elsewhere(line.folder)
    is_ticked, is_here = address in ticked, address == here
    tick = box("span", "tick", title=t("runs.tick", lang, title=line.id), choose=f"tick {address}", checked=is_ticked)
    cells = (box("td", f"batch-{name}", *_cell(name, line, lang, is_here)) for name in columns)
    look = "selected" if is_ticked or is_here else ""
    return box("tr", look, box("td", "", tick if line.has_run else None), *cells)


def _cell(name: str, line: Line, lang: Lang, is_here: bool) -> tuple[Piece | None, ...]:
    row = line.row
    if name == "id":
        return _name(line, lang, is_here)
    if name == "state":
        return chip(state_words(line.state, lang), STATES.get(line.state, "")), _why(row, lang)
    if name == "system":
        return (t(f"batch.system_{line.system}", lang),)
    if row is None or getattr(row, name, 0) is None:
        return (NOTHING,)
    match name:
        case "expected":
            return (chip(t(f"batch.expected_{row.expected}", lang), "done" if row.expected else "failure"),)
        case "conflicts":
            return f"{sum(row.conflicts.values()):,}", aside(f" {fates(row.conflicts, lang)}")
        case "tokens":
            return (f"{line.tokens:,}",)
        case "seconds":
            return (format_duration(row.seconds, lang),)
        case "cost":
            return (f"{row.cost:.4f}",)
        case _:
            return (f"{getattr(row, name):,}",)


def _name(line: Line, lang: Lang, is_here: bool) -> tuple[Piece | None, ...]:
    """A run that is shown already keeps its button, as who opened it by keys has the focus there."""
    address = address_elsewhere(line.folder)
    title = t("runs.open_help", lang, title=line.id)
    opened = box("span", "batch-open strong", line.id, choose=f"open {address}", title=title)
    name = opened if line.has_run else box("span", "strong", line.id)
    answer = line.row.answer if line.row is not None else ""
    return (
        name,
        chip(t("runs.here", lang), "task") if is_here else None,
        box("p", "muted small clamp", clip(line.task, LONGEST)),
        box("p", "small clamp", clip(answer, LONGEST), title=clip(answer, 600)) if answer else None,
    )


def state_words(name: str, lang: Lang) -> str:
    own, known = f"batch.state.{name}", f"run.result.{name}"
    return t(own if own in catalogue(lang) else known, lang)


def _why(row: TaskRow | None, lang: Lang) -> Box | None:
    error = (row.error_zh if lang == "zh" else row.error) if row is not None else ""
    return box("p", "muted small clamp", clip(error, 300), title=clip(error, 600)) if error else None


def fates(counts: Mapping[ConflictStatus, int], lang: Lang) -> str:
    """Conflicts by fate, in words."""
    return " · ".join(
        f"{t(f'conflict.status.{status}', lang)} {count:,}"
        for status in ConflictStatus
        if (count := counts.get(status))
    )
