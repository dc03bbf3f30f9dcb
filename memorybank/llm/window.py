"""How large a server's context is, where asking costs one or two small requests: vLLM, gateways, llama.cpp."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from memorybank.settings.llm import AgentName, LLMSettings

_IN_MODEL = ("max_model_len", "context_length", "max_context_length", "context_window", "n_ctx")
"""Names of the context's size in an entry of `/models` (vLLM, OpenRouter, LM Studio, others, llama.cpp's `meta`)."""


def in_models(answer: Any, model: str) -> int | None:
    """Return the size that `/models` gives for the model, or for the only one there is."""
    entries = answer.get("data") if isinstance(answer, dict) else None
    entries = [entry for entry in entries if isinstance(entry, dict)] if isinstance(entries, list) else []
    named = [entry for entry in entries if entry.get("id") == model] or (entries if len(entries) == 1 else [])
    for entry in named:
        meta = entry.get("meta")
        for fields in (entry, meta if isinstance(meta, dict) else {}):
            if size := _first(fields, _IN_MODEL):
                return size
    return None


def in_props(answer: Any) -> int | None:
    """Return the size in llama.cpp's `/props`: of one slot, which is what a request gets."""
    fields = answer if isinstance(answer, dict) else {}
    settings = fields.get("default_generation_settings")
    return _first(settings if isinstance(settings, dict) else {}, ("n_ctx",)) or _first(fields, ("n_ctx",))


def _first(fields: Mapping[str, Any], names: tuple[str, ...]) -> int | None:
    sizes = (fields.get(name) for name in names)
    return next((size for size in sizes if isinstance(size, int) and not isinstance(size, bool) and size > 0), None)


def agent_window(settings: LLMSettings, agent: AgentName, context: int | None) -> tuple[int, str]:
    """(tokens an agent may be sent, a note when the server's context is smaller than the setting, else "")."""
    setting = settings.window(agent)
    if context is None or setting <= context:
        return setting, ""
    return context, f"the window of {agent} is lowered from {setting} to {context} tokens: the server takes no more"
