"""Ask for a type, get that type: schema in, validated object out, or an AgentError in words.

At most three calls: the question; once more with a longer limit when the answer was cut off; once more with the error
in words when it could not be used. What had to be repaired is noted on the call whose answer it was.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any, Generic, TypeVar

from pydantic import BaseModel, ValidationError

from memorybank import calls
from memorybank.errors import AgentError, Notice
from memorybank.llm.base import ChatMessage, ChatModel, ChatReply, ChatRequest
from memorybank.llm.repair import CUT_OFF, parse_json
from memorybank.llm.schemas import fit, one_line, strict_schema, worded
from memorybank.llm.tokens import LEAST_ANSWER, estimate_prompt
from memorybank.llm.words import lang_of
from memorybank.memory.types import Lang

M = TypeVar("M", bound=BaseModel)

Check = Callable[[M], Sequence[str]]
"""A function that lists the faults of an answer of the right type (an id that was never shown …), a line each."""

_SHOWN_PROBLEMS = 5
_SENT_BACK_CHARS = 2000
"""The most characters of an unusable answer that go back to the model."""

# The schema is not repeated: where the server does not hold to it, the client puts it behind the last question.
_REPAIR: Mapping[Lang, str] = {
    "en": "That answer cannot be used:\n{problems}\nAnswer again with the corrected JSON and nothing else.",
    "zh": "上面的回答无法使用：\n{problems}\n请重新回答，只输出更正后的 JSON，不要输出其他内容。",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class _Read(Generic[M]):
    """An answer, or the problems that kept it from being one."""

    value: M | None = None
    problems: tuple[str | Notice, ...] = ()
    """A notice is worded for the model in the question's language, and in English on the call."""


def ask_typed(model: ChatModel, request: ChatRequest, answer: type[M], *, check: Check[M] | None = None) -> M:
    """Return the model's answer as an `answer`. The request's schema is made from it, unless it brings its own.

    Raises AgentError when the answer stays unusable, empty, cut off or refused; EndpointError and Cancelled rise.
    """
    schema = strict_schema(answer) if request.schema is None else request.schema
    reply, request = _ask_whole(model, replace(request, schema=schema), answer)
    source = "\n".join(message.content for message in request.messages)
    read = _read(reply, answer, check, source)
    if read.value is not None:
        return read.value
    if reply.finish == "length":  # a repair would be cut off as well
        raise AgentError(_cut_off(request, model.context_window))
    repair = _repair(request, reply, read.problems, model.context_window)
    if repair is None:
        raise AgentError("agent.unusable_full", name=model.name, schema=request.schema_name, problem=read.problems[0])
    again = _complete(model, repair)
    second = _read(again, answer, check, source)
    if second.value is not None:
        calls.note("the answer was sent back once and corrected")
        return second.value
    raise AgentError("agent.unusable", name=model.name, schema=request.schema_name, problem=second.problems[0])


def _ask_whole(model: ChatModel, request: ChatRequest, answer: type[M]) -> tuple[ChatReply, ChatRequest]:
    """Return the reply and the request that got it: the longer one, when the first answer was cut off."""
    reply = _complete(model, request)
    if reply.finish != "length" or _holds_whole(reply, answer):
        return reply, request
    longer = _longer(request, model.context_window)
    if longer is None:
        return reply, request
    calls.note(f"cut off at {request.max_tokens} tokens: asked again with {longer.max_tokens}")
    return _complete(model, longer), longer


def _holds_whole(reply: ChatReply, answer: type[M]) -> bool:
    """Whether the answer was complete before the limit: small models talk on behind it."""
    try:
        value, repairs = parse_json(reply.text, _fits(answer))
    except AgentError:
        return False
    return CUT_OFF not in repairs and _fits(answer)(value)


def _fits(answer: type[M]) -> Callable[[Any], bool]:
    return lambda value: not isinstance(fit(value, answer)[0], ValidationError)


def _complete(model: ChatModel, request: ChatRequest) -> ChatReply:
    reply = model.complete(request)
    if reply.finish == "refused":
        calls.note("refused")
        if reply.text:
            raise AgentError("agent.refused_words", name=model.name, words=one_line(reply.text))
        raise AgentError("agent.refused", name=model.name)
    return reply


def _longer(request: ChatRequest, context: int | None) -> ChatRequest | None:
    """Return the request with twice the limit, as far as the context allows; None when that is no more."""
    limit = 2 * request.max_tokens
    if context is not None:
        limit = min(limit, context - estimate_prompt(request))
    return replace(request, max_tokens=limit) if limit > request.max_tokens else None


def _read(reply: ChatReply, answer: type[M], check: Check[M] | None, source: str) -> _Read[M]:
    """Read the reply as an answer; what had to be done for it, or why it is none, is noted on its call."""
    if not reply.text.strip():
        return _read_reasoning(reply, answer, check)
    if reply.reasoning:
        calls.note("repaired: thoughts set apart")
    try:
        value, repairs = parse_json(reply.text, _fits(answer), source=source)
    except AgentError as error:
        return _unusable(error.notice)
    fitted, changes = fit(value, answer)
    problems: tuple[str | Notice, ...] = ()
    if isinstance(fitted, ValidationError):
        problems = ((Notice("agent.json_open"),) if CUT_OFF in repairs else ()) + worded(fitted)
    elif check:
        problems = tuple(check(fitted))
    if isinstance(fitted, ValidationError) or problems:
        return _unusable(*problems)
    calls.note(*(f"repaired: {repair}" for repair in (*repairs, *changes)))
    return _Read(value=fitted)


def _read_reasoning(reply: ChatReply, answer: type[M], check: Check[M] | None) -> _Read[M]:
    """Some servers put the whole answer among the thoughts; it counts when it is there as written JSON."""
    problem = Notice("agent.empty")
    if reply.reasoning.strip() and reply.finish == "stop":
        problem = Notice("agent.only_reasoning")
        try:
            value = answer.model_validate_json(reply.reasoning)
        except ValidationError:
            pass
        else:
            if not (check and check(value)):
                calls.note("repaired: the answer stood in the reasoning")
                return _Read(value=value)
    return _unusable(problem)


def _unusable(*problems: str | Notice) -> _Read[M]:
    calls.note(*(f"unusable: {problem}" for problem in problems[:_SHOWN_PROBLEMS]))
    return _Read(problems=problems)


# -- words ------------------------------------------------------------------------------------------------------------


def _repair(
    request: ChatRequest, reply: ChatReply, problems: Sequence[str | Notice], context: int | None
) -> ChatRequest | None:
    """Ask again with what was wrong, and with the wrong answer if there is room; None when there is none."""
    lang = lang_of(request.messages)
    lines = (problem if isinstance(problem, str) else problem.in_language(lang) for problem in problems)
    listed = "\n".join(f"- {line}" for line in islice(lines, _SHOWN_PROBLEMS))
    words = ChatMessage(role="user", content=_REPAIR[lang].format(problems=listed))
    excerpt = reply.text if len(reply.text) <= _SENT_BACK_CHARS else reply.text[:_SENT_BACK_CHARS] + " …"
    back = (ChatMessage(role="assistant", content=excerpt),) if excerpt.strip() else ()
    for between in (back, ()):
        repair = replace(request, messages=(*request.messages, *between, words))
        room = context - estimate_prompt(repair) if context is not None else repair.max_tokens
        if room >= min(LEAST_ANSWER, repair.max_tokens):
            return replace(repair, max_tokens=min(repair.max_tokens, room))
    return None


def _cut_off(asked: ChatRequest, context: int | None) -> Notice:
    if context is None:
        return Notice("agent.cut_off", schema=asked.schema_name, tokens=asked.max_tokens)
    return Notice("agent.cut_off_context", schema=asked.schema_name, tokens=asked.max_tokens, context=context)
