"""Disputes out of conflicts on one matter: the values of each, their sources, and how it stands."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Sequence, Set
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import product

from memorybank.contradiction.disputes.dispute import Dispute, Said, StatedValue
from memorybank.contradiction.same_value import same_value
from memorybank.contradiction.votes import is_on, third_value
from memorybank.language.figures import states
from memorybank.language.names import is_named_in, names_in, read_name, same_name
from memorybank.language.quotation import names, place
from memorybank.language.text import fold_space, sentences
from memorybank.language.tokens import query_tokens
from memorybank.memory.state import MemoryState
from memorybank.memory.types import SIDES, Claim, Conflict, ConflictId, ConflictStatus, Contradiction, NodeId
from memorybank.prompts.claim_words import short, shown

Stating = Callable[[NodeId, Claim], Iterable[Said]]
"""The documents behind a node that state a claim, each with its words."""

LONGEST_VALUE = 160
"""The most characters of a value that are shown."""
LEAST_SHARED = 0.5
"""Share of a claim's words that a sentence has which states it in other words."""
_IN_WORDS = frozenset(("text", "negation"))
"""Kinds of claims whose value may be said in other words."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Point:
    """One contradiction of a conflict; of a conflict without any, the conflict itself."""

    conflict: Conflict
    pair: Contradiction | None
    number: int
    """The place of the point in the conflict, from 0."""

    @property
    def claims(self) -> tuple[Claim, ...]:
        """Return the claims of left and right; none without a contradiction."""
        return (self.pair.left, self.pair.right) if self.pair else ()

    @property
    def name(self) -> str:
        return f"{self.conflict.id}.{self.number + 1}" if self.number else self.conflict.id

    @property
    def is_alone(self) -> bool:
        """Whether the conflict has no other."""
        return len(self.conflict.contradictions) < 2


def points_of(conflict: Conflict) -> list[Point]:
    pairs = conflict.contradictions or (None,)
    return [Point(conflict=conflict, pair=pair, number=number) for number, pair in enumerate(pairs)]


def is_one_dispute(left: Point, right: Point) -> bool:
    """Whether two contradictions are on one matter: they have a value in common, or the sentence that it was taken
    from, and that is of one thing; or one and the same statement. One that names no thing counts for none, nor one
    whose value is the whole sentence."""
    # What is in common is asked for first: of many conflicts nearly all pairs have nothing, and names take longer.
    if not any(same_value(*pair) or is_one_saying(*pair) for pair in product(left.claims, right.claims)):
        return False
    shared = (claim for claim in left.claims if claim in right.claims and claim.kind not in ("text", "negation"))
    return any(claim.subject for claim in shared) or is_one_thing(left, right)


def is_one_saying(left: Claim, right: Claim) -> bool:
    """Whether two claims are one sentence on one attribute, whichever of its words each has as its value."""
    return bool(left.attribute) and (left.text, left.attribute) == (right.text, right.attribute)


def is_one_thing(left: Point, right: Point) -> bool:
    """Whether two contradictions are on the same attribute of the same subject. Two values that stand against each
    other twice are values of one attribute, however the sentences word it."""
    named = any(same_name(first.subject, second.subject) for first in left.claims for second in right.claims)
    both = any(all(map(same_value, own, right.claims)) for own in (left.claims, left.claims[::-1]))
    return named and (both or share_an_attribute(left, right))


def share_an_attribute(left: Point, right: Point) -> bool:
    attributes = ({fold_space(claim.attribute).casefold() for claim in point.claims} - {""} for point in (left, right))
    return not next(attributes).isdisjoint(next(attributes))


@dataclass(slots=True)
class _Gathered:
    """A value while its sources are gathered."""

    claim: Claim
    against: list[Claim] = field(default_factory=list)
    """Claims that stand against it in a contradiction."""
    said: dict[str, Said] = field(default_factory=dict)
    """Maps a source to the passage in which it states the value."""
    heard: set[str] = field(default_factory=set)
    """Names the sources that a check heard: only they decide how a dispute stands."""
    nodes: dict[NodeId, None] = field(default_factory=dict)

    def take(self, voices: Iterable[Said], *, heard: bool) -> None:
        for voice in voices:
            self.said.setdefault(voice.source, voice)
            self.heard.update([voice.source] if heard else ())

    def stated(self, independent: frozenset[str]) -> StatedValue:
        said = (
            replace(voice, independent=voice.source in independent, in_other_words=not says(voice.quote, self.claim))
            for voice in self.said.values()
        )
        return StatedValue(text=short(shown(self.claim), LONGEST_VALUE), said=tuple(said), node_ids=tuple(self.nodes))

    def is_against(self, claim: Claim) -> bool:
        return any(same_value(claim, rival) for rival in self.against)

    def differs(self, other: _Gathered) -> bool:
        """Whether two values that both won differ: they stand against each other, or are figures or names, not one."""
        first, second = self.claim, other.claim
        named = _IN_WORDS.isdisjoint((first.kind, second.kind))
        alike = not named or says(first.value, second) or says(second.value, first)
        return not alike or self.is_against(second) or other.is_against(first)


def gathered_dispute(points: Sequence[Point], stating: Stating, live: Callable[[NodeId], NodeId]) -> Dispute:
    gathered: list[_Gathered] = []
    for point in points:
        for side, claim in enumerate(point.claims):
            home = _home(gathered, claim, point.claims[1 - side])
            home.against.append(point.claims[1 - side])
            home.nodes[live(point.conflict.node_ids[side])] = None
            home.take(_heard(point, side), heard=True)
            home.take(stating(point.conflict.node_ids[side], claim), heard=False)
        for claim, voice in _third_values(point):
            _home(gathered, claim).take([voice], heard=True)
    status, holds = _outcome(points, gathered)
    gathered.sort(key=lambda value: (value is not holds, -len(value.said)))
    first, independent = points[0], _independent(points)
    claims = tuple(dict.fromkeys(claim for point in points for claim in point.claims))
    name = min(claims, key=lambda claim: (not claim.attribute, len(claim.subject + claim.attribute)), default=None)
    return Dispute(
        id=first.name,
        points=tuple(point.name for point in points),
        entity=name.subject if name else "",
        attribute=name.attribute if name else "",
        values=tuple(value.stated(independent) for value in gathered),
        conflict_ids=tuple(dict.fromkeys(point.conflict.id for point in points)),
        status=status,
        description=first.conflict.description,
        claims=claims,
    )


def _home(gathered: list[_Gathered], claim: Claim, rival: Claim | None = None) -> _Gathered:
    """Return where the sources of a value are gathered: never with a value that it stands against."""
    for value in gathered:
        if not same_value(value.claim, claim) or value.is_against(claim):
            continue
        if rival is None or not same_value(value.claim, rival):
            return value
    gathered.append(_Gathered(claim))
    return gathered[-1]


def _heard(point: Point, side: int) -> list[Said]:
    """Return who states a side by the evidence of a check: the sources that count, and the one that the claim stands
    in.

    A number, a date or a name has to stand in the quote; of several points, a passage names this one or its value.
    """
    claim, voices = point.claims[side], list[Said]()
    for piece in point.conflict.evidence:
        if piece.supports != SIDES[side] or not piece.is_said:
            continue
        valued = _is_value(piece.value, claim)
        if not valued and claim.kind in ("name", "place"):  # a part of the claim's, or that of it: Bry, Ida Bry
            valued = names(claim.value, piece.value) or names(piece.value, claim.value)
        gives = states(piece.quote, claim.value) or (valued and states(piece.quote, piece.value))
        on_it = is_on(piece, point.number) and (point.is_alone or valued or bool(piece.contradictions))
        own = bool(piece.quote) and fold_space(piece.quote) == fold_space(claim.text)
        if own or (piece.independent and on_it and (gives or claim.kind in _IN_WORDS)):
            voices.append(Said(source=piece.source, quote=piece.quote))
    return voices


def _is_value(value: str, claim: Claim) -> bool:
    return bool(value) and same_value(replace(claim, value=value), claim)


def says(quote: str, claim: Claim) -> bool:
    """Whether a passage says what is claimed: the claim, its value, or its figures; of who or where, its names."""
    if fold_space(quote) == fold_space(claim.text) or states(quote, claim.value or claim.text):
        return True
    called = names_in(claim.value) if claim.kind in ("name", "place") else ()
    return bool(called) and all(is_named_in(quote, [name]) for name in called)


def _third_values(point: Point) -> Iterator[tuple[Claim, Said]]:
    """Yield the values beside the two sides' that the evidence of a check states, each with who does."""
    ruled = point.conflict.ruling_on(point.number).value
    for piece in point.conflict.evidence if point.claims else ():
        on_it = is_on(piece, point.number) and (point.is_alone or bool(piece.contradictions))
        value = third_value(piece, ruled)
        if piece.independent and on_it and value:
            claim = replace(point.claims[0], text=piece.quote, value=value)
            yield claim, Said(source=piece.source, quote=piece.quote)


def _independent(points: Sequence[Point]) -> frozenset[str]:
    """Return the sources that are votes on all of a dispute: a party of one of its conflicts is none in another."""
    counted, others = set[str](), set[str]()
    for point in points:
        conflict = point.conflict
        for piece in conflict.evidence:
            if piece.supports != "neither":
                (counted if piece.independent else others).add(piece.source)
        if conflict.parties is not None:
            others.update(conflict.parties.left, conflict.parties.right)
    return frozenset(counted - others)


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
    """Return what a verdict found to hold on a point, as a claim, be it a third value; None: undecided here.

    A verdict on several points as a whole says it of the point that has its value; one without a value of each.
    """
    conflict, ruled = point.conflict, point.conflict.ruling_on(point.number)
    if not point.claims or not conflict.status.decides or not ruled.status.decides:
        return None
    on_point = bool(conflict.claims) or point.is_alone
    if ruled.winner and (on_point or not ruled.value):
        return point.claims[SIDES.index(ruled.winner)]
    named = next((claim for claim in point.claims if _is_value(ruled.value, claim)), None)
    third = replace(point.claims[0], value=ruled.value) if on_point and ruled.value else None
    return named or third


def _status(point: Point) -> ConflictStatus:
    """Return how a point stands: as its conflict, but for one that a verdict on several points left open."""
    conflict = point.conflict
    if not conflict.status.decides or not point.claims or held_by(point) is not None:
        return conflict.status
    return conflict.ruling_on(point.number).status if conflict.claims else ConflictStatus.INCONCLUSIVE


def _outcome(points: Sequence[Point], gathered: list[_Gathered]) -> tuple[ConflictStatus, _Gathered | None]:
    """Return how a dispute stands, and the value that holds."""
    verdicts = [claim for claim in map(held_by, points) if claim is not None]
    statuses = {_status(point) for point in points}
    if ConflictStatus.OPEN in statuses:
        return ConflictStatus.OPEN, None
    if len(statuses) == 1 and not verdicts:
        (status,) = statuses
        return ConflictStatus.RESOLVED if status.decides else status, None
    homes = list({id(home): home for home in (_home(gathered, claim) for claim in verdicts)}.values())
    if not homes or any(map(homes[0].differs, homes[1:])):
        return ConflictStatus.INCONCLUSIVE, None
    holds = homes[0]
    for other in homes[1:]:
        holds.take(other.said.values(), heard=False)
        holds.heard |= other.heard
        holds.nodes |= other.nodes
        holds.against += other.against
        gathered.remove(other)
    # What was left undecided must not stand on as many sources, where it was never weighed against what holds.
    rivals = [value for value in gathered if value is not holds and not holds.is_against(value.claim)]
    if ConflictStatus.INCONCLUSIVE in statuses and any(len(rival.heard) >= len(holds.heard) for rival in rivals):
        return ConflictStatus.INCONCLUSIVE, None
    return ConflictStatus.RESOLVED, holds


def disputes_of(bank: MemoryState, about: Collection[ConflictId] | None = None) -> tuple[Dispute, ...]:
    """Return all disputes of a memory, oldest first. `about`: only those that some of these conflicts are part of."""

    def stating(node_id: NodeId, claim: Claim) -> Iterator[Said]:
        for entry in map(bank.tree.entries.__getitem__, bank.tree.entries_of(node_id)):
            if entry.is_source and (at := stated_at(claim, entry.text)) is not None:
                yield Said(source=entry.source, quote=entry.text[slice(*at)])

    return disputes(bank.conflicts.all.values(), stating, bank.graph.successor, about)


def disputes(
    conflicts: Iterable[Conflict],
    stating: Stating = lambda _node, _claim: (),
    live: Callable[[NodeId], NodeId] = lambda node_id: node_id,
    about: Collection[ConflictId] | None = None,
) -> tuple[Dispute, ...]:
    """Return the conflicts by the matter they are on, in the order in which the first of each was found.

    `live` maps a node to where it is now (`QueryGraph.successor`). A conflict in several matters is part of several
    disputes.
    """
    points = [point for conflict in conflicts for point in points_of(conflict)]
    groups = sorted(_groups(points, about), key=lambda places: places[0])
    return tuple(gathered_dispute([points[place] for place in places], stating, live) for places in groups)


def _name_keys(phrase: str) -> tuple[Set[Hashable], Set[Hashable]]:
    """Return keys for an index: whatever names the same thing (`same_name`) has each of the first among its second."""
    read = read_name(phrase)
    whole = frozenset[Hashable]({read.small or phrase} - {""})  # where nothing is named, all the words are one key
    return (read.named, read.named | read.small) if read.named else (whole, whole)


def _groups(points: list[Point], about: Collection[ConflictId] | None) -> Iterator[list[int]]:
    """Yield the places of the points on one matter, however many lie between two of them."""
    keys = [[_name_keys(name) for name in {claim.subject for claim in point.claims}] for point in points]
    index = defaultdict[Hashable, list[int]](list)
    for at, named in enumerate(keys):
        for key in {key for _, offered in named for key in offered}:
            index[key].append(at)
    rest = set(range(len(points)))
    for first, point in enumerate(points):
        if first not in rest or (about is not None and point.conflict.id not in about):
            continue
        group, near = list[int](), {first}
        while near:
            group += near
            rest -= near
            # Whose subjects name the same has the rarest word that it must have; so has who shares a statement.
            rarest = {at: [min(map(index.__getitem__, need), key=len) for need, _ in keys[at] if need] for at in near}
            met = ((at, other) for at, places in rarest.items() for other in rest & set().union(*places))
            near = {other for at, other in met if is_one_dispute(points[at], points[other])}
        yield sorted(group)
