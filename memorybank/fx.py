"""Effects: the only door through which a stage or an executor reaches models, tools and the clock.

Every answer is journaled as an observation, in input order, before it is used. Observations that a killed or paused
stage left behind are its memo: the repeated stage gets the same answers without a second call (design section 4).
"""

from __future__ import annotations

import hashlib
import json
import time
from collections import defaultdict, deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar, cast

from memorybank.config import Settings
from memorybank.contracts import Engine, Message, Role
from memorybank.embedding.base import Embedder
from memorybank.errors import AgentError, MemoryBankError, ToolError
from memorybank.events import AgentCalled, Observation, StageStarted, ToolUsed
from memorybank.retrieval.recall import Recall
from memorybank.tools.base import RESULT, Tool, ToolResult
from memorybank.types import Lang

Out = TypeVar("Out", bound=Message)

EXCERPT_CHARS = 500


class Paused(Exception):  # noqa: N818 - not an error: the session was asked to stop at the next door
    """Raised inside a stage when a pause was asked for; the stage will run again from its start, with its memo."""


class Blobs(Protocol):
    def put(self, data: str) -> str: ...
    def get(self, digest: str) -> bytes: ...


@dataclass(frozen=True, slots=True)
class Failed:
    """The place of an answer that did not come."""

    error: str


class Effects:
    def __init__(
        self,
        *,
        engine: Engine,
        recall: Recall,
        tools: Sequence[Tool],
        settings: Settings,
        lang: Lang,
        observe: Callable[[Observation], None],
        blobs: Blobs,
        now: float,
        memo: Iterable[Observation] = (),
        paused: Callable[[], bool] = lambda: False,
        progress: Callable[[int, int], None] = lambda done, total: None,
    ) -> None:
        self.engine = engine
        self.recall = recall
        self.settings = settings
        self.lang = lang
        self.used: list[tuple[str, Mapping[str, Any], ToolResult]] = []
        """Tool calls of this stage that brought something, in order."""
        self.tools = {tool.name: tool for tool in tools}
        self.now = now
        """Seconds since the epoch: when the stage began. The same after a resume."""
        self._observe = observe
        self._blobs = blobs
        self._parallel = 1 if engine.name == "offline" else settings.parallel_calls
        self._paused = paused
        self.progress = progress
        """Told (done, total) of a long stage's parts as they are done; for the eye only, nothing is journaled."""
        self._memo: dict[str, deque[AgentCalled | ToolUsed]] = defaultdict(deque)
        for observation in memo:
            if isinstance(observation, AgentCalled | ToolUsed):
                self._memo[observation.key].append(observation)

    @property
    def embedder(self) -> Embedder:
        return self.recall.embedder

    # -- agents -------------------------------------------------------------------------------------------------------

    def ask(self, role: Role, given: Message, answer: type[Out]) -> Out:
        """One agent call. Raises AgentError (recorded) when there is no usable answer."""
        (result,) = self.ask_all(role, [given], answer)
        if isinstance(result, Failed):
            raise AgentError(result.error)
        return result

    def ask_all(self, role: Role, given: Sequence[Message], answer: type[Out]) -> list[Out | Failed]:
        """Independent calls, in parallel where the engine waits for a network; answers and journal in input order."""
        self._stop_if_paused()
        keys = [self._key(role, one) for one in given]
        known = [self._remembered(key) for key in keys]
        todo = [one for one, memo in zip(given, known, strict=True) if memo is None]
        fresh = iter(self._run_all(role, todo))
        results: list[Out | Failed] = []
        for done, (one, key, memo) in enumerate(zip(given, keys, known, strict=True)):
            self.progress(done, len(given))
            call = memo
            if call is None:
                self._stop_if_paused()
                call = self._record_call(role, key, one, *next(fresh))
            results.append(_answer_of(cast(AgentCalled, call), answer))
        return results

    def _run_all(self, role: Role, given: Sequence[Message]) -> Iterable[tuple[Message | AgentError, float]]:
        agent = getattr(self.engine, role)

        def run(one: Message) -> tuple[Message | AgentError, float]:
            began = time.perf_counter()
            try:
                return agent.run(one), time.perf_counter() - began
            except AgentError as error:
                return error, time.perf_counter() - began

        if self._parallel <= 1 or len(given) <= 1:
            return map(run, given)
        return _in_pool(run, given, self._parallel)

    def _record_call(
        self, role: Role, key: str, given: Message, outcome: Message | AgentError, seconds: float
    ) -> AgentCalled:
        failed = isinstance(outcome, AgentError)
        call = AgentCalled(
            role=role,
            engine=self.engine.name,
            key=key,
            outcome="failed" if failed else "ok",
            answer={} if isinstance(outcome, AgentError) else outcome.model_dump(mode="json"),
            error=str(outcome) if failed else "",
            input_blob=self._blobs.put(given.model_dump_json()),
            ms=round(seconds * 1000, 1),
        )
        self._observe(call)
        return call

    def _key(self, role: str, given: Message) -> str:
        return _digest(role, self.engine.name, given.model_dump_json())

    # -- tools --------------------------------------------------------------------------------------------------------

    def use(self, tool: str, **arguments: Any) -> ToolResult:
        """One tool call. A failing tool is an observation: raises ToolError (recorded) with words for the executor."""
        self._stop_if_paused()
        key = _digest("tool", tool, json.dumps(arguments, sort_keys=True, ensure_ascii=False))
        used = self._remembered(key)
        if isinstance(used, ToolUsed):
            if used.outcome == "failed":
                raise ToolError(used.excerpt)
            result = self._stored_result(used.blob)
            if result is not None:
                self.used.append((tool, arguments, result))
                return result
        result = self._use(tool, key, arguments)
        self.used.append((tool, arguments, result))
        return result

    def _stored_result(self, blob: str) -> ToolResult | None:
        """None when the blob is gone: a lone journal was resumed, so the tool is asked again."""
        try:
            return RESULT.validate_json(self._blobs.get(blob))
        except MemoryBankError:
            return None

    def _use(self, name: str, key: str, arguments: dict[str, Any]) -> ToolResult:
        began = time.perf_counter()
        tool = self.tools.get(name)
        failure, result = "", ToolResult(text="")
        if tool is None:
            failure = f"there is no tool {name!r}; there are: {', '.join(self.tools)}"
        else:
            try:
                result = tool.run(arguments)
            except MemoryBankError as error:
                failure = str(error)
        raw = "" if failure else RESULT.dump_json(result).decode()
        self._observe(
            ToolUsed(
                tool=name,
                arguments=arguments,
                key=key,
                outcome="failed" if failure else "ok",
                excerpt=failure or result.text[:EXCERPT_CHARS],
                sources=tuple(dict.fromkeys(material.source for material in result.materials)),
                blob=self._blobs.put(raw) if raw else "",
                size=len(result.text),
                ms=round((time.perf_counter() - began) * 1000, 1),
            )
        )
        if failure:
            raise ToolError(failure)
        return result

    # -- memo ---------------------------------------------------------------------------------------------------------

    def _remembered(self, key: str) -> AgentCalled | ToolUsed | None:
        waiting = self._memo.get(key)
        return waiting.popleft() if waiting else None

    def _stop_if_paused(self) -> None:
        if self._paused():
            raise Paused


def stage_clock(memo: Iterable[tuple[Observation, float]], fallback: float) -> float:
    """When the interrupted stage first began, else `fallback`."""
    return next((at for observation, at in memo if isinstance(observation, StageStarted)), fallback)


def _in_pool(
    run: Callable[[Message], tuple[Message | AgentError, float]], given: Sequence[Message], size: int
) -> Iterator[tuple[Message | AgentError, float]]:
    """Results in input order as they come; when the reader stops early, what has not begun is not begun."""
    pool = ThreadPoolExecutor(size)
    try:
        yield from pool.map(run, given)
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def _answer_of(call: AgentCalled, answer: type[Out]) -> Out | Failed:
    return Failed(call.error) if call.outcome == "failed" else answer.model_validate_json(json.dumps(call.answer))


def _digest(*parts: str) -> str:
    joined = hashlib.sha256()
    for part in parts:
        joined.update(part.encode("utf-8", "replace") + b"\0")
    return joined.hexdigest()[:32]
