"""An enhanced prompt taken apart: where each of its parts stands in its text. Pure.

A prompt says how many tokens each part took, not where it is. So it is put together again, piece by piece, from the
memory as it stood (adapter.py), and each piece is looked for exactly where it must be: text of a memory that looks like
a heading is never taken for one. Where a piece does not match (a journal of another version, a foreign program), the
whole is left as one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from memorybank.adapter import RECENT_TASKS
from memorybank.bank import MemoryBank
from memorybank.errors import MemoryBankError
from memorybank.events import PlanUpdated, PromptEnhanced, PromptPart, StageStarted
from memorybank.journal import Record
from memorybank.prompts import say
from memorybank.run_folder import state_at
from memorybank.tags import neutralise
from memorybank.types import CompletedTask, Conflict, ConflictStatus, Hit, Lang, NodeId, Task, TaskStatus, TaskType

BETWEEN = "between"
"""Tags, headings and blank lines: no part's, and not counted as one."""
NAMES = ("goal", "completed", "failed", "conflicts", "images", "current", "memory", "tools", "frame")
"""Parts in the order in which they stand in a prompt."""


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
            case StageStarted(round=number):
                round_ = number
            case PromptEnhanced():
                found.append(PromptMark(seq=record.seq, round=round_ + 1, task=task))
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


@dataclass(frozen=True, slots=True)
class _Expected:
    """What must come next in the prompt."""

    text: str
    part: PromptPart | None = None
    """None: what stands between the parts."""
    cut: bool = False
    """It may have been shortened to whole sentences, with a mark that says so."""


def locate(event: PromptEnhanced, bank: MemoryBank, lang: Lang) -> tuple[Piece, ...] | None:
    """The pieces of a prompt, from its first to its last character; None when it was put together in another way."""
    pieces: list[Piece] = []
    at = 0
    try:
        for expected in _layout(event, bank, lang):
            end = _end_of(expected, event.prompt, at, lang)
            if end is None:
                return None
            part = expected.part
            piece = Piece(
                name=part.name if part else BETWEEN,
                start=at,
                end=end,
                tokens=part.tokens if part else 0,
                node=part.node_id if part else None,
            )
            if end > at:
                _add(pieces, piece)
            at = end
    except (KeyError, IndexError, ValueError, MemoryBankError):  # parts that this memory cannot have made
        return None
    return tuple(pieces) if at == len(event.prompt) else None


def _add(pieces: list[Piece], piece: Piece) -> None:
    """Text between the parts that follows on such text is one piece with it."""
    if pieces and piece.name == pieces[-1].name and not piece.tokens and not pieces[-1].tokens:
        piece = replace(piece, start=pieces.pop().start)
    pieces.append(piece)


def _end_of(expected: _Expected, prompt: str, at: int, lang: Lang) -> int | None:
    """Where the expected text ends, when it stands at `at`."""
    if prompt.startswith(expected.text, at):
        return at + len(expected.text)
    if not expected.cut:
        return None
    shared = at + _common(prompt[at : at + len(expected.text)], expected.text)
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


def _layout(event: PromptEnhanced, bank: MemoryBank, lang: Lang) -> Iterator[_Expected]:
    """Everything in a prompt, in order (adapter.py, `_put_together`)."""
    parts: dict[str, list[PromptPart]] = {}
    for part in event.parts:
        parts.setdefault(part.name, []).append(part)
    yield _Expected("<task>\n")
    goal = say("goal", lang, goal=neutralise(bank.doc.task_goal))
    yield _Expected(goal, _one(parts, "goal"), cut=True)
    yield from _completed(bank, parts.get("completed", []), lang)
    if "failed" in parts:
        failed = [task for task in bank.doc.completed_tasks if task.status is TaskStatus.FAILED]
        lines = [say("failed", lang), *(_task_text(n, task, lang) for n, task in enumerate(failed, start=1))]
        yield from _line("\n".join(lines), _one(parts, "failed"))
    if "conflicts" in parts:
        yield from _line(_conflicts_text(bank, lang), _one(parts, "conflicts"))
    if "images" in parts:
        names = ", ".join(f"{image.id} ({neutralise(image.name)})" for image in bank.tree.staged.values())
        yield from _line(say("staged", lang, images=names), _one(parts, "images"))
    yield from _current(bank, _one(parts, "current"), lang)
    yield _Expected("\n</task>\n\n<memory>\n")
    yield from _memories(event, bank, parts.get("memory", []), lang)
    yield _Expected("\n</memory>\n\n")
    yield _Expected(_frame(bank.doc.current_task, lang), _one(parts, "frame"))


def _one(parts: Mapping[str, list[PromptPart]], name: str) -> PromptPart:
    (part,) = parts[name]
    return part


def _line(text: str, part: PromptPart) -> Iterator[_Expected]:
    yield _Expected("\n")
    yield _Expected(text, part)


def _current(bank: MemoryBank, part: PromptPart, lang: Lang) -> Iterator[_Expected]:
    task = bank.doc.current_task
    yield _Expected("\n")
    if task is None:
        yield _Expected(f"{say('current', lang)}\n{say('no_current', lang)}", part)
        return
    one = say("current_one", lang, type=task.type, description=neutralise(task.description))
    yield _Expected(f"{say('current', lang)}\n{one}", part, cut=True)


def _completed(bank: MemoryBank, parts: Sequence[PromptPart], lang: Lang) -> Iterator[_Expected]:
    """The newest whole, older ones in a line, shown oldest first; `parts` are newest first."""
    done = [task for task in bank.doc.completed_tasks if task.status is TaskStatus.SUCCESS]
    shown = len(parts)
    if shown or done:
        yield _Expected(f"\n{say('completed', lang)}")
    if shown < len(done):
        yield _Expected(f"\n{say('completed_older', lang, count=len(done) - shown)}")
    for age in range(shown - 1, -1, -1):
        number = len(done) - age
        text = _task_text(number, done[number - 1], lang)
        yield from _line(text if age < RECENT_TASKS else text.split("\n")[0], parts[age])


def _task_text(number: int, task: CompletedTask, lang: Lang) -> str:
    status = say(f"status_{task.status.value}", lang)
    description = neutralise(task.description)
    head = say("completed_one", lang, number=number, type=task.type, description=description, status=status)
    return f"{head}\n{say('completed_context', lang, context=neutralise(task.context))}" if task.context else head


def _conflicts_text(bank: MemoryBank, lang: Lang) -> str:
    lines = [
        say(
            "open_conflict",
            lang,
            id=conflict.id,
            left=bank.graph.successor(conflict.node_ids[0]),
            right=bank.graph.successor(conflict.node_ids[1]),
            description=neutralise(conflict.description),
        )
        for conflict in bank.conflicts.open()
    ]
    return "\n".join([say("open_conflicts", lang), *lines])


def _memories(event: PromptEnhanced, bank: MemoryBank, parts: Sequence[PromptPart], lang: Lang) -> Iterator[_Expected]:
    """Newest first. A memory whose conflict is checked may have been shortened."""
    if not parts:
        yield _Expected(say("no_memory", lang))
        return
    nodes = bank.graph.nodes
    disputed = bank.disputed()
    ordered = sorted(parts, key=lambda part: -nodes[part.node_id].seq if part.node_id else 0)
    for number, part in enumerate(ordered, start=1):
        assert part.node_id is not None
        head = say("memory_head", lang, number=number, id=part.node_id)
        yield _Expected(f"{head}\n" if number == 1 else f"\n\n{head}\n")
        yield _Expected(_memory_text(part.node_id, disputed.get(part.node_id), bank, lang), part, cut=True)
    missing = sum(name in nodes for name in event.left_out)
    if missing:
        yield _Expected(f"\n\n{say('left_out', lang, count=missing)}")


def _memory_text(node_id: NodeId, conflict: Conflict | None, bank: MemoryBank, lang: Lang) -> str:
    node = bank.graph.nodes[node_id]
    lines = [
        say("memory_topic", lang, context=neutralise(node.context)),
        say("memory_keywords", lang, keywords=neutralise(", ".join(node.keywords))),
        say("memory_summary", lang, summary=neutralise(node.summary)),
    ]
    if conflict is not None:
        key = "memory_open" if conflict.status is ConflictStatus.OPEN else "memory_disputed"
        others = [bank.graph.successor(one) for one in conflict.node_ids]
        other = next((one for one in others if one != node_id), others[0])
        lines.append(say(key, lang, id=conflict.id, other=other, description=neutralise(conflict.description)))
    return "\n".join(lines)


def _frame(task: Task | None, lang: Lang) -> str:
    keys = ["act"]
    if task and task.type is TaskType.CROSS_VALIDATE:
        keys.append("act_validate")
    if task and task.image_ids:
        keys.append("act_images")
    return "\n".join(say(key, lang) for key in keys)
