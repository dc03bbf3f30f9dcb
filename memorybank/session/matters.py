"""The open conflicts by the question that they are on: a matter is told once, and one verdict rules on all its pairs.

Which contradictions a matter is made of, and which of its positions their two sides hold, goes with it as a value: a
verdict on it becomes one on each of its conflicts here, and nothing that follows knows of matters.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from string import ascii_uppercase
from typing import Annotated, Literal

from pydantic import BaseModel, BeforeValidator

from memorybank.contradiction.disputes.dispute import Dispute, label
from memorybank.contradiction.disputes.gathering import LONGEST_VALUE, Point, disputes_of, is_one_saying, points_of
from memorybank.contradiction.same_value import same_value
from memorybank.language.figures import unstated
from memorybank.language.text import fold_space, source_key
from memorybank.memory.contracts import StatedVerdict
from memorybank.memory.state import MemoryState
from memorybank.memory.types import SIDES, Claim, ClaimVerdict, ConflictId, ConflictStatus, Evidence, Lang, NodeId
from memorybank.memory.types import Value as Record
from memorybank.prompts import say
from memorybank.prompts.claim_words import GAP, short, shown

LONGEST_QUERY = 200
"""The most characters of a query by rule."""
_LETTER = re.compile(r"\b[A-Z]\d*\b")


@dataclass(frozen=True, slots=True, kw_only=True)
class Position(Record):
    """One of the values that stand against each other, and the memories that have it."""

    claim: Claim | None
    """The first statement that gives it; None where no engine took the claims apart."""
    node_ids: tuple[NodeId, ...] = ()
    vague: tuple[tuple[NodeId, str], ...] = ()
    """The value as a memory gives it that says it less exactly: "2014" beside "6 July 2014"."""

    @property
    def value(self) -> str:
        return shown(self.claim) if self.claim else ""

    @property
    def text(self) -> str:
        """Return its value; where that alone does not say what is disputed, the sentence."""
        if (claim := self.claim) is None:
            return ""
        is_named = claim.value and claim.attribute and (GAP not in claim.attribute or _is_plain(claim))
        return short(self.value if is_named else fold_space(claim.text), LONGEST_VALUE)


def _is_plain(claim: Claim) -> bool:
    return bool(claim.value) and claim.kind not in ("negation", "text")


Pair = tuple[Point, tuple[str, ...]]
"""A contradiction, and the letters of the positions that its left and its right hold."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Matter(Record):
    """A question on which memories contradict each other."""

    id: str
    dispute: Dispute
    pairs: tuple[Pair, ...]
    """The contradictions on it that are open."""
    positions: Mapping[str, Position]
    """The positions by letter."""

    @property
    def conflict_ids(self) -> tuple[ConflictId, ...]:
        return tuple(dict.fromkeys(point.conflict.id for point, _ in self.pairs))

    def about(self, lang: Lang) -> str:
        """Say what it is on; the description of its conflict stands there only where the values do not say the same,
        and alone where it names what it is on."""
        about, description = label(self.dispute, lang), fold_space(self.dispute.description)
        if self.dispute.claims and all(map(_is_plain, self.dispute.claims)):
            return about or description
        words = "".join(description.split())
        if all("".join(name.split()) in words for name in (self.dispute.entity, self.dispute.attribute)):
            return description
        return say("planned_whole", lang, head=about, text=description) if about else description

    def query(self, lang: Lang) -> str:
        """Return what to search for: what it is on, and the values that stand against each other."""
        about = label(self.dispute, lang) or self.dispute.description
        values = (position.value for position in self.positions.values())
        return short(fold_space(" ".join([about, *values])), LONGEST_QUERY)


def matters_of(state: MemoryState, about: Collection[ConflictId] | None = None) -> list[Matter]:
    """Return the matters of the open conflicts, the one found first at the head. `about`: those of these conflicts."""
    points = {point.name: point for conflict in state.conflicts.all.values() for point in points_of(conflict)}
    disputes = disputes_of(state, {conflict.id for conflict in state.conflicts.open()})
    matters = (_matter(dispute, [points[name] for name in dispute.points], state) for dispute in disputes)
    return [each for each in matters if each.pairs and (about is None or set(each.conflict_ids) & set(about))]


def _matter(dispute: Dispute, points: Iterable[Point], state: MemoryState) -> Matter:
    """Give each position its letter, closed conflicts counted, so that none has another one when a conflict closes."""
    positions: dict[str, Position] = {}
    pairs: list[Pair] = []
    for point in points:
        letters: tuple[str, ...] = ()
        for node_id, claim in zip(point.conflict.node_ids, point.claims or (None, None), strict=True):
            others = ((letter, own) for letter, own in positions.items() if letter not in letters)
            alike = (letter for letter, own in others if claim and _is_alike(own, claim, node_id, state))
            row, place = divmod(len(positions), len(ascii_uppercase))
            letter = next(alike, f"{ascii_uppercase[place]}{row or ''}")
            known = positions.get(letter, Position(claim=claim))
            nodes = dict.fromkeys((*known.node_ids, state.graph.successor(node_id)))
            vague = dict(known.vague)
            if claim and claim.value and unstated(known.value, claim.value):
                vague[state.graph.successor(node_id)] = short(claim.value, LONGEST_VALUE)
            positions[letter] = Position(claim=known.claim, node_ids=tuple(nodes), vague=tuple(vague.items()))
            letters = (*letters, letter)
        if point.conflict.status is ConflictStatus.OPEN:
            pairs.append((point, letters))
    held = {letter for _, letters in pairs for letter in letters}
    return Matter(
        id=f"m{dispute.id[1:]}",  # of its first conflict: no other takes it when that is closed
        dispute=dispute,
        pairs=tuple(pairs),
        positions={letter: position for letter, position in positions.items() if letter in held},
    )


def _is_alike(known: Position, claim: Claim, node_id: NodeId, state: MemoryState) -> bool:
    """Whether a claim gives the value of a position: as a value, in the same sentence, or in other words where its
    memory was compared with those of the position and found to agree ("flightless", "incapable of flight")."""
    if (own := known.claim) is None:
        return False
    if same_value(own, claim) or is_one_saying(own, claim):
        return True
    if own.attribute != claim.attribute or (_is_plain(own) and _is_plain(claim)):
        return False
    live, nodes = state.graph.successor, state.graph.nodes
    disputed = [{*map(live, each.node_ids)} for each in state.conflicts.all.values()]
    linked = nodes[live(node_id)].links
    return all(other in linked and {live(node_id), other} not in disputed for other in known.node_ids)


# -- a verdict on a matter --------------------------------------------------------------------------------------------


Letters = Annotated[tuple[str, ...], BeforeValidator(lambda stated: tuple(dict.fromkeys(_LETTER.findall(str(stated)))))]


class Passage(BaseModel):
    """A passage that speaks on a matter."""

    source: str
    quote: str
    supports: Letters = ()
    """The positions that it bears out; none for another value, or for none."""
    value: str = ""
    repeats: str = ""
    """The source that it only repeats."""


class MatterVerdict(BaseModel):
    """A `<verdict>` block on a matter."""

    matter: str
    holds: Letters = ()
    """The positions that hold. None: the value does, or, without one, nothing is decided."""
    value: str = ""
    reasoning: str = ""
    evidence: tuple[Passage, ...] = ()


def verdicts_on(matters: Iterable[Matter], stated: Mapping[str, MatterVerdict]) -> Iterator[StatedVerdict]:
    """Yield what verdicts on matters say of each conflict, point by point."""
    ruled: dict[ConflictId, list[tuple[MatterVerdict, ClaimVerdict, list[Evidence]]]] = {}
    for matter in matters:
        for point, letters in matter.pairs if matter.id in stated else ():
            verdict = stated[matter.id]
            own = (verdict, _ruled(verdict, point, letters, matter), list(_evidence(verdict, point, letters, matter)))
            ruled.setdefault(point.conflict.id, []).append(own)
    for conflict_id, rulings in ruled.items():
        yield StatedVerdict.model_validate(
            {
                "conflict": conflict_id,
                "reasoning": "\n".join(dict.fromkeys(verdict.reasoning for verdict, _, _ in rulings)),
                "evidence": [piece for _, _, evidence in rulings for piece in evidence],
                "claims": [claim for _, claim, _ in rulings],
            }
        )


def _ruled(verdict: MatterVerdict, point: Point, letters: Sequence[str], matter: Matter) -> ClaimVerdict:
    """Return what a verdict says of one pair of positions."""
    held = [side for side, letter in zip(SIDES, letters, strict=True) if letter in verdict.holds]
    value = verdict.value or _value_of(verdict.holds, matter)
    winner: Literal["left", "right", ""] = held[0] if len(held) == 1 else ""
    if held:
        status = ConflictStatus.RESOLVED if winner else ConflictStatus.FALSE_ALARM
    else:
        status = ConflictStatus.BOTH_WRONG if value else ConflictStatus.INCONCLUSIVE
    return ClaimVerdict(contradiction=point.number, status=status, winner=winner, value=value)


def _value_of(letters: Iterable[str], matter: Matter) -> str:
    return next((matter.positions[letter].value for letter in letters if letter in matter.positions), "")


def _evidence(verdict: MatterVerdict, point: Point, letters: Sequence[str], matter: Matter) -> Iterator[Evidence]:
    """Yield what the passages say of one pair: none is a vote that is a document of its two memories, or repeats one.

    A passage that bears out another position of the matter speaks for a third value here.
    """
    origin = {source_key(piece.source): source_key(piece.repeats) for piece in verdict.evidence if piece.repeats}
    parties, held = point.conflict.parties, {*verdict.holds}
    own = {source_key(name) for name in (*parties.left, *parties.right)} if parties else set()
    own |= {origin[name] for name in own if name in origin}
    for piece in verdict.evidence:
        backed = {*piece.supports}
        if len(held & {*letters}) == 1 and held & backed:  # positions that hold together say the same against the other
            backed |= held
        value = piece.value or _value_of(piece.supports, matter)
        supports: list[Literal["left", "right", "other", "neither"]] = [
            side for side, letter in zip(SIDES, letters, strict=True) if letter in backed
        ]
        for side in supports or ["other" if value else "neither"]:
            yield Evidence(
                source=piece.source,
                quote=piece.quote,
                supports=side,
                value=piece.value if supports else value,
                independent=not piece.repeats and source_key(piece.source) not in own,
                contradictions=(point.number,),
            )
