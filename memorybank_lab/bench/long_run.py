"""A long run as a journal, made of the real events and no model: what the app's benchmark looks at.

Topics with sentences of their own, links within a topic, merges and conflicts, a plan and a prompt now and then, the
same each time. It is material to look at, not a recording: no agent has thought about it.
"""

from __future__ import annotations

import random
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from memorybank.language.text import sha256
from memorybank.memory.events import (
    ConflictClosed,
    ConflictFound,
    EntryRecorded,
    Fact,
    NodeCreated,
    NodesAnalysed,
    NodesLinked,
    NodesMerged,
    PlanUpdated,
    PromptEnhanced,
    PromptPart,
    SessionStarted,
    StageFinished,
    StageName,
    TaskReceived,
)
from memorybank.memory.state import Draft, MemoryState
from memorybank.memory.types import (
    Claim,
    ConflictStatus,
    Contradiction,
    Entry,
    EntryId,
    Evidence,
    Hit,
    Node,
    NodeId,
    Span,
    Task,
    TaskType,
)
from memorybank.runs.journal import Journal
from memorybank.runs.run_folder import SESSION, RunFolder
from memorybank.settings.config import Settings
from memorybank.settings.version import __version__

DIM = 64
BATCH = 50
"""Nodes of one filing; a merge and a conflict for each twenty-five."""
_THINGS = "bridge tunnel harbour canal railway observatory reservoir lighthouse market library mill quarry".split()
_PLACES = "Tamar Orwell Severn Medway Tyne Conwy Humber Mersey Derwent Avon Wye Trent Ouse Nene Exe Dart".split()
_SAYS = (
    "The {place} {thing} was opened in {year}.",
    "It is {metres} metres long and was built by {people} people.",
    "Repairs in {later} cost {cost} million pounds.",
    "About {visits} thousand visitors come each year.",
)
_NUMBERS = {
    "year": (1800, 2000),
    "metres": (40, 4_000),
    "people": (20, 900),
    "later": (2000, 2026),
    "cost": (1, 90),
    "visits": (2, 700),
}


class LongRun:
    """A run that is being made. `batch` files more nodes, committed as the stages commit."""

    def __init__(self, folder: RunFolder) -> None:
        self.bank = MemoryState()
        self._topics: dict[NodeId, int] = {}
        self._batches = 0
        self._random = random.Random(0)
        self._noise = np.random.default_rng(0)
        self._centres = self._noise.normal(size=(40, DIM))
        folder.path.mkdir(parents=True, exist_ok=True)
        self._journal = Journal.create(folder.journal, SESSION)
        started = SessionStarted(
            run_id="long-run",
            version=__version__,
            engine="offline",
            embedding_model="none",
            embedding_dim=DIM,
            lang="en",
            relations=Settings().relations,
            strategy="single",
            k=5,
            alpha=0.5,
            max_rounds=30,
            prompt_tokens=8_000,
        )
        self._commit("receive", [started, TaskReceived(doc_id="d1", goal="Compare the bridges, mills and harbours.")])

    @property
    def events(self) -> int:
        return self._journal.seq

    def close(self) -> None:
        self._journal.close()

    def batch(self, count: int = BATCH) -> None:
        """File one document of `count` topics: recorded, filed, compared; then a plan and a prompt."""
        self._batches += 1
        passages = [self._passage() for _ in range(count)]
        draft = self._draft()
        entry_id = self._record(draft, f"part-{self._batches}.txt", "\n\n".join(text for _, text in passages))
        self._commit("receive", draft.facts)
        draft, at = self._draft(), 0
        for topic, text in passages:
            span = Span(entry_id=entry_id, start=at, end=at + len(text))
            self._file(draft, topic, text.partition(".")[0], text, span)
            at += len(text) + 2
        self._commit("file", draft.facts)
        self._commit("analyse", self._analysis())
        self._commit("plan", [PlanUpdated(next_task=self._task(), reasoning="more is to be read")])
        self._commit("enhance", [self._prompt()])

    def add(self, context: str) -> NodeId:
        """Add one node more, in a commit of its own, linked to the newest of its topic."""
        topic, passage = self._passage()
        text, draft = f"{context}. {passage}", self._draft()
        entry_id = self._record(draft, f"{context}.txt", text)
        node_id = self._file(draft, topic, context, text, Span(entry_id=entry_id, start=0, end=len(text)))
        draft.emit(NodesAnalysed(node_ids=(node_id,)))
        if kin := self._kin(draft, node_id):
            draft.emit(NodesLinked(left=kin[-1], right=node_id, reason="the same place"))
        self._commit("file", draft.facts)
        return node_id

    def _record(self, draft: Draft, source: str, text: str) -> EntryId:
        entry = Entry(id=draft.new_entry(), kind="document", text=text, source=source, sha256=sha256(text))
        draft.emit(EntryRecorded(entry=entry))
        return entry.id

    def _file(self, draft: Draft, topic: int, context: str, text: str, span: Span) -> NodeId:
        node_id = draft.new_node()
        self._topics[node_id] = topic
        draft.emit(
            NodeCreated(
                node_id=node_id,
                summary=text.partition("\n")[0],
                context=context,
                keywords=tuple(text.split()[1:3]),
                vector=self._vector(topic),
                spans=(span,),
            )
        )
        return node_id

    def _analysis(self) -> list[Fact]:
        """Return links within a topic; of each twenty-five new nodes one is merged and one contradicts an older one."""
        draft = self._draft()
        fresh = draft.state.progress.fresh
        for node_id in fresh:
            kin = self._kin(draft, node_id)
            if kin and self._random.random() < 0.6:
                draft.emit(NodesLinked(left=self._random.choice(kin[-4:]), right=node_id, reason="the same place"))
        for places, act in ((fresh[::25], self._merge), (fresh[12::25], self._contradict)):
            for node_id in places:
                kin = [one for one in self._kin(draft, node_id) if one not in draft.state.under_validation()]
                if kin and node_id in draft.state.graph.nodes:  # not merged away a moment ago
                    act(draft, kin[-1], node_id)
        draft.emit(NodesAnalysed(node_ids=draft.state.progress.fresh))
        return draft.facts

    def _kin(self, draft: Draft, node_id: NodeId) -> list[NodeId]:
        """Return live older nodes of the same topic."""
        topic = self._topics[node_id]
        return [
            one for one in draft.state.graph.nodes if self._topics[one] == topic and _number(one) < _number(node_id)
        ]

    def _merge(self, draft: Draft, left: NodeId, right: NodeId) -> None:
        new = draft.new_node()
        one, other = draft.state.graph.nodes[left], draft.state.graph.nodes[right]
        self._topics[new] = self._topics[left]
        draft.emit(
            NodesMerged(
                event_id=draft.new_merge(),
                merged_node_ids=(left, right),
                new_node_id=new,
                summary=f"{one.summary} {other.summary}",
                context=one.context,
                keywords=one.keywords,
                vector=self._vector(self._topics[left]),
                trigger="merge",
                description=f"both tell of “{one.context}”",
            )
        )

    def _contradict(self, draft: Draft, left: NodeId, right: NodeId) -> None:
        """Three of four conflicts are decided."""
        conflict_id = draft.new_conflict()
        one, other = (_claim(draft.state.graph.nodes[node]) for node in (left, right))
        point = Contradiction(left=one, right=other, reason="two years", confidence=0.9)
        about = f"{one.value} against {other.value}"
        draft.emit(
            ConflictFound(conflict_id=conflict_id, node_ids=(left, right), description=about, contradictions=(point,))
        )
        if _number(conflict_id) % 4:
            draft.emit(
                ConflictClosed(
                    conflict_id=conflict_id,
                    status=ConflictStatus.RESOLVED,
                    reason="two independent sources say so",
                    closed_by="long run",
                    winner="left",
                    value=one.value,
                    evidence=(Evidence(source="part-1.txt", quote=one.text, supports="left"),),
                )
            )

    # -- the task loop ------------------------------------------------------------------------------------------------

    def _task(self) -> Task:
        return Task(type=TaskType.NORMAL, description=f"Read part {self._batches + 1} and file what it says.")

    def _prompt(self) -> PromptEnhanced:
        newest = list(self.bank.graph.nodes.values())[-5:]
        hits = [
            Hit(node_id=node.id, score=0.9, keyword=0.5, vector=0.5, keyword_raw=3.0, cosine=0.5, rank=place)
            for place, node in enumerate(newest, start=1)
        ]
        lines = "\n".join(f"[{node.id}] {node.context}: {node.summary}" for node in newest)
        memories = (PromptPart(name="memory", tokens=40, node_id=node.id) for node in newest)
        return PromptEnhanced(
            prompt=f"<task>\n{self._task().description}\n</task>\n<memory>\n{lines}\n</memory>",
            query="part",
            query_vector=self._vector(0),
            hits=tuple(hits),
            below=(),
            parts=(PromptPart(name="current", tokens=14), *memories),
        )

    # -- material -----------------------------------------------------------------------------------------------------

    def _passage(self) -> tuple[int, str]:
        topic = self._random.randrange(len(self._centres))
        numbers = {name: self._random.randrange(*bounds) for name, bounds in _NUMBERS.items()}
        names = {"place": _PLACES[topic % len(_PLACES)], "thing": _THINGS[topic % len(_THINGS)]}
        return topic, "\n".join(sentence.format(**names, **numbers) for sentence in _SAYS)

    def _vector(self, topic: int) -> bytes:
        vector = self._centres[topic] + 0.5 * self._noise.normal(size=DIM)
        found: bytes = (vector / np.linalg.norm(vector)).astype("<f2").tobytes()
        return found

    # -- writing ------------------------------------------------------------------------------------------------------

    def _draft(self) -> Draft:
        return Draft.of(self.bank, time.time())

    def _commit(self, stage: StageName, facts: Sequence[Fact]) -> None:
        mark = StageFinished(stage=stage, round=self.bank.progress.round, ms=1.0)
        for record in self._journal.append([*facts, mark]):
            self.bank.apply(record.event, record.at)


def make_long_run(folder: Path, nodes: int = 1_000) -> LongRun:
    """Make a run with at least that many live nodes; about two events a node."""
    run = LongRun(RunFolder(folder))
    while len(run.bank.graph.nodes) < nodes:
        run.batch(max(5, min(BATCH, nodes - len(run.bank.graph.nodes))))
    return run


def _claim(node: Node) -> Claim:
    sentence = node.summary.partition("\n")[0]
    year = next((word.strip(".") for word in sentence.split() if word.strip(".").isdigit()), "")
    return Claim(text=sentence, kind="date", subject=node.context, attribute="opened", value=year)


def _number(id_: str) -> int:
    return int(id_[1:])
