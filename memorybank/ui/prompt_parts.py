"""An enhanced prompt taken apart: where each of its parts stands in its text. Pure.

A prompt says how many tokens each part took, not where it is. So it is laid out again from the memory as it stood
(prompt_layout.py), and each piece is looked for exactly where it must be: text of a memory that looks like a heading is
never taken for one. Where a piece does not match (a journal of another version, a foreign program), the whole is left
as one.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from memorybank.bank import MemoryBank
from memorybank.errors import MemoryBankError
from memorybank.events import PlanUpdated, PromptEnhanced, PromptPart, StageStarted
from memorybank.journal import Record
from memorybank.prompt_layout import NAMES, Segment, layout
from memorybank.prompts import say
from memorybank.run_folder import state_at
from memorybank.types import Hit, Lang, NodeId, Task, TaskStatus
from memorybank.ui.commits import round_of

BETWEEN = "between"
"""Tags, headings and blank lines: no part's, and not counted as one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """`prompt[start:end]` and what it is."""

    name: str
    """Of the part, or `between`."""
    start: int
    end: int
    tokens: int = 0
    node: NodeId | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Share:
    """What the parts of one name took together."""

    name: str
    tokens: int
    count: int


@dataclass(frozen=True, slots=True, kw_only=True)
class LeftOut:
    """A memory that is not in the prompt, and why."""

    node: NodeId
    hit: Hit | None
    """None: its scores are not known."""
    below: bool
    """It was under the cut-off; else the budget did not hold it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PromptView:
    """One prompt of a run, with the memory it was made from."""

    seq: int
    round: int
    event: PromptEnhanced
    bank: MemoryBank
    """As it stood when the prompt was made."""
    pieces: tuple[Piece, ...]
    """In order, without gap or overlap; empty where the prompt cannot be taken apart."""

    @property
    def task(self) -> Task | None:
        return self.bank.doc.current_task

    @property
    def budget(self) -> int:
        return self.bank.settings.prompt_tokens if self.bank.settings else 0

    @property
    def tokens(self) -> int:
        """Of all parts; what stands between them is not counted."""
        return sum(part.tokens for part in self.event.parts)

    def text(self, piece: Piece) -> str:
        return self.event.prompt[piece.start : piece.end]

    def hit(self, node: NodeId) -> Hit | None:
        """How the memory came up; None for one that is there because its conflict is checked."""
        return next((hit for hit in self.event.hits if hit.node_id == node), None)

    def shares(self) -> tuple[Share, ...]:
        """By name, in the order of the prompt; names that took nothing are left out."""
        found: dict[str, list[PromptPart]] = {}
        for part in self.event.parts:
            found.setdefault(part.name, []).append(part)
        order = sorted(found, key=lambda name: NAMES.index(name) if name in NAMES else len(NAMES))
        return tuple(
            Share(name=name, tokens=sum(part.tokens for part in found[name]), count=len(found[name])) for name in order
        )

    def left_out(self) -> tuple[LeftOut, ...]:
        """Memories that the budget did not hold, then the best below the cut-off."""
        shown = {part.node_id for part in self.event.parts}
        over = [NodeId(name) for name in self.event.left_out if name in self.bank.graph.nodes]
        below = [hit for hit in self.event.below if hit.node_id not in shown and hit.node_id not in over]
        return (
            *(LeftOut(node=node, hit=self.hit(node), below=False) for node in over),
            *(LeftOut(node=hit.node_id, hit=hit, below=True) for hit in below),
        )

    def older(self) -> int:
        """Completed tasks that the budget did not hold."""
        done = sum(task.status is TaskStatus.SUCCESS for task in self.bank.doc.completed_tasks)
        return done - sum(part.name == "completed" for part in self.event.parts)


@dataclass(frozen=True, slots=True, kw_only=True)
class PromptMark:
    """A prompt in the list of a run's prompts."""

    seq: int
    round: int
    """The executor's round that it is for."""
    task: Task | None


def prompts(records: Sequence[Record[Any]]) -> tuple[PromptMark, ...]:
    """All prompts so far, oldest first."""
    found: list[PromptMark] = []
    task: Task | None = None
    round_ = 0
    for record in records:
        match record.event:
            case PlanUpdated(next_task=next_task):
                task = next_task
            case StageStarted() as event:
                round_ = round_of(event)
            case PromptEnhanced():
                found.append(PromptMark(seq=record.seq, round=round_, task=task))
            case _:
                pass
    return tuple(found)


def prompt_view(records: Sequence[Record[Any]], mark: PromptMark) -> PromptView:
    """The prompt at a mark. Raises JournalError for records that contradict each other."""
    event = records[mark.seq - 1].event
    assert isinstance(event, PromptEnhanced), "a mark is made from a prompt"
    bank = state_at(records, mark.seq - 1)
    lang = bank.settings.lang if bank.settings else "en"
    return PromptView(seq=mark.seq, round=mark.round, event=event, bank=bank, pieces=locate(event, bank, lang) or ())


# -- finding the pieces -----------------------------------------------------------------------------------------------


def locate(event: PromptEnhanced, bank: MemoryBank, lang: Lang) -> tuple[Piece, ...] | None:
    """The pieces of a prompt, from its first to its last character; None when it was put together in another way."""
    pieces: list[Piece] = []
    at = 0
    try:
        for segment in layout(bank, event.parts, event.left_out, lang):
            end = _end_of(segment, event.prompt, at, lang)
            if end is None:
                return None
            if end > at:
                _add(pieces, _piece(None if segment.part is None else event.parts[segment.part], at, end))
            at = end
    except (KeyError, IndexError, ValueError, MemoryBankError):  # parts that this memory cannot have made
        return None
    return tuple(pieces) if at == len(event.prompt) else None


def _piece(part: PromptPart | None, start: int, end: int) -> Piece:
    if part is None:
        return Piece(name=BETWEEN, start=start, end=end)
    return Piece(name=part.name, start=start, end=end, tokens=part.tokens, node=part.node_id)


def _add(pieces: list[Piece], piece: Piece) -> None:
    """Text between the parts that follows on such text is one piece with it."""
    if pieces and piece.name == pieces[-1].name and not piece.tokens and not pieces[-1].tokens:
        piece = replace(piece, start=pieces.pop().start)
    pieces.append(piece)


def _end_of(segment: Segment, prompt: str, at: int, lang: Lang) -> int | None:
    """Where the segment ends, when it stands at `at`."""
    if prompt.startswith(segment.text, at):
        return at + len(segment.text)
    if not segment.may_be_cut:
        return None
    shared = at + _common(prompt[at : at + len(segment.text)], segment.text)
    for end in range(shared, max(at, shared - 3) - 1, -1):  # the space before the mark may be the text's own, too
        mark = _cut_mark(lang).match(prompt, end)
        if mark is not None:
            return mark.end()
    return None


def _common(left: str, right: str) -> int:
    pairs = enumerate(zip(left, right, strict=False))
    return next((place for place, (one, other) in pairs if one != other), min(len(left), len(right)))


@cache
def _cut_mark(lang: Lang) -> re.Pattern[str]:
    before, _, after = say("shortened", lang, tokens="\0").partition("\0")
    return re.compile(rf" {re.escape(before)}\d+{re.escape(after)}")
