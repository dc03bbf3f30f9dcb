"""The prompt of a round: what the executor is told of the task and the memory, chosen to fit the prompt budget.

prompt_layout.py says how it is written; what the round brings back is taken in by stages/intercepting.py.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from memorybank.engines.llm.shortening import condensed, shortened
from memorybank.memory.events import PromptEnhanced, PromptPart
from memorybank.memory.state import MemoryState
from memorybank.memory.types import Hit, Lang, NodeId, Task
from memorybank.prompts import say
from memorybank.prompts.excerpts import Excerpt, excerpt
from memorybank.retrieval.recall import Recalled
from memorybank.session.checks import marked_summary
from memorybank.session.prompt_layout import (
    completed_texts,
    conflicts_text,
    current_text,
    failed_text,
    frame_text,
    goal_text,
    images_text,
    layout,
    memory_text,
    quotable,
    states_text,
    whole_memory,
)

COMPLETED_SHARE = 8
"""Completed tasks take at most this part of the budget: the newest whole, then a line each, the oldest a count."""
MEMORY_SHARE = 6
"""The summaries of what was recalled take together at most this part of a budget that does not hold all of them."""
SHORT_MEMORY = 120
"""The tokens of a summary that is whole in any case, and the least of a longer one that is worth showing."""
SMALL_ROOM = 5 * SHORT_MEMORY
"""The tokens for these summaries in a small budget, where half of what is left has them."""
WEAK = 0.5
"""The share of the best hit's score under which a hit is weak."""
TRIES = 4
"""The most attempts to put a prompt together that comes under its budget."""


def search_text(task: Task) -> str:
    """Return the text with which memory is searched for a task."""
    return task.query or task.description


@dataclass(slots=True)
class _Budget:
    """The tokens that are left, and the parts that took the others."""

    whole: int
    left: int
    count: Callable[[str], int]
    lang: Lang
    parts: list[PromptPart] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)
    """The text of each part."""
    left_out: list[str] = field(default_factory=list)

    def take(self, name: str, text: str, node_id: NodeId | None = None, *, always: bool = False) -> bool:
        """Adds a part when it fits or must be there; answers whether it was added."""
        size = self.count(text)
        if size > self.left and not always:
            self.left_out.append(node_id or name)
            return False
        self.left -= size
        self.parts.append(PromptPart(name=name, tokens=size, node_id=node_id))
        self.texts.append(text)
        return True

    def shorten(self, text: str, tokens: int) -> str:
        """Return the whole sentences of a text that fit so many tokens, with a mark that tells how much is missing."""
        body, left_out = shortened(text, tokens, self.count)
        mark = say("shortened", self.lang, tokens=self.count(text) - self.count(body))
        return f"{body} {mark}" if left_out else text


def enhance_prompt(
    state: MemoryState,
    recalled: Recalled,
    query: str,
    query_vector: bytes,
    *,
    lang: Lang,
    budget: int,
    count_tokens: Callable[[str], int],
) -> PromptEnhanced:
    """Return the prompt of the next executor round, with each part's token share and what did not fit.

    What stands between the parts (heads, tags, blank lines) is known only when they are put together; where it takes
    the prompt over the budget, it is put together again with that much less for the parts.
    """
    search = _Query(text=query, vector=query_vector, recalled=recalled)
    reserve = 0
    for _ in range(TRIES):
        parts_budget = _Budget(whole=budget, left=budget - reserve, count=count_tokens, lang=lang)
        enhanced = _put_together(state, search, parts_budget, lang)
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


def _put_together(state: MemoryState, query: _Query, budget: _Budget, lang: Lang) -> PromptEnhanced:
    """Put the prompt together: first what it must hold, then completed tasks and memories, as the budget allows."""
    budget.take("goal", goal_text(state, lang, lambda text: budget.shorten(text, budget.left // 3)), always=True)
    for name, write in (("failed", failed_text), ("conflicts", conflicts_text), ("images", images_text)):
        if text := write(state, lang):
            budget.take(name, text, always=True)
    budget.take("current", current_text(state, lang, lambda text: budget.shorten(text, budget.left // 2)), always=True)
    budget.take("frame", frame_text(state, lang), always=True)
    told = bool(whole_memory(state, budget.left // 2, budget.count, lang))
    completed = condensed(
        completed_texts(state, lang, told=told), budget.whole // COMPLETED_SHARE, budget.count, grow=True
    )
    for text in reversed(completed.lines):
        if not budget.take("completed", text):
            break
    _take_memories(state, query, budget, lang)
    pieces: list[str] = []
    length = 0
    for segment in layout(state, budget.parts, budget.texts, budget.left_out, lang):
        end = length + len(segment.text)
        if segment.part is not None:
            budget.parts[segment.part] = replace(budget.parts[segment.part], start=length, end=end)
        pieces.append(segment.text)
        length = end
    return PromptEnhanced(
        prompt="".join(pieces),
        query=query.text,
        query_vector=query.vector,
        hits=query.recalled.hits,
        below=query.recalled.below,
        parts=tuple(budget.parts),
        left_out=tuple(budget.left_out),
    )


def _take_memories(state: MemoryState, query: _Query, budget: _Budget, lang: Lang) -> None:
    """Take all memories where they fit whole; else by score as the budget allows, those under verification always.

    What is recalled is whole where that fits. Else of a long one stands what bears on the task, or on the dispute that
    is verified; so, too, in a round that only looks something up, which asks less of memory than an answer does.
    """
    task = state.doc.current_task
    looks_up = task is not None and not task.final and not task.conflict_ids
    verified = [state.conflicts.all[conflict_id] for conflict_id in (task.conflict_ids if task else ())]
    disputed = [
        claim.text for conflict in verified for pair in conflict.contradictions for claim in (pair.left, pair.right)
    ]
    question = "\n".join((state.doc.task_goal, query.text, *(conflict.description for conflict in verified), *disputed))
    checked = [state.graph.successor(node_id) for conflict in verified for node_id in conflict.node_ids]
    hits = {hit.node_id: hit for hit in sorted(query.recalled.hits, key=lambda hit: (-hit.score, hit.rank))}
    nodes = state.graph.nodes
    everything = whole_memory(state, budget.left - budget.count(states_text(nodes, state, lang)), budget.count, lang)
    known = everything or [node_id for node_id in dict.fromkeys((*checked, *hits)) if node_id in nodes]
    if states := states_text(known, state, lang):
        budget.take("states", states, always=True)
    roomy = verified and whole_memory(state, budget.left // 2, budget.count, lang)
    texts = {each: quotable(each, state, lang) if roomy else marked_summary(nodes[each], lang) for each in known}
    sizes = {node_id: budget.count(text) for node_id, text in texts.items()}
    recalled = [hit for hit in hits.values() if hit.node_id in sizes]
    rooms = sizes
    whole = (memory_text(node_id, Excerpt(text, 0), state, lang) for node_id, text in texts.items())
    if not everything and (looks_up or sum(map(budget.count, whole)) > budget.left):
        half = budget.left // 2
        share = max(budget.whole // MEMORY_SHARE, min(SMALL_ROOM, half))
        most, share = (share // 2, share // 2) if looks_up else (half, share)
        rooms = _rooms(recalled, sizes, most, share)
        rooms |= dict.fromkeys(checked, max(SHORT_MEMORY, budget.left // (2 * len(checked) or 1)))
    for node_id in sizes:
        if sizes[node_id] and not rooms[node_id] and hits[node_id].via:  # a weak neighbour
            budget.left_out.append(node_id)
            continue
        text = memory_text(node_id, excerpt(texts[node_id], question, rooms[node_id], budget.count), state, lang)
        budget.take("memory", text, node_id, always=node_id in checked)


def _rooms(hits: Sequence[Hit], sizes: Mapping[NodeId, int], most: int, share: int) -> dict[NodeId, int]:
    """Share out tokens for hits' summaries: strong ones are whole where `most` holds them, else they share less, best
    first. Weak ones, and those for which no room is left, stand by their topic alone."""
    rooms = {hit.node_id: size if (size := sizes[hit.node_id]) <= SHORT_MEMORY else 0 for hit in hits}
    strong = [hit.node_id for hit in hits if hit.score >= WEAK * hits[0].score]
    if sum(sizes[node_id] for node_id in strong) <= most:
        return rooms | {node_id: sizes[node_id] for node_id in strong}
    for place, node_id in enumerate(strong):
        part = max(SHORT_MEMORY, share // (len(strong) - place))
        rooms[node_id] = rooms[node_id] or (min(sizes[node_id], part) if part <= share else 0)
        share -= rooms[node_id]
    return rooms
