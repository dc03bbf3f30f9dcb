"""Reasoning that a model writes into its answer is split off: `<think>` blocks, closed or not, opened or not."""

from __future__ import annotations

import re

# A tag counts at the start of the text, of a line, or right behind another tag: prose that speaks of `<think>` stays.
_OPEN_RE = re.compile(r"(?:\A|(?<=\n)|(?<=>))[ \t]*<(think|thinking|reasoning)>", re.IGNORECASE)
_CLOSE_RE = re.compile(r"(?<!`)</(?:think|thinking|reasoning)\s*>(?!`)", re.IGNORECASE)


def split(text: str) -> tuple[str, str]:
    """(the answer, the reasoning). A text that begins as JSON or as a code fence is all answer.

    A block that never closes reaches to the end: the model was cut off while it thought. A closing tag without an
    opening one ends reasoning that began in the prompt's template.
    """
    text = text.strip()
    if text.startswith(("{", "[", "```")):
        return text, ""
    answer: list[str] = []
    thoughts: list[str] = []
    at = 0
    first, close = _OPEN_RE.search(text), _CLOSE_RE.search(text)
    if close and (first is None or close.start() < first.start()):
        thoughts.append(text[: close.start()])
        at = close.end()
    while opening := _OPEN_RE.search(text, at):
        answer.append(text[at : opening.start()])
        closing = _CLOSE_RE.search(text, opening.end())
        thoughts.append(text[opening.end() : closing.start() if closing else len(text)])
        at = closing.end() if closing else len(text)
    answer.append(text[at:])
    return "".join(answer).strip(), "\n".join(part.strip() for part in thoughts if part.strip())
