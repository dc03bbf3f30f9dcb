"""Every question to a model is reported to the watch that is open (calls.py): what was asked, what it cost."""

from __future__ import annotations

import hashlib
import json
from typing import Any

from memorybank import calls
from memorybank.calls import ChatCall
from memorybank.llm.base import AroundChat, ChatMessage, ChatReply, ChatRequest
from memorybank.llm.faults import AttemptError


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
