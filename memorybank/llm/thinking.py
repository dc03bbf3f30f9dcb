"""Reasoning that a model writes into its answer is split off by its shape: marks that open and close, or one of them.

A mark is a word of thinking in brackets of any kind (`<think>`, `[THINK]`, `◁think▷`, `<seed:think>`,
`<|begin_of_thought|>`), or a channel of that name (`<|channel|>analysis<|message|>`); what ends it is the same with a
slash or a word for end, or the next mark of the protocol.
"""

from __future__ import annotations

import re

STEM = r"(?:th(?:ink|ought)|reason|reflect|analy[sz]|ponder|deliberat|scratch|monolog|思考|推理)"
_NAME = rf"[\w:.▁-]{{0,40}}?{STEM}[\w:.▁-]{{0,40}}"
_LEFT, _RIGHT = r"[<＜◁\[【⟨][|｜]?", r"[|｜]?[>＞▷\]】⟩]"
# A mark counts at the start of the text, of a line, or right behind another mark: prose that speaks of `<think>` stays.
_OPEN_RE = re.compile(
    rf"(?:\A|(?<=[\n>▷\]＞】]))[ \t]*(?:"
    rf"{_LEFT}(?!/)(?![\w▁]*end)(?P<name>{_NAME})(?:\s[^<>\n]{{0,80}})?{_RIGHT}(?![(:：])"
    rf"|(?:<\|start\|>)?(?:assistant)?<\|?channel\|?>\s*{_NAME}\s*(?:<\|message\|>|\n)|\A{STEM}\w*<\|message\|>"
    rf"|<unused\d+>{STEM}\w*|\Aanalysis(?=.*assistant\s*final))",
    re.IGNORECASE | re.DOTALL,
)
_CLOSE_RE = re.compile(
    rf"(?<!`){_LEFT}(?:/\s*{_NAME}|[\w▁]*end[\w▁]*{STEM}\w*|{_NAME}[_▁](?:end|suffix))\s*{_RIGHT}(?!`)", re.IGNORECASE
)
_CHANNEL_END_RE = re.compile(
    r"<\|(?:end|return|call)\|>|<channel\|>|<unused\d+>|assistant\s*(?=final)|(?=<\|start\|>|<\|?channel\|?>)",
    re.IGNORECASE,
)
_FINAL_RE = re.compile(
    r"(?:<\|start\|>)?(?:assistant)?<\|?channel\|?>\s*final[^\n{]*?(?:<\|message\|>|\n)|<\|(?:end|return)\|>"
    r"|\A\s*final(?=\s*[{\[])",
    re.IGNORECASE,
)


def split(text: str) -> tuple[str, str]:
    """Return (the answer, the reasoning). A text that begins as JSON or as a code fence is all answer.

    A block that never closes reaches to the end: the model was cut off while it thought. A closing mark without an
    opening one ends reasoning that began in the prompt's template.
    """
    text = text.strip()
    if text.startswith(("{", "[", "```")) and not _OPEN_RE.match(text):
        return text, ""
    answer: list[str] = []
    thoughts: list[str] = []
    at, channels = 0, "<|channel|>" in text
    while at < len(text):
        opening, close = _opening(text, at), _CLOSE_RE.search(text, at)
        if close and (opening is None or close.start() < opening.start()):
            stray = thoughts and not text[close.end() :].strip()
            (answer if stray else thoughts).append(text[at : close.start()])
            at = close.end()
            continue
        answer.append(text[at : opening.start() if opening else len(text)])
        if opening is None:
            break
        closing = (_CLOSE_RE if opening["name"] else _CHANNEL_END_RE).search(text, opening.end())
        channels |= not opening["name"]
        thoughts.append(text[opening.end() : closing.start() if closing else len(text)])
        at = closing.end() if closing else len(text)
    whole = "".join(answer)
    whole = _FINAL_RE.sub("", whole) if channels else whole
    return whole.strip(), "\n".join(part.strip() for part in thoughts if part.strip())


def _opening(text: str, at: int) -> re.Match[str] | None:
    """Find the next opening mark. In square brackets it may be a heading: one that never closes must say "think"."""
    for opening in _OPEN_RE.finditer(text, at):
        if (
            not re.search(r"[\[【]", opening[0])
            or "think" in opening[0].lower()
            or _CLOSE_RE.search(text, opening.end())
        ):
            return opening
    return None
