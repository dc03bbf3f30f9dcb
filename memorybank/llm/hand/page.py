"""A request as a reader sees it: every message whole, its images by name, the schema, and how to answer."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from memorybank.errors import Notice
from memorybank.llm.base import ChatRole
from memorybank.memory.types import Lang, Value
from memorybank.prompts.lexicon import load

_TILDES_RE = re.compile(r"~{3,}")


@dataclass(frozen=True, slots=True, kw_only=True)
class HandMessage(Value):
    role: ChatRole
    content: str
    images: tuple[str, ...] = ()
    """Names of files beside the request."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HandRequest(Value):
    """What is asked of a person, or of another program."""

    name: str
    """Number and role; the names of its files begin with it."""
    role: str
    digest: str
    lang: Lang
    messages: tuple[HandMessage, ...]
    schema: Mapping[str, Any] | None = None
    """JSON schema of the answer; None: text."""


def as_page(request: HandRequest) -> str:
    """Markdown in which each message stands in a fence of its own, which nothing inside it can close."""
    words: Mapping[str, str] = load(__package__, f"page.{request.lang}")
    form = words["answer_text" if request.schema is None else "answer_json"]
    parts = [f"# {request.name}", words["intro"], form.format(name=request.name), words["when"]]
    for number, message in enumerate(request.messages, start=1):
        parts.append(f"## {number} · {message.role}")
        parts += [words["image"].format(name=name) for name in message.images]
        parts.append(_fenced(message.content))
    if request.schema is not None:
        parts += [f"## {words['schema']}", _fenced(json.dumps(request.schema, ensure_ascii=False, indent=1))]
    return "\n\n".join(parts) + "\n"


def _fenced(text: str) -> str:
    fence = "~" * (1 + max([2, *(len(run) for run in _TILDES_RE.findall(text))]))
    return f"{fence}\n{text}\n{fence}"


# -- an answer held against its JSON schema, before it is sent ---------------------------------------------------------


_WRONG_TYPE: Mapping[str, str] = {
    "array": "hand.no_array",
    "boolean": "hand.no_boolean",
    "integer": "hand.no_integer",
    "null": "hand.no_null",
    "number": "hand.no_number",
    "object": "hand.no_object",
    "string": "hand.no_string",
}

Path = tuple[str | int, ...]
"""Where in an answer: names of fields, places in lists."""


def check(value: Any, schema: Mapping[str, Any]) -> Mapping[Path, Notice]:
    """Return what is wrong with a value, by its place; of several things at one place the first."""
    from jsonschema import Draft202012Validator  # with the app alone, and a tenth of a second

    errors = Draft202012Validator(schema).iter_errors(value)
    return dict(reversed([problem for error in errors for problem in _problems(error)]))


def _problems(error: Any) -> Iterator[tuple[Path, Notice]]:
    """Yield what an error of the validator means: where one of several forms was wanted, how it misses the nearest."""
    path, wanted, given = tuple(error.absolute_path), error.validator_value, error.instance
    match error.validator:
        case "anyOf":
            forms = groupby(error.context, key=lambda inner: inner.schema_path[0])
            nearest = min(([each for inner in errors for each in _problems(inner)] for _, errors in forms), key=len)
            yield from nearest
        case "const" | "enum":
            choices = wanted if error.validator == "enum" else [wanted]
            yield path, Notice("hand.choose", choices=", ".join(map(str, choices)))
        case "type":
            yield path, Notice("hand.missing") if given is None else Notice(_WRONG_TYPE[wanted])
        case "required":
            yield from (((*path, name), Notice("hand.missing")) for name in wanted if name not in given)
        case "additionalProperties":
            known = error.schema["properties"]
            yield from (((*path, name), Notice("hand.unknown_field")) for name in given if name not in known)
        case "minItems" | "minLength" | "minimum":
            yield path, Notice("hand.too_few", bound=wanted)
        case _:
            yield path, Notice("hand.too_many", bound=wanted)
