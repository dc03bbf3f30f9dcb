"""The context builder: by command what a prompt is made of (fact-planning specification, section 3.3 E).

continue, switch   the last K turns and a running summary of what came before
new                no history; what the hub has for the request, broadly, by routing
restart            a fresh summary of the kept history, and the hub asked again, for its names too: it may have changed
settle             the whole history, nothing summarised, nothing cut
"""

from __future__ import annotations

from collections.abc import Sequence

from memorybank.llm.base import ChatModel
from memorybank_studio.hub.shared import SharedHub
from memorybank_studio.hub.stores import next_chapter
from memorybank_studio.journal.context import BuiltContext, Part, Route
from memorybank_studio.journal.desk import Desk
from memorybank_studio.journal.events import SummaryMade
from memorybank_studio.journal.histories import Histories
from memorybank_studio.tasks.budget import fitted
from memorybank_studio.tasks.model_summaries import ModelSummary
from memorybank_studio.tasks.retrieval import Retrieval, inquiry
from memorybank_studio.tasks.routing import routes
from memorybank_studio.tasks.settings import TaskSettings
from memorybank_studio.tasks.summaries import QuotingSummary, Summarise
from memorybank_studio.types import Command, Task, TaskId, Turn
from memorybank_studio.wording import say


class ContextBuilder:
    """Reads queues and hub; writes nothing but summaries. Call it with the task's lock held."""

    def __init__(
        self,
        desk: Desk,
        histories: Histories,
        hub: SharedHub,
        settings: TaskSettings,
        chat: ChatModel | None = None,
    ) -> None:
        """`chat`: sums up what is older than the window; None: it is quoted."""
        self._desk = desk
        self._histories = histories
        self._hub = hub
        tokens, lang = settings.summary_tokens, settings.lang
        quoting = QuotingSummary(tokens=tokens, lang=lang)
        self._summarise: Summarise = (
            quoting if chat is None else ModelSummary(chat, tokens=tokens, lang=lang, instead=quoting)
        )
        self._settings = settings
        self._retrieval = Retrieval(settings)

    def build(
        self, command: Command, task: TaskId, text: str, *, through: int | None = None, chapter: int | None = None
    ) -> BuiltContext:
        """What the engine is told for `text`.

        `through`: the last turn that is history (the request itself comes after it); None: all are. Raises InputError
        when the history is gone, StoreUnavailableError, AgentError of the summary.
        """
        known = self._desk.task(task)
        through = known.turns if through is None else through
        match command:
            case Command.NEW:  # turns there are only when an earlier one was not answered
                return self._looked_up(command, known, text, chapter, self._window(known, through))
            case Command.RESTART:
                kept = self._histories.told(task, last=through)
                changed = self._changed(known, kept)
                history = (*self._fresh_summary(known, through, kept, changed), *changed)
                return self._looked_up(command, known, text, chapter, history, [turn.text for turn in kept])
            case Command.SETTLE:
                turns = self._histories.told(task, last=through)
                context = self._empty(command, known, text, self._chapter(chapter))
                return fitted(context, tuple(self._turn(turn) for turn in turns))
            case _:
                budget = self._settings.prompt_tokens
                context = self._empty(command, known, text, self._chapter(chapter), budget=budget)
                return fitted(context, self._window(known, through))

    def _chapter(self, chapter: int | None) -> int:
        if chapter is not None:
            return chapter
        with self._hub.reading() as stores:
            return next_chapter(stores)

    def _empty(
        self,
        command: Command,
        task: Task,
        text: str,
        chapter: int,
        *,
        budget: int | None = None,
        taken: tuple[Route, ...] = (),
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
            routes=taken,
            budget=budget,
        )

    # -- continue and switch ------------------------------------------------------------------------------------------

    def _window(self, task: Task, through: int) -> tuple[Part, ...]:
        older = max(0, through - self._settings.window)
        made = self._running_summary(task, older)
        first = min(older, made.through) + 1 if made is not None else 1
        summary = () if made is None else (self._summary(made, self._why_summed_up()),)
        return (*summary, *(self._turn(turn) for turn in self._histories.told(task.id, first, through)))

    def _why_summed_up(self) -> str:
        return say("why_summary", self._settings.lang, window=self._settings.window)

    def _running_summary(self, task: Task, older: int) -> SummaryMade | None:
        """Of the turns 1 … `older`, or of some more (that of a restart). It is made on from the last one half a window
        of turns at a time; until then they stand whole."""
        if older < 1:
            return None
        made = self._desk.state.summaries.get(task.id)
        known = made.through if made is not None else 0
        if older - known < max(1, self._settings.window // 2):
            return made
        return self._summarised(task, known, older, made.text if made is not None else "")

    def _fresh_summary(
        self, task: Task, through: int, kept: Sequence[Turn], changed: Sequence[Part]
    ) -> tuple[Part, ...]:
        if not kept:
            return ()
        made = self._made(task, through, kept, "", [part.text for part in changed])
        return (self._summary(made, say("why_summary_restart", self._settings.lang)),)

    def _changed(self, task: Task, kept: Sequence[Turn]) -> tuple[Part, ...]:
        """What was settled elsewhere since the last kept turn, of what the kept turns name."""
        if not kept:
            return ()
        others = [other for other, at in self._desk.state.settled.items() if at > kept[-1].at and other != task.id]
        with self._hub.reading() as stores:
            recalled = inquiry("", 0, stores, [turn.text for turn in kept]).recalled
            return self._retrieval.changed(recalled, task.id, others, stores)

    def _summarised(self, task: Task, known: int, through: int, previous: str) -> SummaryMade:
        turns = self._histories.told(task.id, known + 1, through)
        return self._made(task, through, turns, previous)

    def _made(
        self, task: Task, through: int, turns: Sequence[Turn], previous: str, changed: Sequence[str] = ()
    ) -> SummaryMade:
        summary = self._summarise(turns, previous, changed)
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

    # -- new and restart ----------------------------------------------------------------------------------------------

    def _looked_up(
        self,
        command: Command,
        task: Task,
        text: str,
        chapter: int | None,
        history: tuple[Part, ...],
        kept: Sequence[str] = (),
    ) -> BuiltContext:
        """`kept`: texts of the turns that the history stands for, whose names are looked up with the request's."""
        lang = self._settings.lang
        with self._hub.reading() as stores:  # one state of the hub for all parts
            request = inquiry(f"{task.title}\n{text}", self._chapter(chapter), stores, kept)
            taken = routes(request.text, tuple(request.named.values()), lang, tuple(request.recalled.values()))
            retrieved = self._retrieval.parts(request, taken, stores)
        budget = self._settings.prompt_tokens
        context = self._empty(command, task, text, request.chapter, budget=budget, taken=taken)
        return fitted(context, (*history, *retrieved))
