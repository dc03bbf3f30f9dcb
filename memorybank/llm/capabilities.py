"""The abilities of a server, learnt from what it refuses: OpenAI, DeepSeek, llama.cpp, vLLM, TGI, Ollama, LM Studio.

A server is asked as if it could do everything. When it refuses, its words say what it lacks; the request is asked again
without that, and every later one is asked so from the start.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import NamedTuple

from memorybank.llm.base import ChatRequest, Mode
from memorybank.prompts.lexicon import load


@dataclass(frozen=True, slots=True, kw_only=True)
class Capabilities:
    mode: Mode = "schema"
    bounds: bool = True
    """Schemas may bound lengths and numbers (`maxLength`, `minimum` …)."""
    obeys: bool = True
    """False: it takes a schema and answers in prose all the same, so the schema is put into words too."""
    refused_schemas: frozenset[str] = frozenset()
    """Names of schemas that its grammar cannot take; those are asked for in words."""
    completion_tokens: bool = False
    """The answer's limit is called `max_completion_tokens`, not `max_tokens`."""
    most_tokens: int | None = None
    """The most tokens of one answer that the server takes."""
    context: int | None = None
    """The most tokens of prompt and answer together."""
    sums: bool = False
    """It refuses when prompt and `max_tokens` together exceed the context, instead of stopping there."""
    temperature: bool = True
    top_p: bool = True
    stop: bool = True
    system: bool = True
    tools: bool = True
    images: bool = True

    def mode_for(self, request: ChatRequest) -> Mode:
        if request.schema is None or request.schema_name in self.refused_schemas:
            return "text"
        return self.mode


class Lesson(NamedTuple):
    known: Capabilities
    note: str


@cache
def _re(name: str) -> re.Pattern[str]:
    """Return what servers say of a thing, in any case of letters; a list of alternatives in capabilities.yaml."""
    return re.compile("|".join(load(__package__, "capabilities")[name]), re.IGNORECASE)


_MOST = (
    r"at most (\d+) (?:completion |output )?tokens",
    r"max_(?:completion_)?tokens\D{0,60}?\[\d+, ?(\d+)\]",
    r"max_(?:completion_)?tokens\D{0,60}?(?:<=|less than(?: or equal to)?|up to|maximum(?: of| is)?)\D{0,5}(\d+)",
)


def _number(patterns: Sequence[str], words: str) -> int | None:
    for pattern in patterns:
        if match := re.search(pattern, words, re.IGNORECASE):
            return int(next(filter(None, match.groups())))
    return None


def learn(known: Capabilities, request: ChatRequest, words: str, *, broke: bool = False) -> Lesson | None:
    """Learn from a refusal of a request sent with `known`; None when it teaches nothing (new).

    `broke`: the refusal came as a 5xx, as llama.cpp's do; then only what is named without doubt is believed.
    """
    if not _re("refusal").search(words):
        return None
    if request.tools and known.tools and _re("tools").search(words):
        return Lesson(replace(known, tools=False), "the server takes no native tools: described in words")
    if lesson := _learn_schema(known, request, words):
        return lesson
    return None if broke else _learn_options(known, request, words)


def refuses_images(request: ChatRequest, words: str) -> bool:
    sent = any(message.images for message in request.messages)
    return bool(sent and _re("image").search(words) and _re("refusal").search(words))


def blames_this_image(words: str) -> bool:
    """Whether one image is refused (broken, too large, of an unknown format) rather than images as such."""
    return _re("this_image").search(words) is not None


def _learn_schema(known: Capabilities, request: ChatRequest, words: str) -> Lesson | None:
    mode = known.mode_for(request)
    if mode == "text" or not _re("schema").search(words):
        return None
    if mode == "json":
        return Lesson(replace(known, mode="text"), "the server takes no JSON mode: asked in words")
    if known.bounds and _re("bounds").search(words):
        return Lesson(replace(known, bounds=False), "the server takes no bounds in schemas: left out")
    if _re("this_schema").search(words):
        refused = known.refused_schemas | {request.schema_name}
        note = f"the server cannot take the schema {request.schema_name!r}: asked in words"
        return Lesson(replace(known, refused_schemas=refused), note)
    return Lesson(replace(known, mode="json"), "the server takes no JSON schema: asked in JSON mode")


def _learn_options(known: Capabilities, request: ChatRequest, words: str) -> Lesson | None:
    most = _number(_MOST, words)
    if most and most < min(request.max_tokens, known.most_tokens or request.max_tokens + 1):
        return Lesson(
            replace(known, most_tokens=most), f"the server answers with at most {most} tokens: lowered to that"
        )
    named = _re("tokens").search(words)
    if named and named[0].lower() == "max_tokens" and not known.completion_tokens:
        return Lesson(
            replace(known, completion_tokens=True), "the model takes no max_tokens: sent as max_completion_tokens"
        )
    if known.temperature and "temperature" in words.lower():
        return Lesson(replace(known, temperature=False), "the model takes no temperature: left out")
    if known.top_p and re.search(r"top_?p\b", words, re.IGNORECASE):
        return Lesson(replace(known, top_p=False), "the model takes no top_p: left out")
    if known.stop and request.stop and re.search(r"\bstop\b", words, re.IGNORECASE):
        return Lesson(replace(known, stop=False), "the model takes no stop words: the answer is cut here")
    if known.system and _re("system").search(words):
        return Lesson(replace(known, system=False), "the model takes no system message: put before the first question")
    return None


# -- a prompt that is too long, known by the form of what a server says: something is of a size, and that is too much --

# Of the numbers in it the limit is the one that stands behind a word for most, or in front of one; not what was sent,
# by how much it was exceeded, a code, or a count of anything but tokens.


def is_overflow(words: str) -> bool:
    """Whether a server says that the prompt is too long for it."""
    words = _re("answer").sub("", words)
    if _re("rate").search(words):
        return False
    if _re("context").search(words):
        return True
    return bool(_re("size").search(words) and _re("too_much").search(words)) and not _re("other").search(words)


def window_in(words: str, sent: int | None = None) -> int | None:
    """Return the context's size in a server's words on a prompt that is too long.

    `sent`: tokens of prompt and answer by our own count; a limit far above them is not what they ran into.
    """
    if not is_overflow(words):
        return None
    limits = (number for number, most in _numbers(words) if most)
    return next((limit for limit in limits if sent is None or limit <= 2 * sent), None)


def prompt_in(words: str) -> int | None:
    """Return how many tokens the server counted in the prompt."""
    if named := _re("prompt").search(words):
        return int(next(filter(None, named.groups())))
    limit = window_in(words)
    if limit is None or _re("sum").search(words):
        return None
    return next((number for number, most in _numbers(words) if not most and number > limit), None)


def _numbers(words: str) -> Iterator[tuple[int, bool]]:
    """Yield the numbers, and whether each is said to be the most that is taken."""
    words = _re("answer").sub("", words)
    found = list(_re("number").finditer(words))
    for match in found:
        before, after = words[max(0, match.start() - 60) : match.start()], words[match.end() : match.end() + 30]
        most = bool(_re("most_before").search(before) or _re("most_after").match(after))
        if _re("not_before").search(before) or _re("other_unit").match(after):
            most = False
        elif before.endswith(("(", "[")) and len(found) == 1 and "token" not in (before + after[:10]).lower():
            most = False  # a code in brackets
        yield int(re.sub(r"\D", "", match[1])) * (1000 if match[2] else 1), most
