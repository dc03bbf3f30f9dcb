"""A run's events as spans, as they come: each span when it has ended.

    reader = SpanReader(texts); reader.read(record) -> spans        O(1) a record

A trace is a stretch of work: from what sets a session to work until it rests. It holds `session > round > stage`, below
a stage the calls of its agents and tools, and merges; a conflict stands beside the rounds for as long as it was open in
this stretch. What a branch shares with its parent are the parent's spans; its own begin where it parted.

Ids count the events, but for `SessionResumed`: a run that was killed and resumed has the spans of one that was not.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from memorybank.integrations.tracing import attributes as describe
from memorybank.integrations.tracing.spans import (
    SPAN_BYTES,
    TRACE_BYTES,
    Attributes,
    OpenSpan,
    Span,
    SpanRef,
    conversation_of,
    nanoseconds,
    number_of,
)
from memorybank.integrations.tracing.texts import Texts
from memorybank.memory.events import (
    AgentCalled,
    AnswerGiven,
    ConflictClosed,
    ConflictFound,
    NodesMerged,
    SessionFinished,
    SessionForked,
    SessionResumed,
    SessionStarted,
    SettingsChanged,
    StageFinished,
    TaskExecuted,
    TaskFailed,
    TaskReceived,
    ToolUsed,
)
from memorybank.memory.types import ConflictId
from memorybank.runs.journal import Record
from memorybank.runs.stages import Border, border_of

Numbered = tuple[int, Any]
"""An event with its place, as ids count."""


class SpanReader:
    """Follows one run. Without `texts` no text of it is in any span."""

    def __init__(self, texts: Texts | None = None) -> None:
        self.texts = texts
        self._begun: SessionStarted | None = None
        self._run_id = ""
        self._turns = 0
        self._events = 0
        self._last = 0
        """Time of the event before."""
        self._session: OpenSpan | None = None
        self._round: OpenSpan | None = None
        self._stage: OpenSpan | None = None
        self._facts: list[Numbered] = []
        """Facts of the stage or act that has not ended."""
        self._held: list[tuple[int, AgentCalled, int]] = []
        """Questions that a tool asked a model: they are journaled before the tool's own event."""
        self._conflicts: dict[ConflictId, tuple[int, SpanRef, ConflictFound]] = {}
        """The open conflicts: since when, and the stage that found them."""
        self._asked = self._answered = ""

    def read(self, record: Record[Any]) -> list[Span]:
        """Return the spans that end with this event, those within others first."""
        event = record.event
        if isinstance(event, SessionResumed):
            return []
        self._events += 1
        at = nanoseconds(record.at)
        if isinstance(event, SessionStarted | SessionForked):
            # A run begins, or a branch parts: from here on the ids are its own.
            self._begun = event if isinstance(event, SessionStarted) else self._begun
            self._run_id, self._turns = event.run_id, 0
            self._session = self._round = None
        if self._session is None:
            ends_settings = isinstance(event, StageFinished) and event.stage == "settings"
            if ends_settings or isinstance(event, SessionForked | SettingsChanged):
                return []
            self._turns += 1
            trace = number_of(self._run_id, "trace", self._turns, TRACE_BYTES)
            self._asked = self._answered = ""
            self._session = OpenSpan(
                ref=SpanRef(trace, self._id("session", self._turns)), begin=at, name="invoke_workflow session"
            )
        spans = self._read(event, at)
        self._last = at
        return spans

    def _read(self, event: Any, at: int) -> list[Span]:
        border = border_of(event)
        if isinstance(event, AgentCalled):
            return self._call(event, at)
        if isinstance(event, ToolUsed):
            return self._tool(event, at)
        if border is None:
            self._facts.append((self._events, event))
            return []
        if border.side == "end":
            return self._commit(border, at)
        spans = [*self._interrupted(), *self._turn_to(border.round, at)]
        self._stage = self._open("stage", border.stage, at, self._events, number=border.round)
        return spans

    # -- what begins --------------------------------------------------------------------------------------------------

    def _open(self, what: str, name: str, at: int, place: int, *, number: int = 0) -> OpenSpan:
        return OpenSpan(ref=self._ref(what, place), begin=at, name=name, number=number)

    def _turn_to(self, number: int, at: int) -> list[Span]:
        """Have the round of this number open; another one ends."""
        if self._round is not None and self._round.number == number:
            return []
        spans = self._end_round(self._last)
        self._round = self._open("round", f"round {number}", at, self._events, number=number)
        return spans

    # -- calls --------------------------------------------------------------------------------------------------------

    def _call(self, call: AgentCalled, at: int) -> list[Span]:
        if call.role not in (*describe.AGENTS, describe.EXECUTOR):
            self._held.append((self._events, call, at))
            return []
        spans = self._release(self._caller)
        if call.role == describe.EXECUTOR:
            return [*spans, self._chat(self._events, call, at, self._caller)]
        agent = self._timed("agent", f"invoke_agent {call.role}", self._events, call.ms, at)
        agent = replace(agent, attributes=self._with(describe.of_call(call), lambda texts: texts.of_call(call)))
        agent = self._failing(agent, call.outcome == "failed", call.error)
        chats = [self._chat(self._events, call, at, agent.ref)] if call.model else []
        return [*spans, *chats, agent]

    def _chat(self, place: int, call: AgentCalled, at: int, parent: SpanRef | None) -> Span:
        span = self._timed("chat", f"chat {call.model}".strip(), place, call.ms, at)
        attributes = self._with(describe.of_chat(call), lambda texts: texts.of_chat(call))
        span = replace(span, parent=parent, attributes=attributes, calls_out=True)
        return self._failing(span, call.outcome == "failed", call.error)

    def _tool(self, used: ToolUsed, at: int) -> list[Span]:
        span = self._timed("tool", f"execute_tool {used.tool}", self._events, used.ms, at)
        span = replace(span, attributes=self._with(describe.of_tool(used), lambda texts: texts.of_tool(used)))
        inner = {call.role for _, call, _ in self._held} == {used.tool}
        return [
            *self._release(span.ref if inner else self._caller),
            self._failing(span, used.outcome == "failed", used.excerpt),
        ]

    def _release(self, parent: SpanRef | None) -> list[Span]:
        held, self._held = self._held, []
        return [self._chat(place, call, at, parent) for place, call, at in held]

    @property
    def _caller(self) -> SpanRef | None:
        """Below which span a call stands: the executor's, where one is at work."""
        stage = self._stage
        if stage is None or stage.name != "execute":
            return stage.ref if stage is not None else self._session.ref if self._session is not None else None
        return self._executor_ref(stage)

    def _timed(self, what: str, name: str, place: int, ms: float, at: int) -> Span:
        """Return the span of a call that has just ended, within its stage."""
        earliest = self._stage.begin if self._stage is not None else 0
        begin = min(at, max(earliest, at - round(ms * 1_000_000)))
        return Span(name=name, ref=self._ref(what, place), parent=self._caller, begin=begin, end=at, attributes={})

    # -- what ends ----------------------------------------------------------------------------------------------------

    def _commit(self, border: Border, at: int) -> list[Span]:
        """End a stage; or take in an act of a person, which takes no time."""
        spans: list[Span] = []
        if self._stage is None or self._stage.name != border.stage:
            spans = [*self._interrupted(), *self._turn_to(border.round, at)]
            place = self._facts[0][0] if self._facts else self._events
            self._stage = self._open("stage", border.stage, at, place, number=border.round)
        numbered, self._facts = self._facts, []
        facts = [fact for _, fact in numbered]
        spans += self._end_stage(border.seconds, facts, at)
        stage, self._stage = self._stage, None
        closed = [fact.conflict_id for fact in facts if isinstance(fact, ConflictClosed)]
        closing = [self._conflicts[id_][2] for id_ in closed if id_ in self._conflicts]
        for place, fact in numbered:
            spans += self._of_fact(place, fact, stage.ref, at, closing)
        finished = next((fact for fact in facts if isinstance(fact, SessionFinished)), None)
        return [*spans, *(self._rest(finished, at) if finished is not None else ())]

    def _of_fact(self, place: int, fact: Any, stage: SpanRef, at: int, closing: list[ConflictFound]) -> list[Span]:
        match fact:
            case ConflictFound():
                self._conflicts[fact.conflict_id] = (at, stage, fact)
            case ConflictClosed() if fact.conflict_id in self._conflicts:
                return [self._conflict(*self._conflicts.pop(fact.conflict_id), at, fact, stage)]
            case NodesMerged():
                attributes = self._with(describe.of_merge(fact), lambda texts: texts.of_merge(fact))
                merge = self._open("merge", f"merge into {fact.new_node_id}", at, place)
                settled = [found for found in closing if set(found.node_ids) & set(fact.merged_node_ids)]
                links = tuple(self._conflict_ref(found) for found in settled)
                return [replace(self._ended(merge, stage, at, attributes), links=links)]
            case TaskReceived():
                self._asked = fact.goal
            case AnswerGiven():
                self._answered = fact.answer
        return []

    def _end_stage(self, seconds: float, facts: list[Any], at: int) -> list[Span]:
        stage = self._stage
        assert stage is not None
        failed = any(isinstance(fact, TaskFailed) for fact in facts)
        spans = self._release(self._caller)
        if stage.name == "execute":
            executed = next((fact for fact in facts if isinstance(fact, TaskExecuted)), None)
            name = executed.executor if executed is not None else "executor"
            executor = OpenSpan(ref=self._executor_ref(stage), begin=stage.begin, name=f"invoke_agent {name}")
            failure = executed.failure if executed is not None else ""
            ended = self._ended(executor, stage.ref, at, describe.of_agent(name))
            spans.append(self._failing(ended, bool(failure), failure))
        attributes = describe.of_stage(stage.name, stage.number, seconds, facts)
        parent = self._round.ref if self._round is not None else None
        return [*spans, self._failing(self._ended(stage, parent, at, attributes), failed, "")]

    def _executor_ref(self, stage: OpenSpan) -> SpanRef:
        return SpanRef(stage.ref.trace, self._id("executor", stage.ref.span))

    def _interrupted(self) -> list[Span]:
        """Return the span of the stage that was given up for an act of a person: what had been asked in it stands."""
        if self._stage is None:
            return []
        spans = self._end_stage(0.0, [], self._last)
        self._stage = None
        return [*spans[:-1], replace(spans[-1], attributes={**spans[-1].attributes, "memorybank.interrupted": True})]

    def _end_round(self, at: int) -> list[Span]:
        ended, self._round = self._round, None
        if ended is None or self._session is None:
            return []
        return [self._ended(ended, self._session.ref, at, {"memorybank.round": ended.number, **describe.STEP})]

    def _rest(self, finished: SessionFinished, at: int) -> list[Span]:
        """Let the session rest: its rounds have ended, and what is still open is told as such."""
        spans = self._end_round(at)
        for since, stage, found in self._conflicts.values():
            spans.append(self._conflict(since, stage, found, at, None, None))
        session, self._session = self._session, None
        assert session is not None
        asked, answered = self._asked, self._answered
        attributes = self._with(describe.of_session(self._begun), lambda texts: texts.of_session(asked, answered))
        ended = self._ended(session, None, at, {**attributes, "memorybank.result": finished.result})
        return [*spans, self._failing(ended, finished.result == "out_of_rounds", "")]

    def _conflict(
        self,
        since: int,
        found_in: SpanRef,
        found: ConflictFound,
        at: int,
        closed: ConflictClosed | None,
        closed_in: SpanRef | None,
    ) -> Span:
        """Return a conflict, as long as it was open in this stretch, linked to the stages that found and closed it."""
        assert self._session is not None
        attributes = self._with(describe.of_conflict(found, closed), lambda texts: texts.of_conflict(found, closed))
        begin = max(since, self._session.begin)
        conflict = OpenSpan(ref=self._conflict_ref(found), begin=begin, name=f"conflict {found.conflict_id}")
        links = (found_in,) if closed_in is None else (found_in, closed_in)
        return replace(self._ended(conflict, self._session.ref, at, attributes), links=links)

    def _conflict_ref(self, found: ConflictFound) -> SpanRef:
        return self._ref(f"conflict {found.conflict_id}", self._turns)

    # -- parts --------------------------------------------------------------------------------------------------------

    def _id(self, what: str, place: int) -> int:
        return number_of(self._run_id, what, place, SPAN_BYTES)

    def _ref(self, what: str, place: int) -> SpanRef:
        assert self._session is not None
        return SpanRef(self._session.ref.trace, self._id(what, place))

    def _ended(self, span: OpenSpan, parent: SpanRef | None, at: int, attributes: Attributes) -> Span:
        known = {**attributes, "gen_ai.conversation.id": conversation_of(self._run_id)}
        end = max(span.begin, at)
        return Span(name=span.name, ref=span.ref, parent=parent, begin=span.begin, end=end, attributes=known)

    def _with(self, attributes: Attributes, texts: Callable[[Texts], Attributes]) -> Attributes:
        known = {**attributes, "gen_ai.conversation.id": conversation_of(self._run_id)}
        return known if self.texts is None else {**known, **texts(self.texts)}

    def _failing(self, span: Span, failed: bool, why: str) -> Span:
        if not failed:
            return span
        known = {**span.attributes, "error.type": "failed"}
        return replace(span, failed=True, failure=why if self.texts is not None else "", attributes=known)
