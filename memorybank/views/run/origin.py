"""A result is made by the offline engine, a language model by name, the answer cache, a person; or is a replay.

The settings in force have an origin, too: this run, a change in it, the environment, `.env`, a default.

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
from dataclasses import dataclass, replace
from typing import Any, Literal

from memorybank.memory.events import (
    AgentCalled,
    AnswerGiven,
    ConflictClosed,
    SessionStarted,
    SettingsChanged,
    TaskReceived,
)
from memorybank.memory.types import RECORDED, Lang
from memorybank.runs.journal import Record
from memorybank.runs.stages import border_of
from memorybank.session.executors.base import OFFLINE_RESEARCHER, REACT_AGENT
from memorybank.settings.env import Effective, SettingOrigin
from memorybank.settings.llm import HAND, RECORDING
from memorybank.views.box import Box, box, chip
from memorybank.views.i18n import t


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


Cached = Literal["no", "some", "all"]

OFFLINE = "offline"
USER = "user"
"""The `closed_by` of a verdict that a person stated."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Origin:
    engine: str
    """The engine: `offline`, `llm`, `user`, or an outside framework's name; empty when nothing has been made yet."""
    model: str = ""
    """The name of the language model."""
    cached: Cached = "no"
    """Whether the answer cache served it, in part or whole."""
    recorded: bool = False
    """Whether it is of a run that comes with the app."""


def chip_of(origin: Origin, lang: Lang, *, replay: bool = False) -> Box:
    words, help_ = words_of(origin, lang)
    chips = [box("span", "chip origin", words, title=help_)] if words else []
    if origin.cached != "no":
        key = "badge.cache" if origin.cached == "all" else "session.origin.cache_some"
        chips.append(box("span", "chip origin", t(key, lang), title=t("session.origin.cache_help", lang)))
    if replay:
        chips.append(chip(t("badge.replay", lang), "origin"))
    return box("span", "origins", *chips)


def words_of(origin: Origin, lang: Lang) -> tuple[str, str]:
    """Return the words and their explanation; empty when nothing has been made yet."""
    if not origin.engine:
        return "", ""
    if origin.engine == OFFLINE:
        words = t("session.origin.part_by_hand" if origin.model else "badge.offline", lang)
        return words, t("badge.offline_help", lang)
    if origin.engine == USER:
        return t("session.origin.user", lang), t("session.origin.user_help", lang)
    if origin.engine == "llm":
        if not origin.model:
            return t("session.origin.model", lang), t("badge.llm_help", lang)
        if origin.recorded or origin.model.startswith(f"{RECORDING}:"):
            return t("session.origin.recorded", lang), t("session.origin.recorded_help", lang)
        if origin.model == HAND:
            return t("session.origin.by_hand", lang), t("session.origin.by_hand_help", lang)
        return t("badge.llm", lang, model=origin.model), t("badge.llm_help", lang)
    return t("session.origin.other", lang, name=origin.engine), t("session.origin.other_help", lang)


ValueOrigin = Literal["changed", "run"] | SettingOrigin


@dataclass(frozen=True, slots=True, kw_only=True)
class Holding:
    name: str
    """The name of the setting; `settings.holds.<name>` is its words."""
    value: str
    origin: ValueOrigin


VARIABLES = {
    "engine": "ENGINE",
    "model": "LLM_MODEL",
    "embedding_model": "EMBEDDING_MODEL",
    "lang": "SESSION_LANG",
    "relations": "RELATIONS",
    "strategy": "ANALYSIS_STRATEGY",
    "merge_after_verdict": "MERGE_AFTER_VERDICT",
    "k": "RETRIEVAL_K",
    "alpha": "RETRIEVAL_ALPHA",
    "neighbor_share": "NEIGHBOR_SHARE",
    "max_rounds": "MAX_ROUNDS",
    "prompt_tokens": "PROMPT_TOKENS",
}
"""The settings shown, in this order, and the variable that sets each for a new run."""

_MAY_CHANGE = ("relations", "strategy", "merge_after_verdict", "k", "alpha", "neighbor_share")


def holding(
    local: Effective, begun: SessionStarted | None = None, changed: SettingsChanged | None = None
) -> tuple[Holding, ...]:
    """Return what a run began with and what was changed since; without a run, what a new one would begin with."""
    rows = {row.name: row for row in local.rows}
    held: list[Holding] = []
    for name, variable in VARIABLES.items():
        row = rows[variable]
        value: str = row.value if begun is None else _text(getattr(begun, name))
        origin: ValueOrigin = row.origin if begun is None else "run"
        if changed is not None and begun is not None and name in _MAY_CHANGE:
            now = _text(getattr(changed, name))
            origin = "changed" if now != value else origin
            value = now
        if name == "model" and (value == HAND or value.startswith(f"{RECORDING}:")):
            held[0] = replace(held[0], value=value)  # what answers in a model's place is the engine
        elif value:  # the offline engine has no model
            held.append(Holding(name=name, value=value, origin=origin))
    return tuple(held)


def _text(value: object) -> str:
    if isinstance(value, tuple):
        return ",".join(str(part) for part in value)
    return f"{value:g}" if isinstance(value, float) else str(value)
