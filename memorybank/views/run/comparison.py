"""Two runs as figures side by side: what each found, merged, asked and answered, from their records alone. Pure.

    left, right = figures(records_a), figures(records_b)
    for row in compare(left, right): …

No number is made up: what a run does not tell is None.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from memorybank.contradiction.disputes.dispute import STATES, Dispute
from memorybank.contradiction.disputes.gathering import disputes_of
from memorybank.memory.events import AgentCalled, MergeRestored, MergeUndone, PromptEnhanced, ToolUsed
from memorybank.memory.state import MemoryState
from memorybank.memory.types import Relation
from memorybank.runs.journal import Record
from memorybank.runs.run_folder import state_at
from memorybank.runs.stages import border_of
from memorybank.settings.config import WITHOUT_MERGE, Settings

Unit = Literal["count", "tokens", "seconds", "number", "name"]

Value = float | str | None
JITTER = 0.1
"""The share by which the times of two runs differ by chance; less is not marked."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparisonRow:
    name: str
    """The name of the row; `compare.row.<name>` is its words."""
    unit: Unit
    left: Value
    right: Value
    differs: bool
    group: Literal["settings", "memory", "cost", "result"]
    indent: bool = False
    """The row is a part of the one above."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Figures:
    """The figures of one run at a moment."""

    values: Mapping[str, Value] = field(default_factory=dict)
    """The figures, each by the name of its row; none for a run that has not begun."""


def figures(
    records: Sequence[Record[Any]], bank: MemoryState | None = None, disputes: Sequence[Dispute] | None = None
) -> Figures:
    """Return the figures of the records so far. `bank`, `disputes`: the memory after them, where it is known."""
    state = state_at(records) if bank is None else bank
    begun = state.settings
    if begun is None:
        return Figures()
    now = state.changed or begun
    calls = [record.event for record in records if isinstance(record.event, AgentCalled)]
    made = [call for call in calls if not call.cached] if begun.engine != "offline" else []
    prompts = [record.event for record in records if isinstance(record.event, PromptEnhanced)]
    borders = [border for record in records if (border := border_of(record.event)) is not None]
    status = Counter(dispute.status for dispute in (disputes_of(state) if disputes is None else disputes))
    asks_a_model = bool(calls) and begun.engine != "offline"  # the offline engine reads no tokens
    values: dict[str, Value] = {
        "engine": begun.model or begun.engine,
        "preset": preset_of(now.relations, now.strategy),
        "k": now.k,
        "alpha": now.alpha,
        "share": now.neighbor_share,
        "embedding": begun.embedding_model,
        "conflicts": status.total(),
        **{f"conflicts_{kind}": status[kind] for kind in STATES},
        "merges": sum(not merge.undone for merge in state.tree.merge_events.values()),
        "undone": sum(isinstance(one.event, MergeUndone) - isinstance(one.event, MergeRestored) for one in records),
        "nodes": len(state.graph.nodes),
        "links": sum(len(node.links) for node in state.graph.nodes.values()) // 2,
        "entries": len(state.tree.entries),
        "rounds": state.progress.round,
        "prompt_tokens": sum(part.tokens for prompt in prompts for part in prompt.parts) if prompts else None,
        "input_tokens": sum(call.input_tokens for call in made) if asks_a_model else None,
        "cached_input_tokens": sum(call.cached_input_tokens for call in made) if asks_a_model else None,
        "output_tokens": sum(call.output_tokens for call in made) if asks_a_model else None,
        "calls": len(calls),
        "failed": sum(call.outcome == "failed" for call in calls),
        "cached": sum(call.cached for call in calls),
        "tools": sum(isinstance(record.event, ToolUsed) for record in records),
        "seconds": round(sum(border.seconds for border in borders), 3),
        "result": state.progress.result or None,
    }
    return Figures(values=values)


def preset_of(relations: Sequence[Relation], strategy: str) -> str:
    """Return the name of the preset with these relations and this strategy; `own` where there is none."""
    default = Settings()
    named = {
        "default": (default.relations, default.strategy),
        "final": (WITHOUT_MERGE, "single"),
        "v3": (default.with_preset("v3").relations, default.with_preset("v3").strategy),
    }
    return next((name for name, known in named.items() if known == (tuple(relations), strategy)), "own")


def compare(left: Figures, right: Figures) -> tuple[ComparisonRow, ...]:
    """Return all rows, in groups. A row differs when both have a value and the two are not the same."""
    return tuple(
        ComparisonRow(
            name=name,
            unit=_UNITS.get(name, "count"),
            group=group,
            indent=name in _PARTS,
            left=left.values.get(name),
            right=right.values.get(name),
            differs=_differ(left.values.get(name), right.values.get(name), _UNITS.get(name, "count")),
        )
        for group, names in _GROUPS.items()
        for name in names
    )


def _differ(left: Value, right: Value, unit: Unit) -> bool:
    if left is None or right is None:
        return (left is None) != (right is None)
    if unit == "seconds" and isinstance(left, float) and isinstance(right, float):
        return abs(left - right) > JITTER * max(left, right)
    return left != right


Group = Literal["settings", "memory", "cost", "result"]
_STATES = tuple(f"conflicts_{status}" for status in STATES)
_GROUPS: Mapping[Group, tuple[str, ...]] = {
    "settings": ("engine", "preset", "k", "alpha", "share", "embedding"),
    "memory": ("conflicts", *_STATES, "merges", "undone", "nodes", "links", "entries"),
    "cost": (
        "rounds", "prompt_tokens", "input_tokens", "cached_input_tokens", "output_tokens",
        "calls", "failed", "cached", "tools", "seconds",
    ),
    "result": ("result",),
}  # fmt: skip
_PARTS = frozenset((*_STATES, "undone", "cached_input_tokens", "failed", "cached"))
"""The rows that are a part of the row above."""
_UNITS: Mapping[str, Unit] = {
    **dict.fromkeys(("engine", "preset", "embedding", "result"), "name"),
    **dict.fromkeys(("alpha", "share"), "number"),
    **dict.fromkeys(("prompt_tokens", "input_tokens", "cached_input_tokens", "output_tokens"), "tokens"),
    "seconds": "seconds",
}
"""The units of rows; a row that is not named here is a count."""
