"""The sentences that the studio writes into prompts, tables and reasons, in each language. They are strict."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from pydantic import BaseModel

from memorybank.llm.base import ChatMessage, ChatRequest
from memorybank.memory.types import Lang
from memorybank.prompts.lexicon import load


def joined(names: Iterable[str], lang: Lang) -> str:
    """Return several names as a list in a sentence."""
    return ("、" if lang == "zh" else ", ").join(names)


def say(key: str, lang: Lang, /, **values: object) -> str:
    """Return the sentence `key`, its `{places}` filled. Values are data: braces in them mean nothing."""
    return str(load(__package__, f"wording.{lang}")[key].format_map(values))


def cut(text: str, most: int) -> str:
    """Shorten a text to at most so many characters, lines as they are; what was cut off shows as `…`."""
    return text if len(text) <= most else f"{text[: most - 1]}…"


def request_of(
    system: str, user: str, schema_name: str, *, max_tokens: int, temperature: float = 0.1, top_p: float = 0.8
) -> ChatRequest:
    """Return a request that stands by itself, without a conversation before it."""
    messages = (ChatMessage(role="system", content=system), ChatMessage(role="user", content=user))
    return ChatRequest(
        messages=messages, temperature=temperature, top_p=top_p, max_tokens=max_tokens, schema_name=schema_name
    )


def asked_again(request: ChatRequest, answer: BaseModel, words: str) -> ChatRequest:
    """Return a request with the answer that it got, and what is wanted beside that."""
    again = (ChatMessage(role="assistant", content=answer.model_dump_json()), ChatMessage(role="user", content=words))
    return replace(request, messages=(*request.messages, *again))
