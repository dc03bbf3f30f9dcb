"""Planning without a model: rules in the specification's order (final specification, section 6.2).

Each part of the goal that has not been looked into, then the answer; what comes before that is no choice
(engines/tasks.py). Only the next step is decided. Each part is looked into once, whatever the rounds before it brought:
what one of them needs a validation may have read ahead, and the next one may still be new.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from memorybank.engines import tasks
from memorybank.engines.offline.asking import HOW_MANY, subject_of, undated
from memorybank.language.names import names_in
from memorybank.language.parse import Parse
from memorybank.language.text import cjk_share, fold_space
from memorybank.memory.contracts import PlanningInput, PlanningOutput, TaskDraft
from memorybank.memory.types import Lang, TaskType
from memorybank.prompts import say

MAX_ASPECTS = 5
"""Parts of a goal that are looked into, the first ones."""

_EN_QUESTION = "what|who|whom|whose|when|where|why|how|which|whether"
_EN_ORDER = "is|are|was|were|did|does|do|has|have|find|list|compare|explain|describe|summari[sz]e|check|tell"
_EN_MAY = "can|could|may|must|should|is|are|was|were|did|does|do|has|have|will|would"
_EN_SPLIT_RE = re.compile(
    rf"[;?!\n]+|\.(?=\s|$)"
    rf"|,?\s+(?:and|as well as|then|also)\s+(?=(?:(?:at|by|for|from|in|on|to|with)\s+)?(?:{_EN_QUESTION})\b"
    rf"|(?:{_EN_ORDER})\b|(?:{_EN_MAY})\s+(?:it|they|he|she|one|the)\b)"
    rf"|,\s*(?=(?:(?:at|by|for|from|in|on|to|with)\s+)?(?:{_EN_QUESTION}|{_EN_MAY})\b)",
    re.IGNORECASE,
)
_ZH_SPLIT_RE = re.compile(r"[；;？?！!。\n，,]+(?:以及|并且|还有|并|和)?|以及|并且|还有(?!没有)")
_ZH_QUESTION_RE = re.compile(
    rf"何时|什么|谁|哪|多少|{HOW_MANY}|为何|如何|怎样|怎么|是否|有没有|能不能|会不会|是不是|[了过]没有|多[大高长重远久]"
)
_MEANS_BACK_RE = re.compile(r"\b(?:it|its|they|their|them|he|his|him|she|her)\b|[它他她其该]", re.IGNORECASE)
"""A part of a question that means what the part before it named."""
_ZH_ORDER_RE = re.compile(r"请?(?:查找|查一?查|找出|列出|比较|介绍|说明|总结|概括|分析|描述|解释|核实)")


def aspects(goal: str, lang: Lang, parse: Parse) -> list[str]:
    """Return the parts of a goal that can be looked into one by one, each with the names that the others only mean.

    "What did X achieve, and when was it announced?" -> ["What did X achieve", "when was it announced (X)"].
    """
    goal = fold_space(goal)
    chinese = lang == "zh" or cjk_share(goal) > 0.5
    split = _ZH_SPLIT_RE.split(goal) if chinese else _EN_SPLIT_RE.split(goal)
    # at 、 where each side asks something of its own; a list of things stays whole
    lists = [whole.split("、") if chinese else [whole] for whole in split]
    asking = [parts if all(map(_ZH_QUESTION_RE.search, parts)) else ["、".join(parts)] for parts in lists]
    parts = [part.strip(" ,，、.。:：") for parts in asking for part in parts]
    parts = (_zh_join_settings if chinese else _join_short)([part for part in parts if part])
    return list(dict.fromkeys(_in_full(parts, parse) if len(parts) > 1 else parts)) or [goal]


def _in_full(parts: Sequence[str], parse: Parse) -> Iterator[str]:
    """Yield each part with its subject: where it says "it" or nothing, that of the part before it in brackets."""
    last = ""
    for part, parsed in zip(parts, parse(parts), strict=True):
        named = bool(names_in(part)) or any(word.pos == "PROPN" for word in parsed.tokens)
        if last and (not named or _MEANS_BACK_RE.search(part)):
            yield f"{part} ({last})"
        else:
            subject, called = undated(subject_of(parsed)), names_in(part)
            last = subject if subject and (names_in(subject) or not called) else next(iter(called), last)
            yield part


def _zh_join_settings(parts: list[str]) -> list[str]:
    """Join each part that asks nothing ("文革期间，": it says when or where) with the next one that does."""
    if not any(_ZH_QUESTION_RE.search(part) for part in parts):
        return parts
    joined: list[str] = []
    waiting = ""
    for part in parts:
        whole = f"{waiting}，{part}" if waiting else part
        asks = _ZH_QUESTION_RE.search(part) or _ZH_ORDER_RE.match(part)
        waiting = "" if asks else whole
        if asks:
            joined.append(whole)
    return [*joined, waiting] if waiting else joined


def _join_short(parts: list[str]) -> list[str]:
    """Join a part too short to be searched for (a word, "and why") to the one before it."""
    joined: list[str] = []
    for part in parts:
        if joined and len(part.split()) < 3:
            joined[-1] += f", {part}"
        else:
            joined.append(part)
    return joined


class OfflinePlanning:
    def __init__(self, parse: Parse) -> None:
        self._parse = parse

    def run(self, request: PlanningInput) -> PlanningOutput:
        reasoning, task = _search_or_answer(request, self._parse)
        return PlanningOutput(reasoning=reasoning, finished_context=tasks.learnt(request), next_task=task)


def _search_or_answer(request: PlanningInput, parse: Parse) -> tuple[str, TaskDraft | None]:
    lang, goal = request.lang, request.task_goal
    if not goal or (request.finished and request.finished.final):  # what failed would fail the same way again
        return say("plan_finished", lang), None
    done = {task.description for task in request.completed_tasks}
    if request.finished:
        done.add(request.finished.description)
    for aspect in aspects(goal, lang, parse)[:MAX_ASPECTS]:
        description = say("task_search", lang, aspect=aspect)
        if description not in done:
            task = TaskDraft(type=TaskType.NORMAL, description=description, query=aspect)
            return say("plan_search", lang, aspect=aspect), task
    return say("plan_answer_done", lang), tasks.final_answer(request)
