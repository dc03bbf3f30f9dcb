"""What may be quoted of a memory, and under which name.

A sentence that stands word for word in the raw text is quoted from there, under its own document's name. One that a
verdict corrected stands in no document: it is cited as memory, with the sources that say what holds, never with one
that said otherwise.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from memorybank.engines.offline.quoting import Passage
from memorybank.executors.base import Assignment, PartySource
from memorybank.prompts import say
from memorybank.text import fold_space, sentences
from memorybank.types import Claim, Conflict, Node


def remembered(given: Assignment, node: Node) -> Iterator[Passage]:
    """The raw text behind a memory as far as the memory still says it; then the memory's own sentences."""
    raw = [one for one in given.origins if one.node_id == node.id]
    for one in raw:
        yield Passage(source=f"{node.id}: {one.source}", text=one.text, within=node.summary)
    said = [fold_space(one.text) for one in raw]
    for start, end in sentences(node.summary):
        sentence = node.summary[start:end].strip()
        if not any(fold_space(sentence) in text for text in said):
            yield Passage(source=_cited(given, node, sentence, raw), text=sentence)


def _cited(given: Assignment, node: Node, sentence: str, raw: list[PartySource]) -> str:
    settled = [one for one in given.closed if one.status.merges]
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
