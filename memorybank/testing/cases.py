"""What a case holds, how it is written as JSON, and facts as values that can be compared."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field, TypeAdapter, ValidationError

from memorybank.errors import InputError
from memorybank.llm.base import ChatReply
from memorybank.memory.events import EVENT, Fact, StageName
from memorybank.memory.types import Lang, Value
from memorybank.settings.config import Settings
from memorybank.settings.redaction import Redactor

_VECTORS = ("vector", "query_vector")
_DIGITS = 4
"""Scores may differ behind them from one machine's arithmetic to another's."""
_KEPT: dict[str, Any] = {
    **dict.fromkeys(("agent_window", "chunk_ratio", "max_tool_calls", "round_seconds", "deep_retrieval_tokens"), True),
    "embedding_model": True,
    "llm": {"max_tokens", "sampling", "windows", "max_context_tokens", "native_tools", "vision"},
}
"""Settings that a run does not keep and on which an outcome depends; no address and no key is among them."""
SETTINGS: TypeAdapter[Settings] = TypeAdapter(Settings)


@dataclass(frozen=True, slots=True, kw_only=True)
class Recorded(Value):
    """The memory before a stage, and all that was answered and read in it."""

    facts: tuple[tuple[float, dict[str, Any]], ...]
    """The facts up to that moment as JSON, each with its time in seconds since 1970."""
    calls: tuple[dict[str, Any], ...] = ()
    """Agent and tool calls of the stage as JSON, with their answers."""
    results: dict[str, str] = field(default_factory=dict)
    """What the tools of the stage brought back, as JSON, by the SHA-256 of that text."""
    files: dict[str, str] = field(default_factory=dict)
    """Images that a model is shown as base64, by SHA-256."""
    now: float = 0.0
    """When the stage began, in seconds since 1970."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentCase(Value):
    """An agent is given the same input; the model behind it, where there is one, says what it said."""

    kind: Literal["agent"] = "agent"
    name: str
    engine: Literal["offline", "llm"]
    role: str
    lang: Lang
    given: dict[str, Any]
    """The agent's input."""
    expected: dict[str, Any]
    """Its answer; or under `error` why there was none."""
    replies: tuple[ChatReply, ...] = ()
    """What the model said, in order."""
    settings: dict[str, Any]
    context_window: int | None = None
    """Tokens that the model's server takes in; None: not known."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StageCase(Value):
    """A stage runs on the memory before it; every call in it is answered from the record."""

    kind: Literal["stage"] = "stage"
    name: str
    stage: StageName
    expected: list[dict[str, Any]]
    """The facts that the stage made, without vectors, scores to four digits."""
    settings: dict[str, Any]
    context_window: int | None = None
    """Tokens that the model's server takes in; None: not known."""
    record: Recorded


Case = AgentCase | StageCase
_CASE: TypeAdapter[Case] = TypeAdapter(Annotated[Case, Field(discriminator="kind")])


def case_json(case: Case) -> str:
    """Write a case. A secret that a text of the run may hold is taken out, as it is wherever text is written."""
    values = {"kind": case.kind, **_CASE.dump_python(case, mode="json", exclude_defaults=True)}
    lines = ",\n".join(f'"{name}": {json.dumps(value, ensure_ascii=False)}' for name, value in values.items())
    return Redactor().text(f"{{\n{lines}\n}}\n")


def read_case(file: str | Path) -> Case:
    """Read a case from its file. Raises InputError for a file that holds none."""
    try:
        return _CASE.validate_json(Path(file).read_bytes())
    except ValidationError as error:
        raise InputError("record.no_case", name=Path(file).name, kind=error.errors()[0]["msg"]) from None


def settings_kept(settings: Settings) -> dict[str, Any]:
    """Return the settings that a run does not keep, as a case holds them; those with their default are left out."""
    kept: dict[str, Any] = SETTINGS.dump_python(settings, mode="json", include=_KEPT, exclude_defaults=True)
    return kept


def comparable(fact: Fact) -> dict[str, Any]:
    """Return a fact as plain values that are the same on every machine: no vectors, no defaults, scores rounded."""
    values = EVENT.dump_python(fact, mode="json", exclude_defaults=True)
    return {"type": fact.type, **{name: _rounded(value) for name, value in values.items() if name not in _VECTORS}}


def _rounded(value: Any) -> Any:
    if isinstance(value, float):
        return round(value, _DIGITS)
    if isinstance(value, list):
        return [_rounded(item) for item in value]
    if isinstance(value, Mapping):
        return {name: _rounded(part) for name, part in value.items() if name not in _VECTORS}
    return value
