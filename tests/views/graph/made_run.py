"""A run that never was: a thousand nodes of many topics, linked, rewritten, found in conflict and merged."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property

import numpy as np

from memorybank.memory.events import ConflictClosed, ConflictFound, NodeCreated, NodesLinked
from memorybank.memory.state import Draft, MemoryState
from memorybank.memory.types import ConflictStatus, NodeId
from memorybank.views.graph.layout import Layout, NewNode, Point
from memorybank.views.graph.model import GraphView, build_view
from tests.made_events import created, described, merged

WORDS = (
    "qubits error rate surface code cooling ions gate fidelity photonic chip atoms roadmap logical memory lattice "
    "decoder threshold laser trap silicon helium transmon readout crosstalk yield wafer compiler pulse benchmark"
).split()
SNAPSHOT = 64


def positions(born: Iterable[NewNode]) -> dict[NodeId, Point]:
    """A place for every node."""
    layout = Layout()
    for birth in born:
        layout.add(birth)
    return dict(layout)


class MadeRun:
    def __init__(self, births: int = 1_000, *, dimensions: int = 384) -> None:
        self._random = np.random.default_rng(11)
        self._centres = self._random.normal(size=(max(3, births // 14), dimensions))
        self._topic: dict[NodeId, int] = {}
        self._births, self._draft, topic = births, Draft.of(MemoryState(), 0.0), 0
        while len(self._topic) < births:
            if self._happens(0.35):  # a source tells of a topic for a while
                topic = int(self._random.integers(len(self._centres)))
            self._born(topic)
        self.events = self._draft.facts
        self.length = len(self.events)

    def _happens(self, chance: float) -> bool:
        return bool(self._random.random() < chance)

    def _words(self, topic: int, count: int) -> str:
        picked = self._random.integers(len(WORDS), size=count)
        return " ".join((WORDS[topic % len(WORDS)], *(WORDS[int(one)] for one in picked))).capitalize()

    def _vector(self, topic: int) -> bytes:
        vector = self._centres[topic] + 0.65 * self._random.normal(size=self._centres.shape[1])
        found: bytes = (vector / np.linalg.norm(vector)).astype("<f2").tobytes()
        return found

    def _born(self, topic: int) -> None:
        """One node more, and what it sets off among the others of its topic."""
        draft, graph, words, vector = self._draft, self._draft.state.graph, self._words, self._vector(topic)
        kin = [node_id for node_id in graph.nodes if self._topic[node_id] == topic]
        new = draft.new_node()
        self._topic[new] = topic
        summary, context = words(topic, 12), words(topic, int(self._random.integers(2, 6)))
        draft.emit(created(new, summary, context, keywords=(words(topic, 0),), vector=vector))
        for other in kin[-2:]:
            draft.emit(NodesLinked(left=new, right=other, reason="the same topic"))
        if not kin:
            return
        other, before = kin[-1], graph.nodes[kin[-1]]
        if self._happens(0.3):
            was = {"context_before": before.context, "keywords_before": before.keywords}
            draft.emit(described(other, words(topic, 4), new, vector=vector, **was))
        if self._happens(0.05):
            found, pair = draft.new_conflict(), (other, new)
            draft.emit(ConflictFound(conflict_id=found, node_ids=pair, description=words(topic, 5)))
            if self._happens(0.8):
                status = ConflictStatus.INCONCLUSIVE if self._happens(0.3) else ConflictStatus.FALSE_ALARM
                draft.emit(ConflictClosed(conflict_id=found, status=status, reason="checked", closed_by="test"))
        elif len(self._topic) < self._births and other not in draft.state.under_validation() and self._happens(0.12):
            one = draft.new_node()
            self._topic[one], told = topic, {"summary": words(topic, 12), "context": words(topic, 4)}
            draft.emit(merged(draft.new_merge(), (other, new), one, vector=vector, **told))

    # -- its moments --------------------------------------------------------------------------------------------------

    @cached_property
    def layout(self) -> Layout:
        """Of the whole run, as a finished run has it."""
        layout = Layout()
        for event in self.events:
            layout.take(event)
        return layout

    @cached_property
    def _snapshots(self) -> list[MemoryState]:
        bank, found = MemoryState(), []
        for k, event in enumerate(self.events):
            if k % SNAPSHOT == 0:
                found.append(bank.copy())
            bank.apply(event, float(k))
        return found

    def bank(self, k: int) -> MemoryState:
        """After k events."""
        place = min(k // SNAPSHOT, len(self._snapshots) - 1)
        bank = self._snapshots[place].copy()
        for at in range(place * SNAPSHOT, k):
            bank.apply(self.events[at], float(at))
        return bank

    def view(self, k: int, layout: Layout | None = None) -> GraphView:
        bank = self.bank(k)
        return build_view(
            bank.graph.nodes,
            layout or self.layout,
            conflicts=bank.conflicts.all.values(),
            successor=bank.graph.successor,
            new=[event.node_id for event in self.events[max(0, k - 12) : k] if isinstance(event, NodeCreated)],
            merged=[merge.new_node_id for merge in bank.graph.merges.values()],
            raw_characters={node_id: (int(node_id[1:]) * 37 % 9) ** 2 * 100 for node_id in bank.graph.nodes},
            limit=3_000,
        )

    def growing(self, *, step: int, until: int) -> Iterator[tuple[int, GraphView]]:
        """As a live run is seen: nothing is known of what comes later."""
        layout = Layout()
        for k, event in enumerate(self.events[:until], start=1):
            layout.take(event)
            if k % step == 0:
                yield k, self.view(k, layout)
