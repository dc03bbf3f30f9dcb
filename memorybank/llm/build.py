"""The chat models of a session: a client for each endpoint and model; around it retry, cache and meter."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path

from memorybank.llm.around import MeteredChat, RetryingChat
from memorybank.llm.base import ChatModel, Chats
from memorybank.llm.cache import CachedChat
from memorybank.llm.client import OpenAIChat
from memorybank.llm.hand.chat import HandChat
from memorybank.llm.listing import with_model
from memorybank.settings.llm import HAND, AgentName, LLMSettings


def build_chats(settings: LLMSettings, cache_path: Path | None) -> Chats:
    """Return the model of each role; roles with the same provider, address, model and key share one.

    Raises InputError that says what to set when the model of any role cannot be asked, AttemptError as `build_chat`.
    """
    settings.check_roles()
    own: dict[AgentName, ChatModel] = {}
    with ExitStack() as unused:
        for roles, own_settings in settings.groups.items():
            chat = build_chat(own_settings, cache_path)
            unused.callback(chat.close)
            own |= dict.fromkeys(roles, chat)
        unused.pop_all()
    return Chats(own["planning"], own)


def build_chat(settings: LLMSettings, cache_path: Path | None) -> ChatModel:
    """Return the model that speaks to a provider; only this decides it. The client gets ready in the background.

    Nothing is sent yet, unless the server has to be asked for the name of its model. Without a path, or with
    `settings.cache` off, every question is asked.
    Raises InputError that says what to set when the model cannot be asked, AttemptError when its name cannot.
    """
    settings.check()
    if settings.provider == HAND:  # a person is neither retried nor answered for from a cache
        return MeteredChat(HandChat(settings.hand_dir))
    settings, note = with_model(settings)
    client = OpenAIChat(settings, notes=(note,) if note else ())
    client.prepare()
    chat: ChatModel = RetryingChat(client, settings.attempts)
    if settings.cache and cache_path is not None:
        chat = CachedChat(chat, cache_path, endpoint=settings.endpoint)
    return MeteredChat(chat)
