"""Settings of a session: plain values, decided once at the edge (command line, app, your program) and handed down.

Nothing below the edge reads the environment. Defaults are those of the narrative specification (its section on
parameters) where the design does not say otherwise.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from memorybank.errors import InputError
from memorybank.types import Lang, Relation

Preset = Literal["final", "v3"]
Strategy = Literal["single", "two_stage"]

ALL_RELATIONS = (Relation.CONFLICT, Relation.MERGE, Relation.RELATED)
WITHOUT_MERGE = (Relation.CONFLICT, Relation.RELATED)


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    engine: str = "offline"
    relations: tuple[Relation, ...] = ALL_RELATIONS
    """Relations the analysis may find, strongest first. Without `merge`, overlapping nodes are only linked."""
    strategy: Strategy = "single"
    """`single`: one analysis call a node; `two_stage`: conflict and merge first, then related."""
    retrieval_k: int = 5
    retrieval_alpha: float = 0.5
    """Weight of the keyword score; 1 - alpha is the embedding's."""
    embedding_model: str = "auto"
    agent_window: int = 32_000
    """Tokens an agent can read in one call."""
    chunk_ratio: float = 0.9
    """Share of the window a piece of a long text may fill."""
    prompt_tokens: int = 8_000
    """Budget of the enhanced prompt."""
    max_rounds: int = 30
    max_tool_calls: int = 60
    """Of one executor round (the specifications' MAX_LLM_CALL_PER_RUN)."""
    deep_retrieval_tokens: int = 4_000
    parallel_calls: int = 4
    """Agent calls in flight; the offline engine computes and runs them one after the other."""
    lang: Lang | None = None
    """None: told from the task and the context."""
    corpus: Path | None = None
    """A folder of documents the search tool may read."""

    def __post_init__(self) -> None:
        _check("k", self.retrieval_k, 0, 100)
        _check("alpha", self.retrieval_alpha, 0.0, 1.0)
        _check("chunk ratio", self.chunk_ratio, 0.1, 1.0)
        _check("prompt tokens", self.prompt_tokens, 500, 1_000_000)
        _check("max rounds", self.max_rounds, 1, 1_000)

    def with_preset(self, preset: Preset) -> Settings:
        """`final`: no direct merge, one analysis call. `v3`: direct merge, two calls. Nothing else changes."""
        if preset == "final":
            return replace(self, relations=WITHOUT_MERGE, strategy="single")
        if preset == "v3":
            return replace(self, relations=ALL_RELATIONS, strategy="two_stage")
        raise InputError(f"there is no preset {preset!r}: choose final or v3, or none for the default")


def _check(name: str, value: float, low: float, high: float) -> None:
    if not low <= value <= high:
        raise InputError(f"{name} is {value}: give a number from {low:g} to {high:g}")
