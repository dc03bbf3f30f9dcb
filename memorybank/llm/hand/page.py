"""A request as a reader sees it: every message whole, its images by name, the schema, and how to answer."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

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
