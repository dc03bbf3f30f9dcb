"""What the engine answers and what the author is shown, as text that a file can hold."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from memorybank.memory.types import Lang, Value
from memorybank_studio.creativity.options import Option
from memorybank_studio.hub.verbalisation import word
from memorybank_studio.journal.context import BuiltContext, Citation, Taken
from memorybank_studio.journal.events import SettlementTable
from memorybank_studio.types import Command, Task


@dataclass(frozen=True, slots=True, kw_only=True)
class Creation(Value):
    """What the creativity engine answers."""

    text: str
    """All that the author is shown, options included: it is what the task's history keeps."""
    options: tuple[Option, ...] = ()
    cited: tuple[Citation, ...] = ()
    """Lines of the record that it stands on."""


class Creative(Protocol):
    """The creativity engine, stateless."""

    def __call__(self, context: BuiltContext, question: str, taken: Taken) -> Creation:
        """Raises AgentError."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply(Value):
    """What the author is shown."""

    command: Command
    task: Task | None
    """Current in this tab from now on; None: no task is."""
    text: str = ""
    options: tuple[Option, ...] = ()
    taken: Taken | None = None
    """What the turn was taken for."""
    context: BuiltContext | None = None
    """What the engine was told; of SETTLE the whole history."""
    table: SettlementTable | None = None


def clean(text: str) -> str:
    """The text as a file can hold it: half a surrogate pair becomes a question mark."""
    return text.encode("utf-8", "replace").decode("utf-8")


def clean_option(option: Option) -> Option:
    scores = tuple(replace(score, reasons=tuple(map(clean, score.reasons))) for score in option.scores)
    return replace(option, draft=replace(option.draft, text=clean(option.draft.text)), scores=scores)


def numbered(options: Sequence[Option], lang: Lang) -> list[str]:
    """As the task's history keeps them: what was written, and how it was scored."""
    return [
        word("answer_option", lang, number=number, total=f"{option.total:.2f}", text=option.draft.text)
        for number, option in enumerate(options, start=1)
    ]
