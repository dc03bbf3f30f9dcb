"""A run that never was: a thousand nodes of many topics, linked, rewritten, found in conflict and merged."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property

import numpy as np
import numpy.typing as npt

from memorybank.memory.events import (
    ConflictClosed,
    ConflictFound,
    Fact,
    NodeCreated,
    NodeDescribed,
    NodesLinked,
    NodesMerged,
)
from memorybank.memory.state import MemoryState
from memorybank.memory.types import ConflictId, ConflictStatus, Lang, MergeEventId, NodeId
from memorybank.views.graph.layout import Layout, NewNode, Point
from memorybank.views.graph.model import GraphView, build_view
from memorybank.views.graph.overlays import GraphDiff, diff_graphs

WORDS = {
    "en": (
        "qubits error rate surface code cooling ions gate fidelity photonic chip atoms roadmap logical memory lattice "
        "decoder threshold laser trap silicon helium transmon readout crosstalk yield wafer compiler pulse benchmark"
    ).split(),
    "zh": (
        "量子比特 错误率 表面码 制冷 离子 门保真度 光子 芯片 原子 路线图 逻辑 存储 晶格 解码器 "
        "阈值 激光 阱 硅 氦 读取 串扰 良率 晶圆 编译 脉冲 基准"
    ).split(),
}
SNAPSHOT = 64


def positions(born: Iterable[NewNode]) -> dict[NodeId, Point]:
    """A place for every node."""
    layout = Layout()
    for birth in born:
        layout.add(birth)
    return dict(layout)


class MadeRun:
    def __init__(self, births: int = 1_000, *, lang: Lang = "en", seed: int = 11, dimensions: int = 384) -> None:
        self.lang: Lang = lang
        self._random = np.random.default_rng(seed)
        self._centres = self._random.normal(size=(max(3, births // 14), dimensions))
        self._topic: dict[NodeId, int] = {}
        self._vectors: dict[NodeId, npt.NDArray[np.float64]] = {}
        self._live: list[NodeId] = []
        self._conflicts = self._merges = 0
        self._open: list[tuple[ConflictId, NodeId, NodeId]] = []
        self.events = list(self._made(births))
        self.length = len(self.events)

    # -- its events ---------------------------------------------------------------------------------------------------

    def _made(self, births: int) -> Iterator[Fact]:
        topic = 0
        while len(self._topic) < births:
            if self._random.random() < 0.35:  # a source tells of a topic for a while
                topic = int(self._random.integers(len(self._centres)))
            yield from self._born(topic)
            if len(self._live) > 6 and self._random.random() < 0.12:
                yield from self._one_of_two()
            if self._open and self._random.random() < 0.2:
                yield self._settled()

    def _words(self, topic: int, count: int) -> str:
        words = WORDS[self.lang]
        chosen = [words[topic % len(words)], *(words[int(i)] for i in self._random.integers(len(words), size=count))]
        return " ".join(chosen).capitalize() if self.lang == "en" else "".join(chosen)

    def _vector(self, vector: npt.NDArray[np.float64]) -> bytes:
        return (vector / np.linalg.norm(vector)).astype("<f2").tobytes()

    def _next(self, topic: int, vector: npt.NDArray[np.float64]) -> NodeId:
        node_id = NodeId(f"n{len(self._topic) + 1}")
        self._topic[node_id], self._vectors[node_id] = topic, vector
        self._live.append(node_id)
        return node_id

    def _born(self, topic: int) -> Iterator[Fact]:
        kin = [node_id for node_id in self._live if self._topic[node_id] == topic]
        vector = self._centres[topic] + 0.65 * self._random.normal(size=self._centres.shape[1])
        node_id = self._next(topic, vector)
        yield NodeCreated(
            node_id=node_id,
            summary=self._words(topic, 12),
            context=self._words(topic, int(self._random.integers(2, 6))),
            keywords=(self._words(topic, 0),),
            vector=self._vector(vector),
            spans=(),
        )
        for other in kin[-2:]:
            yield NodesLinked(left=node_id, right=other, reason="the same topic")
        if kin and self._random.random() < 0.3:
            context = self._words(topic, 4)
            other = kin[-1]
            yield NodeDescribed(
                node_id=other,
                context_before="",
                context=context,
                keywords_before=(),
                keywords=(),
                vector=self._vector(self._vectors[other]),
                because=node_id,
            )
        if kin and self._random.random() < 0.05:
            self._conflicts += 1
            conflict_id = ConflictId(f"c{self._conflicts}")
            self._open.append((conflict_id, kin[-1], node_id))
            yield ConflictFound(conflict_id=conflict_id, node_ids=(kin[-1], node_id), description=self._words(topic, 5))

    def _one_of_two(self) -> Iterator[Fact]:
        busy = {node_id for _, *pair in self._open for node_id in pair}
        last = self._live[-1]
        kin = [one for one in self._live[:-1] if self._topic[one] == self._topic[last] and one not in busy]
        if not kin or last in busy:
            return
        merged = (kin[-1], last)
        self._merges += 1
        for node_id in merged:
            self._live.remove(node_id)
        topic, vector = self._topic[last], self._vectors[last]
        new = self._next(topic, vector)
        yield NodesMerged(
            event_id=MergeEventId(f"m{self._merges}"),
            merged_node_ids=merged,
            new_node_id=new,
            summary=self._words(topic, 12),
            context=self._words(topic, 4),
            keywords=(),
            vector=self._vector(vector),
            trigger="merge",
            description="one topic",
        )

    def _settled(self) -> Fact:
        conflict_id, _, _ = self._open.pop(0)
        status = ConflictStatus.INCONCLUSIVE if self._random.random() < 0.3 else ConflictStatus.FALSE_ALARM
        return ConflictClosed(conflict_id=conflict_id, status=status, reason="checked", closed_by="test")

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
        bank = MemoryState()
        found = []
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

    def view(self, k: int, layout: Layout | None = None, limit: int = 3_000) -> GraphView:
        bank = self.bank(k)
        return build_view(
            bank.graph.nodes,
            layout or self.layout,
            conflicts=bank.conflicts.all.values(),
            successor=bank.graph.successor,
            new=[event.node_id for event in self.events[max(0, k - 12) : k] if isinstance(event, NodeCreated)],
            merged=[merge.new_node_id for merge in bank.graph.merges.values()],
            raw_characters={node_id: (int(node_id[1:]) * 37 % 9) ** 2 * 100 for node_id in bank.graph.nodes},
            lang=self.lang,
            limit=limit,
        )

    def growing(self, *, step: int, until: int) -> Iterator[tuple[int, GraphView]]:
        """As a live run is seen: nothing is known of what comes later."""
        layout = Layout()
        for k, event in enumerate(self.events[:until], start=1):
            layout.take(event)
            if k % step == 0:
                yield k, self.view(k, layout)

    def diff(self, before: int, after: int) -> GraphDiff:
        return diff_graphs(self.bank(before), self.bank(after))
