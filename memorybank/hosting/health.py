"""What a language model can do: a few small questions to its endpoint.

`ask_llm` blocks for at most `TIMEOUT` seconds and never raises what an endpoint can cause: what went wrong is part of
the answer.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, field, replace

from memorybank import calls
from memorybank.calls import Cancelled
from memorybank.errors import EndpointError, MemoryBankError
from memorybank.settings.llm import HAND, LLMSettings

TIMEOUT = 60.0
"""Seconds for the whole check, whatever the settings allow a question: a large local model is loaded in them."""

LISTED = 12
"""Models of a server that are named where the one that was asked for is not there."""


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
