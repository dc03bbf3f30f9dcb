"""A dispute as a value: an entity, an attribute, its values with the documents that state each; and it in words."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from memorybank.memory.types import Claim, ConflictId, ConflictStatus, Lang, NodeId, Value
from memorybank.prompts import say
from memorybank.prompts.claim_words import alternatives, listed, matter, opened, quoted

STATES: Final[tuple[ConflictStatus, ...]] = tuple(
    s for s in ConflictStatus if s not in (ConflictStatus.BOTH_WRONG, ConflictStatus.CHECKED)
)
"""The states of a dispute; that both of a pair are wrong, or stay two nodes, is a matter of that conflict."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Said(Value):
    """A document that states a value, and the words in which it does."""

    source: str
    quote: str
    independent: bool = False
    """It is a vote on the dispute: a check counted it, it is no party of any conflict of the dispute, and no copy."""
    in_other_words: bool = False
    """Whether its words are not the value's, so that they are shown beside it by themselves."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StatedValue(Value):
    """One value of a dispute."""

    text: str
    """The value as the first source writes it, with what it counts."""
    said: tuple[Said, ...] = ()
    """The documents that state it, each once: those that the claims stand in, and those that a check counted. Empty
    where it stands in the words of a memory alone."""
    node_ids: tuple[NodeId, ...] = ()
    """Nodes that stated it when the conflict was found, where they are now."""

    @property
    def sources(self) -> tuple[str, ...]:
        """Return the names of the documents that state it in its own words."""
        return tuple(said.source for said in self.said if not said.in_other_words)


@dataclass(frozen=True, slots=True, kw_only=True)
class Dispute(Value):
    """A disputed attribute of an entity, and how that stands."""

    id: str
    """The first of its points."""
    points: tuple[str, ...] = field(default=(), repr=False)
    """The contradictions that it is made of: of each its conflict's id, and from the second point of a conflict on the
    number behind a dot. No other dispute has any of them, and a dispute that grows keeps its own."""
    entity: str
    attribute: str
    values: tuple[StatedValue, ...]
    """The values, the one that holds first, else that with most sources; empty where no engine took the claims
    apart."""
    conflict_ids: tuple[ConflictId, ...]
    status: ConflictStatus
    """Open while one of its conflicts is; resolved when a verdict says what holds and no other verdict disagrees, be it
    a third value, and whether or not the memories became one; else a false alarm or inconclusive."""
    description: str
    """Description of its first conflict; shown where there are no values."""
    claims: tuple[Claim, ...] = field(default=(), repr=False)
    """All statements that are disputed, each once."""

    @property
    def holds(self) -> StatedValue | None:
        """Return the value that a verdict found to hold."""
        return self.values[0] if self.status.decides and self.values else None


def describe(dispute: Dispute, lang: Lang) -> str:
    """Say in one line what is disputed, and each value with who states it; what holds comes first."""
    if not dispute.values:
        return dispute.description
    is_sentence = not any(claim.value for claim in dispute.claims)
    values = list[str]()
    for value in dispute.values:
        text = quoted(value.text) if is_sentence else value.text
        sources = say("sources_between", lang).join(value.sources)
        values.append(say("dispute_value", lang, value=text, sources=sources) if sources else text)
    return listed(values, label(dispute, lang), lang)


def title(dispute: Dispute, lang: Lang) -> str:
    """Name what is disputed; where nothing does, its values; without any, its words."""
    name = opened(label(dispute, lang))
    return name or alternatives([value.text for value in dispute.values], lang) or dispute.description


def label(dispute: Dispute, lang: Lang | None = None) -> str:
    """Name what is disputed, to open a line; the attribute is left out where the values say it. `lang` is that of the
    words between the claims' own; None: the claims'."""
    said = any(dispute.attribute in value.text for value in dispute.values)
    return matter(dispute.entity, "" if said else dispute.attribute, dispute.claims, lang)
