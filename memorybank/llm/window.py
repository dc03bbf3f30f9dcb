"""How much an agent may be sent: what is set for it, or less where the server takes less."""

from __future__ import annotations

from memorybank.settings.llm import AgentName, LLMSettings


def agent_window(settings: LLMSettings, agent: AgentName, context: int | None) -> tuple[int, str]:
    """(tokens an agent may be sent, a note when the server's context is smaller than the setting, else "")."""
    setting = settings.window(agent)
    if context is None or setting <= context:
        return setting, ""
    return context, f"the window of {agent} is lowered from {setting} to {context} tokens: the server takes no more"
