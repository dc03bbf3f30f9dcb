"""A language model's abilities are found out by a few small questions to its endpoint.

`ask_llm` blocks for at most `TIMEOUT` seconds and never raises what an endpoint can cause: what went wrong is part of
the answer.
"""

from __future__ import annotations

import io
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass, field, replace

from PIL import Image

from memorybank import calls
from memorybank.calls import Cancelled
from memorybank.errors import EndpointError, MemoryBankError
from memorybank.llm.base import ChatMessage, ChatRequest, ImagePart, ToolSpec
from memorybank.llm.client import OpenAIChat
from memorybank.llm.faults import AttemptError, ImagesRefusedError, host_of
from memorybank.llm.listing import listed_models, with_model
from memorybank.settings.llm import HAND, LLMSettings

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
"""The width and height of the image in pixels; there are models that take no smaller one."""


def abilities(chat: OpenAIChat, settings: LLMSettings, notes: list[str]) -> Iterator[Fact]:
    """Yield the facts as they are found out; what had to be done on the way is added to the notes, a line each.

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
    """Say whether the model calls a tool that it is asked to call."""
    try:
        reply = chat.complete(_request(_CALL, tools=(_TOOL,)))
    except EndpointError:
        return UNKNOWN
    notes += reply.notes
    if not chat.capabilities.tools:
        return NO
    return YES if reply.tool_calls else "settings.fact.tools_unused"


def _images(chat: OpenAIChat) -> str:
    """Say whether the model sees the colour of an image: a server may take one and leave it aside."""
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


TIMEOUT = 60.0
"""The seconds for the whole check, whatever the settings allow a question: a large local model is loaded in them."""

LISTED = 12
"""The most models of a server that are named where the one that was asked for is not there."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Health:
    """The outcome of a few small questions to a model."""

    name: str
    """The name of the model that was asked."""
    host: str
    seconds: float
    facts: tuple[tuple[str, str], ...] = ()
    """The abilities: `settings.fact.<name>` names each; its value is text, or a key of one."""
    notes: tuple[str, ...] = ()
    """The lines on what had to be done to get the answer."""
    problem: MemoryBankError | None = None


def ask_llm(settings: LLMSettings, timeout: float = TIMEOUT) -> Health:
    """Ask one model what it can do (`abilities`), without the answer cache; a role's own model by its own settings."""
    findings = Findings(name=settings.model or settings.provider)

    def ask() -> None:
        if settings.provider == HAND:
            findings.facts.append(("answers", "settings.fact.by_hand"))
            return
        findings.host = host_of(settings.endpoint)
        settings.check()
        once, chosen = with_model(replace(settings, timeout=min(timeout, settings.timeout), attempts=1))
        findings.name = once.model_name
        findings.facts += [("chosen", "settings.fact.first_listed")] if chosen else []
        with closing(OpenAIChat(once, thread_name="memorybank-check")) as chat:
            try:
                for fact in abilities(chat, once, findings.notes):
                    findings.facts.append(fact)
            except AttemptError as error:
                if error.status == 404 and (listed := listed_models(once)):
                    findings.facts.append(("listed", ", ".join(listed[:LISTED])))
                raise

    return _health(findings, ask, timeout, f"LLM_BASE_URL{settings.suffix}")


@dataclass(slots=True)
class Findings:
    """The findings so far, which stand when the time is over."""

    name: str
    host: str = ""
    facts: list[tuple[str, str]] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


def _health(findings: Findings, ask: Callable[[], None], timeout: float, variable: str) -> Health:
    """Ask within the time; `variable` sets the endpoint, and is named when it does not answer."""
    began, end = time.perf_counter(), time.monotonic() + timeout
    problem: MemoryBankError | None = None
    try:
        with calls.watch(lambda: time.monotonic() > end):
            ask()
    except Cancelled:
        if findings.facts:
            findings.facts.append(("unasked", "settings.fact.no_time"))
        else:
            problem = EndpointError("llm.no_answer_in_time", host=findings.host, seconds=timeout, variable=variable)
    except MemoryBankError as error:
        problem = error
    return Health(
        name=findings.name,
        host=findings.host,
        seconds=time.perf_counter() - began,
        facts=tuple(findings.facts),
        notes=tuple(findings.notes),
        problem=problem,
    )
