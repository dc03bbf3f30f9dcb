"""A model's or an outside agent's answer, read once into points: its values, what it cites, and what it leaves out.

A statement cites a document by its name, or a memory by its id, `[n7: a.md]`. What a cited document does not say has no
source for it; where the answer cites nothing, the documents of the memory that say it are its sources.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice

from memorybank.contradiction.disputes.dispute import Dispute, StatedValue
from memorybank.engines.offline.asking import Question, question_of
from memorybank.language import dates, quotation
from memorybank.language.dates import Date
from memorybank.language.figures import figures, states
from memorybank.language.names import is_named_in, names_in
from memorybank.language.text import sentences
from memorybank.language.tokens import query_tokens
from memorybank.language.values import Quantity
from memorybank.memory.types import AnswerPoint, Entry, NodeId
from memorybank.session.answer_points import MOST_SEARCHED, Ground, is_same_value, is_written, quote_place, value_place

COVERED = 0.5
"""Share of the words that only one part of the question has, from which on a statement answers it."""

_CITED_RE = re.compile(r"\s*\[(?P<node>n\d+)(?:\s*[:：]\s*[^\]]*)?\]")
_ITEM_RE = re.compile(r"\s*(?:[-*•]|\d{1,2}[.)、])\s*(?=\S)")
_HEADING_RE = re.compile(r"\s*#|.*[:：]\s*[*_]*\s*$")
_ASIDE_RE = re.compile(r"\s*[\[(（][\s,;，；、]*[\])）]")
_CLAUSE_RE = re.compile(r"[;；](?![^()（）\[\]]*[)）\]])")
"""A semicolon that is in no brackets: what stands on either side of it cites documents of its own."""
_LOWEST = 10
"""A smaller number without a unit is a way of speaking."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Statement:
    words: str
    """The words without what they cite."""
    context: str
    """The heading and the sentences of its line before it: they may say what it is about."""
    cited: tuple[Entry, ...]
    nodes: tuple[NodeId, ...]

    @property
    def said(self) -> str:
        return f"{self.context} {self.words}"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Value:
    """A value that a statement gives."""

    text: str
    kind: str
    weak: bool = False
    """It may be a way of speaking: no value where no source says it."""


def read_points(answer: str, parts: Sequence[str], ground: Ground) -> tuple[AnswerPoint, ...]:
    """Return an answer's points on each part of the question, in its order, then those that answer none of them."""
    reading = _Reading(answer, ground, [question_of(part) for part in parts])
    return reading.points(list(_statements(answer, ground)))


# -- statements -------------------------------------------------------------------------------------------------------


def _statements(answer: str, ground: Ground) -> Iterator[_Statement]:
    names = {entry.source for entry in ground.entries.values() if entry.source in answer}
    names = {name for name in names if re.search(r"[./]", name) or f"[{name}" in answer}  # "task" is a word as well
    names_re = re.compile(
        "|".join(rf"(?<![\w/-]){re.escape(name)}(?![\w/-])" for name in sorted(names, key=len, reverse=True)) or r"(?!)"
    )
    heading = ""
    for line in filter(str.strip, answer.splitlines()):
        if _HEADING_RE.match(line):
            heading = line
            continue
        item = _ITEM_RE.match(line)
        body = line[item.end() :] if item else line
        of_line: list[_Statement] = []
        for text in (part for start, end in sentences(body) for part in _CLAUSE_RE.split(body[start:end])):
            nodes = tuple(NodeId(match["node"]) for match in _CITED_RE.finditer(text))
            cited = tuple(entry for match in names_re.finditer(text) for entry in ground.named(match[0]))
            words = _ASIDE_RE.sub("", names_re.sub("", _CITED_RE.sub("", text))).strip()
            if any(map(str.isalnum, words)):
                before = " ".join([heading, *(each.words for each in of_line)])
                of_line.append(_Statement(words=words, context=before, cited=cited, nodes=nodes))
            elif of_line:  # what is cited behind the full stop
                last = of_line[-1]
                of_line[-1] = replace(last, cited=last.cited + cited, nodes=last.nodes + nodes)
        yield from of_line


@dataclass(slots=True)
class _Reading:
    answer: str
    ground: Ground
    questions: Sequence[Question]

    def points(self, said: Sequence[_Statement]) -> tuple[AnswerPoint, ...]:
        found: list[tuple[int, AnswerPoint]] = []
        for at, statement in enumerate(said):
            for value in self._values_of(statement):
                self._add(found, value, statement, at)
        disputed = [value.text for _, point in found if point.conflict_ids for value in point.values]
        found = [each for each in found if each[1].conflict_ids or not _is_among(disputed, each[1].values[0].text)]
        for question in self.questions:
            if not any(point.part == question.text for _, point in found):
                found = self._with_part(found, question, said)
        if self.questions:  # what no part asks for is not disputed either
            found = [each for each in found if each[1].part or each[1].conflict_ids]
        order = {question.text: at for at, question in enumerate(self.questions)}
        ordered = sorted(found, key=lambda each: order.get(each[1].part, len(order)))
        own = {question.text: question.own for question in self.questions}  # without what is meant, for the heading
        return tuple(replace(point, part=own.get(point.part, point.part)) for _, point in ordered)

    def _add(self, found: list[tuple[int, AnswerPoint]], value: _Value, statement: _Statement, at: int) -> None:
        """Add a value, unless it was mentioned before."""
        dispute, given = self._dispute_on(value, statement)
        if dispute is not None:
            part = self._part_of(value, " ".join([statement.said, *(claim.text for claim in dispute.claims)]))
            if (holds := dispute.holds) is not None:
                said = [claim.value for claim in dispute.claims if is_written(holds, claim.value)]
                if any(states(self.answer, text) for text in (holds.text, *said)):
                    given = holds  # what does not hold is named beside it
            point = self.ground.disputed(dispute, part, given)
            told = [(other.conflict_ids, other.about) for _, other in found]
            if (point.conflict_ids, point.about) not in told:
                found.append((at, point))
            return
        part = self._part_of(value, statement.said, own=statement.words)
        if (undisputed := self._undisputed(value, statement, part)) is not None:
            known = (other for _, other in found if not other.conflict_ids)
            if not _is_among((each.text for other in known for each in other.values), value.text):
                found.append((at, undisputed))

    # -- values -------------------------------------------------------------------------------------------------------

    def _values_of(self, statement: _Statement) -> list[_Value]:
        """Return the values of a statement in its order: those that are disputed, dates, measures and counts."""
        words = statement.words
        found: list[tuple[int, int, _Value]] = []

        def add(start: int, end: int, value: _Value) -> None:
            if not any(start < last and first < end for first, last, _ in found):
                found.append((start, end, value))

        for dispute in self.ground.disputes:
            for text in (value.text for value in dispute.values):
                if (place := quotation.place(words, text)) is not None:
                    add(*place, _Value(text=words[slice(*place)], kind=dispute.claims[0].kind))
        names = [match.span() for name in names_in(words) for match in re.finditer(re.escape(name), words)]
        years = {
            (day.start, day.end) for day in dates.scan(words) if day.bare and not words[day.end :].strip()[:1].isalpha()
        }
        for figure in figures(words):
            within = any(figure.start < last and first < figure.end for first, last in names)
            value = figure.value
            measured = isinstance(value, Date) or value.unit is not None
            if measured or (isinstance(value, Quantity) and value.value >= _LOWEST and not within):
                is_date = isinstance(value, Date) or (figure.start, figure.end) in years
                kind = "date" if is_date else "number"
                add(figure.start, figure.end, _Value(text=figure.written, kind=kind, weak=within or not measured))
        return [value for _, _, value in sorted(found, key=lambda each: each[:2])]

    def _dispute_on(self, value: _Value, statement: _Statement) -> tuple[Dispute | None, StatedValue | None]:
        """Return the dispute on a value, and its value there: by what it is said of, or by the cited documents."""
        cited = {entry.source for entry in statement.cited}
        for dispute in self.ground.disputes:
            stated = next((each for each in dispute.values if is_written(each, value.text)), None)
            names = {dispute.entity, *(claim.subject for claim in dispute.claims)} - {""}
            if stated is not None and (
                cited.intersection(stated.sources)
                or set(statement.nodes).intersection(stated.node_ids)
                or is_named_in(statement.said, names)
            ):
                return dispute, stated
        return None, None

    def _undisputed(self, value: _Value, statement: _Statement, part: str) -> AnswerPoint | None:
        places = [at for entry in self._cited(statement) if (at := value_place(entry, value.text, statement.words))]
        if not places:
            names = names_in(statement.said)
            naming = (entry for entry in self.ground.entries.values() if names and is_named_in(entry.text, names))
            found = (value_place(entry, value.text, statement.words) for entry in islice(naming, MOST_SEARCHED))
            places = [at for at in found if at]
        if value.weak and not places:
            return None
        return self.ground.undisputed(value.text, places, statement.nodes, part=part)

    def _cited(self, statement: _Statement) -> Iterable[Entry]:
        spans = (span for node_id in statement.nodes for span in self.ground.spans.get(node_id, ()))
        of_nodes = (self.ground.entries[span.entry_id] for span in spans if span.entry_id in self.ground.entries)
        return {entry.id: entry for entry in (*statement.cited, *of_nodes)}.values()

    # -- parts of the question ----------------------------------------------------------------------------------------

    def _part_of(self, value: _Value, said: str, *, own: str = "") -> str:
        """Return the part that most of what is said is on, rather one that asks for this kind of value; empty for none.

        `own`: the words beside which the value stands, where nothing else says what it is of. Then the part must ask
        for its kind, and what it names must be named in what is said; where these words are on parts, it is one of
        those.
        """
        best, most = "", 0.0
        spoken_of = [question for question in self.questions if own and self._share(question, own)]
        for question in spoken_of or self.questions:
            fits = value.kind in question.wanted or not question.wanted
            named = not question.names or is_named_in(said, question.names)
            share = self._share(question, said)
            if share and share + fits > most and ((fits and named) or not own):
                best, most = question.text, share + fits
        return best

    def _with_part(
        self, found: Sequence[tuple[int, AnswerPoint]], question: Question, said: Sequence[_Statement]
    ) -> list[tuple[int, AnswerPoint]]:
        """Return the points with what answers a part in other words than the part's, or that nothing does."""
        taken = {at for at, point in found if point.part}
        free = [at for at in range(len(said)) if at not in taken]
        ranked = sorted(range(len(said)), key=lambda at: -self._share(question, said[at].said))
        chosen = next((at for at in ranked[:1] if self._share(question, said[at].said) >= COVERED), None)
        if chosen is None:
            chosen = next((at for at in free if len(self.questions) == 1 or self._may_answer(question, said[at])), None)
        if chosen is None:
            return [*found, (len(said), self.ground.nothing(question.text))]
        if question.wanted & {"number", "date"} and any(at == chosen and not point.part for at, point in found):
            return [
                (at, replace(point, part=point.part or question.text) if at == chosen else point) for at, point in found
            ]
        statement = said[chosen]
        places = [at for entry in self._cited(statement) if (at := quote_place(entry, statement.words))]
        point = self.ground.undisputed(statement.words, places, statement.nodes, part=question.text)
        return [*found, (chosen, replace(point, is_sentence=True))]

    def _may_answer(self, question: Question, statement: _Statement) -> bool:
        """Whether a statement that answers no other part has what a part asks for: "105" says how many."""
        if question.wanted & {"number", "date"}:
            return bool(figures(statement.words))
        if not question.wanted:
            return self._share(question, statement.said) > 0
        words = statement.words.strip(" .。")
        return any(" " in name or name == words or not words.startswith(name) for name in names_in(words))

    def _share(self, question: Question, said: str) -> float:
        """Return the share of a part's own words that are said; for a part without any, of all its words."""
        others = frozenset[str]().union(*(each.words for each in self.questions if each is not question))
        wanted = (question.words - others) or question.words
        return len(wanted.intersection(query_tokens(said, limit=len(said) + 1))) / max(1, len(wanted))


def _is_among(values: Iterable[str], text: str) -> bool:
    return any(is_same_value(value, text) for value in values)
