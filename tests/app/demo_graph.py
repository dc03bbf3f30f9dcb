"""What the demo's graph must show at its end: enough of everything, each verdict as planted, no two subjects in one."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from memorybank.memory.events import NodesMerged
from memorybank.memory.state import MemoryState
from memorybank.memory.types import ConflictStatus, NodeId
from memorybank.runs.journal import Record
from memorybank_lab.evaluation.planted import PlantedTruth
from tests.engines.offline.outcomes import outcome

NODES, LINKS = 8, 10


def check(bank: MemoryState, records: Sequence[Record[Any]], truth: PlantedTruth) -> str:
    """One line of counts for the test's output. Raises AssertionError for what is missing or wrong."""
    nodes = bank.graph.nodes
    links = {frozenset((node.id, other)) for node in nodes.values() for other in node.links}
    merged = [record.event.trigger for record in records if isinstance(record.event, NodesMerged)]
    fates = [conflict.status for conflict in bank.conflicts.all.values()]
    line = f"{len(nodes)} nodes, {len(links)} links, merged by {', '.join(merged)}; {', '.join(fates)}"
    assert len(nodes) >= NODES, line
    assert len(links) >= LINKS, line
    assert any(fate.decides for fate in fates), line
    assert {ConflictStatus.INCONCLUSIVE, ConflictStatus.FALSE_ALARM} <= set(fates), line
    assert "merge" in merged, line
    _check_verdicts(bank, records, truth)
    for node_id in nodes:
        _check_one_subject(bank, node_id, truth)
    return line


def _check_verdicts(bank: MemoryState, records: Sequence[Record[Any]], truth: PlantedTruth) -> None:
    got = outcome(bank, records)
    assert not got.stray(truth)
    verdicts: dict[tuple[str, str], set[str]] = {}
    for item in truth.of("false_alarm", *{item.kind for item in truth.conflicts}):
        for pair in item.pairs:
            verdicts.setdefault(pair, set()).add(item.verdict_of(pair))
    wrong = {pair: found for pair, found in got.raised.items() if not {*found} <= verdicts[pair]}
    assert not wrong


def _check_one_subject(bank: MemoryState, node_id: NodeId, truth: PlantedTruth) -> None:
    """The documents that a node stands on contradicted each other and were settled, or say the same."""
    alike = {frozenset(pair) for pair in truth.overlap_pairs}
    for item in truth.conflicts:
        if item.verdict != "inconclusive":
            alike |= {frozenset(pair) for pair in (*item.pairs, *pairwise(item.documents))}
    sources = _sources(bank, node_id)
    reached = {min(sources)}
    while more := {one for one in sources - reached if any({one, other} in alike for other in reached)}:
        reached |= more
    assert reached == sources, f"{node_id} is on more than one subject"


def _sources(bank: MemoryState, node_id: NodeId) -> set[str]:
    entries = [bank.tree.entries[entry_id] for entry_id in bank.tree.entries_of(node_id)]
    return {entry.source for entry in entries if entry.kind not in ("transcript", "answer")}
