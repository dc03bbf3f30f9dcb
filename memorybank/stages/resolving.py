"""resolve: a cross-validation's verdicts become memory (final specification, section 4.4; design section 5).

Every pair of the group gets its own verdict. Pairs closed as resolved or both_wrong merge (connected components, one
integration each); false alarms stay apart and are linked; inconclusive pairs stay apart and are marked as disputed. Nor
does a third node unite a pair that stays apart: of its merges then only the better founded one takes place.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from memorybank.bank import Draft, MemoryBank
from memorybank.contracts import ClaimVerdict, PairVerdict, StatedVerdict
from memorybank.events import (
    ConflictClosed,
    ContextIntercepted,
    EntryRecorded,
    Fact,
    NodesLinked,
    PlanUpdated,
    TaskExecuted,
    ValidationApplied,
)
from memorybank.markup import verdicts_of, write_verdict
from memorybank.prompts import say
from memorybank.stages.base import StageEffects
from memorybank.stages.rewriting import Rewrites
from memorybank.stages.uniting import components, unite
from memorybank.text import sha256
from memorybank.types import (
    Conflict,
    ConflictId,
    ConflictStatus,
    Contradiction,
    Entry,
    EntryId,
    Evidence,
    Lang,
    NodeId,
    Span,
    Task,
    TaskType,
)


def resolve(state: MemoryBank, fx: StageEffects) -> list[Fact]:
    task, executed = state.doc.current_task, state.progress.executed
    assert task is not None, "resolve runs only after intercept (layers/progress.py)"
    assert executed is not None, "resolve runs only after intercept (layers/progress.py)"
    draft = Draft.of(state, fx.now)
    stated = {verdict.conflict: verdict for verdict in verdicts_of(executed.answer)[0]}
    closing = [
        (state.conflicts.all[conflict_id], stated[conflict_id])
        for conflict_id in task.conflict_ids
        if conflict_id in stated and state.conflicts.all[conflict_id].status is ConflictStatus.OPEN
    ]
    for conflict, verdict in closing:
        _close(draft, conflict, verdict, executed)
    rewrites = Rewrites(draft)
    _merge(draft, fx, closing, executed, rewrites)
    _link_false_alarms(draft, fx, closing)
    rewrites.emit(fx.embedder)
    draft.emit(ValidationApplied(conflict_ids=tuple(conflict.id for conflict, _ in closing)))
    return draft.facts


def state_verdict(draft: Draft, verdict: StatedVerdict, by: str, lang: Lang) -> None:
    """A person's (or an outside agent's) verdict, recorded as the round that would have found it."""
    conflict = draft.state.conflicts.all[verdict.conflict]
    description = say("task_validate", lang, description=conflict.description)
    task = Task(type=TaskType.CROSS_VALIDATE, description=description, conflict_ids=(conflict.id,))
    answer, reasoning = write_verdict(verdict), say("stated_verdict", lang, by=by)
    text = f"{reasoning}\n{answer}"
    entry = Entry(id=draft.new_entry(), kind="transcript", text=text, source=by, sha256=sha256(text))
    draft.emit(
        PlanUpdated(next_task=task, reasoning=reasoning),
        EntryRecorded(entry=entry),
        TaskExecuted(executor=by, answer=answer, transcript=entry.id, quotes_only=True),
        ContextIntercepted(route="cross_validate"),
    )


def _close(draft: Draft, conflict: Conflict, verdict: StatedVerdict, executed: TaskExecuted) -> None:
    evidence = tuple(_located(draft.state, one) for one in verdict.evidence)
    spans = [
        _whole(draft.state, executed.transcript),
        *(span for one in evidence if (span := _span_of(draft.state, one)) is not None),
    ]
    draft.emit(
        ConflictClosed(
            conflict_id=conflict.id,
            status=verdict.status,
            reason=verdict.reasoning,
            closed_by=executed.executor,
            winner=verdict.winner,
            value=verdict.value,
            evidence=evidence,
            spans=tuple(dict.fromkeys(spans)),
        )
    )


def _whole(state: MemoryBank, entry_id: EntryId) -> Span:
    return Span(entry_id=entry_id, start=0, end=len(state.tree.entries[entry_id].text))


def _located(state: MemoryBank, evidence: Evidence) -> Evidence:
    """The same evidence with the entry its source is in, when memory holds it. Newest first: the round just read it."""
    for entry in reversed(state.tree.entries.values()):
        if entry.source == evidence.source and entry.kind != "transcript":
            return replace(evidence, entry_id=entry.id)
    return evidence


def _span_of(state: MemoryBank, evidence: Evidence) -> Span | None:
    """Where the quote stands in its entry, word for word; a quote that is not there is no raw text."""
    quote = evidence.quote.strip()
    if evidence.entry_id is None or not quote:
        return None
    at = state.tree.entries[evidence.entry_id].text.find(quote)
    return Span(entry_id=evidence.entry_id, start=at, end=at + len(quote)) if at >= 0 else None


# -- merging ----------------------------------------------------------------------------------------------------------

Closing = list[tuple[Conflict, StatedVerdict]]


def _merge(draft: Draft, fx: StageEffects, closing: Closing, executed: TaskExecuted, rewrites: Rewrites) -> None:
    pairs = {conflict.id: _live(draft, conflict) for conflict, verdict in closing if verdict.status.merges}
    strong = sorted((one for one in closing if one[1].status.merges), key=lambda one: -_votes(one[1]))
    united, skipped = mergeable([(conflict.id, *pairs[conflict.id]) for conflict, _ in strong], _apart(draft))
    groups = components(united)
    unite(
        draft,
        fx,
        groups,
        trigger="conflict",
        rewrites=rewrites,
        verdicts=[tuple(_verdicts_in(group, closing, pairs)) for group in groups],
        validation_result=executed.answer,
    )
    _link_skipped(draft, fx, skipped)


def _live(draft: Draft, conflict: Conflict) -> tuple[NodeId, NodeId]:
    live = draft.state.graph.successor
    return live(conflict.node_ids[0]), live(conflict.node_ids[1])


def _votes(verdict: StatedVerdict) -> int:
    """Independent sources for what holds; the merge of the better founded verdict goes first."""
    side = verdict.winner or "other"
    return sum(one.independent and one.supports == side for one in verdict.evidence)


def _apart(draft: Draft) -> set[frozenset[NodeId]]:
    """Pairs that were looked at, in this round or an earlier one, and left apart."""
    closed = (ConflictStatus.INCONCLUSIVE, ConflictStatus.FALSE_ALARM)
    pairs = (frozenset(_live(draft, one)) for one in draft.state.conflicts.all.values() if one.status in closed)
    return {pair for pair in pairs if len(pair) == 2}


def mergeable(
    merging: Iterable[tuple[ConflictId, NodeId, NodeId]], apart: set[frozenset[NodeId]]
) -> tuple[list[tuple[NodeId, NodeId]], list[tuple[ConflictId, NodeId, NodeId]]]:
    """Pairs that may unite, and those that may not: through them two nodes of a pair left apart would become one."""
    members: dict[NodeId, frozenset[NodeId]] = {}
    united: list[tuple[NodeId, NodeId]] = []
    skipped: list[tuple[ConflictId, NodeId, NodeId]] = []
    for conflict_id, left, right in merging:
        if left == right:
            continue
        group = members.get(left, frozenset((left,))) | members.get(right, frozenset((right,)))
        if any(pair <= group for pair in apart):
            skipped.append((conflict_id, left, right))
            continue
        united.append((left, right))
        members.update(dict.fromkeys(group, group))
    return united, skipped


def _verdicts_in(
    group: tuple[NodeId, ...], closing: Closing, pairs: dict[ConflictId, tuple[NodeId, NodeId]]
) -> Iterable[PairVerdict]:
    for conflict, verdict in closing:
        left, right = pairs.get(conflict.id, ("", ""))
        if left in group and right in group:
            for ruled, contradictions in _ruled(verdict, conflict.contradictions):
                yield PairVerdict(
                    left=group.index(NodeId(left)),
                    right=group.index(NodeId(right)),
                    status=ruled.status,
                    winner=ruled.winner,
                    value=ruled.value,
                    reasoning=verdict.reasoning,
                    contradictions=contradictions,
                )


def _ruled(
    verdict: StatedVerdict, contradictions: tuple[Contradiction, ...]
) -> Iterable[tuple[StatedVerdict | ClaimVerdict, tuple[Contradiction, ...]]]:
    """What the verdict says of which contradictions: of all at once, or of each that it rules; of the rest nothing."""
    if not verdict.claims:
        yield verdict, contradictions
    for one in verdict.claims:
        if one.status.merges and one.contradiction < len(contradictions):
            yield one, (contradictions[one.contradiction],)


def _link_skipped(draft: Draft, fx: StageEffects, skipped: Iterable[tuple[ConflictId, NodeId, NodeId]]) -> None:
    """Settled, but one of the two has become part of a node that the other was left apart from."""
    for conflict_id, left, right in skipped:
        _link(draft, left, right, say("link_kept_apart", fx.lang, id=conflict_id))


def _link_false_alarms(draft: Draft, fx: StageEffects, closing: Closing) -> None:
    """Both hold and speak of the same thing: they are related."""
    for conflict, verdict in closing:
        if verdict.status is ConflictStatus.FALSE_ALARM:
            _link(draft, *conflict.node_ids, say("link_false_alarm", fx.lang, id=conflict.id))


def _link(draft: Draft, first: NodeId, second: NodeId, reason: str) -> None:
    """Link what the two nodes have become, unless they are one or linked already."""
    graph = draft.state.graph
    left, right = graph.successor(first), graph.successor(second)
    if left != right and right not in graph.nodes[left].links:
        draft.emit(NodesLinked(left=left, right=right, reason=reason))
