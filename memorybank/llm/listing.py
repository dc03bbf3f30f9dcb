"""A server's description of itself: its models, and whether a model takes images and tools, and how much context.

vLLM and gateways say it in `/models`, llama.cpp also in `/props`, Ollama in `/api/show` and, of a model that is loaded,
in `/api/ps`. Nothing here asks a model.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from memorybank.llm.connection import Connection
from memorybank.llm.faults import AttemptError
from memorybank.llm.loop import LoopThread
from memorybank.memory.types import Value
from memorybank.settings.llm import LLMSettings

TIMEOUT = 3.0
"""The most seconds for one of these small requests."""
_CONTEXT = ("max_model_len", "context_length", "max_context_length", "context_window", "n_ctx")
"""Names of the context's size in an entry of `/models` (vLLM, OpenRouter, LM Studio, others, llama.cpp's `meta`)."""
_KIND_RE = re.compile(r"capabilit|type|task|modalit|architecture|endpoint|method|pipeline|mode$", re.IGNORECASE)
"""Names of fields in which servers say what a model does (Ollama, Mistral, Together, OpenRouter, LiteLLM, others)."""
_CHAT_RE = re.compile(r'chat|complet|\b(?:llm|vlm|lm)\b|text.?(?:generation|->text)|generate|"text"', re.IGNORECASE)
_NOT_SAID_RE = re.compile(r'"\w+": false|"input\w*": (?:\[[^]]*\]|"[^"]*")|"\w+": (?=["\[])')
"""Words that tell no use: what a model cannot do, its input, and names of fields that have a value of their own."""
_OTHER_RE = re.compile(
    r"embed|rank|whisper|speech|\btts|\basr\b|transcri|audio|voice|moderat|guard|diffusion|dall-?e|flux|image|video"
    r"|\bclip|(?:^|[/-])(?:bge|gte|e5|m3e|bce)\b|-e5-|minilm|mpnet|paraphrase|text2vec|sentence|colbert",
    re.IGNORECASE,
)
"""Words for the use, or in the name, of a model that makes vectors, sounds, pictures or judgements, not answers."""
_NUM_CTX_RE = re.compile(r"^num_ctx\s+(\d+)", re.MULTILINE)


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelCard(Value):
    """A server's description of a model; None where it says nothing."""

    context: int | None = None
    """The most tokens of prompt and answer together, as it is served."""
    most_context: int | None = None
    """The most tokens that the model was trained for, which the server could be told to serve."""
    images: bool | None = None
    tools: bool | None = None

    def filled(self, other: ModelCard) -> ModelCard:
        """Return this card, with the other's words on what this one says nothing about."""
        return ModelCard(
            context=self.context or other.context,
            most_context=self.most_context or other.most_context,
            images=other.images if self.images is None else self.images,
            tools=other.tools if self.tools is None else self.tools,
        )


async def card_of(connection: Connection) -> ModelCard:
    """Ask the server for what it says of the connection's model; a server that does not answer says nothing."""
    model = connection.endpoint.model
    card = in_models(await _answer(connection, "models"), model)
    if connection.is_ollama:
        running = in_running(await _answer(connection, "../api/ps"), model)
        load = {"model": model}  # without a prompt it is only loaded
        if running.context is None and await _answer(connection, "../api/generate", load, connection.timeout):
            running = in_running(await _answer(connection, "../api/ps"), model)
        card = card.filled(running)
        return card.filled(in_show(await _answer(connection, "../api/show", {"model": model})))
    if connection.is_loopback or connection.is_llama_cpp:
        card = card.filled(in_props(await _answer(connection, "../props")))
    return card


async def _answer(
    connection: Connection, path: str, posted: Mapping[str, str] | None = None, timeout: float = TIMEOUT
) -> Any:
    try:
        return await connection.fetch(path, timeout=timeout, posted=posted)
    except AttemptError:
        return None


def listed_models(settings: LLMSettings) -> tuple[str, ...]:
    """Return the models that the server lists, in its order. Raises AttemptError when it does not answer."""
    connection, loop = Connection(settings), LoopThread("memorybank-listing")
    try:
        return names(loop.run(lambda: connection.fetch("models", timeout=TIMEOUT)))
    finally:
        loop.close(connection.close)


def with_model(settings: LLMSettings) -> tuple[LLMSettings, str]:
    """Return the settings with a model, and a note on it: the first listed by the server that chats, where none is
    set. Raises AttemptError when the server does not answer, or lists none.
    """
    if settings.model_name:
        return settings, ""
    connection, loop = Connection(settings), LoopThread("memorybank-listing")
    try:
        chosen, count = loop.run(lambda: _first_that_chats(connection))
    finally:
        loop.close(connection.close)
    variable = connection.endpoint.variable("MODEL")
    if not chosen:
        raise AttemptError("llm.lists_no_model", host=connection.host, model_variable=variable)
    return replace(settings, model=chosen), f"{variable} is not set: {chosen}, of {count} that the server lists"


async def _first_that_chats(connection: Connection) -> tuple[str, int]:
    """Return (the first model said to chat, or not said or named to do something else, "" without; the listed)."""
    answer = await connection.fetch("models", timeout=TIMEOUT)
    listed = names(answer)
    for entry in _entries(answer, "data"):
        if (name := entry.get("id")) not in listed:
            continue
        said = chats(entry)
        if said is None and connection.is_ollama:
            said = chats(_fields(await _answer(connection, "../api/show", {"model": name})))
        if said or (said is None and not _OTHER_RE.search(name)):
            return name, len(listed)
    return "", len(listed)


def chats(entry: Mapping[str, Any]) -> bool | None:
    """Whether a server's words on a model say that it chats; None where they say nothing of it."""
    fields = json.dumps({name: value for name, value in entry.items() if _KIND_RE.search(name)})
    told = _NOT_SAID_RE.sub("", fields)
    return True if _CHAT_RE.search(told) else False if _OTHER_RE.search(told) else None


# -- how each server says it ------------------------------------------------------------------------------------------


def names(answer: Any) -> tuple[str, ...]:
    """Return the ids in an answer of `/models`."""
    ids = (entry.get("id") for entry in _entries(answer, "data"))
    return tuple(name for name in ids if isinstance(name, str) and name)


def in_models(answer: Any, model: str) -> ModelCard:
    """Read the entry of the model, or the only one there is."""
    entries = _entries(answer, "data")
    named = [entry for entry in entries if entry.get("id") == model] or (entries if len(entries) == 1 else [])
    if not named:
        return ModelCard()
    entry, meta = named[0], _fields(named[0].get("meta"))
    kinds = _fields(entry.get("architecture")).get("input_modalities")
    parameters = entry.get("supported_parameters")
    return ModelCard(
        context=_first(entry, _CONTEXT) or _first(meta, _CONTEXT),
        most_context=_first(meta, ("n_ctx_train",)),
        images="image" in kinds if isinstance(kinds, list) else None,
        tools="tools" in parameters if isinstance(parameters, list) else None,
    )


def in_props(answer: Any) -> ModelCard:
    """Read llama.cpp's `/props`. The context is that of one slot, which is what a request gets.

    A template without tools says nothing: the server puts them into words of its own.
    """
    fields = _fields(answer)
    served = _fields(fields.get("default_generation_settings"))
    images = _fields(fields.get("modalities")).get("vision")
    return ModelCard(
        context=_first(served, ("n_ctx",)) or _first(fields, ("n_ctx",)),
        images=images if isinstance(images, bool) else None,
        tools=True if _fields(fields.get("chat_template_caps")).get("supports_tools") is True else None,
    )


def in_show(answer: Any) -> ModelCard:
    """Read Ollama's `/api/show`. What a model was trained for is not what it is served with."""
    fields = _fields(answer)
    able = fields.get("capabilities")
    number = _NUM_CTX_RE.search(str(fields.get("parameters", "")))
    trained = (size for name, size in _fields(fields.get("model_info")).items() if name.endswith(".context_length"))
    return ModelCard(
        context=int(number[1]) if number else None,
        most_context=next((size for size in trained if _is_size(size)), None),
        images="vision" in able if isinstance(able, list) else None,
        tools="tools" in able if isinstance(able, list) else None,
    )


def in_running(answer: Any, model: str) -> ModelCard:
    """Read Ollama's `/api/ps`: the models that are loaded, with the context each was loaded with."""
    wanted = {model, f"{model}:latest"}
    running = (entry for entry in _entries(answer, "models") if {entry.get("name"), entry.get("model")} & wanted)
    return ModelCard(context=_first(next(running, {}), ("context_length",)))


def _entries(answer: Any, name: str) -> list[Mapping[str, Any]]:
    entries = _fields(answer).get(name)
    return [entry for entry in entries if isinstance(entry, dict)] if isinstance(entries, list) else []


def _fields(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}


def _first(fields: Mapping[str, Any], wanted: tuple[str, ...]) -> int | None:
    return next((size for name in wanted if _is_size(size := fields.get(name))), None)


def _is_size(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value > 0
