"""The abilities of a language model: what its server says of it, and for the rest one small question each.

Each ability is a fact: a name and a value, which is a number or a key of the words that say it (`settings.fact.…`).
"""

from __future__ import annotations

import io
from collections.abc import Iterator

from PIL import Image

from memorybank.errors import EndpointError
from memorybank.llm.base import ChatMessage, ChatRequest, ImagePart, ToolSpec
from memorybank.llm.client import OpenAIChat
from memorybank.llm.faults import ImagesRefusedError
from memorybank.settings.llm import LLMSettings

Fact = tuple[str, str]

YES, NO, UNKNOWN = "settings.fact.yes", "settings.fact.no", "settings.fact.unknown"
_READY = 'Reply with this JSON and nothing else: {"ready": true}'
_SCHEMA = {
    "type": "object",
    "properties": {"ready": {"type": "boolean"}},
    "required": ["ready"],
    "additionalProperties": False,
}
_TOOL = ToolSpec(
    name="temperature",
    description="The temperature in a city, in degrees.",
    parameters={"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]},
)
_CALL = "Call the tool `temperature` for the city Lima."
_COLOUR = "Which colour fills this image? Answer with one word."
_RED = ("red", "红")
_SIDE = 64
"""Pixels; there are models that take no smaller image."""


def abilities(chat: OpenAIChat, settings: LLMSettings, notes: list[str]) -> Iterator[Fact]:
    """Facts as they are found out; what had to be done on the way is added to the notes, a line each.

    Raises AttemptError when not even the first question is answered.
    """
    reply = chat.complete(_request(_READY, schema=_SCHEMA, schema_name="ready"))
    notes += reply.notes
    yield "answers", f"settings.fact.mode_{reply.mode}"
    card = chat.card
    yield "context", f"{card.context:,}" if card.context else UNKNOWN
    if card.most_context and card.most_context > (card.context or 0):
        option = f" ({settings.context_option})" if settings.context_option else ""
        yield "most_context", f"{card.most_context:,}{option}"
    yield "tools", _known(card.tools) or _tools(chat, notes)
    if settings.vision:
        yield "images", _known(card.images) or _images(chat)
    else:
        yield "images", "settings.fact.vision_off"
    yield "counting", YES if reply.usage.measured else "settings.fact.estimated"
    yield "tokens", f"{reply.usage.input_tokens:,} + {reply.usage.output_tokens:,}"


def _known(able: bool | None) -> str:
    return "" if able is None else YES if able else NO


def _tools(chat: OpenAIChat, notes: list[str]) -> str:
    """Whether it calls a tool that it is asked to call."""
    try:
        reply = chat.complete(_request(_CALL, tools=(_TOOL,)))
    except EndpointError:
        return UNKNOWN
    notes += reply.notes
    if not chat.capabilities.tools:
        return NO
    return YES if reply.tool_calls else "settings.fact.tools_unused"


def _images(chat: OpenAIChat) -> str:
    """Whether it sees the colour of an image: a server may take one and leave it aside."""
    picture = io.BytesIO()
    Image.new("RGB", (_SIDE, _SIDE), (255, 0, 0)).save(picture, "PNG")
    shown = ImagePart(data=picture.getvalue(), media_type="image/png")
    try:
        reply = chat.complete(_request(_COLOUR, images=(shown,)))
    except ImagesRefusedError:
        return NO
    except EndpointError:
        return UNKNOWN
    return YES if any(word in reply.text.lower() for word in _RED) else "settings.fact.images_unseen"


def _request(text: str, images: tuple[ImagePart, ...] = (), **fields: object) -> ChatRequest:
    message = ChatMessage(role="user", content=text, images=images)
    # A model that thinks first needs the tokens.
    return ChatRequest(messages=(message,), temperature=0.0, max_tokens=512, **fields)  # type: ignore[arg-type]
