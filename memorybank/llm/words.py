"""The words in the prompt for what a server takes as no parameter: the answer's schema, the tools and their use."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from memorybank.language.text import detect_lang
from memorybank.llm.base import ChatMessage, ToolSpec
from memorybank.memory.types import Lang
from memorybank.prompts.tags import neutralise

_SCHEMA: Mapping[Lang, str] = {
    "en": "Answer with one JSON object and nothing else. It must match this JSON schema:\n",
    "zh": "只回答一个 JSON 对象，不要输出其他内容。它必须符合这个 JSON Schema：\n",
}
_TOOLS: Mapping[Lang, str] = {
    "en": "You may use these tools:\n{tools}\nTo use one, write exactly:\n{form}\nand wait for the <tool_response>.",
    "zh": "你可以使用以下工具：\n{tools}\n使用工具时，严格写成：\n{form}\n然后等待 <tool_response>。",
}
_FORM = '<tool_call>\n{"name": "...", "arguments": {...}}\n</tool_call>'


def lang_of(messages: Sequence[ChatMessage]) -> Lang:
    """Return the language of the last question."""
    return detect_lang(next((message.content for message in reversed(messages) if message.role == "user"), ""))


def compact(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def add_schema(messages: Sequence[ChatMessage], schema: Mapping[str, Any]) -> tuple[ChatMessage, ...]:
    """Put the schema behind the last question of the messages; small models forget what stands far above it."""
    return _add(messages, _SCHEMA[lang_of(messages)] + compact(dict(schema)), at_end=True)


def add_tools(messages: Sequence[ChatMessage], tools: Sequence[ToolSpec]) -> tuple[ChatMessage, ...]:
    """Return the messages with the tools described before the first question, calls and results as text."""
    listed = "\n".join(
        compact({"name": tool.name, "description": tool.description, "parameters": dict(tool.parameters)})
        for tool in tools
    )
    instructions = _TOOLS[lang_of(messages)].format(tools=listed, form=_FORM)
    return _add([flat(message) for message in messages], instructions, at_end=False)


def fold_system(messages: Sequence[ChatMessage]) -> tuple[ChatMessage, ...]:
    """Fold the system message for a model without a system role: it stands before the first question."""
    instructions = "\n\n".join(message.content for message in messages if message.role == "system")
    rest = [message for message in messages if message.role != "system"]
    if not instructions:
        return tuple(rest)
    first = next((at for at, message in enumerate(rest) if message.role == "user"), None)
    if first is None:
        return (ChatMessage(role="user", content=instructions), *rest)
    rest[first] = replace(rest[first], content=f"{instructions}\n\n{rest[first].content}")
    return tuple(rest)


def _add(messages: Sequence[ChatMessage], words: str, *, at_end: bool) -> tuple[ChatMessage, ...]:
    users = [at for at, message in enumerate(messages) if message.role == "user"]
    if not users:
        return (*messages, ChatMessage(role="user", content=words))
    changed = list(messages)
    at = users[-1] if at_end else users[0]
    parts = (changed[at].content, words) if at_end else (words, changed[at].content)
    changed[at] = replace(changed[at], content="\n\n".join(parts))
    return tuple(changed)


def flat(message: ChatMessage) -> ChatMessage:
    """Return a message with its native calls, or the result that it is, written as blocks."""
    if message.role == "tool":
        body = neutralise(message.content)  # a result can neither close its block nor open a call
        return ChatMessage(role="user", content=f"<tool_response>\n{body}\n</tool_response>", images=message.images)
    if message.tool_calls:
        blocks = [
            f'<tool_call>\n{{"name": {json.dumps(call.name)}, "arguments": {call.arguments}}}\n</tool_call>'
            for call in message.tool_calls
        ]
        return replace(message, content="\n".join(filter(None, (message.content, *blocks))), tool_calls=())
    return message
