"""resolve: a cross-validation's verdicts become memory (final specification, section 4.4).

Every pair of a round gets its own verdict. Pairs closed as resolved or both_wrong merge (connected components, one
integration each); false alarms stay apart and are linked; inconclusive pairs stay apart and are marked as disputed. Nor
does a third node unite a pair that stays apart: of its merges then only the better founded one takes place. A verdict
and its merge are one commit: where no merge can take place, or the sides are about different subjects, the conflict is
closed as checked. Either way the nodes carry what was found as checks; no summary is changed by it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from memorybank.contradiction.votes import SourcePassage, checked, speaking, unproven
from memorybank.language.quotation import names, place
from memorybank.language.text import fold_space, sha256
from memorybank.memory import events
from memorybank.memory.contracts import PairVerdict, StatedVerdict
from memorybank.memory.state import Draft, MemoryState
from memorybank.memory.types import (
    SIDES,
    ClaimVerdict,
    Conflict,
    ConflictId,
    ConflictStatus,
    Contradiction,
    Entry,
    Evidence,
    Lang,
    NodeId,
    Side,
    Span,
    Task,
    TaskType,
)
from memorybank.prompts import say
from memorybank.session.checks import RuledPoint, followed, marks_of, ruled_points, what_holds
from memorybank.session.effects import Failed
from memorybank.session.stages.base import StageEffects
from memorybank.session.stages.executing import brief, documents
from memorybank.session.stages.standing_verdicts import standing_verdicts
from memorybank.session.stages.uniting import Integration, Rewrites, components, integrate, unite

Closing = list[tuple[Conflict, StatedVerdict]]


def resolve(state: MemoryState, fx: StageEffects) -> list[events.Fact]:
    task, executed = state.doc.current_task, state.progress.executed
    assert task is not None, "resolve runs only after intercept (memory/layers/progress.py)"
    assert executed is not None, "resolve runs only after intercept (memory/layers/progress.py)"
    draft = Draft.of(state, fx.now)
    stated = {verdict.conflict: verdict for verdict in executed.verdicts}
    known = documents(state)
    weighed = [
        (conflict, _weighed(conflict, stated[conflict.id], state, known, executed, fx.lang))
        for conflict in state.conflicts.open()
        if conflict.id in stated
    ]
    closing = [
        (conflict, verdict)
        for conflict, verdict in weighed  # one that was not asked for counts when it is proven
        if conflict.id in task.conflict_ids or verdict.status is not ConflictStatus.INCONCLUSIVE
    ]
    apply_verdicts(draft, fx, closing, executed)
    if not closing:
        draft.emit(events.ValidationApplied(conflict_ids=()))
    apply_verdicts(draft, fx, standing_verdicts(draft.state, fx.lang), executed)
    return draft.facts


def apply_verdicts(draft: Draft, fx: StageEffects, closing: Closing, executed: events.TaskExecuted) -> None:
    """Close these conflicts and bring what holds into the memory, in one commit."""
    if not closing:
        return
    closing = [(conflict, _with_entries(draft.state, verdict)) for conflict, verdict in closing]
    settling = _settle(draft.state, closing, whole_group=fx.settings.merge_after_verdict == "group")
    integrations = _integrate(draft, fx, settling, executed.answer)
    # Verdicts without a merge: of a group that could not be integrated, and of a pair that may not unite.
    merged = [set(integration.group) for integration in integrations if not isinstance(integration.answer, Failed)]
    apart = [
        entry for entry in settling.deciding if not any(set(settling.pairs[entry[0].id]) <= group for group in merged)
    ]
    transcript = draft.state.tree.entries[executed.transcript]
    read = [Span(entry_id=transcript.id, start=0, end=len(transcript.text))]
    for conflict, verdict in closing:
        _close(draft, conflict, verdict, executed.executor, read, merged=(conflict, verdict) not in apart)
    rewrites = Rewrites(draft)
    failed = unite(draft, fx, integrations, trigger="conflict", rewrites=rewrites)
    _link_left_apart(draft, fx, closing, apart)
    rewrites.emit(fx.embedder)
    _mark(draft, closing, apart)
    draft.emit(events.ValidationApplied(conflict_ids=tuple(conflict.id for conflict, _ in closing), failed=failed))
    unite_waiting(draft, fx)


def _mark(draft: Draft, closing: Closing, apart: Closing) -> None:
    """Give the nodes of these conflicts, wherever they are now, what was found on each point."""
    on_node: dict[NodeId, list[tuple[RuledPoint, Sequence[Side]]]] = {}
    for conflict, verdict in closing:
        live = _live_nodes(draft.state, conflict)
        for point in ruled_points(conflict, verdict, apart=(conflict, verdict) in apart):
            for node_id in dict.fromkeys(live):
                sides = [side for side, other in zip(SIDES, live, strict=True) if other == node_id]
                on_node.setdefault(node_id, []).append((point, sides))
    instead = what_holds(point for points in on_node.values() for point, _ in points)
    for node_id, points in on_node.items():
        node = draft.state.graph.nodes[node_id]
        checks = tuple(followed(point.on(node, sides), instead) for point, sides in points)
        draft.emit(events.NodeChecked(node_id=node_id, checks=checks))


def state_verdict(draft: Draft, verdict: StatedVerdict, by: str, lang: Lang) -> None:
    """Record a person's (or an outside agent's) verdict as the round that would have found it."""
    conflict = draft.state.conflicts.all[verdict.conflict]
    description = say("task_validate", lang, description=conflict.description)
    task = Task(type=TaskType.CROSS_VALIDATE, description=description, conflict_ids=(conflict.id,))
    reasoning = say("stated_verdict", lang, by=by)
    answer = verdict.reasoning or verdict.value or verdict.status.value
    text = "\n".join([reasoning, f"{conflict.id}: {verdict.status.value} {verdict.winner}".strip(), answer])
    entry = Entry(id=draft.new_entry(), kind="transcript", text=text, source=by, sha256=sha256(text))
    draft.emit(
        events.PlanUpdated(next_task=task, reasoning=reasoning),
        events.EntryRecorded(entry=entry),
        events.TaskExecuted(
            executor=by, answer=answer, transcript=entry.id, quotes_only=True, stated=True, verdicts=(verdict,)
        ),
        events.ContextIntercepted(route="cross_validate"),
    )


def _weighed(
    conflict: Conflict,
    verdict: StatedVerdict,
    state: MemoryState,
    known: Sequence[SourcePassage],
    executed: events.TaskExecuted,
    lang: Lang,
) -> StatedVerdict:
    """Check a verdict's evidence. What of it is not proven, or not said, is inconclusive, and its reason
    begins with why."""
    sources, points = [*brief(state, conflict).parties, *known], len(conflict.contradictions)
    verdict = verdict.model_copy(update={"evidence": checked(verdict.evidence, sources)})
    if executed.stated:
        return verdict
    lacking = unproven(verdict, lang)
    ruled_on = {claim.contradiction for claim in verdict.claims} or set(range(points))
    missing = ", ".join(f"[{number}]" for number in range(points) if number not in ruled_on and points > 1)
    unruled = say("points_missing", lang, id=verdict.conflict, numbers=missing) if missing else ""
    reasons = [*(reason for _, reason in lacking), unruled]
    reasoning = "\n".join(reason for reason in (*reasons, verdict.reasoning) if reason)
    if not lacking:
        return verdict.model_copy(update={"reasoning": reasoning})
    left_open = {ruled.contradiction for ruled, _ in lacking if isinstance(ruled, ClaimVerdict)}
    return StatedVerdict(
        conflict=verdict.conflict,
        status=ConflictStatus.INCONCLUSIVE,
        reasoning=reasoning,
        evidence=verdict.evidence,
        claims=tuple(
            ClaimVerdict(contradiction=claim.contradiction, status=ConflictStatus.INCONCLUSIVE)
            if claim.contradiction in left_open
            else claim
            for claim in verdict.claims
        ),
    )


def close_corrected(draft: Draft, fx: StageEffects) -> None:
    """Close the conflicts in which one side corrects the other: it says itself what holds, and nothing is checked."""
    closing = [
        (conflict, _with_entries(draft.state, _correction(conflict, fx.lang)))
        for conflict in draft.state.conflicts.all.values()
        if conflict.status is ConflictStatus.OPEN
        and {pair.newer for pair in conflict.contradictions} in ({"left"}, {"right"})
    ]
    for conflict, verdict in closing:
        _close(draft, conflict, verdict, fx.executor.name, (), merged=False)
    _link_left_apart(draft, fx, closing, closing)
    _mark(draft, closing, closing)


def _correction(conflict: Conflict, lang: Lang) -> StatedVerdict:
    """Return the statement of the side that corrects, as the verdict on each point."""
    assert conflict.parties is not None, "written with every conflict that an engine finds"
    winner = conflict.contradictions[0].newer
    sources = conflict.parties.left if winner == "left" else conflict.parties.right
    claims = [pair.left if winner == "left" else pair.right for pair in conflict.contradictions]
    source = next(iter(sources), "")
    return StatedVerdict(
        conflict=conflict.id,
        status=ConflictStatus.RESOLVED,
        winner=winner,
        value=claims[0].value,
        reasoning=say("verdict_corrected", lang, quote=claims[0].text, source=source),
        evidence=tuple(
            Evidence(
                source=source, quote=claim.text, supports=winner, value=claim.value, independent=False,
                contradictions=(place,),
            )
            for place, claim in enumerate(claims)
            if winner
        ),
        claims=tuple(
            ClaimVerdict(contradiction=place, status=ConflictStatus.RESOLVED, winner=winner, value=claim.value)
            for place, claim in enumerate(claims)
        ),
    )  # fmt: skip


def _close(
    draft: Draft, conflict: Conflict, verdict: StatedVerdict, by: str, read: Sequence[Span], *, merged: bool
) -> None:
    """Closes a conflict with its merge, which comes in the same commit; without a merge it is closed as checked.

    `read`: what the verdict stands on besides its evidence.
    """
    spans = list(read)
    for item in verdict.evidence:
        if item.entry_id is not None and not item.refused:
            at = place(draft.state.tree.entries[item.entry_id].text, item.quote)
            spans += [Span(entry_id=item.entry_id, start=at[0], end=at[1])] if at else []
    draft.emit(
        events.ConflictClosed(
            conflict_id=conflict.id,
            status=ConflictStatus.CHECKED if verdict.status.merges and not merged else verdict.status,
            reason=verdict.reasoning,
            closed_by=by,
            winner=verdict.winner,
            value=verdict.value,
            evidence=verdict.evidence,
            claims=verdict.claims,
            spans=tuple(dict.fromkeys(spans)),
        )
    )


def _with_entries(state: MemoryState, verdict: StatedVerdict) -> StatedVerdict:
    return verdict.model_copy(update={"evidence": tuple(_with_entry(state, item) for item in verdict.evidence)})


def _with_entry(state: MemoryState, evidence: Evidence) -> Evidence:
    """Adds to the evidence the newest entry of its source that has the quote: the round has just read it."""
    own = [
        entry
        for entry in reversed(state.tree.entries.values())
        if entry.source == evidence.source and entry.kind != "transcript"
    ]
    home = next((entry for entry in own if place(entry.text, evidence.quote)), own[0] if own else None)
    return replace(evidence, entry_id=home.id) if home else evidence


# -- merging ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class _Settling:
    """The groups of nodes that the verdicts of a round would unite."""

    deciding: Closing
    """Conflicts with a verdict that says what holds, the better founded first."""
    pairs: dict[ConflictId, tuple[NodeId, NodeId]]
    """The live nodes of both sides, by conflict."""
    groups: list[tuple[NodeId, ...]]


def _settle(state: MemoryState, closing: Closing, *, whole_group: bool) -> _Settling:
    """Return which nodes unite: those about one subject, or all that the verdicts connect."""

    def votes(verdict: StatedVerdict) -> int:
        return len({piece.source for piece in speaking(verdict, verdict.evidence) if piece.independent})

    deciding = sorted((entry for entry in closing if entry[1].status.merges), key=lambda entry: -votes(entry[1]))
    pairs = {conflict.id: _live_nodes(state, conflict) for conflict, _ in deciding}
    apart = _pairs_kept_apart(state, closing)
    uniting = mergeable((pairs[conflict.id] for conflict, _ in deciding if whole_group or conflict.same_subject), apart)
    uniting = mergeable((*uniting, *_same_as(state, uniting, closing)), apart)
    return _Settling(deciding=deciding, pairs=pairs, groups=components(uniting))


def _same_as(
    state: MemoryState, uniting: Iterable[tuple[NodeId, NodeId]], closing: Closing
) -> Iterator[tuple[NodeId, NodeId]]:
    """Yield the pairs that were judged the same while a side of a conflict was one of them, where that side unites now:
    they go into its union. Not where a check refuted what one of them says, or one is in another open conflict."""
    nodes, united = state.graph.nodes, {node_id for pair in uniting for node_id in pair}
    closed = {conflict.id for conflict, _ in closing}
    held_back = {
        node_id for other in state.conflicts.open() if other.id not in closed for node_id in _live_nodes(state, other)
    }
    for conflict, verdict in closing:
        sides = dict(zip(SIDES, _live_nodes(state, conflict), strict=True))
        held_back |= {
            sides[side] for point in ruled_points(conflict, verdict, apart=False) for side, _ in point.lost if side
        }
    held_back |= {node.id for node in nodes.values() if marks_of(node)}
    for pair in state.graph.same:
        left, right = sorted(pair)
        if pair & united and pair <= nodes.keys() - held_back and pair not in state.conflicts.settled:
            yield left, right


def _integrate(draft: Draft, fx: StageEffects, settling: _Settling, report: str) -> list[Integration]:
    verdicts = [tuple(_verdicts_in(group, settling)) for group in settling.groups]
    return integrate(draft, fx, settling.groups, trigger="conflict", verdicts=verdicts, validation_result=report)


def integrate_settled(
    draft: Draft, fx: StageEffects, group: tuple[NodeId, ...]
) -> tuple[list[Integration], Literal["merge", "conflict"]]:
    """Ask anew what nodes become that were one already, by the verdicts on the conflicts between them."""
    deciding = [
        (
            conflict,
            StatedVerdict(
                conflict=conflict.id,
                status=conflict.status,
                winner=conflict.winner,
                value=conflict.value,
                reasoning=conflict.reason,
                evidence=conflict.evidence,
                claims=conflict.claims,
            ),
        )
        for conflict in draft.state.conflicts.all.values()
        if conflict.status.merges and set(_live_nodes(draft.state, conflict)) <= set(group)
    ]
    if not deciding:
        return integrate(draft, fx, [group], trigger="merge"), "merge"
    pairs = {conflict.id: _live_nodes(draft.state, conflict) for conflict, _ in deciding}
    return _integrate(draft, fx, _Settling(deciding=deciding, pairs=pairs, groups=[group]), ""), "conflict"


def _live_nodes(state: MemoryState, conflict: Conflict) -> tuple[NodeId, NodeId]:
    live = state.graph.successor
    return live(conflict.node_ids[0]), live(conflict.node_ids[1])


def _pairs_kept_apart(state: MemoryState, closing: Closing) -> set[frozenset[NodeId]]:
    """Return the pairs that a check, in this round or an earlier one, or a person left apart."""
    apart = (ConflictStatus.INCONCLUSIVE, ConflictStatus.FALSE_ALARM)
    statuses = {conflict.id: conflict.status for conflict in state.conflicts.all.values()}
    statuses |= {conflict.id: verdict.status for conflict, verdict in closing}
    closed = (state.conflicts.all[conflict_id] for conflict_id, status in statuses.items() if status in apart)
    pairs = [frozenset(_live_nodes(state, conflict)) for conflict in closed]
    return {pair for pair in pairs if len(pair) == 2} | state.told_apart()


def unite_waiting(draft: Draft, fx: StageEffects) -> None:
    """Unite the nodes that were judged the same while one of them was in a conflict, now that none of them is.

    They are compared anew where a check refuted what one of them says; so is a node that one has become since
    (analyse.py).
    """
    state = draft.state
    busy, nodes = state.under_validation(), state.graph.nodes
    waiting = [
        (left, right)
        for left, right in (sorted(pair) for pair in state.graph.same if pair not in state.conflicts.settled)
        if left in nodes and right in nodes and not {left, right} & busy
    ]
    refuted = {node_id for pair in waiting for node_id in pair if marks_of(nodes[node_id])}
    again = dict.fromkeys(min(pair, key=refuted.__contains__) for pair in waiting if refuted & {*pair})
    if compared := tuple(node_id for node_id in again if node_id not in state.progress.fresh):
        draft.emit(events.FilingQueued(spans=(), node_ids=compared))
    free = [pair for pair in waiting if not refuted & {*pair}]
    groups = components(mergeable(free, _pairs_kept_apart(state, [])))
    rewrites = Rewrites(draft)
    failed = unite(draft, fx, integrate(draft, fx, groups, trigger="merge"), trigger="merge", rewrites=rewrites)
    rewrites.emit(fx.embedder)
    if failed:
        draft.emit(events.NodesAnalysed(node_ids=(), failed=failed))


def mergeable(merging: Iterable[tuple[NodeId, NodeId]], apart: set[frozenset[NodeId]]) -> list[tuple[NodeId, NodeId]]:
    """Selects the pairs that may merge: none through which two nodes that were left apart would become one."""
    members: dict[NodeId, frozenset[NodeId]] = {}
    united: list[tuple[NodeId, NodeId]] = []
    for left, right in merging:
        if left == right:
            continue
        group = members.get(left, frozenset((left,))) | members.get(right, frozenset((right,)))
        if not any(pair <= group for pair in apart):
            united.append((left, right))
            members.update(dict.fromkeys(group, group))
    return united


def _verdicts_in(group: tuple[NodeId, ...], settling: _Settling) -> Iterable[PairVerdict]:
    for conflict, verdict in settling.deciding:
        left, right = settling.pairs[conflict.id]
        if left not in group or right not in group:
            continue
        for ruled, contradictions in _rulings_by_contradiction(verdict, conflict.contradictions):
            saying = speaking(ruled, verdict.evidence)
            quotes = (fold_space(piece.quote) for piece in saying)
            yield PairVerdict(
                left=group.index(left),
                right=group.index(right),
                status=ruled.status,
                winner=ruled.winner,
                value=ruled.value,
                reasoning=verdict.reasoning,
                contradictions=contradictions,
                conflict=conflict.id,
                quote=next((quote for quote in quotes if names(quote, ruled.value)), ""),
                sources=tuple(dict.fromkeys(piece.source for piece in saying)),
            )


def _rulings_by_contradiction(
    verdict: StatedVerdict, contradictions: tuple[Contradiction, ...]
) -> Iterable[tuple[StatedVerdict | ClaimVerdict, tuple[Contradiction, ...]]]:
    """Pairs each ruling with its contradictions: one ruling on all of them, or one for each that was ruled."""
    if not verdict.claims:
        yield verdict, contradictions
    for ruling in verdict.claims:
        if ruling.status.merges and ruling.contradiction < max(1, len(contradictions)):
            yield ruling, contradictions[ruling.contradiction : ruling.contradiction + 1]


def _link_left_apart(draft: Draft, fx: StageEffects, closing: Closing, apart: Closing) -> None:
    """Links the pairs that were settled and stay apart, and both sides of a false alarm, for both hold."""
    reasons = {conflict.id: "link_kept_apart" for conflict, _ in apart}
    reasons |= {one.id: "link_false_alarm" for one, verdict in closing if verdict.status is ConflictStatus.FALSE_ALARM}
    for conflict, _ in closing:
        left, right = _live_nodes(draft.state, conflict)
        if conflict.id in reasons and left != right and right not in draft.state.graph.nodes[left].links:
            reason = say(reasons[conflict.id], fx.lang, id=conflict.id)
            draft.emit(events.NodesLinked(left=left, right=right, reason=reason))
