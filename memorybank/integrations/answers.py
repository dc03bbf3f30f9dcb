"""What the bank tells a foreign agent, as typed values: one shape for every framework, JSON schema included.

Texts from memory are neutralised (markup.py): recalled words are data and open no block of a prompt.
"""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict

from memorybank.types import ConflictStatus


class Answer(BaseModel):
    model_config = ConfigDict(frozen=True)


class Ingested(Answer):
    """What became of a text."""

    known: bool
    """The same text was filed before; nothing was done."""
    new_nodes: tuple[str, ...]
    """Memories that stand now and did not before, by id."""
    merges: tuple[str, ...]
    conflicts: tuple[str, ...]
    """Conflicts that this text raised, by id. They wait for a verdict."""
    nodes: int
    """Memories in all."""


class Memory(Answer):
    node_id: str
    topic: str
    keywords: tuple[str, ...]
    summary: str
    score: float
    """In [0, 1]; a neighbour's is the score of the memory it hangs on."""
    via: str | None = None
    """None: found directly; else the memory whose neighbour this is."""
    disputed: str | None = None
    """The conflict that leaves its content in doubt."""


class Found(Answer):
    query: str
    memories: tuple[Memory, ...]


class CompletedTaskView(Answer):
    type: str
    description: str
    status: str
    context: str


class InsightView(Answer):
    """Where the task stands."""

    task_goal: str
    completed_tasks: tuple[CompletedTaskView, ...]
    current_task: str | None
    """What is to be done next."""
    nodes: int
    open_conflicts: int
    answer: str


class Party(Answer):
    node_id: str
    """Where this side is now; deep_retrieval shows its sources."""
    summary: str


class ConflictView(Answer):
    id: str
    status: ConflictStatus
    description: str
    left: Party
    right: Party
    winner: Literal["left", "right", ""] = ""
    value: str = ""
    reason: str = ""
    closed_by: str = ""


class ConflictList(Answer):
    conflicts: tuple[ConflictView, ...]


class Resolved(Answer):
    conflict: ConflictView
    merged_into: str | None
    """The memory that both sides became; None when they stay apart."""
