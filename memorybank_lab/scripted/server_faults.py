"""What goes wrong between a model and its caller: by name, a line about it, and the change to a good answer."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from typing import Any

from memorybank.llm.base import TokenUsage
from memorybank_lab.scripted.replies import KEY_PLACE, Change, ScriptedReply, Table, error_reply, instead
from memorybank_lab.scripted.seen import SeenRequest

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
    "context_too_long": (
        "400: the prompt is longer than the context",
        instead(
            error_reply(
                400,
                "This model's maximum context length is 2048 tokens. However, your messages resulted in 2731 tokens. "
                "Please reduce the length of the messages.",
                code="context_length_exceeded",
                param="messages",
            )
        ),
    ),
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


def _edited(edit: Callable[[dict[str, Any]], Any]) -> Change:
    return lambda good, request: replace(good, edit=edit)


def _raw(body: bytes) -> Change:
    return instead(ScriptedReply(raw=body))


ENVELOPE: Table = {
    "body_not_json": ("200 with a web page", _raw(b"<!doctype html><title>Sign in</title><p>Please sign in.</p>")),
    "body_cut": ("200 with half of the JSON, as if it were whole", _raw(b'{"id": "chatcmpl-1", "choices": [{"ind')),
    "no_choices": ("an envelope without choices", _edited(lambda made: {**made, "choices": []})),
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
        _lacking(
            lambda request: "temperature" in request.body,
            "Unsupported value: 'temperature' does not support 0.6 with this model. Only the default (1) is supported.",
            "temperature",
        ),
    ),
    "top_p_refused": (
        "no top_p",
        _lacking(lambda request: "top_p" in request.body, "Unsupported parameter: 'top_p'", "top_p"),
    ),
    "max_tokens_refused": (
        "max_completion_tokens in place of max_tokens",
        _lacking(
            lambda request: "max_tokens" in request.body,
            "Unsupported parameter: 'max_tokens' is not supported here. Use 'max_completion_tokens' instead.",
            "max_tokens",
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
    "tools_refused": (
        "no native tool calling",
        _lacking(lambda request: "tools" in request.body, "tools is not supported with this model", "tools"),
    ),
    "stop_refused": (
        "no stop words",
        _lacking(lambda request: "stop" in request.body, "Unsupported parameter: 'stop'", "stop"),
    ),
}
