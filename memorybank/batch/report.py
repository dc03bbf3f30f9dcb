"""The table of a batch: results.md for people, results.csv for programs, written while it goes and at its end."""

from __future__ import annotations

import csv
import html
import io
import re
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from memorybank.batch.means import MEASURES, Rows, ended_under_both, means_of, measures_of, words_of
from memorybank.batch.plan import System
from memorybank.batch.results import TaskRow
from memorybank.runs.files.plain import write_whole

EVERY = 5.0
"""Seconds between two writings while it goes, at least."""
SHARE = 0.02
"""The most of the time that the writing may take: a large table is written less often."""
ANSWER_CHARS = 160


class Report:
    """Writes both files; `refresh` as often as is cheap."""

    def __init__(self, folder: Path, ids: Sequence[str], systems: Sequence[System], rows: Callable[[], Rows]) -> None:
        self._folder = folder
        self._ids = ids
        self._systems = systems
        self._rows = rows
        self._due = time.monotonic() + EVERY

    def refresh(self) -> None:
        began = time.monotonic()
        if began >= self._due:
            self.write()
            ended = time.monotonic()
            self._due = ended + max(EVERY, (ended - began) / SHARE)

    def write(self) -> None:
        """Write both files. Raises OSError."""
        rows = self._rows()
        text = as_markdown(self._folder.name, self._ids, self._systems, rows)
        write_whole(self._folder / "results.md", text.encode(), durable=False)
        write_whole(self._folder / "results.csv", as_csv(rows).encode("utf-8-sig"), durable=False)


# -- Markdown ---------------------------------------------------------------------------------------------------------


def as_markdown(name: str, ids: Sequence[str], systems: Sequence[System], rows: Rows) -> str:
    """Means first, then a line a task; what comes from outside is text and nothing else."""
    ended = [row for row in rows.values() if row.ended]
    failed = len(rows) - len(ended)
    lines = [f"# {_cell(name)}", "", f"{len(ended)} of {len(ids) * len(systems)} runs have ended, {failed} failed.", ""]
    lines += _means(ids, systems, rows)
    for system in systems:
        lines += [f"## Tasks{'' if len(systems) == 1 else f', {system}'}", "", *_tasks(ids, system, rows), ""]
    return "\n".join(lines)


def _means(ids: Sequence[str], systems: Sequence[System], rows: Rows) -> list[str]:
    """Return a line a measure: a column a system, and where there are two, the difference of tasks that both ended."""
    paired = len(systems) == 2
    head = ["mean of a task", *systems, *(["difference"] if paired else [])]
    lines = [_line(head), _line(["---", *["--:"] * (len(head) - 1)])]
    for line in means_of(ids, systems, rows):
        form = line.measure.form
        difference = [words_of(line.difference, f"+{form}")] if paired else []
        lines.append(_line([line.measure.name, *(words_of(each, form) for each in line.estimates), *difference]))
    intervals = "In brackets: 95 % intervals, Student's t of the tasks that ended; of a share, Wilson's."
    if paired:
        count = len(ended_under_both(ids, systems, rows))
        intervals += f" The difference is taken task by task, over the {count} tasks that ended under both."
    return [*lines, "", intervals, ""]


def _tasks(ids: Sequence[str], system: System, rows: Rows) -> list[str]:
    known = [rows[id_, system] for id_ in ids if (id_, system) in rows]
    measures = [measure.name for measure in measures_of(list(rows.values())) if measure.name != "conflicts"]
    columns = ["task", "result", "expected", "conflicts", *measures, "answer"]
    numbers = set(measures)
    lines = [_line(columns), _line(["--:" if name in numbers else "---" for name in columns])]
    return [*lines, *(_line([_of_row(row, name) for name in columns]) for row in known)]


def _of_row(row: TaskRow, column: str) -> str:
    match column:
        case "task":
            return _cell(row.id)
        case "result":
            return row.outcome.replace("_", " ")
        case "expected":
            return "" if row.expected is None else "yes" if row.expected else "no"
        case "conflicts":
            return ", ".join(f"{count} {fate.replace('_', ' ')}" for fate, count in sorted(row.conflicts.items()))
        case "answer":
            return _cell(row.error or row.answer, ANSWER_CHARS)
    measure = next(measure for measure in MEASURES if measure.name == column)
    value = measure.of(row)
    whole = isinstance(value, int)
    return "" if value is None else f"{value:,}" if whole else f"{value:{measure.form}}"


_MARKUP_RE = re.compile(r"([\\`*_\[\]|~])")


def _cell(text: str, most: int = 1_000) -> str:
    """Return one line in which nothing is markup, a link or a cell's border."""
    line = " ".join(text.split())
    line = line if len(line) <= most else f"{line[:most].rstrip()}…"
    return _MARKUP_RE.sub(r"\\\1", html.escape(line, quote=False)).replace("://", ":\u200b//")


def _line(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


# -- CSV --------------------------------------------------------------------------------------------------------------


def as_csv(rows: Rows) -> str:
    """Return a line a row, with whole answers; a spreadsheet takes none of its texts for a formula."""
    roles = list(dict.fromkeys(role for row in rows.values() for role in row.tokens))
    fates = sorted({fate for row in rows.values() for fate in row.conflicts})
    head = ["id", "system", "outcome", "expected", "rounds", *(f"conflicts_{fate}" for fate in fates)]
    head += ["merges", "nodes", "calls", "seconds", "cost"]
    head += [f"{role}_{side}" for role in roles for side in ("input", "cached", "output")]
    target = io.StringIO()
    writer = csv.writer(target, lineterminator="\n")
    writer.writerow([*head, "error", "answer"])
    for row in rows.values():
        expected = "" if row.expected is None else int(row.expected)
        cells: list[str | float] = [_inert(row.id), row.system, row.outcome, expected, row.rounds]
        cells += [row.conflicts.get(fate, 0) for fate in fates]
        cells += [row.merges, row.nodes, row.calls, row.seconds, "" if row.cost is None else row.cost]
        for role in roles:
            use = row.tokens.get(role)
            cells += [use.input, use.cached, use.output] if use else [0, 0, 0]
        writer.writerow([*cells, _inert(row.error), _inert(row.answer)])
    return target.getvalue()


def _inert(text: str) -> str:
    return f"'{text}" if text[:1] in ("=", "+", "-", "@", "\t", "\r") else text
