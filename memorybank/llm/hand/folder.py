"""The folder of requests and answers. Names are made here; nothing of a prompt or an answer gets into one."""

from __future__ import annotations

import hashlib
import os
import re
import secrets
import stat
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from memorybank.language.text import encodable
from memorybank.llm.base import ChatRequest, request_json
from memorybank.llm.hand.page import HandMessage, HandRequest, as_page
from memorybank.llm.words import lang_of

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
        """Names of all requests (`001.analysis`), in the order they were asked."""
        matches = (_PAGE_RE.fullmatch(name) for name in self._files())
        return sorted((match[1] for match in matches if match), key=in_order)

    def waiting(self) -> list[str]:
        """Names of the requests without an answer."""
        return [name for name in self.names() if self.answer_file(name) is None]

    def request(self, name: str) -> HandRequest | None:
        """The request of that name; None when it is gone or is not as we write it."""
        try:
            return _STORED.validate_json((self.path / f"{name}.request.json").read_bytes())
        except (OSError, ValidationError):
            return None

    def image(self, name: str) -> bytes:
        """An image that a request shows; empty when it is gone, or when the name is none of ours."""
        path = self.path / name
        try:
            return path.read_bytes() if _IMAGE_RE.fullmatch(name) and not path.is_symlink() else b""
        except OSError:
            return b""

    def asked(self, digest: str) -> Iterator[str]:
        """Names of the requests with this digest, the newest first."""
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
        """State of the file that answers a request; None while there is none, or only an empty one."""
        path = self._answer_path(name)
        return path.lstat() if path else None

    def answer(self, name: str) -> str:
        """The text that answers a request; bytes that are not UTF-8 show as replacement characters."""
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
        """The file is there whole or not at all; what stood under its name, a link too, gives way to it."""
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
    """A digest of all that is asked: the same question is found again after a stop."""
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
