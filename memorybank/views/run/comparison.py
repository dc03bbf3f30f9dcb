"""Two runs as figures side by side: what each found, merged, asked and answered, from their records alone. Pure.

    left, right = figures(records_a), figures(records_b)
    for row in compare(left, right): …

No number is made up: what a run does not tell is a `Cell` without a value, and says why.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from memorybank.memory.bank import MemoryBank
from memorybank.memory.events import AgentCalled, MergeUndone, PromptEnhanced, SessionStarted, ToolUsed
from memorybank.memory.types import ConflictStatus, Relation
from memorybank.runs.journal import Record
from memorybank.runs.run_folder import state_at
from memorybank.runs.stages import border_of
from memorybank.settings.config import WITHOUT_MERGE, Settings

Unit = Literal["count", "tokens", "seconds", "number", "words", "name"]
Why = Literal["", "no_model", "no_answer", "not_asked", "no_prompt", "not_begun"]
"""Why there is no value: the offline engine reads no tokens; no answer yet; and so on."""

JITTER = 0.1
"""Share by which the times of two runs differ by chance; less is not marked."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    value: float | str | None
    why: Why = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparisonRow:
    name: str
    """`compare.row.<name>` is its words."""
    unit: Unit
    left: Cell
    right: Cell
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
    found: int = 0
    closed: tuple[tuple[ConflictStatus, int], ...] = ()
    """Conflicts by how they stand, in a fixed order."""
    merges: int = 0
    undone: int = 0
    nodes: int = 0
    links: int = 0
    entries: int = 0
    rounds: int = 0
    prompts: int = 0
    prompt_tokens: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    calls: int = 0
    failed: int = 0
    cached: int = 0
    tools: int = 0
    seconds: float = 0.0
    result: str = ""
    answer: str = ""


def figures(records: Sequence[Record[Any]], bank: MemoryBank | None = None) -> Figures:
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
    status = Counter(one.status for one in state.conflicts.all.values())
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
        found=len(state.conflicts.all),
        closed=tuple((one, status[one]) for one in ConflictStatus),
        merges=sum(not one.undone for one in state.tree.merge_events.values()),
        undone=sum(isinstance(record.event, MergeUndone) for record in records),
        nodes=len(state.graph.nodes),
        links=sum(len(node.links) for node in state.graph.nodes.values()) // 2,
        entries=len(state.tree.entries),
        rounds=state.progress.round,
        prompts=len(prompts),
        prompt_tokens=sum(part.tokens for prompt in prompts for part in prompt.parts),
        input_tokens=sum(one.input_tokens for one in calls if not one.cached),
        output_tokens=sum(one.output_tokens for one in calls if not one.cached),
        calls=len(calls),
        failed=sum(one.outcome == "failed" for one in calls),
        cached=sum(one.cached for one in calls),
        tools=sum(isinstance(record.event, ToolUsed) for record in records),
        seconds=round(sum(one.seconds for one in borders), 3),
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
    value: Callable[[Figures], float | str]
    why: Callable[[Figures], Why] = lambda one: ""
    indent: bool = False


def _row(spec: _Spec, left: Figures, right: Figures) -> ComparisonRow:
    one, other = _cell(spec, left), _cell(spec, right)
    return ComparisonRow(
        name=spec.name,
        unit=spec.unit,
        group=spec.group,
        indent=spec.indent,
        left=one,
        right=other,
        differs=_differ(one.value, other.value, spec.unit),
    )


def _cell(spec: _Spec, one: Figures) -> Cell:
    why: Why = spec.why(one) if one.begun else "not_begun"
    return Cell(value=None, why=why) if why else Cell(value=spec.value(one))


def _differ(one: float | str | None, other: float | str | None, unit: Unit) -> bool:
    if one is None or other is None:
        return (one is None) != (other is None)
    if unit == "seconds" and isinstance(one, float) and isinstance(other, float):
        return abs(one - other) > JITTER * max(one, other)
    return one != other


def _of(status: ConflictStatus) -> Callable[[Figures], float]:
    return lambda one: dict(one.closed).get(status, 0)


def _model_only(one: Figures) -> Why:
    return "no_model" if one.engine == "offline" else "" if one.calls else "not_asked"


_SPECS = (
    _Spec("engine", "name", "settings", lambda one: one.model or one.engine),
    _Spec("preset", "name", "settings", lambda one: one.preset),
    _Spec("k", "count", "settings", lambda one: one.k),
    _Spec("alpha", "number", "settings", lambda one: one.alpha),
    _Spec("share", "number", "settings", lambda one: one.share),
    _Spec("embedding", "name", "settings", lambda one: one.embedding),
    _Spec("conflicts", "count", "memory", lambda one: one.found),
    *(
        _Spec(f"conflicts_{status}", "count", "memory", _of(status), indent=True)
        for status in (
            ConflictStatus.OPEN,
            ConflictStatus.RESOLVED,
            ConflictStatus.BOTH_WRONG,
            ConflictStatus.FALSE_ALARM,
            ConflictStatus.INCONCLUSIVE,
            ConflictStatus.CHECKED,
        )
    ),
    _Spec("merges", "count", "memory", lambda one: one.merges),
    _Spec("undone", "count", "memory", lambda one: one.undone, indent=True),
    _Spec("nodes", "count", "memory", lambda one: one.nodes),
    _Spec("links", "count", "memory", lambda one: one.links),
    _Spec("entries", "count", "memory", lambda one: one.entries),
    _Spec("rounds", "count", "cost", lambda one: one.rounds),
    _Spec(
        "prompt_tokens",
        "tokens",
        "cost",
        lambda one: one.prompt_tokens,
        lambda one: "" if one.prompts else "no_prompt",
    ),
    _Spec("input_tokens", "tokens", "cost", lambda one: one.input_tokens, _model_only),
    _Spec("output_tokens", "tokens", "cost", lambda one: one.output_tokens, _model_only),
    _Spec("calls", "count", "cost", lambda one: one.calls),
    _Spec("failed", "count", "cost", lambda one: one.failed, indent=True),
    _Spec("cached", "count", "cost", lambda one: one.cached, _model_only, indent=True),
    _Spec("tools", "count", "cost", lambda one: one.tools),
    _Spec("seconds", "seconds", "cost", lambda one: one.seconds),
    _Spec("result", "name", "result", lambda one: one.result, lambda one: "" if one.result else "no_answer"),
)
