"""The benchmark of calls, with an endpoint that answers at once: how many calls each agent makes."""

from __future__ import annotations

import json

from memorybank_lab.bench.calls import TOPICS, CallsRow, TimeRow, as_json, as_table, measure


def test_calls_are_counted_by_agent() -> None:
    rows = measure("en", delay=0.02)
    made = {row.agent: row.calls for row in rows if isinstance(row, CallsRow)}
    assert (made["classification"], made["planning"]) == (1, 0), "conflicts come first, by rule"
    assert made["structure"] == TOPICS
    assert made["analysis"] == 2, "seven topics are compared with those before them, six in a call"
    assert made["integration"] == 0
    (time,) = [row for row in rows if isinstance(row, TimeRow)]
    assert time.nodes == TOPICS
    assert 1 < time.at_once <= 4
    assert time.further <= 1, "the analysis may take two requests for eight memories"
    assert time.in_turn == (sum(made.values()) + time.further) * 0.02
    assert "requests in turn" in as_table(rows)
    assert len(json.loads(as_json(rows))) == len(rows)
