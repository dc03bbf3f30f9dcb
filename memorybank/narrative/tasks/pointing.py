"""The state pointer in words: where each storyline stands, what comes next, what is overdue; and which questions ask
for it (fact-planning specification, section 3.1.2)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from memorybank.memory.types import Lang
from memorybank.narrative.hub.contracts import PlanLayer
from memorybank.narrative.hub.verbalisation import tell_plan
from memorybank.narrative.names import names_in
from memorybank.narrative.types import Plan, PlanKind, PlanStatus, Pointer
from memorybank.narrative.wording import joined, say

_OVERDUE_RE: Final = re.compile(r"\b(?:overdue|behind\s+schedule)\b|逾期|过期未|超期", re.IGNORECASE)
_PENDING_RE: Final = re.compile(
    r"\bpending\b|\b(?:steps?|outlines?|plans?)\b.*\b(?:not\s+(?:yet\s+)?(?:begun|started|written|completed)|unfinished|left)\b"
    r"|待完成|待写|(?:步|大纲|计划|情节).*(?:未完成|没完成|没写|未开始|还剩)|还剩.*步",
    re.IGNORECASE,
)
_THE_STORY: Final = (
    r"(?:(?:the|each|every|all|our|my)\s+){0,2}(?:storylines?|story|plots?|subplots?|outlines?|things|book)"
)
_STANDS_RE: Final = re.compile(
    r"\b(?:steps?|outlines?|storylines?|what|anything)\b.*\b(?:in\s+progress|under\s+way|completed)\b"
    rf"|\bwhere\s+(?:are\s+we|do\s+we\s+stand|am\s+i)\b|\bwhere\s+(?:do|does|is|are)\s+{_THE_STORY}\b"
    rf"|\bhow\s+far\s+(?:along\b|(?:are|have)\s+we\b|(?:is|are|has|have)\s+{_THE_STORY}\b)"
    r"|\bwhat(?:['’]s|\s+is|\s+comes)\s+(?:up\s+)?next\b|\bnext\s+step\b|\bwhich\s+steps?\b"
    r"|(?:步|大纲|计划|故事线|情节).*进行中|进展|进度|(?:进行|推进|写)到(?:了)?(?:哪|什么)"
    r"|(?:故事|情节|大纲|线|我们).*走到(?:了)?哪|下一步(?:是|该?到)|接下来(?:是|到)"
    r"|哪[些个一]?步|完成了(?:哪|多少|几)",
    re.IGNORECASE,
)
_OF_PLAN_RE: Final = re.compile(
    r"\b(?:status|stands?|progress|how\s+(?:is|far)|done|completed)\b|怎么?样|状态|进行|完成|到哪", re.IGNORECASE
)
"""Of a plan that is named."""
_QUESTION_RE: Final = re.compile(r"[？?]\s*[”\"’」]?\s*$")


def lines_of(pointer: Pointer, lang: Lang) -> Iterator[str]:
    nothing = say("pointer_nothing", lang)
    storyline = pointer.storyline or say("no_storyline", lang)
    yield say(
        "pointer_line",
        lang,
        storyline=storyline,
        current=pointer.current.title if pointer.current else nothing,
        next=pointer.next.title if pointer.next else nothing,
        completed=pointer.completed,
        steps=pointer.steps,
    )
    yield from _overdue(pointer, lang)


def asks(question: str, plans: PlanLayer) -> bool:
    """Whether this asks where the plans stand, of which there are some."""
    if not _QUESTION_RE.search(question) or not plans.all():
        return False
    kinds = (_OVERDUE_RE, _PENDING_RE, _STANDS_RE, *([_OF_PLAN_RE] if _named(question, plans) else []))
    return any(kind.search(question) for kind in kinds)


def answer(question: str, plans: PlanLayer, chapter: int, lang: Lang) -> tuple[str, ...]:
    """Where the plans stand, those that are named or all, a line each; none where nothing is planned."""
    named = _named(question, plans)
    pointers = [
        pointer for pointer in plans.pointer(chapter=chapter) if not named or pointer.storyline in _storylines(named)
    ]
    if _OVERDUE_RE.search(question):
        late = [line for pointer in pointers for line in _overdue(pointer, lang)]
        return tuple(late or [say("pointer_none_overdue", lang)]) if pointers else ()
    lines = [tell_plan(plan, lang) for plan in named]
    if _PENDING_RE.search(question):
        waiting = plans.all(kind=PlanKind.STEP, status=PlanStatus.PENDING)
        lines += [
            tell_plan(plan, lang) for plan in waiting if plan.storyline in {pointer.storyline for pointer in pointers}
        ]
    lines += [line for pointer in pointers for line in lines_of(pointer, lang)]
    return tuple(dict.fromkeys(lines))


def _named(question: str, plans: PlanLayer) -> list[Plan]:
    return [plan for plan in plans.all() if names_in(question, (plan.title,))]


def _storylines(plans: Sequence[Plan]) -> set[str]:
    return {plan.storyline for plan in plans}


def _overdue(pointer: Pointer, lang: Lang) -> Iterator[str]:
    if pointer.overdue:
        titles = joined((plan.title for plan in pointer.overdue), lang)
        yield say("pointer_overdue", lang, storyline=pointer.storyline or say("no_storyline", lang), plans=titles)
