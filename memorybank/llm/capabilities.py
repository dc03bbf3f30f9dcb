"""The abilities of a server, learnt from what it refuses: OpenAI, DeepSeek, llama.cpp, vLLM, TGI, Ollama, LM Studio.

A server is asked as if it could do everything. When it refuses, its words say what it lacks; the request is asked again
without that, and every later one is asked so from the start.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
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
    most = _number(_MOST, words)
    if most and most < min(request.max_tokens, known.most_tokens or request.max_tokens + 1):
        return Lesson(
            replace(known, most_tokens=most), f"the server answers with at most {most} tokens: lowered to that"
        )
    named = _TOKENS_RE.search(words)
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
    if known.system and _SYSTEM_RE.search(words):
        return Lesson(replace(known, system=False), "the model takes no system message: put before the first question")
    return None


# -- a prompt that is too long, known by the form of what a server says: something is of a size, and that is too much --

# Of the numbers in it the limit is the one that stands behind a word for most, or in front of one; not what was sent,
# by how much it was exceeded, a code, or a count of anything but tokens.


_ANSWER_RE = re.compile(
    r"max_(?:completion_|new_|output_)?tokens|(?:completion|output|response|generated|new|answer)[ _-]tokens?", re.I
)
"""Words on the limit of the answer, which is not that of the prompt."""
_CONTEXT_RE = re.compile(r"context[ _-]?(?:length|size|window|limit)|exceed_context|n_ctx|max_?seq_?len|上下文", re.I)
_SIZE_RE = re.compile(
    r"\bcontext\b|tokens?\b|(?:prompt|inputs?|messages?|conversation|request|sequence)\b[^.]{0,40}?"
    r"(?:long|large|length|size|exceed|big)|length of (?:your|the) \w+|输入|提示|词元|内容|请求",
    re.I,
)
_TOO_MUCH_RE = re.compile(
    r"exceed|\d ?> ?\d|\bover the|too (?:long|large|many|big)|(?:long|larg|great|bigg)er than|more than|overflow|limit"
    r"|maximum|\bmax|at most|less than|<=|(?:length|size|tokens?) (?:must|should) be|reduce|shorten"
    r"|超过|超出|[过太]长|最大|上限|限制",
    re.I,
)
_OTHER_RE = re.compile(
    r"image|picture|pixel|\btools?\b|function|schema|temperature|top_p|\bstop\b|auth|credential|api.?key|expire|图片",
    re.I,
)
_RATE_RE = re.compile(r"per (?:second|minute|hour|day)|rate.?limit|quota|\b[TR]PM\b|每分钟|频率", re.I)

_NUMBER_RE = re.compile(r"(?<![\w.,#-])(\d{1,3}(?:[,_]\d{3})+|\d{2,9}|\d{1,4}(?=k\b))(k\b)?(?![\w-]|[.,]\d)", re.I)
_MOST_BEFORE_RE = re.compile(
    r"(?:max|limit|allow|support|up to|at most|less than|<=|>|\bonly|context[ _-](?:length|size|window)|n_ctx|seq_?len"
    r"|exceed|(?:long|larg|great|bigg)er than|more than|最大|上限|限制|超过|上下文)[^\d.。;；]{0,30}$|\[\d+, ?$",
    re.I,
)
_MOST_AFTER_RE = re.compile(r"\s*(?:tokens?\s*)?(?:maximum|max\b|limit|context)", re.I)
_NOT_BEFORE_RE = re.compile(r"(?:\bby(?: about| at least)?|code|status|http|error|\bid|over|超出)\W*$", re.I)
_OTHER_UNIT_RE = re.compile(
    r"\s*(?:%|bytes?|[kmg]i?b\b|char|requests?|messages|images?|seconds?|s\b|ms\b|字[符节]|次|张|条)", re.I
)
_PROMPT_RE = re.compile(
    r"n_prompt_tokens\W{1,3}(\d+)|(\d+) in the messages|messages resulted in (\d+)|(\d+) (?:input|prompt) tokens"
    r"|request \((\d+) tokens|Given: (\d+)",
    re.I,
)
_SUM_RE = re.compile(r"total|complet|output|requested|answer|max_", re.I)


def is_overflow(words: str) -> bool:
    """Whether a server says that the prompt is too long for it."""
    words = _ANSWER_RE.sub("", words)
    if _RATE_RE.search(words):
        return False
    if _CONTEXT_RE.search(words):
        return True
    return bool(_SIZE_RE.search(words) and _TOO_MUCH_RE.search(words)) and not _OTHER_RE.search(words)


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
    if named := _PROMPT_RE.search(words):
        return int(next(filter(None, named.groups())))
    limit = window_in(words)
    if limit is None or _SUM_RE.search(words):
        return None
    return next((number for number, most in _numbers(words) if not most and number > limit), None)


def _numbers(words: str) -> Iterator[tuple[int, bool]]:
    """Yield the numbers, and whether each is said to be the most that is taken."""
    words = _ANSWER_RE.sub("", words)
    found = list(_NUMBER_RE.finditer(words))
    for match in found:
        before, after = words[max(0, match.start() - 60) : match.start()], words[match.end() : match.end() + 30]
        most = bool(_MOST_BEFORE_RE.search(before) or _MOST_AFTER_RE.match(after))
        if _NOT_BEFORE_RE.search(before) or _OTHER_UNIT_RE.match(after):
            most = False
        elif before.endswith(("(", "[")) and len(found) == 1 and "token" not in (before + after[:10]).lower():
            most = False  # a code in brackets
        yield int(re.sub(r"\D", "", match[1])) * (1000 if match[2] else 1), most
