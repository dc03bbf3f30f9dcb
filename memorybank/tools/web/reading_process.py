"""A fetched page as text, read in a process of its own that can be stopped and killed at any moment."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from memorybank.documents.pdf import PdfLimits, pdf_text
from memorybank.documents.reader_process import ask_reader
from memorybank.errors import InputError, Notice, ToolError
from memorybank.memory.types import Value
from memorybank.tools.web.fetch import Fetched

_START: Final = (
    "import sys; sys.path.insert(0, sys.argv[1]); import memorybank; del sys.path[0]; "
    "from memorybank.tools.web.page_worker import main; main()"
)
"""Not `-m`: that would search the working directory, and find another copy of the package before this one."""
_ROOT: Final = Path(__file__).resolve().parents[3]


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadingLimits(Value):
    seconds: float = 30.0
    """For one page, the start of the process included."""
    memory_bytes: int = 1_500_000_000
    """Address space of the process."""
    characters: int = 200_000
    """Of text that are kept; what is left is counted."""


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
    """In its main text, as it names them: against `url`, or `data:` URLs."""

    @classmethod
    def cut(cls, text: str, limits: ReadingLimits, *, url: str, title: str = "", pdf: bytes = b"") -> PageText:
        """Keep as much of the text as one page may have."""
        limit = limits.characters
        return cls(url=url, title=title, text=text[:limit], left=max(0, len(text) - limit), pdf=pdf)


def read_page(fetched: Fetched, limits: ReadingLimits | None = None) -> PageText:
    """The main text of what was fetched.

    Raises ToolError when it has none or is hostile, Cancelled when the call was stopped.
    """
    limits = limits or ReadingLimits()
    if fetched.kind == "pdf":
        return PageText.cut(_pdf(fetched, limits), limits, url=fetched.url, pdf=fetched.data)
    answer = _ask(fetched, limits)
    images = tuple(answer["images"])
    return PageText(
        url=fetched.url,
        title=answer["title"],
        text=answer["text"],
        origin=answer["origin"],
        left=answer["left"],
        images=images,
    )


def _pdf(fetched: Fetched, limits: ReadingLimits) -> str:
    try:
        return pdf_text(
            fetched.url[:200], fetched.data, PdfLimits(seconds=limits.seconds, memory_bytes=limits.memory_bytes)
        )
    except InputError as error:
        raise ToolError("text.reason", reason=error) from error


def _ask(fetched: Fetched, limits: ReadingLimits) -> dict[str, Any]:
    url = fetched.url[:200]
    options = {
        "url": url,
        "kind": fetched.kind,
        "charset": fetched.media.charset,
        "seconds": limits.seconds,
        "memory_bytes": limits.memory_bytes,
        "characters": limits.characters,
    }
    try:
        answer, _ = ask_reader(["-c", _START, str(_ROOT), json.dumps(options)], fetched.data, limits.seconds)
    except TimeoutError as error:
        raise ToolError("web.slow_page", url=url, seconds=limits.seconds) from error
    if "text" not in answer:
        refusal = Notice.restored(answer.get("refused", {}))
        raise ToolError(refusal or Notice("web.over_limits", url=url))
    return answer
