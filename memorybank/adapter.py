"""Adapter: what the outside agent framework is told before a round, and what of its round is taken in afterwards.

`enhance_prompt` builds `<task>` + `<memory>` (final specification, section 6.3) within the prompt budget; `route` tells
by the task's type where the intercepted context goes. Every text from memory is neutralised (markup.py), each memory
carries its node id, or `deep_retrieval` could never be called, and its state when it is in conflict.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from memorybank.bank import MemoryBank
from memorybank.events import PromptEnhanced, PromptPart
from memorybank.prompts import say
from memorybank.retrieval.recall import Recalled
from memorybank.tags import block, neutralise
from memorybank.text import sentences
from memorybank.types import (
    CompletedTask,
    Conflict,
    ConflictStatus,
    Hit,
    Lang,
    Node,
    NodeId,
    Task,
    TaskStatus,
    TaskType,
)

TRIES = 4
"""How often a prompt is put together at most, to come under its budget."""
RECENT_TASKS = 5
"""Completed tasks shown whole; older ones shrink to a line, then to a count."""


def search_text(task: Task) -> str:
    """What memory is searched with for a task."""
    return task.query or task.description


@dataclass(slots=True)
class _Budget:
    """Tokens left, and the parts that took them."""

    left: int
    count: Callable[[str], int]
    lang: Lang
    parts: list[PromptPart]
    left_out: list[str]

    def take(self, name: str, text: str, node_id: NodeId | None = None, *, always: bool = False) -> str | None:
        """The text when it fits (or must be there), else None."""
        size = self.count(text)
        if size > self.left and not always:
            self.left_out.append(node_id or name)
            return None
        self.left -= size
        self.parts.append(PromptPart(name=name, tokens=size, node_id=node_id))
        return text

    def shorten(self, text: str, tokens: int) -> str:
        """Whole sentences of a text up to a number of tokens, with a mark that says how much is missing."""
        size = self.count(text)
        if size <= tokens:
            return text
        kept, used = [], 0
        for start, end in sentences(text):
            used += self.count(text[start:end])
            if used > tokens:
                break
            kept.append(text[start:end])
        body = "".join(kept) or text[: tokens * 2]
        return f"{body.rstrip()} {say('shortened', self.lang, tokens=size - min(used, size))}"


def enhance_prompt(
    state: MemoryBank,
    recalled: Recalled,
    query: str,
    query_vector: bytes,
    *,
    lang: Lang,
    budget: int,
    count_tokens: Callable[[str], int],
) -> PromptEnhanced:
    """The prompt of the next executor round, with each part's token share and what did not fit.

    What stands between the parts (heads, tags, blank lines) is known only when they are put together; where it takes
    the prompt over the budget, it is put together again with that much less for the parts.
    """
    asked = _Query(text=query, vector=query_vector, recalled=recalled)
    reserve = 0
    for _ in range(TRIES):
        purse = _Budget(left=budget - reserve, count=count_tokens, lang=lang, parts=[], left_out=[])
        enhanced = _put_together(state, asked, purse, lang)
        size = count_tokens(enhanced.prompt)
        if size <= budget or not any(part.name in ("memory", "completed") for part in enhanced.parts):
            break
        between = size - sum(part.tokens for part in enhanced.parts)
        reserve = max(reserve + size - budget, between)
    return enhanced


@dataclass(frozen=True, slots=True, kw_only=True)
class _Query:
    text: str
    vector: bytes
    recalled: Recalled


def _put_together(state: MemoryBank, query: _Query, purse: _Budget, lang: Lang) -> PromptEnhanced:
    task_lines = _task_lines(state, purse, lang)
    act = purse.take("frame", _instructions(state.doc.current_task, lang), always=True) or ""
    completed = _completed_lines(state.doc.completed_tasks, purse, lang)
    memories = _memory_lines(state, query.recalled.hits, purse, lang)
    body = "\n".join([task_lines[0], *completed, *task_lines[1:]])
    prompt = "\n\n".join((block("task", body, trusted=True), block("memory", memories, trusted=True), act))
    return PromptEnhanced(
        prompt=prompt,
        query=query.text,
        query_vector=query.vector,
        hits=query.recalled.hits,
        below=query.recalled.below,
        parts=tuple(purse.parts),
        left_out=tuple(purse.left_out),
    )


def _instructions(task: Task | None, lang: Lang) -> str:
    lines = [say("act", lang)]
    if task and task.type is TaskType.CROSS_VALIDATE:
        lines.append(say("act_validate", lang))
    if task and task.image_ids:
        lines.append(say("act_images", lang))
    return "\n".join(lines)


def _task_lines(state: MemoryBank, purse: _Budget, lang: Lang) -> list[str]:
    """Goal first, then what must always be said: failures, open conflicts, images, the current task."""
    doc = state.doc
    goal = say("goal", lang, goal=neutralise(purse.shorten(doc.task_goal, purse.left // 3)))
    lines = [purse.take("goal", goal, always=True) or ""]
    failed = [task for task in doc.completed_tasks if task.status is TaskStatus.FAILED]
    if failed:
        text = "\n".join([say("failed", lang), *(_one_task(n, task, lang) for n, task in enumerate(failed, start=1))])
        lines.append(purse.take("failed", text, always=True) or "")
    for name, text in (("conflicts", _conflict_lines(state, lang)), ("images", _image_lines(state, lang))):
        if text:
            lines.append(purse.take(name, text, always=True) or "")
    task = doc.current_task
    current = (
        say(
            "current_one",
            lang,
            type=task.type,
            description=neutralise(purse.shorten(task.description, purse.left // 2)),
        )
        if task
        else say("no_current", lang)
    )
    lines.append(purse.take("current", f"{say('current', lang)}\n{current}", always=True) or "")
    return lines


def _one_task(number: int, task: CompletedTask, lang: Lang) -> str:
    status = say(f"status_{task.status.value}", lang)
    head = say(
        "completed_one",
        lang,
        number=number,
        type=task.type,
        description=neutralise(task.description),
        status=status,
    )
    return f"{head}\n{say('completed_context', lang, context=neutralise(task.context))}" if task.context else head


def _completed_lines(tasks: Iterable[CompletedTask], purse: _Budget, lang: Lang) -> list[str]:
    """Newest whole, older in one line each, then a count; as many as the budget holds, shown oldest first."""
    done = [task for task in tasks if task.status is TaskStatus.SUCCESS]
    lines: list[str] = []
    shown = 0
    for age, (number, task) in enumerate(reversed(list(enumerate(done, start=1)))):
        text = _one_task(number, task, lang)
        line = purse.take("completed", text if age < RECENT_TASKS else text.split("\n")[0])
        if line is None:
            break
        lines.insert(0, line)
        shown += 1
    if shown < len(done):
        lines.insert(0, say("completed_older", lang, count=len(done) - shown))
    return [say("completed", lang), *lines] if lines else []


def _conflict_lines(state: MemoryBank, lang: Lang) -> str:
    conflicts = state.conflicts.open()
    if not conflicts:
        return ""
    lines = [
        say(
            "open_conflict",
            lang,
            id=conflict.id,
            left=state.graph.successor(conflict.node_ids[0]),
            right=state.graph.successor(conflict.node_ids[1]),
            description=neutralise(conflict.description),
        )
        for conflict in conflicts
    ]
    return "\n".join([say("open_conflicts", lang), *lines])


def _image_lines(state: MemoryBank, lang: Lang) -> str:
    if not state.tree.staged:
        return ""
    names = ", ".join(f"{image.id} ({neutralise(image.name)})" for image in state.tree.staged.values())
    return say("staged", lang, images=names)


# -- memory -----------------------------------------------------------------------------------------------------------


def _memory_lines(state: MemoryBank, hits: Iterable[Hit], purse: _Budget, lang: Lang) -> str:
    """Memories by score until the budget is full, then shown newest first; those under verification always."""
    chosen = _choose(state, hits, purse, lang)
    if not chosen:
        return say("no_memory", lang)
    ordered = sorted(chosen, key=lambda node_id: -state.graph.nodes[node_id].seq)
    lines = [
        f"{say('memory_head', lang, number=number, id=node_id)}\n{chosen[node_id]}"
        for number, node_id in enumerate(ordered, start=1)
    ]
    missing = sum(1 for name in purse.left_out if name in state.graph.nodes)
    if missing:
        lines.append(say("left_out", lang, count=missing))
    return "\n\n".join(lines)


def _choose(state: MemoryBank, hits: Iterable[Hit], purse: _Budget, lang: Lang) -> Mapping[NodeId, str]:
    task = state.doc.current_task
    checked = [
        state.graph.successor(node_id)
        for conflict_id in (task.conflict_ids if task else ())
        for node_id in state.conflicts.all[conflict_id].node_ids
    ]
    by_score = [hit.node_id for hit in sorted(hits, key=lambda hit: (-hit.score, hit.rank))]
    disputed = state.disputed()
    chosen: dict[NodeId, str] = {}
    for node_id in dict.fromkeys((*checked, *by_score)):
        node = state.graph.nodes.get(node_id)
        if node is None:
            continue
        text = _memory(node, disputed.get(node_id), state, lang)
        if node_id in checked:
            text = purse.shorten(text, max(200, purse.left // 2))
        line = purse.take("memory", text, node_id, always=node_id in checked)
        if line is not None:
            chosen[node_id] = line
    return chosen


def _memory(node: Node, conflict: Conflict | None, state: MemoryBank, lang: Lang) -> str:
    lines = [
        say("memory_topic", lang, context=neutralise(node.context)),
        say("memory_keywords", lang, keywords=neutralise(", ".join(node.keywords))),
        say("memory_summary", lang, summary=neutralise(node.summary)),
    ]
    if conflict is not None:
        key = "memory_open" if conflict.status is ConflictStatus.OPEN else "memory_disputed"
        others = [state.graph.successor(node_id) for node_id in conflict.node_ids]
        other = next((one for one in others if one != node.id), others[0])
        description = neutralise(conflict.description)
        lines.append(say(key, lang, id=conflict.id, other=other, description=description))
    return "\n".join(lines)
