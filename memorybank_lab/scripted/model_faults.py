"""What goes wrong in a model's answer itself: by name, a line about it, and the change to a good answer."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from memorybank_lab.scripted.replies import Change, ScriptedReply, Table, instead
from memorybank_lab.scripted.seen import SeenRequest
from memorybank_lab.scripted.spelling import CURLY_QUOTES, FULL_WIDTH, SINGLE_QUOTES, TRAILING_COMMAS, respell

UNKNOWN = 9_000
"""Added to each number of the answer by `wrong_ids`, which makes every reference point nowhere."""

# -- answers ----------------------------------------------------------------------------------------------------------


def _reworded(change: Callable[[str], str]) -> Change:
    return lambda good, request: replace(good, text=change(good.text))


def _truncated(good: ScriptedReply, request: SeenRequest) -> ScriptedReply:
    calls = tuple(replace(call, arguments=_front(call.arguments)) for call in good.tool_calls)
    return replace(good, text=_front(good.text), tool_calls=calls, finish="length")


def _front(text: str) -> str:
    return text[: len(text) * 3 // 5]


def _renumbered(value: Any) -> Any:
    """Numbers, and ids like `c1` and `A-0`, that nobody gave. Shares like a confidence of 0.8 stay."""
    if isinstance(value, dict):
        return {key: _renumbered(of) for key, of in value.items()}
    if isinstance(value, list):
        return [_renumbered(item) for item in value]
    if isinstance(value, int) and not isinstance(value, bool):
        return value + UNKNOWN
    if isinstance(value, str) and (found := re.fullmatch(r"([a-z]|[A-Z]+-)(\d+)", value)):
        return f"{found[1]}{int(found[2]) + UNKNOWN}"
    return value


def _misshapen(value: Any) -> str:
    return json.dumps({"result": value, "status": "ok"}, ensure_ascii=False)


def _into_reasoning(good: ScriptedReply, request: SeenRequest) -> ScriptedReply:
    return replace(good, text="", reasoning=good.text)


_REFUSAL = "I'm sorry, but I can't help with that."
_THOUGHT = 'First I look at the input. Perhaps {"draft": [1, 2, }? No: that is not it. Now I know.'

ANSWERS: Table = {
    "empty_answer": ("content is empty", instead(ScriptedReply(text=""))),
    "refusal": ("the model refuses, in the field for it", instead(ScriptedReply(refusal=_REFUSAL))),
    "refusal_in_words": ("the model refuses in its text", instead(ScriptedReply(text=_REFUSAL))),
    "content_filter": ("finish_reason content_filter", instead(ScriptedReply(finish="content_filter"))),
    "truncated": ("finish_reason length, the answer cut in the middle", _truncated),
    "prose_only": (
        "words where JSON was asked for",
        instead(ScriptedReply(text="Sure! I have read it and it looks fine.")),
    ),
    "wrong_shape": ("JSON of another shape", _reworded(lambda text: respell(text, _misshapen))),
    "wrong_ids": (
        "references to things that are not there",
        _reworded(lambda text: respell(text, lambda value: json.dumps(_renumbered(value), ensure_ascii=False))),
    ),
    "reasoning_content": ("thoughts in reasoning_content", lambda good, request: replace(good, reasoning=_THOUGHT)),
    "answer_in_reasoning": ("the answer in reasoning_content, content empty", _into_reasoning),
}

# -- spelling ---------------------------------------------------------------------------------------------------------


def _spelt(change: Callable[[Any], str]) -> Change:
    """In the text, and in the arguments of native tool calls."""

    def apply(good: ScriptedReply, request: SeenRequest) -> ScriptedReply:
        calls = tuple(replace(call, arguments=respell(call.arguments, change)) for call in good.tool_calls)
        return replace(good, text=respell(good.text, change), tool_calls=calls)

    return apply


SPELLING: Table = {
    "code_fence": ("in a code fence", _reworded(lambda text: f"```json\n{text}\n```")),
    "prose_around": (
        "prose before and after",
        _reworded(lambda text: f"Here is the answer you asked for:\n\n{text}\n\nAnything else?"),
    ),
    "single_quotes": ("'single quotes'", _spelt(SINGLE_QUOTES.write)),
    "trailing_commas": ("commas after the last item", _spelt(TRAILING_COMMAS.write)),
    "full_width": ("：and ，between the items", _spelt(FULL_WIDTH.write)),
    "curly_quotes": ("“curly quotes”", _spelt(CURLY_QUOTES.write)),
    "think_block": ("a <think> block first", _reworded(lambda text: f"<think>\n{_THOUGHT}\n</think>\n\n{text}")),
    "think_unopened": ("thoughts that only end", _reworded(lambda text: f"{_THOUGHT}\n</think>\n\n{text}")),
}
