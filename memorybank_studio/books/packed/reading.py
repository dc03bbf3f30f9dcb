"""A DOCX or an EPUB as text and headings, read by `worker`, a process with little memory and time."""

from __future__ import annotations

import json
import signal
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final, Literal

from memorybank.documents.reader_process import ask_reader
from memorybank.errors import InputError, Notice, UnsafeInputError
from memorybank_studio.books.packed.blocks import Reading

Packed = Literal["docx", "epub"]

_START: Final = (
    "import sys; sys.path.insert(0, sys.argv[1]); import memorybank; del sys.path[0]; "
    "from memorybank_studio.books.packed.worker import main; main()"
)
"""Not `-m`: that would search the working directory, and find another copy of the package before this one."""
_ROOT: Final = Path(__file__).resolve().parents[3]
_SIGXCPU: Final = int(getattr(signal, "SIGXCPU", 0))


@dataclass(frozen=True, slots=True, kw_only=True)
class PackedLimits:
    file_bytes: int = 50_000_000
    parts: int = 10_000
    """Entries of the archive."""
    part_bytes: int = 60_000_000
    """What one part may unpack to; the text of a novel of a million characters takes some 10."""
    unpacked_bytes: int = 150_000_000
    """All parts that are read, together."""
    characters: int = 20_000_000
    """Of text."""
    memory_bytes: int = 1_500_000_000
    """Address space of the reading process."""
    seconds: float = 60.0
    """For the whole file, the start of the process included."""


_REFUSALS: Final[dict[str, tuple[type[InputError], str]]] = {
    "not_zip": (InputError, "packed.not_kind"),
    "not_docx": (InputError, "packed.not_kind"),
    "not_epub": (InputError, "packed.not_kind"),
    "damaged": (InputError, "packed.damaged"),
    "old_word": (InputError, "packed.old_word"),
    "password": (InputError, "packed.protected_docx"),
    "drm": (InputError, "packed.protected_epub"),
    "no_text": (InputError, "packed.no_text"),
    "entities": (UnsafeInputError, "packed.entities"),
    "parts": (UnsafeInputError, "packed.parts"),
    "unpacks": (UnsafeInputError, "packed.unpacks"),
    "characters": (UnsafeInputError, "packed.characters"),
    "memory": (UnsafeInputError, "packed.memory"),
    "time": (UnsafeInputError, "packed.time"),
}


def read_packed(kind: Packed, name: str, data: bytes, limits: PackedLimits | None = None) -> Reading:
    """Raises InputError when the file is not what its name says, encrypted, damaged or without text, UnsafeInputError
    when it would leave the limits, Cancelled when the call was stopped."""
    limits = limits or PackedLimits()
    if len(data) > limits.file_bytes:
        size, most = len(data) / 1e6, limits.file_bytes / 1e6
        raise UnsafeInputError("document.too_large", name=name, size=size, limit=most)
    try:
        arguments = ["-c", _START, str(_ROOT), kind, json.dumps(asdict(limits))]
        answer, code = ask_reader(arguments, data, limits.seconds)
    except TimeoutError as error:
        raise _refusal(kind, name, "time", limits) from error
    if "blocks" in answer:
        return Reading.from_json(answer)
    # Killed: by its limit of processor time, or by a system short of memory.
    killed = "time" if code == -_SIGXCPU else "memory"
    raise _refusal(kind, name, answer.get("refused") or (killed if code < 0 else "damaged"), limits)


def _refusal(kind: Packed, name: str, reason: str, limits: PackedLimits) -> InputError:
    what = Notice("packed.docx") if kind == "docx" else Notice("packed.epub")
    if reason == "protected":
        reason = "password" if kind == "docx" else "drm"
    error, code = _REFUSALS[reason]
    return error(
        code,
        name=name,
        kind=what,
        parts=limits.parts,
        characters=limits.characters,
        megabytes=limits.unpacked_bytes // 1_000_000,
        seconds=limits.seconds,
    )
