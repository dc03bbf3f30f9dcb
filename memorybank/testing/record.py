"""What a test keeps of a run, and how it is packed into text; facts as values that can be compared."""

from __future__ import annotations

import base64
import zlib
from dataclasses import dataclass, field
from typing import Any

from pydantic import TypeAdapter

from memorybank.errors import InputError
from memorybank.memory.events import EVENT, Fact
from memorybank.memory.types import Value

MOST = 256 * 1024 * 1024
"""Bytes that a record may unpack to."""
_VECTORS = ("vector", "query_vector")
_DIGITS = 4
"""Scores may differ behind them from one machine's arithmetic to another's."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordedDocument(Value):
    """A document of the corpus, as text."""

    name: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Recorded(Value):
    """What a test needs of a run."""

    facts: tuple[tuple[float, dict[str, Any]], ...]
    """(stamp, fact as JSON) up to the border: the memory before."""
    calls: tuple[dict[str, Any], ...] = ()
    """Observations after it, as JSON: how agents and tools answered."""
    results: dict[str, str] = field(default_factory=dict)
    """What the tools brought back, by digest, as JSON."""
    documents: tuple[RecordedDocument, ...] = ()
    files: dict[str, str] = field(default_factory=dict)
    """Images and other originals by SHA-256, as base64."""
    now: float = 0.0
    """When the stage began."""


_RECORDED: TypeAdapter[Recorded] = TypeAdapter(Recorded)


def pack(recorded: Recorded) -> str:
    """A record as base64 of its compressed JSON."""
    written = _RECORDED.dump_json(recorded, exclude_defaults=True)
    return base64.b64encode(zlib.compress(written, 9)).decode("ascii")


def unpack(text: str) -> Recorded:
    """Raises InputError for a text that `pack` did not write."""
    try:
        inflate = zlib.decompressobj()
        written = inflate.decompress(base64.b64decode(text, validate=True), MOST)
        if inflate.unconsumed_tail:
            raise InputError("record.too_large", limit=MOST >> 20)
        return _RECORDED.validate_json(written)
    except (ValueError, zlib.error) as error:
        raise InputError("record.no_record", kind=type(error).__name__) from None


def comparable(fact: Fact) -> dict[str, Any]:
    """A fact as plain values that are the same on every machine: no vectors, no defaults, scores to four digits."""
    values = EVENT.dump_python(fact, mode="json", exclude_defaults=True)
    return {"type": fact.type, **{name: _rounded(value) for name, value in values.items() if name not in _VECTORS}}


def _rounded(value: Any) -> Any:
    if isinstance(value, float):
        return round(value, _DIGITS)
    if isinstance(value, list):
        return [_rounded(item) for item in value]
    if isinstance(value, dict):
        return {name: _rounded(part) for name, part in value.items() if name not in _VECTORS}
    return value
