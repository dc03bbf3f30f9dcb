"""What the author is answered, by what the turn was taken for: from the record, a reply, scored options, or a button.

The workshop behind it is stateless; whatever it may know is in the built context or behind its look-ups.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import assert_never

from memorybank.llm.base import ChatModel
from memorybank.narrative.creativity.offline import missing_places
from memorybank.narrative.creativity.option_count import option_count
from memorybank.narrative.creativity.options import FEWEST, Offer, Option, Request, TooFewError, UsedUpError
from memorybank.narrative.creativity.workshop import Workshop
from memorybank.narrative.hub.stores import Stores
from memorybank.narrative.hub.verbalisation import word
from memorybank.narrative.journal.answers import Taken, TurnKind
from memorybank.narrative.journal.context import BuiltContext
from memorybank.narrative.tasks.on_record import OnRecord
from memorybank.narrative.tasks.record_lines import RecordLines
from memorybank.narrative.tasks.replies import Creation, numbered
from memorybank.narrative.tasks.reworks import Numbered, parents
from memorybank.narrative.tasks.settings import TaskSettings
from memorybank.narrative.tasks.turn_kind import replied
from memorybank.narrative.types import Task
from memorybank.narrative.wording import joined

Offered = Callable[[Task], Sequence[str]]
"""Texts of the options that a task was offered so far."""


class Answers:
    """The tasks' creativity engine (`gateway.Creative`)."""

    def __init__(
        self,
        workshop: Workshop,
        stores: Stores,
        settings: TaskSettings,
        *,
        chat: ChatModel | None,
        fewest: int = FEWEST,
        offered: Offered = lambda task: (),
        numbered: Numbered = lambda task, numbers: (),
    ) -> None:
        """`chat` None: options are outline patterns, and say so; a question is answered by quoting the record.
        `fewest`: options that come back unless the author asks for more. `offered`: what is not to be offered again.
        `numbered`: what an author means who names options by number."""
        self._workshop = workshop
        self._stores = stores
        self._chat = chat
        self._on_record = OnRecord(RecordLines(stores, settings), chat)
        self._fewest = fewest
        self._offered = offered
        self._numbered = numbered

    def __call__(self, context: BuiltContext, question: str, taken: Taken) -> Creation:
        match taken.kind:
            case TurnKind.FACT | TurnKind.PLAN | TurnKind.SETTING:
                return self._on_record(context, question, taken)
            case TurnKind.REMARK:
                return Creation(text=taken.reply or self._reply(context))
            case TurnKind.COMMAND:
                return Creation(text=word("answer_command" if taken.command else "answer_no_command", context.lang))
            case TurnKind.OPTIONS:
                return self._options(context, question, option_count(question, self._fewest))
            case TurnKind.TEXT:
                return self._options(context, question, 1, as_asked=True)
            case _:
                assert_never(taken.kind)

    def _reply(self, context: BuiltContext) -> str:
        return word("answer_noted", context.lang) if self._chat is None else replied(self._chat, context)

    def _options(self, context: BuiltContext, question: str, count: int, *, as_asked: bool = False) -> Creation:
        request = Request(
            asked=question,
            prompt=context.prompt(),
            chapter=context.chapter,
            lang=context.lang,
            count=count,
            as_asked=as_asked,
        )
        if named := parents(question, context.task.id, self._numbered):
            return self._reworked(request, named)
        request = replace(request, before=tuple(self._offered(context.task)))
        try:
            options = self._workshop.options(request)
        except (TooFewError, UsedUpError) as error:
            if self._chat is not None:
                raise
            return Creation(text=self._missing(error, request))
        lead = self._lead(options, request)
        return Creation(text="\n\n".join([lead, *numbered(options, context.lang)]), options=options)

    def _reworked(self, request: Request, named: Sequence[Offer]) -> Creation:
        """One option out of those that the author names."""
        if self._chat is None:
            return Creation(text=word("answer_no_rework", request.lang))
        option = self._workshop.reworked(named, request)
        names = joined((str(offer.number) for offer in named), request.lang)
        lead = word("answer_reworked", request.lang, options=names, answer=named[0].turn)
        return Creation(text="\n\n".join([lead, *numbered([option], request.lang)]), options=(option,))

    def _lead(self, options: Sequence[Option], request: Request) -> str:
        """What the options are; when they are fewer than were wanted, that they are the last ones, or what is missing
        for more."""
        count = len(options)
        of_model = "answer_text" if count == 1 else "answer_options"
        lead = word("answer_patterns" if self._chat is None else of_model, request.lang, count=count)
        if count >= request.count:
            return lead
        why = self._too_few(count, request)
        if self._chat is not None:
            why = word("answer_fewer", request.lang, written=count, wanted=request.count)
        elif request.before:
            why = word("answer_last", request.lang)
        return (" " if request.lang == "en" else "").join([lead, why])

    def _too_few(self, written: int, request: Request) -> str:
        """What there is none of, so that the patterns that need it were left out."""
        missing = [word(f"missing_{place}", request.lang) for place in missing_places(request, self._stores)]
        names = joined(missing, request.lang)
        return word("answer_few", request.lang, written=written, wanted=request.count, missing=names)

    def _missing(self, error: TooFewError | UsedUpError, request: Request) -> str:
        """Why outline patterns gave nothing, in the story's language."""
        if isinstance(error, UsedUpError):
            return word("answer_used_up", request.lang, count=error.offered)
        return self._too_few(error.written, request)
