"""The folder of requests and answers. Names are made here; nothing of a prompt or an answer gets into one."""

from __future__ import annotations

import hashlib
import json
import os
import re
import secrets
import stat
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter, ValidationError

from memorybank.errors import Notice
from memorybank.language.text import encodable
from memorybank.llm.base import ChatRequest, ChatRole, request_json
from memorybank.llm.words import lang_of
from memorybank.memory.types import Lang, Value
from memorybank.prompts.lexicon import load

# -- a request as a reader sees it ------------------------------------------------------------------------------------


_TILDES_RE = re.compile(r"~{3,}")


@dataclass(frozen=True, slots=True, kw_only=True)
class HandMessage(Value):
    role: ChatRole
    content: str
    images: tuple[str, ...] = ()
    """Names of files beside the request."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HandRequest(Value):
    """A request to a person, or to another program."""

    name: str
    """The number and the role; the names of its files begin with it."""
    role: str
    digest: str
    lang: Lang
    messages: tuple[HandMessage, ...]
    schema: Mapping[str, Any] | None = None
    """The JSON schema of the answer; None where it is a text."""


def as_page(request: HandRequest) -> str:
    """Return it as Markdown, each message in a fence of its own, which nothing inside it can close."""
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
    "array": "hand.no_array", "boolean": "hand.no_boolean", "integer": "hand.no_integer", "null": "hand.no_null",
    "number": "hand.no_number", "object": "hand.no_object", "string": "hand.no_string",
}  # fmt: skip

Place = tuple[str | int, ...]
"""A place in an answer: names of fields, places in lists."""


def check(value: Any, schema: Mapping[str, Any]) -> Mapping[Place, Notice]:
    """Return what is wrong with a value, by its place; of several things at one place the first."""
    from jsonschema import Draft202012Validator  # with the app alone, and a tenth of a second

    errors = Draft202012Validator(schema).iter_errors(value)
    return dict(reversed([problem for error in errors for problem in _problems(error)]))


def _problems(error: Any) -> Iterator[tuple[Place, Notice]]:
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


# -- the folder -------------------------------------------------------------------------------------------------------

MOST_ANSWER_BYTES = 4_000_000
ANSWERS = ("json", "md", "txt")
"""Endings of an answer's file, in the order in which they are looked for."""
_PAGE_RE = re.compile(r"(\d{3,9}\.[a-z_]{1,40})\.request\.md")
_IMAGE_RE = re.compile(r"\d{3,9}\.[a-z_]{1,40}\.image-\d+\.[a-z]{3,4}")
_NUMBER_RE = re.compile(r"(\d{3,9})\.")
_STORED = TypeAdapter(HandRequest)
_SUFFIXES: Mapping[str, str] = {"image/png": "png", "image/jpeg": "jpg", "image/webp": "webp", "image/gif": "gif"}


@dataclass(frozen=True, slots=True)
class HandFolder:
    """Requests and answers of one run, or of all that share the folder. A request is there once its page is."""

    path: Path

    # -- requests -----------------------------------------------------------------------------------------------------

    def names(self) -> list[str]:
        """Return the names of all requests (`001.analysis`), in the order they were asked."""
        matches = (_PAGE_RE.fullmatch(name) for name in self._files())
        return sorted((match[1] for match in matches if match), key=in_order)

    def waiting(self) -> list[str]:
        """Return the names of the requests without an answer."""
        return [name for name in self.names() if self.answer_file(name) is None]

    def request(self, name: str) -> HandRequest | None:
        """Return the request of that name; None when it is gone or is not as we write it."""
        try:
            return _STORED.validate_json((self.path / f"{name}.request.json").read_bytes())
        except (OSError, ValidationError):
            return None

    def image(self, name: str) -> bytes:
        """Return an image that a request shows; empty when it is gone, or when the name is none of ours."""
        path = self.path / name
        try:
            return path.read_bytes() if _IMAGE_RE.fullmatch(name) and not path.is_symlink() else b""
        except OSError:
            return b""

    def asked(self, digest: str) -> Iterator[str]:
        """Yield the names of the requests with this digest, the newest first."""
        for name in reversed(self.names()):
            request = self.request(name)
            if request is not None and request.digest == digest:
                yield name

    def put(self, request: ChatRequest, role: str) -> str:
        """Write a request and return its name. Its page comes last: who sees it finds the rest in place."""
        self.path.mkdir(parents=True, exist_ok=True)
        number = 1 + max((int(match[1]) for name in self._files() if (match := _NUMBER_RE.match(name))), default=0)
        while True:
            name = f"{number:03}.{role}"
            with suppress(FileExistsError), (self.path / f"{name}.request.json").open("xb") as file:
                stored = _stored(request, name, role)
                file.write(_STORED.dump_json(stored, indent=2))
                break
            number += 1
        images = (image for message in request.messages for image in message.images)
        names = (image for message in stored.messages for image in message.images)
        for image_name, image in zip(names, images, strict=True):
            self._write(image_name, image.data)
        self._write(f"{name}.request.md", as_page(stored).encode())
        return name

    # -- answers ------------------------------------------------------------------------------------------------------

    def answer_file(self, name: str) -> os.stat_result | None:
        """Return the state of the file that answers a request; None while there is none, or only an empty one."""
        path = self._answer_path(name)
        return path.lstat() if path else None

    def answer(self, name: str) -> str:
        """Return the text that answers a request; bytes that are not UTF-8 show as replacement characters."""
        path = self._answer_path(name)
        if path is None:
            return ""
        with path.open("rb") as file:
            return file.read(MOST_ANSWER_BYTES).decode("utf-8-sig", "replace")

    def give(self, name: str, text: str) -> None:
        """Answer a request. Written whole, so that half an answer is never taken."""
        request = self.request(name)
        ending = "json" if request is not None and request.schema is not None else "md"
        self._write(f"{name}.answer.{ending}", encodable(text).encode())

    def _answer_path(self, name: str) -> Path | None:
        for path in (self.path / f"{name}.answer.{ending}" for ending in ANSWERS):
            with suppress(FileNotFoundError):
                status = path.lstat()
                if stat.S_ISREG(status.st_mode) and status.st_size:  # a link or a pipe is no answer
                    return path
        return None

    def _write(self, name: str, data: bytes) -> None:
        """Write the file whole or not at all; what stood under its name, a link too, gives way to it."""
        beside = self.path / f".{name}.{secrets.token_hex(4)}"
        try:
            with beside.open("xb") as file:
                file.write(data)
            beside.replace(self.path / name)
        finally:
            beside.unlink(missing_ok=True)

    def _files(self) -> list[str]:
        try:
            return [path.name for path in self.path.iterdir()]
        except FileNotFoundError:
            return []


def in_order(name: str) -> tuple[int, str]:
    """Sorts names of requests by their numbers."""
    return int(name.partition(".")[0]), name


def digest_of(request: ChatRequest) -> str:
    """Return a digest of all that is asked: the same question is found again after a stop."""
    return hashlib.sha256(request_json(request).encode("utf-8", "surrogatepass")).hexdigest()


def _stored(request: ChatRequest, name: str, role: str) -> HandRequest:
    messages: list[HandMessage] = []
    count = 0
    for message in request.messages:
        images = []
        for image in message.images:
            count += 1
            images.append(f"{name}.image-{count}.{_SUFFIXES.get(image.media_type, 'bin')}")
        messages.append(HandMessage(role=message.role, content=encodable(message.content), images=tuple(images)))
    return HandRequest(
        name=name,
        role=role,
        digest=digest_of(request),
        lang=lang_of(request.messages),
        messages=tuple(messages),
        schema=request.schema,
    )
