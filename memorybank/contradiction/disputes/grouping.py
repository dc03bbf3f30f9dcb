"""Conflicts by the matter they are on."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator

from memorybank.contradiction.disputes.dispute import Dispute, Said
from memorybank.contradiction.disputes.gathering import Stating, gathered_dispute, stated_at
from memorybank.contradiction.disputes.points import Point, is_one_dispute, points_of
from memorybank.memory.bank import MemoryBank
from memorybank.memory.types import Claim, Conflict, ConflictId, NodeId


def disputes_of(bank: MemoryBank, about: Collection[ConflictId] | None = None) -> tuple[Dispute, ...]:
    """All disputes of a memory, oldest first. `about`: only those that some of these conflicts are part of."""

    def stating(node_id: NodeId, claim: Claim) -> Iterator[Said]:
        for entry in map(bank.tree.entries.__getitem__, bank.tree.entries_of(node_id)):
            if entry.is_source and (at := stated_at(claim, entry.text)) is not None:
                yield Said(source=entry.source, quote=entry.text[slice(*at)])

    return disputes(bank.conflicts.all.values(), stating, bank.graph.successor, about)


def disputes(
    conflicts: Iterable[Conflict],
    stating: Stating = lambda _node, _claim: (),
    live: Callable[[NodeId], NodeId] = lambda node_id: node_id,
    about: Collection[ConflictId] | None = None,
) -> tuple[Dispute, ...]:
    """Conflicts by the matter they are on, in the order in which the first of each was found.

    `live` maps a node to where it is now (`QueryGraph.successor`). A conflict in several matters is part of several
    disputes.
    """
    points = [point for conflict in conflicts for point in points_of(conflict)]
    groups = sorted(_groups(points, about), key=lambda places: places[0])
    return tuple(gathered_dispute([points[place] for place in places], stating, live) for places in groups)


def _groups(points: list[Point], about: Collection[ConflictId] | None) -> Iterator[list[int]]:
    """Yield the places of the points on one matter, however many lie between two of them."""
    rest = dict(enumerate(points))
    for first, point in enumerate(points):
        if first not in rest or (about is not None and point.conflict.id not in about):
            continue
        group, near = list[int](), [first]
        while near:
            group += near
            met = [rest.pop(place) for place in near]
            near = [place for place, other in rest.items() if any(is_one_dispute(own, other) for own in met)]
        yield sorted(group)
