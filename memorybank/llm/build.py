"""The chat model of a session: the client, and around it retry, cache and meter, in that order."""

from __future__ import annotations

from pathlib import Path

from memorybank.llm.base import ChatModel
from memorybank.llm.cache import CachedChat
from memorybank.llm.client import OpenAIChat
from memorybank.llm.meter import MeteredChat
from memorybank.llm.retry import RetryingChat
from memorybank.settings.llm import LLMSettings


def build_chat(settings: LLMSettings, cache_path: Path | None) -> ChatModel:
    """Nothing is sent yet; the client gets ready in the background.

    Without a path, or with `settings.cache` off, every question is asked.
    Raises InputError that says what to set when the model cannot be asked.
    """
    settings.check()
    client = OpenAIChat(settings)
    client.prepare()
    chat: ChatModel = RetryingChat(client, settings.attempts)
    if settings.cache and cache_path is not None:
        chat = CachedChat(chat, cache_path, endpoint=settings.endpoint)
    return MeteredChat(chat)
