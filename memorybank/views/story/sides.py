"""The sides of a dispute in the order in which they were met, each with its sources: a place never changes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from memorybank.contradiction.disputes import Dispute, label
from memorybank.memory.bank import MemoryBank
from memorybank.memory.types import SIDES, Conflict, Lang
from memorybank.views.story.scene import Side, Source
from memorybank.views.text.display import clip

VALUE, MATTER = 80, 80
"""Columns."""


def matter_of(dispute: Dispute, lang: Lang) -> str:
    """What is disputed, in a few words within a sentence; empty where nothing names it."""
    return clip(label(dispute, lang), MATTER) if dispute.values else ""


def sides_of_dispute(dispute: Dispute, bank: MemoryBank) -> tuple[Side, ...]:
    """Its values, each with the parties first, then with the votes that a check brought."""
    sides = tuple(
        _side(
            clip(value.text, VALUE),
            (Source(name=said.source, quote=said.quote, is_new=said.independent) for said in value.said),
            holds=value is dispute.holds,
        )
        for value in dispute.values
    )
    return sides or tuple(_summaries(bank.conflicts.all[dispute.conflict_ids[0]], bank))


def _side(value: str, sources: Iterable[Source], *, holds: bool) -> Side:
    return Side(value=value, sources=tuple(sorted(sources, key=lambda source: source.is_new)), holds=holds)


def in_order(sides: Iterable[Side], known: Iterable[Side]) -> tuple[Side, ...]:
    """The sides that were known before first, each in its place."""
    order = {side.value: place for place, side in enumerate(known)}
    return tuple(sorted(sides, key=lambda side: order.get(side.value, len(order))))


def _summaries(conflict: Conflict, bank: MemoryBank) -> Iterator[Side]:
    """Of a conflict without claims: the two memories by topic, each with its documents and what speaks for it."""
    for name, node_id in zip(SIDES, conflict.node_ids, strict=True):
        node = bank.graph.nodes.get(node_id) or next(
            (source for merge in bank.graph.merges.values() for source in merge.sources if source.id == node_id), None
        )
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
    """The sides as they stand before their verdict."""
    return tuple(replace(side, holds=False) for side in sides)
