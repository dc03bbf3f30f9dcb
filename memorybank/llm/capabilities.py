"""What a server can do, learnt from what it refuses: OpenAI, DeepSeek, llama.cpp, vLLM, TGI, Ollama, LM Studio.

A server is asked as if it could do everything. When it refuses, its words say what it lacks; the request is asked again
without that, and every later one is asked so from the start.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import NamedTuple

from memorybank.llm.base import ChatRequest, Mode


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
    """Of one answer."""
    context: int | None = None
    """Tokens of prompt and answer together."""
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


def _compiled(*patterns: str) -> tuple[re.Pattern[str], ...]:
    return tuple(re.compile(pattern, re.IGNORECASE) for pattern in patterns)


_REFUSAL_RE = re.compile(
    r"unsupported|support|unavailable|unknown|unrecogni[sz]ed|unexpected|not permitted|not allowed|forbidden|invalid"
    r"|must be|should be|cannot|only|requires?\b|extra|does not|is not|isn't|failed to|at most|fail|missing"
    r"|不支持|无效|未知|不可用|不允许|错误",
    re.IGNORECASE,
)
_IMAGE_RE = re.compile(
    r"image|vision|multi-?modal|mmproj|valid string|content must be a string|content type|图片|图像", re.IGNORECASE
)
_THIS_IMAGE_RE = re.compile(
    r"decod|corrupt|too (?:large|big|small|many)|resolution|dimension|pixel|(?<!response_)format|base64|exceeds"
    r"|(?:could not|failed to|cannot|unable to) (?:read|load|open|process)|invalid image",
    re.IGNORECASE,
)
_TOOLS_RE = re.compile(r"\btools?\b|tool[ _-]choice|tool use|function.?call|--jinja|工具", re.IGNORECASE)
_SCHEMA_RE = re.compile(
    r"response_?format|json_?schema|json_?object|json mode|grammar|schema|guided|structured output", re.IGNORECASE
)
_BOUNDS_RE = re.compile(
    r"(?:min|max)(?:Length|Items)|minimum|maximum|exclusiveM\w+|multipleOf|\bpattern\b|\bformat\b(?!_)|uniqueItems"
)
_THIS_SCHEMA_RE = re.compile(
    r"invalid schema|schema conversion|convert|parse grammar|failed to (?:parse|initiali[sz]e|compile)|too complex"
    r"|unsupported schema|failed to generate json|json_validate_failed",
    re.IGNORECASE,
)
_TOKENS_RE = re.compile(r"max_tokens|max_completion_tokens", re.IGNORECASE)
_SYSTEM_RE = re.compile(r"system (?:role|message|prompt)s?|role.{0,20}system|developer instruction", re.IGNORECASE)
_MOST_RES = _compiled(
    r"at most (\d+) (?:completion |output )?tokens",
    r"max_(?:completion_)?tokens\D{0,60}?\[\d+, ?(\d+)\]",
    r"max_(?:completion_)?tokens\D{0,60}?(?:<=|less than(?: or equal to)?|up to|maximum(?: of| is)?)\D{0,5}(\d+)",
)


def _number(patterns: tuple[re.Pattern[str], ...], words: str) -> int | None:
    for pattern in patterns:
        if match := pattern.search(words):
            return int(next(filter(None, match.groups())))
    return None


def learn(known: Capabilities, request: ChatRequest, words: str, *, broke: bool = False) -> Lesson | None:
    """Learn from a refusal of a request sent with `known`; None when it teaches nothing (new).

    `broke`: the refusal came as a 5xx, as llama.cpp's do; then only what is named without doubt is believed.
    """
    if not _REFUSAL_RE.search(words):
        return None
    if request.tools and known.tools and _TOOLS_RE.search(words):
        return Lesson(replace(known, tools=False), "the server takes no native tools: described in words")
    if lesson := _learn_schema(known, request, words):
        return lesson
    return None if broke else _learn_options(known, request, words)


def refuses_images(request: ChatRequest, words: str) -> bool:
    sent = any(message.images for message in request.messages)
    return bool(sent and _IMAGE_RE.search(words) and _REFUSAL_RE.search(words))


def blames_this_image(words: str) -> bool:
    """Whether one image is refused (broken, too large, of an unknown format) rather than images as such."""
    return _THIS_IMAGE_RE.search(words) is not None


def _learn_schema(known: Capabilities, request: ChatRequest, words: str) -> Lesson | None:
    mode = known.mode_for(request)
    if mode == "text" or not _SCHEMA_RE.search(words):
        return None
    if mode == "json":
        return Lesson(replace(known, mode="text"), "the server takes no JSON mode: asked in words")
    if known.bounds and _BOUNDS_RE.search(words):
        return Lesson(replace(known, bounds=False), "the server takes no bounds in schemas: left out")
    if _THIS_SCHEMA_RE.search(words):
        refused = known.refused_schemas | {request.schema_name}
        note = f"the server cannot take the schema {request.schema_name!r}: asked in words"
        return Lesson(replace(known, refused_schemas=refused), note)
    return Lesson(replace(known, mode="json"), "the server takes no JSON schema: asked in JSON mode")


def _learn_options(known: Capabilities, request: ChatRequest, words: str) -> Lesson | None:
    most = _number(_MOST_RES, words)
    if most and most < min(request.max_tokens, known.most_tokens or request.max_tokens + 1):
        return Lesson(
            replace(known, most_tokens=most), f"the server answers with at most {most} tokens: lowered to that"
        )
    if _TOKENS_RE.search(words) and (lesson := _learn_limit_name(known, words)):
        return lesson
    if known.temperature and "temperature" in words.lower():
        return Lesson(replace(known, temperature=False), "the model takes no temperature: left out")
    if known.top_p and re.search(r"top_?p\b", words, re.IGNORECASE):
        return Lesson(replace(known, top_p=False), "the model takes no top_p: left out")
    if known.stop and request.stop and re.search(r"\bstop\b", words, re.IGNORECASE):
        return Lesson(replace(known, stop=False), "the model takes no stop words: the answer is cut here")
    if known.system and _SYSTEM_RE.search(words):
        return Lesson(replace(known, system=False), "the model takes no system message: put before the first question")
    return None


def _learn_limit_name(known: Capabilities, words: str) -> Lesson | None:
    named = re.findall(r"max_tokens|max_completion_tokens", words.lower())
    if known.completion_tokens or named[0] != "max_tokens":
        return None
    return Lesson(
        replace(known, completion_tokens=True), "the model takes no max_tokens: sent as max_completion_tokens"
    )
