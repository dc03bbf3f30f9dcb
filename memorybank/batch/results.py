"""The rows of a batch: what came of each task, read from its run's events, and the file that they are appended to."""

from __future__ import annotations

import math
import re
import unicodedata
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field, TypeAdapter, ValidationError

from memorybank.batch.plan import BatchTask, System
from memorybank.contradiction.disputes.gathering import disputes_of
from memorybank.errors import MemoryBankError, Notice, message_of
from memorybank.language import numbers, values
from memorybank.language.text import encodable_values
from memorybank.memory.bounds import MOST, Count, Seconds, loads
from memorybank.memory.events import StageFinished
from memorybank.memory.state import MemoryState
from memorybank.memory.types import ConflictStatus, TaskStatus
from memorybank.runs.files.growing import GrowingFile
from memorybank.runs.files.plain import read_plain
from memorybank.runs.run_folder import load, state_at
from memorybank.session.usage import by_agent
from memorybank.settings.llm import LLMSettings

RESULTS = "results.jsonl"
MOST_BYTES = 50_000_000
"""The most bytes that are read of a batch's own files: of 10,000 tasks they have about 10 MB."""
Outcome = Literal[
    "complete", "complete_with_failures", "out_of_rounds", "filed", "filed_with_failures", "failed", "stopped"
]
"""`SessionFinished`'s results; `failed`: an error ended it before, `stopped`: asked to stop, or its worker died.

The last two are gone on with when the batch is started again.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class RoleTokens:
    """Tokens of one agent; a call that the answer cache served costs none."""

    input: Count = 0
    cached: Count = 0
    """Input tokens that the provider had in its prefix cache."""
    output: Count = 0

    def __post_init__(self) -> None:
        if self.cached > self.input:
            raise ValueError("more tokens were cached than sent")


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskRow:
    """The outcome of one task under one system."""

    id: str
    system: System = "bank"
    outcome: Outcome
    answer: str = ""
    expected: bool | None = None
    """Whether what was expected appears in the answer; None where nothing was."""
    rounds: Count = 0
    conflicts: Mapping[ConflictStatus, Count] = field(default_factory=dict)
    """The number of conflicts by fate."""
    merges: Count = 0
    """The number of merges; those that were undone are not counted."""
    nodes: Count = 0
    calls: Count = 0
    """Agent calls, those that were answered from the cache too."""
    tokens: Mapping[str, RoleTokens] = field(default_factory=dict)
    """Tokens by role, without the total."""
    seconds: Seconds = 0.0
    """Seconds of the stages that ended, over all processes that worked on the run, without the loading of models."""
    cost: Annotated[float, Field(ge=0, le=MOST, allow_inf_nan=False)] | None = None
    """Cost in the currency of this machine's prices; None where it has none."""
    error: str = ""
    """Why it failed or stopped, or has no answer, in one line; else empty."""
    error_zh: str = ""

    @property
    def ended(self) -> bool:
        """Whether nothing is left to do: such a task is not touched again."""
        return self.outcome not in ("failed", "stopped")

    @property
    def key(self) -> tuple[str, System]:
        return self.id, self.system


_ROW = TypeAdapter(TaskRow)


def row_of(
    task: BatchTask,
    folder: Path,
    *,
    system: System = "bank",
    prices: LLMSettings | None = None,
    error: MemoryBankError | OSError | Notice | None = None,
    stopping: bool = False,
) -> TaskRow:
    """Return the row of a run folder, by its events. A run that never began, or cannot be read, has an error and zeros.

    `error` is why a run that has not come to its end did not; `stopping`: it was asked to stop, maybe before it began.
    Raises nothing that the folder can cause.
    """
    try:
        records = load(folder)
        bank = state_at(records)
    except (MemoryBankError, OSError) as unreadable:
        if stopping and error is None:
            return TaskRow(id=task.id, system=system, outcome="stopped")
        return replace(failed_row(task.id, system, error or unreadable), expected=is_met("", task.expect))
    used = by_agent((record.event for record in records), prices)
    total = used.pop("all", None)
    ms = sum(record.event.ms for record in records if isinstance(record.event, StageFinished))
    outcome: Any = bank.progress.result or ("stopped" if error is None else "failed")
    stopped_by = None if bank.progress.result else error
    return TaskRow(
        id=task.id,
        system=system,
        outcome=outcome,
        answer=bank.progress.answer,
        expected=is_met(bank.progress.answer, task.expect),
        rounds=bank.progress.round,
        conflicts=dict(Counter(dispute.status for dispute in disputes_of(bank))),
        merges=sum(not event.undone for event in bank.tree.merge_events.values()),
        nodes=len(bank.graph.nodes),
        calls=total.calls if total else 0,
        tokens={
            role: RoleTokens(input=use.input_tokens, cached=use.cached_input_tokens, output=use.output_tokens)
            for role, use in used.items()
            if use.input_tokens or use.output_tokens
        },
        seconds=round(ms / 1000, 3),
        cost=total.cost if total else None,
        error=_one_line(stopped_by, "en") or _why_unanswered(bank),
        error_zh=_one_line(stopped_by, "zh") or _why_unanswered(bank),
    )


def failed_row(id_: str, system: System, why: MemoryBankError | OSError | Notice) -> TaskRow:
    """Return the row of a task that failed, for a reason that it says in both languages."""
    return failed(TaskRow(id=id_, system=system, outcome="failed"), why)


def failed(row: TaskRow, why: MemoryBankError | OSError | Notice) -> TaskRow:
    return replace(row, outcome="failed", error=_one_line(why, "en"), error_zh=_one_line(why, "zh"))


def _why_unanswered(bank: MemoryState) -> str:
    """Return what the last failed task says of a session that ended without an answer, in the session's language."""
    failed = [task.context for task in bank.doc.completed_tasks if task.status is TaskStatus.FAILED]
    return " ".join(failed[-1].split()) if failed and bank.progress.result and not bank.progress.answer else ""


def _one_line(error: MemoryBankError | OSError | Notice | None, lang: str) -> str:
    if error is None:
        return ""
    words = error.in_language(lang) if isinstance(error, Notice) else message_of(error, lang)
    return " ".join(words.split())


# -- the file ---------------------------------------------------------------------------------------------------------


class ResultsFile(AbstractContextManager["ResultsFile"]):
    """Rows as they end, a JSON object a line; of several of one task the last holds. One writer, any number of readers.

    A line that a kill has torn stays alone: it is cut off before the next one is written.
    """

    def __init__(self, folder: Path) -> None:
        """Raises UnsafeInputError for a link or a pipe in its place, OSError."""
        self._file = GrowingFile(folder / RESULTS)
        data = read_plain(folder / RESULTS)
        self._file.cut(data.rfind(b"\n") + 1)

    def append(self, row: TaskRow) -> None:
        """Write a row, which is on the disk when this returns. Raises OSError, JournalBrokenError."""
        self._file.write(_ROW.dump_json(row) + b"\n", durable=True)

    def close(self) -> None:
        self._file.close()

    def __exit__(self, *exception: object) -> None:
        self.close()


def read_results(folder: Path) -> dict[tuple[str, System], TaskRow]:
    """Return the last row of each task and system, in the order in which they first ended; none where no file is.

    A line that is torn or no row is passed over: its task's own folder still says what came of it.
    """
    try:
        data = read_plain(folder / RESULTS, most=MOST_BYTES)
    except FileNotFoundError:
        return {}
    rows: dict[tuple[str, System], TaskRow] = {}
    for line in data[: data.rfind(b"\n") + 1].splitlines():
        try:
            row = _ROW.validate_python(encodable_values(loads(line)))
        except (ValidationError, ValueError, RecursionError):
            continue
        rows[row.key] = row
    return rows


_SPACE_RE = re.compile(r"\s+")
_DIGITS_RE = re.compile(r"\d+(?:,\d{3})*(?:\.\d+)?")
"""Matches numbers that are part of a date, a time or a name, too."""


def is_met(answer: str, expected: Sequence[str | int | float]) -> bool | None:
    """Whether one of the strings or numbers appears in an answer; None where nothing was expected.

    Strings are compared without regard to case, width and white space, and at the borders of their words: "cat" is not
    in "category". Numbers are compared by value, however they are written: 15000 is in "15 thousand" and in "1.5 万".
    """
    if not expected:
        return None
    folded = _folded(answer)
    stated = [read.value for read in (*numbers.scan(answer), *values.scan(answer))]
    stated += [float(match[0].replace(",", "")[:300]) for match in _DIGITS_RE.finditer(answer)]
    return any(
        _stands_in(_folded(value), folded)
        if isinstance(value, str)
        else any(math.isclose(value, number, rel_tol=1e-9) for number in stated)
        for value in expected
    )


def _folded(text: str) -> str:
    return _SPACE_RE.sub(" ", unicodedata.normalize("NFKC", text)).strip().casefold()


def _stands_in(words: str, text: str) -> bool:
    before = r"(?<![a-z0-9_])" if re.match(r"[a-z0-9_]", words) else ""
    after = r"(?![a-z0-9_])" if re.search(r"[a-z0-9_]\Z", words) else ""
    return bool(words) and re.search(f"{before}{re.escape(words)}{after}", text) is not None
