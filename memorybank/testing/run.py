"""A case is run: the real agent or stage, with the record in place of all that would ask or read."""

from __future__ import annotations

import base64
import difflib
import functools
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NoReturn

from memorybank.engines.llm import LLMEngine
from memorybank.errors import AgentError, InputError
from memorybank.language.text import sha256
from memorybank.llm.base import ChatReply, ChatRequest
from memorybank.llm.chats import Chats
from memorybank.llm.tokens import estimate
from memorybank.memory.bank import MemoryBank, fold
from memorybank.memory.contracts import (
    AnalysisInput,
    ClassificationInput,
    Engine,
    IntegrationInput,
    Message,
    PlanningInput,
    StructureInput,
)
from memorybank.memory.events import EVENT, AgentCalled, SessionStarted, ToolUsed
from memorybank.memory.types import StagedImage
from memorybank.runs.files.formal import StoredFile
from memorybank.runs.run_folder import RunFolder
from memorybank.session.assembly import Parts, assemble, offline_parts, recall_for
from memorybank.session.executors.react import ReActAgent
from memorybank.session.stages import STAGES
from memorybank.session.stages.base import StageEffects
from memorybank.settings.config import Settings
from memorybank.testing.cases import SETTINGS, AgentCase, Case, Recorded, StageCase, comparable, read_case
from memorybank.tools.base import Tool, ToolResult

INPUTS: Mapping[str, type[Message]] = {
    "classification": ClassificationInput,
    "structure": StructureInput,
    "analysis": AnalysisInput,
    "integration": IntegrationInput,
    "planning": PlanningInput,
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
    engine: Engine
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


def _bank(record: Recorded) -> MemoryBank:
    """Return the memory before. Raises InputError for the facts of no session."""
    bank = fold([(EVENT.validate_json(json.dumps(fact)), at) for at, fact in record.facts])
    if bank.settings is None:
        raise InputError("record.no_session")
    return bank


def _parts(bank: MemoryBank, local: Settings, context_window: int | None) -> Parts:
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
    def run(self, request: Message) -> Any:
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
    path = f"{image.sha256}{_suffix(image)}"
    return StoredFile(sha256=image.sha256, path=path, size=image.size, media_type=image.media_type)


def _suffix(image: StagedImage) -> str:
    return ".jpg" if image.media_type == "image/jpeg" else f".{image.media_type.rpartition('/')[2]}"


def _file(record: Recorded, digest: str) -> bytes:
    if digest not in record.files:
        raise InputError("record.no_file", digest=digest[:12])
    return base64.b64decode(record.files[digest])
