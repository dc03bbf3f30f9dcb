"""An enhanced prompt taken apart: where each of its parts stands in its text. Pure.

The stage that wrote the prompt also wrote where each part stands, so text of a memory that looks like a heading is
never taken for one. Where the places do not fit the text, the whole is left as one.
"""

from __future__ import annotations

from collections.abc import Container, Sequence
from dataclasses import dataclass
from typing import Any

from memorybank.memory.events import PlanUpdated, PromptEnhanced, PromptPart
from memorybank.memory.state import MemoryState
from memorybank.memory.types import Hit, NodeId, Task, TaskStatus
from memorybank.runs.banks import BankAt
from memorybank.runs.journal import Record
from memorybank.runs.run_folder import state_at
from memorybank.runs.stages import placed
from memorybank.session.prompt_layout import NAMES

BETWEEN = "between"
"""The name of tags, headings and blank lines, which belong to no part and are not counted as one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """`prompt[start:end]` and what it is."""

    name: str
    """The name of the part, or `between`."""
    start: int
    end: int
    tokens: int = 0
    node: NodeId | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Share:
    """The tokens and the number of all parts of one name."""

    name: str
    tokens: int
    count: int


@dataclass(frozen=True, slots=True, kw_only=True)
class LeftOut:
    """A memory that is not in the prompt, and why."""

    node: NodeId
    hit: Hit | None
    """The scores of the memory; None where they are not known."""
    below: bool
    """The memory was under the cut-off; else the budget did not hold it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PromptView:
    """One prompt of a run, with the memory it was made from."""

    seq: int
    round: int
    event: PromptEnhanced
    bank: MemoryState
    """The memory as it was when the prompt was made."""
    pieces: tuple[Piece, ...]
    """The pieces in order, without gap or overlap; empty where the prompt cannot be taken apart."""

    @property
    def task(self) -> Task | None:
        return self.bank.doc.current_task

    @property
    def budget(self) -> int:
        return self.bank.settings.prompt_tokens if self.bank.settings else 0

    @property
    def tokens(self) -> int:
        """The tokens of all parts; what stands between them is not counted."""
        return sum(part.tokens for part in self.event.parts)

    def text(self, piece: Piece) -> str:
        return self.event.prompt[piece.start : piece.end]

    def hit(self, node: NodeId) -> Hit | None:
        """Return the memory's hit; None for one that is there unasked: all fit, or its conflict is checked."""
        return next((hit for hit in self.event.hits if hit.node_id == node), None)

    def shares(self) -> tuple[Share, ...]:
        """Return the shares by name, in the order of the prompt; names that took nothing are left out."""
        by_name: dict[str, list[PromptPart]] = {}
        for part in self.event.parts:
            by_name.setdefault(part.name, []).append(part)
        order = sorted(by_name, key=lambda name: NAMES.index(name) if name in NAMES else len(NAMES))
        return tuple(
            Share(name=name, tokens=sum(part.tokens for part in by_name[name]), count=len(by_name[name]))
            for name in order
        )

    def left_out(self) -> tuple[LeftOut, ...]:
        """Return the memories that the budget did not hold, then the best below the cut-off."""
        shown = {part.node_id for part in self.event.parts}
        over = [NodeId(name) for name in self.event.left_out if name in self.bank.graph.nodes]
        below = [hit for hit in self.event.below if hit.node_id not in shown and hit.node_id not in over]
        return (
            *(LeftOut(node=node, hit=self.hit(node), below=False) for node in over),
            *(LeftOut(node=hit.node_id, hit=hit, below=True) for hit in below),
        )

    def older(self) -> int:
        """Return how many completed tasks the budget did not hold."""
        done = sum(task.status is TaskStatus.SUCCESS for task in self.bank.doc.completed_tasks)
        return done - sum(part.name == "completed" for part in self.event.parts)


@dataclass(frozen=True, slots=True, kw_only=True)
class PromptMark:
    """A prompt in the list of a run's prompts."""

    seq: int
    round: int
    """The executor's round for which the prompt was made."""
    task: Task | None


def prompts(records: Sequence[Record[Any]]) -> tuple[PromptMark, ...]:
    """Return all prompts so far, oldest first."""
    marks: list[PromptMark] = []
    task: Task | None = None
    for record, place in placed(records):
        match record.event:
            case PlanUpdated(next_task=next_task):
                task = next_task
            case PromptEnhanced():
                marks.append(PromptMark(seq=record.seq, round=place.round, task=task))
    return tuple(marks)


def prompt_view(records: Sequence[Record[Any]], mark: PromptMark, bank_at: BankAt = state_at) -> PromptView:
    """Return the prompt at a mark. Raises JournalError for records that contradict each other."""
    event = records[mark.seq - 1].event
    assert isinstance(event, PromptEnhanced), "a mark is made from a prompt"
    bank = bank_at(records, mark.seq - 1)
    return PromptView(seq=mark.seq, round=mark.round, event=event, bank=bank, pieces=pieces_of(event, bank.graph.nodes))


def pieces_of(event: PromptEnhanced, nodes: Container[NodeId]) -> tuple[Piece, ...]:
    """Return a prompt's pieces, from its first to its last character. `nodes` are those of the memory behind it.

    Empty where the places of its parts do not fit its text: a journal written before parts had a place, one of a
    foreign program, or one in which a secret was masked. Empty too where a part is of no node of the memory.
    """
    pieces: list[Piece] = []
    at = 0
    for part in sorted(event.parts, key=lambda part: (part.start, part.end)):
        if part.start < at or part.end < part.start or (part.node_id is not None and part.node_id not in nodes):
            return ()
        if part.start > at:
            pieces.append(Piece(name=BETWEEN, start=at, end=part.start))
        if part.end > part.start:
            pieces.append(Piece(name=part.name, start=part.start, end=part.end, tokens=part.tokens, node=part.node_id))
        at = part.end
    return tuple(pieces) if at == len(event.prompt) else ()
