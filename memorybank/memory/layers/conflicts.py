"""Conflicts: pairs of nodes that contradict each other, each with a life from the finding to the verdict.

A pair that was closed as false alarm or inconclusive, or whose merge a person took back, is not raised again. A merged
node is a new node, so what it says anew can be disputed anew; since every merge makes the graph smaller, nothing loops.
What a check left inconclusive is closed once more when a later verdict on the same values decides it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from itertools import combinations

from memorybank.errors import JournalError
from memorybank.memory.bounds import is_numbered
from memorybank.memory.events import (
    ConflictAttempted,
    ConflictClosed,
    ConflictFound,
    Fact,
    ImageAttempted,
    MemoryImported,
    MergeUndone,
)
from memorybank.memory.types import USER, Conflict, ConflictId, ConflictStatus, ImageId, NodeId

Pair = frozenset[NodeId]


@dataclass(slots=True)
class Conflicts:
    all: dict[ConflictId, Conflict] = field(default_factory=dict)
    settled: set[Pair] = field(default_factory=set)
    """Pairs that may be neither disputed nor merged again."""
    image_attempts: dict[ImageId, int] = field(default_factory=dict)
    """Recognition rounds that brought no text, by image; kept here because it is the same rule: the second ends it."""

    def copy(self) -> Conflicts:
        return Conflicts(dict(self.all), set(self.settled), dict(self.image_attempts))

    # -- reading ------------------------------------------------------------------------------------------------------

    def open(self) -> tuple[Conflict, ...]:
        return tuple(conflict for conflict in self.all.values() if conflict.status is ConflictStatus.OPEN)

    def groups(self, live: Callable[[NodeId], NodeId]) -> tuple[tuple[Conflict, ...], ...]:
        """Open conflicts that share a node, directly or through others, oldest group first.

        `live` maps a node to where it is now (`QueryGraph.successor`).
        """
        groups: list[tuple[set[NodeId], list[Conflict]]] = []
        for conflict in self.open():
            nodes, members = {live(node_id) for node_id in conflict.node_ids}, [conflict]
            rest = []
            for other_nodes, other_members in groups:
                if nodes & other_nodes:
                    nodes |= other_nodes
                    members = [*other_members, *members]
                else:
                    rest.append((other_nodes, other_members))
            groups = [*rest, (nodes, members)]
        ordered = [sorted(members, key=lambda conflict: int(conflict.id[1:])) for _, members in groups]
        return tuple(tuple(members) for members in sorted(ordered, key=lambda members: int(members[0].id[1:])))

    # -- events -------------------------------------------------------------------------------------------------------

    def apply(self, event: Fact) -> None:
        match event:
            case ConflictFound():
                self._add(
                    Conflict(
                        id=event.conflict_id,
                        node_ids=event.node_ids,
                        description=event.description,
                        contradictions=event.contradictions,
                        same_subject=event.same_subject,
                        parties=event.parties,
                    )
                )
            case ConflictAttempted():
                conflict = self._known(event.conflict_id)
                self.all[conflict.id] = replace(conflict, attempts=conflict.attempts + 1)
            case ConflictClosed():
                self._close(event)
            case MergeUndone():
                self._undone(event)
            case ImageAttempted():
                self.image_attempts[event.image_id] = self.image_attempts.get(event.image_id, 0) + 1
            case MemoryImported():
                for conflict in event.conflicts:
                    self._add(conflict)
                    if conflict.status is not ConflictStatus.OPEN and not conflict.status.merges:
                        self.settled.add(frozenset(conflict.node_ids))
            case _:
                pass

    def carry(self, conflict_id: ConflictId, gone: NodeId, home: NodeId) -> None:
        """Put a conflict on another node than the one that is no longer there; a pair that is closed stays closed."""
        conflict = self.all[conflict_id]
        left, right = (home if node_id == gone else node_id for node_id in conflict.node_ids)
        self.all[conflict_id] = replace(conflict, node_ids=(left, right))
        if frozenset(conflict.node_ids) in self.settled:
            self.settled.add(frozenset((left, right)))

    def _add(self, conflict: Conflict) -> None:
        if conflict.id in self.all or not is_numbered(conflict.id, "c"):
            raise JournalError("fold.bad_conflict", id=conflict.id[:20])
        if conflict.node_ids[0] == conflict.node_ids[1]:
            raise JournalError("fold.self_conflict", node=conflict.node_ids[0])
        self.all[conflict.id] = conflict

    def _undone(self, event: MergeUndone) -> None:
        """A person took a merge back: its pairs are closed for good, and their conflicts stand as disputed."""
        restored = set(event.restored)
        self.settled |= {frozenset(pair) for pair in combinations(event.restored, 2)}
        for conflict in self.all.values():
            if conflict.status.merges and set(conflict.node_ids) <= restored:
                self.all[conflict.id] = replace(
                    conflict,
                    status=ConflictStatus.INCONCLUSIVE,
                    winner="",
                    claims=(),
                    closed_by=USER,
                    undone=event.event_id,
                )

    def _known(self, conflict_id: ConflictId) -> Conflict:
        try:
            return self.all[conflict_id]
        except KeyError:
            raise JournalError("fold.unknown_conflict", conflict=conflict_id) from None

    def _close(self, event: ConflictClosed) -> None:
        conflict = self._known(event.conflict_id)
        lifted = conflict.may_be_lifted and event.status.decides
        if conflict.status is not ConflictStatus.OPEN and not lifted:
            raise JournalError("fold.closed_conflict", conflict=event.conflict_id)
        if event.status is ConflictStatus.OPEN:
            raise JournalError("fold.left_open_conflict", conflict=event.conflict_id)
        self.all[conflict.id] = replace(
            conflict,
            status=event.status,
            winner=event.winner,
            value=event.value,
            reason=event.reason,
            closed_by=event.closed_by,
            evidence=event.evidence,
            claims=event.claims,
        )
        if not event.status.merges:
            self.settled.add(frozenset(conflict.node_ids))
        elif lifted:
            self.settled.discard(frozenset(conflict.node_ids))
