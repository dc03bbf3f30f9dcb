"""`FAULTS`: everything an endpoint or a model can do wrong, by name, each as a change to a good answer.

    script = Faulty(scripted_agents(), FAULTS["rate_limited"], when=asks(schema="analysis"), times=1)

runs a session in which the first analysis call meets a 429, so a test can play every fault at every call site. A fault
of the family `capability` shows itself only to a request that uses what the server lacks; give it no `times`, because
a server without JSON schema stays without it.
"""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from functools import partial
from typing import Any, Literal

from memorybank.llm.base import TokenUsage
from memorybank_lab.scripted.script import (
    KEY_PLACE,
    Predicate,
    Scripted,
    ScriptedReply,
    SeenRequest,
    context_length_reply,
    error_reply,
)

Change = Callable[[ScriptedReply, SeenRequest], ScriptedReply]
"""A fault: from a good answer to a bad one. The same answer back: this request does not show it."""

Table = Mapping[str, tuple[str, Change]]
"""Faults by name, each with a line about it."""


def instead(bad: ScriptedReply | Callable[[], ScriptedReply]) -> Change:
    """Return the fault that leaves nothing of the good answer."""
    return lambda good, request: bad() if callable(bad) else bad


Family = Literal["status", "transport", "envelope", "answer", "spelling", "capability"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    name: str
    family: Family
    about: str
    change: Change

    @property
    def lasts(self) -> bool:
        """Say whether the fault lasts: the server is like this, and asking again does not help."""
        return self.family == "capability"


class Faulty:
    """A script with a fault laid over it, for the requests that `when` picks, the first `times` of them (None: all)."""

    def __init__(
        self,
        script: Scripted,
        fault: Fault,
        when: Predicate = lambda request: request.kind == "chat",
        times: int | None = None,
    ) -> None:
        self.played = 0
        """The number of times that the fault was shown."""
        self._script = script
        self._fault = fault
        self._when = when
        self._times = times
        self._lost: dict[str, ScriptedReply] = {}
        self._lock = threading.Lock()

    def reply(self, request: SeenRequest) -> ScriptedReply | None:
        if not self._when(request):
            return self._script.reply(request)
        if self._fault.family in ("status", "capability"):  # nothing was answered, so nothing of the script is used up
            return self._bad(ScriptedReply(), request) or self._script.reply(request)
        with self._lock:  # an answer that was lost on its way is given when the same is asked again
            lost = self._lost.pop(_digest(request), None)
        good = lost or self._script.reply(request)
        return good and (self._bad(good, request) or good)

    def _bad(self, good: ScriptedReply, request: SeenRequest) -> ScriptedReply | None:
        """Return the faulty answer; None when nothing in this request would show the fault, or it was shown enough."""
        bad = self._fault.change(good, request)
        with self._lock:
            if bad == good or (self._times is not None and self.played >= self._times):
                return None
            self.played += 1
            if bad.delivery != "whole" or bad.raw is not None or bad.edit is not None or bad.error is not None:
                self._lost[_digest(request)] = good
        return bad


def _digest(request: SeenRequest) -> str:
    return json.dumps(request.body, sort_keys=True)


WAIT = 1
"""Seconds that the 429 with `Retry-After` asks for; its date lies one more away, since a date has no fractions."""

# -- statuses ---------------------------------------------------------------------------------------------------------


def _rate_limited(retry_after: str | float = "") -> ScriptedReply:
    message = "Rate limit reached for requests"
    return error_reply(429, message, kind="requests", code="rate_limit_exceeded", retry_after=retry_after)


def _later() -> str:
    return format_datetime(datetime.now(UTC) + timedelta(seconds=WAIT + 1), usegmt=True)


def _unavailable(status: int, message: str) -> Change:
    return instead(error_reply(status, message, kind="server_error"))


STATUSES: Table = {
    "rate_limited": ("429 without Retry-After", instead(_rate_limited)),
    "rate_limited_seconds": ("429, Retry-After in seconds", instead(_rate_limited(WAIT))),
    "rate_limited_date": ("429, Retry-After as a date", instead(lambda: _rate_limited(_later()))),
    "quota_exhausted": (
        "429 that no waiting helps",
        instead(error_reply(429, "You exceeded your current quota", code="insufficient_quota")),
    ),
    "server_error": ("500", _unavailable(500, "The server had an error while processing your request")),
    "bad_gateway": (
        "502 with an HTML page",
        instead(ScriptedReply(status=502, raw=b"<html><body><h1>502 Bad Gateway</h1></body></html>")),
    ),
    "overloaded": ("503", _unavailable(503, "The engine is currently overloaded, please try again later")),
    "key_refused": (
        "401 that repeats the key",
        instead(error_reply(401, f"Incorrect API key provided: {KEY_PLACE}.", code="invalid_api_key")),
    ),
    "unknown_model": (
        "404 for the model",
        lambda good, request: error_reply(404, f"The model `{request.model}` does not exist", code="model_not_found"),
    ),
    "context_too_long": ("400: the prompt is longer than the context", instead(context_length_reply(3072, 4096))),
}

# -- transport --------------------------------------------------------------------------------------------------------


def _sent(delivery: Any, pace: float = 0.02) -> Change:
    return lambda good, request: replace(good, delivery=delivery, pace=pace)


TRANSPORT: Table = {
    "never_answers": ("takes the request and says nothing", _sent("never")),
    "reset_before_answer": ("connection reset before the first byte", _sent("reset")),
    "reset_midway": ("connection reset in the middle of the body or stream", _sent("reset_midway")),
    "cut_short": ("connection closed in the middle of the body or stream", _sent("cut_short")),
    "slow_drip": ("a few bytes at a time, so that no single read times out", _sent("drip", 0.25)),
    "endless_body": ("a body without end", _sent("endless", 0.005)),
    "not_http": ("bytes that are no HTTP", _sent("not_http")),
}

# -- envelope ---------------------------------------------------------------------------------------------------------


def _raw(body: bytes) -> Change:
    return instead(ScriptedReply(raw=body))


ENVELOPE: Table = {
    "body_not_json": ("200 with a web page", _raw(b"<!doctype html><title>Sign in</title><p>Please sign in.</p>")),
    "body_cut": ("200 with half of the JSON, as if it were whole", _raw(b'{"id": "chatcmpl-1", "choices": [{"ind')),
    "no_choices": (
        "an envelope without choices",
        lambda good, request: replace(good, edit=lambda made: {**made, "choices": []}),
    ),
    "error_in_200": (
        "200 whose body is an error",
        lambda good, request: replace(error_reply(429, "Too many requests", code="1302"), status=200),
    ),
    "no_usage": ("no token counts", lambda good, request: replace(good, usage="none")),
    "zero_usage": ("token counts of zero", lambda good, request: replace(good, usage=TokenUsage())),
}

# -- what a server cannot do ------------------------------------------------------------------------------------------


def _lacking(has: Callable[[SeenRequest], bool], message: str, param: str, status: int = 400) -> Change:
    refusal = error_reply(status, message, kind="invalid_request_error", code="unsupported_parameter", param=param)
    return lambda good, request: refusal if has(request) else good


def _lacking_field(name: str, message: str) -> Change:
    return _lacking(lambda request: name in request.body, message, name)


CAPABILITIES: Table = {
    "schema_refused": (
        "no JSON schema; JSON mode works",
        _lacking(
            lambda request: request.answer_format == "json_schema",
            "Invalid parameter: 'response_format' of type 'json_schema' is not supported with this model.",
            "response_format",
        ),
    ),
    "json_refused": (
        "neither JSON schema nor JSON mode",
        _lacking(
            lambda request: request.answer_format != "text",
            "This response_format type is unavailable now",
            "response_format",
        ),
    ),
    "temperature_refused": (
        "no temperature",
        _lacking_field(
            "temperature",
            "Unsupported value: 'temperature' does not support 0.6 with this model. Only the default (1) is supported.",
        ),
    ),
    "top_p_refused": ("no top_p", _lacking_field("top_p", "Unsupported parameter: 'top_p'")),
    "max_tokens_refused": (
        "max_completion_tokens in place of max_tokens",
        _lacking_field(
            "max_tokens",
            "Unsupported parameter: 'max_tokens' is not supported here. Use 'max_completion_tokens' instead.",
        ),
    ),
    "images_refused": (
        "no images",
        _lacking(
            lambda request: request.images > 0,
            "Invalid content type. image_url is only supported by certain models.",
            "messages",
        ),
    ),
    "tools_refused": ("no native tool calling", _lacking_field("tools", "tools is not supported with this model")),
    "stop_refused": ("no stop words", _lacking_field("stop", "Unsupported parameter: 'stop'")),
}


UNKNOWN = 9_000
"""The number added to each in the answer by `wrong_ids`, which makes every reference point nowhere."""

# -- answers ----------------------------------------------------------------------------------------------------------


def _reworded(change: Callable[[str], str]) -> Change:
    return lambda good, request: replace(good, text=change(good.text))


def _truncated(good: ScriptedReply, request: SeenRequest) -> ScriptedReply:
    def front(text: str) -> str:
        return text[: len(text) * 3 // 5]

    calls = tuple(replace(call, arguments=front(call.arguments)) for call in good.tool_calls)
    return replace(good, text=front(good.text), tool_calls=calls, finish="length")


def _renumbered(value: Any) -> Any:
    """Return numbers, and ids like `c1` and `A-0`, that nobody gave. Shares like a confidence of 0.8 stay."""
    if isinstance(value, dict):
        return {key: _renumbered(of) for key, of in value.items()}
    if isinstance(value, list):
        return [_renumbered(item) for item in value]
    if isinstance(value, int) and not isinstance(value, bool):
        return value + UNKNOWN
    if isinstance(value, str) and (found := re.fullmatch(r"([a-z]|[A-Z]+-)(\d+)", value)):
        return f"{found[1]}{int(found[2]) + UNKNOWN}"
    return value


_REFUSAL = "I'm sorry, but I can't help with that."
_THOUGHT = 'First I look at the input. Perhaps {"draft": [1, 2, }? No: that is not it. Now I know.'

ANSWERS: Table = {
    "empty_answer": ("content is empty", instead(ScriptedReply(text=""))),
    "refusal": ("the model refuses, in the field for it", instead(ScriptedReply(refusal=_REFUSAL))),
    "refusal_in_words": ("the model refuses in its text", instead(ScriptedReply(text=_REFUSAL))),
    "content_filter": ("finish_reason content_filter", instead(ScriptedReply(finish="content_filter"))),
    "truncated": ("finish_reason length, the answer cut in the middle", _truncated),
    "prose_only": (
        "words where JSON was asked for",
        instead(ScriptedReply(text="Sure! I have read it and it looks fine.")),
    ),
    "wrong_shape": (
        "JSON of another shape",
        _reworded(
            lambda text: respell(text, lambda value: json.dumps({"result": value, "status": "ok"}, ensure_ascii=False))
        ),
    ),
    "wrong_ids": (
        "references to things that are not there",
        _reworded(lambda text: respell(text, lambda value: json.dumps(_renumbered(value), ensure_ascii=False))),
    ),
    "reasoning_content": ("thoughts in reasoning_content", lambda good, request: replace(good, reasoning=_THOUGHT)),
    "answer_in_reasoning": (
        "the answer in reasoning_content, content empty",
        lambda good, request: replace(good, text="", reasoning=good.text),
    ),
}

# -- spelling ----------------------------------------------------------------------------------------------------------


_TOOL_CALL_RE = re.compile(r"(<tool_call>\s*)(.*?)(\s*</tool_call>)", re.DOTALL)
_TOKEN_RE = re.compile(r'"((?:[^"\\]|\\.)*)"|(?<=[^\[{])[\]}]')
"""A string of JSON, or the end of a group that holds something."""


def _written(value: Any, quotes: str = '""', colon: str = ": ", comma: str = ", ", trailing: str = "") -> str:
    """Return a value as JSON that is misspelt; `trailing`: what stands after the last item."""

    def spelt(token: re.Match[str]) -> str:
        bare = token[1]
        if bare is None:
            return trailing + token[0]
        if quotes != '""':
            bare = bare.replace('\\"', '"')
            for quote in set(quotes):
                bare = bare.replace(quote, "\\" + quote)
        return quotes[0] + bare + quotes[1]

    return _TOKEN_RE.sub(spelt, json.dumps(value, ensure_ascii=False, separators=(comma, colon)))


def respell(text: str, change: Callable[[Any], str]) -> str:
    """Rewrite the JSON of an answer: the whole text, or what stands in its `<tool_call>` blocks; else leave it."""
    try:
        return change(json.loads(text))
    except ValueError:
        return _TOOL_CALL_RE.sub(lambda found: found[1] + respell(found[2], change) + found[3], text)


def _spelt(change: Callable[[Any], str]) -> Change:
    """Return a change that respells the JSON of the text, and of the arguments of native tool calls."""

    def apply(good: ScriptedReply, request: SeenRequest) -> ScriptedReply:
        calls = tuple(replace(call, arguments=respell(call.arguments, change)) for call in good.tool_calls)
        return replace(good, text=respell(good.text, change), tool_calls=calls)

    return apply


SPELLING: Table = {
    "code_fence": ("in a code fence", _reworded(lambda text: f"```json\n{text}\n```")),
    "prose_around": (
        "prose before and after",
        _reworded(lambda text: f"Here is the answer you asked for:\n\n{text}\n\nAnything else?"),
    ),
    "single_quotes": ("'single quotes'", _spelt(partial(_written, quotes="''"))),
    "trailing_commas": ("commas after the last item", _spelt(partial(_written, trailing=","))),
    "full_width": ("：and ，between the items", _spelt(partial(_written, colon="：", comma="，"))),
    "curly_quotes": ("“curly quotes”", _spelt(partial(_written, quotes="“”"))),
    "think_block": ("a <think> block first", _reworded(lambda text: f"<think>\n{_THOUGHT}\n</think>\n\n{text}")),
    "think_unopened": ("thoughts that only end", _reworded(lambda text: f"{_THOUGHT}\n</think>\n\n{text}")),
}


_FAMILIES: Mapping[Family, Table] = {
    "status": STATUSES,
    "transport": TRANSPORT,
    "envelope": ENVELOPE,
    "answer": ANSWERS,
    "spelling": SPELLING,
    "capability": CAPABILITIES,
}

FAULTS: Mapping[str, Fault] = {
    name: Fault(name=name, family=family, about=about, change=change)
    for family, faults in _FAMILIES.items()
    for name, (about, change) in faults.items()
}
