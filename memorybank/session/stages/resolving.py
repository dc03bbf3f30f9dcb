"""resolve: a cross-validation's verdicts become memory (final specification, section 4.4; design section 5).

Every pair of the group gets its own verdict. Pairs closed as resolved or both_wrong merge (connected components, one
integration each); false alarms stay apart and are linked; inconclusive pairs stay apart and are marked as disputed. Nor
does a third node unite a pair that stays apart: of its merges then only the better founded one takes place. A verdict
and its merge are one commit: where no merge can take place, or the sides are about different subjects, the conflict is
closed as checked (checked_lines.py).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from memorybank.contradiction.checks import names
from memorybank.contradiction.ruling import SourcePassage
from memorybank.contradiction.votes import checked, speaking, unproven
from memorybank.language.quotation import place
from memorybank.language.text import fold_space, sha256
from memorybank.memory.bank import Draft, MemoryBank
from memorybank.memory.contracts import PairVerdict, StatedVerdict
from memorybank.memory.events import (
    ConflictClosed,
    ContextIntercepted,
    EntryRecorded,
    Fact,
    NodesLinked,
    PlanUpdated,
    TaskExecuted,
    ValidationApplied,
)
from memorybank.memory.types import (
    ClaimVerdict,
    Conflict,
    ConflictId,
    ConflictStatus,
    Contradiction,
    Entry,
    Evidence,
    Lang,
    NodeId,
    Span,
    Task,
    TaskType,
)
from memorybank.prompts import say
from memorybank.session.effects import Failed
from memorybank.session.markup import verdicts_of, write_verdict
from memorybank.session.node_names import with_names
from memorybank.session.stages.base import StageEffects
from memorybank.session.stages.checked_lines import DecidedPoint, PairRuling, write_checked
from memorybank.session.stages.executing import brief, documents
from memorybank.session.stages.rewriting import Rewrites
from memorybank.session.stages.uniting import Integration, components, integrate, unite

Closing = list[tuple[Conflict, StatedVerdict]]


def resolve(state: MemoryBank, fx: StageEffects) -> list[Fact]:
    task, executed = state.doc.current_task, state.progress.executed
    assert task is not None, "resolve runs only after intercept (memory/layers/progress.py)"
    assert executed is not None, "resolve runs only after intercept (memory/layers/progress.py)"
    draft = Draft.of(state, fx.now)
    stated = {verdict.conflict: verdict for verdict in verdicts_of(executed.answer)[0]}
    known = documents(state)
    closing = [
        (conflict, _weighed(stated[conflict.id], [*brief(state, conflict).parties, *known], executed, fx.lang))
        for conflict in (state.conflicts.all[conflict_id] for conflict_id in task.conflict_ids)
        if conflict.id in stated and conflict.status is ConflictStatus.OPEN
    ]
    apply_verdicts(draft, fx, closing, executed)
    return draft.facts


def apply_verdicts(draft: Draft, fx: StageEffects, closing: Closing, executed: TaskExecuted) -> None:
    """Close these conflicts and bring what holds into the memory, in one commit."""
    if not closing:
        return
    settling = _settle(draft.state, closing, whole_group=fx.settings.merge_after_verdict == "group")
    integrations = _integrate(draft, fx, settling, executed)
    apart = _left_apart(settling, integrations)
    for conflict, verdict in closing:
        _close(draft, conflict, verdict, executed, merged=(conflict, verdict) not in apart)
    rewrites = Rewrites(draft)
    failed = unite(draft, fx, integrations, trigger="conflict", rewrites=rewrites)
    _link_left_apart(draft, fx, closing, apart)
    rewrites.emit(fx.embedder)
    write_checked(draft, fx.embedder, [_ruling(draft.state, *entry, executed.executor) for entry in apart], fx.lang)
    draft.emit(ValidationApplied(conflict_ids=tuple(conflict.id for conflict, _ in closing), failed=failed))


def state_verdict(draft: Draft, verdict: StatedVerdict, by: str, lang: Lang) -> None:
    """A person's (or an outside agent's) verdict, recorded as the round that would have found it."""
    conflict = draft.state.conflicts.all[verdict.conflict]
    description = say("task_validate", lang, description=conflict.description)
    task = Task(type=TaskType.CROSS_VALIDATE, description=description, conflict_ids=(conflict.id,))
    answer = with_names(write_verdict(verdict), draft.state, lang)
    reasoning = say("stated_verdict", lang, by=by)
    text = f"{reasoning}\n{answer}"
    entry = Entry(id=draft.new_entry(), kind="transcript", text=text, source=by, sha256=sha256(text))
    draft.emit(
        PlanUpdated(next_task=task, reasoning=reasoning),
        EntryRecorded(entry=entry),
        TaskExecuted(executor=by, answer=answer, transcript=entry.id, quotes_only=True, stated=True),
        ContextIntercepted(route="cross_validate"),
    )


def _weighed(
    verdict: StatedVerdict, sources: Sequence[SourcePassage], executed: TaskExecuted, lang: Lang
) -> StatedVerdict:
    """The verdict with its evidence checked; what of it is not proven is inconclusive, and its reason says why."""
    verdict = verdict.model_copy(update={"evidence": checked(verdict.evidence, sources)})
    lacking = [] if executed.stated else unproven(verdict, lang)
    if not lacking:
        return verdict
    left_open = {ruled.contradiction for ruled, _ in lacking if isinstance(ruled, ClaimVerdict)}
    reasons = [verdict.reasoning, *(reason for _, reason in lacking)]
    return StatedVerdict(
        conflict=verdict.conflict,
        status=ConflictStatus.INCONCLUSIVE,
        reasoning="\n".join(reason for reason in reasons if reason),
        evidence=verdict.evidence,
        claims=tuple(
            ClaimVerdict(contradiction=claim.contradiction, status=ConflictStatus.INCONCLUSIVE)
            if claim.contradiction in left_open
            else claim
            for claim in verdict.claims
        ),
    )


def _close(draft: Draft, conflict: Conflict, verdict: StatedVerdict, executed: TaskExecuted, *, merged: bool) -> None:
    """Closes a conflict with its merge, which comes in the same commit; without a merge it is closed as checked."""
    evidence = tuple(_with_entry(draft.state, item) for item in verdict.evidence)
    transcript = draft.state.tree.entries[executed.transcript]
    spans = [
        Span(entry_id=transcript.id, start=0, end=len(transcript.text)),
        *(span for item in evidence if not item.refused and (span := _span_of(draft.state, item)) is not None),
    ]
    draft.emit(
        ConflictClosed(
            conflict_id=conflict.id,
            status=ConflictStatus.CHECKED if verdict.status.merges and not merged else verdict.status,
            reason=verdict.reasoning,
            closed_by=executed.executor,
            winner=verdict.winner,
            value=verdict.value,
            evidence=evidence,
            claims=verdict.claims,
            spans=tuple(dict.fromkeys(spans)),
        )
    )


def _with_entry(state: MemoryBank, evidence: Evidence) -> Evidence:
    """Adds to the evidence the newest entry of its source that has the quote: the round has just read it."""
    own = [
        entry
        for entry in reversed(state.tree.entries.values())
        if entry.source == evidence.source and entry.kind != "transcript"
    ]
    home = next((entry for entry in own if place(entry.text, evidence.quote)), own[0] if own else None)
    return replace(evidence, entry_id=home.id) if home else evidence


def _span_of(state: MemoryBank, evidence: Evidence) -> Span | None:
    """Finds where the quote stands in its entry; None for a quote that does not stand there."""
    if evidence.entry_id is None:
        return None
    at = place(state.tree.entries[evidence.entry_id].text, evidence.quote)
    return Span(entry_id=evidence.entry_id, start=at[0], end=at[1]) if at else None


# -- merging ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class _Settling:
    """The groups of nodes that the verdicts of a round would unite."""

    deciding: Closing
    """Conflicts with a verdict that says what holds, the better founded first."""
    pairs: dict[ConflictId, tuple[NodeId, NodeId]]
    """The live nodes of both sides, by conflict."""
    groups: list[tuple[NodeId, ...]]


def _settle(state: MemoryBank, closing: Closing, *, whole_group: bool) -> _Settling:
    """Which nodes unite: those about one subject, or all that the verdicts connect (design section 2)."""
    deciding = sorted((entry for entry in closing if entry[1].status.merges), key=lambda entry: -_votes(entry[1]))
    pairs = {conflict.id: _live_nodes(state, conflict) for conflict, _ in deciding}
    uniting = [pairs[conflict.id] for conflict, _ in deciding if whole_group or conflict.same_subject]
    return _Settling(
        deciding=deciding, pairs=pairs, groups=components(mergeable(uniting, _pairs_kept_apart(state, closing)))
    )


def _integrate(draft: Draft, fx: StageEffects, settling: _Settling, executed: TaskExecuted) -> list[Integration]:
    return integrate(
        draft,
        fx,
        settling.groups,
        trigger="conflict",
        verdicts=[tuple(_verdicts_in(draft.state, group, settling, executed.executor)) for group in settling.groups],
        validation_result=executed.answer,
    )


def _left_apart(settling: _Settling, integrations: Sequence[Integration]) -> Closing:
    """Verdicts without a merge: of a group that could not be integrated, and of a pair that may not unite."""
    merged = [set(integration.group) for integration in integrations if not isinstance(integration.answer, Failed)]
    return [
        entry for entry in settling.deciding if not any(set(settling.pairs[entry[0].id]) <= group for group in merged)
    ]


def _live_nodes(state: MemoryBank, conflict: Conflict) -> tuple[NodeId, NodeId]:
    live = state.graph.successor
    return live(conflict.node_ids[0]), live(conflict.node_ids[1])


def _votes(verdict: StatedVerdict) -> int:
    """Counts the independent sources for what holds; the merge of the better founded verdict goes first."""
    return len({piece.source for piece in speaking(verdict, verdict.evidence) if piece.independent})


def _pairs_kept_apart(state: MemoryBank, closing: Closing) -> set[frozenset[NodeId]]:
    """Pairs that were looked at, in this round or an earlier one, and left apart."""
    apart = (ConflictStatus.INCONCLUSIVE, ConflictStatus.FALSE_ALARM)
    closed = [conflict for conflict in state.conflicts.all.values() if conflict.status in apart]
    closed += [conflict for conflict, verdict in closing if verdict.status in apart]
    pairs = (frozenset(_live_nodes(state, conflict)) for conflict in closed)
    return {pair for pair in pairs if len(pair) == 2}


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


def _verdicts_in(state: MemoryBank, group: tuple[NodeId, ...], settling: _Settling, by: str) -> Iterable[PairVerdict]:
    for conflict, verdict in settling.deciding:
        left, right = settling.pairs[conflict.id]
        if left in group and right in group:
            ruling = _ruling(state, conflict, verdict, by)
            for ruled, contradictions in _rulings_by_contradiction(verdict, conflict.contradictions):
                yield PairVerdict(
                    left=group.index(left),
                    right=group.index(right),
                    status=ruled.status,
                    winner=ruled.winner,
                    value=ruled.value,
                    reasoning=verdict.reasoning,
                    contradictions=contradictions,
                    conflict=conflict.id,
                    quote=_quote(ruled, verdict),
                    sources=ruling.sources,
                )


def _quote(ruled: StatedVerdict | ClaimVerdict, verdict: StatedVerdict) -> str:
    """The sentence of a source that states the value which holds, an independent source's first."""
    quotes = (piece.quote for piece in speaking(ruled, verdict.evidence))
    return next((fold_space(quote) for quote in quotes if names(quote, ruled.value)), "")


def _rulings_by_contradiction(
    verdict: StatedVerdict, contradictions: tuple[Contradiction, ...]
) -> Iterable[tuple[StatedVerdict | ClaimVerdict, tuple[Contradiction, ...]]]:
    """Pairs each ruling with its contradictions: one ruling on all of them, or one for each that was ruled."""
    if not verdict.claims:
        yield verdict, contradictions
    for ruling in verdict.claims:
        if ruling.status.merges and ruling.contradiction < max(1, len(contradictions)):
            yield ruling, contradictions[ruling.contradiction : ruling.contradiction + 1]


# -- verdicts without a merge -----------------------------------------------------------------------------------------


def _ruling(state: MemoryBank, conflict: Conflict, verdict: StatedVerdict, by: str) -> PairRuling:
    left, right = _live_nodes(state, conflict)
    points: list[DecidedPoint] = []
    losers: list[NodeId] = []
    for ruled, contradictions in [*_rulings_by_contradiction(verdict, conflict.contradictions)] or [(verdict, ())]:
        sides = {"left": [right], "right": [left]}.get(ruled.winner, [left, right])
        value = _quote(ruled, verdict) or ruled.value or verdict.value or verdict.reasoning
        losers += sides
        for pair in contradictions:
            lost = tuple((node, claim) for node, claim in ((left, pair.left), (right, pair.right)) if node in sides)
            won = {"left": pair.left, "right": pair.right}.get(ruled.winner)
            points.append(DecidedPoint(won=won, lost=lost, value=value))
        if not contradictions:
            points.append(DecidedPoint(won=None, lost=(), value=value))
    winners = [node_id for node_id in (left, right) if node_id not in losers]
    return PairRuling(
        conflict_id=conflict.id,
        nodes=(left, right),
        losers=tuple(dict.fromkeys(losers)),
        points=tuple(points),
        sources=_sources(state, winners, points, verdict) or (by,),
    )


def _sources(
    state: MemoryBank, winners: Sequence[NodeId], points: Sequence[DecidedPoint], verdict: StatedVerdict
) -> tuple[str, ...]:
    """Names the sources of what holds: those of the evidence, else the documents of the side that won."""
    rulings: Sequence[StatedVerdict | ClaimVerdict] = verdict.claims or (verdict,)
    named = [piece.source for ruled in rulings if ruled.status.merges for piece in speaking(ruled, verdict.evidence)]
    if not named:
        claims = [fold_space(point.won.text) for point in points if point.won is not None]
        spans = [span for node_id in winners for span in state.tree.spans.get(node_id, ())]
        entries = [(state.tree.entries[span.entry_id], fold_space(state.tree.text(span))) for span in spans]
        sources = [(entry.source, text) for entry, text in entries if entry.kind != "transcript"]
        named = [source for source, text in sources if any(claim in text for claim in claims)]
        named = named or [source for source, _ in sources]
    return tuple(dict.fromkeys(named))


def _link_left_apart(draft: Draft, fx: StageEffects, closing: Closing, apart: Closing) -> None:
    """Links the pairs that were settled and stay apart, and both sides of a false alarm, for both hold."""
    reasons = {conflict.id: "link_kept_apart" for conflict, _ in apart}
    reasons |= {one.id: "link_false_alarm" for one, verdict in closing if verdict.status is ConflictStatus.FALSE_ALARM}
    for conflict, _ in closing:
        if conflict.id in reasons:
            _link(draft, *conflict.node_ids, say(reasons[conflict.id], fx.lang, id=conflict.id))


def _link(draft: Draft, first: NodeId, second: NodeId, reason: str) -> None:
    """Link what the two nodes have become, unless they are one or linked already."""
    graph = draft.state.graph
    left, right = graph.successor(first), graph.successor(second)
    if left != right and right not in graph.nodes[left].links:
        draft.emit(NodesLinked(left=left, right=right, reason=reason))
