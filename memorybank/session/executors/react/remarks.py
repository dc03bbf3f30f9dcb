"""What the journal says of a turn that was not as asked for: repaired, set aside, or of no use."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from contextlib import suppress

from memorybank.llm.base import ChatReply
from memorybank.session.executors.react.parsing import ModelTurn, read_turn
from memorybank.session.markup import blocks_of, verdict_json

_BLOCK_RE = re.compile(
    r"[<＜]\s*(tool_call|answer)\b[^<>＞]*[>＞].*?(?:[<＜]\s*/\s*\1\b[^<>＞]*[>＞]|\Z)", re.DOTALL | re.IGNORECASE
)
"""Tolerates the same spellings of a tag as parsing.py."""


def remarks(reply: ChatReply, known: Collection[str], *, plain: bool) -> tuple[str, ...]:
    """Describes what is wrong with a turn, a line each, in the words of the other agents' notes.

    `plain`: text without a block is an answer, as with native tools and at the end of a round.
    """
    if reply.finish == "refused":
        return ("refused",)
    turn = read_turn(reply, known)
    return tuple(dict.fromkeys((*_of_reply(reply, turn, plain), *_of_calls(turn, known), *_of_answer(turn))))


def _of_reply(reply: ChatReply, turn: ModelTurn, plain: bool) -> Iterator[str]:
    if reply.finish == "length":
        yield "cut off at the answer's limit"
    if not turn.text:
        if not turn.calls:
            yield "unusable: the answer is empty"
        return
    if not reply.text.strip():
        yield "repaired: the blocks stood in the thoughts"
    if turn.own_response:
        yield "repaired: a tool's response, written by the model, was left out"
    if turn.set_aside:
        yield "repaired: an answer beside a tool call was set aside"
    if reply.tool_calls or plain:  # a model may say what it likes beside native calls, and at the end
        return
    around = _BLOCK_RE.sub("", turn.text)
    if around == turn.text:
        yield "a tool call without its tags" if turn.calls else "unusable: neither a tool call nor an answer"
    elif "```" in around:
        yield "repaired: code fence"
    elif around.strip():
        yield "repaired: text around the blocks"


def _of_calls(turn: ModelTurn, known: Collection[str]) -> Iterator[str]:
    for call in turn.calls:
        yield from (f"repaired: {repair}" for repair in call.repairs)
        if call.problem:
            yield f"unusable: a tool call ({call.problem.replace('_', ' ')})"
        elif call.name not in known:
            yield "unusable: a tool that is not there"


def _of_answer(turn: ModelTurn) -> Iterator[str]:
    for body in blocks_of("verdict", turn.answer or ""):
        with suppress(ValueError):
            if verdict_json(body)[1]:
                yield "repaired: the JSON of a verdict"
