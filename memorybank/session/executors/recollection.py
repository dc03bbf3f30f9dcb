"""What may be quoted of a memory, and under which name.

The raw text behind a memory is quoted under its own document's name, all of it but for sentences that speak for a side
which a verdict went against. A sentence that a verdict corrected stands in no document: it
is cited as memory, with the sources that say what holds, never with one that said otherwise.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from memorybank.contradiction.checks import states
from memorybank.contradiction.stance import stance
from memorybank.engines.offline.quotable import Passage
from memorybank.language.text import fold_space, sentences
from memorybank.memory.types import Claim, Conflict, Contradiction, Node
from memorybank.prompts import say
from memorybank.session.executors.base import Assignment, PartySource

OWN = 0.8
"""What a memory's own sentence counts beside one that a source says."""


def remembered(given: Assignment, node: Node) -> Iterator[Passage]:
    """The raw text behind a memory as far as no verdict goes against it; then the memory's own sentences."""
    raw = [one for one in given.origins if one.node_id == node.id]
    known = "\n".join(one.summary for one in given.memories)
    settled = [_Settled.of(pair, known) for one in given.closed if one.status.decides for pair in one.contradictions]
    for one in raw:
        yield Passage(source=f"{node.id}: {one.source}", text=one.text, left_out=_left_out(one.text, settled))
    said = [fold_space(one.text) for one in raw]
    for start, end in sentences(node.summary):
        sentence = node.summary[start:end].strip()
        if not any(fold_space(sentence) in text for text in said):
            yield Passage(source=_cited(given, node, sentence, raw), text=sentence, weight=OWN)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Settled:
    """A matter that a verdict settled, with what the memory says of it now."""

    matter: Contradiction
    known: str
    stands: tuple[bool, bool]
    """Whether the memory says what the left side claims, and what the right side does; both: it is still open."""

    @classmethod
    def of(cls, matter: Contradiction, memory: str) -> _Settled:
        said = [memory[start:end] for start, end in sentences(memory)]
        left, right = (any(states(one, claim, own=True) for one in said) for claim in (matter.left, matter.right))
        return cls(matter=matter, known=fold_space(memory), stands=(left, right))

    def is_against(self, sentence: str) -> bool:
        """Whether a sentence speaks for a side that fell."""
        if sentence in self.known:
            return False
        supports = stance(sentence, self.matter).supports
        spoken = [states(sentence, one, own=True) for one in (self.matter.left, self.matter.right)]
        left, right = spoken[0] or supports == "left", spoken[1] or supports == "right"
        return (left and not self.stands[0]) or (right and not self.stands[1]) or supports == "other"


def _left_out(text: str, settled: Iterable[_Settled]) -> frozenset[str]:
    against = list(settled)
    folded = (fold_space(text[start:end]) for start, end in sentences(text)) if against else ()
    return frozenset(one for one in folded if any(matter.is_against(one) for matter in against))


def _cited(given: Assignment, node: Node, sentence: str, raw: list[PartySource]) -> str:
    settled = [one for one in given.closed if one.status.decides]
    bearing = [one for one in settled if any(value in sentence for value in _holding(one))]
    against = {source for one in settled for source in _sources(one, raw, holds=False)}
    named = [source for one in bearing for source in _sources(one, raw, holds=True)]
    named = named or [one.source for one in raw]
    names = [source for source in dict.fromkeys(named) if source not in against]
    return say("answer_memory", given.lang, node=node.id, sources=", ".join(names)) if names else str(node.id)


def _holding(conflict: Conflict) -> list[str]:
    values = [conflict.value, *(one.value for one in conflict.evidence if one.supports == (conflict.winner or "other"))]
    return [value for value in dict.fromkeys(values) if value]


def _sources(conflict: Conflict, raw: Iterable[PartySource], *, holds: bool) -> list[str]:
    """Who says what holds, or who says otherwise: by the evidence, and by the claims' sentences in the raw text."""
    side = conflict.winner or "other"
    named = [one.source for one in conflict.evidence if one.supports != "neither" and (one.supports == side) is holds]
    claims = [claim for one in conflict.contradictions for claim in _claims(one.left, one.right, side, holds=holds)]
    return named + [
        one.source for one in raw if any(fold_space(claim.text) in fold_space(one.text) for claim in claims)
    ]


def _claims(left: Claim, right: Claim, side: str, *, holds: bool) -> list[Claim]:
    return [claim for name, claim in (("left", left), ("right", right)) if (name == side) is holds]
