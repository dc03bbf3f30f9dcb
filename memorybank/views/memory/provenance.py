"""The origin and the use of everything, from a run's records alone.

For entries: when they were recorded and read again. For nodes: when they were made, which prompts held them and which
answers cite them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from memorybank.memory import events
from memorybank.memory.types import EntryId, MergeEventId, NodeId, Task
from memorybank.runs.stages import Place
from memorybank.views.run.commits import Records, commits
from memorybank.views.text.passages import cited


@dataclass(frozen=True, slots=True, kw_only=True)
class NodeCreation:
    place: Place
    merge: MergeEventId | None = None
    """The merge that made it; None for a node filed from raw text, or imported."""
    imported: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Use:
    """A prompt that held a node, or an answer that cites it."""

    place: Place
    task: Task | None
    """The round's matter; None when that is not known."""
    tokens: int = 0
    """The tokens of the node's part of a prompt."""
    transcript: EntryId | None = None
    """The raw record of an answer's round."""
    final: bool = False
    """The answer is the session's result."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Round:
    """A round that read an entry, or that an entry is the raw record of."""

    place: Place
    task: Task | None
    executor: str
    prompt: int = 0
    """The number (seq) of the prompt it was given; 0 when there was none."""


@dataclass(frozen=True, slots=True)
class Provenance:
    recorded: Mapping[EntryId, Place] = field(default_factory=dict)
    born: Mapping[NodeId, NodeCreation] = field(default_factory=dict)
    prompts: Mapping[NodeId, tuple[Use, ...]] = field(default_factory=dict)
    answers: Mapping[NodeId, tuple[Use, ...]] = field(default_factory=dict)
    read: Mapping[EntryId, tuple[Round, ...]] = field(default_factory=dict)
    """Rounds whose tools gave an entry back: the one that brought it, and later ones that read it again."""
    records: Mapping[EntryId, Round] = field(default_factory=dict)
    """Maps a transcript to its round."""


def provenance(records: Records) -> Provenance:
    """Return the provenance of everything, in one reading."""
    recorded: dict[EntryId, Place] = {}
    born: dict[NodeId, NodeCreation] = {}
    prompts: dict[NodeId, list[Use]] = {}
    answers: dict[NodeId, list[Use]] = {}
    read: dict[EntryId, list[Round]] = {}
    transcripts: dict[EntryId, Round] = {}
    task: Task | None = None
    prompt = 0
    for commit in commits(records):
        for record in commit.records:
            place = commit.place(record)
            match record.event:
                case events.EntryRecorded(entry=entry):
                    recorded[entry.id] = place
                case events.NodeCreated(node_id=node_id):
                    born[node_id] = NodeCreation(place=place)
                case events.NodesMerged(new_node_id=node_id, event_id=event_id):
                    born[node_id] = NodeCreation(place=place, merge=event_id)
                case events.MemoryImported() as event:
                    recorded.update({entry.id: place for entry in event.entries})
                    born.update({node.node_id: NodeCreation(place=place, imported=True) for node in event.nodes})
                case events.PlanUpdated(next_task=next_task):
                    task, prompt = next_task, 0
                case events.PromptEnhanced(parts=parts):
                    prompt = record.seq
                    for part in parts:
                        if part.node_id is not None:
                            use = Use(place=place, task=task, tokens=part.tokens)
                            prompts.setdefault(part.node_id, []).append(use)
                case events.TaskExecuted() as event:
                    round_ = Round(place=place, task=task, executor=event.executor, prompt=prompt)
                    transcripts[event.transcript] = round_
                    for entry_id in event.materials:
                        read.setdefault(entry_id, []).append(round_)
                    if task is not None and not task.final:
                        _cite(answers, event.answer, Use(place=place, task=task, transcript=event.transcript))
                case events.AnswerGiven(answer=answer, entry_id=entry_id):
                    _cite(answers, answer, Use(place=place, task=task, transcript=entry_id, final=True))
    return Provenance(
        recorded=recorded,
        born=born,
        prompts={node_id: tuple(uses) for node_id, uses in prompts.items()},
        answers={node_id: tuple(uses) for node_id, uses in answers.items()},
        read={entry_id: tuple(rounds) for entry_id, rounds in read.items()},
        records=transcripts,
    )


def _cite(answers: dict[NodeId, list[Use]], answer: str, use: Use) -> None:
    for node_id in cited(answer):
        answers.setdefault(node_id, []).append(use)
