"""`scripted_agents()`: the five agents, the page reader and the ReAct agent, played by simple rules on any input.

Which one is asked is told from the fields of the answer's schema, so it works with JSON schema, in JSON mode and in
plain text alike. Whatever the schema bounds is kept, and fields that are not known here are filled by `instance_of`.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from memorybank_lab.scripted.instances import fitted
from memorybank_lab.scripted.reading import (
    ShownMemory,
    alike,
    best_words,
    content_words,
    first_words,
    memories,
    memory_blocks,
    numbered,
    numbers,
    statements,
)
from memorybank_lab.scripted.researching import describe_images, research
from memorybank_lab.scripted.script import Answer, Rule, Script, ScriptedReply, SeenRequest, json_reply

Fields = dict[str, Any]


def scripted_agents(*rules: Rule, sequence: Iterable[Answer] = ()) -> Script:
    """Return a script that answers every agent sensibly; your rules and sequence come first."""
    return Script(rules=rules, sequence=sequence, default=agent_answer)


def agent_answer(request: SeenRequest) -> ScriptedReply:
    # The schema may stand in the last question, as words; schemas of tools stand elsewhere.
    schema = request.schema if request.answer_format != "text" or '"properties"' in request.prompt else None
    if schema is None:
        if request.images and "<tool_call>" not in request.text and not request.tools:
            return ScriptedReply(text=describe_images(request))
        return research(request)
    told = next((tell(request) for field, tell in _AGENTS.items() if field in schema["properties"]), {})
    return json_reply(fitted(told, schema))


_POINTS_BACK_RE = re.compile(r"^(?:Its?|This|That|These|Those|They|He|She|However|But|And)\b|^[它他她这那该其此但]")
_MOST_TOPICS = 24
_ONE_TOPIC = 3
"""Units of a text too short to have two topics."""


_DOCUMENT_RE = re.compile(r"^(?:Document: |文档：).*\n", re.MULTILINE)


def _classify(request: SeenRequest) -> Fields:
    topics: list[Fields] = []
    before = 0
    for document in (part for _, body in memory_blocks(request.prompt) for part in _DOCUMENT_RE.split(body)):
        units = numbered(document, before)
        for first, last in _runs(units) if units else ():
            text = "".join(units[first : last + 1])
            head = next((unit for unit in units[first : last + 1] if not unit.startswith("#")), text)
            topics.append(
                {
                    "topic": first_words(head),
                    "keywords": best_words(text),
                    "ranges": [{"first": before + first, "last": before + last}],
                    "summary": _telling_statements(units[first : last + 1], _share(text)),
                }
            )
        before += len(units)
    return {"reasoning": f"{before} units, {len(topics)} topics.", "topics": topics}


def _runs(units: list[str]) -> list[tuple[int, int]]:
    """A topic begins at a heading, and where a unit and the next share nothing telling with the topic before them."""
    telling = _telling_words(units)
    starts = [0]
    for at in range(1, len(units) if len(units) > _ONE_TOPIC else 0):
        if units[at - 1].startswith("#"):
            continue
        said = set().union(*telling[starts[-1] : at])
        new = not _POINTS_BACK_RE.match(units[at]) and not said & (telling[at] | telling[min(at + 1, len(units) - 1)])
        if units[at].startswith("#") or new:
            starts.append(at)
    starts = starts[:: -(-len(starts) // _MOST_TOPICS)]
    ends = [start - 1 for start in starts[1:]] + [len(units) - 1]
    return list(zip(starts, ends, strict=True))


def _telling_words(units: list[str]) -> list[set[str]]:
    """Return each unit's words without numbers and without those of a quarter of all units, which tell no topic."""
    words = [{word for word in content_words(unit) if not word[0].isdigit()} for unit in units]
    counts = Counter(word for of in words for word in of)
    most = max(3, len(units) // 4)
    return [{word for word in of if counts[word] <= most} for of in words]


def _structure(request: SeenRequest) -> Fields:
    """Return the telling statements, and those with what a first summary is said to lack."""
    text, *again = [body for _, body in memory_blocks(request.prompt)] or [request.prompt]
    units = statements(text)
    lacking = [line[2:] for line in again[-1].splitlines() if line.startswith("- ")] if again else []
    back = [unit for unit in units if any(figure in unit for figure in lacking)]
    return {"summary": _joined(list(dict.fromkeys([_telling_statements(units, _share(text)), *back])))}


def _share(text: str) -> int:
    """Return half of a text, in characters."""
    return max(200, len(text) // 2)


def _telling_statements(units: list[str], most: int) -> str:
    """Return statements with a figure, then the others, while there is room; in the order of the text."""
    kept: list[int] = []
    room = most
    for at in sorted(range(len(units)), key=lambda at: not numbers(units[at])):
        if not kept or len(units[at]) < room:
            kept.append(at)
            room -= len(units[at]) + 1
    return _joined([units[at] for at in sorted(kept)])


_SAME_POINT = 0.7
_SAME_TEXT = 0.9


_PAIR_RE = re.compile(r"\b([A-Z]+)-([A-Z]+|\d+)\b")


def _analyse(request: SeenRequest) -> Fields:
    shown = dict(memories(request.prompt))
    asked = _PAIR_RE.findall(request.prompt.rpartition("</memory>")[2])
    pairs = [pair for pair in asked if shown.keys() >= set(pair)]
    return {"relationships": [_judge("-".join(pair), shown[pair[1]], shown[pair[0]]) for pair in pairs]}


def _judge(pair: str, existing: ShownMemory, new: ShownMemory) -> Fields:
    dispute = _dispute(existing.summary, new.summary)
    if dispute:
        left, right, first, second = dispute
        return {
            "pair": pair,
            "reasoning": f"“{left}” / “{right}”",
            "relationship": "conflict",
            "confidence": 0.9,
            "details": {
                "contradictions": [
                    {
                        "attribute": new.keywords[0] if new.keywords else "",
                        "existing_quote": left,
                        "existing_value": first,
                        "new_quote": right,
                        "new_value": second,
                        "why": f"{first} ≠ {second}",
                    }
                ],
                "conflict_description": f"{new.topic.rstrip('.。')}: {first} / {second}",
                "same_subject": True,
            },
        }
    shared = [word for word in new.keywords if word.casefold() in {one.casefold() for one in existing.keywords}]
    relation = "related" if shared else "unrelated"
    same = set(numbers(existing.summary)) == set(numbers(new.summary))
    if same and alike(existing.summary, new.summary) >= _SAME_TEXT:
        relation = "merge"
    return {
        "pair": pair,
        "reasoning": ", ".join(shared) or "-",
        "relationship": relation,
        "confidence": 0.8,
        "details": {"merge_strategy": new.topic} if relation == "merge" else None,
    }


def _dispute(existing: str, new: str) -> tuple[str, str, str, str] | None:
    """Return two statements in the same words with one number each that the other lacks, and these numbers."""
    for left in statements(existing):
        for right in statements(new):
            apart = [[one for one in numbers(a) if one not in numbers(b)] for a, b in ((left, right), (right, left))]
            if [len(one) for one in apart] == [1, 1] and alike(left, right) >= _SAME_POINT:
                return left, right, apart[0][0], apart[1][0]
    return None


_VERDICT_RE = re.compile(
    r"(\d+) ?[（(](?:left|左)[)）].*?(\d+) ?[（(](?:right|右)[)）].*?(?:the (left|right) one|(左|右)方成立)", re.DOTALL
)


def _integrate(request: SeenRequest) -> Fields:
    """Return the winner's statements, or the newest memory's, completed by what the others say differently."""
    shown = {int(label): memory for label, memory in memories(request.prompt) if label.isdigit()}
    verdict = _VERDICT_RE.search(request.prompt)
    winner = int(verdict[1 if verdict[3] == "left" or verdict[4] == "左" else 2]) if verdict else max(shown, default=0)
    first = shown.get(winner)
    if first is None:
        return {}
    kept = statements(first.summary)
    for number, memory in shown.items():
        if number != winner:
            kept += [
                one for one in statements(memory.summary) if all(alike(one, other) < _SAME_POINT for other in kept)
            ]
    keywords = dict.fromkeys(word for memory in (first, *shown.values()) for word in memory.keywords)
    return {
        "reasoning": f"{len(shown)} memories; {winner} holds.",
        "summary": _joined(kept),
        "context": first.topic,
        "keywords": list(keywords)[:10],
        "neighbor_updates": [],
        "description": f"{first.topic} ({len(shown)} → 1)",
    }


_GOAL_RE = re.compile(r"^(?:Goal: |任务目标：)(.*)$", re.MULTILINE)
_ANSWERED_RE = re.compile(r"It was the task that answers the goal|这是回答任务目标的任务")
_RESULT_RE = re.compile(r"^(?:Its result: |内容：)(.*)$", re.MULTILINE)
_LEFT_RE = re.compile(r"(?:Rounds left: |剩余轮数：)(\d+)")
_BARREN_RE = re.compile(r"(?:brought nothing new: |没有新内容的轮数：)(\d+)")
_ENOUGH_ROUNDS = 2


def _plan(request: SeenRequest) -> Fields:
    """Plan two rounds of searching, then the answer."""
    prompt = request.prompt
    goal = _first(_GOAL_RE, prompt)
    result = _first(_RESULT_RE, prompt)
    context = first_words(result, 40) if result else ""
    return {"reasoning": goal or "-", "finished_context": context, "next_task": _next_task(prompt, goal), "then": []}


def _next_task(prompt: str, goal: str) -> Fields | None:
    if _ANSWERED_RE.search(prompt):  # in vain, or nobody would ask
        return None
    done = len(re.findall(r"^- .*(?:NORMAL)", prompt, re.MULTILINE))
    last = int(_first(_LEFT_RE, prompt) or 1) <= 1 or int(_first(_BARREN_RE, prompt) or 0) >= 1
    if last or done >= _ENOUGH_ROUNDS:
        return {"description": goal, "query": goal, "final": True}
    return {"description": goal, "query": " ".join(best_words(goal, 6 - done)) or goal, "final": False}


_PAGE_RE = re.compile(r"<tool_response>\n(.*?)\n</tool_response>", re.DOTALL)


def _extract(request: SeenRequest) -> Fields:
    """Return the statements of a page that share words with the goal, as they stand."""
    page = _PAGE_RE.search(request.prompt)
    wanted = set(content_words(request.prompt.split("</task>")[0]))
    told = statements(page[1]) if page else []
    kept = [one for one in told if wanted & set(content_words(one))][:8]
    return {"rational": f"{len(kept)} of {len(told)}", "evidence": "\n\n".join(kept), "summary": _joined(kept[:2])}


def _first(pattern: re.Pattern[str], text: str) -> str:
    found = pattern.search(text)
    return found[1] if found else ""


def _joined(parts: list[str]) -> str:
    return "".join(part if part.endswith(("。", "！", "？")) else f"{part} " for part in parts).strip()


_AGENTS: Mapping[str, Callable[[SeenRequest], Fields]] = {
    "topics": _classify,
    "relationships": _analyse,
    "description": _integrate,
    "neighbor_updates": _integrate,
    "next_task": _plan,
    "evidence": _extract,
    "summary": _structure,
}
"""The agents, by a field that only this answer has; the first that fits."""
