"""A context within its budget of estimated tokens: parts by priority, and what does not fit without its middle."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Final

from memorybank.llm.tokens import estimate
from memorybank.memory.types import Lang
from memorybank.prompts.tags import neutralise
from memorybank_studio.journal.context import BuiltContext, LeftOut, Part, PartKind, written
from memorybank_studio.wording import say

PRIORITY: Final[tuple[PartKind, ...]] = (
    "turn",
    "summary",
    "pointer",
    "hook",
    "facts",
    "setting",
    "plan",
    "scene",
    "style",
)
"""Which parts are taken first when not all fit; of turns the newest first, else in the order they were found."""
_SHOWN_ORDER: Final[tuple[PartKind, ...]] = (
    "style",
    "scene",
    "setting",
    "facts",
    "plan",
    "pointer",
    "hook",
    "summary",
    "turn",
)
"""In a prompt: what matters most stands nearest to the request, at the end."""


_TITLE_CHARACTERS: Final = 60
_NOTE_TOKENS: Final = 360
"""What telling of the parts left out takes at most: titles of that length, in Chinese."""
_LEAST_TOKENS: Final = 60
"""A part of which less than this would be left is not worth its block."""
_ASKED_SHARE: Final = 0.5
"""Of the budget, for the request."""


def fitted(context: BuiltContext, candidates: Sequence[Part]) -> BuiltContext:
    """The context with as many of the candidates as its budget takes. Without a budget: all."""
    budget = context.budget
    if budget is None:
        return replace(context, parts=_in_order(candidates))
    shown, cut = shortened(context.asked, round(budget * _ASKED_SHARE), context.lang)
    context = replace(context, shown=shown)
    left_out = [_shortened_note(say("input_title", context.lang), cut, context.lang)] if cut else []
    room = budget - estimate(context.prompt()) - _NOTE_TOKENS
    taken: list[Part] = []
    for part in sorted(candidates, key=lambda candidate: (PRIORITY.index(candidate.kind), -candidate.number)):
        kept = _within(part, room, context.lang)
        title = part.title[:_TITLE_CHARACTERS]
        if kept is None:
            left_out.append(LeftOut(title=title, tokens=estimate(part.text)))
            continue
        if kept.left_out:
            left_out.append(_shortened_note(title, kept.left_out, context.lang))
        room -= _cost(kept, context.lang)
        taken.append(kept)
    return replace(context, parts=_in_order(taken), left_out=tuple(left_out))


def _in_order(parts: Iterable[Part]) -> tuple[Part, ...]:
    return tuple(sorted(parts, key=lambda part: (_SHOWN_ORDER.index(part.kind), part.number)))


def _shortened_note(title: str, tokens: int, lang: Lang) -> LeftOut:
    return LeftOut(title=say("left_out_shortened", lang, title=title, tokens=tokens), tokens=tokens)


def _cost(part: Part, lang: Lang) -> int:
    return estimate(written(part, lang)) + 1


def _within(part: Part, room: int, lang: Lang) -> Part | None:
    """The part, or what of it fits; None when that is not worth a block."""
    if _cost(part, lang) <= room:
        return part
    frame = _cost(replace(part, text=""), lang)
    if room - frame < _LEAST_TOKENS:
        return None
    text, cut = shortened(part.text, room - frame, lang)
    return replace(part, text=text, left_out=cut)


def shortened(text: str, tokens: int, lang: Lang) -> tuple[str, int]:
    """The text within so many tokens, and how many were cut from its middle: a beginning and an end say most."""
    whole = estimate(neutralise(text))
    if whole <= tokens:
        return text, 0
    room = max(tokens - estimate(say("shortened", lang, tokens=whole)) - 3, 0)
    head = _begin(text, room * 2 // 3)
    tail = _begin(text[::-1], room - room * 2 // 3)[::-1]
    cut = whole - estimate(head) - estimate(tail)
    return f"{head}\n{say('shortened', lang, tokens=cut)}\n{tail}", cut


def _begin(text: str, tokens: int) -> str:
    """The longest beginning of so many tokens."""
    low, high = 0, min(len(text), tokens * 4)
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if estimate(text[:middle]) <= tokens else (low, middle - 1)
    return text[:low]
