"""What the readers of calls and rounds know of a whole run: they are given it record by record."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from memorybank.runs.journal import Record
from memorybank.session.usage import AgentUsage
from memorybank.settings.llm import LLMSettings
from memorybank.views.calls.call_view import CallRow, read_calls

Records = Iterable[Record[Any]]


def call_rows(records: Records) -> tuple[CallRow, ...]:
    return tuple(read_calls(records).rows)


def totals(records: Records, prices: LLMSettings | None = None) -> tuple[AgentUsage, AgentUsage]:
    return read_calls(records).totals(prices)
