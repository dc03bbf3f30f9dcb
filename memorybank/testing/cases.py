"""A case of a call or a stage: what it holds, how it is written as JSON, and how it is run.

The real agent or stage is run, with the record in place of all that would ask or read.
"""

from __future__ import annotations

import base64
import difflib
import functools
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated, Any, Literal, NoReturn

from pydantic import Field, TypeAdapter, ValidationError

from memorybank.engines.llm import LLMEngine
from memorybank.errors import AgentError, InputError
from memorybank.language.text import sha256
from memorybank.llm.base import ChatReply, ChatRequest, Chats
from memorybank.llm.tokens import estimate
from memorybank.memory import contracts
from memorybank.memory.events import EVENT, AgentCalled, Fact, SessionStarted, StageName, ToolUsed
from memorybank.memory.state import MemoryState, fold
from memorybank.memory.types import Lang, StagedImage, Value
from memorybank.runs.files.stores import StoredFile
from memorybank.runs.run_folder import RunFolder
from memorybank.session.assembly import Parts, assemble, offline_parts, recall_for
from memorybank.session.executors.react import ReActAgent
from memorybank.session.stages import STAGES
from memorybank.session.stages.base import StageEffects
from memorybank.settings.config import Settings
from memorybank.settings.redaction import Redactor
from memorybank.tools.base import Tool, ToolResult

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
    """Results of the stage's tools, as JSON, by the SHA-256 of that text."""
    files: dict[str, str] = field(default_factory=dict)
    """The images that a model is shown, as base64 by SHA-256."""
    now: float = 0.0
    """The beginning of the stage, in seconds since 1970."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentCase(Value):
    """An agent is given the same input; the model behind it, where there is one, says what it said."""

    kind: Literal["agent"] = "agent"
    name: str
    engine: Literal["offline", "llm"]
    role: str
    lang: Lang
    given: dict[str, Any]
    """The input of the agent, as JSON."""
    expected: dict[str, Any]
    """The agent's answer; or under `error` why there was none."""
    replies: tuple[ChatReply, ...] = ()
    """Replies of the model, in order."""
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


INPUTS: Mapping[str, type[contracts.Message]] = {
    "classification": contracts.ClassificationInput,
    "structure": contracts.StructureInput,
    "analysis": contracts.AnalysisInput,
    "integration": contracts.IntegrationInput,
    "planning": contracts.PlanningInput,
}
"""The form of each agent's input, by role."""
MOST_LINES = 60
"""Lines of a difference that an error shows."""


def run_case(case: Case | str | Path) -> None:
    """Run a case, or the one in a file, and compare what comes of it with what came of it then.

    Raises AssertionError where it is something else, or where the library asks for something that was not asked then;
    InputError for a file that holds no case.
    """
    if isinstance(case, str | Path):
        case = read_case(case)
    found, expected = outcome_of(case), case.expected
    if found != expected:
        then, now = (json.dumps(value, ensure_ascii=False, indent=1).splitlines() for value in (expected, found))
        lines = list(difflib.unified_diff(then, now, "expected", "found", lineterm="", n=1))
        raise AssertionError("\n".join([f"{case.name} comes out otherwise:", *lines[:MOST_LINES]]))


def outcome_of(case: Case) -> Any:
    """Return what comes of a case, in the form of its `expected`."""
    settings = SETTINGS.validate_python(case.settings)
    match case:
        case AgentCase():
            return _answer(case, settings)
        case StageCase():
            return _stage_facts(case, settings)


# -- an agent ---------------------------------------------------------------------------------------------------------


class RecordedChat:
    """A `ChatModel` that gives recorded replies, in order. A question beyond them fails the test."""

    def __init__(
        self, replies: Sequence[ChatReply] = (), *, name: str = "recorded", context_window: int | None = None
    ) -> None:
        self.name = name
        self.context_window = context_window
        self._replies = iter(replies)

    def complete(self, request: ChatRequest) -> ChatReply:
        return next(self._replies, None) or _beyond_record("a question to the model")

    def close(self) -> None:
        """There is nothing to release."""


def _beyond_record(what: str) -> NoReturn:
    raise AssertionError(f"{what} is not in the record: the library asks something else than it did then")


def _answer(case: AgentCase, settings: Settings) -> dict[str, Any]:
    engine: contracts.Engine
    if case.engine == "llm":
        chat = RecordedChat(case.replies, context_window=case.context_window)
        engine = LLMEngine(Chats(chat), settings.llm, estimate)
    else:
        engine = assemble(settings, embedding_model=settings.embedding_model, lang=case.lang).engine
    try:
        answer = getattr(engine, case.role).run(INPUTS[case.role].model_validate(case.given))
    except AgentError as error:
        return {"error": str(error)}
    values: dict[str, Any] = answer.model_dump(mode="json")
    return values


# -- a stage ----------------------------------------------------------------------------------------------------------


def _stage_facts(case: StageCase, settings: Settings) -> list[dict[str, Any]]:
    record, bank = case.record, _bank(case.record)
    parts = _parts(bank, settings, case.context_window)
    calls = [EVENT.validate_json(json.dumps(call)) for call in record.calls]
    with TemporaryDirectory(prefix="memorybank-test-") as path:
        effects = StageEffects(
            engine=parts.engine,
            recall=parts.recall,
            tools=[_unasked(tool) for tool in parts.tools(lambda: bank, RunFolder(Path(path)))],
            executor=parts.executor,
            store_image=_stored,
            settings=parts.settings,
            lang=parts.lang,
            observe=lambda observation: None,
            blobs=_Results(record.results),
            now=record.now,
            by_role={call.role: _RecordedEngine(call.engine) for call in calls if isinstance(call, AgentCalled)},
            chats=parts.chats,
            image_bytes=lambda digest: _file(record, digest),
            memo=[*calls, _END],
        )
        return [comparable(fact) for fact in STAGES[case.stage](bank, effects)]


_END = ToolUsed(tool="", arguments={}, key="", outcome="ok", excerpt="")
"""Stands behind the calls of a record, for failures at the end of a memo are tried again, and these shall fail anew."""


def _bank(record: Recorded) -> MemoryState:
    """Return the memory before. Raises InputError for the facts of no session."""
    bank = fold([(EVENT.validate_json(json.dumps(fact)), at) for at, fact in record.facts])
    if bank.settings is None:
        raise InputError("record.no_session")
    return bank


def _parts(bank: MemoryState, local: Settings, context_window: int | None) -> Parts:
    """Return a session's parts, of which none can ask a model; the embedding model is the run's own."""
    begun, changed = bank.settings, bank.changed
    assert isinstance(begun, SessionStarted)
    settings = local.with_beginning_of(begun)
    if changed is not None:
        settings = settings.with_analysis_of(changed)
    parts = replace(
        offline_parts(settings, begun.lang, recall_for(begun, settings).embedder), engine=_RecordedEngine(begun.engine)
    )
    if begun.engine == "offline":
        return parts
    chats = Chats(RecordedChat(name=begun.model or "recorded", context_window=context_window))
    return replace(parts, executor=ReActAgent(seconds=settings.round_seconds), chats=chats)


class _RecordedEngine:
    """Five agents that are never asked, for what they answered is in the memo."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.classification = self.structure = self.analysis = self.integration = self.planning = _Unasked()


class _Unasked:
    def run(self, request: contracts.Message) -> Any:
        _beyond_record(f"a call with {type(request).__name__}")


def _unasked(tool: Tool) -> Tool:
    """Return a tool that is declared like this one, for a prompt names it and its arguments, and is never called."""

    @functools.wraps(tool.function)
    def unasked(*arguments: Any, **named: Any) -> ToolResult:
        _beyond_record(f"a call of {tool.name}")

    return Tool(unasked, tool.name, tool.description)


@dataclass(frozen=True, slots=True)
class _Results:
    """The results of tools in the place of a run's blobs."""

    results: Mapping[str, str]

    def put(self, data: str) -> str:
        return sha256(data)

    def get(self, digest: str) -> bytes:
        if digest not in self.results:
            raise InputError("record.no_result", digest=digest[:12])
        return self.results[digest].encode("utf-8", "surrogatepass")


def _stored(image: StagedImage) -> StoredFile:
    """Return the file that a copy would have made: a stored file is named by its content."""
    suffix = "jpg" if image.media_type == "image/jpeg" else image.media_type.rpartition("/")[2]
    return StoredFile(
        sha256=image.sha256, path=f"{image.sha256}.{suffix}", size=image.size, media_type=image.media_type
    )


def _file(record: Recorded, digest: str) -> bytes:
    if digest not in record.files:
        raise InputError("record.no_file", digest=digest[:12])
    return base64.b64decode(record.files[digest])
