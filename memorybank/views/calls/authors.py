"""Which call wrote which memory, and which tool call gave which entry: from a run's records alone, in one pass.

A call is named by the seq of its event. It is found by what it answered, which the journal keeps, never by its place.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, Literal

from memorybank.language.text import sentences, source_key
from memorybank.memory.events import (
    AgentCalled,
    ConflictClosed,
    EntryRecorded,
    NodeCreated,
    NodesMerged,
    ToolUsed,
)
from memorybank.memory.types import ConflictId, EntryId, NodeId
from memorybank.runs.stages import Place
from memorybank.views.memory.conflict_life import integration_call
from memorybank.views.memory.node_history import NodeStory, Wording, node_stories
from memorybank.views.run.commits import Commit, Records, commits, listed


@dataclass(frozen=True, slots=True)
class Authorship:
    """What made a node, or rewrote it."""

    sorted: int = 0
    """Seq of the call that found its topic; 0 where none did."""
    written: tuple[int, ...] = ()
    """Calls that wrote its text; a long one is written in parts."""
    verdicts: tuple[ConflictId, ...] = ()
    """Conflicts that were closed with it."""


@dataclass(frozen=True, slots=True)
class Authors:
    records: Records
    stories: Mapping[NodeId, NodeStory] = field(default_factory=dict)
    origins: dict[int, Authorship] = field(default_factory=dict)
    """By the event that made or rewrote a node."""
    wrote: dict[int, list[NodeId]] = field(default_factory=dict)
    """By call: nodes whose topic it found, or whose text it wrote."""
    rounds: dict[int, int] = field(default_factory=dict)
    """Of each call: its round."""
    recorded: dict[EntryId, Place] = field(default_factory=dict)
    reading: dict[EntryId, list[int]] = field(default_factory=dict)
    """Tool calls of the round that brought an entry which name its source."""
    concluding: dict[EntryId, list[int]] = field(default_factory=dict)
    """Of what a round concluded: the executor's calls in it."""
    closed: dict[ConflictId, int] = field(default_factory=dict)
    """The event that closed a conflict last."""
    checking: dict[ConflictId, list[int]] = field(default_factory=dict)
    """The executor's calls of the round that checked it."""

    def node_at(self, node_id: NodeId, seq: int) -> Wording | None:
        """What a node said just before an event; None when it was not there yet."""
        story = self.stories.get(node_id)
        steps = [step for step in story.steps if step.seq < seq and step.kind != "gone"] if story else []
        return steps[-1].after if steps else None


def authors(records: Records) -> Authors:
    reading = _Reading(Authors(records, node_stories(records)))
    for commit in commits(records):
        reading.take(commit)
    return reading.known


@dataclass(slots=True)
class _Reading:
    known: Authors
    topics: dict[str, int] = field(default_factory=dict)
    """The call that found a topic last."""
    texts: dict[str, int] = field(default_factory=dict)
    """What was written in the last round of summaries, and by which call."""
    executor: list[int] = field(default_factory=list)
    """The executor's calls of the round that is going on."""

    def take(self, commit: Commit) -> None:
        if commit.stage == "structure":
            self.texts.clear()
        observed = [record for record in commit.records if isinstance(record.event, AgentCalled | ToolUsed)]
        for record in observed:
            self.known.rounds[record.seq] = commit.round
            if isinstance(record.event, AgentCalled) and record.event.outcome == "ok":
                self._answered(record.seq, record.event)
        if commit.stage == "execute":
            self.executor = [record.seq for record in observed if _is_turn(record.event)]
        closed = [record for record in commit.records if isinstance(record.event, ConflictClosed)]
        for record in commit.records:
            match record.event:
                case EntryRecorded(entry=entry):
                    self.known.recorded[entry.id] = commit.place(record)
                    self.known.reading[entry.id] = [
                        used.seq
                        for used in observed
                        if isinstance(used.event, ToolUsed)
                        and source_key(entry.source) in map(source_key, used.event.sources)
                    ]
                    if not entry.is_source:
                        self.known.concluding[entry.id] = self.executor
                case NodeCreated() as event:
                    topic = self.topics.get(event.context, 0)
                    self._made(record.seq, event.node_id, Authorship(topic, self._writers(event.summary) or (topic,)))
                case NodesMerged() as event:
                    verdicts = tuple(item.event.conflict_id for item in closed) if event.trigger == "conflict" else ()
                    call = integration_call(commit, event)
                    self._made(record.seq, event.new_node_id, Authorship(0, (call,), verdicts))
                case ConflictClosed(conflict_id=conflict_id):
                    self.known.closed[conflict_id] = record.seq
                    self.known.checking[conflict_id] = self.executor
                case _:
                    pass

    def _answered(self, seq: int, event: AgentCalled) -> None:
        if event.role == "classification":
            for cluster in listed(event.answer, "clusters"):
                self.topics[str(cluster.get("context", ""))] = seq
        elif event.role == "structure":
            self.texts[str(event.answer.get("summary", "")).strip()] = seq

    def _writers(self, summary: str) -> tuple[int, ...]:
        if summary.strip() in self.texts:
            return (self.texts[summary.strip()],)
        return tuple(seq for text, seq in self.texts.items() if text and text in summary)

    def _made(self, seq: int, node_id: NodeId, origin: Authorship) -> None:
        self.known.origins[seq] = origin
        for call in dict.fromkeys((origin.sorted, *origin.written)):
            if call:
                self.known.wrote.setdefault(call, []).append(node_id)


def _is_turn(event: Any) -> bool:
    return isinstance(event, AgentCalled) and event.role == "react"


# -- what memories say, and said before --------------------------------------------------------------------------------


MOST_SHOWN = 30
"""Sentences that a search shows."""
Ended = Literal["", "merged", "undone"]


@dataclass(frozen=True, slots=True)
class Phrasing:
    node: NodeId
    context: str
    summary: str
    before: int
    """The event before which it was said last."""
    ended: Ended = ""
    """Why it is not said any more; empty: it is."""

    @property
    def id(self) -> str:
        return f"{self.node}.{self.before}" if self.ended else self.node


@dataclass(frozen=True, slots=True)
class Occurrence:
    """Words in a sentence of a memory: `phrasing.summary[start:end]`."""

    phrasing: Phrasing
    sentence: str
    start: int
    end: int


def phrasings(known: Authors, live: Container[NodeId]) -> tuple[Phrasing, ...]:
    """Those that hold first, the newest node first; then what was said before."""
    after = len(known.records) + 1
    listed = [
        phrasing for node_id, story in known.stories.items() for phrasing in _of(node_id, story, node_id in live, after)
    ]
    return (*(kept for kept in reversed(listed) if not kept.ended), *(gone for gone in reversed(listed) if gone.ended))


def _of(node_id: NodeId, story: NodeStory, is_live: bool, after: int) -> Iterator[Phrasing]:
    for number, step in enumerate(story.steps):
        following = story.steps[number + 1] if number + 1 < len(story.steps) else None
        wording = step.after
        if step.kind == "gone":
            continue
        if following is None:
            yield Phrasing(node_id, wording.context, wording.summary, after, "" if is_live else "undone")
        elif following.kind == "gone":
            yield Phrasing(node_id, wording.context, wording.summary, following.seq, "merged")


def find(listed: Sequence[Phrasing], words: str) -> list[Occurrence]:
    """Where memories say these words, white space and case aside; of one node each sentence once."""
    parts = words.split()
    pattern = re.compile(r"\s+".join(map(re.escape, parts)), re.IGNORECASE)
    return list(islice(_occurrences(listed, pattern), MOST_SHOWN)) if parts else []


def _occurrences(listed: Sequence[Phrasing], pattern: re.Pattern[str]) -> Iterator[Occurrence]:
    seen: set[tuple[NodeId, str]] = set()
    for phrasing in listed:
        if not pattern.search(phrasing.summary):
            continue
        for start, end in sentences(phrasing.summary):
            sentence = phrasing.summary[start:end].strip()
            match = pattern.search(phrasing.summary, start, end)
            if match and (phrasing.node, sentence) not in seen:
                seen.add((phrasing.node, sentence))
                yield Occurrence(phrasing, sentence, match.start(), match.end())
