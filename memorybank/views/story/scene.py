"""What a scene is: a decisive moment of a run, with all that its sentence and its card say."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from memorybank.contradiction.disputes import Dispute
from memorybank.memory.types import ConflictId, ConflictStatus, MergeEventId, NodeId
from memorybank.views.link import link

SceneKind = Literal[
    "imported", "task", "filed", "clash", "check", "source", "verdict", "fold", "rest", "failed", "undone", "answer"
]
"""`source`: who states which side of a dispute, once it was checked. `fold`: nodes become one. `rest`: disputes that
are only counted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """A document that states a side of a dispute."""

    name: str
    quote: str = ""
    """Its words; empty for a memory that was disputed as a whole."""
    is_new: bool = False
    """The check brought it, and counts it as a vote."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Side:
    """A value that is disputed. Its place among the sides stays the same from the clash to the verdict."""

    value: str
    sources: tuple[Source, ...] = ()
    holds: bool = False
    """A verdict found so."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    seq: int
    """The moment that it shows: after so many events. Of the scenes of a run none has an earlier one than those before
    it. It is the end of a stage, but for sources, which are shown as they were read, and for a verdict whose nodes
    become one in the same stage: it is shown while they are still apart."""
    kind: SceneKind
    words: str
    """Its sentence is `story.<words>`."""
    values: Mapping[str, object] = field(default_factory=dict)
    stage: str = ""
    nodes: tuple[NodeId, ...] = ()
    """What it is about on the graph. Of a fold: the nodes that become one."""
    conflicts: tuple[ConflictId, ...] = ()
    """All of one dispute."""
    merge: MergeEventId | None = None
    dispute: Dispute | None = None
    """As it stood at the end of the stage."""
    sides: tuple[Side, ...] = ()
    query: str = ""
    """What the check looked for, of a scene that shows its documents."""
    status: ConflictStatus | None = None
    """How the dispute stands."""

    @property
    def target(self) -> str:
        """Where it can be seen closely, as a link (views/link.py); empty: nowhere else."""
        if self.merge is not None:
            return link("merge", self.merge)
        if self.conflicts:
            return link("conflict", self.conflicts[0])
        return link("node", self.nodes[0]) if self.nodes else ""
