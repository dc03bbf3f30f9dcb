"""The feed tells a run one line an event: from records to lines, without a page. Quiet bookkeeping makes no line.

`Feed` remembers the names that later events only point at (topics, conflicts, images); `say` puts a line in words. Each
line knows where it leads. Conflicts on one matter that a stage found, tried or closed are one line (`by_dispute`).
"""

from __future__ import annotations

import functools
import threading
from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, Literal

from memorybank.contradiction.disputes.dispute import Dispute, describe
from memorybank.memory import events
from memorybank.memory.events import ConflictAttempted, ConflictClosed, ConflictFound
from memorybank.memory.types import ConflictId, ConflictStatus, EntryId, ImageId, Lang, MergeEventId, NodeId
from memorybank.runs.journal import Record
from memorybank.runs.stages import StageReader
from memorybank.views.calls.call_view import arguments_line
from memorybank.views.i18n import catalogue, t
from memorybank.views.text.display import clip, format_bytes, format_duration, task_words

Target = tuple[Literal["node", "entry", "conflict", "merge", "call", "prompt"], str]
"""The kind and id of what a line leads to (ui/shell/links.py)."""


def targets_of(
    record: Record[Any], node: NodeId | None, *, last: int | None = None, entry: EntryId | None = None
) -> tuple[Target, ...]:
    """Return the targets of a line, what it is mostly about first.

    `last`: the last call of the round. `entry`: raw text that the node stands on.
    """
    event = record.event
    targets: list[Target] = [("node", node)] if node else []
    match event:
        case events.AgentCalled() | events.ToolUsed():
            targets.append(("call", str(record.seq)))
        case events.PromptEnhanced():
            targets.append(("prompt", str(record.seq)))
        case events.ConflictFound() | events.ConflictAttempted() | events.ConflictClosed():
            targets.insert(0, ("conflict", event.conflict_id))
        case events.ConflictToldApart() | events.ConflictRestored():
            targets.insert(0, ("conflict", event.conflict_ids[0]))
        case events.NodesMerged() | events.MergeUndone() | events.MergeRestored():
            targets.insert(0, ("merge", event.event_id))
        case events.EntryRecorded():
            targets.append(("entry", event.entry.id))
        case events.AnswerGiven():
            targets.append(("entry", event.entry_id))
        case events.NodeCreated() if event.spans:
            targets.append(("entry", event.spans[0].entry_id))
    if entry is not None and not any(kind == "entry" for kind, _ in targets):
        targets.append(("entry", entry))
    if last is not None and isinstance(event, _OF_LAST):
        targets.append(("call", str(last)))
    return tuple(targets)


_OF_LAST = (
    events.ConflictClosed,
    events.ConflictAttempted,
    events.AnswerGiven,
    events.TaskCompleted,
    events.TaskFailed,
    events.EntryRecorded,
)
"""The facts that come of the round's last call."""


Tone = Literal["quiet", "plain", "task", "new", "conflict", "verdict", "merge", "failure", "answer"]
"""How much a line matters and what it is about; the page colours it."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class FeedItem:
    """An event worth a line, with the names it needs. Compared by identity: `Feed` makes each once."""

    record: Record[Any]
    tone: Tone
    stage: str
    round: int
    names: tuple[str, ...] = ()
    node: NodeId | None = None
    """The node that the line is about."""
    targets: tuple[Target, ...] = ()
    """The targets of the line, what it is mostly about first."""
    dispute: Dispute | None = None
    """The dispute of the line's conflicts, once the stage has ended; one line stands for all of them."""
    is_more: bool = False
    """The dispute was known before that stage."""

    @property
    def seq(self) -> int:
        return self.record.seq


WIDTH = 110
"""The most columns of what a line quotes."""
DISPUTE_WIDTH = 320
"""The most columns of a dispute: all its values should stand there, each with its sources."""


_BEGINNINGS = ("receive", "classify", "enhance")
"""The stages with which something new begins: what comes of a call is written before the next of them."""


class Feed:
    """The lines of a run while it grows. They are made when they are asked for, which few pages do; tabs share them."""

    def __init__(self) -> None:
        self._turn = threading.Lock()
        self._waiting: list[Record[Any]] = []
        self._items: list[FeedItem] = []
        self._topics: dict[NodeId, str] = {}
        self._conflicts: dict[ConflictId, tuple[str, NodeId]] = {}
        self._merges: dict[MergeEventId, str] = {}
        self._images: dict[ImageId, str] = {}
        self._reader = StageReader()
        self._last_call: int | None = None
        """The last call of an agent or a tool in this round: a verdict, an answer, a finished task come of it."""
        self._entries: dict[NodeId, EntryId] = {}
        """The first raw entry that a node stands on."""

    def until(self, k: int) -> list[FeedItem]:
        """Return the lines of the first `k` events, oldest first, one for each."""
        with self._turn:
            for record in self._waiting:
                self._read(record)
            self._waiting.clear()
        return self._items[: bisect_right(self._items, k, key=lambda item: item.seq)]

    def take(self, record: Record[Any]) -> None:
        """Take one more event."""
        self._waiting.append(record)

    def _read(self, record: Record[Any]) -> None:
        border = self._reader.take(record)
        if border is not None and border.side == "begin" and border.stage in _BEGINNINGS:
            self._last_call = None
        self._remember(record.event)
        item = self._line(record)
        if item is not None:
            self._items.append(item)
        if isinstance(record.event, events.AgentCalled | events.ToolUsed):
            self._last_call = record.seq

    def _line(self, record: Record[Any]) -> FeedItem | None:
        about = self._about(record.event)
        if about is None:
            return None
        tone, names, node = about
        entry = self._entries.get(node) if node else None
        return FeedItem(
            record=record,
            tone=tone,
            stage=self._reader.stage,
            round=self._reader.round,
            names=names,
            node=node,
            targets=targets_of(record, node, last=self._last_call, entry=entry),
        )

    def _remember(self, event: Any) -> None:
        match event:
            case events.NodeCreated() | events.NodeDescribed():
                self._topics[event.node_id] = event.context
                if isinstance(event, events.NodeCreated) and event.spans:
                    self._entries[event.node_id] = event.spans[0].entry_id
            case events.NodesMerged():
                self._topics[event.new_node_id] = event.context
                for source in reversed(event.merged_node_ids):  # the first that has one is written last, and stays
                    if source in self._entries:
                        self._entries[event.new_node_id] = self._entries[source]
                self._merges[event.event_id] = event.context
            case events.ConflictFound():
                self._conflicts[event.conflict_id] = (event.description, event.node_ids[1])
            case events.ImageStaged():
                self._images[event.image.id] = event.image.name
            case events.MemoryImported():
                self._topics.update({node.node_id: node.context for node in event.nodes})
                self._conflicts.update(
                    {conflict.id: (conflict.description, conflict.node_ids[1]) for conflict in event.conflicts}
                )

    def _about(self, event: Any) -> tuple[Tone, tuple[str, ...], NodeId | None] | None:
        """Return tone, names and node of an event's line; None where it has none."""
        match event:
            case events.ConflictFound():
                return "conflict", (), event.node_ids[1]
            case events.ConflictClosed() | events.ConflictAttempted():
                description, node = self._conflicts[event.conflict_id]
                return "verdict" if isinstance(event, events.ConflictClosed) else "conflict", (description,), node
            case events.NodesMerged():
                return "merge", (), event.new_node_id
            case events.MergeUndone():
                return "merge", (self._merges.get(event.event_id, ""),), (*event.split, *event.restored)[0]
            case events.MergeRestored():
                return "merge", (self._merges.get(event.event_id, ""),), event.new_node_id
            case events.ConflictToldApart() | events.ConflictRestored():
                description, node = self._conflicts[event.conflict_ids[0]]
                return "verdict", (description,), node
            case events.NodeCreated() | events.NodeDescribed():
                return ("new" if isinstance(event, events.NodeCreated) else "plain"), (), event.node_id
            case events.NodesLinked():
                names = tuple(self._topics.get(node_id, node_id) for node_id in (event.left, event.right))
                return "quiet", names, event.right
            case events.ImageRecognised() | events.ImageAttempted():
                return "plain", (self._images.get(event.image_id, event.image_id),), None
            case events.AgentCalled() | events.ToolUsed():
                return ("failure" if event.outcome == "failed" else "quiet"), (), None
            case _:
                tone = _TONES.get(type(event))
                return (tone, (), None) if tone else None


_TONES: dict[type, Tone] = {
    events.SessionStarted: "quiet",
    events.SessionForked: "quiet",
    events.SessionResumed: "quiet",
    events.SettingsChanged: "quiet",
    events.MemoryImported: "plain",
    events.TaskReceived: "task",
    events.ImageStaged: "plain",
    events.AttachmentStored: "quiet",
    events.EntryRecorded: "quiet",
    events.ClustersFound: "quiet",
    events.PlanUpdated: "task",
    events.TaskCompleted: "plain",
    events.TaskFailed: "failure",
    events.PromptEnhanced: "quiet",
    events.AnswerGiven: "answer",
    events.SessionFinished: "answer",
}


@functools.lru_cache(maxsize=8192)
def say(item: FeedItem, lang: Lang) -> str:
    """Return the line in words, plain text. What it quotes is cut to a line."""

    def line(key: str, **values: object) -> str:
        width = WIDTH if item.dispute is None else DISPUTE_WIDTH
        cut = {name: clip(value, width) if isinstance(value, str) else value for name, value in values.items()}
        return t(f"feed.{key}", lang, **cut)

    match item.record.event:
        case events.SessionStarted() as event:
            engine = f"feed.engine.{event.engine}"
            name = t(engine, lang) if engine in catalogue(lang) else event.engine
            return line("session_started", engine=name, model=event.embedding_model)
        case events.SessionForked() as event:
            return line("session_forked", seq=event.parent_seq)
        case events.SessionResumed() as event:
            return line("session_resumed_with" if event.memo else "session_resumed", count=event.memo)
        case events.SettingsChanged() as event:
            return line("settings_changed", k=event.k, alpha=event.alpha, share=event.neighbor_share)
        case events.MemoryImported() as event:
            return line("memory_imported", count=len(event.nodes))
        case events.SessionFinished() as event:
            return line("session_finished", result=t(f"run.result.{event.result}", lang))
        case events.TaskReceived() as event:
            return line("task_received", goal=event.goal)
        case events.EntryRecorded() as event:
            return line("entry_recorded", source=event.entry.source, count=len(event.entry.text))
        case events.AttachmentStored() as event:
            size = format_bytes(event.attachment.size, lang)
            return line("attachment_stored", name=event.attachment.name, size=size)
        case events.ImageStaged() as event:
            image = event.image
            met = "image_met" if image.found_in else "image_staged"
            return line(met, name=image.name, width=image.width, height=image.height, source=image.found_in)
        case events.ImageRecognised() as event:
            return line("image_recognised" if event.readable else "image_unreadable", name=item.names[0])
        case events.ImageAttempted():
            return line("image_attempted", name=item.names[0])
        case events.ClustersFound() as event:
            return line("clusters_found", count=len(event.clusters))
        case events.AgentCalled() as event:
            role = role_words(event.role, lang)
            if event.outcome == "failed":
                return line("agent_failed", role=role, engine=event.engine, error=event.error)
            duration = format_duration(event.ms / 1000, lang)
            engine = t("feed.engine.offline", lang) if event.engine == "offline" else event.engine
            return line("agent_called", role=role, engine=event.model or engine, duration=duration)
        case events.ToolUsed() as event:
            return line(
                "tool_used" if event.outcome == "ok" else "tool_failed",
                tool=event.tool,
                arguments=arguments_line(event.arguments),
            )
        case event:
            return _say_of_memory(item, event, line, lang)


def _say_of_memory(item: FeedItem, event: Any, line: Any, lang: Lang) -> str:
    sentence: str
    match event:
        case events.NodeCreated():
            sentence = line("node_created", topic=event.context)
        case events.NodeDescribed():
            sentence = line("node_described", topic=event.context)
        case events.NodesLinked():
            sentence = line("nodes_linked", left=item.names[0], right=item.names[1])
        case events.ConflictFound():
            key = "conflict_more" if item.is_more else "conflict_found"
            sentence = line(key, description=_matter(item, event.description, lang))
        case events.ConflictAttempted():
            sentence = line("conflict_attempted", description=_matter(item, item.names[0], lang))
        case events.ConflictClosed():
            status = t(f"conflict.status.{item.dispute.status if item.dispute else event.status}", lang)
            sentence = line("conflict_closed", status=status, description=_matter(item, item.names[0], lang))
        case events.NodesMerged():
            sentence = line("nodes_merged", count=len(event.merged_node_ids), topic=event.context)
        case events.MergeUndone():
            sentence = line("merge_split" if event.split else "merge_undone", topic=item.names[0])
        case events.MergeRestored():
            sentence = line("merge_restored", topic=item.names[0])
        case events.ConflictToldApart() | events.ConflictRestored():
            key = "told_apart" if isinstance(event, events.ConflictToldApart) else "told_apart_back"
            sentence = line(key, description=_matter(item, item.names[0], lang))
        case events.PlanUpdated():
            task = event.next_task
            sentence = line("plan_updated", task=task_words(task, lang)) if task else line("plan_ended")
        case events.TaskCompleted():
            sentence = line("task_completed", task=task_words(event.task, lang))
        case events.TaskFailed():
            sentence = line("task_failed", task=task_words(event.task, lang))
        case events.PromptEnhanced():
            memories = sum(part.node_id is not None for part in event.parts)
            tokens = f"{sum(part.tokens for part in event.parts):,}"
            sentence = line("prompt_enhanced", count=memories, tokens=tokens)
        case events.AnswerGiven():
            sentence = line("answer_given")
        case _:
            raise TypeError(f"no words for {type(event).__name__}, yet it has a tone")
    return sentence


def _matter(item: FeedItem, description: str, lang: Lang) -> str:
    return describe(item.dispute, lang) if item.dispute is not None else description


def role_words(role: str, lang: Lang) -> str:
    """Return an agent's role in words. Tools ask models too, and executors of other frameworks: theirs is a name."""
    known = catalogue(lang)
    key = next((key for key in (f"role.{role}", f"prompt.role.{role}") if key in known), "")
    return t(key, lang) if key else clip(role, 40)


# -- conflicts on one matter -------------------------------------------------------------------------------------------


MOST_DISPUTES: Final = 3
"""The most lines of one conflict; one on more matters has a single line, in its own words."""

_KINDS: Final = (ConflictFound, ConflictAttempted, ConflictClosed)


def by_dispute(items: Sequence[FeedItem], disputes: Sequence[Dispute], borders: Sequence[int]) -> list[FeedItem]:
    """Return the lines of a run, in their order, where the first on a dispute stands for all of its stage.

    `borders` are the numbers of the events with which stages ended; nothing is known yet of what was found after them.
    """
    known: dict[ConflictId, list[Dispute]] = {}
    for dispute in disputes:
        for conflict_id in dispute.conflict_ids:
            known.setdefault(conflict_id, []).append(dispute)
    lines: list[FeedItem] = []
    shown: set[tuple[int, type, str]] = set()
    found_in: dict[ConflictId, int] = {}
    for item in items:
        event = item.record.event
        own = _disputes_on(event, known) if isinstance(event, _KINDS) else []
        stage = bisect_left(borders, item.seq) if own else 0
        if own and isinstance(event, ConflictFound):
            found_in[event.conflict_id] = stage
        if not own:
            lines.append(item)
        for dispute in own:
            if (stage, type(event), dispute.id) not in shown:
                shown.add((stage, type(event), dispute.id))
                is_more = isinstance(event, ConflictFound) and found_in.get(dispute.conflict_ids[0], -1) < stage
                lines.append(replace(item, dispute=dispute, is_more=is_more))
    return lines


def _disputes_on(event: Any, known: Mapping[ConflictId, list[Dispute]]) -> list[Dispute]:
    """Return the disputes of a conflict's line. One that is closed while its dispute is not keeps its own line."""
    disputes = known.get(event.conflict_id, [])
    if len(disputes) > MOST_DISPUTES:
        return []
    is_closed = isinstance(event, ConflictClosed)
    return [each for each in disputes if not (is_closed and each.status is ConflictStatus.OPEN)]
