"""The scripted ReAct agent: search, read the first find, answer in quotes. By text blocks or by native tool calls."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from memorybank.prompts.tags import block
from memorybank_lab.scripted.instances import instance_of
from memorybank_lab.scripted.reading import content_words, numbers, statements
from memorybank_lab.scripted.script import ScriptedReply, SeenRequest, json_objects, text_of, tool_reply

_TASK_RE = re.compile(r"^\[(?P<type>NORMAL|CROSS_VALIDATE)\] (?P<words>.+)$", re.MULTILINE)
_MATTER_RE = re.compile(
    r"^ *- (?P<id>m\d[\d.]*)[:：] ?(?P<words>.*) ?[(（][^()（）]*[)）](?P<positions>(?:\n +\[[A-Z]\d*\].*)*)$",
    re.MULTILINE,
)
_POSITION_RE = re.compile(r"\[(?P<letter>[A-Z]\d*)\](?: ?“(?P<text>.*)”[:：])?")
_HIT_RE = re.compile(r"^\d+\. (?P<name>\S[^\n(（]*)[^\n]*\n(?P<text>(?: {2,}\S[^\n]*(?:\n|$))+)", re.MULTILINE)
_MEMORY_RE = re.compile(r"(?ms)^\w+[:：] ?(?P<name>[^\n]+)\n(?:Text|Summary|原文|摘要)[:：] ?(?P<text>.+?)\n(?=\n|<)")
_STAGED_RE = re.compile(r"(?:[,，:：] ?)(i\d+) \(")
_FOUND_RE = re.compile(r"^\d+\. (\S.*?)(?: ?[(（][^()（）]*[)）])?$", re.MULTILINE)
"""The name of a find, without where it stands in memory."""
_URL_RE = re.compile(r"https?://[^\s<>\"')\]]+")
_RESPONSE_RE = re.compile(r"<tool_response[^>]*>\n?(.*?)\n?</tool_response>", re.DOTALL)
_LABEL_RE = re.compile(r"^(?:Topic|Summary|主题|摘要)[:：] ?")
_STATED_RE = re.compile(r"^[^\[<“(].*[^?？:：][.。!！]$", re.DOTALL)
_QUOTES = 3


def research(request: SeenRequest) -> ScriptedReply:
    """Return the next turn of a round: a tool call while there is something to ask, then the answer."""
    results = _results(request)
    tools = _tools(request)
    asked_to_end = not results and len(request.messages) > 2 and request.last.get("role") == "user"
    words = _task(request)[1]
    if not asked_to_end and not _wants_images(request):
        if not results and "search" in tools:
            return _call(request, "search", tools["search"], {"query": words})
        found = _source(results[0]) if len(results) == 1 else ""
        if found and "visit" in tools:
            return _call(request, "visit", tools["visit"], {"source": found, "url": found, "goal": words})
    return ScriptedReply(
        text=f"<think>\n{len(results)} results read.\n</think>\n<answer>\n{_answer(request, results)}\n</answer>"
    )


def describe_images(request: SeenRequest) -> str:
    """Return a block for each image the prompt names: how many there are is all that is seen of them."""
    asked = _question(request)
    ids = dict.fromkeys(re.findall(r"^- (i\d+):", asked, re.MULTILINE) or _STAGED_RE.findall(asked))
    return "\n".join(f'<image id="{one}">\nImage {one}, one of {request.images}.\n</image>' for one in ids)


# -- what the prompt says ---------------------------------------------------------------------------------------------


def _question(request: SeenRequest) -> str:
    return next((text_of(message) for message in request.messages if message.get("role") == "user"), "")


def _task(request: SeenRequest) -> tuple[str, str]:
    """(type, words) of the current task: it stands last; what is to be checked stands among the open conflicts."""
    found = _TASK_RE.findall(_question(request))
    kind, words = found[-1] if found else ("NORMAL", _question(request).strip()[:200])
    if kind == "CROSS_VALIDATE":
        told = _MATTER_RE.finditer(_question(request))
        words = " ".join(f"{matter['words']}{_texts(matter['positions'])}" for matter in told).strip() or words
    return kind, words


def _texts(positions: str) -> str:
    return " ".join(found["text"] or "" for found in _POSITION_RE.finditer(positions)).strip()


def _wants_images(request: SeenRequest) -> bool:
    return "<image id=" in _question(request)


def _results(request: SeenRequest) -> list[str]:
    """Return what tools have given in this round, in order."""
    found: list[str] = []
    for message in request.messages:
        if message.get("role") == "tool":
            found.append(text_of(message))
        elif message.get("role") == "user":
            found.extend(_RESPONSE_RE.findall(text_of(message)))
    return found


def _tools(request: SeenRequest) -> dict[str, Mapping[str, Any]]:
    """Return name -> JSON schema of the arguments: of declared tools, else of those that the instructions list."""
    declared = [tool.get("function", {}) for tool in request.body.get("tools") or ()]
    system = next((text_of(message) for message in request.messages if message.get("role") == "system"), "")
    listed = [one for one in json_objects(system) if isinstance(one.get("arguments", one.get("parameters")), dict)]
    return {
        str(tool.get("name")): tool.get("parameters") or tool.get("arguments") or {}
        for tool in declared or listed
        if tool.get("name")
    }


def _source(result: str) -> str:
    """Return what a search put first: its address, else the name in the first numbered line."""
    address = _URL_RE.search(result)
    named = _FOUND_RE.search(result)
    return address[0] if address else named[1].strip() if named else ""


# -- what is said -----------------------------------------------------------------------------------------------------


def _call(request: SeenRequest, name: str, schema: Mapping[str, Any], wishes: Mapping[str, str]) -> ScriptedReply:
    properties: Mapping[str, Any] = schema.get("properties", schema)
    needed = set(schema.get("required", ())) | (properties.keys() & wishes.keys())
    arguments = {}
    for one in (one for one in properties if one in needed):
        wish = wishes.get(one)
        takes_list = "array" in json.dumps(properties[one])
        filled = instance_of(properties[one], items=1) if wish is None else wish
        arguments[one] = [wish] if wish is not None and takes_list else filled
    if request.tools:
        return tool_reply((name, arguments))
    call = json.dumps({"name": name, "arguments": arguments}, ensure_ascii=False)
    return ScriptedReply(text=f"<think>\n{next(iter(wishes.values()))}\n</think>\n<tool_call>\n{call}\n</tool_call>")


def _answer(request: SeenRequest, results: list[str]) -> str:
    kind, words = _task(request)
    told = [memory["text"] for memory in _MEMORY_RE.finditer(_question(request))] + results
    parts = _quotes(words, told) or _quotes(words, [_question(request)]) or ["-"]
    if kind == "CROSS_VALIDATE":
        parts += [_verdict(found, _question(request), results) for found in _MATTER_RE.finditer(_question(request))]
    if _wants_images(request):
        parts.append(describe_images(request))
    return "\n".join(parts)


def _quotes(words: str, texts: list[str]) -> list[str]:
    """Return the statements that share most words with the task; what only repeats the question is none."""
    wanted = set(content_words(words))
    told = list(dict.fromkeys(one for text in texts for one in _stated(text)))
    ranked = sorted(told, key=lambda one: -len(wanted & set(content_words(one))))  # of equal ones the first
    return [f"- {one}" for one in ranked[:_QUOTES] if wanted & set(content_words(one))]


def _stated(text: str) -> list[str]:
    return [one for line in statements(text) if _STATED_RE.search(one := _LABEL_RE.sub("", line))]


def _verdict(matter: re.Match[str], question: str, results: list[str]) -> str:
    """Return a verdict by counting: the value in dispute holds that most finds of the search and memories state."""
    positions = {
        found["letter"]: numbers(found["text"] or "")[:1] for found in _POSITION_RE.finditer(matter["positions"])
    }
    values = {letter: told[0] for letter, told in positions.items() if told}
    values = values or dict(zip(positions, dict.fromkeys(numbers(matter["words"])), strict=False))
    hits = [*_MEMORY_RE.finditer(question), *_HIT_RE.finditer("\n".join(results[:1]))]  # a page would count twice
    evidence = list(_evidence(values, hits))
    votes = {letter: sum(piece["supports"] == [letter] for piece in evidence) for letter in values}
    most = [letter for letter, count in votes.items() if count and count == max(votes.values())]
    holds = most if len(most) == 1 else []
    stated = {
        "matter": matter["id"],
        "evidence": evidence,
        "reasoning": matter["words"],
        "holds": holds,
        "value": values[holds[0]] if holds else "",
    }
    return block("verdict", json.dumps(stated, ensure_ascii=False))


def _evidence(values: Mapping[str, str], hits: Iterable[re.Match[str]]) -> Iterator[dict[str, Any]]:
    """Yield statements of what memory has and the search found that have one of the values."""
    for hit in hits:
        address = _URL_RE.search(hit[0])
        for quote in _stated(hit["text"]):
            supports = [letter for letter, value in values.items() if value in numbers(quote)]
            if len(supports) == 1:
                yield {"source": address[0] if address else hit["name"].strip(), "quote": quote, "supports": supports}
