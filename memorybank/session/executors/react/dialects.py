"""Tool calls as models write them without being asked to, read by their shape: a tool's name, then its arguments.

The name stands behind a mark (`<function=search>`, `functions.search`, `Action: search`, `[search(`); behind it, after
marks only, come the arguments: a JSON object, Python's keywords in round brackets, or a tag for each.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Collection, Iterator
from typing import Any

from memorybank.errors import AgentError
from memorybank.llm.repair import CUT_OFF, parse_json

MARKED_RE = re.compile(
    r"(?:tool|function)[\w▁ -]{0,2}calls?\b|<[^<>\n]{0,20}(?:invoke|function|tool_?code|python_tag)\b|\[TOOL_CALLS\]"
    r"|```tool_code|\bto=\w|▁call|^Action Input:",
    re.IGNORECASE | re.MULTILINE,
)
"""What nobody writes who does not mean to call a tool."""

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
    """Yield each call of a known tool: its name and its arguments."""
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
    """(the arguments that begin at `start`, where they end); None where none do."""
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
    """A value in a tag: JSON where it is some, else the text."""
    try:
        return json.loads(written)
    except (ValueError, RecursionError):
        return written.strip()
