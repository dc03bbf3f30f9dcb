"""The attributes of a span: names of the GenAI conventions (1.41) where there is one, `memorybank.…` for the rest.

No text of a prompt, an answer, a document or a memory is here: those are in `texts`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, get_args

from memorybank.integrations.tracing.spans import Attributes, Value
from memorybank.memory.events import (
    AgentCalled,
    ConflictClosed,
    ConflictFound,
    NodeCreated,
    NodesLinked,
    NodesMerged,
    PlanUpdated,
    PromptEnhanced,
    SessionStarted,
    ToolUsed,
)
from memorybank.memory.types import AgentRole

OURS = "memorybank"
AGENTS: tuple[str, ...] = get_args(AgentRole)
EXECUTOR = "react"
"""The role of the built-in executor's own calls to a model."""
STEP = {"openinference.span.kind": "CHAIN"}
"""The kind of what is no call, in the vocabulary of viewers that read OpenInference: the conventions have none."""
_PROVIDERS = {"hand": "hand", "deepseek": "deepseek", "gpt-": "openai", "claude": "anthropic", "mistral": "mistral_ai"}
"""The providers of models, guessed by how a model's name begins: a journal keeps no addresses."""
_COUNTED = {
    NodeCreated: "memorybank.nodes.created",
    NodesLinked: "memorybank.nodes.linked",
    ConflictFound: "memorybank.conflicts.found",
    ConflictClosed: "memorybank.conflicts.closed",
    NodesMerged: "memorybank.merges",
}


def of_session(begun: SessionStarted | None) -> Attributes:
    known: Attributes = {}
    if begun is not None:
        known = {
            "memorybank.engine": begun.engine,
            "memorybank.embedding.model": begun.embedding_model,
            "memorybank.lang": begun.lang,
            "memorybank.version": begun.version,
        }
    return {"gen_ai.operation.name": "invoke_workflow", "gen_ai.workflow.name": "session", **STEP, **known}


def of_stage(stage: str, number: int, seconds: float, facts: Sequence[Any]) -> dict[str, Value]:
    known: dict[str, Value] = {
        "memorybank.stage": stage,
        "memorybank.round": number,
        "memorybank.stage.computing_seconds": round(seconds, 4),
        **STEP,
    }
    for kind, name in _COUNTED.items():
        if count := sum(isinstance(fact, kind) for fact in facts):
            known[name] = count
    for fact in facts:
        if isinstance(fact, PlanUpdated):
            known["memorybank.task.type"] = fact.next_task.type.value if fact.next_task is not None else "none"
        elif isinstance(fact, PromptEnhanced):
            known["memorybank.prompt.tokens"] = sum(part.tokens for part in fact.parts)
            known["memorybank.memories.recalled"] = len(fact.hits)
    return known


def of_agent(name: str) -> dict[str, Value]:
    return {"gen_ai.operation.name": "invoke_agent", "gen_ai.provider.name": OURS, "gen_ai.agent.name": name}


def of_call(call: AgentCalled) -> dict[str, Value]:
    return {**of_agent(call.role), "memorybank.engine": call.engine}


def of_chat(call: AgentCalled) -> dict[str, Value]:
    offering = (name for prefix, name in _PROVIDERS.items() if call.model.startswith(prefix))
    return {
        "gen_ai.operation.name": "chat",
        "gen_ai.provider.name": next(offering, "openai_compatible"),
        "gen_ai.request.model": call.model,
        "gen_ai.agent.name": call.role,
        "gen_ai.usage.input_tokens": call.input_tokens,
        "gen_ai.usage.output_tokens": call.output_tokens,
        "gen_ai.usage.cache_read.input_tokens": call.cached_input_tokens,
        "memorybank.call.attempts": call.attempt,
        "memorybank.call.from_cache": call.cached,
    }


def of_tool(used: ToolUsed) -> dict[str, Value]:
    return {
        "gen_ai.operation.name": "execute_tool",
        "gen_ai.tool.name": used.tool,
        "gen_ai.tool.type": "function",
        "gen_ai.tool.call.id": used.key[:16],
        "memorybank.tool.sources": len(used.sources),
        "memorybank.tool.result_characters": used.size,
    }


def of_conflict(found: ConflictFound, closed: ConflictClosed | None) -> dict[str, Value]:
    """Return what a span says of a conflict; `closed` is None for one that is open when the session comes to rest."""
    known: dict[str, Value] = {
        "memorybank.conflict.id": found.conflict_id,
        "memorybank.conflict.nodes": ",".join(found.node_ids),
        "memorybank.conflict.points": len(found.contradictions),
        "memorybank.conflict.same_subject": found.same_subject,
        "memorybank.conflict.status": closed.status.value if closed is not None else "open",
        **STEP,
    }
    if closed is not None:
        known |= {
            "memorybank.conflict.winner": closed.winner or "none",
            "memorybank.conflict.closed_by": closed.closed_by,
            "memorybank.conflict.sources": len(closed.evidence),
            "memorybank.conflict.independent_sources": sum(piece.independent for piece in closed.evidence),
        }
    return known


def of_merge(merged: NodesMerged) -> dict[str, Value]:
    return {
        "memorybank.merge.id": merged.event_id,
        "memorybank.merge.of": ",".join(merged.merged_node_ids),
        "memorybank.merge.into": merged.new_node_id,
        "memorybank.merge.because_of": merged.trigger,
        "memorybank.merge.sentences_dropped": len(merged.dropped),
        **STEP,
    }
