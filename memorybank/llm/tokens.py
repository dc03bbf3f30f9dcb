"""Estimates of tokens, where the server does not count: for windows and for usage that is marked as not measured."""

from __future__ import annotations

import json
import re

from memorybank.language.text import UNSPACED
from memorybank.llm.base import ChatRequest
from memorybank.settings.llm import AgentName, LLMSettings

_CJK_RE = re.compile(f"[{UNSPACED}\u3000-\u303f\uff00-\uffef]")
LEAST_ANSWER = 64
"""Tokens that must be left for an answer, or the prompt counts as too long."""
_PER_MESSAGE = 5
_PER_IMAGE = 1000


def estimate(text: str) -> int:
    """Estimate a token per CJK character, one per four others."""
    wide = len(_CJK_RE.findall(text))
    return wide + (len(text) - wide + 3) // 4


def estimate_prompt(request: ChatRequest) -> int:
    written = sum(
        _PER_MESSAGE
        + estimate(message.content)
        + _PER_IMAGE * len(message.images)
        + sum(estimate(call.name + call.arguments) for call in message.tool_calls)
        for message in request.messages
    )
    tools = sum(estimate(spec.name + spec.description + json.dumps(dict(spec.parameters))) for spec in request.tools)
    schema = estimate(json.dumps(dict(request.schema))) if request.schema is not None else 0
    return written + tools + schema


def agent_window(settings: LLMSettings, agent: AgentName, context: int | None) -> tuple[int, str]:
    """Return (tokens an agent may be sent, a note when the server's context is smaller than the setting, else "")."""
    setting = settings.window(agent)
    if context is None or setting <= context:
        return setting, ""
    return context, f"the window of {agent} is lowered from {setting} to {context} tokens: the server takes no more"
