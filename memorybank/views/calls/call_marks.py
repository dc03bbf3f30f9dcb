"""Calls that were repeated or could have been spared, each with the reason; only what the journal shows.

* `same`: the same request was made before, by its digest; `retried`: and had failed then
* `repaired`: the model was asked more than once for one answer
* `dropped`: the summary that came was longer than the text, which stayed whole
* `judged`: pairs of memories that had been judged before, or whose parts had
* `unchanged`: all pairs were found unrelated, so that the memory stayed as it was
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import product
from typing import Any, Literal

from memorybank.memory.events import AgentCalled, NodesMerged, RelationsJudged, ToolUsed
from memorybank.memory.types import NodeId, Relation
from memorybank.runs.journal import Record
from memorybank.views.calls.call_notes import ASKED_AGAIN, call_note
from memorybank.views.run.agent_answers import listed
from memorybank.views.run.commits import Commit, CommitReader

Reason = Literal["same", "retried", "repaired", "dropped", "judged", "unchanged"]


@dataclass(frozen=True, slots=True)
class CallMark:
    reason: Reason
    earlier: int = 0
    """Seq of the call that had made it."""
    count: int = 0
    """judged, unchanged: pairs."""
    total: int = 0
    """judged: all pairs of the call."""


class MarkReader:
    """Follows the calls of one run, whose records are taken one by one as they come."""

    def __init__(self) -> None:
        self.marks: dict[int, tuple[CallMark, ...]] = {}
        """Of every call that has some, by the seq of its event."""
        self._made: dict[str, tuple[int, bool]] = {}
        """By the digest of a request: the call that made it last, and whether that failed."""
        self._commits = CommitReader()
        self._judging = _Judging()

    def take(self, record: Record[Any]) -> None:
        event = record.event
        if isinstance(event, AgentCalled | ToolUsed):
            self._mark(record.seq, *_of_call(event, self._made))
            self._made[event.key] = (record.seq, event.outcome == "failed")
        commit = self._commits.take(record)
        if commit is not None:
            for seq, mark in self._judging.take(commit):
                self._mark(seq, mark)

    def _mark(self, seq: int, *marks: CallMark) -> None:
        if marks:
            self.marks[seq] = (*self.marks.get(seq, ()), *marks)


def _of_call(event: AgentCalled | ToolUsed, made: Mapping[str, tuple[int, bool]]) -> Iterator[CallMark]:
    earlier, had_failed = made.get(event.key, (0, False))
    if earlier and not (isinstance(event, AgentCalled) and event.cached):
        yield CallMark("retried" if had_failed else "same", earlier)
    if not isinstance(event, AgentCalled):
        return
    keys = {call_note(note).key for note in event.notes}
    if keys & ASKED_AGAIN:
        yield CallMark("repaired")
    if "dropped" in keys:
        yield CallMark("dropped")
    relations = [relation for _, relation in _judgements(event)]
    if relations and set(relations) == {Relation.UNRELATED.value}:
        yield CallMark("unchanged", count=len(relations))


@dataclass(slots=True)
class _Judging:
    """Which pairs were judged so far, and by which call."""

    judged: dict[frozenset[NodeId], int] = field(default_factory=dict)
    parts: dict[NodeId, tuple[NodeId, ...]] = field(default_factory=dict)
    """Of a merged node."""

    def take(self, commit: Commit) -> Iterator[tuple[int, CallMark]]:
        calls = {wanted: call.seq for call in commit.calls("analysis") for wanted in _judgements(call.event)}
        pairs: dict[int, list[frozenset[NodeId]]] = {}
        for record in commit.records:
            match record.event:
                case RelationsJudged(node_id=node_id, relations=relations):
                    for judgement in relations:
                        seq = calls.get((judgement.reasoning, judgement.relation.value), 0)
                        if seq:
                            pairs.setdefault(seq, []).append(frozenset((node_id, judgement.node_id)))
                case NodesMerged(new_node_id=node_id, merged_node_ids=sources):
                    self.parts[node_id] = sources
                case _:
                    pass
        for seq, shown in pairs.items():
            known = [earlier for pair in shown if (earlier := self._known(pair))]
            if known:
                yield seq, CallMark("judged", max(known), len(known), len(shown))
        for seq, shown in pairs.items():
            self.judged.update(dict.fromkeys(shown, seq))

    def _known(self, pair: frozenset[NodeId]) -> int:
        """The call that judged a pair last, or the pairs of all that its nodes were merged from; 0 where none did."""
        if pair in self.judged or len(pair) < 2:
            return self.judged.get(pair, 0)
        left, right = sorted(pair)
        if not (left in self.parts or right in self.parts):
            return 0
        products = product(self.parts.get(left, (left,)), self.parts.get(right, (right,)))
        calls = [self._known(frozenset(parts)) for parts in products]
        return max(calls) if calls and all(calls) else 0


def _judgements(event: AgentCalled) -> list[tuple[str, str]]:
    """What an analysis said of each pair: why, and which relation."""
    if event.role != "analysis":
        return []
    pairs = listed(event.answer, "relationships")
    return [(str(pair.get("reasoning", "")), str(pair.get("relationship", ""))) for pair in pairs]
