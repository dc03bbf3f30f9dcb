"""The points of an answer: what it says on each part of the question, with the passages that say so.

They are made once, where the answer is given: by an executor that has values, else by reading the text of a model or an
outside agent (answer_reading.py). Whoever shows an answer reads the points.

A source is listed for a value only with the passage in which it says it, so none is ever taken for said.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby

from memorybank.contradiction.disputes.dispute import Dispute, StatedValue, label
from memorybank.contradiction.disputes.gathering import disputes_of, says
from memorybank.contradiction.same_value import same_value
from memorybank.contradiction.votes import is_on, near_identical, third_value
from memorybank.language import quotation
from memorybank.language.figures import figures, states
from memorybank.language.text import detect_lang, fold_space, sentences
from memorybank.language.tokens import query_tokens
from memorybank.memory.state import MemoryState
from memorybank.memory.types import (
    SIDES,
    USER,
    AnswerPoint,
    AnswerValue,
    Claim,
    Conflict,
    ConflictId,
    ConflictStatus,
    Entry,
    EntryId,
    Evidence,
    Lang,
    NodeId,
    PointState,
    Span,
    TaskStatus,
    TaskType,
    Value,
)
from memorybank.prompts import say
from memorybank.prompts.claim_words import opened, quoted, shown

MOST_READ = 60
"""The most sentences of a document that are read for a value, those nearest in words first."""
MOST_SEARCHED = 40
"""The most documents to look through for what no memory at hand says, or what an answer does not cite."""
MOST_TASKS = 3
"""Tasks named as having looked for a part of which nothing was found."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ground(Value):
    """The ground that an answer rests on: sources, the memories on them, the disputes, and the searches."""

    entries: Mapping[EntryId, Entry] = field(default_factory=dict)
    """The sources from outside, by id."""
    spans: Mapping[NodeId, tuple[Span, ...]] = field(default_factory=dict)
    """The passages that each live memory stands on."""
    conflicts: Mapping[ConflictId, Conflict] = field(default_factory=dict)
    disputes: tuple[Dispute, ...] = ()
    tasks: tuple[str, ...] = ()
    """The descriptions of the tasks that searched and succeeded."""

    @classmethod
    def of(cls, bank: MemoryState) -> Ground:
        return cls(
            entries={entry.id: entry for entry in bank.tree.entries.values() if entry.is_source},
            spans={node_id: bank.tree.spans.get(node_id, ()) for node_id in bank.graph.nodes},
            conflicts=bank.conflicts.all,
            disputes=disputes_of(bank),
            tasks=tuple(
                task.description
                for task in bank.doc.completed_tasks
                if task.type is TaskType.NORMAL and task.status is TaskStatus.SUCCESS
            ),
        )

    def named(self, name: str) -> list[Entry]:
        return [entry for entry in self.entries.values() if entry.source == name]

    def name(self, place: Span) -> str:
        return self.entries[place.entry_id].source

    def nodes_on(self, places: Iterable[Span]) -> tuple[NodeId, ...]:
        """Return the live memories that stand on these passages, each once."""
        found = (node for at in places for node, spans in self.spans.items() if any(span.holds(at) for span in spans))
        return tuple(dict.fromkeys(found))

    # -- points -------------------------------------------------------------------------------------------------------

    def disputed(self, dispute: Dispute, part: str = "", given: StatedValue | None = None) -> AnswerPoint:
        """Return the point of a dispute, with all of its values. `given`: the one that the answer gives, if any.

        A value that a verdict is against stands beside the one that holds, whichever of them the answer gave.
        """
        heard = list(self._heard(dispute))
        values = []
        for value in dispute.values:
            places = _once(at for other, at in heard if other is value) or self._stated(dispute, value, heard)
            nodes = self.nodes_on(places) or tuple(node for node in value.node_ids if node in self.spans)
            stands = dispute.holds in (None, value)
            values.append(AnswerValue(text=value.text, sources=places, node_ids=nodes, stands=stands))
        conflicts = [self.conflicts[conflict_id] for conflict_id in dispute.conflict_ids]
        alike = [each for each in conflicts if each.status is dispute.status]
        is_alarm = dispute.status is ConflictStatus.FALSE_ALARM  # the reason of which is one on each of its points
        state = _state_of(dispute, conflicts, given)
        if given is not None and state == "corrected":
            values.sort(key=lambda value: (value.text != given.text, not value.stands))
        return AnswerPoint(
            part=part,
            about=opened(label(dispute)),
            state=state,
            values=tuple(values),
            independent=self._counted(dispute),
            why=next((each.reason for each in alike if is_alarm or len(each.contradictions) < 2), ""),
            conflict_ids=dispute.conflict_ids,
        )

    def undisputed(
        self, text: str, places: Iterable[Span], nodes: Iterable[NodeId] = (), *, about: str = "", part: str = ""
    ) -> AnswerPoint:
        """Return the point of a value without conflict. `nodes`: memories that it is cited from, where no source is."""
        sources = _once(places)
        independent = len(self._voices(sources))
        return AnswerPoint(
            part=part,
            about=about,
            state="agreed" if independent > 1 else "single" if sources else "unsourced",
            values=(AnswerValue(text=text, sources=sources, node_ids=self.nodes_on(sources) or tuple(nodes)),),
            independent=independent,
        )

    def nothing(self, part: str, about: str = "") -> AnswerPoint:
        """Return the point of a part on which nothing was found, with the tasks that share most words with it."""
        wanted = frozenset(query_tokens(f"{about} {part}"))
        shared = {task: len(wanted & frozenset(query_tokens(task, limit=len(task) + 1))) for task in self.tasks}
        most = max(shared.values(), default=0)
        tasks = [task for task, count in shared.items() if most and count == most]
        return AnswerPoint(part=part, about=about, state="nothing_found", looked_for=tuple(tasks[:MOST_TASKS]))

    # -- who says a disputed value ------------------------------------------------------------------------------------

    def _heard(self, dispute: Dispute) -> Iterator[tuple[StatedValue, Span]]:
        """Yield the values of a dispute with the passages that a check quoted for them and that say them."""
        for conflict, number in self._pairs(dispute):
            for piece in conflict.evidence:
                said = _supported(piece, conflict, number) if piece.is_said and is_on(piece, number) else ""
                value = next((each for each in dispute.values if is_written(each, said)), None)
                place = self._place_of(piece) if value is not None else None
                if value is not None and place is not None and self._says(place, value, dispute):
                    yield value, place

    def _pairs(self, dispute: Dispute) -> Iterator[tuple[Conflict, int]]:
        """Yield the points of conflicts that a dispute is made of."""
        for conflict in (self.conflicts[conflict_id] for conflict_id in dispute.conflict_ids):
            for number, pair in enumerate(conflict.contradictions):
                if pair.left in dispute.claims or pair.right in dispute.claims:
                    yield conflict, number

    def _place_of(self, piece: Evidence) -> Span | None:
        known = self.entries.get(piece.entry_id) if piece.entry_id else None
        entries = [known] if known else self.named(piece.source)
        return next(filter(None, (quote_place(entry, piece.quote) for entry in entries)), None)

    def _says(self, place: Span, value: StatedValue, dispute: Dispute) -> bool:
        """Whether a passage says a value as it is shown, not only what verdicts made the same."""
        words = self.entries[place.entry_id].text[place.start : place.end]
        claims = (claim for claim in _written_as(value, dispute) if is_same_value(value.text, shown(claim)))
        return states(words, value.text) or any(says(words, claim) for claim in claims)

    def _stated(
        self, dispute: Dispute, value: StatedValue, heard: Iterable[tuple[StatedValue, Span]]
    ) -> tuple[Span, ...]:
        """Return the passages in which documents of a value's side state it, for those that no check quoted on it."""
        known = {at.entry_id for _, at in heard}
        claims = _written_as(value, dispute)
        about = " ".join(f"{claim.subject} {claim.attribute}" for claim in claims)
        places: list[Span] = []
        for entry in (entry for name in value.sources for entry in self.named(name) if entry.id not in known):
            quoted = (place for claim in claims if (place := quote_place(entry, claim.text)))
            saying = (place for place in quoted if self._says(place, value, dispute))
            places += filter(None, [next(saying, None) or value_place(entry, value.text, about)])
        return _once(places)

    # -- independence -------------------------------------------------------------------------------------------------

    def _counted(self, dispute: Dispute) -> int:
        """Count the independent sources that a check had for what holds, of those that say it in its words: who said it
        in others is not named for it. No party of the dispute is among them."""
        sides = [each.parties for each in map(self.conflicts.__getitem__, dispute.conflict_ids) if each.parties]
        parties = {name for side in sides for name in (*side.left, *side.right)}
        spoken_for = [entry.body for name in parties for entry in self.named(name)]
        counts = [0]
        for conflict, number in self._pairs(dispute) if dispute.holds else ():
            votes = [
                place
                for piece in conflict.evidence
                if piece.independent and piece.is_said and is_on(piece, number)
                if is_written(dispute.values[0], _supported(piece, conflict, number))
                if (place := self._place_of(piece)) is not None and self._says(place, dispute.values[0], dispute)
            ]
            counts.append(len(self._voices(votes, spoken_for)))
        return max(counts)

    def _voices(self, places: Iterable[Span], before: Iterable[str] = ()) -> list[str]:
        """Return the texts of sources that are no copies of each other, nor of those `before`."""
        heard = list(before)
        known = len(heard)
        for text in dict.fromkeys(self.entries[at.entry_id].body for at in places):
            if not any(near_identical(text, other) for other in heard):
                heard.append(text)
        return heard[known:]


def _once(places: Iterable[Span]) -> tuple[Span, ...]:
    """Return the first passage of each source."""
    return tuple({at.entry_id: at for at in reversed(list(places))}.values())[::-1]


def _written_as(value: StatedValue, dispute: Dispute) -> list[Claim]:
    """Return the claims of a dispute that have a value."""
    return [claim for claim in dispute.claims if is_written(value, shown(claim))]


def _state_of(dispute: Dispute, conflicts: Sequence[Conflict], given: StatedValue | None) -> PointState:
    if dispute.holds is None:
        return "both_hold" if dispute.status is ConflictStatus.FALSE_ALARM else "disputed"
    if given is not None and given is not dispute.holds:
        return "corrected"
    return "decided" if {conflict.closed_by for conflict in conflicts} == {USER} else "checked"


def _supported(piece: Evidence, conflict: Conflict, number: int) -> str:
    """Return the value that a piece of evidence speaks for, on a point of its conflict; empty for none."""
    pair = conflict.contradictions[number]
    if piece.supports in SIDES:
        return shown(pair.left if piece.supports == "left" else pair.right)
    return third_value(piece, conflict.ruling_on(number).value)


# -- where a value stands ---------------------------------------------------------------------------------------------


def is_same_value(left: str, right: str) -> bool:
    """Whether two values are one, however they are written: 76 photons, 76个光子; 2020-12, 二〇二〇年十二月."""
    return fold_space(left).casefold() == fold_space(right).casefold() or same_value(_claim(left), _claim(right))


def is_written(value: StatedValue, text: str) -> bool:
    """Whether a text is one of the ways in which a disputed value is written."""
    return bool(text) and is_same_value(value.text, text)


def _claim(value: str) -> Claim:
    return Claim(text=value, kind="name", subject="", attribute="", value=value)


def quote_place(entry: Entry, sentence: str) -> Span | None:
    at = quotation.place(entry.text, sentence)
    return Span(entry_id=entry.id, start=at[0], end=at[1]) if at else None


def value_place(entry: Entry, value: str, said: str) -> Span | None:
    """Return the sentence of a document that states a value, the one with most words of what is said of it.

    A value where none of them stands is another thing's; in another language only figures can be the same.
    """
    body, wanted = entry.body, frozenset(query_tokens(said.replace(value, " ")))
    ranked = sorted((-len(wanted.intersection(query_tokens(body[at:end]))), at, end) for at, end in sentences(body))
    for shared, start, end in ranked[:MOST_READ]:
        if states(body[start:end], value):
            foreign = bool(figures(value)) and detect_lang(said) != detect_lang(body[start:end])
            place = Span(entry_id=entry.id, start=entry.body_start + start, end=entry.body_start + end)
            return place if shared or not wanted or foreign else None
    return None


# -- in words ---------------------------------------------------------------------------------------------------------


def written(points: Sequence[AnswerPoint], ground: Ground, lang: Lang) -> str:
    """Return the answer part by part: the question, then a line for each point."""
    paragraphs = []
    for part, own in groupby(points, key=lambda point: point.part):
        told = list(own)
        lines = [line_of(point, ground, lang) for point in told]
        has_lead = part and any(point.values for point in told)
        paragraphs.append("\n".join([say("answer_lead", lang, question=quoted(part)), *lines] if has_lead else lines))
    return "\n\n".join(paragraphs)


def completed(answer: str, points: Sequence[AnswerPoint], ground: Ground, lang: Lang) -> str:
    """An answer with a line on each part that it leaves out, and on each value that it gives as if none stood against
    it."""
    lines = [
        line_of(point, ground, lang)
        for point in points
        if point.state in ("nothing_found", "corrected")
        or (point.state in ("disputed", "both_hold") and not all(states(answer, value.text) for value in point.values))
    ]
    return "\n\n".join([answer, "\n".join(lines)] if lines else [answer])


def line_of(point: AnswerPoint, ground: Ground, lang: Lang) -> str:
    about, cited = point.about or point.part, [_cited(value, ground, lang) for value in point.values]
    if point.state == "nothing_found":
        key = "answer_nothing_found" if point.looked_for else "answer_not_looked_for"
        return say(key, lang, question=quoted(about), tasks=say("answer_between", lang).join(point.looked_for))
    if point.is_sentence:
        key = "answer_quote_disputed" if point.state == "disputed" else "answer_quote"
        return say(key, lang, quote=cited[0], ids=say("sources_between", lang).join(point.conflict_ids))
    if point.state in ("disputed", "both_hold"):
        between = say("dispute_between" if point.state == "disputed" else "answer_between", lang)
        key = "answer_disputed" if point.state == "disputed" else "answer_both_hold"
        line = say(key, lang, about=about, values=between.join(cited))
        return line + say("answer_why", lang, why=fold_space(point.why)) if point.why else line
    if not point.conflict_ids:
        return say("answer_value", lang, about=about, value=cited[0])
    held, *others = sorted(point.values, key=lambda value: not value.stands)
    key = "answer_decided" if point.state == "decided" or not held.sources else "answer_held"
    line = say(key, lang, about=about, value=_cited(held, ground, lang), count=len(held.sources))
    if point.independent:
        line += say("answer_independent", lang, count=point.independent)
    rivals = [
        say("answer_rival", lang, value=value.text, sources=_names(value, ground, lang), count=len(value.sources))
        for value in others
        if value.sources
    ]
    return line + say("answer_rivals", lang, rivals=say("rivals_between", lang).join(rivals)) if rivals else line


def _cited(value: AnswerValue, ground: Ground, lang: Lang) -> str:
    """Return the value with a memory that it stands in and the sources that say it."""
    names, node = _names(value, ground, lang), next(iter(value.node_ids), "")
    form = ("answer_cited" if names else "answer_of_memory") if node else "dispute_value" if names else ""
    return say(form, lang, value=value.text, node=node, sources=names) if form else value.text


def _names(value: AnswerValue, ground: Ground, lang: Lang) -> str:
    return say("sources_between", lang).join(dict.fromkeys(map(ground.name, value.sources)))
