"""The way of a value: from a memory to the sentence of the answer that brought it, the prompt, the source, and back.

    ways = authors(records)                                      # one pass
    steps = walk(Statement(sentence, "98"), node, len(records) + 1, ways, bank, read)

A merge leads on to each memory that it united and that states the value; so the steps are a tree, told in depth-first
order. Nothing is guessed: a step that the journal or the run's files do not hold is left out, and what ends a way
without a source says so.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import chain, islice
from typing import Any, Literal

from memorybank.errors import MemoryBankError
from memorybank.language.text import fold_space
from memorybank.llm import thinking
from memorybank.memory.events import AgentCalled, ConflictClosed, ToolUsed
from memorybank.memory.state import MemoryState
from memorybank.memory.types import ConflictId, Entry, Evidence, MergeEventId, NodeId, Span
from memorybank.session.checks import supporting
from memorybank.views.calls.authors import Authors, Authorship
from memorybank.views.calls.call_view import Exchange, Read, call_note, exchanges, parsed
from memorybank.views.memory.node_history import HistoryStep
from memorybank.views.text.stating import Excerpt, Stated, Statement, excerpt, where_stated

Kind = Literal["memory", "merged", "answer", "kept", "dropped", "put_back", "extracted", "written", "prompt", "verdict"]
SourceKind = Literal["source", "concluded", "imported", "lost"]
MOST_STEPS = 40
MOST_BRANCHES = 3
"""Memories of a merge, or sources, that are followed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WalkStep:
    """One station. What it leads to depends on its kind."""

    kind: Kind | SourceKind
    depth: int
    """How many merges lie between it and the value."""
    excerpt: Excerpt | None = None
    exact: bool = True
    """The sentence stands there word for word."""
    node: NodeId | None = None
    topic: str = ""
    """Of a memory, as it was then."""
    call: int = 0
    name: str = ""
    """The agent's role, the role of the message, who gave the verdict, or of a source the tool that read it last."""
    model: str = ""
    entry: Entry | None = None
    place: Stated | None = None
    merge: MergeEventId | None = None
    conflicts: tuple[ConflictId, ...] = ()
    round: int = 0


def walk(
    statement: Statement, node_id: NodeId, before: int, known: Authors, bank: MemoryState, read: Read
) -> tuple[WalkStep, ...]:
    """The stations of what a node said before an event, nearest first. `read`: the text of a blob by its digest."""
    walker = _Walker(known, bank, read)
    steps = chain(walker.from_node(node_id, statement, before, 0), walker.from_checks(node_id, statement))
    return tuple(islice(dict.fromkeys(steps), MOST_STEPS))


@dataclass(frozen=True, slots=True)
class _Walker:
    known: Authors
    bank: MemoryState
    read: Read

    # -- memory -------------------------------------------------------------------------------------------------------

    def from_node(self, node_id: NodeId, statement: Statement, before: int, depth: int) -> Iterator[WalkStep]:
        """The way of a statement of a node as it stood before an event."""
        wording = self.known.node_at(node_id, before)
        if wording is None:
            return
        yield self._step("memory", depth, statement, wording.summary, node=node_id, topic=wording.context)
        step = self.known.stories[node_id].born
        if step is None:
            return
        if step.kind == "merged":
            yield from self._from_merge(node_id, step, statement, depth)
        elif step.kind == "imported":
            yield WalkStep(kind="imported", depth=depth, node=node_id, round=step.round)
            yield from self._from_spans(step.spans, statement, depth)
        else:
            yield from self._from_filing(step, statement, depth)

    def _from_merge(self, node_id: NodeId, step: HistoryStep, statement: Statement, depth: int) -> Iterator[WalkStep]:
        origin = self._origin(step)
        united = [(id_, where_stated(statement, wording.summary), wording.summary) for id_, wording in step.before]
        stated = [(id_, place, summary) for id_, place, summary in united if place is not None]
        # Word for word in one of them: what others, or a verdict, say in other words did not bring it.
        behind = [source for source in stated if source[1].exact] or stated
        yield WalkStep(kind="merged", depth=depth, node=node_id, merge=step.merge, round=step.round)
        if not any(place.exact for _, place, _ in behind):
            yield from self._from_calls(origin.written, statement, depth)
            yield from self._from_verdicts(origin, statement, depth)
        for id_, place, summary in behind[:MOST_BRANCHES]:
            sentence = Statement(summary[place.start : place.end], statement.value)
            yield from self.from_node(id_, sentence, step.seq, depth + 1)

    # -- calls --------------------------------------------------------------------------------------------------------

    def _from_filing(self, step: HistoryStep, statement: Statement, depth: int) -> Iterator[WalkStep]:
        yield from self._from_calls(self._origin(step).written, statement, depth, step)
        yield from self._from_spans(step.spans, statement, depth)

    def _from_calls(
        self, calls: tuple[int, ...], statement: Statement, depth: int, filed: HistoryStep | None = None
    ) -> Iterator[WalkStep]:
        """`filed`: what was made of raw text by them."""
        for seq in calls:
            event = self._event(seq)
            if not isinstance(event, AgentCalled):
                continue
            text = _nearest(event.answer, statement)
            if len(calls) > 1 and not _says(text, statement):
                continue
            exchange = self._exchange(event, statement)
            kind = self._kind_of(event, exchange, statement, filed)
            yield self._step(
                kind, depth, statement, text, call=seq, name=event.role, model=event.model, round=self._round(seq)
            )
            if kind == "answer" and exchange is not None:
                yield from self._prompt(exchange, seq, statement, depth)
            elif kind == "answer":
                yield WalkStep(kind="lost", depth=depth, call=seq, name="blob")

    def _kind_of(
        self, event: AgentCalled, exchange: Exchange | None, statement: Statement, filed: HistoryStep | None
    ) -> Kind:
        """Whether a model wrote the sentence, or the library kept it as it came."""
        raw = "\n".join(self._text(span) for span in filed.spans) if filed else ""
        if not event.model:
            is_kept = event.engine != "offline" and _exact(raw, statement)
            return "kept" if is_kept else "extracted" if filed else "written"
        notes = {call_note(note).key for note in event.notes}
        if filed and {"dropped", "kept_whole"} & notes and fold_space(filed.after.summary) == fold_space(raw):
            return "dropped"
        is_answered = exchange is not None and _exact(_nearest(_reply(exchange), statement), statement)
        return "put_back" if "put_back" in notes and not is_answered and _exact(raw, statement) else "answer"

    def _exchange(self, event: AgentCalled, statement: Statement) -> Exchange | None:
        """The question, last of them, whose raw answer says so."""
        all_of_it = exchanges(self._blob(event.output_blob))
        replies = [(exchange, _nearest(_reply(exchange), statement)) for exchange in all_of_it]
        says = [exchange for exchange, reply in replies if _exact(reply, statement)]
        says = says or [exchange for exchange, reply in replies if _says(reply, statement)]
        return says[-1] if says and event.model else None

    def _prompt(self, exchange: Exchange, seq: int, statement: Statement, depth: int) -> Iterator[WalkStep]:
        """The part of the prompt that is nearest to it; where none says so, the model wrote it by itself."""
        shown = [(role, text) for role, text in exchange.messages if role not in ("system", "assistant")]
        places = [(role, text, place) for role, text in shown if (place := where_stated(statement, text)) is not None]
        if not places:
            yield WalkStep(kind="lost", depth=depth, call=seq, name="prompt")
            return
        role, text, place = max(places, key=lambda shown: shown[2].shared)
        yield WalkStep(kind="prompt", depth=depth, call=seq, name=role, excerpt=excerpt(text, place), exact=place.exact)

    # -- verdicts -----------------------------------------------------------------------------------------------------

    def from_checks(self, node_id: NodeId, statement: Statement) -> Iterator[WalkStep]:
        """What holds instead of a statement that checks refuted; those that found the same once."""
        graph = self.bank.graph
        merge = graph.merge_of(node_id)
        nodes = (*graph.nodes.values(), *(merge.sources if merge else ()))
        refuting = [
            check
            for node in nodes
            for check in (node.checks if node.id == node_id else ())
            if check.state.decides and any(_says(node.summary[at.start : at.end], statement) for at in check.refuted)
        ]
        for holds in dict.fromkeys(check.holds for check in refuting):
            alike = [check for check in refuting if check.holds == holds]
            ids = tuple(dict.fromkeys(check.conflict_id for check in alike))
            yield from self._ruled(ids, [piece for check in alike for piece in supporting(check)], Statement(holds), 0)

    def _from_verdicts(self, origin: Authorship, statement: Statement, depth: int) -> Iterator[WalkStep]:
        """What was ruled with it, where a verdict or its evidence says so; conflicts with one value once."""
        ruled: dict[str, list[tuple[ConflictId, list[Evidence]]]] = {}
        for conflict_id in origin.verdicts:
            closed = self._event(self.known.closed.get(conflict_id, 0))
            if isinstance(closed, ConflictClosed):
                speaking = [item for item in closed.evidence if item.is_said and _says(item.quote, statement)]
                if speaking or _says(closed.value, statement):
                    ruled.setdefault(closed.value, []).append((conflict_id, speaking))
        for alike in ruled.values():
            speaking = [item for _, evidence in alike for item in evidence]
            yield from self._ruled(tuple(conflict_id for conflict_id, _ in alike), speaking, statement, depth)

    def _ruled(
        self, ids: tuple[ConflictId, ...], speaking: list[Evidence], statement: Statement, depth: int
    ) -> Iterator[WalkStep]:
        """A verdict on these conflicts, who gave it, and the passages that speak for it."""
        closed = self._event(self.known.closed.get(ids[0], 0))
        if not isinstance(closed, ConflictClosed):
            return
        text = closed.value or closed.reason
        yield self._step("verdict", depth, statement, text, conflicts=ids, name=closed.closed_by)
        yield from self._from_executor(self.known.checking.get(ids[0], []), statement, depth)
        yield from islice(self._evidence(speaking, statement.value, depth), MOST_BRANCHES)

    def _evidence(self, speaking: list[Evidence], value: str, depth: int) -> Iterator[WalkStep]:
        for item in speaking:
            entry = self.bank.tree.entries.get(item.entry_id) if item.entry_id else None
            place = where_stated(Statement(item.quote, value), entry.text) if entry else None
            if entry is not None and place is not None:
                yield self._source(entry, place, depth)

    def _from_executor(self, calls: list[int], statement: Statement, depth: int) -> Iterator[WalkStep]:
        """The turn of the executor that says so last, with what it had read."""
        for seq in reversed(calls):
            event = self._event(seq)
            if isinstance(event, AgentCalled) and _says(_nearest(event.answer, statement), statement):
                yield from self._from_calls((seq,), statement, depth)
                return

    # -- sources ------------------------------------------------------------------------------------------------------

    def _from_spans(self, spans: tuple[Span, ...], statement: Statement, depth: int) -> Iterator[WalkStep]:
        """The places of the raw text that say so, those that say it word for word first."""
        places: list[tuple[bool, int, Entry, Stated]] = []
        for number, span in enumerate(spans):
            entry, place = self.bank.tree.entries.get(span.entry_id), where_stated(statement, self._text(span))
            if entry is not None and place is not None:
                places.append((not place.exact, number, entry, _shifted(place, span.start)))
        if not places:
            yield WalkStep(kind="lost", depth=depth, name="source")
        for _, _, entry, place in sorted(places, key=lambda place: place[:2])[:MOST_BRANCHES]:
            yield self._source(entry, place, depth)
            if entry.kind == "answer":
                conclusion = Statement(entry.text[place.start : place.end], statement.value)
                yield from self._from_conclusion(entry, conclusion, depth)

    def _source(self, entry: Entry, place: Stated, depth: int) -> WalkStep:
        """A place of a source, with the tool call that read it last: that read most of it."""
        seq = next(iter(self.known.reading.get(entry.id, [])[-1:]), 0)
        used, recorded = self._event(seq), self.known.recorded.get(entry.id)
        return WalkStep(
            kind="concluded" if entry.kind == "answer" else "source",
            depth=depth,
            excerpt=excerpt(entry.text, place),
            exact=place.exact,
            entry=entry,
            place=place,
            call=seq,
            name=used.tool if isinstance(used, ToolUsed) else "",
            round=recorded.round if recorded else 0,
        )

    def _from_conclusion(self, entry: Entry, statement: Statement, depth: int) -> Iterator[WalkStep]:
        """What a round concluded, the executor's model said; it had read documents that may say so too."""
        yield from self._from_executor(self.known.concluding.get(entry.id, []), statement, depth)
        at = self.known.recorded.get(entry.id)
        for other in self.bank.tree.entries.values() if at else ():
            recorded = self.known.recorded.get(other.id)
            if at is None or recorded is None or not other.is_source or recorded.round != at.round:
                continue
            place = where_stated(statement, other.text)
            if place is not None:
                yield self._source(other, place, depth)
                return

    # -- looking up ---------------------------------------------------------------------------------------------------

    def _step(self, kind: Kind | SourceKind, depth: int, statement: Statement, text: str, **more: Any) -> WalkStep:
        place = where_stated(statement, text) or Stated(0, len(text), ())
        return WalkStep(kind=kind, depth=depth, excerpt=excerpt(text, place), exact=place.exact, **more)

    def _origin(self, step: HistoryStep) -> Authorship:
        return self.known.origins.get(step.seq, Authorship())

    def _event(self, seq: int) -> Any:
        return self.known.records[seq - 1].event if 0 < seq <= len(self.known.records) else None

    def _round(self, seq: int) -> int:
        return self.known.rounds.get(seq, 0)

    def _text(self, span: Span) -> str:
        entry = self.bank.tree.entries.get(span.entry_id)
        return entry.text[span.start : span.end] if entry else ""

    def _blob(self, digest: str) -> str:
        if not digest:
            return ""
        try:
            return self.read(digest)
        except MemoryBankError:  # the run's folder has lost it; the journal still has the parsed answer
            return ""


def _says(text: str, statement: Statement) -> bool:
    return where_stated(statement, text) is not None


def _exact(text: str, statement: Statement) -> bool:
    place = where_stated(statement, text)
    return place is not None and place.exact


def _reply(exchange: Exchange) -> Any:
    """The answer as values, or as it was written."""
    return parsed(exchange.reply) or exchange.reply


def _shifted(place: Stated, by: int) -> Stated:
    marks = tuple((start + by, end + by) for start, end in place.marks)
    return replace(place, start=place.start + by, end=place.end + by, marks=marks)


def _nearest(answer: Any, statement: Statement) -> str:
    """Of all texts of an answer the one that says so, nearest in words; the first where none does."""
    texts = list(_texts(answer))
    places = [(place.shared, text) for text in texts if (place := where_stated(statement, text)) is not None]
    return max(places, key=lambda place: place[0])[1] if places else next(iter(texts), "")


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield thinking.split(value)[0]
    elif isinstance(value, dict | list | tuple):
        for part in value.values() if isinstance(value, dict) else value:
            yield from _texts(part)
