"""PDF to text, in a process of its own with little memory and time, so that a hostile file can waste only that.

The child is `pdf_worker`. Three walls stand one behind the other: pypdf's own limits on what a stream may unpack to,
the child's address space and processor time (where the system has them), and this process's clock.
"""

from __future__ import annotations

import base64
import json
import re
import signal
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final

from memorybank.documents.reader_process import ask_reader
from memorybank.errors import InputError, UnsafeInputError
from memorybank.runs.files.names import base_name

_WORKER: Final = Path(__file__).with_name("pdf_worker.py")
_HOLDS_IMAGE_RE: Final = re.compile(rb"/Subtype\s*/Image\b")
"""An image is a stream, and what a stream is stands plainly in the file, packed though all else may be."""
_SIGXCPU: Final = int(getattr(signal, "SIGXCPU", 0))


@dataclass(frozen=True, slots=True, kw_only=True)
class PdfLimits:
    pages: int = 2_000
    characters: int = 20_000_000
    """The most characters of text, over all pages."""
    stream_bytes: int = 30_000_000
    """The most bytes that one stream of the file may unpack to; a page's drawing takes kilobytes."""
    memory_bytes: int = 1_000_000_000
    """Address space of the reading process."""
    seconds: float = 60.0
    """The most seconds for the whole file, the start of the process included."""


_REFUSALS: Final[dict[str, tuple[type[InputError], str]]] = {
    "encrypted": (InputError, "pdf.encrypted"),
    "no_text": (InputError, "pdf.no_text"),
    "pages": (UnsafeInputError, "pdf.pages"),
    "characters": (UnsafeInputError, "pdf.characters"),
    "unpacks": (UnsafeInputError, "pdf.unpacks"),
    "memory": (UnsafeInputError, "pdf.memory"),
    "time": (UnsafeInputError, "pdf.time"),
    "damaged": (InputError, "pdf.damaged"),
}


def pdf_text(name: str, data: bytes, limits: PdfLimits | None = None) -> str:
    """Read the text of a PDF, pages apart by a blank line.

    Raises UnsafeInputError when it would leave the limits, InputError when it is encrypted, damaged or has no text,
    Cancelled when the call was stopped.
    """
    limits = limits or PdfLimits()
    if b"%PDF-" not in data[:1024]:
        raise InputError("pdf.not_pdf", name=name)
    try:
        answer, code = ask_reader([str(_WORKER), json.dumps(asdict(limits))], data, limits.seconds)
    except TimeoutError as error:
        raise _refusal(name, "time", limits) from error
    if "text" in answer:
        return str(answer["text"])
    # Killed: by its limit of processor time, or by a system short of memory.
    killed = "time" if code == -_SIGXCPU else "memory"
    raise _refusal(name, answer.get("refused") or (killed if code < 0 else "damaged"), limits)


def pdf_images(data: bytes, limit: int, limits: PdfLimits | None = None) -> tuple[tuple[str, bytes], ...]:
    """Return the images in a PDF with their names, the first pages' first, at most so many; unverified.

    None from a file that is encrypted or damaged, or would leave the limits. Raises Cancelled when it was stopped.
    """
    if not limit or not _HOLDS_IMAGE_RE.search(data):
        return ()
    limits = limits or PdfLimits()
    options = {**asdict(limits), "images": limit}
    try:
        answer, _ = ask_reader([str(_WORKER), json.dumps(options)], data, limits.seconds)
    except TimeoutError:
        return ()
    return tuple((base_name(image["name"]), base64.b64decode(image["data"])) for image in answer.get("images", ()))


def _refusal(name: str, reason: str, limits: PdfLimits) -> InputError:
    kind, code = _REFUSALS[reason]
    return kind(
        code,
        name=name,
        pages=limits.pages,
        characters=limits.characters,
        megabytes=limits.stream_bytes // 1_000_000,
        seconds=limits.seconds,
    )
