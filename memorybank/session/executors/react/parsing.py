"""A model's turn, read with patience: thought, tool calls, answer.

Models leave tags open, put JSON into code fences, write several calls at once, answer and call in one turn, or go on
and write the tool's response themselves. Whatever can be understood is; what cannot is a `ParsedCall` with a `problem`,
which goes back to the model as an observation.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from memorybank.errors import AgentError
from memorybank.language.text import encodable_values
from memorybank.llm.base import ChatReply, ToolCall
from memorybank.llm.repair import parse_json
from memorybank.memory.types import Value

STOP = ("<tool_response",)
"""Where a model that answers in text is to stop: what follows is not its to write."""

Problem = Literal["empty", "not_json", "no_name", "bad_arguments"]

_TAG = r"[<＜]\s*{slash}\s*{name}\b[^<>＞]*[>＞]"
_THINK_RE = re.compile(_TAG.format(slash="", name="think") + r".*?" + _TAG.format(slash="/", name="think"), re.S | re.I)
_THINK_END_RE = re.compile(_TAG.format(slash="/", name="think"), re.I)
_THINK_OPEN_RE = re.compile(
    _TAG.format(slash="", name="think") + r"(?P<thought>.*?)(?=[<＜]\s*(?:tool_call|answer)\b|\Z)", re.S | re.I
)
_RESPONSE_RE = re.compile(r"[<＜]\s*/?\s*tool_response\b", re.I)
_CALL_RE = re.compile(_TAG.format(slash="", name="tool_call"), re.I)
_CALL_END_RE = re.compile(r"[<＜]\s*/?\s*(?:tool_call|answer|think)\b[^<>＞]*[>＞]", re.I)
_ANSWER_RE = re.compile(_TAG.format(slash="", name="answer"), re.I)
_ANSWER_END_RE = re.compile(_TAG.format(slash="/", name="answer"), re.I)
_BLOCK_RE = re.compile(_TAG.format(slash="", name="(?:tool_call|answer)"), re.I)
_PART_RE = re.compile(r"[<＜]\s*/?\s*[a-z_]*\Z", re.I)
"""A tag that was cut off."""
_FENCE_RE = re.compile(r"^\s*```[a-z_]*\s*|\s*```\s*$", re.I)

_NAMES = ("name", "tool", "tool_name", "function", "function_name")
_ARGUMENTS = ("arguments", "parameters", "args", "params", "input", "kwargs")


@dataclass(frozen=True, slots=True, kw_only=True)
class ParsedCall(Value):
    """One tool call as it was understood."""

    name: str = ""
    arguments: Mapping[str, Any] = field(default_factory=dict)
    id: str = ""
    """The endpoint's, of a native call; its response must name it."""
    problem: Problem | None = None
    detail: str = ""
    repairs: tuple[str, ...] = field(default=(), compare=False)
    """What was wrong with its JSON and could be read all the same."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelTurn(Value):
    """What the model wants: to call tools, or to answer, or (neither) it said something else."""

    text: str
    """What stays in the conversation: without thoughts, and cut where the model began to write a tool's response."""
    thought: str = ""
    calls: tuple[ParsedCall, ...] = ()
    answer: str | None = None
    closed: bool = True
    """The answer had its end tag."""
    own_response: bool = False
    set_aside: bool = False
    """An answer stood behind a call of the same turn: it was written without the call's result."""


def read_turn(reply: ChatReply, known: Collection[str]) -> ModelTurn:
    """The turn of a reply, native calls first; `known` are the tools' names."""
    thought, text = _without_thoughts(_visible_text(reply))
    thought = "\n".join(part for part in (reply.reasoning.strip(), thought) if part)
    cut = _RESPONSE_RE.search(text)
    if cut:
        text = text[: cut.start()]
    text = _PART_RE.sub("", text).strip() if reply.finish == "length" else text.strip()
    answer, closed, at = _answer(text)
    call_at = _first_call(text)
    native = tuple(_native(call) for call in reply.tool_calls)
    # A closed answer before any call stands: what follows it is the model running on.
    if answer is not None and (closed or not native) and (call_at is None or (closed and at < call_at)):
        return ModelTurn(text=text, thought=thought, answer=answer, closed=closed, own_response=cut is not None)
    calls = native or tuple(_text_calls(text, known))
    return ModelTurn(
        text=text,
        thought=thought,
        calls=calls,
        own_response=cut is not None,
        set_aside=answer is not None,
    )


def _visible_text(reply: ChatReply) -> str:
    """The text; when there is none, what stands in blocks at the end of a thought that was never closed."""
    if reply.text.strip() or reply.tool_calls:
        return reply.text
    block = _BLOCK_RE.search(reply.reasoning)
    return reply.reasoning[block.start() :] if block else ""


def _without_thoughts(text: str) -> tuple[str, str]:
    """Thoughts, and the text without them; a start tag or an end tag may be missing."""
    thoughts: list[str] = []

    def take(match: re.Match[str]) -> str:
        thoughts.append(_TAGS_OF_THINK.sub("", match[0]).strip())
        return ""

    text = _THINK_RE.sub(take, text)
    end = _THINK_END_RE.search(text)
    if end:
        thoughts.append(text[: end.start()].strip())
        text = text[end.end() :]
    text = _THINK_OPEN_RE.sub(take, text)
    return "\n".join(thought for thought in thoughts if thought), text


_TAGS_OF_THINK = re.compile(r"[<＜]\s*/?\s*think\b[^<>＞]*[>＞]", re.I)


def _answer(text: str) -> tuple[str | None, bool, int]:
    """The last answer, whether it was closed, and where the first one starts.

    Of answers behind a tool call none counts, so the last is looked for before it.
    """
    first = _ANSWER_RE.search(text)
    if first is None:
        return None, True, -1
    call = _CALL_RE.search(text, first.end())
    last: tuple[str, bool] | None = None
    for start in _ANSWER_RE.finditer(text):
        if last and call and start.start() > call.start():
            break
        end = _ANSWER_END_RE.search(text, start.end())
        body = text[start.end() : end.start() if end else len(text)].strip()
        if last is None or (body and end):
            last = (body, end is not None)
    assert last is not None, "the first start tag was found above"
    closed = last[1]
    end = _ANSWER_END_RE.search(text, first.end())
    if closed and call and end and end.start() > call.start():
        closed = False  # a call inside the answer: the model wants the tool first
    return last[0], closed, first.start()


def _first_call(text: str) -> int | None:
    match = _CALL_RE.search(text)
    return match.start() if match else None


# -- calls ------------------------------------------------------------------------------------------------------------


def _native(call: ToolCall) -> ParsedCall:
    if not call.name.strip():
        return ParsedCall(id=call.id, problem="no_name")
    if not call.arguments.strip():
        return ParsedCall(id=call.id, name=call.name.strip())
    try:
        arguments, repairs = _loads(call.arguments)
    except ValueError as error:
        return ParsedCall(id=call.id, name=call.name.strip(), problem="not_json", detail=str(error))
    if isinstance(arguments, str):  # encoded twice
        return _native(ToolCall(id=call.id, name=call.name, arguments=arguments))
    return replace(_with_arguments(call.name.strip(), arguments), id=call.id, repairs=repairs)


def _text_calls(text: str, known: Collection[str]) -> Iterator[ParsedCall]:
    """Calls of all `<tool_call>` blocks; without a block, of a bare JSON object that names a known tool."""
    starts = list(_CALL_RE.finditer(text))
    for start in starts:
        end = _CALL_END_RE.search(text, start.end())
        yield from _block_calls(text[start.end() : end.start() if end else len(text)], known)
    if not starts and "{" in text:
        yield from (call for call in _bare_calls(text, known) if call.problem is None and call.name in known)


def _bare_calls(text: str, known: Collection[str]) -> list[ParsedCall]:
    body = text[text.index("{") : text.rindex("}") + 1] if "}" in text else ""
    try:
        values, repairs = _values(body) if body else ([], ())
    except ValueError:
        return []
    return [replace(_call(value, known), repairs=repairs) for value in values]


def _block_calls(body: str, known: Collection[str]) -> list[ParsedCall]:
    body = _FENCE_RE.sub("", body).strip()
    if not body:
        return [ParsedCall(problem="empty")]
    try:
        values, repairs = _values(body)
    except ValueError as error:
        return [ParsedCall(problem="not_json", detail=str(error))]
    return [replace(_call(value, known), repairs=repairs) for value in values] or [ParsedCall(problem="empty")]


def _values(body: str) -> tuple[list[Any], tuple[str, ...]]:
    """All JSON values of a block, one after the other or in a list, and what was repaired. Raises ValueError."""
    decoder = json.JSONDecoder()
    values: list[Any] = []
    repairs: tuple[str, ...] = ()
    at = 0
    try:
        while at < len(body):
            value, at = decoder.raw_decode(body, at)
            values.append(value)
            while at < len(body) and body[at] in " \t\r\n,;":
                at += 1
    except (ValueError, RecursionError):
        value, repairs = _loads(body)
        values = [value]
    flat: list[Any] = []
    for value in values:
        if isinstance(value, dict) and isinstance(value.get("tool_calls"), list):
            value = value["tool_calls"]
        flat.extend(value if isinstance(value, list) else [value])
    return flat, repairs


def _loads(text: str) -> tuple[Any, tuple[str, ...]]:
    """JSON, and what had to be repaired for it. Raises ValueError with one line of why."""
    try:
        return json.loads(text), ()
    except (ValueError, RecursionError) as first:
        try:
            return parse_json(text)
        except AgentError:
            raise ValueError(f"{first}") from None


def _call(value: Any, known: Collection[str]) -> ParsedCall:
    """One call from a JSON value, under the names models use for its parts."""
    if not isinstance(value, dict):
        return ParsedCall(problem="no_name")
    inner = value.get("function")
    if isinstance(inner, dict):  # the wire form of native calls
        value = inner
    name = next((value[key] for key in _NAMES if isinstance(value.get(key), str) and value[key].strip()), "")
    if not name and len(value) == 1 and next(iter(value)) in known:  # {"search": {"query": …}}
        name, arguments = next(iter(value.items()))
        return _with_arguments(name, arguments)
    if not name:
        return ParsedCall(problem="no_name")
    key = next((key for key in _ARGUMENTS if key in value), None)
    rest = {key: one for key, one in value.items() if key not in (*_NAMES, "id", "type")}
    return _with_arguments(name.strip(), value[key] if key else rest)


def _with_arguments(name: str, arguments: Any) -> ParsedCall:
    if isinstance(arguments, str):
        try:
            arguments = _loads(arguments)[0] if arguments.strip() else {}
        except ValueError:
            return ParsedCall(name=name, problem="bad_arguments")
    if arguments is None:
        arguments = {}
    if not isinstance(arguments, dict):
        return ParsedCall(name=name, problem="bad_arguments")
    return ParsedCall(name=name, arguments=encodable_values(arguments))
