"""One dispute from the points of its conflicts: its values, the sources of each, and how it stands."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import combinations

from memorybank.contradiction.describe import shown
from memorybank.contradiction.disputes.dispute import Dispute, Said, StatedValue
from memorybank.contradiction.disputes.points import Point
from memorybank.contradiction.entity_names import is_named_in, names_in
from memorybank.contradiction.matter import short
from memorybank.contradiction.same_value import same_value
from memorybank.contradiction.votes import is_on, third_value
from memorybank.language.figures import states
from memorybank.language.quotation import place
from memorybank.language.text import fold_space, sentences
from memorybank.language.tokens import query_tokens
from memorybank.memory.types import SIDES, Claim, ConflictStatus, Evidence, NodeId

Stating = Callable[[NodeId, Claim], Iterable[Said]]
"""The documents behind a node that state a claim, each with its words."""

LONGEST = 160
"""Characters of a value that are shown."""


@dataclass(slots=True)
class _Gathered:
    """A value while its sources are gathered."""

    claim: Claim
    against: list[Claim] = field(default_factory=list)
    """What stands against it in a contradiction."""
    said: dict[str, Said] = field(default_factory=dict)
    """Maps a source to the passage in which it states the value."""
    heard: set[str] = field(default_factory=set)
    """Names the sources that a check heard: only they decide how a dispute stands."""
    nodes: dict[NodeId, None] = field(default_factory=dict)
    ruled: set[str] = field(default_factory=set)
    """The words in which verdicts say that it holds."""
    also: list[Claim] = field(default_factory=list)
    """Other values that verdicts made the same."""

    def take(self, voices: Iterable[Said], *, heard: bool) -> None:
        for voice in voices:
            self.said.setdefault(voice.source, voice)
            self.heard.update([voice.source] if heard else ())

    def stated(self, independent: frozenset[str]) -> StatedValue:
        said = (
            replace(voice, independent=voice.source in independent, in_other_words=not says(voice.quote, self.claim))
            for voice in self.said.values()
        )
        text, *also = (short(shown(claim), LONGEST) for claim in (self.claim, *self.also))
        return StatedValue(text=text, also=tuple(also), said=tuple(said), node_ids=tuple(self.nodes))

    def agrees_with(self, other: _Gathered) -> bool:
        """Whether two verdicts that each found one of these to hold say one thing: in the same words, or, of values one
        of which is in words, against the same one. Figures, dates and names that differ exclude each other without
        being compared."""
        if any(same_value(other.claim, rival) for rival in self.against):
            return False
        in_words = bool({self.claim.kind, other.claim.kind} & {"text", "negation"})
        against_one = any(same_value(one, rival) for one in self.against for rival in other.against)
        return bool(self.ruled & other.ruled) or (in_words and against_one)

    def unite(self, other: _Gathered) -> None:
        self.take(other.said.values(), heard=False)
        self.heard |= other.heard
        self.nodes |= other.nodes
        self.against += other.against
        self.also.append(other.claim)


def gathered_dispute(points: Sequence[Point], stating: Stating, live: Callable[[NodeId], NodeId]) -> Dispute:
    gathered: list[_Gathered] = []
    for point in points:
        for side in range(len(point.claims)):
            claim, rival = point.claims[side], point.claims[1 - side]
            home = _home(gathered, claim, rival)
            home.against.append(rival)
            home.nodes[live(point.conflict.node_ids[side])] = None
            heard = _heard(point, side)
            home.take(heard, heard=True)
            if not any(says(voice.quote, claim) for voice in heard):
                home.take(stating(point.conflict.node_ids[side], claim), heard=False)
        for claim, voice in _third_values(point):
            _home(gathered, claim, None).take([voice], heard=True)
    status, holds = _outcome(points, gathered)
    gathered.sort(key=lambda value: (value is not holds, -len(value.said)))
    first, independent = points[0], _independent(points, stating)
    return Dispute(
        id=first.name,
        points=tuple(point.name for point in points),
        entity=_shortest(name for point in points for name in point.names),
        attribute=next((value.claim.attribute for value in gathered if value.claim.attribute), ""),
        values=tuple(value.stated(independent) for value in gathered),
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


def _heard(point: Point, side: int) -> list[Said]:
    """Who states a side by the evidence of a check: the sources that count, and the one that the claim stands in."""
    claim = point.claims[side]
    return [
        Said(source=piece.source, quote=piece.quote)
        for piece in point.conflict.evidence
        if piece.supports == SIDES[side]
        and piece.is_said
        and (piece.independent or _is_claim(piece.quote, claim))
        and (_is_on(piece, point) or _is_claim(piece.quote, claim) or _is_value(piece.value, claim))
        and _gives(piece, claim)
    ]


def _is_on(piece: Evidence, point: Point) -> bool:
    """Whether a passage speaks on this point; of several, one that names it."""
    return is_on(piece, point.number - 1) and (point.alone or bool(piece.contradictions))


def _is_claim(quote: str, claim: Claim) -> bool:
    return bool(quote) and fold_space(quote) == fold_space(claim.text)


def _is_value(value: str, claim: Claim) -> bool:
    return bool(value) and same_value(replace(claim, value=value), claim)


def _gives(piece: Evidence, claim: Claim) -> bool:
    """Whether a quote has the value, as a number, a date or a name; a value in words may be said in others."""
    return (
        claim.kind in ("text", "negation")
        or _is_claim(piece.quote, claim)
        or states(piece.quote, claim.value)
        or (_is_value(piece.value, claim) and states(piece.quote, piece.value))
    )


def says(quote: str, claim: Claim) -> bool:
    """Whether a passage says what is claimed: the claim, its value, or its figures; of who or where, its names."""
    if _is_claim(quote, claim) or states(quote, claim.value or claim.text):
        return True
    called = names_in(claim.value) if claim.kind in ("name", "place") else ()
    return bool(called) and all(is_named_in(quote, [name]) for name in called)


def _third_values(point: Point) -> Iterator[tuple[Claim, Said]]:
    """Yield the values beside the two sides' that the evidence of a check states, each with who does."""
    for piece in point.conflict.evidence if point.pair is not None else ():
        if piece.independent and _is_on(piece, point):
            value = third_value(piece, point.conflict.ruling_on(point.number - 1).value)
            if value and point.pair is not None:
                claim = replace(point.pair.left, text=piece.quote, value=value)
                yield claim, Said(source=piece.source, quote=piece.quote)


def _independent(points: Sequence[Point], stating: Stating) -> frozenset[str]:
    """The sources that are votes on all of a dispute: a party of one of its conflicts is none in another."""
    counted, others = set[str](), set[str]()
    for point in points:
        conflict = point.conflict
        for piece in conflict.evidence:
            if piece.supports != "neither":
                (counted if piece.independent else others).add(piece.source)
        if conflict.parties is not None:
            others.update(conflict.parties.left, conflict.parties.right)
        else:
            parties = zip(conflict.node_ids, point.claims, strict=False)
            others.update(said.source for node_id, claim in parties for said in stating(node_id, claim))
    return frozenset(counted - others)


LEAST_SHARED = 0.5
"""Share of a claim's words that a sentence has which states it in other words."""


@lru_cache(maxsize=8_192)
def stated_at(claim: Claim, text: str) -> tuple[int, int] | None:
    """Find `text[start:end]` that states a claim: the claim itself, else the sentence that has its value and most of
    its words; None where there is none."""
    if claim.text.strip() and (at := place(text, claim.text)) is not None:
        return at
    wanted, nearest = set(query_tokens(claim.text)), (0.0, 0, 0)
    for start, end in sentences(text) if claim.value else ():
        sentence = text[start:end].rstrip()
        shared = len(wanted.intersection(query_tokens(sentence))) / max(1, len(wanted))
        if shared >= LEAST_SHARED and shared > nearest[0] and states(sentence, claim.value):
            nearest = (shared, start, start + len(sentence))
    return nearest[1:] if nearest[0] else None


def held_by(point: Point) -> Claim | None:
    """What a verdict found to hold on a point, as a claim, be it a third value; None: undecided here."""
    conflict, pair = point.conflict, point.pair
    if pair is None or not conflict.status.decides:
        return None
    sides = dict(zip(SIDES, point.claims, strict=True))
    if conflict.claims:
        ruled = conflict.ruling_on(point.number - 1)
        if not ruled.status.merges:
            return None
        return sides[ruled.winner] if ruled.winner else replace(pair.left, value=ruled.value)
    for claim in point.claims:
        if _is_value(conflict.value, claim):
            return claim
    if point.alone:
        third = replace(pair.left, value=conflict.value) if conflict.value else None
        return sides[conflict.winner] if conflict.winner else third
    left, right = (len({said.source for said in _heard(point, side)}) for side in (0, 1))
    if left == right:  # ruled point by point, this one a tie; or ruled as a whole, without evidence
        return sides[conflict.winner] if conflict.winner and not left else None
    return pair.left if left > right else pair.right


def _status(point: Point) -> ConflictStatus:
    """Of a point: its conflict's, but for one that a verdict on several points left open."""
    conflict = point.conflict
    if not conflict.status.decides or point.pair is None or held_by(point) is not None:
        return conflict.status
    return conflict.ruling_on(point.number - 1).status if conflict.claims else ConflictStatus.INCONCLUSIVE


def _outcome(points: Sequence[Point], gathered: list[_Gathered]) -> tuple[ConflictStatus, _Gathered | None]:
    """How a dispute stands, and the value that holds."""
    verdicts = [(point, verdict) for point in points if (verdict := held_by(point)) is not None]
    statuses = {_status(point) for point in points}
    if ConflictStatus.OPEN in statuses:
        return ConflictStatus.OPEN, None
    if len(statuses) == 1 and not verdicts:
        (status,) = statuses
        return ConflictStatus.RESOLVED if status.decides else status, None
    homes: dict[int, _Gathered] = {}
    for point, claim in verdicts:
        home = _home(gathered, claim, None)
        home.ruled.update(filter(None, [fold_space(point.conflict.ruling_on(point.number - 1).value).casefold()]))
        homes[id(home)] = home
    holds = next(iter(homes.values()), None)
    if holds is None or not all(one.agrees_with(other) for one, other in combinations(homes.values(), 2)):
        return ConflictStatus.INCONCLUSIVE, None
    for other in [*homes.values()][1:]:
        holds.unite(other)
    gathered[:] = [value for value in gathered if value is holds or id(value) not in homes]
    if not _is_ahead(holds, gathered, ConflictStatus.INCONCLUSIVE in statuses):
        return ConflictStatus.INCONCLUSIVE, None
    return ConflictStatus.RESOLVED, holds


def _is_ahead(holds: _Gathered, gathered: Sequence[_Gathered], partly_undecided: bool) -> bool:
    """Whether what a verdict found to hold stands on more sources than each value that it was not weighed against."""
    if not partly_undecided:
        return True
    weighed = [value for value in gathered if any(same_value(value.claim, rival) for rival in holds.against)]
    return all(len(value.heard) < len(holds.heard) for value in gathered if value is not holds and value not in weighed)
