"""One dispute from the points of its conflicts: its values, the sources of each, and how it stands."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace

from memorybank.contradiction.describe import shown
from memorybank.contradiction.disputes.dispute import Dispute, StatedValue
from memorybank.contradiction.disputes.points import Point
from memorybank.contradiction.matter import short
from memorybank.contradiction.same_value import same_value
from memorybank.language.text import fold_space
from memorybank.memory.types import SIDES, Claim, ConflictStatus, NodeId

Stating = Callable[[NodeId, str], Iterable[str]]
"""Names of the documents behind a node that state a sentence."""

LONGEST = 160
"""Characters of a value that are shown."""


@dataclass(slots=True)
class _Gathered:
    """A value while its sources are gathered."""

    claim: Claim
    against: list[Claim] = field(default_factory=list)
    """What stands against it in a contradiction."""
    sources: dict[str, None] = field(default_factory=dict)
    nodes: dict[NodeId, None] = field(default_factory=dict)

    @property
    def stated(self) -> StatedValue:
        return StatedValue(
            text=short(shown(self.claim), LONGEST), sources=tuple(self.sources), node_ids=tuple(self.nodes)
        )


def gathered_dispute(points: Sequence[Point], stating: Stating, live: Callable[[NodeId], NodeId]) -> Dispute:
    gathered: list[_Gathered] = []
    for point in points:
        for side in range(len(point.claims)):
            claim, rival = point.claims[side], point.claims[1 - side]
            home = _home(gathered, claim, rival)
            home.against.append(rival)
            home.nodes[live(point.conflict.node_ids[side])] = None
            home.sources.update(dict.fromkeys(_sources(point, side, stating)))
        _add_third_values(point, gathered)
    status, holds = _outcome(points, gathered)
    gathered.sort(key=lambda value: (value is not holds, -len(value.sources)))
    first = points[0]
    return Dispute(
        id=first.conflict.id if first.number == 1 else f"{first.conflict.id}.{first.number}",
        entity=_shortest(name for point in points for name in point.names),
        attribute=next((value.claim.attribute for value in gathered if value.claim.attribute), ""),
        values=tuple(value.stated for value in gathered),
        conflict_ids=tuple(dict.fromkeys(point.conflict.id for point in points)),
        status=status,
        description=first.conflict.description,
        claims=tuple(dict.fromkeys(claim for point in points for claim in point.claims)),
    )


def _shortest(words: Iterable[str]) -> str:
    return min(words, key=len, default="")


def _home(gathered: list[_Gathered], claim: Claim, rival: Claim | None) -> _Gathered:
    """Where the sources of a value are gathered: never with a value that it stands against."""
    for value in gathered:
        apart = any(same_value(claim, opposed) for opposed in value.against) or (
            rival and same_value(value.claim, rival)
        )
        if not apart and same_value(value.claim, claim):
            return value
    gathered.append(_Gathered(claim))
    return gathered[-1]


def _sources(point: Point, side: int, stating: Stating) -> Iterable[str]:
    """Who states a side: by the evidence, those that count; without any, the documents that hold the claim."""
    claim = point.claims[side]
    heard = [
        evidence.source
        for evidence in point.conflict.evidence
        if evidence.supports == SIDES[side]
        and evidence.is_said
        and (evidence.independent or _says(evidence.quote, claim))
        and (
            point.alone
            or point.number - 1 in evidence.contradictions
            or _says(evidence.quote, claim)
            or _is_value(evidence.value, claim)
        )
    ]
    return heard or stating(point.conflict.node_ids[side], claim.text)


def _says(quote: str, claim: Claim) -> bool:
    return bool(quote) and fold_space(quote) == fold_space(claim.text)


def _is_value(value: str, claim: Claim) -> bool:
    return bool(value) and same_value(replace(claim, value=value), claim)


def _add_third_values(point: Point, gathered: list[_Gathered]) -> None:
    """Values beside the two sides' that the evidence of a check states."""
    if point.pair is None or not point.alone:
        return
    for evidence in point.conflict.evidence:
        if evidence.supports == "other" and evidence.independent and evidence.value:
            _home(gathered, replace(point.pair.left, text=evidence.quote, value=evidence.value), None).sources[
                evidence.source
            ] = None


def held_by(point: Point) -> tuple[Claim, bool] | None:
    """What a verdict found to hold on a point, as a claim, and whether it is a third value; None: undecided here."""
    conflict, pair = point.conflict, point.pair
    if pair is None or not conflict.status.decides:
        return None
    if conflict.claims:
        ruled = conflict.ruling_on(point.number - 1)
        if not ruled.status.merges:
            return None
        if ruled.winner:
            return (pair.left if ruled.winner == "left" else pair.right), False
        return replace(pair.left, value=ruled.value), True
    for claim in point.claims:
        if _is_value(conflict.value, claim):
            return claim, False
    if point.alone:
        if conflict.winner:
            return (pair.left if conflict.winner == "left" else pair.right), False
        return (replace(pair.left, value=conflict.value), True) if conflict.value else None
    left, right = (len(set(_sources(point, side, lambda _node, _sentence: ()))) for side in (0, 1))
    if left == right:  # ruled point by point, this one a tie; or ruled as a whole, without evidence
        whole = conflict.winner if not left else ""
        return (pair.left if whole == "left" else pair.right, False) if whole else None
    return (pair.left if left > right else pair.right), False


def _status(point: Point) -> ConflictStatus:
    """Of a point: its conflict's, but for one that a verdict on several points left open."""
    conflict = point.conflict
    if not conflict.status.decides or point.pair is None or held_by(point) is not None:
        return conflict.status
    return conflict.ruling_on(point.number - 1).status if conflict.claims else ConflictStatus.INCONCLUSIVE


def _outcome(points: Sequence[Point], gathered: list[_Gathered]) -> tuple[ConflictStatus, _Gathered | None]:
    """How a dispute stands, and the value that holds."""
    verdicts = [verdict for point in points if (verdict := held_by(point)) is not None]
    statuses = {_status(point) for point in points}
    if ConflictStatus.OPEN in statuses:
        return ConflictStatus.OPEN, None
    if len(statuses) == 1 and not verdicts:
        return statuses.pop(), None
    homes = {id(home): home for claim, _ in verdicts for home in [_home(gathered, claim, None)]}
    holds = next(iter(homes.values())) if len(homes) == 1 else None
    if holds is None or not _is_ahead(holds, gathered, ConflictStatus.INCONCLUSIVE in statuses):
        return ConflictStatus.INCONCLUSIVE, None
    if any(is_third for _, is_third in verdicts):
        return ConflictStatus.BOTH_WRONG, holds
    decided = {status for status in statuses if status.decides}
    return decided.pop() if len(decided) == 1 else ConflictStatus.RESOLVED, holds


def _is_ahead(holds: _Gathered, gathered: Sequence[_Gathered], partly_undecided: bool) -> bool:
    """Whether what a verdict found to hold stands on more sources than each value that it was not weighed against."""
    if not partly_undecided:
        return True
    weighed = [value for value in gathered if any(same_value(value.claim, rival) for rival in holds.against)]
    return all(
        len(value.sources) < len(holds.sources) for value in gathered if value is not holds and value not in weighed
    )
