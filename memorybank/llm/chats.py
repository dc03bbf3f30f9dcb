"""The chat models of a session, by role: a small model may file while a large one plans."""

from __future__ import annotations

from collections.abc import Mapping

from memorybank.llm.base import ChatModel
from memorybank.settings.llm import AGENTS, AgentName


class Chats:
    """Which chat model answers a role. Thread-safe as they are."""

    def __init__(self, default: ChatModel, own: Mapping[AgentName, ChatModel] | None = None) -> None:
        self._default = default
        self._own = dict(own or {})

    def of(self, role: AgentName) -> ChatModel:
        return self._own.get(role, self._default)

    @property
    def names(self) -> str:
        """The models' names, each once: `large + small`."""
        return " + ".join(dict.fromkeys(self.of(role).name for role in AGENTS))

    def close(self) -> None:
        """Release the connections of all of them."""
        for chat in {id(chat): chat for chat in map(self.of, AGENTS)}.values():
            chat.close()
