"""Requests and clients for the tests of `memorybank.llm`."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from memorybank.llm.base import ChatMessage, ChatRequest
from memorybank.llm.client import OpenAIChat
from memorybank.settings.llm import LLMSettings
from memorybank_lab.scripted import ScriptedServer

KEY = "sk-proj-Zq7mXw29LtRb4VhN8sKd3pYc"


def settings(server: ScriptedServer | str, **more: Any) -> LLMSettings:
    address = server if isinstance(server, str) else server.base_url
    return LLMSettings(**{"base_url": address, "model": "scripted", "api_key": KEY, "timeout": 5.0, **more})


@contextmanager
def client(server: ScriptedServer | str, **more: Any) -> Iterator[OpenAIChat]:
    chat = OpenAIChat(settings(server, **more))
    try:
        yield chat
    finally:
        chat.close()


def ask(text: str = "What is the capital of Peru?", **more: Any) -> ChatRequest:
    return ChatRequest(messages=(ChatMessage(role="user", content=text),), **more)


def threads(prefix: str = "memorybank") -> list[str]:
    return [thread.name for thread in threading.enumerate() if thread.name.startswith(prefix)]
