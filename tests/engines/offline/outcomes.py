"""What a session made of a corpus, in the words of its truth: which pairs were raised, what came of each conflict."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from memorybank.embedding.base import Embedder
from memorybank.memory.events import ConflictFound
from memorybank.memory.state import MemoryState
from memorybank.memory.types import Conflict, ConflictStatus, Lang, NodeId
from memorybank.runs.journal import Record
from memorybank.session.assembly import offline_parts
from memorybank.session.session import Session
from memorybank.session.stages.recording import Source
from memorybank.settings.config import Settings
from memorybank_lab.evaluation.planted import PlantedTruth
from memorybank_lab.evaluation.planted.truth import CONFLICTS, Pair


@dataclass
class Outcome:
    """Document pairs that were raised, with the status each conflict ended in."""

    raised: dict[Pair, list[ConflictStatus]] = field(default_factory=dict)
    bank: MemoryState = field(default_factory=MemoryState)

    def found(self, truth: PlantedTruth) -> list[str]:
        return [item.id for item in truth.conflicts if any(pair in self.raised for pair in item.pairs)]

    def verdicts(self, truth: PlantedTruth) -> list[tuple[str, Pair, ConflictStatus]]:
        """How each raised pair of a planted conflict or false alarm ended: the item's id, the pair, the status."""
        pairs = [(item.id, pair) for item in truth.of(*CONFLICTS, "false_alarm") for pair in item.pairs]
        return [(item, pair, status) for item, pair in pairs for status in self.raised.get(pair, ())]

    def mistaken(self, truth: PlantedTruth) -> list[tuple[str, Pair, ConflictStatus]]:
        """Verdicts that are neither as told nor inconclusive."""
        told = {(item.id, pair): item.verdict_of(pair) for item in truth.items for pair in item.pairs}
        return [
            (item, pair, status)
            for item, pair, status in self.verdicts(truth)
            if status.value not in (told[item, pair], ConflictStatus.INCONCLUSIVE)
        ]

    def near_misses_raised(self, truth: PlantedTruth) -> list[Pair]:
        return [pair for item in truth.of("near_miss") for pair in item.pairs if pair in self.raised]

    def stray(self, truth: PlantedTruth) -> list[Pair]:
        """Raised though the truth has no conflict between the two."""
        allowed = {*truth.conflict_pairs, *truth.false_alarm_pairs}
        return [pair for pair in self.raised if pair not in allowed]


def work(folder: Path, documents: Mapping[str, str], lang: Lang, embedder: Embedder, *, goal: str = "") -> Outcome:
    """File the documents as context; with a goal, also validate and answer."""
    parts = offline_parts(Settings(max_rounds=60), lang, embedder)
    sources = [Source(name=name, text=text, kind="document") for name, text in documents.items()]
    with Session.start(folder, parts, goal=goal, sources=sources) as session:
        session.run()
        return outcome(session.bank, session.records)


def outcome(bank: MemoryState, records: Sequence[Record[Any]]) -> Outcome:
    found = Outcome(bank=bank)
    sides = _sides(bank, records)
    for conflict in bank.conflicts.all.values():
        status = conflict.status
        if status is ConflictStatus.CHECKED:  # there is a verdict, but the nodes stay apart
            status = ConflictStatus.RESOLVED if conflict.winner else ConflictStatus.BOTH_WRONG
        for pair in sides[conflict.id]:
            found.raised.setdefault(pair, []).append(status)
    return found


def _sides(bank: MemoryState, records: Sequence[Record[Any]]) -> dict[str, list[Pair]]:
    """Which documents stood against each other when a conflict was found: those that say the disputed sentence."""
    found: dict[str, list[Pair]] = {}
    for record in records:
        if isinstance(record.event, ConflictFound):
            conflict = bank.conflicts.all[record.event.conflict_id]
            left, right = (_documents(bank, conflict, side) for side in (0, 1))
            found[conflict.id] = [(min(a, b), max(a, b)) for a in left for b in right if a != b]
    return found


def _documents(bank: MemoryState, conflict: Conflict, side: int) -> list[str]:
    node_id: NodeId = conflict.node_ids[side]
    claims = {(one.left, one.right)[side].text.strip() for one in conflict.contradictions}
    entries = [bank.tree.entries[one] for one in bank.tree.entries_of(node_id)]
    documents = [entry for entry in entries if entry.kind not in ("transcript", "answer")]
    saying = [entry.source for entry in documents if any(claim in entry.text for claim in claims)]
    return saying or [entry.source for entry in documents]
