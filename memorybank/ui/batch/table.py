"""The table of a batch: what is searched, filtered and sorted in it, and its lines with bars of tokens and fates."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, Final

from memorybank.batch.means import Rows, means_of, words_of
from memorybank.batch.plan import System
from memorybank.batch.results import TaskRow
from memorybank.batch.store import Line
from memorybank.hosting.registry import address_elsewhere
from memorybank.memory.types import ConflictStatus, Lang
from memorybank.session.usage import AgentUsage
from memorybank.views.box import Box, Piece, aside, box, chip, folded, note, table_of
from memorybank.views.boxes.conflicts import LOOKS
from memorybank.views.boxes.shares import segment, token_bar
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
_RANKS = {name: rank for rank, name in enumerate(STATES)}

Value = Callable[[Line], float | str | None]


def _of(value: Callable[[TaskRow], float | None]) -> Value:
    return lambda line: value(line.row) if line.row is not None else None


COLUMNS: Final[dict[str, Value]] = {
    "id": lambda line: line.id.casefold(),
    "system": lambda line: line.system,
    "state": lambda line: _RANKS.get(line.state, 0),
    "expected": _of(lambda row: None if row.expected is None else float(row.expected)),
    "rounds": _of(lambda row: row.rounds),
    "conflicts": _of(lambda row: sum(row.conflicts.values())),
    "merges": _of(lambda row: row.merges),
    "nodes": _of(lambda row: row.nodes),
    "calls": _of(lambda row: row.calls),
    "tokens": lambda line: line.tokens if line.row is not None else None,
    "seconds": _of(lambda row: row.seconds),
    "cost": _of(lambda row: row.cost),
}
"""What a line is sorted by; None stands last whichever way."""


def fits(line: Line, words: Sequence[str], lang: Lang) -> bool:
    """Whether all of these words stand in what is told of it."""
    row = line.row
    texts = [line.id, line.task, state_words(line.state, lang), t(f"batch.system_{line.system}", lang)]
    if row is not None:
        texts += [row.answer, row.error, row.error_zh]
        texts += [t(f"batch.expected_{row.expected}", lang)] if row.expected is not None else []
    searched = " ".join(texts).casefold()
    return all(word in searched for word in words)


def sort_lines(lines: Sequence[Line], column: str, *, descending: bool) -> list[Line]:
    """Those without a value come last; equal ones stay as they are."""
    value = COLUMNS[column]
    valued = [line for line in lines if value(line) is not None]
    key: Any = value
    rest = [line for line in lines if value(line) is None]
    return [*sorted(valued, key=key, reverse=descending), *rest]


def columns_of(lines: Sequence[Line]) -> tuple[str, ...]:
    """Those that tell something: no column of one system, of nothing expected, of no token and of no price."""
    silent = {name for name in ("expected", "cost") if all(COLUMNS[name](line) is None for line in lines)}
    if not any(line.tokens for line in lines):
        silent.add("tokens")
    if len({line.system for line in lines}) < 2:
        silent.add("system")
    return tuple(name for name in COLUMNS if name not in silent)


# -- boxes ------------------------------------------------------------------------------------------------------------


def table_box(
    lines: Sequence[Line],
    columns: Sequence[str],
    sorted_by: tuple[str, bool],
    lang: Lang,
    *,
    ticked: Collection[str],
    here: str,
    largest: int,
) -> Box:
    """`sorted_by`: a column, and whether the largest stands first. `largest`: tokens of the longest bar."""
    heads = (box("th", "", ""), *(_head(name, sorted_by, lang) for name in columns))
    rows = (_line(line, columns, lang, ticked, here, largest) for line in lines)
    return box("div", "scrolls", table_of("batch-table", heads, rows))


def _head(name: str, sorted_by: tuple[str, bool], lang: Lang) -> Box:
    column, descending = sorted_by
    words = t(f"batch.column.{name}", lang)
    arrow = ("↓" if descending else "↑") if name == column else ""
    title = t("batch.sort", lang, column=words)
    return box(
        "th",
        "",
        box("span", "batch-sort", words, aside(f" {arrow}") if arrow else None, choose=f"sort {name}", title=title),
    )


def _line(line: Line, columns: Sequence[str], lang: Lang, ticked: Collection[str], here: str, largest: int) -> Box:
    address = address_elsewhere(line.folder)
    is_ticked, is_here = address in ticked, address == here
    tick = box("span", "tick", title=t("runs.tick", lang, title=line.id), choose=f"tick {address}", checked=is_ticked)
    cells = (box("td", f"batch-{name}", *_cell(name, line, lang, is_here, largest)) for name in columns)
    look = "selected" if is_ticked or is_here else ""
    return box("tr", look, box("td", "", tick if line.has_run else None), *cells)


def _cell(name: str, line: Line, lang: Lang, is_here: bool, largest: int) -> tuple[Piece | None, ...]:
    row = line.row
    if name == "id":
        return _name(line, lang, is_here)
    if name == "state":
        return chip(state_words(line.state, lang), STATES.get(line.state, "")), _why(row, lang)
    if name == "system":
        return (t(f"batch.system_{line.system}", lang),)
    if row is None:
        return (NOTHING,)
    if name == "expected":
        if row.expected is None:
            return (NOTHING,)
        return (chip(t(f"batch.expected_{row.expected}", lang), "done" if row.expected else "failure"),)
    if name == "conflicts":
        return f"{sum(row.conflicts.values()):,}", fate_bar(row, lang)
    if name == "tokens":
        return f"{line.tokens:,}", token_bar(usage(row), largest)
    if name == "seconds":
        return (format_duration(row.seconds, lang),)
    if name == "cost":
        return (f"{row.cost:.4f}" if row.cost is not None else NOTHING,)
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


def means_box(ids: Sequence[str], systems: Sequence[System], rows: Rows, lang: Lang) -> Box | None:
    """What a task takes on the average, under each system, with 95 % intervals; folded. None before any has ended."""
    lines = means_of(ids, systems, rows)
    if not lines:
        return None
    paired = len(systems) == 2
    heads = [t(f"batch.system_{system}", lang) for system in systems] if paired else [t("batch.mean", lang)]
    heads += [t("batch.difference", lang)] if paired else []
    body: list[Box] = []
    for line in lines:
        cells = [words_of(each, line.measure.form) for each in line.estimates]
        cells += [words_of(line.difference, f"+{line.measure.form}")] if paired else []
        name = t(f"batch.mean_{line.measure.name.replace(' ', '_')}", lang)
        body.append(box("tr", "", box("td", "", name), *(box("td", "", cell or NOTHING) for cell in cells)))
    table = table_of("batch-means", (box("th", "", words) for words in ("", *heads)), body)
    return folded(t("batch.means", lang), box("div", "scrolls", table), note(t("batch.intervals", lang)))


def fate_bar(row: TaskRow, lang: Lang) -> Box | None:
    """Its conflicts by fate; what it shows is its title, too. None where there was none."""
    counts = [(status, count) for status in ConflictStatus if (count := row.conflicts.get(status))]
    total = sum(count for _, count in counts)
    if not total:
        return None
    words = fates(row.conflicts, lang)
    bar = (segment(f"fate fate-{LOOKS[status]}", count, total) for status, count in counts)
    return box("span", "", box("span", "token-bar", *bar, title=words), aside(words))


def fates(counts: Mapping[ConflictStatus, int], lang: Lang) -> str:
    """Conflicts by fate, in words."""
    return " · ".join(
        f"{t(f'conflict.status.{status}', lang)} {count:,}"
        for status in ConflictStatus
        if (count := counts.get(status))
    )


def usage(row: TaskRow) -> AgentUsage:
    return AgentUsage(
        calls=row.calls,
        input_tokens=sum(use.input for use in row.tokens.values()),
        cached_input_tokens=sum(use.cached for use in row.tokens.values()),
        output_tokens=sum(use.output for use in row.tokens.values()),
    )
