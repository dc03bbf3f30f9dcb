"""Conflicts: pairs of nodes that contradict each other, each with a life from the finding to the verdict.

A pair that was closed as false alarm or inconclusive, or that a person told apart, is not raised again. A merged
node is a new node, so what it says anew can be disputed anew; since every merge makes the graph smaller, nothing loops.
What a check left inconclusive is closed once more when a later verdict on the same values decides it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from itertools import combinations

from memorybank.errors import JournalError
from memorybank.memory import events
from memorybank.memory.bounds import is_numbered
from memorybank.memory.layers import Copyable
from memorybank.memory.types import USER, Conflict, ConflictId, ConflictStatus, ImageId, MergeEventId, Node, NodeId

Pair = frozenset[NodeId]


@dataclass(frozen=True, slots=True, kw_only=True)
class ToldApart:
    """Two things that a person told apart, as they were before: taking it back restores them."""

    before: tuple[Conflict, ...]
    """The conflict that they said it of, then the others between the same two nodes."""
    nodes: tuple[Node, ...]
    """The live nodes of both sides, with their checks."""
    merge: MergeEventId | None
    """The merge that was taken back for it."""


@dataclass(slots=True)
class Conflicts(Copyable):
    all: dict[ConflictId, Conflict] = field(default_factory=dict)
    closed: set[Pair] = field(default_factory=set)
    """Pairs whose conflict was closed without a merge."""
    apart: dict[MergeEventId | ConflictId, frozenset[Pair]] = field(default_factory=dict)
    """Pairs that a person told apart, by the merge that they took back or the conflict that they closed."""
    told: dict[ConflictId, ToldApart] = field(default_factory=dict)
    """Conflicts that were closed by it, with what they were."""
    undone: dict[MergeEventId, tuple[Conflict, ...]] = field(default_factory=dict)
    """Maps a merge that was taken back to the conflicts that it had settled, as they were."""
    image_attempts: dict[ImageId, int] = field(default_factory=dict)
    """Recognition rounds that brought no text, by image; kept here because it is the same rule: the second ends it."""

    # -- reading ------------------------------------------------------------------------------------------------------

    @property
    def settled(self) -> set[Pair]:
        """Return the pairs that may be neither disputed nor merged again."""
        return self.closed.union(*self.apart.values())

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

    def apply(self, event: events.Fact) -> None:
        match event:
            case events.ConflictFound():
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
            case events.ConflictAttempted():
                conflict = self._known(event.conflict_id)
                self.all[conflict.id] = replace(conflict, attempts=conflict.attempts + 1)
            case events.ConflictClosed():
                self._close(event)
            case events.MergeUndone():
                self._undone(event)
            case events.MergeRestored():
                del self.apart[event.event_id]
                for before in self.undone.pop(event.event_id):
                    now = self.all[before.id]
                    if now.undone == event.event_id:
                        self.all[before.id] = replace(before, node_ids=now.node_ids)
            case events.ConflictRestored():
                self._take_back(event)
            case events.ImageAttempted():
                self.image_attempts[event.image_id] = self.image_attempts.get(event.image_id, 0) + 1
            case events.MemoryImported():
                for merge in event.merge_events:
                    if merge.undone:
                        self.apart[merge.id] = frozenset(map(frozenset, combinations(merge.merged_node_ids, 2)))
                for conflict in event.conflicts:
                    self._add(conflict)
                    if conflict.status is not ConflictStatus.OPEN and not conflict.status.merges:
                        self.closed.add(frozenset(conflict.node_ids))

    def carry(self, conflict_id: ConflictId, gone: NodeId, home: NodeId) -> None:
        """Put a conflict on another node than the one that is no longer there; a pair that is closed stays closed."""
        conflict = self.all[conflict_id]
        left, right = (home if node_id == gone else node_id for node_id in conflict.node_ids)
        self.all[conflict_id] = replace(conflict, node_ids=(left, right))
        if frozenset(conflict.node_ids) in self.closed:
            self.closed.add(frozenset((left, right)))

    def tell_apart(self, event: events.ConflictToldApart, nodes: tuple[Node, ...]) -> None:
        """Close conflicts, whatever they were, as such about different things."""
        told = ToldApart(before=tuple(map(self._known, event.conflict_ids)), nodes=nodes, merge=event.merge)
        self.apart[event.conflict_ids[0]] = frozenset(frozenset(before.node_ids) for before in told.before)
        for before in told.before:
            if before.id in self.told:
                raise JournalError("fold.closed_conflict", conflict=before.id)
            self.told[before.id] = told
            self.all[before.id] = replace(
                before,
                status=ConflictStatus.FALSE_ALARM,
                winner="",
                value="",
                claims=(),
                reason=event.reason,
                closed_by=event.closed_by,
                undone="",
            )

    def _take_back(self, event: events.ConflictRestored) -> None:
        told = self.told.get(event.conflict_ids[0])
        if told is None or event.conflict_ids != tuple(before.id for before in told.before):
            raise JournalError("fold.not_told_apart", conflict=event.conflict_ids[0])
        del self.apart[event.conflict_ids[0]]
        for before in told.before:
            del self.told[before.id]
            self.all[before.id] = replace(before, node_ids=self.all[before.id].node_ids)

    def _add(self, conflict: Conflict) -> None:
        if conflict.id in self.all or not is_numbered(conflict.id, "c"):
            raise JournalError("fold.bad_conflict", id=conflict.id[:20])
        if conflict.node_ids[0] == conflict.node_ids[1]:
            raise JournalError("fold.self_conflict", node=conflict.node_ids[0])
        self.all[conflict.id] = conflict

    def _undone(self, event: events.MergeUndone) -> None:
        """Tell the pairs of a merge that a person took back apart, and let their conflicts stand as disputed.

        Of a split those with a node that came off. Who was told apart from the merged node is so from each source.
        """
        restored, off = set(event.restored), set(event.split or event.restored)
        self.apart = {
            reason: pairs.union(
                frozenset((source, *pair - {event.new_node_id}))
                for pair in pairs
                if event.new_node_id in pair
                for source in event.restored
            )
            for reason, pairs in self.apart.items()
        }
        self.apart[event.event_id] = frozenset(
            frozenset(pair) for pair in combinations(event.restored, 2) if off & set(pair)
        )
        self.undone[event.event_id] = tuple(
            conflict
            for conflict in self.all.values()
            if conflict.status.merges and set(conflict.node_ids) <= restored and off & set(conflict.node_ids)
        )
        for conflict in self.undone[event.event_id]:
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

    def _close(self, event: events.ConflictClosed) -> None:
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
            self.closed.add(frozenset(conflict.node_ids))
        elif lifted:
            self.closed.discard(frozenset(conflict.node_ids))
