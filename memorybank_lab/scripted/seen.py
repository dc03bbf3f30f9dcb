"""A request as the scripted server saw it, and what an answer may be chosen by."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal

Kind = Literal["chat", "embeddings", "models", "other"]

SECRET_HEADERS = ("authorization", "api-key", "x-api-key", "proxy-authorization", "cookie")
"""Of these only is kept that they came, in `authorized`."""

_KINDS: Mapping[str, Kind] = {"chat/completions": "chat", "embeddings": "embeddings", "models": "models"}


@dataclass(frozen=True, kw_only=True)
class SeenRequest:
    number: int
    """From 1, in order of arrival."""
    method: str
    path: str
    body: Mapping[str, Any] = field(default_factory=dict)
    """The JSON sent; empty for a GET and for what is no JSON object."""
    headers: Mapping[str, str] = field(default_factory=dict)
    """Names in lower case, without those that carry a secret."""
    authorized: bool = False
    """A key came along. Its value is not kept."""

    @property
    def kind(self) -> Kind:
        return next((kind for end, kind in _KINDS.items() if self.path.split("?")[0].endswith("/" + end)), "other")

    @property
    def model(self) -> str:
        return str(self.body.get("model", ""))

    @property
    def stream(self) -> bool:
        return bool(self.body.get("stream"))

    @property
    def messages(self) -> Sequence[Mapping[str, Any]]:
        found = self.body.get("messages")
        return [one for one in found if isinstance(one, dict)] if isinstance(found, list) else []

    @cached_property
    def text(self) -> str:
        """The words of all messages, in order."""
        return "\n".join(text_of(message) for message in self.messages)

    @property
    def prompt(self) -> str:
        """The words of the last user message."""
        return next((text_of(one) for one in reversed(self.messages) if one.get("role") == "user"), "")

    @property
    def last(self) -> Mapping[str, Any]:
        return self.messages[-1] if self.messages else {}

    @property
    def images(self) -> int:
        """Image parts in all messages."""
        return sum(part.get("type") == "image_url" for message in self.messages for part in _parts(message))

    @property
    def tools(self) -> tuple[str, ...]:
        """Names of the tools declared to the model."""
        declared = self.body.get("tools") or ()
        return tuple(str(tool.get("function", {}).get("name", "")) for tool in declared)

    @property
    def answer_format(self) -> str:
        """`json_schema`, `json_object`, or `text` when nothing was asked for."""
        asked = self.body.get("response_format")
        return str(asked.get("type", "text")) if isinstance(asked, dict) else "text"

    @property
    def schema_name(self) -> str:
        """Of the JSON schema asked for; empty without one. In JSON mode and in text there is no name."""
        return str(self._asked_schema.get("name", ""))

    @cached_property
    def schema(self) -> Mapping[str, Any] | None:
        """The JSON schema of the answer: the one asked for, else the last one that stands in the messages."""
        asked = self._asked_schema.get("schema")
        if isinstance(asked, dict):
            return asked
        written = [one for one in json_objects(self.text) if isinstance(one.get("properties"), dict)]
        return written[-1] if written else None

    @property
    def _asked_schema(self) -> Mapping[str, Any]:
        asked = self.body.get("response_format")
        schema = asked.get("json_schema") if isinstance(asked, dict) else None
        return schema if isinstance(schema, dict) else {}


def text_of(message: Mapping[str, Any]) -> str:
    """The words of one message: its text, or its text parts."""
    content = message.get("content")
    if isinstance(content, str):
        return content
    return "\n".join(str(part.get("text", "")) for part in _parts(message) if part.get("type") == "text")


def json_objects(text: str) -> Iterator[dict[str, Any]]:
    """Objects written in a text, in order; one inside another is not given again."""
    decoder, at = json.JSONDecoder(), text.find("{")
    while at >= 0:
        try:
            value, end = decoder.raw_decode(text, at)
        except ValueError:
            end = at + 1
        else:
            if isinstance(value, dict):
                yield value
        at = text.find("{", end)


def _parts(message: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    content = message.get("content")
    return [part for part in content if isinstance(part, dict)] if isinstance(content, list) else []
