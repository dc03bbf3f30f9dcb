"""The marks of a prompt and of an answer (narrative specification, "标记格式规范").

    <task> <memory> <tool_call> <tool_response> <think> <answer> <verdict> <image id="i1">

Text from outside (memory, tools, files, models) is data: `neutralise` makes sure that nothing in it can open or close
one of these blocks. `block` is the only way to write one, and it neutralises its body.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from pydantic import ValidationError

from memorybank.contracts import StatedVerdict

TAGS = ("task", "memory", "tool_call", "tool_response", "think", "answer", "verdict", "image")

# Any bracket form that a reader, human or model, could take for one of our tags: spaces inside, full-width brackets,
# attributes, upper case, HTML entities. The bracket is replaced, the words stay readable.
_TAG_RE = re.compile(
    r"(?:<|＜|〈|&lt;|&#0*60;|&#x0*3c;)(?=[\s\u200b-\u200f\u2060\ufeff]*[/／]?[\s\u200b-\u200f\u2060\ufeff]*(?:"
    + "|".join(TAGS)
    + r")\b)",
    re.IGNORECASE,
)
_BLOCK_RE = {tag: re.compile(rf"<{tag}(?:\s[^>]*)?>(.*?)</{tag}\s*>", re.DOTALL | re.IGNORECASE) for tag in TAGS}
_IMAGE_RE = re.compile(
    r'<image\s+id="(?P<id>i\d+)"(?P<unread>\s+readable="no")?\s*>(?P<text>.*?)</image\s*>', re.DOTALL
)


def neutralise(text: str) -> str:
    """The same text with every bracket that could start one of our tags turned into `‹`."""
    return _TAG_RE.sub("‹", text)


def block(tag: str, body: str, attributes: Mapping[str, str] | None = None, *, trusted: bool = False) -> str:
    """`<tag>body</tag>`. `trusted` is for a body that was put together from neutralised parts and holds own blocks."""
    if tag not in TAGS:
        raise ValueError(f"unknown tag {tag!r}")
    marks = "".join(f' {name}="{value}"' for name, value in (attributes or {}).items())
    return f"<{tag}{marks}>\n{body if trusted else neutralise(body)}\n</{tag}>"


def blocks_of(tag: str, text: str) -> list[str]:
    """Bodies of all blocks of a kind, stripped."""
    return [match[1].strip() for match in _BLOCK_RE[tag].finditer(text)]


def answer_of(text: str) -> str:
    """The last `<answer>`, else the text without its `<think>` blocks: not every framework marks its answer."""
    answers = blocks_of("answer", text)
    return answers[-1] if answers else _BLOCK_RE["think"].sub("", text).strip()


# -- verdicts ---------------------------------------------------------------------------------------------------------


def write_verdict(verdict: StatedVerdict) -> str:
    """JSON inside a `<verdict>` block. What it quotes is data: brackets become JSON escapes, so none survives."""
    body = verdict.model_dump_json(exclude_defaults=True)
    return f"<verdict>{body.replace('<', chr(92) + 'u003c').replace('＜', chr(92) + 'uff1c')}</verdict>"


def verdicts_of(text: str) -> tuple[list[StatedVerdict], list[str]]:
    """Verdicts an answer states, and what could not be read, in words. Of two on one conflict the later counts."""
    found: dict[str, StatedVerdict] = {}
    unread: list[str] = []
    for body in blocks_of("verdict", text):
        try:
            verdict = StatedVerdict.model_validate(_json_of(body))
        except ValidationError as error:
            first = error.errors(include_url=False)[0]
            unread.append(f"{'.'.join(str(part) for part in first['loc']) or 'verdict'}: {first['msg']}")
        except ValueError as error:
            unread.append(f"not JSON: {error}")
        else:
            found[verdict.conflict] = verdict
    return list(found.values()), unread


def _json_of(body: str) -> Any:
    start, end = body.find("{"), body.rfind("}")
    if start < 0 or end < start:
        raise ValueError("no {…} in it")
    return json.loads(body[start : end + 1])


# -- recognised images ------------------------------------------------------------------------------------------------


def write_image(image_id: str, text: str, *, readable: bool) -> str:
    attributes = {"id": image_id} if readable else {"id": image_id, "readable": "no"}
    return block("image", text, attributes)


def images_of(text: str) -> dict[str, tuple[str, bool]]:
    """Image id -> (recognised text, whether anything was readable)."""
    return {
        match["id"]: (match["text"].strip(), match["unread"] is None)
        for match in _IMAGE_RE.finditer(text)
        if match["text"].strip()
    }
