"""Disputes: conflicts on one matter, told as one.

The same two values stand against each other in several pairs of memories, each in its own words, and a third value may
stand against one of them. All of it is one dispute: one entity, one attribute, its values, each with the documents that
state it. Every list, every answer and every prompt shows disputes; the conflicts behind one are named in it.

A reader that takes claims apart gives entity, attribute and value, and these decide. Where it does not, only identical
pairs of values between the same nodes are one dispute.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, lru_cache
from typing import Final, Literal

from memorybank.bank import MemoryBank
from memorybank.engines.offline.claims.describe import about, listed, shown
from memorybank.engines.offline.entity_names import same_name
from memorybank.engines.offline.same_value import same_value
from memorybank.prompts import say
from memorybank.retrieval.tokens import query_tokens
from memorybank.text import fold_space
from memorybank.types import Claim, Conflict, ConflictId, ConflictStatus, Contradiction, EntryId, Lang, NodeId, Value

Stating = Callable[[NodeId, str], Iterable[str]]
"""Names of the documents behind a node that state a sentence."""

LEFT_RIGHT: Final[tuple[Literal["left", "right"], ...]] = ("left", "right")
LANGS: Final[tuple[Lang, ...]] = ("en", "zh")
LONGEST = 160
"""Characters of a value that are shown."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StatedValue(Value):
    """One value of a dispute."""

    text: str
    """As the first source writes it, with what it counts."""
    sources: tuple[str, ...] = ()
    """Documents that state it: those the claims stand in, and the independent ones that a check found."""
    node_ids: tuple[NodeId, ...] = ()
    """Nodes that stated it when the conflict was found, where they are now."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Dispute(Value):
    """What is disputed of an entity, and how that stands."""

    entity: str
    attribute: str
    values: tuple[StatedValue, ...]
    """What holds first, else the value with most sources; empty where no engine took the claims apart."""
    conflict_ids: tuple[ConflictId, ...]
    status: ConflictStatus
    """Open while one of its conflicts is; decided when a verdict says what holds and no other verdict disagrees."""
    description: str
    """Of its first conflict; shown where there are no values."""
    claims: tuple[Claim, ...] = field(default=(), repr=False)
    """All statements that are disputed, each once."""

    @property
    def holds(self) -> StatedValue | None:
        """The value that a verdict found to hold."""
        return self.values[0] if self.status.decides and self.values else None


def disputes_of(bank: MemoryBank) -> tuple[Dispute, ...]:
    """All disputes of a memory, oldest first."""

    @cache
    def folded(entry_id: EntryId) -> str:
        return fold_space(bank.tree.entries[entry_id].text)

    def stating(node_id: NodeId, sentence: str) -> Iterable[str]:
        wanted = fold_space(sentence)
        for entry_id in bank.tree.entries_of(node_id):
            entry = bank.tree.entries[entry_id]
            if entry.kind != "transcript" and wanted and wanted in folded(entry_id):
                yield entry.source

    return disputes(bank.conflicts.all.values(), stating, bank.graph.successor)


def disputes(
    conflicts: Iterable[Conflict],
    stating: Stating = lambda _node, _sentence: (),
    live: Callable[[NodeId], NodeId] = lambda node_id: node_id,
) -> tuple[Dispute, ...]:
    """Conflicts by the matter they are on, in the order in which the first of each was found.

    `live` maps a node to where it is now (`QueryGraph.successor`).

    A conflict in several matters is part of several disputes.
    """
    groups: list[list[_Point]] = []
    for point in (point for conflict in conflicts for point in _points(conflict)):
        joined = [group for group in groups if any(_is_one_dispute(point, other) for other in group)]
        if not joined:
            groups.append([point])
            continue
        joined[0].append(point)
        for other in joined[1:]:
            joined[0].extend(other)
            groups.remove(other)
    return tuple(_dispute(group, stating, live) for group in groups)


def same_matter(one: Conflict, other: Conflict) -> bool:
    """Whether two conflicts are each on one matter, and it is the same two values of one thing."""
    points = *_points(one), *_points(other)
    return len(points) == 2 and _is_one_thing(*points) and points[0].has_values_of(points[1])


def is_same(one: Dispute, other: Dispute) -> bool:
    """Whether two runs' disputes are one: a statement in both, or the same value of the same thing."""
    if not one.claims or not other.claims:
        return one.description == other.description
    if not {claim.text for claim in one.claims}.isdisjoint(claim.text for claim in other.claims):
        return True
    return same_name(one.entity, other.entity) and any(
        _same_words(first.attribute, second.attribute) and same_value(first, second)
        for first in one.claims
        for second in other.claims
    )


def on_one_thing(one: Conflict, other: Conflict) -> bool:
    """Whether two conflicts are on an attribute of one entity, whatever the values."""
    return any(_is_one_thing(first, second) for first in _points(one) for second in _points(other))


# -- points: a contradiction of a conflict ----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class _Point:
    """One contradiction of a conflict; of a conflict without any, the conflict itself."""

    conflict: Conflict
    pair: Contradiction | None
    alone: bool
    """The conflict has no other."""
    claims: tuple[Claim, ...]
    """Left and right; none without a contradiction."""
    names: tuple[str, ...]
    attributes: tuple[str, ...]

    def has_values_of(self, other: _Point) -> bool:
        left, right = self.claims
        return all(same_value(one, another) for one, another in zip(self.claims, other.claims, strict=True)) or all(
            same_value(one, another) for one, another in zip((right, left), other.claims, strict=True)
        )


def _points(conflict: Conflict) -> list[_Point]:
    pairs = conflict.contradictions
    return [_point(conflict, pair, alone=len(pairs) < 2) for pair in pairs or (None,)]


def _point(conflict: Conflict, pair: Contradiction | None, *, alone: bool) -> _Point:
    claims = (pair.left, pair.right) if pair else ()
    return _Point(
        conflict=conflict,
        pair=pair,
        alone=alone,
        claims=claims,
        names=tuple(dict.fromkeys(claim.subject for claim in claims if claim.subject)),
        attributes=tuple(dict.fromkeys(claim.attribute for claim in claims if claim.attribute)),
    )


def _is_one_dispute(one: _Point, other: _Point) -> bool:
    if one.pair is None or other.pair is None:
        return False
    if _is_one_thing(one, other):
        return any(same_value(first, second) for first in one.claims for second in other.claims)
    if set(one.conflict.node_ids) != set(other.conflict.node_ids):
        return False
    written = [{fold_space(claim.value).casefold() for claim in each.claims} for each in (one, other)]
    return written[0] == written[1]


def _is_one_thing(one: _Point, other: _Point) -> bool:
    """Whether two contradictions are on the same attribute of the same entity.

    Two values that stand against each other twice are values of one attribute, however the sentences word it; and of
    one entity, where the attribute is one and loose prose does not say reliably whose it is.
    """
    if one.pair is None or other.pair is None:
        return False
    loose = any(not each.names or each.pair.found_by == "relations" for each in (one, other) if each.pair)
    if not loose and not any(same_name(first, second) for first in one.names for second in other.names):
        return False
    alike = any(_same_words(first, second) for first in one.attributes for second in other.attributes)
    return alike and one.has_values_of(other) if loose else alike or one.has_values_of(other)


# -- sameness ---------------------------------------------------------------------------------------------------------


@lru_cache(maxsize=16_384)
def _same_words(one: str, other: str) -> bool:
    """Whether one attribute has all words of the other: “capacity”, “rated capacity”."""
    first, second = set(query_tokens(one)), set(query_tokens(other))
    return bool(first and second) and (first <= second or second <= first)


# -- one dispute from its points --------------------------------------------------------------------------------------


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
        text = shown(self.claim)
        text = text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"
        return StatedValue(text=text, sources=tuple(self.sources), node_ids=tuple(self.nodes))


def _dispute(points: Sequence[_Point], stating: Stating, live: Callable[[NodeId], NodeId]) -> Dispute:
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
    gathered.sort(key=lambda one: (one is not holds, -len(one.sources)))
    return Dispute(
        entity=_shortest(name for point in points for name in point.names),
        attribute=next((one.claim.attribute for one in gathered if one.claim.attribute), ""),
        values=tuple(one.stated for one in gathered),
        conflict_ids=tuple(dict.fromkeys(point.conflict.id for point in points)),
        status=status,
        description=points[0].conflict.description,
        claims=tuple(dict.fromkeys(claim for point in points for claim in point.claims)),
    )


def _shortest(words: Iterable[str]) -> str:
    return min(words, key=len, default="")


def _home(gathered: list[_Gathered], claim: Claim, rival: Claim | None) -> _Gathered:
    """Where the sources of a value are gathered: never with a value that it stands against."""
    for one in gathered:
        apart = any(same_value(claim, other) for other in one.against) or (rival and same_value(one.claim, rival))
        if not apart and same_value(one.claim, claim):
            return one
    gathered.append(_Gathered(claim))
    return gathered[-1]


def _sources(point: _Point, side: int, stating: Stating) -> Iterable[str]:
    """Who states a side: by the evidence, those that count; without any, the documents that hold the claim."""
    claim = point.claims[side]
    heard = [
        one.source
        for one in point.conflict.evidence
        if one.supports == LEFT_RIGHT[side]
        and (one.independent or _says(one.quote, claim))
        and (point.alone or _says(one.quote, claim) or _is_value(one.value, claim))
    ]
    return heard or stating(point.conflict.node_ids[side], claim.text)


def _says(quote: str, claim: Claim) -> bool:
    return bool(quote) and fold_space(quote) == fold_space(claim.text)


def _is_value(value: str, claim: Claim) -> bool:
    return bool(value) and same_value(replace(claim, value=value), claim)


def _add_third_values(point: _Point, gathered: list[_Gathered]) -> None:
    """Values beside the two sides' that the evidence of a check states."""
    if point.pair is None or not point.alone:
        return
    for one in point.conflict.evidence:
        if one.supports == "other" and one.independent and one.value:
            _home(gathered, replace(point.pair.left, text=one.quote, value=one.value), None).sources[one.source] = None


def _verdict(point: _Point) -> tuple[Claim, bool] | None:
    """What a verdict found to hold on a point, as a claim, and whether it is a third value; None: undecided here."""
    conflict, pair = point.conflict, point.pair
    if pair is None or not conflict.status.decides:
        return None
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


def _status(point: _Point) -> ConflictStatus:
    """Of a point: its conflict's, but for one that a verdict on several points left open."""
    undecided = point.conflict.status.decides and point.pair is not None and _verdict(point) is None
    return ConflictStatus.INCONCLUSIVE if undecided else point.conflict.status


def _outcome(points: Sequence[_Point], gathered: list[_Gathered]) -> tuple[ConflictStatus, _Gathered | None]:
    """How a dispute stands, and the value that holds."""
    verdicts = [one for point in points if (one := _verdict(point)) is not None]
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
    weighed = [one for one in gathered if any(same_value(one.claim, rival) for rival in holds.against)]
    return all(len(one.sources) < len(holds.sources) for one in gathered if one is not holds and one not in weighed)


# -- in words ---------------------------------------------------------------------------------------------------------


def told(dispute: Dispute, lang: Lang) -> str:
    """In one line: what is disputed, and each value with who states it; what holds comes first."""
    if not dispute.values:
        return dispute.description
    return listed([stated(one, lang) for one in dispute.values], dispute.attribute, dispute.entity, lang)


def is_plain(conflict: Conflict) -> bool:
    """Whether a conflict's description says nothing but its values, which its dispute says with their sources."""
    pairs = conflict.contradictions
    return len(pairs) == 1 and any(
        conflict.description == listed([shown(pairs[0].left), shown(pairs[0].right)], attribute, subject, lang)
        for attribute in {pairs[0].left.attribute, pairs[0].right.attribute}
        for subject in {pairs[0].left.subject, pairs[0].right.subject}
        for lang in LANGS
    )


def label(dispute: Dispute, lang: Lang) -> str:
    """Entity and attribute; the attribute is left out where the values say it."""
    said = any(dispute.attribute in one.text for one in dispute.values)
    return about(dispute.entity, "" if said else dispute.attribute, lang)


def stated(value: StatedValue, lang: Lang) -> str:
    """A value with its sources."""
    if not value.sources:
        return value.text
    return say("dispute_value", lang, value=value.text, sources=say("sources_between", lang).join(value.sources))
