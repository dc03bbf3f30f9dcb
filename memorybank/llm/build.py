"""The chat models of a session: a client for each endpoint and model; around it retry, cache and meter."""

from __future__ import annotations

from pathlib import Path

from memorybank.llm.base import ChatModel
from memorybank.llm.cache import CachedChat
from memorybank.llm.chats import Chats
from memorybank.llm.client import OpenAIChat
from memorybank.llm.hand.chat import HandChat
from memorybank.llm.meter import MeteredChat
from memorybank.llm.retry import RetryingChat
from memorybank.settings.llm import AGENTS, HAND, AgentName, LLMSettings


def build_chats(settings: LLMSettings, cache_path: Path | None) -> Chats:
    """The model of each role; roles with the same provider, address, model and key share one.

    Raises InputError that says what to set when the model of any role cannot be asked.
    """
    settings.check_roles()
    built: dict[tuple[str, ...], ChatModel] = {}
    own: dict[AgentName, ChatModel] = {}
    for role in AGENTS:
        asked = settings.of_role(role)
        key = (asked.provider, asked.endpoint, asked.model_name, asked.api_key)
        if key not in built:
            built[key] = build_chat(asked, cache_path)
        own[role] = built[key]
    return Chats(own["planning"], own)


def build_chat(settings: LLMSettings, cache_path: Path | None) -> ChatModel:
    """The one place that decides what speaks to a provider. Nothing is sent yet; the client gets ready meanwhile.

    Without a path, or with `settings.cache` off, every question is asked.
    Raises InputError that says what to set when the model cannot be asked.
    """
    settings.check()
    if settings.provider == HAND:  # a person is neither retried nor answered for from a cache
        return MeteredChat(HandChat(settings.hand_dir))
    client = OpenAIChat(settings)
    client.prepare()
    chat: ChatModel = RetryingChat(client, settings.attempts)
    if settings.cache and cache_path is not None:
        chat = CachedChat(chat, cache_path, endpoint=settings.endpoint)
    return MeteredChat(chat)
