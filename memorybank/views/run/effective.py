"""The settings in force and the origin of each: this run, a change in it, the environment, `.env`, a default. Pure."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from memorybank.memory.events import SessionStarted, SettingsChanged
from memorybank.settings.env import Effective, SettingOrigin
from memorybank.settings.llm import HAND, RECORDING

ValueOrigin = Literal["changed", "run"] | SettingOrigin


@dataclass(frozen=True, slots=True, kw_only=True)
class Holding:
    name: str
    """The name of the setting; `settings.holds.<name>` is its words."""
    value: str
    origin: ValueOrigin


VARIABLES = {
    "engine": "ENGINE",
    "model": "LLM_MODEL",
    "embedding_model": "EMBEDDING_MODEL",
    "lang": "SESSION_LANG",
    "relations": "RELATIONS",
    "strategy": "ANALYSIS_STRATEGY",
    "merge_after_verdict": "MERGE_AFTER_VERDICT",
    "k": "RETRIEVAL_K",
    "alpha": "RETRIEVAL_ALPHA",
    "neighbor_share": "NEIGHBOR_SHARE",
    "max_rounds": "MAX_ROUNDS",
    "prompt_tokens": "PROMPT_TOKENS",
}
"""The settings shown, in this order, and the variable that sets each for a new run."""

_MAY_CHANGE = ("relations", "strategy", "merge_after_verdict", "k", "alpha", "neighbor_share")


def holding(
    local: Effective, begun: SessionStarted | None = None, changed: SettingsChanged | None = None
) -> tuple[Holding, ...]:
    """Return what a run began with and what was changed since; without a run, what a new one would begin with."""
    rows = {row.name: row for row in local.rows}
    held: list[Holding] = []
    for name, variable in VARIABLES.items():
        row = rows[variable]
        value: str = row.value if begun is None else _text(getattr(begun, name))
        origin: ValueOrigin = row.origin if begun is None else "run"
        if changed is not None and begun is not None and name in _MAY_CHANGE:
            now = _text(getattr(changed, name))
            origin = "changed" if now != value else origin
            value = now
        if name == "model" and (value == HAND or value.startswith(f"{RECORDING}:")):
            held[0] = replace(held[0], value=value)  # what answers in a model's place is the engine
        elif value:  # the offline engine has no model
            held.append(Holding(name=name, value=value, origin=origin))
    return tuple(held)


def _text(value: object) -> str:
    if isinstance(value, tuple):
        return ",".join(str(part) for part in value)
    return f"{value:g}" if isinstance(value, float) else str(value)
