"""Calls that were repeated or could have been spared: each is marked with the reason that the journal shows."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest

from memorybank.memory.events import (
    AgentCalled,
    JudgedRelation,
    NodesMerged,
    RelationsJudged,
    StageFinished,
    StageStarted,
    ToolUsed,
)
from memorybank.memory.types import MergeEventId, NodeId, Relation
from memorybank.runs.journal import Record
from memorybank.runs.run_folder import load
from memorybank.views.calls.call_marks import CallMark
from tests.reading import call_marks
from tests.ui.llm_run import llm_run


def asked(key: str, *, notes: tuple[str, ...] = (), failed: bool = False, cached: bool = False) -> AgentCalled:
    outcome: Any = "failed" if failed else "ok"
    return AgentCalled(role="structure", engine="llm", key=key, outcome=outcome, notes=notes, cached=cached)


def judged(key: str, *relations: str) -> AgentCalled:
    listed = [{"reasoning": f"{key}{place}", "relationship": word} for place, word in enumerate(relations)]
    return AgentCalled(role="analysis", engine="llm", key=key, outcome="ok", answer={"relationships": listed})


def on_pair(left: str, right: str, reasoning: str, relation: Relation) -> RelationsJudged:
    judgement = JudgedRelation(node_id=NodeId(right), relation=relation, confidence=1.0, reasoning=reasoning)
    return RelationsJudged(node_id=NodeId(left), relations=(judgement,))


def merged(new: str, *sources: str) -> NodesMerged:
    return NodesMerged(
        event_id=MergeEventId("m1"),
        merged_node_ids=tuple(map(NodeId, sources)),
        new_node_id=NodeId(new),
        summary="s",
        context="c",
        keywords=(),
        vector=b"",
        trigger="merge",
        description="d",
    )


def run_of(events: Iterable[Any]) -> list[Record[Any]]:
    return [Record(seq=seq, at=float(seq), event=event) for seq, event in enumerate(events, start=1)]


LONGER = "structure: the summary was longer than the text, which stays whole"
TOOL = ToolUsed(tool="visit", arguments={}, key="t", outcome="ok", excerpt="")


@pytest.mark.parametrize(
    ("events", "marks"),
    [
        ([asked("a"), asked("b"), asked("a")], {3: (CallMark("same", 1),)}),
        ([TOOL, TOOL], {2: (CallMark("same", 1),)}),
        ([asked("a", failed=True), asked("a")], {2: (CallMark("retried", 1),)}),
        ([asked("a"), asked("a", cached=True)], {}),
        ([asked("a", notes=("tokens estimated", "repaired: trailing comma"))], {}),
        ([asked("a", notes=("the answer was sent back once and corrected",))], {1: (CallMark("repaired"),)}),
        ([asked("a", notes=(LONGER,))], {1: (CallMark("dropped"),)}),
        ([judged("a", "unrelated", "unrelated")], {1: (CallMark("unchanged", count=2),)}),
        ([judged("a", "unrelated", "related")], {}),
    ],
)
def test_a_call_is_marked_by_what_the_journal_shows(events: list[Any], marks: dict[int, tuple[CallMark, ...]]) -> None:
    assert call_marks(run_of(events)) == marks


def test_a_pair_that_was_judged_is_marked_when_it_or_what_it_was_merged_into_is_judged_again() -> None:
    start, end = StageStarted(stage="analyse", round=1), StageFinished(stage="analyse", round=1)
    related = Relation.RELATED
    first = [
        start,
        judged("a", "related", "related"),
        on_pair("n2", "n1", "a0", related),
        on_pair("n3", "n1", "a1", related),
        end,
    ]
    merge = [start, merged("n4", "n2", "n3"), end]
    again = [start, judged("b", "related"), on_pair("n4", "n1", "b0", related), end]
    fresh = [start, judged("c", "related", "conflict"), on_pair("n5", "n1", "c0", related), end]
    same = [start, judged("d", "related"), on_pair("n5", "n1", "d0", related), end]
    records = run_of([*first, *merge, *again, *fresh, *same])
    by_key = {record.event.key: record.seq for record in records if isinstance(record.event, AgentCalled)}
    assert call_marks(records) == {
        by_key["b"]: (CallMark("judged", by_key["a"], 1, 1),),
        by_key["d"]: (CallMark("judged", by_key["c"], 1, 1),),
    }


def test_marks_of_what_was_before_stay_as_a_run_goes_on() -> None:
    records = load(llm_run("en").folder.path)
    whole = call_marks(records)
    for k in range(0, len(records), 7):
        part = call_marks(records[:k])
        assert all(whole[seq] == marks or set(marks) <= set(whole[seq]) for seq, marks in part.items())
