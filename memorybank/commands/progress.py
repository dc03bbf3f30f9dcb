"""Progress on standard error: a bar on a terminal, plain lines otherwise."""

from __future__ import annotations

import signal
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType, TracebackType
from typing import Any, Self, TextIO

from tqdm import tqdm

from memorybank.contradiction.disputes.gathering import disputes_of
from memorybank.memory import events
from memorybank.memory.types import Lang
from memorybank.session.session import Activity, Session, StageReport
from memorybank.session.stages.agent_failures import failure_sentences


class BarOrLines:
    def __init__(self, stream: TextIO | None, form: str, total: int | None = None) -> None:
        """`form` is tqdm's. A bar of a `total` of 0 is none."""
        self._stream = stream or sys.stderr
        self._bar: Any = None
        if self._stream.isatty() and total != 0:
            self._bar = tqdm(total=total, file=self._stream, bar_format=form, dynamic_ncols=total is not None)

    def say(self, line: str) -> None:
        """Write a line, above the bar where there is one."""
        if self._bar is not None:
            self._bar.write(line, file=self._stream)
        else:
            print(line, file=self._stream, flush=True)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._bar is not None:
            self._bar.close()


SILENCE = 2.5
"""The seconds without a line after which a long stage says how far it is."""


@contextmanager
def on_interrupt(act: Callable[[], object]) -> Iterator[None]:
    """Have Ctrl-C stop what runs by this act, at its next call or in one that waits; a second one ends the program."""

    def stop(number: int, frame: FrameType | None) -> None:
        act()
        signal.signal(signal.SIGINT, signal.default_int_handler)

    before = signal.signal(signal.SIGINT, stop)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def say(line: str) -> None:
    """Write a line of progress, beside the result on standard output."""
    print(line, file=sys.stderr, flush=True)


class Progress(BarOrLines):
    """Shows stages as they finish, conflicts and merges as they come."""

    def __init__(self) -> None:
        super().__init__(None, "{desc} {postfix} [{elapsed}]")
        self._said = time.monotonic()

    def say(self, line: str) -> None:
        self._said = time.monotonic()
        super().say(line)

    def activity(self, activity: Activity) -> None:
        """Show progress within a long stage: the bar moves; plain output says how far it is every few seconds."""
        if self._bar is not None:
            self._bar.set_description_str(f"{activity.stage} {activity.done}/{activity.total}")
        elif time.monotonic() - self._said > SILENCE and activity.total > 1:
            self.say(f"  {activity.stage}: {activity.done} of {activity.total}")

    def report(self, report: StageReport, session: Session) -> None:
        for fact in report.facts:
            for line in _lines(fact, session.parts.lang):
                self.say(line)
        conflicts = len(disputes_of(session.bank, [conflict.id for conflict in session.bank.conflicts.open()]))
        counts = f"{len(session.bank.graph.nodes)} nodes, {conflicts} open conflicts"
        if self._bar is not None:
            self._bar.set_description_str(f"round {report.round} · {report.stage}")
            self._bar.set_postfix_str(counts)
            self._bar.update()
        else:
            self.say(f"round {report.round} {report.stage}: {report.seconds:.2f} s, {counts}")


def _lines(fact: events.Fact, lang: Lang) -> Iterator[str]:
    match fact:
        case events.ConflictFound():
            yield f"  ! conflict {fact.conflict_id} between {' and '.join(fact.node_ids)}: {fact.description}"
        case events.ConflictClosed():
            yield f"  = conflict {fact.conflict_id} {fact.status.value}: {fact.reason}"
        case events.NodesMerged():
            yield f"  + {' + '.join(fact.merged_node_ids)} -> {fact.new_node_id}: {fact.description}"
        case (
            events.ClustersFound() | events.ClustersSummarised() | events.NodesAnalysed() | events.ValidationApplied()
        ) if fact.failed:
            yield f"  x {failure_sentences(fact.failed, lang)}"
        case events.TaskFailed():
            yield f"  x {fact.task.description}: {fact.task.context}"
