"""A page of the web, fetched and read in a process of its own that can be stopped and killed at any moment."""

from __future__ import annotations

import base64
import json
import signal
import threading
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Final

from memorybank.documents.pdf import PdfLimits, pdf_text
from memorybank.documents.reader_process import ask_reader, running
from memorybank.errors import InputError, MemoryBankError, Notice, ToolError, UnsafeInputError
from memorybank.memory.types import Lang, Value
from memorybank.tools.web.fetch import FetchLimits
from memorybank.tools.web.guard import Guard
from memorybank.tools.web.urls import parse_url

_STARTS: Final = 5.0
"""Seconds that a process may take to begin and to end, beside those of its task."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadingLimits(Value):
    seconds: float = 30.0
    """The most seconds to read one page, once it is there."""
    memory_bytes: int = 1_500_000_000
    """Address space of the process."""
    characters: int = 200_000
    """The most characters of text that are kept; the rest are counted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PageText(Value):
    url: str
    title: str
    text: str
    origin: str = ""
    """Author, publisher and date, as the page's head says."""
    left: int = 0
    """Characters of the page after `text`, over the limit."""
    pdf: bytes = field(default=b"", repr=False)
    """The file itself, when the page is one."""
    images: tuple[str, ...] = field(default=(), repr=False)
    """The images in its main text, as it names them: against `url`, or `data:` URLs."""

    @classmethod
    def cut(cls, text: str, limits: ReadingLimits, *, url: str, title: str = "", pdf: bytes = b"") -> PageText:
        """Keep as much of the text as one page may have."""
        limit = limits.characters
        return cls(url=url, title=title, text=text[:limit], left=max(0, len(text) - limit), pdf=pdf)


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown(Value):
    """An image, as it was fetched."""

    url: str
    data: bytes = field(repr=False)


_ERRORS: Final = {kind.__name__: kind for kind in (ToolError, InputError, UnsafeInputError)}
_SITES: Final = 256
"""Sites whose rules are kept."""


def ask_process(task: Mapping[str, Any], seconds: float) -> dict[str, Any]:
    """Have a process do the task, keys and all: they go in on its standard input, and nowhere else.

    Raises the error that it tells, TimeoutError, Cancelled when the call was stopped.
    """
    answer, code = ask_reader(running("memorybank.tools.web.page_worker"), json.dumps(task).encode(), seconds)
    if hasattr(signal, "SIGALRM") and code == -signal.SIGALRM:
        raise TimeoutError
    refused = Notice.restored(answer.get("refused") or {})
    if refused is not None:
        raise _ERRORS.get(answer.get("error", ""), ToolError)(refused)
    if not answer or "refused" in answer:
        raise ToolError("web.over_limits", url=task.get("url", task.get("name", "")))
    return answer


class PageProcesses:
    """Reads pages for one session, one process each; serves several threads."""

    def __init__(
        self,
        guard: Guard | None = None,
        *,
        fetching: FetchLimits | None = None,
        reading: ReadingLimits | None = None,
        lang: Lang = "en",
    ) -> None:
        self._fetching, self._reading = fetching or FetchLimits(), reading or ReadingLimits()
        self._task = {
            "guard": (guard or Guard()).stored(),
            "fetching": asdict(self._fetching),
            "reading": asdict(self._reading),
            "lang": lang,
        }
        self._sites: dict[str, Any] = {}
        self._lock = threading.Lock()

    def read(self, url: str) -> PageText | Shown:
        """Return the main text of a page, or the image that stands there.

        Raises ToolError that names the URL and the reason, UnsafeInputError for a URL that may not be reached,
        InputError for one that is none, Cancelled when the call was stopped.
        """
        target = parse_url(url)
        reading = self._reading
        try:
            answer = self._ask({"do": "page", "url": target.url}, self._fetching.seconds + reading.seconds)
        except TimeoutError:
            raise ToolError("web.slow_page", url=target.url[:200], seconds=reading.seconds) from None
        if answer["kind"] == "image":
            return Shown(url=answer["url"], data=base64.b64decode(answer["data"]))
        if answer["kind"] == "pdf":
            data = base64.b64decode(answer["data"])
            limits = PdfLimits(seconds=reading.seconds, memory_bytes=reading.memory_bytes)
            try:
                text = pdf_text(answer["url"][:200], data, limits)
            except InputError as error:
                raise ToolError("text.reason", reason=error) from error
            return PageText.cut(text, reading, url=answer["url"], pdf=data)
        return PageText(
            url=answer["url"],
            title=answer["title"],
            text=answer["text"],
            origin=answer["origin"],
            left=answer["left"],
            images=tuple(answer["images"]),
        )

    def images(self, urls: Sequence[str], limit: int) -> list[Shown]:
        """Return the first of these that are images fit to be kept, at most so many, within one time for all."""
        task = {"do": "images", "urls": list(urls), "limit": limit, "url": urls[0] if urls else ""}
        try:
            answer = self._ask(task, self._fetching.image_seconds) if urls else {"images": []}
        except (TimeoutError, MemoryBankError):
            return []
        return [Shown(url=image["url"], data=base64.b64decode(image["data"])) for image in answer["images"]]

    def _ask(self, task: Mapping[str, Any], seconds: float) -> dict[str, Any]:
        with self._lock:
            sites = dict(self._sites)
        origins = {parse_url(url).origin for url in task.get("urls", [task["url"]])}
        known = {origin: sites[origin] for origin in origins if origin in sites}
        answer = ask_process({**self._task, **task, "sites": known}, seconds + _STARTS)
        with self._lock:
            self._sites |= answer.get("sites", {})
            while len(self._sites) > _SITES:
                self._sites.pop(next(iter(self._sites)))
        return answer
