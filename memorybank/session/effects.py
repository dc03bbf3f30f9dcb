"""Effects: the only door through which a stage or an executor reaches models, tools and the clock.

Every answer is journaled as an observation, in input order, before it is used. Observations that a killed or paused
stage left behind are its memo: the repeated stage gets the same answers without a second call.
"""

from __future__ import annotations

import hashlib
import json
from collections import defaultdict, deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from dataclasses import asdict, dataclass
from typing import Any, Protocol, TypeVar, cast

from pydantic import ValidationError

from memorybank import calls, errors
from memorybank.calls import Cancelled, ChatCall
from memorybank.embedding.base import Embedder
from memorybank.embedding.parsing import parse_beside
from memorybank.language.parse import Parse
from memorybank.language.text import encodable_values
from memorybank.llm.base import REPLY, ChatReply, ChatRequest, Chats, request_json
from memorybank.llm.faults import ImagesRefusedError, TooLongError
from memorybank.llm.tokens import agent_window
from memorybank.memory.contracts import Engine, Message, Role
from memorybank.memory.events import AgentCalled, Observation, ToolUsed
from memorybank.memory.types import Lang
from memorybank.retrieval.recall import Recall
from memorybank.settings.config import Settings
from memorybank.settings.llm import AgentName
from memorybank.tools.base import RESULT, Tool, ToolResult, arguments_json

Out = TypeVar("Out", bound=Message)

EXCERPT_CHARS = 500
TEXT_SHARE = 0.75
"""Share of a language model's window that the text may fill; with more, an agent has to ask in two calls."""


class Paused(Exception):  # noqa: N818 - not an error: the session was asked to stop at the next door
    """Raised inside a stage when a pause was asked for; the stage will run again from its start, with its memo."""


class Blobs(Protocol):
    def put(self, data: str) -> str: ...
    def get(self, digest: str) -> bytes: ...


@dataclass(frozen=True, slots=True)
class Failed:
    """Stands in place of an answer that did not come."""

    error: str


@dataclass(frozen=True, slots=True)
class _Done:
    """A call that has ended: its answer as JSON values or its error, and what it cost."""

    answer: dict[str, Any]
    error: errors.AgentError | None
    ms: float
    made: tuple[ChatCall, ...]
    lost: bool = False
    """The endpoint gave no answer; what it would have said is unknown."""


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
        by_role: Mapping[str, Engine] | None = None,
        chats: Chats | None = None,
        image_bytes: Callable[[str], bytes] | None = None,
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
        self._chats = chats
        self._contexts: dict[AgentName, int | None] = {}
        self._image_bytes = image_bytes
        self._spent = 0.0
        self._observe = observe
        self._blobs = blobs
        self._by_role = by_role or {}
        self._paused = paused
        self._show = progress
        self._memo = Memo(memo)

    @property
    def embedder(self) -> Embedder:
        return self.recall.embedder

    @property
    def parse(self) -> Parse:
        """Return the function that parses sentences, in the process of a model."""
        return parse_beside(self.embedder)

    def elapsed(self) -> float:
        """Return the seconds this stage has spent in calls, those of its memo included: the same after a resume."""
        return self._spent

    def window(self, role: Role) -> int:
        """Return the tokens of text that fit an agent's call, beside a language model's prompt and answer."""
        if self._chats is None:
            return self.settings.agent_window
        tokens, _ = agent_window(self.settings.llm, role, self.context_window(role))
        return int(TEXT_SHARE * tokens)

    def asks_together(self, role: Role) -> bool:
        """Whether an agent is asked about several texts at once: not one whose calls cost nothing by themselves, for
        between them a session can pause."""
        return self._engine_of(role).name != "offline"

    def context_window(self, role: AgentName) -> int | None:
        """Return the tokens that a role's server takes, as known when first asked for: one value for the stage."""
        if role not in self._contexts:
            self._contexts[role] = self._chats.of(role).context_window if self._chats else None
        return self._contexts[role]

    def image_bytes(self, sha256: str) -> bytes:
        """Reads an image by its hash. Raises InputError when it is gone. Not journaled: its name is its content."""
        if self._image_bytes is None:
            raise errors.InputError("session.no_images")
        return self._image_bytes(sha256)

    def progress(self, done: int, total: int) -> None:
        """Say how many of a long stage's parts are done, for the eye only; a pause that was asked for happens here."""
        self._stop_if_paused()
        self._show(done, total)

    def ask(self, role: Role, given: Message, answer: type[Out]) -> Out:
        """Makes one agent call. Raises AgentError (recorded) when there is no usable answer."""
        (result,) = self.ask_all(role, [given], answer)
        if isinstance(result, Failed):
            raise errors.AgentError("text.outside", text=result.error)
        return result

    def ask_all(self, role: Role, given: Sequence[Message], answer: type[Out]) -> list[Out | Failed]:
        """Makes independent calls, in parallel where the engine waits for a network; answers come in input order.

        Raises EndpointLostError when none of them got through to the model: then nothing is known, not even a failure.
        """
        self._stop_if_paused()
        inputs = [message.model_dump_json() for message in given]
        keys = [call_key(role, self._engine_of(role).name, message) for message in inputs]
        known = [self._remembered(key) for key in keys]
        todo = [message for message, memo in zip(given, known, strict=True) if memo is None]
        fresh = iter(self._run_all(role, todo))
        results: list[Out | Failed] = []
        lost = 0
        for done, (input_json, key, memo) in enumerate(zip(inputs, keys, known, strict=True)):
            self.progress(done, len(given))
            call = memo
            if call is None:
                self._stop_if_paused()
                made = next(fresh)
                call = self._record_call(role, key, input_json, made)
                self._spent += call.ms / 1000
                lost += made.lost
            results.append(_answer_of(call, answer))
        if lost and lost == len(given):
            raise errors.EndpointLostError("session.endpoint_lost", reason=made.error)
        return results

    def _run_all(self, role: Role, given: Sequence[Message]) -> Iterable[_Done]:
        engine = self._engine_of(role)
        agent = getattr(engine, role)

        def run(message: Message) -> _Done:
            return self._timed(lambda: agent.run(message).model_dump(mode="json"))

        parallel = 1 if engine.name == "offline" else self.settings.parallel_calls
        if parallel <= 1 or len(given) <= 1:
            return map(run, given)
        return _in_pool(run, given, parallel)

    def _engine_of(self, role: str) -> Engine:
        """Return the engine that plays a role; the executor and the tools are the session's own."""
        return self._by_role.get(role, self.engine)

    def chat(
        self,
        request: ChatRequest,
        role: AgentName = "react",
        *,
        remarks: Callable[[ChatReply], Iterable[str]] = lambda reply: (),
    ) -> ChatReply:
        """Asks the language model for the executor. Raises EndpointError (recorded) when there is no answer.

        `remarks` says what is wrong with a reply, a line each: they are recorded with the call.
        """
        self._stop_if_paused()
        if self._chats is None:
            raise errors.EndpointError("session.no_model")
        model = self._chats.of(role)
        request_text = request_json(request)
        key = call_key("chat", role, request_text)
        call = self._remembered(key)
        if call is None:

            def complete() -> dict[str, Any]:
                reply = model.complete(request)
                calls.note(*remarks(reply))
                return cast(dict[str, Any], REPLY.dump_python(reply, mode="json"))

            call = self._record_call(role, key, request_text, self._timed(complete))
            self._spent += call.ms / 1000
        if not isinstance(call, AgentCalled):
            raise errors.JournalError("session.no_agents_answer")
        if call.outcome == "failed":
            raise errors.EndpointError("text.outside", text=call.error)
        try:
            return REPLY.validate_python(call.answer)
        except ValidationError:
            raise errors.JournalError("session.no_agents_answer") from None

    def _timed(self, act: Callable[[], dict[str, Any]]) -> _Done:
        """Run one call under watch: a pause ends it in flight, and what it asked of a model is counted."""
        answer: dict[str, Any] = {}
        error, lost = None, False
        with calls.watch(self._paused) as made:
            began = calls.clock()
            try:
                answer = encodable_values(act())
            except errors.AgentError as failure:
                error = failure
                # Asking later may help, but not where the server understood the question and cannot take it.
                cannot = isinstance(failure, TooLongError | ImagesRefusedError)
                lost = isinstance(failure, errors.EndpointError) and not cannot
            except Cancelled:
                raise Paused from None
            ms = (calls.clock() - began) * 1000
        return _Done(answer, error, ms, tuple(made), lost)

    def _record_call(self, role: str, key: str, input_text: str, done: _Done) -> AgentCalled:
        made = done.made
        call = AgentCalled(
            role=role,
            engine=self._engine_of(role).name,
            key=key,
            outcome="failed" if done.error else "ok",
            answer=done.answer,
            error=str(done.error or ""),
            input_blob=self._blobs.put(input_text),
            output_blob=self._blobs.put(json.dumps([asdict(call) for call in made], ensure_ascii=False))
            if made
            else "",
            input_tokens=sum(call.input_tokens for call in made),
            cached_input_tokens=sum(call.cached_input_tokens for call in made),
            output_tokens=sum(call.output_tokens for call in made),
            ms=round(done.ms, 1),
            attempt=max(1, sum(call.attempts for call in made)),
            cached=bool(made) and all(call.cached for call in made),
            model=made[-1].model if made else "",
            notes=tuple(note for call in made for note in call.notes),
        )
        self._observe(call)
        return call

    def use(self, tool: str, /, **arguments: Any) -> ToolResult:
        """Makes one tool call. Raises ToolError (recorded, with words for the executor) when the tool fails."""
        self._stop_if_paused()
        key = call_key("tool", tool, arguments_json(tool, arguments))
        used = self._remembered(key)
        if isinstance(used, ToolUsed):
            if used.outcome == "failed":
                raise errors.ToolError("text.outside", text=used.excerpt)
            result = self._stored_result(used.blob)
            if result is not None:
                self.used.append((tool, arguments, result))
                return result
        result = self._use(tool, key, arguments)
        self.used.append((tool, arguments, result))
        return result

    def _stored_result(self, blob: str) -> ToolResult | None:
        """Read a tool's result; None when the blob is gone or none: a lone journal was resumed, the tool runs again."""
        try:
            return RESULT.validate_json(self._blobs.get(blob))
        except (errors.MemoryBankError, ValidationError):
            return None

    def _use(self, name: str, key: str, arguments: dict[str, Any]) -> ToolResult:
        ms = 0.0
        tool = self.tools.get(name)
        failure: errors.Notice | None = None
        result = ToolResult(text="")
        if tool is None:
            failure = errors.Notice("tool.unknown", name=name, names=", ".join(self.tools))
        else:
            with calls.watch(self._paused) as made:
                began = calls.clock()
                try:
                    result = tool.run(arguments)
                except errors.MemoryBankError as error:
                    failure = errors.Notice("text.reason", reason=error)
                except Cancelled:
                    raise Paused from None
                ms = round((calls.clock() - began) * 1000, 1)
            for place, call in enumerate(made):  # a tool may ask a model too: to extract what matters from a page
                inner = _Done({"text": call.reply}, None, call.ms, (call,))
                self._record_call(name, call_key("within", key, str(place)), call.prompt, inner)
        raw = "" if failure else RESULT.dump_json(result).decode()
        self._spent += ms / 1000
        self._observe(
            ToolUsed(
                tool=name,
                arguments=arguments,
                key=key,
                outcome="failed" if failure else "ok",
                excerpt=str(failure or result.text[:EXCERPT_CHARS]),
                sources=tuple(dict.fromkeys(material.source for material in result.materials)),
                blob=self._blobs.put(raw) if raw else "",
                size=len(result.text),
                ms=ms,
            )
        )
        if failure:
            raise errors.ToolError(failure)
        return result

    def _remembered(self, key: str) -> AgentCalled | ToolUsed | None:
        answer = self._memo.take(key)
        self._spent += answer.ms / 1000 if answer is not None else 0.0
        return answer

    def _stop_if_paused(self) -> None:
        if self._paused():
            raise Paused


def _in_pool(run: Callable[[Message], _Done], given: Sequence[Message], size: int) -> Iterator[_Done]:
    """Yield the results in input order as they come; when the reader stops early, what has not begun is not begun."""
    pool = ThreadPoolExecutor(size, thread_name_prefix="agent")
    try:
        contexts = [copy_context() for _ in given]
        yield from pool.map(lambda context, message: context.run(run, message), contexts, given)
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def _answer_of(call: AgentCalled | ToolUsed, answer: type[Out]) -> Out | Failed:
    """Raises JournalError for one that was remembered and is none: a journal may come from anywhere."""
    if not isinstance(call, AgentCalled):
        raise errors.JournalError("session.no_agents_answer")
    try:
        return Failed(call.error) if call.outcome == "failed" else answer.model_validate_json(json.dumps(call.answer))
    except ValidationError:
        raise errors.JournalError("session.no_agents_answer") from None


class Memo:
    """Answers by the key of their call, each given once, in the order of the journal."""

    def __init__(self, observations: Iterable[Observation]) -> None:
        """Failures at the very end are what stopped the stage: they are left out, and so made again."""
        answers = [event for event in observations if isinstance(event, AgentCalled | ToolUsed)]
        while answers and isinstance(answers[-1], AgentCalled) and answers[-1].outcome == "failed":
            answers.pop()
        self._waiting: dict[str, deque[AgentCalled | ToolUsed]] = defaultdict(deque)
        for event in answers:
            self._waiting[event.key].append(event)

    def take(self, key: str) -> AgentCalled | ToolUsed | None:
        """Return the next answer to this call; None: the call has to be made."""
        waiting = self._waiting.get(key)
        return waiting.popleft() if waiting else None


def call_key(*parts: str) -> str:
    """Return a digest of all that decides a call's answer."""
    joined = hashlib.sha256()
    for part in parts:
        joined.update(part.encode("utf-8", "replace") + b"\0")
    return joined.hexdigest()[:32]
