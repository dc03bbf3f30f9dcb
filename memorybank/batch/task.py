"""A task of a batch, as every scheduler hands it to a worker."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from memorybank.memory.types import Lang


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
