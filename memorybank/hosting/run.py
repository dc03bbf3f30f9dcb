"""A run as a page asks it, be it one that works in this process or one only read (tabs.py); and the orders to it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from memorybank.runs.journal import Record
from memorybank.session.phase import Phase
from memorybank.settings.config import Settings

if TYPE_CHECKING:  # the first page imports no session
    from memorybank.session.session import Session


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
    """The run goes on to the stage that finds a conflict."""
    MERGE = "merge"
    PLAN = "plan"
    EXECUTE = "execute"
    """The run stops before the executor: the prompt is made and nothing was asked yet."""
    INTERCEPT = "intercept"
    """The run stops when the executor's outcome has been taken over."""
    END = "end"


class Run(Protocol):
    @property
    def run_id(self) -> str: ...

    @property
    def takes_orders(self) -> bool:
        """Whether the run works in this process and belongs to this tab. Else it is only read, and takes none."""

    @property
    def is_shared(self) -> bool:
        """Whether the run works in this process for another tab of this browser, and this one reads along."""

    @property
    def is_left(self) -> bool:
        """Whether the run works on, while the tab that had it was closed or has turned away."""

    @property
    def is_saved(self) -> bool:
        """Whether the run is only read, and nobody writes it."""

    @property
    def records(self) -> Sequence[Record[Any]]:
        """Everything that happened so far. It grows; read a prefix."""

    @property
    def phase(self) -> Phase: ...

    @property
    def busy(self) -> bool:
        """Whether there may be more to see soon."""

    @property
    def error(self) -> BaseException | None:
        """The last fault; a new order clears it."""

    @property
    def session(self) -> Session | None:
        """The session, for reading what does not change; None until it has begun, and in other processes."""

    def see(self) -> None:
        """Note that the tab is there and looks."""

    def leave(self) -> None:
        """Turn the tab away. A run that no other tab looks at is parked."""

    def close(self, timeout: float = ...) -> bool:
        """Let go of the run. True when that has happened within `timeout` seconds."""

    def go(self, until: Until) -> None:
        """Run on as far as `until`."""

    def pause(self) -> None:
        """Stop before the next call or at the next stage border, whichever comes first."""

    def obey(self, order: Callable[[Session], object], then: Until | None = None) -> None:
        """Obey an order between two stages: add, ask, undo. `then`: run on afterwards, unless it failed."""
