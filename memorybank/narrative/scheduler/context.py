"""A built context: what the creativity engine is told, where each part is from and why it is there.

Rendered, every part is a block of its own with its text neutralised (language/tags.py), so that nothing an author
pasted, a book or a model said can open, close or imitate one. Built within a budget of estimated tokens: parts are
taken by priority, one that does not fit loses its middle or is left out, and the prompt says which.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final, Literal

from memorybank.language.tags import block, neutralise
from memorybank.llm.tokens import estimate
from memorybank.memory.types import Lang, Value
from memorybank.narrative.types import Command, Task
from memorybank.narrative.wording import say

PartKind = Literal["turn", "summary", "pointer", "hook", "facts", "setting", "plan", "scene", "style"]

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


class RouteKind(StrEnum):
    FACTS = "facts"
    """Facts and settings of the entities named."""
    PLANS = "plans"
    """Parent outlines, the pointer."""
    SCENES = "scenes"
    """The archive, by entity."""
    STYLE = "style"
    """The chapters just before."""
    HOOKS = "hooks"
    """Unresolved hooks of the chapter's characters."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Route(Value):
    kind: RouteKind
    reason: str
    """A sentence; it is shown with the prompt."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Part(Value):
    kind: PartKind
    title: str
    text: str
    origin: str = ""
    why: str = ""
    number: int = 0
    """Of a turn; of a passage its place in the book. What has a higher one is taken first and stands later."""
    left_out: int = 0
    """Estimated tokens of its middle that did not fit."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LeftOut(Value):
    title: str
    tokens: int


@dataclass(frozen=True, slots=True, kw_only=True)
class BuiltContext(Value):
    command: Command
    task: Task
    lang: Lang
    asked: str
    """The author's words; whole."""
    shown: str
    """The same as the prompt shows them: without a middle that does not fit."""
    chapter: int
    """The chapter that is being written: facts hold as of it."""
    why: str
    """How the command built it, in a sentence."""
    routes: tuple[Route, ...] = ()
    parts: tuple[Part, ...] = ()
    """In the order of the prompt."""
    left_out: tuple[LeftOut, ...] = ()
    budget: int | None
    """Estimated tokens; None: everything stands."""

    @property
    def tokens(self) -> int:
        return estimate(self.prompt())

    def prompt(self) -> str:
        """In the context's language."""
        notes = [left_out_note(self.left_out, self.lang)] if self.left_out else []
        frame = [say("frame", self.lang)]
        if self.command is Command.SETTLE:
            frame.append(say("frame_settle", self.lang))
        return "\n\n".join([*frame, *(written(part, self.lang) for part in self.parts), *notes, self._task_block()])

    def _task_block(self) -> str:
        lines = [
            say("task_title", self.lang, title=self.task.title),
            say("task_command", self.lang, command=self.command.value, why=self.why),
            *(f"- {route.reason}" for route in self.routes),
            say("task_asks", self.lang),
            self.shown,
        ]
        return block("task", "\n".join(lines))


def written(part: Part, lang: Lang) -> str:
    """A part as a block of the prompt."""
    head = [part.title]
    if part.why:
        head.append(say("part_why", lang, why=part.why, origin=part.origin))
    return block("memory", "\n".join([*head, part.text]), {"part": part.kind})


def left_out_note(left_out: Sequence[LeftOut], lang: Lang) -> str:
    told = [say("left_out_part", lang, title=one.title, tokens=one.tokens) for one in left_out[:_MOST_NAMED]]
    if len(left_out) > _MOST_NAMED:
        told.append(say("left_out_more", lang, count=len(left_out) - _MOST_NAMED))
    return neutralise(say("left_out", lang, what=("；" if lang == "zh" else "; ").join(told)))


# -- budget -----------------------------------------------------------------------------------------------------------

_MOST_NAMED: Final = 4
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
    for part in sorted(candidates, key=lambda one: (PRIORITY.index(one.kind), -one.number)):
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
