"""What was not run is told at the end: a hook of conftest.py, apart because a test runs pytest with nothing else."""

from __future__ import annotations

from collections import Counter

import pytest


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """What was not run, a line a reason, however many tests it keeps from running."""
    skipped = terminalreporter.stats.get("skipped", [])
    for reason, count in Counter(map(_reason, skipped)).most_common():
        terminalreporter.write_line(f"not run: {count} test{'s' if count > 1 else ''}: {reason}")


def _reason(report: pytest.TestReport | pytest.CollectReport) -> str:
    told = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
    return told.removeprefix("Skipped: ")
