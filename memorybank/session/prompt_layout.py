"""The layout of an enhanced prompt: its parts in order, and what stands between them.

`<memory>` + `<task>` (final specification, section 6.3). The adapter writes prompts by it. What changes least comes
first, so that a provider need not read it again: memories in the order of their creation, then completed tasks, which
only grow, then how disputes stand, which changes. Where not all memories are shown, which ones are changes with each
task, and completed tasks stand before them. Every text from memory is neutralised (markup.py); each memory carries its
node id, or `deep_retrieval` could never be called, and its documents.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from textwrap import indent
from typing import Final

from memorybank.contradiction.disputes.dispute import Dispute, describe
from memorybank.contradiction.disputes.gathering import disputes_of
from memorybank.engines.tasks import described, status_of
from memorybank.language.text import fold_space
from memorybank.llm.tokens import estimate
from memorybank.memory.events import PromptPart
from memorybank.memory.state import MemoryState
from memorybank.memory.types import CompletedTask, Conflict, ConflictStatus, Lang, NodeId, Task, TaskStatus, TaskType
from memorybank.prompts import say
from memorybank.prompts.excerpts import Excerpt
from memorybank.prompts.tags import block, neutralise
from memorybank.session.checks import check_lines, marked_summary, marked_topic, marks_of
from memorybank.session.matters import matters_of
from memorybank.session.waiting_images import cited_name
from memorybank.tools.reading import SHORT_RESULT_TOKENS

NAMES = ("memory", "goal", "completed", "failed", "states", "conflicts", "images", "current", "tools", "frame")
"""Parts in the order in which they stand in a prompt."""
MOST_SOURCES = 8
"""The most documents of one memory that are named; the others are counted."""

Shorten = Callable[[str], str]


@dataclass(frozen=True, slots=True)
class Segment:
    """A stretch of the prompt's text."""

    text: str
    part: int | None = None
    """The place of the part that it is; None for text between two parts."""


def layout(
    state: MemoryState, parts: Sequence[PromptPart], texts: Sequence[str], left_out: Sequence[str], lang: Lang
) -> Iterator[Segment]:
    """Yields all of a prompt with these parts, from its first character to its last.

    `parts` as the budget took them: of one name, completed tasks newest first, memories in any order; `texts[i]` is the
    text of `parts[i]`.
    """
    places: dict[str, list[int]] = {}
    for place, part in enumerate(parts):
        places.setdefault(part.name, []).append(place)

    def shown(name: str) -> Iterator[Segment]:
        return (Segment(texts[place], place) for place in places.get(name, ()))

    task_head, task_end = block("task", "\0", trusted=True).split("\0")
    memory_head, memory_end = block("memory", "\0", trusted=True).split("\0")
    yield Segment(memory_head)
    memories = {parts[place].node_id: Segment(texts[place], place) for place in places.get("memory", ())}
    completed = list(_completed(state, list(shown("completed")), lang))
    first = completed and len(memories) < len(state.graph.nodes)
    if first:
        yield from (*completed, Segment("\n\n"))
    yield from _memories(state, memories, left_out, lang)
    yield Segment(f"{memory_end}\n\n{task_head}")
    yield from shown("goal")
    if completed and not first:
        yield from (Segment("\n"), *completed)
    for name in ("failed", "states", "conflicts", "images", "current"):
        for segment in shown(name):
            yield Segment("\n")
            yield segment
    yield Segment(f"{task_end}\n\n")
    yield from shown("frame")


def goal_text(state: MemoryState, lang: Lang, shorten: Shorten) -> str:
    return say("goal", lang, goal=neutralise(shorten(state.doc.task_goal)))


def current_text(state: MemoryState, lang: Lang, shorten: Shorten) -> str:
    task, current = state.doc.current_task, say("no_current", lang)
    if task is not None:
        matters = [each.id for each in matters_of(state, task.conflict_ids)]  # they stand among the open conflicts
        ids = say("sources_between", lang).join(matters)
        description = say("current_validation", lang, ids=ids) if ids else task.description
        current = say("current_one", lang, type=task.type, description=neutralise(shorten(description)))
    return f"{say('current', lang)}\n{current}"


def failed_text(state: MemoryState, lang: Lang) -> str:
    """Return the text on failed tasks; empty when nothing has failed."""
    failed = [task for task in state.doc.completed_tasks if task.status is TaskStatus.FAILED]
    lines = [_task_text(number, task, lang) for number, task in enumerate(failed, start=1)]
    return "\n".join([say("failed", lang), *lines]) if lines else ""


def conflicts_text(state: MemoryState, lang: Lang) -> str:
    """Return the text on open conflicts; empty when none is open."""
    return "\n".join([say("open_conflicts", lang), *lines]) if (lines := list(matter_lines(state, lang))) else ""


def images_text(state: MemoryState, lang: Lang) -> str:
    """Return the text on waiting images; empty when none is waiting."""
    names = ", ".join(f"{image.id} ({neutralise(cited_name(image, lang))})" for image in state.tree.staged.values())
    return say("staged", lang, images=names) if names else ""


def completed_texts(state: MemoryState, lang: Lang, *, told: bool) -> list[tuple[str, str]]:
    """Return completed tasks, oldest first, each with what it taught and in one line. `told`: all of memory is shown,
    and says with its states what checks decided; why both sides of one hold stands here alone."""
    told = told and all(each.status is not ConflictStatus.FALSE_ALARM for each in state.conflicts.all.values())
    numbered = list(enumerate(_done(state), start=1))
    return [(_task_text(at, task, lang, told=told), _task_text(at, task, lang, whole=False)) for at, task in numbered]


def _completed(state: MemoryState, shown: Sequence[Segment], lang: Lang) -> Iterator[Segment]:
    """Lays out completed tasks, oldest first, below a count of those not shown; `shown` are newest first."""
    older = len(_done(state)) - len(shown)
    if shown or older:
        yield Segment(say("completed", lang))
    if older:
        yield Segment(f"\n{say('completed_older', lang, count=older)}")
    for segment in reversed(shown):
        yield Segment("\n")
        yield segment


def _done(state: MemoryState) -> list[CompletedTask]:
    return [task for task in state.doc.completed_tasks if task.status is TaskStatus.SUCCESS]


def _task_text(number: int, task: CompletedTask, lang: Lang, *, whole: bool = True, told: bool = False) -> str:
    context = task.context if whole else ""
    description, status = neutralise(described(task, context, lang)), status_of(task, lang)
    context = "" if told and task.type is TaskType.CROSS_VALIDATE else context
    head = say("completed_one", lang, number=number, type=task.type, description=description, status=status)
    return f"{head}\n{say('completed_context', lang, context=neutralise(context))}" if context else head


def frame_text(state: MemoryState, lang: Lang) -> str:
    """Return the instructions that follow everything that is known: those that bear on a task of its kind."""
    task = state.doc.current_task
    lines = [say(rule, lang) for rule in ("act", *(_rules(task, state) if task else ()))]
    if state.tree.staged and task and not task.image_ids:
        lines.append(say("act_waiting", lang, id=next(iter(state.tree.staged))))
    return "\n".join(lines)


def _rules(task: Task, state: MemoryState) -> Iterator[str]:
    if task.image_ids:
        yield "act_images"
        return
    if task.type is TaskType.CROSS_VALIDATE:
        yield "act_validate"
        yield "act_searched"
    elif state.graph.nodes:
        yield "act_memory"
        if not task.final:
            yield "act_search"
        if state.conflicts.all:
            yield "act_disputed"
    if not task.final:
        yield "act_beside"


def memory_text(node_id: NodeId, summary: Excerpt, state: MemoryState, lang: Lang) -> str:
    """Write a memory; without a summary its topic and documents stand alone. What a part leaves out is counted."""
    node = state.graph.nodes[node_id]
    keywords = say("sources_between", lang).join(node.keywords)
    sources = listed_sources(state.tree.sources_of(node_id), lang)
    cut = summary.left_out if summary.text else 0
    bare = _is_verbatim(node_id, node.summary if cut else summary.text, state)  # it has its keywords
    lines = {
        say("memory_topic", lang, context=neutralise(marked_topic(node, lang))): True,
        say("memory_keywords", lang, keywords=neutralise(keywords)): summary.text and not bare,
        say("memory_sources", lang, sources=sources): sources,
        say("memory_text" if bare else "memory_summary", lang, summary=neutralise(summary.text)): summary.text,
        say("memory_more", lang, count=cut, id=node_id): cut,
    }
    return "\n".join(line for line, is_told in lines.items() if is_told)


def _is_verbatim(node_id: NodeId, text: str, state: MemoryState) -> bool:
    """Tell a text that is remembered as it stands, and can be quoted from a prompt, from a summary in other words."""
    raw = _raw(node_id, state)
    return len(raw) <= 2 * len(text) and fold_space(text) in fold_space(raw)


def _raw(node_id: NodeId, state: MemoryState) -> str:
    return "\n".join(map(state.tree.text, state.tree.spans.get(node_id, ())))


def quotable(node_id: NodeId, state: MemoryState, lang: Lang) -> str:
    """Return what a check quotes of a memory: its one document's words, where these are short and bear no marks."""
    node, raw = state.graph.nodes[node_id], _raw(node_id, state).strip()
    short = 0 < estimate(raw) <= SHORT_RESULT_TOKENS and len(state.tree.sources_of(node_id)) == 1
    return raw if short and not marks_of(node) else marked_summary(node, lang)


def whole_memory(state: MemoryState, room: int, count_tokens: Callable[[str], int], lang: Lang) -> list[NodeId]:
    """Return all memories in the order of their creation, where they fit; none where they do not.

    They are shown to each agent in this order, so that what one prompt holds of them begins the next one, too.
    """
    nodes = sorted(state.graph.nodes.values(), key=lambda node: node.seq)
    for node in nodes:
        room -= count_tokens(memory_text(node.id, Excerpt(marked_summary(node, lang), 0), state, lang))
        if room < 0:
            return []
    return [node.id for node in nodes]


def states_text(node_ids: Iterable[NodeId], state: MemoryState, lang: Lang) -> str:
    """Say how the statements of these memories were checked, each check once; empty where none was.

    It changes with each check, so it stands behind the memories, which do not.
    """
    shown, in_doubt = list(node_ids), doubts(state)
    by_line = check_lines((state.graph.nodes[node_id] for node_id in shown), state.conflicts.all, lang)
    for node_id in shown:
        for line in state_lines(node_id, in_doubt.get(node_id, ()), state, lang):
            by_line.setdefault(line, []).append(node_id)
    between = say("sources_between", lang)
    states = [say("state_of", lang, ids=between.join(ids), lines=line) for line, ids in by_line.items()]
    return "\n".join([say("states", lang), *states]) if states else ""


def listed_sources(names: Sequence[str], lang: Lang) -> str:
    """Return the names one after the other, and how many more there are."""
    listed = neutralise(say("sources_between", lang).join(names[:MOST_SOURCES]))
    more = len(names) - MOST_SOURCES
    return say("sources_more", lang, sources=listed, count=more) if more > 0 else listed


def _memories(
    state: MemoryState, memories: Mapping[NodeId | None, Segment], left_out: Sequence[str], lang: Lang
) -> Iterator[Segment]:
    """Lays out memories in the order of their creation."""
    nodes = state.graph.nodes
    if not memories:
        yield Segment(say("no_memory", lang))
        return
    shown = sorted((nodes[node_id] for node_id in memories if node_id is not None), key=lambda node: node.seq)
    for place, node in enumerate(shown):
        head = say("memory_head", lang, id=node.id)
        yield Segment(f"\n\n{head}\n" if place else f"{head}\n")
        yield memories[node.id]
    if missing := sum(name in nodes for name in left_out):
        yield Segment(f"\n\n{say('left_out', lang, count=missing)}")


_IN_DOUBT: Final = (ConflictStatus.OPEN, ConflictStatus.INCONCLUSIVE)


def matter_lines(state: MemoryState, lang: Lang) -> Iterator[str]:
    """Yield each matter on which conflicts are open, with the positions on it below and the memories that have them."""
    for asked in matters_of(state):
        ids = say("sources_between", lang).join(asked.conflict_ids)
        lines = [say("open_matter", lang, id=asked.id, about=neutralise(asked.about(lang)), conflicts=ids)]
        for letter, position in asked.positions.items():
            vague = dict(position.vague)
            nodes = [
                _with_documents(node_id, asked.dispute, state, lang, vague.get(node_id, ""))
                for node_id in position.node_ids
            ]
            held = {"letter": letter, "by": say("sources_between", lang).join(nodes)}
            text = neutralise(position.text)
            line = say("open_position", lang, text=text, **held) if text else say("open_side", lang, **held)
            lines.append(indent(line, "    "))
        yield "\n".join(lines)


def _with_documents(node_id: NodeId, dispute: Dispute, state: MemoryState, lang: Lang, own: str) -> str:
    """Return a node with those of its documents that state its value, and with that where it is one of its own."""
    saying = {said.source for value in dispute.values if node_id in value.node_ids for said in value.said}
    names = state.tree.sources_of(node_id)
    sources = listed_sources([each for each in names if each in saying or len(names) == 1 or not dispute.values], lang)
    head = f"{node_id} “{neutralise(own)}”" if own else node_id
    return say("dispute_value", lang, value=head, sources=sources) if sources else head


def _members(dispute: Dispute, state: MemoryState, *statuses: ConflictStatus) -> list[Conflict]:
    members = (state.conflicts.all[conflict_id] for conflict_id in dispute.conflict_ids)
    return [conflict for conflict in members if conflict.status in statuses]


def doubts(state: MemoryState) -> Mapping[NodeId, Sequence[Dispute]]:
    """Return by live node the disputes in which a conflict of it is open or was not decided; open ones first."""
    by_node: dict[NodeId, list[Dispute]] = {}
    for dispute in sorted(disputes_of(state), key=lambda dispute: dispute.status is not ConflictStatus.OPEN):
        members = _members(dispute, state, *_IN_DOUBT)
        live = (state.graph.successor(written_id) for each in members for written_id in each.node_ids)
        for node_id in dict.fromkeys(live):
            if node_id in state.graph.nodes:
                by_node.setdefault(node_id, []).append(dispute)
    return by_node


def state_lines(node_id: NodeId, disputes: Sequence[Dispute], state: MemoryState, lang: Lang) -> list[str]:
    """Say how a memory stands, a line for each dispute in which it has no open conflict: those stand among the open
    ones."""
    lines: dict[str, None] = {}
    for dispute in disputes:
        undecided = _members(dispute, state, *_IN_DOUBT)
        own = [each for each in undecided if node_id in map(state.graph.successor, each.node_ids)]
        if own and not any(conflict.status is ConflictStatus.OPEN for conflict in own):
            ids = say("sources_between", lang).join(conflict.id for conflict in own)
            key = "memory_settled" if dispute.holds else "memory_disputed"
            lines[say(key, lang, id=ids, description=neutralise(describe(dispute, lang)))] = None
    return list(lines)
