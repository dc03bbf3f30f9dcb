"""Conflicts by the matter they are on."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator

from memorybank.contradiction.disputes.dispute import Dispute, Said
from memorybank.contradiction.disputes.gathering import Stating, gathered_dispute, stated_at
from memorybank.contradiction.disputes.points import Point, is_one_dispute, is_one_thing, points_of, same_words
from memorybank.contradiction.entity_names import same_name
from memorybank.contradiction.same_value import same_value
from memorybank.memory.bank import MemoryBank
from memorybank.memory.types import Claim, Conflict, ConflictId, NodeId


def disputes_of(bank: MemoryBank, about: Collection[ConflictId] | None = None) -> tuple[Dispute, ...]:
    """All disputes of a memory, oldest first. `about`: only those that some of these conflicts are part of."""

    def stating(node_id: NodeId, claim: Claim) -> Iterator[Said]:
        for entry in map(bank.tree.entries.__getitem__, bank.tree.entries_of(node_id)):
            if entry.is_source and (at := stated_at(claim, entry.text)) is not None:
                yield Said(source=entry.source, quote=entry.text[slice(*at)])

    conflicts = bank.conflicts.all.values()
    if about is None:
        return disputes(conflicts, stating, bank.graph.successor)
    joined = disputes(_joined(conflicts, about), stating, bank.graph.successor)
    return tuple(dispute for dispute in joined if not set(about).isdisjoint(dispute.conflict_ids))


def _joined(conflicts: Iterable[Conflict], about: Collection[ConflictId]) -> list[Conflict]:
    """These conflicts and those that share a dispute with them, however many lie between, in their order."""
    far = {conflict.id: (conflict, points_of(conflict)) for conflict in conflicts}
    order = list(far)
    joined = {conflict_id: far.pop(conflict_id) for conflict_id in about}
    near = list(joined)
    while near:
        points = [point for conflict_id in near for point in joined[conflict_id][1]]
        near = [
            conflict_id
            for conflict_id, (_, own) in far.items()
            if any(is_one_dispute(point, near_point) for point in own for near_point in points)
        ]
        joined.update((conflict_id, far.pop(conflict_id)) for conflict_id in near)
    return [joined[conflict_id][0] for conflict_id in order if conflict_id in joined]


def disputes(
    conflicts: Iterable[Conflict],
    stating: Stating = lambda _node, _claim: (),
    live: Callable[[NodeId], NodeId] = lambda node_id: node_id,
) -> tuple[Dispute, ...]:
    """Conflicts by the matter they are on, in the order in which the first of each was found.

    `live` maps a node to where it is now (`QueryGraph.successor`).

    A conflict in several matters is part of several disputes.
    """
    groups: list[list[Point]] = []
    for point in (point for conflict in conflicts for point in points_of(conflict)):
        joined = [group for group in groups if any(is_one_dispute(point, other) for other in group)]
        if not joined:
            groups.append([point])
            continue
        joined[0].append(point)
        for other in joined[1:]:
            joined[0].extend(other)
            groups.remove(other)
    return tuple(gathered_dispute(group, stating, live) for group in groups)


def on_one_matter(left: Conflict, right: Conflict) -> bool:
    """Whether two conflicts are each on one matter, and it is the same two values of one thing."""
    points = *points_of(left), *points_of(right)
    return len(points) == 2 and is_one_thing(*points) and points[0].has_values_of(points[1])


def is_same(left: Dispute, right: Dispute) -> bool:
    """Whether two runs' disputes are one: a statement in both, or the same value of the same thing."""
    if not left.claims or not right.claims:
        return left.description == right.description
    if not {claim.text for claim in left.claims}.isdisjoint(claim.text for claim in right.claims):
        return True
    return same_name(left.entity, right.entity) and any(
        same_words(first.attribute, second.attribute) and same_value(first, second)
        for first in left.claims
        for second in right.claims
    )


def on_one_thing(left: Conflict, right: Conflict) -> bool:
    """Whether two conflicts are on an attribute of one entity, whatever the values."""
    return any(is_one_thing(first, second) for first in points_of(left) for second in points_of(right))
