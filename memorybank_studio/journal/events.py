"""Everything that happens in a studio, one small frozen class each; the studio's journal holds them in order.

What a studio knows is the fold of these (`desk.py`) and nothing else. Times are in the events, in seconds since
the epoch, because a history's expiry hangs on them. Reading one back is a border: an unknown event or field is refused.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated, Any, Final, Literal

from pydantic import ConfigDict, Field, TypeAdapter

from memorybank.calls import Spent
from memorybank.errors import Notice
from memorybank.memory.bounds import Seconds
from memorybank.memory.types import Value
from memorybank.runs.journal import Format
from memorybank_studio.chapters.manuscript import ChapterEvent, ChapterReworded
from memorybank_studio.creativity.options import Option
from memorybank_studio.drafts import Unread
from memorybank_studio.journal.context import BuiltContext, Citation, Taken
from memorybank_studio.types import Command, SettlementId, TaskId, Turn
from memorybank_studio.writes import Proposal, WriteSet


@dataclass(frozen=True, slots=True, kw_only=True)
class OfBefore(Value):
    """An event of a kind that there is no more, in a journal of before: nothing follows from it."""

    type: Literal["OfBefore"] = "OfBefore"


@dataclass(frozen=True, slots=True, kw_only=True)
class Renamed(Value):
    """Somebody got another name; the set that writes it is confirmed in the same write. Or that was undone."""

    type: Literal["Renamed"] = "Renamed"
    task: TaskId
    old: str
    new: str
    back: WriteSet | None = None
    """The writes that undo it; None: this undoes the rename before."""
    chapters: tuple[ChapterReworded, ...] = ()
    """The chapters in writing as they were."""
    at: Seconds


@dataclass(frozen=True, slots=True, kw_only=True)
class BibleChanged(Value):
    """The author added, changed or deleted an entry of the bible, or moved a plan; the set that writes it is confirmed
    in the same write. Or that was undone."""

    type: Literal["BibleChanged"] = "BibleChanged"
    settlement: SettlementId
    what: str
    """The entry, in a few words."""
    back: WriteSet | None = None
    """The writes that undo it; None: this undoes the change before."""
    at: Seconds


@dataclass(frozen=True, slots=True, kw_only=True)
class StudioOpened(Value):
    """The event that comes first in a journal."""

    type: Literal["StudioOpened"] = "StudioOpened"
    studio: str
    """A random id: two studios on one store have different keys."""
    at: Seconds


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskOpened(Value):
    type: Literal["TaskOpened"] = "TaskOpened"
    task: TaskId
    title: str
    at: Seconds


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnAdded(Value):
    type: Literal["TurnAdded"] = "TurnAdded"
    task: TaskId
    turn: Turn
    options: tuple[Option, ...] = ()
    """The options that an answer offered, as they were scored."""
    cited: tuple[Citation, ...] = ()
    """The lines that an answer from the record stands on."""
    answers: int = 0
    """The author's turn that this answer and the earlier one it replaces both answer. 0: it replaces none."""
    spent: Spent = field(default_factory=Spent)


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnTaken(Value):
    """A turn of the author's was taken for something; by the author: instead of what it was taken for before."""

    type: Literal["TurnTaken"] = "TurnTaken"
    task: TaskId
    turn: int
    taken: Taken
    """The reading of the turn, without a reply, which is the next turn."""
    at: Seconds


@dataclass(frozen=True, slots=True, kw_only=True)
class CommandContext(Value):
    """The state before the author when a command was given: enough to put it together again from the journal."""

    task: TaskId | None
    """The task that is current in the tab."""
    turns: int
    """The number of turns of that task."""
    open: tuple[TaskId, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class CommandGiven(Value):
    """(input, context, command): what a classifier of intents could learn from (specification, section 3.3 B)."""

    type: Literal["CommandGiven"] = "CommandGiven"
    input: str
    context: CommandContext
    command: Command
    argument: str = ""
    task: TaskId
    """The task it led to."""
    by: Literal["slash", "button", "default"]
    at: Seconds


@dataclass(frozen=True, slots=True, kw_only=True)
class ContextBuilt(Value):
    """A context was built that the engine is about to be told for a command: every part (journal/context.py)."""

    type: Literal["ContextBuilt"] = "ContextBuilt"
    task: TaskId
    turn: int
    """The author's turn that it answers; of SETTLE 0."""
    context: BuiltContext
    """The context without the words of turns, which the journal has already."""


@dataclass(frozen=True, slots=True, kw_only=True)
class InputRefused(Value):
    """The typed words that could not be used, so that they can be put back before the author."""

    type: Literal["InputRefused"] = "InputRefused"
    task: TaskId | None
    input: str
    reason: str
    at: Seconds


@dataclass(frozen=True, slots=True, kw_only=True)
class SummaryMade(Value):
    """A running summary of the turns 1 … `through` of a task."""

    type: Literal["SummaryMade"] = "SummaryMade"
    task: TaskId
    through: int
    text: str
    made: str = ""
    """The way it was made: by whom or what, and why not by the language model if that failed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskClosed(Value):
    type: Literal["TaskClosed"] = "TaskClosed"
    task: TaskId
    at: Seconds


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskRestarted(Value):
    type: Literal["TaskRestarted"] = "TaskRestarted"
    task: TaskId
    at: Seconds


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskDiscarded(Value):
    type: Literal["TaskDiscarded"] = "TaskDiscarded"
    task: TaskId
    at: Seconds


@dataclass(frozen=True, slots=True, kw_only=True)
class HistoryExpired(Value):
    type: Literal["HistoryExpired"] = "HistoryExpired"
    task: TaskId
    at: Seconds


@dataclass(frozen=True, slots=True, kw_only=True)
class SettlementTable(Value):
    """The rows that a settlement of a task would write, for its author to edit, tick and confirm."""

    type: Literal["SettlementProposed"] = "SettlementProposed"
    task: TaskId
    turns: int
    """Turns of the task it was made from: all there were."""
    proposals: tuple[Proposal, ...]
    note: str = ""
    """A note on how it was read, when not as it should have been: by rules, as the language model failed."""
    unread: tuple[Unread, ...] = ()
    """Sentences of the author's that gave no row, each with why."""
    not_taken: tuple[Unread, ...] = ()
    """Sentences that a language model read and that settle nothing, each with why."""
    at: Seconds
    """The time at which it was made: a table that was made since takes its place."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SettlementConfirmed(Value):
    """A settlement was confirmed: its set will be in the hub, whatever happens to this process."""

    type: Literal["SettlementConfirmed"] = "SettlementConfirmed"
    writes: WriteSet
    at: Seconds


@dataclass(frozen=True, slots=True, kw_only=True)
class SettlementBegun(Value):
    """The first store is about to be written: from here on the hub may hold a part of the set."""

    type: Literal["SettlementBegun"] = "SettlementBegun"
    settlement: SettlementId
    at: Seconds


@dataclass(frozen=True, slots=True, kw_only=True)
class SettlementApplied(Value):
    type: Literal["SettlementApplied"] = "SettlementApplied"
    settlement: SettlementId
    at: Seconds


@dataclass(frozen=True, slots=True, kw_only=True)
class SettlementFailed(Value):
    """The hub refused the set before anything of it was written; the task stays open."""

    type: Literal["SettlementFailed"] = "SettlementFailed"
    settlement: SettlementId
    reason: str
    notice: dict[str, Any] = field(default_factory=dict)
    """The same by code and values; a journal of an earlier version has the words alone."""
    at: Seconds

    @property
    def why(self) -> Notice:
        return Notice.restored(self.notice) or Notice("text.outside", text=self.reason)


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportBegun(Value):
    """A book is on its way into the archive, or goes on where it was stopped."""

    type: Literal["ImportBegun"] = "ImportBegun"
    title: str
    chapters: int
    characters: int
    remove: tuple[int, ...] = ()
    """Chapters of the archive that go with the last one of the book."""
    at: Seconds


@dataclass(frozen=True, slots=True, kw_only=True)
class ChapterImported(Value):
    """The chapter is in the archive by now, and not as it stood there before."""

    type: Literal["ChapterImported"] = "ChapterImported"
    number: int
    title: str
    at: Seconds


@dataclass(frozen=True, slots=True, kw_only=True)
class FindingIntended(Value):
    """The author lets words of a chapter stand against a fact, or does not any more."""

    type: Literal["FindingIntended"] = "FindingIntended"
    words: str
    against: str
    """The key of the fact, plan, setting or entity."""
    stands: bool
    at: Seconds


@dataclass(frozen=True, slots=True, kw_only=True)
class ByHandFailed(Value):
    """The work begun by hand just before (an import) did not come to its end."""

    type: Literal["ByHandFailed"] = "ByHandFailed"
    what: str
    reason: str
    at: Seconds


Event = Annotated[
    StudioOpened
    | TaskOpened
    | TurnAdded
    | TurnTaken
    | CommandGiven
    | ContextBuilt
    | InputRefused
    | SummaryMade
    | TaskClosed
    | TaskRestarted
    | TaskDiscarded
    | HistoryExpired
    | SettlementTable
    | SettlementConfirmed
    | SettlementBegun
    | SettlementApplied
    | SettlementFailed
    | ImportBegun
    | ChapterImported
    | FindingIntended
    | ByHandFailed
    | OfBefore
    | ChapterEvent
    | Renamed
    | BibleChanged,
    Field(discriminator="type"),
]

EVENT: TypeAdapter[Any] = TypeAdapter(Event, config=ConfigDict(defer_build=True))


_GONE: Final = ("GoalsSet", "DraftChecked", "ChapterFinished", "HistoryBroughtBack", "PlanMoved", "PlanPlaced")
"""Kinds of events that there were before. What the plan board's moves changed is in the stores."""


def _as_now(event: dict[str, Any]) -> dict[str, Any]:
    """Leave out what earlier versions wrote: the option that another one is most like, rows that wait, commands that
    are read in words, where a request is looked up by word lists, marks of words that stand in an earlier piece."""
    if event.get("type") in _GONE:
        return {"type": "OfBefore"}
    event.pop("waiting", None)
    event.pop("step", None)
    options = event.get("options")
    for option in options if isinstance(options, list) else ():
        if isinstance(option, dict):
            option.pop("nearest", None)
    if isinstance(marks := event.get("marks"), list):
        kept = (mark for mark in marks if mark.get("kind") != "repeats")
        event["marks"] = [{name: value for name, value in mark.items() if name != "piece"} for mark in kept]
    for name, gone in (("taken", ("command", "argument")), ("context", ("routes",))):
        if isinstance(held := event.get(name), dict):
            event[name] = {key: value for key, value in held.items() if key not in gone}
            if held.get("kind") == "command":
                event[name]["kind"] = "remark"
    return event


_UPCASTS: Final = dict.fromkeys(range(1, 5), _as_now)
STUDIO: Format[Any] = Format(kind="memorybank-studio", schema=5, events=EVENT, upcasts=_UPCASTS)
"""The studio's journals. A change that is not a new field with a default raises `schema` and adds an upcast."""
