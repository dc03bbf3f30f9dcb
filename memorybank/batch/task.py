"""A task of a batch, as every scheduler hands it to a worker."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from memorybank.memory.types import Lang

MOST_ID_BYTES = 100
"""UTF-8 bytes of an id: names of files may have 255, and a few are longer than the id they are made of."""
_ID_RE = re.compile(r"[\w-][\w.-]*")
_RESERVED_RE = re.compile(r"(?:con|prn|aux|nul|com\d|lpt\d)(?:\..*)?|.*\.", re.IGNORECASE)
"""Matches what Windows takes for a device, and a dot at the end, which it drops."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BatchTask:
    """A task as a worker gets it; it holds no key, so it may travel."""

    id: str
    task: str
    context: tuple[Path, ...] = ()
    corpus: Path | None = None
    images: tuple[Path, ...] = ()
    lang: Lang | None = None
    settings: tuple[tuple[str, str], ...] = ()
    """Variables of settings/env.py and their texts, over those of the plan."""
    expect: tuple[str | int | float, ...] = ()
    """Strings or numbers of which one must appear in the answer; empty: nothing is expected."""
    digest: str = ""
    """SHA-256 of the line's values but `expect`: a task that has begun must not become another."""


def names_a_folder(id_: str) -> bool:
    """Whether an id can be the name of a task's folder on any system, and of no other folder."""
    return (
        _ID_RE.fullmatch(id_) is not None
        and _RESERVED_RE.fullmatch(id_) is None
        and len(id_.encode("utf-8", "surrogatepass")) <= MOST_ID_BYTES
    )
