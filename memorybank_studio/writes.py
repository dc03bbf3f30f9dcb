"""The set that a settlement writes, and its proposal to the author (fact-planning specification, section 3.3 D).

A `WriteSet` is confirmed as a whole, goes to the journal first, and is applied with idempotent keys: applying it twice,
or the rest of it after a crash, gives the same hub.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Literal

from memorybank.memory.types import Value
from memorybank_studio.types import (
    Chunk,
    Entity,
    EntityKey,
    Fact,
    FactKey,
    Plan,
    PlanKey,
    PlanStatus,
    Setting,
    SettlementId,
    TaskId,
)


class Mark(StrEnum):
    """The relation of a proposal to what the hub already holds."""

    NEW = "new"
    KNOWN = "known"
    """The hub says the same; writing it again changes nothing."""
    UPDATE = "update"
    """The same task settled this before; its own earlier word is replaced."""
    SUPERSEDES = "supersedes"
    """It ends a fact that held until now."""
    CONTRADICTS = "contradicts"
    """Both cannot hold and neither is said to come later: the author decides."""
    DROPS = "drops"
    """The same task settled this before and does not say it any more: taken back, if the author ticks it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StatusChange(Value):
    plan: PlanKey
    status: PlanStatus


@dataclass(frozen=True, slots=True, kw_only=True)
class Placement(Value):
    """The place that a step is to get: in which storyline, and before which step of the same outline there."""

    plan: PlanKey
    storyline: str
    before: PlanKey | None = None
    """The step that it is to stand before; None: behind all steps of its outline in that storyline."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Removal(Value):
    """A fact that is to be taken back, as if it had never been settled."""

    fact: Fact
    restores: tuple[Fact, ...] = ()
    """Facts that it had ended, as they hold again without it."""


ProposalKind = Literal["entity", "fact", "plan", "status", "setting", "removal"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposal(Value):
    """One row of the settlement table. `number` names it within its table."""

    number: int
    item: Entity | Fact | Plan | StatusChange | Setting | Removal
    mark: Mark
    against: tuple[str, ...] = ()
    """The other side of an update, a supersession or a contradiction: what stands in the hub, a sentence each."""
    ends: tuple[FactKey, ...] = ()
    """Facts that end where this one begins."""
    replaces: tuple[FactKey, ...] = ()
    """Earlier words of the same task, taken back."""
    shown: str
    turns: tuple[int, ...] = ()
    ticked: bool = True
    """Whether it is proposed to be written; False for what is only intended, imagined or told by someone."""
    reason: str = ""
    """The reason why it is ticked or not, and how it was read."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WriteSet(Value):
    """All that one settlement (or import) writes. All or nothing for every reader."""

    id: SettlementId
    task: TaskId
    entities: tuple[Entity, ...] = ()
    facts: tuple[Fact, ...] = ()
    ends: tuple[tuple[FactKey, int], ...] = ()
    """Facts and the chapter in which each no longer holds."""
    replaces: tuple[FactKey, ...] = ()
    plans: tuple[Plan, ...] = ()
    statuses: tuple[StatusChange, ...] = ()
    places: tuple[Placement, ...] = ()
    entities_gone: tuple[EntityKey, ...] = ()
    """Entities that are on record no more; their facts are among `replaces`."""
    settings: tuple[Setting, ...] = ()
    settings_gone: tuple[str, ...] = ()
    """Keys of entries that stand under another one from now on."""
    chunks: tuple[Chunk, ...] = ()
