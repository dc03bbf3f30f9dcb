"""Agents that gave no usable answer: what a stage records of it, and how it is told."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from memorybank.errors import InputError
from memorybank.llm.schemas import one_line
from memorybank.memory.contracts import Message, Role
from memorybank.memory.events import FilingQueued
from memorybank.memory.state import Draft, MemoryState
from memorybank.memory.types import AgentFailure, EntryId, Lang, NodeId, Span
from memorybank.prompts import say
from memorybank.session.effects import Failed
from memorybank.session.stages.recording import queue

REASON = 300
"""The most characters of a reason that are kept."""


def agent_failures(
    agent: Role,
    answers: Sequence[Message | Failed],
    *,
    spans: Sequence[Iterable[Span]] = (),
    node_ids: Sequence[Iterable[NodeId]] = (),
) -> tuple[AgentFailure, ...]:
    """Unites the failed calls of a stage in one failure; there is none where every call worked.

    `spans` and `node_ids` are what each call was on, in the order of the answers.
    """
    lost = [place for place, answer in enumerate(answers) if isinstance(answer, Failed)]
    reasons = [answer.error for answer in answers if isinstance(answer, Failed)]
    if not lost:
        return ()
    return (
        AgentFailure(
            agent=agent,
            reason=one_line(reasons[0], REASON).rstrip(".。"),
            failed=len(lost),
            calls=len(answers),
            spans=tuple(dict.fromkeys(span for place in lost if spans for span in spans[place])),
            node_ids=tuple(dict.fromkeys(node_id for place in lost if node_ids for node_id in node_ids[place])),
        ),
    )


def by_agent(failures: Iterable[AgentFailure]) -> tuple[AgentFailure, ...]:
    """Unites the failures of each agent, in the order in which the agents first failed."""
    united: dict[str, AgentFailure] = {}
    for failure in failures:
        if (known := united.get(failure.agent)) is not None:
            failure = replace(
                known,
                failed=known.failed + failure.failed,
                calls=known.calls + failure.calls,
                spans=tuple(dict.fromkeys((*known.spans, *failure.spans))),
                node_ids=tuple(dict.fromkeys((*known.node_ids, *failure.node_ids))),
            )
        united[failure.agent] = failure
    return tuple(united.values())


def failure_sentences(failures: Iterable[AgentFailure], lang: Lang) -> str:
    """States which agents failed, how often and why, in one line; empty when none did."""
    return " ".join(
        say(
            "agent_failed",
            lang,
            agent=say(f"agent_{failure.agent}", lang),
            failed=failure.failed,
            calls=failure.calls,
            reason=failure.reason,
        )
        for failure in by_agent(failures)
    )


def unfiled_entries(bank: MemoryState) -> dict[EntryId, AgentFailure]:
    """Return the entries with text that an agent's failure left in no node, each with the first such failure."""
    unfiled: dict[EntryId, AgentFailure] = {}
    for span, failure in bank.unfiled_text().items():
        unfiled.setdefault(span.entry_id, failure)
    return unfiled


def unfinished_reasons(bank: MemoryState) -> dict[str, str]:
    """Return why an entry is not wholly filed, or a node not compared, by id."""
    return {
        id_: f"{failure.agent}: {failure.reason}"
        for id_, failure in [*unfiled_entries(bank).items(), *bank.uncompared().items()]
    }


def failure_notes(bank: MemoryState, lang: Lang) -> tuple[str, ...]:
    """States what failed and what a reader of the answer must know of it, a line each."""
    failed = sum(task.status.value == "failed" for task in bank.doc.completed_tasks)
    unfiled, uncompared = unfiled_entries(bank), bank.uncompared()
    lines = [say("note_failed_tasks", lang, count=failed)] if failed else []
    colon, between = ("：", "；") if lang == "zh" else (": ", "; ")
    for key, left in (("note_unfiled", unfiled), ("note_uncompared", uncompared)):
        if left:
            why = dict.fromkeys(f"{say(f'agent_{each.agent}', lang)}{colon}{each.reason}" for each in left.values())
            lines.append(say(key, lang, count=len(left), ids=", ".join(left), reason=between.join(why)))
    return tuple(lines)


# -- doing it again ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Refiled:
    """Entries and nodes that were queued again."""

    entry_ids: tuple[EntryId, ...] = ()
    """Entries whose text waits for filing."""
    node_ids: tuple[NodeId, ...] = ()
    """Nodes that wait to be compared."""


def queue_again(draft: Draft, entry_ids: Sequence[EntryId]) -> Refiled:
    """Queues all that failed where no entry is named, or what is left of the named ones, whatever the reason.

    Raises InputError for an unknown one.
    """
    bank, tree = draft.state, draft.state.tree
    if unknown := [entry_id for entry_id in entry_ids if entry_id not in tree.entries]:
        raise InputError("session.no_entry", entry=unknown[0], count=len(tree.entries))
    named = set(entry_ids)
    spans = [span for span in bank.unfiled_text() if not named or span.entry_id in named]
    nodes = [node_id for node_id in bank.uncompared() if not named or named & set(tree.entries_of(node_id))]
    if spans or nodes:
        draft.emit(FilingQueued(spans=tuple(spans), node_ids=tuple(nodes)))
    left = [entry_id for entry_id in dict.fromkeys(entry_ids) if entry_id in tree.unfiled(live=bank.graph.nodes)]
    before = len(draft.state.progress.queue)
    queue(draft, left)
    queued = (*spans, *draft.state.progress.queue[before:])
    return Refiled(tuple(dict.fromkeys(span.entry_id for span in queued)), tuple(nodes))
