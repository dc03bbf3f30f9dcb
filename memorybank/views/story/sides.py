"""The sides of a dispute in the order in which they were met, each with its sources: a place never changes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
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
    sides = tuple(
        Side(
            value=clip(value.text, VALUE),
            sources=tuple(Source(name=name) for name in value.sources),
            holds=value is dispute.holds,
        )
        for value in dispute.values
    )
    return sides or tuple(_summaries(bank.conflicts.all[dispute.conflict_ids[0]], bank))


def in_order(sides: Iterable[Side], known: Iterable[Side]) -> tuple[Side, ...]:
    """The sides that were known before first, each in its place."""
    order = {side.value: place for place, side in enumerate(known)}
    return tuple(sorted(sides, key=lambda side: order.get(side.value, len(order))))


def since(sides: Iterable[Side], known: Sequence[Side]) -> tuple[Side, ...]:
    """The same in their places, the sources that were no party before marked and behind the others."""
    parties = {source.name: place for place, source in enumerate(source for side in known for source in side.sources)}

    def marked(side: Side) -> Side:
        sources = (replace(source, is_new=source.name not in parties) for source in side.sources)
        ordered = sorted(sources, key=lambda source: parties.get(source.name, len(parties)))
        return replace(side, sources=tuple(ordered))

    return tuple(map(marked, in_order(sides, known)))


def _summaries(conflict: Conflict, bank: MemoryBank) -> Iterator[Side]:
    """Of a conflict without claims: the two memories by topic, each with its documents and what speaks for it."""
    for name, node_id in zip(SIDES, conflict.node_ids, strict=True):
        node = bank.graph.nodes.get(node_id) or next(
            (source for merge in bank.graph.merges.values() for source in merge.sources if source.id == node_id), None
        )
        heard = [piece.source for piece in conflict.evidence if piece.supports == name and piece.is_said]
        names = dict.fromkeys(heard or bank.tree.sources_of(node_id))
        yield Side(
            value=clip(node.context if node is not None else node_id, VALUE),
            sources=tuple(Source(name=source) for source in names),
            holds=conflict.status.decides and conflict.winner == name,
        )


def undecided(sides: Iterable[Side]) -> tuple[Side, ...]:
    """The sides as they stand before their verdict."""
    return tuple(replace(side, holds=False) for side in sides)
