"""A scene is a decisive moment of a run, with all that its sentence and its card say."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from memorybank.contradiction.disputes.dispute import Dispute, label
from memorybank.contradiction.disputes.gathering import points_of
from memorybank.contradiction.votes import is_on
from memorybank.memory.state import MemoryState
from memorybank.memory.types import SIDES, Conflict, ConflictId, ConflictStatus, Lang, MergeEventId, NodeId
from memorybank.views.boxes.conflicts import node_or_source
from memorybank.views.text.display import clip

SceneKind = Literal[
    "imported", "task", "filed", "clash", "check", "source", "verdict", "fold", "rest", "failed", "undone", "answer",
]  # fmt: skip
"""`source`: who states which side of a dispute, once it was checked. `fold`: nodes become one. `rest`: disputes that
are only counted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """A document that states a side of a dispute."""

    name: str
    quote: str = ""
    """The words of the document; empty for a memory that was disputed as a whole."""
    is_new: bool = False
    """The check brought it, and counts it as a vote."""
    is_exact: bool = True
    """It states the value; else its quote bears that out in other words."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Side:
    """A value that is disputed. Its place among the sides stays the same from the clash to the verdict."""

    value: str
    sources: tuple[Source, ...] = ()
    holds: bool = False
    """A verdict found that this value holds."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    seq: int
    """The moment that it shows: after so many events. Of the scenes of a run none has an earlier one than those before
    it. It is the end of a stage, but for sources, which are shown as they were read, and for a verdict whose nodes
    become one in the same stage: it is shown while they are still apart."""
    kind: SceneKind
    words: str
    """The name of its sentence, `story.<words>`."""
    values: Mapping[str, object] = field(default_factory=dict)
    stage: str = ""
    nodes: tuple[NodeId, ...] = ()
    """The nodes that the scene is about; of a fold, those that become one."""
    conflicts: tuple[ConflictId, ...] = ()
    """The conflicts, all of one dispute; of disputes that are only counted, the first of each."""
    merge: MergeEventId | None = None
    dispute: Dispute | None = None
    """The dispute as it stood at the end of the stage."""
    sides: tuple[Side, ...] = ()
    query: str = ""
    """The query of the check, for a scene that shows its documents."""
    status: ConflictStatus | None = None
    """The status of the dispute."""


VALUE, MATTER = 80, 80
"""The most columns of a value and of a matter."""


def matter_of(dispute: Dispute, lang: Lang) -> str:
    """Return what is disputed, in a few words within a sentence; empty where nothing names it."""
    return clip(label(dispute, lang), MATTER) if dispute.values else ""


def sides_of_dispute(dispute: Dispute, bank: MemoryState) -> tuple[Side, ...]:
    """Return a dispute's values, each with the parties first, then with the votes that a check brought."""
    sides = []
    for value in dispute.values:
        holds = value is dispute.holds
        said = {
            voice.source: Source(name=voice.source, quote=voice.quote, is_new=voice.independent) for voice in value.said
        }
        sources = _bearing_out(dispute, bank) | said if holds else said
        sides.append(_side(clip(value.text, VALUE), sources.values(), holds=holds))
    return tuple(sides) or tuple(_summaries(bank.conflicts.all[dispute.conflict_ids[0]], bank))


def _bearing_out(dispute: Dispute, bank: MemoryState) -> dict[str, Source]:
    """Return by name the sources that a check counted for what holds, also those that say it in less exact words."""
    points = [point for name in dispute.conflict_ids for point in points_of(bank.conflicts.all[name])]
    return {
        piece.source: Source(name=piece.source, quote=piece.quote, is_new=True, is_exact=False)
        for point in points
        if point.name in dispute.points
        for piece in point.conflict.evidence
        if piece.independent
        and piece.supports == point.conflict.ruling_on(point.number).winner
        and is_on(piece, point.number)
    }


def _side(value: str, sources: Iterable[Source], *, holds: bool) -> Side:
    return Side(value=value, sources=tuple(sorted(sources, key=lambda source: source.is_new)), holds=holds)


def continued(sides: Sequence[Side], known: Iterable[Side]) -> tuple[Side, ...]:
    """Return the sides as the story goes on with them: each in the place that it had before, and with the documents
    that stated it before, but for those that are now counted for another."""
    before = {side.value: side.sources for side in known}
    order = [*before, *(side.value for side in sides)]
    stated = {source.name for side in sides for source in side.sources}
    kept = {value: [source for source in own if source.name not in stated] for value, own in before.items()}
    return tuple(
        replace(side, sources=(*kept.get(side.value, ()), *side.sources))
        for side in sorted(sides, key=lambda side: order.index(side.value))
    )


def _summaries(conflict: Conflict, bank: MemoryState) -> Iterator[Side]:
    """Yield the two memories of a conflict without claims by topic, each with its documents and what speaks for it."""
    for name, node_id in zip(SIDES, conflict.node_ids, strict=True):
        node = node_or_source(node_id, bank)
        heard = {
            piece.source: Source(name=piece.source, quote=piece.quote, is_new=piece.independent)
            for piece in conflict.evidence
            if piece.supports == name and piece.is_said
        }
        parties = {source: Source(name=source) for source in bank.tree.sources_of(node_id)}
        topic = clip(node.context if node is not None else node_id, VALUE)
        holds = conflict.status.decides and conflict.winner == name
        yield _side(topic, (heard or parties).values(), holds=holds)


def undecided(sides: Iterable[Side]) -> tuple[Side, ...]:
    """Return the sides as they stand before their verdict."""
    return tuple(replace(side, holds=False) for side in sides)
