"""Answers in the shapes of the OpenAI protocol: completion, stream of chunks, embeddings, list of models."""

from __future__ import annotations

import base64
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from memorybank.embedding import hashed
from memorybank.llm.base import TokenUsage, ToolCall
from memorybank.llm.tokens import estimate
from memorybank_lab.scripted.script import ScriptedReply, SeenRequest

CREATED = 1_700_000_000
"""The time of everything the server makes: it has no clock, so that the same script gives the same bytes."""

CHARACTERS_A_CHUNK = 12

JSON = Mapping[str, Any]


def completion(reply: ScriptedReply, request: SeenRequest) -> dict[str, Any]:
    content = reply.text or None if reply.tool_calls or reply.refusal else reply.text
    message: dict[str, Any] = {"role": "assistant", "content": content, "refusal": reply.refusal or None}
    if reply.reasoning:
        message["reasoning_content"] = reply.reasoning
    if reply.tool_calls:
        message["tool_calls"] = [_call(call) for call in reply.tool_calls]
    choice = {"index": 0, "message": message, "finish_reason": finish_of(reply), "logprobs": None}
    made = {**_head("chat.completion", request), "choices": [choice]}
    usage = usage_of(reply, request)
    return made if usage is None else {**made, "usage": usage}


def chunks(reply: ScriptedReply, request: SeenRequest) -> Iterator[dict[str, Any]]:
    """Yield the events of a streamed answer, without the closing `[DONE]`."""
    head = _head("chat.completion.chunk", request)

    def chunk(delta: JSON, finish: str | None = None) -> dict[str, Any]:
        return {**head, "choices": [{"index": 0, "delta": delta, "finish_reason": finish}]}

    yield chunk({"role": "assistant", "content": ""})
    for field, text in (("reasoning_content", reply.reasoning), ("content", reply.text), ("refusal", reply.refusal)):
        for at in range(0, len(text), CHARACTERS_A_CHUNK):
            yield chunk({field: text[at : at + CHARACTERS_A_CHUNK]})
    for place, call in enumerate(reply.tool_calls):
        whole = _call(call)
        yield chunk({"tool_calls": [{"index": place, **whole, "function": {"name": call.name, "arguments": ""}}]})
        for at in range(0, len(call.arguments), CHARACTERS_A_CHUNK):
            part = call.arguments[at : at + CHARACTERS_A_CHUNK]
            yield chunk({"tool_calls": [{"index": place, "function": {"arguments": part}}]})
    yield chunk({}, finish_of(reply))
    usage = usage_of(reply, request)
    if usage is not None and (request.body.get("stream_options") or {}).get("include_usage"):
        yield {**head, "choices": [], "usage": usage}


def finish_of(reply: ScriptedReply) -> str:
    return reply.finish or ("tool_calls" if reply.tool_calls else "stop")


def usage_of(reply: ScriptedReply, request: SeenRequest) -> dict[str, Any] | None:
    """Return OpenAI's `usage`; its details only where the script says that the server had tokens in its cache."""
    if reply.usage == "none":
        return None
    if isinstance(reply.usage, TokenUsage):
        sent, answered = reply.usage.input_tokens, reply.usage.output_tokens
    else:
        arguments = "".join(call.arguments for call in reply.tool_calls)
        sent, answered = estimate(request.text), estimate(reply.text + reply.reasoning + arguments)
    cached = reply.usage.cached_input_tokens if isinstance(reply.usage, TokenUsage) else 0
    details = {"prompt_tokens_details": {"cached_tokens": cached}} if cached else {}
    return {"prompt_tokens": sent, "completion_tokens": answered, "total_tokens": sent + answered, **details}


def embeddings(request: SeenRequest, dim: int) -> dict[str, Any]:
    """Return vectors that compare wording (hashed n-grams), in `dim` dimensions or as many as the request asks for."""
    asked = request.body.get("input")
    texts = [asked] if isinstance(asked, str) else [str(one) for one in asked] if isinstance(asked, list) else []
    size = request.body.get("dimensions")
    rows = _resized(hashed.embed(texts), size if isinstance(size, int) and size > 0 else dim)
    packed = request.body.get("encoding_format") == "base64"
    data = [
        {"object": "embedding", "index": place, "embedding": _packed(row) if packed else [float(one) for one in row]}
        for place, row in enumerate(rows)
    ]
    sent = sum(map(estimate, texts))
    usage = {"prompt_tokens": sent, "total_tokens": sent}
    return {"object": "list", "model": request.model, "data": data, "usage": usage}


def models(names: Sequence[str], context_window: int | None) -> dict[str, Any]:
    """Return the list of models; a known context window stands in it as vLLM writes it."""
    window = {} if context_window is None else {"max_model_len": context_window}
    data = [{"id": name, "object": "model", "created": CREATED, "owned_by": "script", **window} for name in names]
    return {"object": "list", "data": data}


def _head(kind: str, request: SeenRequest) -> dict[str, Any]:
    return {"id": f"chatcmpl-{request.number}", "object": kind, "created": CREATED, "model": request.model}


def _call(call: ToolCall) -> dict[str, Any]:
    return {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": call.arguments}}


def _resized(rows: np.ndarray[Any, np.dtype[np.float32]], dim: int) -> np.ndarray[Any, np.dtype[np.float32]]:
    """Fold vectors into fewer dimensions or fill them up with zeros; a text without words is not the zero vector."""
    sized = np.zeros((len(rows), dim), dtype=np.float32)
    for start in range(0, rows.shape[1], dim):
        part = rows[:, start : start + dim]
        sized[:, : part.shape[1]] += part
    sized[~sized.any(axis=1), 0] = 1.0
    return sized


def _packed(row: np.ndarray[Any, np.dtype[np.float32]]) -> str:
    return base64.b64encode(row.astype("<f4").tobytes()).decode("ascii")
