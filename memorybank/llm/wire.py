"""The OpenAI chat protocol: a request as keyword arguments of `chat.completions.create`, a completion as a reply."""

from __future__ import annotations

import json
import re
from base64 import b64encode
from collections.abc import Iterator, Mapping
from typing import Any

from memorybank.language.text import encodable
from memorybank.llm import thinking, words
from memorybank.llm.base import ChatMessage, ChatReply, ChatRequest, Finish, TokenUsage, ToolCall
from memorybank.llm.capabilities import Capabilities
from memorybank.llm.faults import AttemptError, Endpoint, Secret, error_words, status_error
from memorybank.llm.repair import without_controls
from memorybank.llm.schemas import without_bounds
from memorybank.llm.tokens import estimate, estimate_prompt

FINISHES: Mapping[str, Finish] = {
    "stop": "stop",
    "eos": "stop",
    "length": "length",
    "max_tokens": "length",
    "tool_calls": "tool_calls",
    "function_call": "tool_calls",
    "content_filter": "refused",
    "refusal": "refused",
}
_THOUGHT_RE = re.compile(thinking.STEM, re.IGNORECASE)
"""The stem in the name of a field, or the type of a part, that holds reasoning."""


# -- out --------------------------------------------------------------------------------------------------------------


def payload(request: ChatRequest, known: Capabilities, model: str, max_tokens: int) -> dict[str, Any]:
    """Return the request as it is sent to a server with the `known` abilities."""
    mode = known.mode_for(request)
    native = bool(request.tools) and known.tools
    sent: dict[str, Any] = {"model": model, "messages": [_message(message) for message in _worded(request, known)]}
    sent["max_completion_tokens" if known.completion_tokens else "max_tokens"] = max_tokens
    if known.temperature:
        sent["temperature"] = request.temperature
    if known.top_p:
        sent["top_p"] = request.top_p
    if request.stop and known.stop:
        sent["stop"] = list(request.stop)
    if native:
        sent["tools"] = [
            {
                "type": "function",
                "function": {"name": tool.name, "description": tool.description, "parameters": dict(tool.parameters)},
            }
            for tool in request.tools
        ]
    if request.schema is not None and mode == "schema":
        schema = dict(request.schema) if known.bounds else without_bounds(request.schema)
        named = {"name": request.schema_name, "schema": schema, "strict": True}
        sent["response_format"] = {"type": "json_schema", "json_schema": named}
    elif mode == "json":
        sent["response_format"] = {"type": "json_object"}
    return sent


def _worded(request: ChatRequest, known: Capabilities) -> tuple[ChatMessage, ...]:
    """Return the messages, with what the server takes no parameter for put into words."""
    messages = request.messages
    if request.tools and not known.tools:
        messages = words.add_tools(messages, request.tools)
    if request.schema is not None and (known.mode_for(request) != "schema" or not known.obeys):
        messages = words.add_schema(messages, request.schema)
    return messages if known.system else words.fold_system(messages)


def _message(message: ChatMessage) -> dict[str, Any]:
    content = encodable(message.content)
    written: dict[str, Any] = {"role": message.role, "content": content}
    if message.images:
        written["content"] = [
            {"type": "text", "text": content},
            *(
                {
                    "type": "image_url",
                    "image_url": {"url": f"data:{image.media_type};base64,{b64encode(image.data).decode()}"},
                }
                for image in message.images
            ),
        ]
    if message.tool_calls:
        written["tool_calls"] = [
            {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": encodable(call.arguments)}}
            for call in message.tool_calls
        ]
    if message.tool_call_id:
        written["tool_call_id"] = message.tool_call_id
    return written


# -- in ---------------------------------------------------------------------------------------------------------------


def reply_of(body: str, request: ChatRequest, known: Capabilities, endpoint: Endpoint) -> ChatReply:
    """Read the reply in a completion's JSON. Raises AttemptError (worth another try) for anything that is none.

    Every field may be missing or of another type: the servers that speak this protocol are many.
    """
    secret = endpoint.secret
    completion = _object(body, endpoint)
    choice = _first_choice(completion, endpoint)
    message = choice.get("message")
    message = message if isinstance(message, dict) else {}
    refusal = _text(message.get("refusal"))
    text, thought = thinking.split(without_controls(secret.hide(_text(message.get("content")))))
    calls = _calls(message.get("tool_calls"), secret)
    finish = FINISHES.get(_text(choice.get("finish_reason")), "stop")
    if request.stop and not known.stop:
        text = cut_at(text, request.stop)
    if refusal:
        finish, text = "refused", text or secret.hide(refusal)
    elif calls and finish != "length":
        finish = "tool_calls"
    reasoning = "\n".join(part.strip() for part in (secret.hide(_thoughts(message)), thought) if part.strip())
    return ChatReply(
        text=text,
        reasoning=reasoning,
        tool_calls=calls,
        finish=finish,
        usage=_usage(completion.get("usage"), request, text + reasoning),
        mode=known.mode_for(request),
    )


def _object(body: str, endpoint: Endpoint) -> dict[str, Any]:
    try:
        value = streamed(body) if STREAM_RE.match(body) else json.loads(body)
    except (ValueError, RecursionError):
        value = None
    if not isinstance(value, dict):
        code = "llm.answered_page" if body.lstrip()[:1] == "<" else "llm.answered_no_json"
        raise AttemptError(code, host=endpoint.host, url_variable=endpoint.variable("BASE_URL"), transient=True)
    return value


def _first_choice(completion: Mapping[str, Any], endpoint: Endpoint) -> Mapping[str, Any]:
    choices = completion.get("choices")
    if isinstance(choices, list) and choices and isinstance(choices[0], dict):
        choice: dict[str, Any] = choices[0]
        if choice.get("finish_reason") in ("error", "abort", "insufficient_system_resource"):
            raise AttemptError("llm.broke_off_answer", host=endpoint.host, transient=True)
        return choice
    error = completion.get("error")
    if error:  # gateways report a failing provider inside a 200
        code = error.get("code") if isinstance(error, dict) else None
        status = code if isinstance(code, int) and 400 <= code < 600 else 502
        raise status_error(status, error_words(json.dumps({"error": error})), endpoint)
    raise AttemptError("llm.no_choice", host=endpoint.host, transient=True)


def _text(value: Any) -> str:
    """A string, or the text parts of a list of parts, thoughts left out; anything else is no text."""
    if isinstance(value, str):
        return value
    parts = value if isinstance(value, list) else ()
    return "".join(_text(part.get("text")) for part in parts if isinstance(part, dict) and not _is_thought(part))


def _is_thought(part: Mapping[str, Any]) -> bool:
    return part.get("thought") is True or _THOUGHT_RE.search(_text(part.get("type"))) is not None


def _thoughts(message: Mapping[str, Any]) -> str:
    """Return the texts in a message's fields that are named for thinking, and in such parts of it, each once."""
    content = message.get("content")
    parts = (
        [part for part in content if isinstance(part, dict) and _is_thought(part)] if isinstance(content, list) else ()
    )
    fields = (value for name, value in message.items() if _THOUGHT_RE.search(name))
    return "\n".join(dict.fromkeys(text for value in (*fields, *parts) for text in _strings(value)))


def _strings(value: Any) -> Iterator[str]:
    """Yield a text, or the texts in its fields that hold some; a signature or a type is none."""
    if isinstance(value, str) and value.strip():
        yield value.strip()
    for part in value if isinstance(value, list) else ():
        yield from _strings(part)
    for name, part in value.items() if isinstance(value, dict) else ():
        if name in ("text", "summary", "content") or _THOUGHT_RE.search(name):
            yield from _strings(part)


def _calls(value: Any, secret: Secret) -> tuple[ToolCall, ...]:
    calls: list[ToolCall] = []
    for number, call in enumerate(value if isinstance(value, list) else (), start=1):
        function = call.get("function") if isinstance(call, dict) else None
        if not isinstance(function, dict) or not _text(function.get("name")):
            continue
        arguments = function.get("arguments")  # Ollama and others give an object where the protocol wants its text
        written = arguments if isinstance(arguments, str) else json.dumps(arguments or {}, ensure_ascii=False)
        identity = _text(call.get("id")) or f"call_{number}"
        calls.append(ToolCall(id=identity, name=function["name"], arguments=secret.hide(written)))
    return tuple(calls)


def cut_at(text: str, stops: tuple[str, ...]) -> str:
    ends = [at for stop in stops if stop and (at := text.find(stop)) >= 0]
    return text[: min(ends)] if ends else text


def _usage(value: Any, request: ChatRequest, answered: str) -> TokenUsage:
    usage = value if isinstance(value, dict) else {}
    counts = (usage.get("prompt_tokens"), usage.get("completion_tokens"))
    if all(isinstance(count, int) and count >= 0 for count in counts) and any(counts):
        sent = int(counts[0] or 0)
        cached = min(sent, _cached(usage))
        return TokenUsage(input_tokens=sent, cached_input_tokens=cached, output_tokens=int(counts[1] or 0))
    return TokenUsage(input_tokens=estimate_prompt(request), output_tokens=estimate(answered), measured=False)


def _cached(usage: Mapping[str, Any]) -> int:
    """Return the prompt tokens that the server had already: as OpenAI and vLLM tell them, or as DeepSeek does."""
    details = usage.get("prompt_tokens_details")
    counts = (details.get("cached_tokens") if isinstance(details, dict) else None, usage.get("prompt_cache_hit_tokens"))
    return next((count for count in counts if type(count) is int and count > 0), 0)


# -- an answer that came as server-sent events though none were asked for ----------------------------------------------


STREAM_RE = re.compile(r"\s*(?:data|event|id|retry)?:")


def streamed(body: str) -> dict[str, Any]:
    """Return the completion that the events make up. Raises ValueError when one of them is no JSON, or ends midway."""
    completion: dict[str, Any] = {}
    choice: dict[str, Any] = {}
    message: dict[str, Any] = {}
    ended = False
    for event in re.split(r"\r?\n\r?\n", body):
        lines = re.findall(r"^data:[ ]?(.*?)\r?$", event, re.MULTILINE)
        data = "\n".join(lines).strip()
        ended = ended or data == "[DONE]"
        piece = json.loads(data) if data and data != "[DONE]" else {}
        if not isinstance(piece, dict):
            raise ValueError("an event is no object")
        choices = piece.pop("choices", None)
        completion |= {name: value for name, value in piece.items() if value is not None}
        first = choices[0] if isinstance(choices, list) and choices and isinstance(choices[0], dict) else {}
        delta = first.get("delta") or first.get("message")
        _join(message, delta if isinstance(delta, dict) else {})
        if first:
            choice |= {"finish_reason": first.get("finish_reason") or choice.get("finish_reason")}
    if choice and not (ended or choice["finish_reason"]):
        raise ValueError("the events end before the answer does")
    return completion | ({"choices": [choice | {"message": message}]} if choice else {})


def _join(whole: dict[str, Any], delta: dict[str, Any]) -> None:
    """Add a piece: texts go on, lists are put together by `index`, the rest is replaced."""
    for name, value in delta.items():
        known = whole.get(name)
        if isinstance(value, str) and isinstance(known, str) and name not in ("id", "type", "role", "name"):
            whole[name] = known + value
        elif isinstance(value, dict) and isinstance(known, dict):
            _join(known, value)
        elif isinstance(value, list) and isinstance(known, list):
            for part in value:
                index = part.get("index") if isinstance(part, dict) else None
                same = [
                    old for old in known if index is not None and isinstance(old, dict) and old.get("index") == index
                ]
                _join(same[0], part) if same else known.append(part)
        elif value is not None or name not in whole:
            whole[name] = value
