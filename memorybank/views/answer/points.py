"""What an answer says, point by point: a value, or a sentence where it has none, with sources and how it was checked.

    for point in points_of(moment.bank): point.values, point.state, point.values[0].sources

A value is one of a dispute where the answer states it of the disputed thing, or by its documents. Else it is what the
answer itself cites; without a citation, what the memory's documents say of the thing that the answer names. What none
of them says has no source, and the point says so.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from memorybank.contradiction.disputes import Dispute, StatedValue, disputes_of, label
from memorybank.contradiction.entity_names import is_named_in, names_in, units_of
from memorybank.contradiction.matter import opened
from memorybank.language import quotation
from memorybank.language.han import is_han
from memorybank.memory.bank import MemoryBank
from memorybank.memory.types import ConflictStatus, Entry, NodeId
from memorybank.views.answer.sources import (
    CitedSource,
    Documents,
    dispute_sources,
    independent_of,
    is_same_value,
    quote_place,
    value_place,
)
from memorybank.views.answer.statements import AnswerStatement, statements
from memorybank.views.answer.values import StatedHere, stated_here, value_in, values_of
from memorybank.views.boxes.conflicts import USER
from memorybank.views.text.citations import without_citations

PointState = Literal[
    "checked", "decided", "open", "both_hold", "refuted", "agreed", "single", "found", "silent", "unknown"
]
"""`checked`: a verdict says that it holds. `decided`: a person said so. `open`: disputed and not settled. `both_hold`:
disputed, and no contradiction. `refuted`: a verdict says that another value holds. `agreed`: two independent documents
say it, none another value. `single`: one does. `found`: the answer names no source, documents of the memory say it.
`silent`: none of the documents that the answer names says it in these words. `unknown`: no source is known."""

MOST_SENTENCES = 3
"""Key sentences of an answer that has no value."""
LONGEST_NAME = 48
"""Columns of an entity that is a name, not a topic."""
MOST_SEARCHED = 40
"""Documents that are looked through for a value without a citation."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PointValue:
    text: str
    sources: tuple[CitedSource, ...]
    """That say it; where none does, those that are named for it."""
    nodes: tuple[NodeId, ...] = ()
    """Live memories that it stands in: those that the answer cites, else the sources'."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerPoint:
    about: str
    """What the value is of, in the answer's words; empty where no grammar tells, and for a sentence."""
    sentence: str
    """The statement of the answer, without the memories that it cites."""
    values: tuple[PointValue, ...]
    """Several where none of them is settled, or all hold. Of a sentence, the sentence."""
    is_sentence: bool = False
    state: PointState = "unknown"
    dispute: Dispute | None = None
    rivals: tuple[StatedValue, ...] = ()
    """The dispute's other values."""
    independent: int = 0
    """Documents that say it and are no copies; of a checked value, those that the check counted."""


def points_of(bank: MemoryBank) -> tuple[AnswerPoint, ...]:
    """The points of the current answer, in its order; empty without an answer."""
    answer = bank.progress.answer
    if not answer.strip():
        return ()
    documents = Documents.of(bank)
    return _Reading(documents, disputes_of(bank)).points(statements(answer, documents.by_name))


@dataclass(slots=True)
class _Reading:
    documents: Documents
    disputes: Sequence[Dispute]

    @property
    def bank(self) -> MemoryBank:
        return self.documents.bank

    def points(self, said: Sequence[AnswerStatement]) -> tuple[AnswerPoint, ...]:
        quotes = [each for each in said if each.in_list and self._is_quote(each)]
        points = self._value_points([each for each in said if each not in quotes])
        if not points:
            first: dict[int, AnswerStatement] = {}
            for each in quotes:
                first.setdefault(each.section, each)
            chosen = list(first.values()) or [each for each in said if len(each.plain) > 1][:MOST_SENTENCES]
            return tuple(map(self._sentence_point, chosen))
        return (*points, *self._uncovered(quotes, points))

    def _is_quote(self, statement: AnswerStatement) -> bool:
        return any(
            quote_place(entry, statement.plain) for name in statement.documents for entry in self.documents.named(name)
        )

    def _uncovered(self, quotes: Sequence[AnswerStatement], points: Sequence[AnswerPoint]) -> Iterator[AnswerPoint]:
        """The first quote of each part of the answer that says none of the values, or one that was disputed as well."""
        shown_disputes = {point.dispute.id for point in points if point.dispute}
        values = [value.text for point in points for value in point.values]
        for section in dict.fromkeys(each.section for each in quotes):
            own = [each for each in quotes if each.section == section]
            point = self._sentence_point(own[0])
            is_said = any(value_in(each.plain, text) for each in own for text in values)
            if point.dispute.id not in shown_disputes if point.dispute else not is_said:
                shown_disputes |= {point.dispute.id} if point.dispute else set()
                yield point

    # -- values -------------------------------------------------------------------------------------------------------

    def _value_points(self, said: Sequence[AnswerStatement]) -> list[AnswerPoint]:
        points: list[AnswerPoint] = []
        of_dispute: dict[str, int] = {}
        lost: dict[str, tuple[AnswerStatement, StatedHere, Dispute]] = {}
        before = ""
        for statement in said:
            before = statement.plain if not statement.follows else f"{before} {statement.plain}"
            for stated in values_of(statement, self.disputes):
                dispute, value = self._dispute_on(stated, statement)
                if dispute is None or value is None:
                    point = None if stated.named else self._undisputed(stated, statement, before)
                    if point is not None and not any(_repeats(point, other) for other in points):
                        points.append(point)
                elif dispute.holds is not None and value is not dispute.holds:
                    lost.setdefault(dispute.id, (statement, stated, dispute))
                elif dispute.id not in of_dispute:
                    of_dispute[dispute.id] = len(points)
                    points.append(self._disputed(stated, statement, dispute, value))
                else:
                    at = of_dispute[dispute.id]
                    points[at] = self._with_value(points[at], stated, dispute, value)
        for id_, (statement, stated, dispute) in lost.items():
            if id_ not in of_dispute:
                points.append(self._refuted(stated, statement, dispute))
        return points

    def _dispute_on(self, stated: StatedHere, statement: AnswerStatement) -> tuple[Dispute | None, StatedValue | None]:
        """The dispute that a value is one of: by what it is said of, or by the documents or memories that are cited."""
        for dispute in self.disputes:
            value = next((value for value in dispute.values if is_same_value(stated.text, value.text)), None)
            if value is None:
                continue
            names = {dispute.entity, *(claim.subject for claim in dispute.claims)} - {""}
            cited = set(stated.documents) & set(value.sources) or set(stated.nodes) & set(value.node_ids)
            if cited or is_named_in(statement.plain, names):
                return dispute, value
        return None, None

    def _disputed(
        self, stated: StatedHere, statement: AnswerStatement, dispute: Dispute, value: StatedValue
    ) -> AnswerPoint:
        whole = quotation.place(statement.words, value.text) is not None
        return AnswerPoint(
            about=_matter_of(dispute, stated.about),
            sentence=without_citations(statement.text),
            values=(self._dispute_value(replace(stated, text=value.text) if whole else stated, dispute, value),),
            state=self._state_of(dispute),
            dispute=dispute,
            rivals=tuple(other for other in dispute.values if other is not value),
            independent=self._counted(dispute, value),
        )

    def _state_of(self, dispute: Dispute) -> PointState:
        if dispute.holds is None:
            return "both_hold" if dispute.status is ConflictStatus.FALSE_ALARM else "open"
        by = {self.bank.conflicts.all[conflict_id].closed_by for conflict_id in dispute.conflict_ids}
        return "decided" if by == {USER} else "checked"

    def _with_value(self, point: AnswerPoint, stated: StatedHere, dispute: Dispute, value: StatedValue) -> AnswerPoint:
        """The other side of what is not settled stands beside the first; a second mention of a value adds nothing."""
        if any(is_same_value(value.text, known.text) for known in point.values):
            return point
        rivals = tuple(other for other in point.rivals if other is not value)
        return replace(point, values=(*point.values, self._dispute_value(stated, dispute, value)), rivals=rivals)

    def _dispute_value(self, stated: StatedHere, dispute: Dispute, value: StatedValue) -> PointValue:
        nodes = stated.nodes or value.node_ids
        sources = dispute_sources(dispute, value, self.documents)
        return PointValue(text=stated.text, sources=sources, nodes=self._live(nodes, sources))

    def _refuted(self, stated: StatedHere, statement: AnswerStatement, dispute: Dispute) -> AnswerPoint:
        value = next(value for value in dispute.values if is_same_value(stated.text, value.text))
        point = self._disputed(stated, statement, dispute, value)
        return replace(point, state="refuted")

    def _counted(self, dispute: Dispute, value: StatedValue) -> int:
        """Independent documents that the check heard for a value."""
        heard = {
            evidence.source
            for conflict_id in dispute.conflict_ids
            for evidence in self.bank.conflicts.all[conflict_id].evidence
            if evidence.independent and evidence.is_said
        }
        return len(heard.intersection(value.sources))

    def _undisputed(self, stated: StatedHere, statement: AnswerStatement, before: str) -> AnswerPoint | None:
        said = f"{stated.about} {statement.plain}"
        names = stated.documents or tuple(
            dict.fromkeys(name for node_id in stated.nodes for name in self.bank.tree.sources_of(self._now(node_id)))
        )
        sources = [self._source(name, stated.text, said) for name in names]
        saying = [source for source in sources if source.place is not None]
        looked_up = [] if sources else self._search(stated.text, before or said, said)
        if stated.weak and not saying and not looked_up:
            return None
        shown_sources = tuple(saying or looked_up or sources)
        return AnswerPoint(
            about=stated.about,
            sentence=without_citations(statement.text),
            values=(
                PointValue(text=stated.text, sources=shown_sources, nodes=self._live(stated.nodes, shown_sources)),
            ),
            state=_state_of(saying, looked_up, named=bool(names)),
            independent=independent_of(saying or looked_up),
        )

    def _source(self, name: str, value: str, said: str) -> CitedSource:
        places = (value_place(entry, value, said) for entry in self.documents.named(name))
        return self.documents.source(name, next(filter(None, places), None))

    def _search(self, value: str, before: str, said: str) -> list[CitedSource]:
        """Documents that name what the answer speaks of and state the value of it."""
        names = names_in(said) or names_in(before)
        named = [entry for entry in self.bank.tree.entries.values() if entry.is_source and _names(entry, names)]
        found = {
            entry.source: self.documents.source(entry.source, place)
            for entry in named[:MOST_SEARCHED]
            if (place := value_place(entry, value, said)) is not None
        }
        return list(found.values())

    # -- sentences ----------------------------------------------------------------------------------------------------

    def _sentence_point(self, statement: AnswerStatement) -> AnswerPoint:
        words = statement.plain
        on = next(
            (
                (dispute, value)
                for dispute in self.disputes
                for value in dispute.values
                if value_in(words, value.text)
                and (set(statement.documents) & set(value.sources) or set(statement.nodes) & set(value.node_ids))
            ),
            None,
        )
        names = statement.documents
        sources = [
            self.documents.source(
                name,
                next(filter(None, (quote_place(entry, words) for entry in self.documents.named(name))), None),
            )
            for name in names
        ]
        saying = [source for source in sources if source.place is not None]
        shown_sources = tuple(saying or sources)
        point = AnswerPoint(
            about="",
            sentence=without_citations(statement.text),
            values=(PointValue(text=words, sources=shown_sources, nodes=self._live(statement.nodes, shown_sources)),),
            is_sentence=True,
            state=_state_of(saying, [], named=bool(names)),
            independent=independent_of(saying),
        )
        if on is None:
            return point
        dispute, value = on
        disputed = self._disputed(stated_here(value.text, "", statement), statement, dispute, value)
        return disputed if dispute.holds in (None, value) else replace(disputed, state="refuted")

    def _live(self, nodes: Iterable[NodeId], sources: Iterable[CitedSource]) -> tuple[NodeId, ...]:
        cited = [self._now(node_id) for node_id in nodes]
        there = [node_id for node_id in cited if node_id in self.bank.graph.nodes]
        return tuple(dict.fromkeys(there or [source.node_id for source in sources if source.node_id]))

    def _now(self, node_id: NodeId) -> NodeId:
        return self.bank.graph.successor(node_id)


def _state_of(saying: Sequence[CitedSource], looked_up: Sequence[CitedSource], *, named: bool) -> PointState:
    if saying:
        return "agreed" if independent_of(saying) > 1 else "single"
    if looked_up:
        return "found"
    return "silent" if named else "unknown"


def _matter_of(dispute: Dispute, about: str) -> str:
    """What a dispute is on. Where its entity is the topic of a whole memory, the attribute tells."""
    if len(dispute.entity) + sum(map(is_han, dispute.entity)) > LONGEST_NAME:
        return opened(dispute.attribute) or about
    return opened(label(dispute)) or about


def _repeats(point: AnswerPoint, other: AnswerPoint) -> bool:
    return any(
        is_same_value(value.text, known.text) for value in point.values for known in other.values
    ) and point.about in ("", other.about)


def _names(entry: Entry, names: Sequence[str]) -> bool:
    text = entry.text.casefold()
    written = [name for name in names if any(word in text for word in units_of(name))]
    return bool(written) and is_named_in(entry.text, written)
