"""The orders that a person gives a run, as values. They are light: the first page imports no session."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path

from memorybank.settings.config import Settings


@dataclass(frozen=True, slots=True, kw_only=True)
class Upload:
    """A file from the browser. Its name is shown, never used as a path."""

    name: str
    data: bytes = field(repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class NewRun:
    """The input of a new run."""

    prompt: str = ""
    """A task, or `Context: … Question: …` in one text; empty: file the documents only."""
    context: tuple[Upload, ...] = ()
    corpus: Path | tuple[Upload, ...] | None = None
    images: tuple[Upload, ...] = ()
    settings: Settings = field(default_factory=Settings)


class Until(StrEnum):
    """The border at which a run stops by itself."""

    STEP = "step"
    CONFLICT = "conflict"
    """Runs to the stage that finds a conflict."""
    MERGE = "merge"
    PLAN = "plan"
    EXECUTE = "execute"
    """Stops before the executor: the prompt is made and nothing was asked yet."""
    INTERCEPT = "intercept"
    """Stops when the executor's outcome has been taken over."""
    END = "end"
