"""What stands around a model: another attempt where one may help, and the report of every question to the watch that
is open (calls.py)."""

from __future__ import annotations

import hashlib
import json
import time
from dataclasses import replace
from typing import Any

from memorybank import calls
from memorybank.calls import ChatCall
from memorybank.errors import Notice
from memorybank.llm.base import AroundChat, ChatMessage, ChatModel, ChatReply, ChatRequest
from memorybank.llm.faults import AttemptError

FIRST_WAIT = 0.5
"""Seconds before the second attempt; doubled before each later one."""
LONGEST_WAIT = 30.0
LONGEST_ASKED = 60.0
"""Seconds a server may ask to wait (Retry-After) and be heeded; a longer wish is cut to this."""
GLANCE = 0.05
"""Seconds between two looks at whether the waiting call was stopped."""


class RetryingChat(AroundChat):
    """Asks `inner` up to `attempts` times while it fails in passing (408, 409, 425, 429, 5xx, connection, timeout).

    Waiting ends with Cancelled when the call is stopped. Raises the last AttemptError, with all notes and attempts.
    """

    def __init__(
        self, inner: ChatModel, attempts: int = 5, *, first_wait: float = FIRST_WAIT, longest: float = LONGEST_ASKED
    ) -> None:
        super().__init__(inner)
        self._attempts = max(1, attempts)
        self._first = first_wait
        self._longest = longest

    def complete(self, request: ChatRequest) -> ChatReply:
        notes: list[str] = []
        requests = 0
        for tried in range(1, self._attempts + 1):
            try:
                reply = self._inner.complete(request)
            except AttemptError as error:
                requests += error.attempts
                notes.extend(error.notes)
                if not error.transient or tried == self._attempts:
                    raise _last(error, tried, requests, notes) from None
                wait, why = self._wait(error, request, tried)
                reason = str(error).partition(":")[0] if error.status is None else error.status
                notes.append(f"{reason}: waited {wait:.1f} s{why}")
                pause(wait)
            else:
                return replace(reply, attempts=requests + reply.attempts, notes=(*notes, *reply.notes))
        raise AssertionError("unreachable")

    def _wait(self, error: AttemptError, request: ChatRequest, tried: int) -> tuple[float, str]:
        """Return (seconds, a word on why). Jitter parts calls that failed together, the same way in every run."""
        if error.retry_after is not None:
            wait = min(error.retry_after, self._longest)
            return wait, " as asked" if wait == error.retry_after else f" of {error.retry_after:.0f} s asked"
        drawn = hashlib.sha256(f"{tried}:{request.messages[-1:]!r}".encode("utf-8", "replace")).digest()
        return back_off(tried, self._first) * (0.5 + 0.5 * int.from_bytes(drawn[:4], "big") / 2**32), ""


def back_off(tried: int, first: float = FIRST_WAIT) -> float:
    """Return the seconds to wait after so many attempts if the server asks for nothing: doubled, up to 30."""
    return min(first * 2.0 ** (tried - 1), LONGEST_WAIT)


def pause(seconds: float) -> None:
    """Wait. Raises Cancelled within a glance of the call being stopped."""
    until = time.monotonic() + seconds
    while (remaining := until - time.monotonic()) > 0:
        calls.check()
        time.sleep(min(remaining, GLANCE))  # a stop is a flag that is asked for: there is nothing to wait on
    calls.check()


def _last(error: AttemptError, tried: int, requests: int, notes: list[str]) -> AttemptError:
    if tried > 1:
        error.notice = Notice("llm.tried", reason=error.notice, times=tried)
    error.notes, error.attempts = tuple(notes), requests
    return error


class MeteredChat(AroundChat):
    """Reports one ChatCall for each question, also for one that failed or was stopped. Goes around the cache."""

    def complete(self, request: ChatRequest) -> ChatReply:
        began = calls.clock()
        try:
            reply = self._inner.complete(request)
        except AttemptError as error:
            self._report(request, began, attempts=error.attempts, notes=(*error.notes, f"failed: {error}"))
            raise
        except calls.Cancelled:
            self._report(request, began, notes=("stopped in flight",))
            raise
        self._report(request, began, reply=reply, attempts=reply.attempts, notes=reply.notes)
        return reply

    def _report(
        self,
        request: ChatRequest,
        began: float,
        *,
        reply: ChatReply | None = None,
        attempts: int = 1,
        notes: tuple[str, ...] = (),
    ) -> None:
        calls.report(
            ChatCall(
                model=self._inner.name,
                prompt=prompt_json(request),
                reply=_raw(reply) if reply else "",
                input_tokens=reply.usage.input_tokens if reply else 0,
                cached_input_tokens=reply.usage.cached_input_tokens if reply else 0,
                output_tokens=reply.usage.output_tokens if reply else 0,
                ms=round((calls.clock() - began) * 1000, 1),
                attempts=attempts,
                cached=reply.cached if reply else False,
                notes=notes if reply is None or reply.usage.measured else (*notes, "tokens estimated"),
            )
        )


def prompt_json(request: ChatRequest) -> str:
    """Return the messages as JSON, images by their digest."""
    messages: list[dict[str, Any]] = [_written(message) for message in request.messages]
    return json.dumps(messages, ensure_ascii=False)


def _written(message: ChatMessage) -> dict[str, Any]:
    written: dict[str, Any] = {"role": message.role, "content": message.content}
    if message.images:
        written["images"] = [
            {"sha256": hashlib.sha256(image.data).hexdigest(), "type": image.media_type, "bytes": len(image.data)}
            for image in message.images
        ]
    if message.tool_calls:
        written["tool_calls"] = [{"name": call.name, "arguments": call.arguments} for call in message.tool_calls]
    if message.tool_call_id:
        written["tool_call_id"] = message.tool_call_id
    return written


def _raw(reply: ChatReply) -> str:
    """Return the model's text, its reasoning before it as it is written elsewhere, its calls behind."""
    thought = f"<think>{reply.reasoning}</think>\n" if reply.reasoning else ""
    calls_text = "".join(f"\n<tool_call>{call.name} {call.arguments}</tool_call>" for call in reply.tool_calls)
    return thought + reply.text + calls_text
