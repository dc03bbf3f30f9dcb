"""The tags that mean something in a prompt or an answer (narrative specification, "标记格式规范").

    <task> <memory> <tool_call> <tool_response> <think> <answer> <verdict> <image id="i1">

Text from outside (memory, tools, files, models) is data: `neutralise` makes sure that nothing in it can open or close
one of these blocks. `block` is the only way to write one, and it neutralises its body.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from memorybank.prompts import disguise

TAGS = ("task", "memory", "tool_call", "tool_response", "think", "answer", "verdict", "image")
LONGEST = max(map(len, TAGS))

_BLOCK_RE = {tag: re.compile(rf"<{tag}(?:\s[^>]*)?>(.*?)</{tag}\s*>", re.DOTALL | re.IGNORECASE) for tag in TAGS}

_ANY_BLOCK_RE = re.compile(rf"<({'|'.join(TAGS)})\b[^>]*>.*?</\1\s*>", re.DOTALL | re.IGNORECASE)


def neutralise(text: str) -> str:
    """The same text with every bracket that could start one of our tags turned into `‹`. The words stay readable."""
    kept: list[str] = []
    done = 0
    for match in disguise.BRACKET_RE.finditer(text):
        end = disguise.bracket_end(text, match.start()) if match.start() >= done else 0
        if end and disguise.first_word(text, end, LONGEST) in TAGS:
            kept += [text[done : match.start()], "‹"]
            done = end
    return "".join([*kept, text[done:]]) if kept else text


def block(tag: str, body: str, attributes: Mapping[str, str] | None = None, *, trusted: bool = False) -> str:
    """`<tag>body</tag>`. `trusted` is for a body that was put together from neutralised parts and holds own blocks."""
    if tag not in TAGS:
        raise ValueError(f"unknown tag {tag!r}")
    marks = "".join(f' {name}="{value}"' for name, value in (attributes or {}).items())
    return f"<{tag}{marks}>\n{body if trusted else neutralise(body)}\n</{tag}>"


def blocks_of(tag: str, text: str) -> list[str]:
    """Bodies of all blocks of a kind, stripped."""
    return [match[1].strip() for match in _BLOCK_RE[tag].finditer(text)]


def without_blocks(text: str, tag: str = "") -> str:
    """The words around the blocks: around all, or around those of one kind."""
    return (_BLOCK_RE[tag] if tag else _ANY_BLOCK_RE).sub("", text).strip()


def answer_of(text: str) -> str:
    """The last `<answer>`, else the text without its `<think>` blocks: not every framework marks its answer."""
    answers = blocks_of("answer", text)
    return answers[-1] if answers else _BLOCK_RE["think"].sub("", text).strip()
