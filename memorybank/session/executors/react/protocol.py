"""The protocol by which tools are declared and their results come back: as text, or by the endpoint's tool calling.

One round may see both: a model that answers natively also writes `<tool_call>` blocks when its server has no parser for
them. So each result goes back the way its call came.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from memorybank.language.text import encodable
from memorybank.llm.base import ChatMessage, ChatReply, ImagePart, ToolCall, ToolSpec
from memorybank.llm.words import flat
from memorybank.memory.types import Lang, StagedImage, Value
from memorybank.prompts import say
from memorybank.prompts.tags import block, neutralise
from memorybank.prompts.templates import render, render_parts
from memorybank.session.executors.react.conversation import Conversation
from memorybank.session.executors.react.parsing import ParsedCall
from memorybank.tools.base import Tool

Refusal = Literal["context", "images", "tools"]
_REFUSED: Mapping[Refusal, re.Pattern[str]] = {
    "context": re.compile(r"context|too many tokens|too long|上下文", re.IGNORECASE),
    "images": re.compile(r"image|vision|multi-?modal|mmproj|图片|图像", re.IGNORECASE),
    "tools": re.compile(r"\btools?\b|tool_|function.?call|工具", re.IGNORECASE),
}


def refusals(error: str) -> tuple[Refusal, ...]:
    """Guesses what an endpoint refused, likeliest first, from the words of its error."""
    return tuple(refused for refused, words in _REFUSED.items() if words.search(error))


def system_prompt(tools: Iterable[Tool], lang: Lang, *, native: bool, images: Sequence[StagedImage]) -> str:
    """Return the agent's instructions: with the tools where no endpoint declares them, with how to read images."""
    told = ((tool, tool.parameters.get("properties", {})) for tool in tools)  # one without a default is required
    each = ({"name": tool.name, "description": tool.description, "arguments": arguments} for tool, arguments in told)
    declared = "\n".join(json.dumps(one, ensure_ascii=False) for one in each)
    instructions = render("react", lang, native=native, tools=declared, images=bool(images))
    reading = render_parts("vision", lang, goal="", images=images).system if images else ""
    return "\n\n".join(part for part in (instructions, reading) if part)


def tool_specs(tools: Iterable[Tool]) -> tuple[ToolSpec, ...]:
    return tuple(ToolSpec(name=tool.name, description=tool.description, parameters=tool.parameters) for tool in tools)


def specs_text(specs: Iterable[ToolSpec]) -> str:
    """Writes the tools about as an endpoint adds them to the prompt, so that their tokens can be counted."""
    return "\n".join(f"{spec.name} {spec.description} {json.dumps(dict(spec.parameters))}" for spec in specs)


def storable(reply: ChatReply, turn: int) -> ChatReply:
    """Make a reply fit to be kept: with an id for each native call (some servers give none, or the same twice), and
    without halves of surrogate pairs, which JSON can spell and UTF-8 cannot.
    """
    ids = [call.id for call in reply.tool_calls]
    told_apart = all(ids) and len(set(ids)) == len(ids)
    calls = tuple(
        ToolCall(
            id=call.id if told_apart else f"call_{turn}_{place}",
            name=encodable(call.name),
            arguments=encodable(call.arguments),
        )
        for place, call in enumerate(reply.tool_calls)
    )
    return replace(reply, text=encodable(reply.text), reasoning=encodable(reply.reasoning), tool_calls=calls)


@dataclass(frozen=True, slots=True, kw_only=True)
class Observed(Value):
    """The outcome of one call. The text is data from outside, whole and as it came."""

    call: ParsedCall
    text: str
    images: tuple[tuple[str, ImagePart], ...] = ()
    """Pairs of a name and an image."""
    takes_offset: bool = False
    """The tool goes on where it is told to, so the rest can be asked for."""


def deliver(conversation: Conversation, results: Sequence[Observed], room: int, lang: Lang) -> list[Observed]:
    """Put results into the conversation, within `room` tokens in all. Returns those that had to be shortened.

    Each has its share; what one leaves over goes to those behind it.
    """
    texts: list[str] = []
    shortened: list[Observed] = []
    for place, result in enumerate(results):
        text = _within(conversation, result, room // (len(results) - place), lang)
        if text is not result.text:
            shortened.append(result)
        room = max(0, room - conversation.cost(text))
        texts.append(text)
    in_text: list[str] = []
    for result, text in zip(results, texts, strict=True):
        if result.call.id:
            message = ChatMessage(role="tool", content=neutralise(text) or "-", tool_call_id=result.call.id)
            conversation.add(message)
        else:
            name = {"name": result.call.name} if len(results) > 1 and result.call.name.isidentifier() else None
            in_text.append(block("tool_response", text, name))
    images = [image for result in results for image in result.images]
    if images:  # a tool's message cannot carry images
        in_text.append(say("images_shown", lang, names=", ".join(neutralise(name) for name, _ in images)))
    if in_text:
        parts = tuple(part for _, part in images)
        message = ChatMessage(role="user", content="\n".join(in_text), images=parts)
        conversation.add(message, images=[name for name, _ in images])
    return shortened


def _within(conversation: Conversation, result: Observed, room: int, lang: Lang) -> str:
    """Return the text when it fits, else its beginning, how much is missing, and how to get the rest."""
    text = result.text
    cost = conversation.cost(text)
    if cost <= room:
        return text
    note = _note(result, 0, lang)
    shown = int(len(text) * max(0, room - conversation.cost(note)) / cost)
    shown = max(text.rfind(mark, shown // 2, shown) + 1 for mark in ("\n", ". ", "。")) or shown
    return f"{text[:shown].rstrip()}\n{_note(result, shown, lang)}".lstrip()


def _note(result: Observed, shown: int, lang: Lang) -> str:
    call, total = result.call, len(result.text)
    tool = neutralise(call.name)
    if result.takes_offset:
        rest = say("rest_offset", lang, tool=tool, offset=_offset(call.arguments) + shown)
    else:
        rest = say("rest_again", lang, tool=tool)
    return say("result_shortened", lang, left=total - shown, total=total, rest=rest)


def _offset(arguments: Mapping[str, object]) -> int:
    offset = arguments.get("offset", 0)
    return offset if isinstance(offset, int) and offset > 0 else 0


def as_text(messages: Iterable[ChatMessage]) -> tuple[ChatMessage, ...]:
    """Return a conversation with its native calls and results written as blocks, for a request that declares no tools.

    Servers differ in whether they take a tool's message without its tool; all of them take text.
    """
    written: list[ChatMessage] = []
    for message in map(flat, messages):
        if written and message.role == written[-1].role == "user":
            before = written.pop()
            content, images = f"{before.content}\n\n{message.content}", before.images + message.images
            message = replace(message, content=content, images=images)
        written.append(message)
    return tuple(written)


def without_images(results: Iterable[Observed]) -> tuple[Observed, ...]:
    return tuple(replace(result, images=()) for result in results)
