"""What a verdict that stands for another conflict takes there as evidence."""

from __future__ import annotations

from dataclasses import replace

from memorybank.memory.bank import MemoryBank
from memorybank.memory.events import TaskExecuted
from memorybank.memory.types import (
    Claim,
    Conflict,
    ConflictId,
    ConflictStatus,
    Contradiction,
    EntryId,
    Evidence,
    InsightDoc,
    Node,
    NodeId,
    Refusal,
    Task,
    TaskType,
)
from memorybank.session.stages.standing_verdicts import standing_verdicts


def claim(value: str) -> Claim:
    return Claim(text=f"It has {value}.", kind="number", subject="", attribute="capacity", value=value, unit="")


def piece(source: str, quote: str, refused: Refusal = "") -> Evidence:
    return Evidence(
        source=source, quote=quote, supports="left", value="18 MW", independent=not refused, refused=refused
    )


def conflict(number: int, *nodes: str) -> Conflict:
    pair = Contradiction(left=claim("18 MW"), right=claim("24 MW"), reason="", confidence=0.9)
    left, right = map(NodeId, nodes)
    return Conflict(id=ConflictId(f"c{number}"), node_ids=(left, right), description="", contradictions=(pair,))


def test_a_party_there_is_heard_here_and_what_no_source_says_is_not() -> None:
    voices = (
        piece("register.md", "The register has 18 MW."),
        piece("operator.md", "It has 18 MW.", "party"),
        piece("reprint.md", "It has 18 MW.", "copy"),
        piece("nowhere.md", "It has 18 MW.", "no_source"),
        piece("notice.md", "18 MW, says the notice.", "not_there"),
    )
    state = MemoryBank()
    for name in ("n1", "n2", "n3"):
        node = NodeId(name)
        state.graph.nodes[node] = Node(id=node, summary="", context="", keywords=())
    decided = conflict(1, "n1", "n2")
    decided = replace(decided, status=ConflictStatus.RESOLVED, winner="left", value="18 MW", evidence=voices)
    state.conflicts.all |= {decided.id: decided, ConflictId("c2"): conflict(2, "n1", "n3")}
    task = Task(type=TaskType.CROSS_VALIDATE, description="", conflict_ids=(decided.id,))
    state.docs.doc = InsightDoc(pending_tasks=(task,))
    executed = TaskExecuted(executor="a", answer="", transcript=EntryId("e1"))
    state.progress = replace(state.progress, route="cross_validate", executed=executed)
    ((_, verdict),) = standing_verdicts(state, "en")
    assert [(voice.source, voice.independent, voice.refused) for voice in verdict.evidence] == [
        ("register.md", True, ""),
        ("operator.md", True, ""),
        ("reprint.md", False, "copy"),
    ]
