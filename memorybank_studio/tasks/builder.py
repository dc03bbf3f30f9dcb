"""The context builder: by command what a prompt is made of (fact-planning specification, section 3.3 E).

continue, switch   the last K turns and a running summary of what came before
new                no history; what the hub has for the request
restart            a fresh summary of the kept history, and the hub asked again, for its names too: it may have changed
settle             the whole history, nothing summarised, nothing cut
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Final, get_args

from memorybank.errors import AgentError
from memorybank.llm.base import ChatModel
from memorybank.llm.tokens import estimate
from memorybank.memory.types import Lang
from memorybank.prompts.tags import neutralise
from memorybank_studio.hub.shared import SharedHub
from memorybank_studio.hub.stores import next_chapter
from memorybank_studio.journal.context import BuiltContext, LeftOut, Part, PartKind, written
from memorybank_studio.journal.desk import Desk, Histories
from memorybank_studio.journal.events import SummaryMade
from memorybank_studio.tasks.model_summaries import ModelSummary
from memorybank_studio.tasks.retrieval import Retrieval, inquiry
from memorybank_studio.tasks.settings import TaskSettings
from memorybank_studio.types import Command, Task, TaskId, Turn
from memorybank_studio.wording import say


class ContextBuilder:
    """Reads queues and hub; writes nothing but summaries. Call it with the task's lock held."""

    def __init__(
        self, desk: Desk, histories: Histories, hub: SharedHub, settings: TaskSettings, chat: ChatModel | None = None
    ) -> None:
        """`chat`: sums up what is older than the window. Without it, and where it fails, older turns stand whole as
        far as the budget goes."""
        self._desk = desk
        self._histories = histories
        self._hub = hub
        tokens, lang = settings.summary_tokens, settings.lang
        self._summarise = ModelSummary(chat, tokens=tokens, lang=lang) if chat is not None else None
        self._settings = settings
        self._retrieval = Retrieval(settings.lang)

    def build(self, command: Command, task: TaskId, text: str, *, through: int | None = None) -> BuiltContext:
        """Return what the engine is told for `text`.

        `through`: the last turn that is history (the request itself comes after it); None: all are. Raises InputError
        when the history is gone, StoreUnavailableError, AgentError of the summary.
        """
        known = self._desk.task(task)
        through = known.turns if through is None else through
        match command:
            case Command.NEW:  # turns there are only when an earlier one was not answered
                return self._looked_up(command, known, text, self._window(known, through))
            case Command.RESTART:
                kept = self._histories.told(task, last=through)
                changed = self._changed(known, kept)
                history = (*self._fresh_summary(known, through, kept, changed), *changed)
                return self._looked_up(command, known, text, history, [turn.text for turn in kept])
            case Command.SETTLE:
                turns = self._histories.told(task, last=through)
                context = self._empty(command, known, text, self._chapter())
                return fitted(context, tuple(self._turn(turn) for turn in turns))
            case _:
                budget = self._settings.prompt_tokens
                context = self._empty(command, known, text, self._chapter(), budget=budget)
                return fitted(context, self._window(known, through))

    def _chapter(self) -> int:
        with self._hub.reading() as stores:
            return next_chapter(stores)

    def _empty(
        self, command: Command, task: Task, text: str, chapter: int, *, budget: int | None = None
    ) -> BuiltContext:
        window = {"window": self._settings.window} if command is Command.CONTINUE else {}
        return BuiltContext(
            command=command,
            task=task,
            lang=self._settings.lang,
            asked=text,
            shown=text,
            chapter=chapter,
            why=say(f"why_{command.value}", self._settings.lang, **window),
            budget=budget,
        )

    def _window(self, task: Task, through: int) -> tuple[Part, ...]:
        older = max(0, through - self._settings.window)
        made = self._running_summary(task, older)
        first = min(older, made.through) + 1 if made is not None else 1
        why = say("why_summary", self._settings.lang, window=self._settings.window)
        summary = () if made is None else (self._summary(made, why),)
        return (*summary, *(self._turn(turn) for turn in self._histories.told(task.id, first, through)))

    def _running_summary(self, task: Task, older: int) -> SummaryMade | None:
        """Return a summary of the turns 1 … `older` or some more; it grows by half a window of turns at a time."""
        made = self._desk.state.summaries.get(task.id)
        known = made.through if made is not None else 0
        if older - known < max(1, self._settings.window // 2):
            return made
        turns = self._histories.told(task.id, known + 1, older)
        return self._made(task, older, turns, made.text if made is not None else "") or made

    def _fresh_summary(
        self, task: Task, through: int, kept: Sequence[Turn], changed: Sequence[Part]
    ) -> tuple[Part, ...]:
        if not kept:
            return ()
        made = self._made(task, through, kept, "", [part.text for part in changed])
        if made is None:
            return tuple(map(self._turn, kept))
        return (self._summary(made, say("why_summary_restart", self._settings.lang)),)

    def _changed(self, task: Task, kept: Sequence[Turn]) -> tuple[Part, ...]:
        """Return what was settled elsewhere since the last kept turn, of what the kept turns name."""
        if not kept:
            return ()
        others = [other for other, at in self._desk.state.settled.items() if at > kept[-1].at and other != task.id]
        with self._hub.reading() as stores:
            recalled = inquiry("", 0, stores, [turn.text for turn in kept]).recalled
            return self._retrieval.changed(recalled, task.id, others, stores)

    def _made(
        self, task: Task, through: int, turns: Sequence[Turn], previous: str, changed: Sequence[str] = ()
    ) -> SummaryMade | None:
        try:
            summary = self._summarise(turns, previous, changed) if self._summarise is not None else None
        except AgentError:
            return None
        if summary is None:
            return None
        event = SummaryMade(task=task.id, through=through, text=summary.text, made=summary.made)
        self._desk.append(event)
        return event

    def _summary(self, made: SummaryMade, why: str) -> Part:
        return Part(
            kind="summary",
            title=say("summary_title", self._settings.lang, through=made.through),
            text=made.text,
            origin=say("summary_origin", self._settings.lang, made=made.made),
            why=why,
        )

    def _turn(self, turn: Turn) -> Part:
        title = say(f"turn_{turn.role}", self._settings.lang, number=turn.number)
        return Part(kind="turn", title=title, text=turn.text, number=turn.number)

    def _looked_up(
        self, command: Command, task: Task, text: str, history: tuple[Part, ...], kept: Sequence[str] = ()
    ) -> BuiltContext:
        """`kept`: texts of the turns that the history stands for, whose names are looked up with the request's."""
        with self._hub.reading() as stores:  # one state of the hub for all parts
            request = inquiry(f"{task.title}\n{text}", next_chapter(stores), stores, kept)
            retrieved = self._retrieval.parts(request, stores)
        context = self._empty(command, task, text, request.chapter, budget=self._settings.prompt_tokens)
        return fitted(context, (*history, *retrieved))


PRIORITY: Final = get_args(PartKind)
"""The order in which parts are taken when not all fit; of turns the newest first, else in the order they were found."""
_SHOWN_ORDER: Final = ("style", "scene", "setting", "facts", "plan", "pointer", "hook", "summary", "turn")
"""The order of the parts in a prompt: what matters most stands nearest to the request, at the end."""
_TITLE_CHARACTERS: Final = 60
_NOTE_TOKENS: Final = 360
"""The most tokens that telling of the parts left out takes: titles of that length, in Chinese."""
_LEAST_TOKENS: Final = 60
"""A part of which less than this would be left is not worth its block."""
_ASKED_SHARE: Final = 0.5
"""The share of the budget that the request may fill."""


def fitted(context: BuiltContext, candidates: Sequence[Part]) -> BuiltContext:
    """Return the context with as many of the candidates as its budget takes. Without a budget: all."""
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
    """Return the part, or what of it fits; None when that is not worth a block."""
    if _cost(part, lang) <= room:
        return part
    frame = _cost(replace(part, text=""), lang)
    if room - frame < _LEAST_TOKENS:
        return None
    text, cut = shortened(part.text, room - frame, lang)
    return replace(part, text=text, left_out=cut)


def shortened(text: str, tokens: int, lang: Lang) -> tuple[str, int]:
    """Return the text within so many tokens, and how many were cut from its middle: a beginning and an end say most."""
    whole = estimate(neutralise(text))
    if whole <= tokens:
        return text, 0
    room = max(tokens - estimate(say("shortened", lang, tokens=whole)) - 3, 0)
    head = _begin(text, room * 2 // 3)
    tail = _begin(text[::-1], room - room * 2 // 3)[::-1]
    cut = whole - estimate(head) - estimate(tail)
    return f"{head}\n{say('shortened', lang, tokens=cut)}\n{tail}", cut


def _begin(text: str, tokens: int) -> str:
    low, high = 0, min(len(text), tokens * 4)
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if estimate(text[:middle]) <= tokens else (low, middle - 1)
    return text[:low]
