"""Where the memory's documents say a value or a sentence of an answer.

Nothing is taken for said that does not stand there.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from memorybank.contradiction.describe import shown
from memorybank.contradiction.disputes import Dispute, StatedValue
from memorybank.contradiction.independence import near_identical
from memorybank.contradiction.same_value import same_value
from memorybank.language import quotation
from memorybank.language.figures import figures
from memorybank.language.text import fold_space
from memorybank.language.tokens import query_tokens
from memorybank.memory.bank import MemoryBank
from memorybank.memory.types import SIDES, Claim, Conflict, Entry, EntryId, Evidence, NodeId, Span
from memorybank.views.text.passages import owners, place_of
from memorybank.views.text.stating import Statement, where_stated

_TELLING = 3
"""Digits from which on a bare number is not met by chance."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CitedSource:
    """A document that is named for a value."""

    name: str
    entry: Entry | None = None
    """None: the memory has no such document."""
    place: Span | None = None
    """The sentence that says it; None: it does not stand there in these words."""
    node_id: NodeId | None = None
    """A live memory that stands on the place, or on the document."""


@dataclass(frozen=True, slots=True)
class Documents:
    """The documents of a memory, each by its name, and the live memories that stand on them."""

    bank: MemoryBank
    by_name: Mapping[str, Sequence[Entry]]
    owners: Mapping[EntryId, Sequence[tuple[NodeId, Span]]]

    @classmethod
    def of(cls, bank: MemoryBank) -> Documents:
        by_name: dict[str, list[Entry]] = {}
        for entry in bank.tree.entries.values():
            if entry.is_source:
                by_name.setdefault(entry.source, []).append(entry)
        return cls(bank, by_name, owners(bank.tree, bank.graph.nodes))

    def named(self, name: str) -> Sequence[Entry]:
        return self.by_name.get(name, ())

    def source(self, name: str, place: Span | None) -> CitedSource:
        entry = self.bank.tree.entries[place.entry_id] if place else next(iter(self.named(name)), None)
        return CitedSource(name=name, entry=entry, place=place, node_id=self._home(entry, place))

    def _home(self, entry: Entry | None, place: Span | None) -> NodeId | None:
        standing = self.owners.get(entry.id, ()) if entry is not None else ()
        holding = [node_id for node_id, span in standing if place is not None and span.holds(place)]
        return next(iter(holding or [node_id for node_id, _ in standing]), None)


def independent_of(sources: Iterable[CitedSource]) -> int:
    """How many of the documents that say it are no copies of each other."""
    voices: list[str] = []
    for source in sources:
        if source.place is not None and source.entry is not None:
            text = source.entry.body
            if not any(near_identical(text, other) for other in voices):
                voices.append(text)
    return len(voices)


# -- where a value stands ---------------------------------------------------------------------------------------------


def value_place(entry: Entry, value: str, said: str) -> Span | None:
    """The sentence of a document that states a value, the one with most words of what the answer says of it.

    `said`: the words of the answer about it. A value where none of them stands is another thing's, unless it is hardly
    met by chance: a day, a measure.
    """
    rest = said.replace(value, " ")
    found = where_stated(Statement(rest, value), entry.body)
    if found is None or not (found.shared or not query_tokens(rest) or _is_telling(value)):
        return None
    return Span(entry_id=entry.id, start=entry.body_start + found.start, end=entry.body_start + found.end)


def _is_telling(value: str) -> bool:
    """Whether a value is met where nothing else is said of it in the same words, as in another language."""
    return any(figure.measured for figure in figures(value)) or sum(map(str.isdigit, value)) >= _TELLING


def quote_place(entry: Entry, sentence: str) -> Span | None:
    at = quotation.place(entry.text, sentence)
    return Span(entry_id=entry.id, start=at[0], end=at[1]) if at else None


def dispute_sources(dispute: Dispute, value: StatedValue, documents: Documents) -> tuple[CitedSource, ...]:
    """Who states a value of a dispute: where the check quoted it, else where the claim stands."""
    bank, quoted = documents.bank, dict[str, Span]()
    for conflict_id in dispute.conflict_ids:
        conflict = bank.conflicts.all[conflict_id]
        for evidence in conflict.evidence:
            place = place_of(bank.tree, evidence) if evidence.is_said else None
            if place is not None and any(is_same_value(said, value.text) for said in _supported(evidence, conflict)):
                quoted.setdefault(evidence.source, place)
    claims = [claim for claim in dispute.claims if is_same_value(shown(claim), value.text)]
    return tuple(
        documents.source(name, quoted.get(name) or _claimed(documents.named(name), claims, value))
        for name in value.sources
    )


def _supported(evidence: Evidence, conflict: Conflict) -> list[str]:
    """The values that a piece of evidence speaks for."""
    if evidence.supports not in SIDES:
        return [evidence.value] if evidence.supports == "other" else []
    points = evidence.contradictions or range(len(conflict.contradictions))
    pairs = [conflict.contradictions[at] for at in points if at < len(conflict.contradictions)]
    return [shown(pair.left if evidence.supports == "left" else pair.right) for pair in pairs]


def _claimed(entries: Iterable[Entry], claims: Sequence[Claim], value: StatedValue) -> Span | None:
    for entry in entries:
        for claim in claims:
            if place := quote_place(entry, claim.text):
                return place
        said = " ".join(f"{claim.subject} {claim.attribute}" for claim in claims)
        if place := value_place(entry, value.text, said):
            return place
    return None


def is_same_value(left: str, right: str) -> bool:
    """Whether two values are one, however they are written: 76 photons, 76个光子; 2020-12, 二〇二〇年十二月."""
    return fold_space(left).casefold() == fold_space(right).casefold() or same_value(_claim(left), _claim(right))


def _claim(value: str) -> Claim:
    return Claim(text=value, kind="name", subject="", attribute="", value=value)
