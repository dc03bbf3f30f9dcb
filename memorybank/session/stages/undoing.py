"""The undoing of what joins nodes: of a merge, of one node in it, or of "these are one thing"; and of that undoing.

Each is one commit. Nothing is asked of an agent but what the nodes become that stay together after a split.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator
from dataclasses import replace

from memorybank.errors import InputError, MergeUndoError, Notice
from memorybank.memory import events
from memorybank.memory.layers.query_graph import Merge
from memorybank.memory.state import Draft, MemoryState
from memorybank.memory.types import Check, Conflict, ConflictId, ConflictStatus, MergeEventId, Node, NodeId
from memorybank.session.checks import carried
from memorybank.session.effects import Failed
from memorybank.session.stages.base import StageEffects
from memorybank.session.stages.resolving import integrate_settled
from memorybank.session.stages.uniting import Rewrites, unite

AskDoor = Callable[[], StageEffects]
"""Opens the door to the agents; a whole undo needs none, and neither does a run that is opened without a model."""

# -- merges -----------------------------------------------------------------------------------------------------------


def undo(draft: Draft, event_id: MergeEventId, node_id: str, door: AskDoor) -> events.MergeUndone:
    """Take a merge back, or split one node off it. Raises MergeUndoError, naming what stands in the way."""
    merge = draft.state.graph.merges.get(event_id)
    if merge is None:
        is_undone = (known := draft.state.tree.merge_events.get(event_id)) is not None and known.undone
        standing = ", ".join(draft.state.graph.merges) or Notice("text.none")
        code = "merge.undone_already" if is_undone else "merge.cannot_be_undone"
        raise MergeUndoError(code, event=event_id, merges=standing)
    sources = tuple(source.id for source in merge.sources)
    if node_id and node_id not in sources:
        raise MergeUndoError("merge.no_source", event=event_id, node=node_id, sources=", ".join(sources))
    rest = tuple(source for source in sources if source != node_id)
    split = (NodeId(node_id),) if node_id and len(rest) > 1 else ()
    merged = draft.state.graph.nodes.get(merge.new_node_id)
    undone = events.MergeUndone(event_id=event_id, new_node_id=merge.new_node_id, restored=sources, split=split)
    was_fresh = merge.new_node_id in draft.state.progress.fresh
    draft.emit(undone)  # raises when a later merge stands on it, before anything is asked or written
    assert merged is not None, "a merged node that is not live carries a later merge"
    if split:
        live = (*split, _unite_rest(draft, merge, rest, was_fresh, door()))
    _carry_checks(draft, [merged], live if split else sources, but=event_id)
    return undone


def _unite_rest(draft: Draft, merge: Merge, rest: tuple[NodeId, ...], was_fresh: bool, fx: StageEffects) -> NodeId:
    """Unite anew those that stay together, so that their node says nothing that only the split one said."""
    integrations, trigger = integrate_settled(draft, fx, rest)
    (answer,) = (integration.answer for integration in integrations)
    if isinstance(answer, Failed):
        raise MergeUndoError("merge.rest_not_united", event=merge.event_id, reason=answer.error)
    rewrites = Rewrites(draft)
    unite(draft, fx, integrations, trigger=trigger, rewrites=rewrites, rest_of=merge.event_id)
    rewrites.emit(fx.embedder)
    united = draft.state.graph.successor(rest[0])
    if was_fresh:
        draft.emit(events.FilingQueued(spans=(), node_ids=(united,)))
    return united


def restore(draft: Draft, event_id: MergeEventId) -> events.MergeRestored:
    """Let a merge stand again that was taken back, or split. Raises MergeUndoError, naming what stands in the way."""
    graph, conflicts = draft.state.graph, draft.state.conflicts
    undone = graph.undone.get(event_id)
    if undone is None:
        raise MergeUndoError(
            "merge.not_taken_back", event=event_id, merges=", ".join(graph.undone) or Notice("text.none")
        )
    sources = set(undone.sources)
    for told, pairs in conflicts.apart.items():
        within = ({_within(draft.state, node_id, sources) for node_id in pair} for pair in pairs)
        if told != event_id and any(len(pair) == 2 and pair <= sources for pair in within):
            raise MergeUndoError("merge.told_apart", event=event_id, by=told)
    moved = [node_id for node_id in undone.sources if node_id not in graph.nodes]
    if went := next((node_id for node_id in moved if node_id not in graph.gone), None):
        earlier = next(one.id for one in draft.state.tree.merge_events.values() if one.new_node_id == went)
        raise MergeUndoError("merge.source_undone", event=event_id, node=went, earlier=earlier)
    rest = graph.merge_of(moved[0]) if moved else None
    united = {source.id for source in rest.sources} if rest else set()
    if rest and (set(moved) != united or rest.new_node_id in graph.gone):
        later = graph.merge_above(rest.event_id) or rest
        raise MergeUndoError("merge.source_moved", event=event_id, node=moved[0], later=later.event_id)
    inside = {*sources, rest.new_node_id} if rest else sources
    for conflict in conflicts.open():
        if {graph.successor(node_id) for node_id in conflict.node_ids} <= inside:
            raise MergeUndoError("merge.under_validation", event=event_id, conflict=conflict.id)
    restored = events.MergeRestored(
        event_id=event_id,
        new_node_id=undone.node.id,
        merged_node_ids=undone.sources,
        rest=rest.event_id if rest else None,
        rest_node_id=rest.new_node_id if rest else None,
    )
    learnt = [graph.nodes[rest.new_node_id]] if rest else []
    draft.emit(restored)
    _carry_checks(draft, [*draft.state.graph.merges[event_id].sources, *learnt], [undone.node.id], but=event_id)
    return restored


def _carry_checks(draft: Draft, gone: Iterable[Node], to: Iterable[NodeId], *, but: MergeEventId) -> None:
    """Give nodes the checks of those in whose place they are, of conflicts of theirs that stand.

    What only the merge that was taken back had settled, and what a person told apart, is none of them.
    """
    bank = draft.state
    for node_id in to:
        node = bank.graph.nodes[node_id]
        known = {(check.conflict_id, check.point) for check in node.checks}
        checks: dict[tuple[ConflictId, int], Check] = {}
        for check in (check for other in gone for check in carried(other, node.summary)):
            conflict = bank.conflicts.all[check.conflict_id]
            own = node_id in map(bank.graph.successor, conflict.node_ids)
            if own and conflict.undone != but and conflict.id not in bank.conflicts.told:
                checks.setdefault((check.conflict_id, check.point), check)
        if news := tuple(check for key, check in checks.items() if key not in known):
            draft.emit(events.NodeChecked(node_id=node_id, checks=news))


# -- conflicts --------------------------------------------------------------------------------------------------------


def tell_apart(draft: Draft, conflict_id: ConflictId, reason: str, by: str, door: AskDoor) -> None:
    """Close a conflict as one about different things: what it had refuted stands, what it had united parts.

    Where the merge had more sources, the side that lost comes off, of two that lost both the newer one. Every other
    conflict between the same two goes with it. Raises InputError where it was told apart already, and MergeUndoError
    where the merge cannot be taken back.
    """
    bank = draft.state
    conflict = _known(bank, conflict_id)
    if conflict_id in bank.conflicts.told:
        raise InputError("conflict.told_apart_already", name=conflict_id)
    # The merge in which the two sides became one; None where they are apart.
    left, right = (list(_ways(bank, node_id)) for node_id in conflict.node_ids)
    met = next((node_id for node_id in left[1:] if node_id in right[1:]), None)
    merge = next((one for one in bank.tree.merge_events.values() if one.new_node_id == met and not one.undone), None)
    sources = set(merge.merged_node_ids if merge else bank.graph.nodes)
    sides = tuple(_within(bank, node_id, sources) for node_id in conflict.node_ids)
    off = sides[0] if conflict.winner == "right" else sides[1]
    others = sources - {off} if merge else set(sides) - {off}
    along = [other for other in bank.conflicts.all.values() if other.id not in bank.conflicts.told]
    between = [
        other.id
        for other in along
        if (pair := {_within(bank, node_id, sources) for node_id in other.node_ids}) & others and pair - others == {off}
    ]
    draft.emit(
        events.ConflictToldApart(
            conflict_ids=tuple(dict.fromkeys((conflict_id, *between))),
            reason=reason,
            closed_by=by,
            merge=merge.id if merge else None,
        )
    )
    if merge:
        undo(draft, merge.id, off, door)
    told = draft.state.conflicts.told
    for node_id in dict.fromkeys(map(draft.state.graph.successor, conflict.node_ids)):
        checks = tuple(
            replace(check, state=ConflictStatus.FALSE_ALARM, winner="", holds="", refuted=())
            for check in draft.state.graph.nodes[node_id].checks
            if check.conflict_id in told
        )
        if checks:
            draft.emit(events.NodeChecked(node_id=node_id, checks=checks))


def take_back(draft: Draft, conflict_id: ConflictId) -> None:
    """Let two nodes be about one thing after all: their conflicts are as before, with their checks and their merge."""
    conflicts, graph = draft.state.conflicts, draft.state.graph
    _known(draft.state, conflict_id)
    told = conflicts.told.get(conflict_id)
    if told is None:
        known = ", ".join(conflicts.told) or Notice("text.none")
        raise InputError("conflict.not_told_apart", name=conflict_id, known=known)
    ids = tuple(before.id for before in told.before)
    draft.emit(events.ConflictRestored(conflict_ids=ids))
    if told.merge is not None:
        restore(draft, told.merge)
    for was in told.nodes:
        node = graph.nodes.get(graph.successor(was.id))
        if node is None:
            continue
        own = replace(was, checks=tuple(check for check in was.checks if check.conflict_id in ids))
        checks = own.checks if node.summary == was.summary else tuple(carried(own, node.summary))
        if any(check not in node.checks for check in checks):
            draft.emit(events.NodeChecked(node_id=node.id, checks=checks))


def _known(bank: MemoryState, conflict_id: ConflictId) -> Conflict:
    conflict = bank.conflicts.all.get(conflict_id)
    if conflict is None:
        known = ", ".join(bank.conflicts.all) or Notice("text.none")
        raise InputError("conflict.unknown", name=conflict_id, known=known)
    return conflict


def _ways(bank: MemoryState, node_id: NodeId) -> Iterator[NodeId]:
    """Yield the node, and what it became, merge by merge."""
    yield node_id
    while node_id in bank.graph.gone:
        node_id = bank.graph.gone[node_id]
        yield node_id


def _within(bank: MemoryState, node_id: NodeId, nodes: Container[NodeId]) -> NodeId:
    """Return what a node has become among these; itself where none of them holds it."""
    return next((way for way in _ways(bank, node_id) if way in nodes), node_id)
