"""A tool or a stage on a record: the real one, with the record in place of all that would ask or read."""

from __future__ import annotations

import base64
import functools
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from memorybank.documents.document import Document
from memorybank.errors import InputError
from memorybank.language.text import sha256
from memorybank.llm.chats import Chats
from memorybank.memory.bank import MemoryBank, fold
from memorybank.memory.contracts import Engine, Message
from memorybank.memory.events import EVENT, AgentCalled, Fact, StageName, ToolUsed
from memorybank.memory.types import StagedImage
from memorybank.runs.files.formal import StoredFile
from memorybank.runs.run_folder import RunFolder
from memorybank.session.assembly import Parts, recall_for
from memorybank.session.executors.base import Executor
from memorybank.session.stages import STAGES
from memorybank.session.stages.base import StageEffects
from memorybank.settings.config import Settings
from memorybank.testing.model import RecordedChat, beyond_record
from memorybank.testing.record import RecordedDocument, comparable, unpack
from memorybank.tools.base import Tool, ToolResult
from memorybank.tools.corpus import Corpus


class _FromRecord:
    """A record, and the parts of a session that stand on it."""

    def __init__(self, record: str, settings: Settings | None = None, *, context_window: int | None = None) -> None:
        self.recorded = unpack(record)
        self.bank: MemoryBank = fold([(EVENT.validate_json(json.dumps(fact)), at) for at, fact in self.recorded.facts])
        """The memory before."""
        self._local = settings or Settings()
        self._context_window = context_window

    @property
    def settings(self) -> Settings:
        """The settings of the run at that moment; what a run does not keep is the test's, or a default."""
        begun, changed = self.bank.settings, self.bank.changed
        if begun is None:
            raise InputError("record.no_session")
        settings = self._local.with_beginning_of(begun)
        return settings.with_analysis_of(changed) if changed is not None else settings

    def parts(self) -> Parts:
        """Nothing in them can ask a model; the embedding model is the run's own."""
        begun, settings = self.bank.settings, self.settings
        assert begun is not None, "settings would have raised"
        recall = recall_for(begun, settings)
        chats = None
        if begun.engine != "offline":
            chats = Chats(RecordedChat(name=begun.model or "recorded", context_window=self._context_window))
        return Parts(
            settings=settings,
            lang=begun.lang,
            engine=_RecordedEngine(begun.engine),
            executor=_executor(begun.engine, settings),
            recall=recall,
            corpus=_corpus(self.recorded.documents),
            chats=chats,
        )

    def file(self, digest: str) -> bytes:
        """An image or another original. Raises InputError when the record has none such."""
        encoded = self.recorded.files.get(digest)
        if encoded is None:
            raise InputError("record.no_file", digest=digest[:12])
        return base64.b64decode(encoded)


class RecordedTool(_FromRecord):
    """The tools of a session, on the memory of a moment. Read-only; the web is not reached."""

    def run(self, tool: str, arguments: Mapping[str, Any]) -> ToolResult:
        """Call a tool as an executor did. Raises ToolError as it does, InputError for a tool that there is not."""
        with TemporaryDirectory(prefix="memorybank-test-") as folder:
            run = _folder(Path(folder), self)
            tools = {tool.name: tool for tool in self.parts().tools(lambda: self.bank, run)}
            if tool not in tools:
                raise InputError("record.no_tool", tool=tool, names=", ".join(tools))
            return tools[tool].run(arguments)


class RecordedStage(_FromRecord):
    """One stage on the memory before it. Agents, tools, model and clock answer from the record."""

    def __init__(
        self, stage: StageName, record: str, settings: Settings | None = None, *, context_window: int | None = None
    ) -> None:
        super().__init__(record, settings, context_window=context_window)
        self.stage: StageName = stage
        self.calls = tuple(EVENT.validate_json(json.dumps(call)) for call in self.recorded.calls)
        """Agent and tool calls of the stage, with their answers."""

    def run(self) -> list[dict[str, Any]]:
        """The stage's facts, made `comparable`. AssertionError when it asks for something beyond the record."""
        return [comparable(fact) for fact in self.facts()]

    def _by_role(self) -> dict[str, Engine]:
        """Roles that another engine than the run's played, as the record has them."""
        return {call.role: _RecordedEngine(call.engine) for call in self.calls if isinstance(call, AgentCalled)}

    def facts(self) -> list[Fact]:
        """Runs the stage and answers with its facts as events."""
        parts = self.parts()
        with TemporaryDirectory(prefix="memorybank-test-") as folder:
            run = _folder(Path(folder), self)
            effects = StageEffects(
                engine=parts.engine,
                recall=parts.recall,
                tools=[_recorded(tool) for tool in parts.tools(lambda: self.bank, run)],
                executor=parts.executor,
                store_image=_stored,
                settings=parts.settings,
                lang=parts.lang,
                observe=lambda observation: None,
                blobs=_Blobs(self.recorded.results),
                now=self.recorded.now,
                by_role=self._by_role(),
                chats=parts.chats,
                image_bytes=self.file,
                memo=[*self.calls, _END],
            )
            return STAGES[self.stage](self.bank, effects)


# -- in place of what acts --------------------------------------------------------------------------------------------

_END = ToolUsed(tool="", arguments={}, key="", outcome="ok", excerpt="")
"""Stands behind the record: failures at the end of a memo are tried again, and these shall fail as they did."""


class _RecordedEngine:
    """Five agents that are never asked: what they answered is in the memo."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.classification = self.structure = self.analysis = self.integration = self.planning = _Unasked()


class _Unasked:
    def run(self, request: Message) -> Any:
        beyond_record(f"a call with {type(request).__name__}")


def _recorded(tool: Tool) -> Tool:
    """Declared as the tool is, for a prompt names it and its arguments; it is never called."""

    @functools.wraps(tool.function)
    def unasked(*arguments: Any, **named: Any) -> ToolResult:
        beyond_record(f"a call of {tool.name}")

    return Tool(unasked, tool.name, tool.description)


@dataclass(frozen=True, slots=True)
class _Blobs:
    results: Mapping[str, str]

    def put(self, data: str) -> str:
        return sha256(data)

    def get(self, digest: str) -> bytes:
        result = self.results.get(digest)
        if result is None:
            raise InputError("record.no_result", digest=digest[:12])
        return result.encode("utf-8", "surrogatepass")


def _stored(image: StagedImage) -> StoredFile:
    """The file that a copy would have made: a stored file is named by its content."""
    return StoredFile(
        sha256=image.sha256, path=f"{image.sha256}{_suffix(image)}", size=image.size, media_type=image.media_type
    )


def _executor(engine: str, settings: Settings) -> Executor:
    if engine == "offline":
        from memorybank.session.executors.researcher import OfflineResearcher

        return OfflineResearcher()
    from memorybank.session.executors.react import ReActAgent

    return ReActAgent(seconds=settings.round_seconds)


def _corpus(documents: Sequence[RecordedDocument]) -> Corpus | None:
    if not documents:
        return None
    return Corpus(
        documents=tuple(
            Document(
                name=document.name,
                text=document.text,
                kind="text",
                media_type="text/plain",
                sha256=sha256(document.text),
            )
            for document in documents
        )
    )


def _folder(path: Path, record: _FromRecord) -> RunFolder:
    """A run's folder that holds the record's files."""
    run, tree = RunFolder(path), record.bank.tree
    kept = {attachment.sha256: Path(attachment.path).suffix for attachment in tree.attachments.values()}
    kept |= {image.sha256: _suffix(image) for image in tree.staged.values()}
    for digest in record.recorded.files:
        if digest in kept:
            run.files.put(record.file(digest), kept[digest])
    return run


def _suffix(image: StagedImage) -> str:
    return ".jpg" if image.media_type == "image/jpeg" else f".{image.media_type.rpartition('/')[2]}"
