"""What the author is typing and has not handed over yet: drafts and pieces, kept in a file of the studio as they grow.

It is no part of the journal, which would hold each of a thousand stages of a page: a text stands here from the first
pause on until it is handed over, whatever becomes of the server. Another tab's text is never written over unseen.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Final

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from memorybank.errors import InputError
from memorybank.memory.bounds import Seconds
from memorybank.runs.files.plain import read_plain, write_whole
from memorybank_studio.journal.desk import Clock
from memorybank_studio.tasks.replies import clean

FILE: Final = "typed.json"
LONGEST: Final = 2_000_000
"""Characters of a text."""
MOST: Final = 200
"""Texts; of more, those that were changed longest ago go."""
_TICK: Final = 0.001
"""Seconds between two changes, at least: a text's time names its stage."""


class KeptText(BaseModel):
    model_config = ConfigDict(frozen=True)

    text: str
    at: Seconds
    """When it was saved, in seconds since the epoch."""


class _File(BaseModel):
    texts: dict[str, KeptText] = Field(default_factory=dict)


class TypedTexts:
    """Of one open studio, by the field that they are typed into. Thread-safe."""

    def __init__(self, folder: Path, clock: Clock) -> None:
        self._path = folder / FILE
        self._clock = clock
        self._lock = threading.Lock()
        self._texts = _read(self._path)

    def all(self) -> Mapping[str, str]:
        """By field."""
        with self._lock:
            return {field: kept.text for field, kept in self._texts.items()}

    def get(self, field: str) -> KeptText | None:
        with self._lock:
            return self._texts.get(field)

    def put(self, field: str, text: str, *, seen: float = 0.0) -> KeptText | None:
        """Keep the text, on the disk when this returns; an empty one is let go. `seen`: the time of the text that this
        one grew out of. Raises InputError where another tab has saved a different one since, or for one that is too
        long; OSError."""
        text = clean(text)
        if len(text) > LONGEST:
            raise InputError("typed.too_long", count=len(text), limit=LONGEST)
        with self._lock:
            held = self._texts.get(field)
            if held is not None and held.text == text:
                return held
            if held is not None and held.at != seen:
                raise InputError("typed.other_tab")
            kept = KeptText(text=text, at=max(self._clock(), self._latest() + _TICK)) if text else None
            self._write({**self._without(field), **({field: kept} if kept else {})})
            return kept

    def drop(self, field: str) -> None:
        """It was handed over. Raises OSError."""
        with self._lock:
            if field in self._texts:
                self._write(self._without(field))

    def _without(self, field: str) -> dict[str, KeptText]:
        return {name: kept for name, kept in self._texts.items() if name != field}

    def _latest(self) -> float:
        return max((kept.at for kept in self._texts.values()), default=0.0)

    def _write(self, texts: dict[str, KeptText]) -> None:
        newest = sorted(texts.items(), key=lambda each: each[1].at)[-MOST:]
        write_whole(self._path, _File(texts=dict(newest)).model_dump_json().encode(), mode=0o600)
        self._texts = dict(newest)


def _read(path: Path) -> dict[str, KeptText]:
    """What is no such file stays beside, under another name. Raises OSError, UnsafeInputError."""
    with suppress(FileNotFoundError):
        try:
            return _File.model_validate_json(read_plain(path)).texts
        except ValidationError:
            path.rename(path.with_suffix(".broken.json"))
    return {}
