"""Progress of a batch on standard error: one bar on a terminal, a line a task otherwise."""

from __future__ import annotations

import time
from typing import TextIO

from memorybank.batch.scheduling import JobMoved
from memorybank.commands.bar import BarOrLines
from memorybank.runs.files.names import shown


class BatchProgress(BarOrLines):
    """What is running, failed and left, and when it may be over, judged by those that ended so far."""

    def __init__(self, total: int, stream: TextIO | None = None) -> None:
        super().__init__(
            stream, "{percentage:3.0f}% |{bar}| {n_fmt}/{total_fmt} · {desc} [{elapsed}<{remaining}]", total
        )
        self._total = total
        self._running: set[tuple[str, str]] = set()
        self._ended = self._failed = 0
        self._began = time.monotonic()

    def moved(self, moved: JobMoved) -> None:
        if moved.state == "running":
            self._running.add(moved.job.key)
        else:
            self._running.discard(moved.job.key)
            self._count(moved)
        if self._bar is not None:
            self._bar.set_description_str(self._counts(), refresh=False)
            self._bar.update(moved.state == "ended")
            self._bar.refresh()

    def _count(self, moved: JobMoved) -> None:
        row = moved.row
        if row is None or row.outcome == "stopped":
            return
        self._ended += 1
        self._failed += not row.ended
        name = shown(row.id) if row.system == "bank" else f"{shown(row.id)} ({row.system})"
        rest = f"; {self._counts()}{self._rest()}" if self._bar is None else ""
        if not row.ended:
            self.say(f"  x {name}: {row.error}{rest}")
        elif self._bar is None:
            met = {True: ", expected", False: ", not as expected", None: ""}[row.expected]
            self.say(f"{name}: {row.outcome.replace('_', ' ')}{met}, {row.seconds:.1f} s{rest}")

    def _counts(self) -> str:
        left = self._total - self._ended - len(self._running)
        return f"{len(self._running)} running, {self._failed} failed, {left} left"

    def _rest(self) -> str:
        left = self._total - self._ended
        seconds = (time.monotonic() - self._began) / max(1, self._ended) * left
        return f", about {_duration(seconds)} to go" if left else ""


def _duration(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes:02} min" if hours else f"{minutes} min {rest:02} s" if minutes else f"{rest} s"
