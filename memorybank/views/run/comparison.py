"""Two runs as figures side by side: what each found, merged, asked and answered, from their records alone. Pure.

    left, right = figures(records_a), figures(records_b)
    for row in compare(left, right): …

No number is made up: what a run does not tell is None.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from memorybank.contradiction.disputes.dispute import STATES
from memorybank.contradiction.disputes.gathering import disputes_of
from memorybank.memory.events import AgentCalled, MergeRestored, MergeUndone, PromptEnhanced, SessionStarted, ToolUsed
from memorybank.memory.state import MemoryState
from memorybank.memory.types import ConflictStatus, Relation
from memorybank.runs.journal import Record
from memorybank.runs.run_folder import state_at
from memorybank.runs.stages import border_of
from memorybank.settings.config import WITHOUT_MERGE, Settings

Unit = Literal["count", "tokens", "seconds", "number", "words", "name"]

Value = float | str | None
JITTER = 0.1
"""Share by which the times of two runs differ by chance; less is not marked."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparisonRow:
    name: str
    """`compare.row.<name>` is its words."""
    unit: Unit
    left: Value
    right: Value
    differs: bool
    group: Literal["settings", "memory", "cost", "result"]
    indent: bool = False
    """A part of the row above."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Figures:
    """What one run says of itself at a moment."""

    begun: bool
    engine: str = ""
    model: str = ""
    embedding: str = ""
    preset: str = ""
    """`default`, `final`, `v3`, or `own` for a mixture that has no name."""
    k: int = 0
    alpha: float = 0.0
    share: float = 0.0
    """NEIGHBOR_SHARE."""
    goal: str = ""
    conflicts: int = 0
    closed: tuple[tuple[ConflictStatus, int], ...] = ()
    """The same by how they stand, in a fixed order."""
    merges: int = 0
    undone: int = 0
    nodes: int = 0
    links: int = 0
    entries: int = 0
    rounds: int = 0
    prompts: int = 0
    prompt_tokens: int = 0
    input_tokens: int = 0
    cached_input_tokens: int = 0
    output_tokens: int = 0
    calls: int = 0
    failed: int = 0
    cached: int = 0
    tools: int = 0
    seconds: float = 0.0
    result: str = ""
    answer: str = ""


def figures(records: Sequence[Record[Any]], bank: MemoryState | None = None) -> Figures:
    """Of the records up to the moment. `bank`: the memory after them, where it is known already."""
    if not records or not isinstance(records[0].event, SessionStarted):
        return Figures(begun=False)
    state = state_at(records) if bank is None else bank
    begun = state.settings
    if begun is None:
        return Figures(begun=False)
    now = state.changed or begun
    calls = [record.event for record in records if isinstance(record.event, AgentCalled)]
    prompts = [record.event for record in records if isinstance(record.event, PromptEnhanced)]
    borders = [border for record in records if (border := border_of(record.event)) is not None]
    status = Counter(dispute.status for dispute in disputes_of(state))
    return Figures(
        begun=True,
        engine=begun.engine,
        model=begun.model,
        embedding=begun.embedding_model,
        preset=preset_of(now.relations, now.strategy),
        k=now.k,
        alpha=now.alpha,
        share=now.neighbor_share,
        goal=state.doc.task_goal,
        conflicts=status.total(),
        closed=tuple((kind, status[kind]) for kind in STATES),
        merges=sum(not merge.undone for merge in state.tree.merge_events.values()),
        undone=sum(isinstance(one.event, MergeUndone) - isinstance(one.event, MergeRestored) for one in records),
        nodes=len(state.graph.nodes),
        links=sum(len(node.links) for node in state.graph.nodes.values()) // 2,
        entries=len(state.tree.entries),
        rounds=state.progress.round,
        prompts=len(prompts),
        prompt_tokens=sum(part.tokens for prompt in prompts for part in prompt.parts),
        input_tokens=sum(call.input_tokens for call in calls if not call.cached),
        cached_input_tokens=sum(call.cached_input_tokens for call in calls if not call.cached),
        output_tokens=sum(call.output_tokens for call in calls if not call.cached),
        calls=len(calls),
        failed=sum(call.outcome == "failed" for call in calls),
        cached=sum(call.cached for call in calls),
        tools=sum(isinstance(record.event, ToolUsed) for record in records),
        seconds=round(sum(border.seconds for border in borders), 3),
        result=state.progress.result,
        answer=state.progress.answer,
    )


def preset_of(relations: Sequence[Relation], strategy: str) -> str:
    """The name of these two settings together."""
    default = Settings()
    named = {
        "default": (default.relations, default.strategy),
        "final": (WITHOUT_MERGE, "single"),
        "v3": (default.with_preset("v3").relations, default.with_preset("v3").strategy),
    }
    return next((name for name, known in named.items() if known == (tuple(relations), strategy)), "own")


def compare(left: Figures, right: Figures) -> tuple[ComparisonRow, ...]:
    """All rows, in groups. A row differs when both have a value and the two are not the same."""
    return tuple(_row(spec, left, right) for spec in _SPECS)


@dataclass(frozen=True, slots=True)
class _Spec:
    name: str
    unit: Unit
    group: Literal["settings", "memory", "cost", "result"]
    value: Callable[[Figures], Value]
    indent: bool = False


def _row(spec: _Spec, left: Figures, right: Figures) -> ComparisonRow:
    before, after = (spec.value(run) if run.begun else None for run in (left, right))
    return ComparisonRow(
        name=spec.name,
        unit=spec.unit,
        group=spec.group,
        indent=spec.indent,
        left=before,
        right=after,
        differs=_differ(before, after, spec.unit),
    )


def _differ(left: Value, right: Value, unit: Unit) -> bool:
    if left is None or right is None:
        return (left is None) != (right is None)
    if unit == "seconds" and isinstance(left, float) and isinstance(right, float):
        return abs(left - right) > JITTER * max(left, right)
    return left != right


def _of(status: ConflictStatus) -> Callable[[Figures], Value]:
    return lambda run: dict(run.closed).get(status, 0)


def _of_model(value: Callable[[Figures], float]) -> Callable[[Figures], Value]:
    """Give the figure for a run that asks a language model alone; the offline engine reads no tokens."""
    return lambda run: None if run.engine == "offline" or not run.calls else value(run)


_SPECS = (
    _Spec("engine", "name", "settings", lambda run: run.model or run.engine),
    _Spec("preset", "name", "settings", lambda run: run.preset),
    _Spec("k", "count", "settings", lambda run: run.k),
    _Spec("alpha", "number", "settings", lambda run: run.alpha),
    _Spec("share", "number", "settings", lambda run: run.share),
    _Spec("embedding", "name", "settings", lambda run: run.embedding),
    _Spec("conflicts", "count", "memory", lambda run: run.conflicts),
    *(_Spec(f"conflicts_{status}", "count", "memory", _of(status), indent=True) for status in STATES),
    _Spec("merges", "count", "memory", lambda run: run.merges),
    _Spec("undone", "count", "memory", lambda run: run.undone, indent=True),
    _Spec("nodes", "count", "memory", lambda run: run.nodes),
    _Spec("links", "count", "memory", lambda run: run.links),
    _Spec("entries", "count", "memory", lambda run: run.entries),
    _Spec("rounds", "count", "cost", lambda run: run.rounds),
    _Spec("prompt_tokens", "tokens", "cost", lambda run: run.prompt_tokens if run.prompts else None),
    _Spec("input_tokens", "tokens", "cost", _of_model(lambda run: run.input_tokens)),
    _Spec("cached_input_tokens", "tokens", "cost", _of_model(lambda run: run.cached_input_tokens), indent=True),
    _Spec("output_tokens", "tokens", "cost", _of_model(lambda run: run.output_tokens)),
    _Spec("calls", "count", "cost", lambda run: run.calls),
    _Spec("failed", "count", "cost", lambda run: run.failed, indent=True),
    _Spec("cached", "count", "cost", lambda run: run.cached, indent=True),
    _Spec("tools", "count", "cost", lambda run: run.tools),
    _Spec("seconds", "seconds", "cost", lambda run: run.seconds),
    _Spec("result", "name", "result", lambda run: run.result or None),
)
