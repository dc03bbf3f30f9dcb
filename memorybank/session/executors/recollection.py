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
from memorybank.memory.types import Claim, Conflict, Contradiction, Evidence, Node
from memorybank.prompts import say
from memorybank.session.executors.base import Assignment, PartySource

MEMORY_WEIGHT = 0.8
"""Weight of a memory's own sentence, where a sentence of a source weighs 1."""


def quotable_passages(given: Assignment, node: Node) -> Iterator[Passage]:
    """Yields the raw text behind a memory as far as no verdict refutes it, then the memory's own sentences."""
    raw = [passage for passage in given.origins if passage.node_id == node.id]
    memory = "\n".join(other.summary for other in given.memories)
    decided = [pair for conflict in given.closed if conflict.status.decides for pair in conflict.contradictions]
    settled = [_DecidedContradiction.of(pair, memory) for pair in decided]
    for passage in raw:
        yield Passage(
            source=f"{node.id}: {passage.source}", text=passage.text, left_out=_left_out(passage.text, settled)
        )
    known_texts = [fold_space(passage.text) for passage in raw]
    for start, end in sentences(node.summary):
        sentence = node.summary[start:end].strip()
        if not any(fold_space(sentence) in text for text in known_texts):
            yield Passage(source=_citation(given, node, sentence, raw), text=sentence, weight=MEMORY_WEIGHT)


@dataclass(frozen=True, slots=True, kw_only=True)
class _DecidedContradiction:
    """A contradiction that a verdict decided, with what the memory now states of it."""

    matter: Contradiction
    known: str
    stands: tuple[bool, bool]
    """Whether the memory states the left claim, and whether it states the right one; both: it is still open."""

    @classmethod
    def of(cls, matter: Contradiction, memory: str) -> _DecidedContradiction:
        statements = [memory[start:end] for start, end in sentences(memory)]
        left, right = (
            any(states(statement, claim, own=True) for statement in statements) for claim in (matter.left, matter.right)
        )
        return cls(matter=matter, known=fold_space(memory), stands=(left, right))

    def is_against(self, sentence: str) -> bool:
        """Tells whether a sentence supports a side that was refuted."""
        if sentence in self.known:
            return False
        supports = stance(sentence, self.matter).supports
        spoken = [states(sentence, claim, own=True) for claim in (self.matter.left, self.matter.right)]
        left, right = spoken[0] or supports == "left", spoken[1] or supports == "right"
        return (left and not self.stands[0]) or (right and not self.stands[1]) or supports == "other"


def _left_out(text: str, settled: Iterable[_DecidedContradiction]) -> frozenset[str]:
    against = list(settled)
    folded = (fold_space(text[start:end]) for start, end in sentences(text)) if against else ()
    return frozenset(sentence for sentence in folded if any(matter.is_against(sentence) for matter in against))


def _citation(given: Assignment, node: Node, sentence: str, raw: list[PartySource]) -> str:
    settled = [conflict for conflict in given.closed if conflict.status.decides]
    bearing = [conflict for conflict in settled if any(value in sentence for value in _standing_values(conflict))]
    against = {source for conflict in settled for source in _sources(conflict, raw, holds=False)}
    named = [source for conflict in bearing for source in _sources(conflict, raw, holds=True)]
    named = named or [passage.source for passage in raw]
    names = [source for source in dict.fromkeys(named) if source not in against]
    return say("answer_memory", given.lang, node=node.id, sources=", ".join(names)) if names else str(node.id)


def _standing_values(conflict: Conflict) -> list[str]:
    values = [conflict.value, *(piece.value for piece in conflict.evidence if _holds(piece, conflict))]
    return [value for value in dict.fromkeys(values) if value]


def _sources(conflict: Conflict, raw: Iterable[PartySource], *, holds: bool) -> list[str]:
    """Names the sources that state what holds (or what does not), by the evidence and by the claims' sentences."""
    named = [
        piece.source
        for piece in conflict.evidence
        if piece.supports != "neither" and not piece.refused and _holds(piece, conflict) is holds
    ]
    claims = [
        claim
        for number, pair in enumerate(conflict.contradictions)
        for claim in _claims(pair.left, pair.right, conflict.ruling_on(number).winner or "other", holds=holds)
    ]
    return named + [
        passage.source for passage in raw if any(fold_space(claim.text) in fold_space(passage.text) for claim in claims)
    ]


def _holds(piece: Evidence, conflict: Conflict) -> bool:
    """Whether a passage says what holds, on one of its points."""
    numbers = piece.contradictions or range(max(1, len(conflict.contradictions)))
    return any(piece.supports == (conflict.ruling_on(number).winner or "other") for number in numbers)


def _claims(left: Claim, right: Claim, side: str, *, holds: bool) -> list[Claim]:
    return [claim for name, claim in (("left", left), ("right", right)) if (name == side) is holds]
