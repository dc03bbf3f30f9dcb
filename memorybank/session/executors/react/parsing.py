"""A model's turn, read with patience: thought, tool calls, answer.

Models leave tags open, put JSON into code fences, write several calls at once, answer and call in one turn, or go on
and write the tool's response themselves. Whatever can be understood is; what cannot is a `ParsedCall` with a `problem`,
which goes back to the model as an observation.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Collection, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from memorybank.errors import AgentError
from memorybank.language.text import encodable_values
from memorybank.llm import thinking
from memorybank.llm.base import ChatReply, ToolCall
from memorybank.llm.repair import CUT_OFF, parse_all, parse_json
from memorybank.llm.schemas import one_line
from memorybank.memory.types import Value
from memorybank.session.markup import blocks_of, verdict_json

MARKED_RE = re.compile(
    r"(?:tool|function)[\w▁ -]{0,2}calls?\b|<[^<>\n]{0,20}(?:invoke|function|tool_?code|python_tag)\b|\[TOOL_CALLS\]"
    r"|```tool_code|\bto=\w|▁call|^Action Input:",
    re.IGNORECASE | re.MULTILINE,
)
"""Text that is only written to call a tool."""

_MARKS_RE = re.compile(
    r"""(?:[\s"'`>,]|:\d+\b|:(?=\s*["'{])|<[|｜][^<>]{0,60}[|｜]>|<\w*message\w*>|\[ARGS\]|\bjson\b"""
    r"""|\b(?:commentary|Action Input:|arguments|args|parameters|input|tool_input|action_input)["':=\s]*)*+"""
)
_PAIR_RE = re.compile(
    r"""\s*(?:<arg_key>\s*(?P<key>[\w-]+)\s*</arg_key>\s*<arg_value>(?P<value>.*?)</arg_value>"""
    r"""|<[^<>\s=]*?param\w*(?:=|\s+name=)["']?(?P<named>[\w-]+)["']?[^<>]*>(?P<inner>.*?)</[^<>]*param\w*>"""
    r"""|<(?P<tag>[A-Za-z_][\w-]*)>(?P<text>[^<]*)</(?P=tag)>)""",
    re.DOTALL,
)
_MOST_BRACKETS = 40
"""Closing brackets that are tried as the end of Python's arguments."""


def calls_of(text: str, known: Collection[str]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield each call of a known tool, its name and its arguments, however a model writes it unasked.

    The name stands behind a mark (`<function=search>`, `functions.search`, `Action: search`, `[search(`); behind it,
    after marks only, come the arguments: a JSON object, Python's keywords in round brackets, or a tag for each.
    """
    if not known:
        return
    names = "|".join(re.escape(name) for name in sorted(known, key=len, reverse=True))
    call_re = re.compile(rf"(?:^|[<>\n\[\]=(.:\"'`,;▁｜|}}]|\bfunction)[ \t]*(?P<name>{names})(?![\w.-])", re.MULTILINE)
    at = 0
    while match := call_re.search(text, at):
        at = match.end()
        marks = _MARKS_RE.match(text, at)
        start = marks.end() if marks else at
        read = _arguments(text, at, start)
        if read is not None:
            yield match["name"], read[0]
            at = read[1]


def plain_name(name: str, known: Collection[str]) -> str:
    """Return the tool's name without what models put around it: `functions.search:0`."""
    bare = re.sub(r":\d+$", "", name.strip())
    last = re.split(r"[.:/]", bare)[-1]
    return last if name not in known and last in known else name


def _arguments(text: str, name_end: int, start: int) -> tuple[dict[str, Any], int] | None:
    """Return (the arguments that begin at `start`, where they end); None where none do."""
    if text.startswith("(", name_end):
        return _python(text, name_end)
    if text.startswith("{", start):
        return _json(text, start)
    given: dict[str, Any] = {}
    pair = _PAIR_RE.match(text, start)
    while pair:
        key = pair["key"] or pair["named"] or pair["tag"]
        given[key] = _value(next(part for part in (pair["value"], pair["inner"], pair["text"]) if part is not None))
        start = pair.end()
        pair = _PAIR_RE.match(text, start)
    return (given, start) if given else None


def _json(text: str, start: int) -> tuple[dict[str, Any], int] | None:
    try:
        value, end = json.JSONDecoder().raw_decode(text, start)
    except (ValueError, RecursionError):
        end = next((at for at in (text.find(mark, start) for mark in ("</", "<|", "<｜", "```")) if at > 0), len(text))
        try:
            value, repairs = parse_json(text[start:end])
        except AgentError:
            return None
        if CUT_OFF in repairs:
            return None
    return (value, end) if isinstance(value, dict) else None


def _python(text: str, start: int) -> tuple[dict[str, Any], int] | None:
    end = start
    for _ in range(_MOST_BRACKETS):
        end = text.find(")", end) + 1
        if not end:
            break
        try:
            call = ast.parse(f"f{text[start:end]}", mode="eval").body
            if not isinstance(call, ast.Call) or call.args or not call.keywords:
                return None
            return {str(word.arg): ast.literal_eval(word.value) for word in call.keywords}, end
        except (SyntaxError, ValueError, MemoryError, RecursionError):
            continue
    return None


def _value(written: str) -> Any:
    """Return a value in a tag: JSON where it is some, else the text."""
    try:
        return json.loads(written)
    except (ValueError, RecursionError):
        return written.strip()


STOP = ("<tool_response",)
"""The text at which a model that answers in text is to stop: what follows is not its to write."""

Problem = Literal["empty", "not_json", "no_name", "bad_arguments"]

_TAG = r"[<＜]\s*{slash}\s*{name}\b[^<>＞]*[>＞]"
_RESPONSE_RE = re.compile(r"[<＜]\s*/?\s*tool_response\b", re.I)
_CALL_RE = re.compile(_TAG.format(slash="", name="tool_call"), re.I)
_CALL_END_RE = re.compile(r"[<＜]\s*/?\s*(?:tool_call|answer|think)\b[^<>＞]*[>＞]", re.I)
_ANSWER_RE = re.compile(_TAG.format(slash="", name="answer"), re.I)
_ANSWER_END_RE = re.compile(_TAG.format(slash="/", name="answer"), re.I)
_BLOCK_RE = re.compile(_TAG.format(slash="", name="(?:tool_call|answer)"), re.I)
_PART_RE = re.compile(r"[<＜]\s*/?\s*[a-z_]*\Z", re.I)
"""A tag that was cut off."""
_FENCE_RE = re.compile(r"^\s*```[a-z_]*\s*|\s*```\s*$", re.I)

_NAMES = ("name", "tool", "tool_name", "function", "function_name", "action")
_ARGUMENTS = ("arguments", "parameters", "args", "params", "input", "kwargs", "tool_input", "action_input")
_SHOWN_CHARS = 120
"""The most characters of a call that could not be read."""


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
    """The faults of its JSON that were repaired in reading."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelTurn(Value):
    """A turn of the model: it calls tools, or it answers, or (neither) it says something else."""

    text: str
    """The text that stays in the conversation: without thoughts, and cut where a tool's response was begun."""
    thought: str = ""
    calls: tuple[ParsedCall, ...] = ()
    answer: str | None = None
    closed: bool = True
    """The answer had its end tag."""
    own_response: bool = False
    set_aside: bool = False
    """An answer stood behind a call of the same turn: it was written without the call's result."""


def read_turn(reply: ChatReply, known: Collection[str]) -> ModelTurn:
    """Return the turn of a reply, native calls first; `known` are the tools' names."""
    text, thought = thinking.split(reply.text)
    thought = "\n".join(part for part in (reply.reasoning.strip(), thought) if part)
    if not text and not reply.tool_calls and (block := _BLOCK_RE.search(thought)):
        text = thought[block.start() :]  # a thought that was never closed
    cut = _RESPONSE_RE.search(text)
    if cut:
        text = text[: cut.start()]
    text = _PART_RE.sub("", text).strip() if reply.finish == "length" else text.strip()
    answer, closed, at = _answer(text)
    call_at = first.start() if (first := _CALL_RE.search(text)) else None
    native = tuple(_native(call, known) for call in reply.tool_calls)
    # A closed answer before any call stands: what follows it is the model running on.
    if answer is not None and (closed or not native) and (call_at is None or (closed and at < call_at)):
        return ModelTurn(text=text, thought=thought, answer=answer, closed=closed, own_response=cut is not None)
    calls = native or tuple(_text_calls(text, known))
    return ModelTurn(
        text=text, thought=thought, calls=calls, own_response=cut is not None, set_aside=answer is not None
    )


def _answer(text: str) -> tuple[str | None, bool, int]:
    """Return the last answer, whether it was closed, and where the first one starts.

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


# -- calls ------------------------------------------------------------------------------------------------------------


def _native(call: ToolCall, known: Collection[str]) -> ParsedCall:
    name = plain_name(call.name.strip(), known)
    if not name:
        return ParsedCall(id=call.id, problem="no_name")
    if not call.arguments.strip():
        return ParsedCall(id=call.id, name=name)
    try:
        arguments, repairs = _loads(call.arguments)
    except ValueError as error:
        return ParsedCall(id=call.id, name=name, problem="not_json", detail=str(error))
    if isinstance(arguments, str):  # encoded twice
        return _native(ToolCall(id=call.id, name=name, arguments=arguments), known)
    return replace(_with_arguments(name, arguments), id=call.id, repairs=repairs)


def _text_calls(text: str, known: Collection[str]) -> Iterator[ParsedCall]:
    """Yield the calls of all `<tool_call>` blocks; without a block, of whatever names a known tool and its arguments.

    What is marked as a call and cannot be read is told back in its own words.
    """
    starts = list(_CALL_RE.finditer(text))
    for start in starts:
        end = _CALL_END_RE.search(text, start.end())
        body = text[start.end() : end.start() if end else len(text)]
        read = _block_calls(body, known)
        spoken = _spoken(body, known) if any(call.problem or call.name not in known for call in read) else []
        yield from spoken or read
    if starts or not known:
        return
    of_json = _block_calls(text, known) if "{" in text else []
    bare = [call for call in of_json if call.problem is None and call.name in known]
    read = bare or _spoken(text, known)
    if not read and (mark := MARKED_RE.search(text)) and _ANSWER_RE.search(text) is None:
        read = [ParsedCall(problem="not_json", detail=one_line(text[mark.start() :], _SHOWN_CHARS))]
    yield from read


def _spoken(text: str, known: Collection[str]) -> list[ParsedCall]:
    return [_with_arguments(name, arguments) for name, arguments in calls_of(text, known)]


def _block_calls(body: str, known: Collection[str]) -> list[ParsedCall]:
    """Return the calls of all JSON values in a text, one after the other or in a list."""
    if not _FENCE_RE.sub("", body).strip():
        return [ParsedCall(problem="empty")]
    try:
        values, repairs = parse_all(body)
    except AgentError as error:
        return [ParsedCall(problem="not_json", detail=str(error))]
    if CUT_OFF in repairs:
        return [ParsedCall(problem="not_json", detail=CUT_OFF)]
    listed = (value["tool_calls"] if isinstance(value, dict) and "tool_calls" in value else value for value in values)
    flat = [part for value in listed for part in (value if isinstance(value, list) else [value])]
    return [replace(_call(value, known), repairs=repairs) for value in flat] or [ParsedCall(problem="empty")]


def _loads(text: str) -> tuple[Any, tuple[str, ...]]:
    """Return the JSON value, and what had to be repaired for it. Raises ValueError with one line of why."""
    try:
        return parse_json(text)
    except AgentError as error:
        raise ValueError(str(error)) from None


def _call(value: Any, known: Collection[str]) -> ParsedCall:
    """Return one call from a JSON value, under the names models use for its parts."""
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
    return _with_arguments(plain_name(name.strip(), known), value[key] if key else rest)


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


# -- what the journal says of a turn that was not as asked for: repaired, set aside, or of no use ---------------------

_WHOLE_BLOCK_RE = re.compile(
    r"[<＜]\s*(tool_call|answer)\b[^<>＞]*[>＞].*?(?:[<＜]\s*/\s*\1\b[^<>＞]*[>＞]|\Z)", re.DOTALL | re.IGNORECASE
)
"""A block with its body, in the spellings of a tag that are tolerated above."""


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
    around = _WHOLE_BLOCK_RE.sub("", turn.text)
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
