"""A result is made by the offline engine, a language model by name, the answer cache, a person; or is a replay.

One chip for every page. `origin_chip` takes what is at hand:

    origin_chip(records[:k], lang)                     the session as a whole: what its memory is made by
    origin_chip(event, lang)                           one AgentCalled, ToolUsed, AnswerGiven, ConflictClosed
    origin_chip(records[:k], lang, by=conflict.closed_by)     a verdict: by the executor that gave it
    origin_chip(…, replay=True)                        what is shown is no live run, or not its newest moment

An outside agent's answers and verdicts are its own, whoever files the memory. Records are only looked through from
their end to the beginning of the last round, for an answer to the task's, so it may be called at each redraw.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from memorybank.memory.events import AgentCalled, AnswerGiven, ConflictClosed, SessionStarted, TaskReceived
from memorybank.memory.types import RECORDED, Lang
from memorybank.runs.journal import Record
from memorybank.runs.stages import border_of
from memorybank.session.executors.base import OFFLINE_RESEARCHER, REACT_AGENT
from memorybank.views.box import Box
from memorybank.views.run.badge import OFFLINE, USER, Cached, Origin, chip_of


def origin_of(source: Sequence[Record[Any]] | Any, *, by: str = "") -> Origin:
    """Return what made a result. `source`: records up to the moment, or one event. `by`: who settled a conflict."""
    if not isinstance(source, Sequence):
        match source:
            case AgentCalled():
                return Origin(engine=source.engine, model=source.model, cached="all" if source.cached else "no")
            case AnswerGiven():
                return Origin(engine=_engine_of(source.by) if source.by else source.engine)
            case SessionStarted():
                return Origin(engine=source.engine, model=source.model)
            case ConflictClosed():
                return Origin(engine=_engine_of(source.closed_by))
            case _:
                return Origin(engine=_engine_of(by) if by else "")
    begun = source[0].event if source else None
    if not isinstance(begun, SessionStarted):
        return Origin(engine=USER if by == USER else "")
    engine = _engine_of(by) if by else begun.engine
    if engine != "llm":
        return Origin(engine=engine, model=begun.model if engine == OFFLINE and not by else "")
    recorded = begun.run_id.startswith(RECORDED)
    return Origin(engine=engine, model=begun.model, cached=_share(_last_round(source)), recorded=recorded)


def answer_origin(records: Sequence[Record[Any]]) -> Origin:
    """Return what gave the newest answer: its executor, where that is told; else what makes the session's results."""
    for record in reversed(records):
        if isinstance(record.event, AnswerGiven):
            return origin_of(records, by=record.event.by)
        if isinstance(record.event, TaskReceived):
            break
    return origin_of(records)


def _engine_of(name: str) -> str:
    """Return the engine of an executor, by its name in the journal."""
    return {OFFLINE_RESEARCHER: OFFLINE, REACT_AGENT: "llm"}.get(name, name)


def _last_round(records: Sequence[Record[Any]]) -> Iterable[AgentCalled]:
    """Yield the calls since the last plan began, its own included, the newest first."""
    for record in reversed(records):
        if isinstance(record.event, AgentCalled):
            yield record.event
        elif (border := border_of(record.event)) is not None and (border.side, border.stage) == ("begin", "enhance"):
            return


def _share(calls: Iterable[AgentCalled]) -> Cached:
    made = [call.cached for call in calls if call.outcome == "ok"]
    return "all" if made and all(made) else "some" if any(made) else "no"


def origin_chip(source: Sequence[Record[Any]] | Any, lang: Lang, *, by: str = "", replay: bool = False) -> Box:
    """Return a chip, or a row of them, that says what made a result. A screen's words are in the title, too."""
    return chip_of(origin_of(source, by=by), lang, replay=replay)
