"""What the author is answered, by what the turn was taken for: from the record, a reply, scored options, or a button.

The workshop behind it is stateless; whatever it may know is in the built context or behind its look-ups.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import assert_never

from memorybank.llm.base import ChatModel
from memorybank_studio.creativity.options import FEWEST, MOST, Offer, Option, Request
from memorybank_studio.creativity.workshop import Workshop
from memorybank_studio.hub.stores import Stores
from memorybank_studio.hub.verbalisation import word
from memorybank_studio.journal.answers import Taken, TurnKind
from memorybank_studio.journal.context import BuiltContext
from memorybank_studio.tasks.on_record import OnRecord
from memorybank_studio.tasks.record_lines import RecordLines
from memorybank_studio.tasks.replies import Creation, numbered
from memorybank_studio.tasks.settings import TaskSettings
from memorybank_studio.tasks.turn_kind import replied
from memorybank_studio.types import Task, TaskId
from memorybank_studio.wording import joined

Offered = Callable[[Task], Sequence[str]]
"""Texts of the options that a task was offered so far."""
Numbered = Callable[[TaskId, Sequence[int]], Sequence[Offer]]
"""The options of these numbers that a task was offered last; none where it has not all of them."""


class Answers:
    """The tasks' creativity engine (`gateway.Creative`)."""

    def __init__(
        self,
        workshop: Workshop | None,
        stores: Stores,
        settings: TaskSettings,
        *,
        chat: ChatModel | None,
        fewest: int = FEWEST,
        offered: Offered = lambda task: (),
        numbered: Numbered = lambda task, numbers: (),
    ) -> None:
        """`workshop`, `chat`: None without a language model; then a question is answered by quoting the record, and
        nothing is written. `fewest`: options that come back unless the author asks for more. `offered`: what is not to
        be offered again. `numbered`: what is meant by numbers of options."""
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
            case TurnKind.OPTIONS | TurnKind.TEXT:
                if self._workshop is None:
                    return Creation(text=word("answer_no_model", context.lang))
                return self._written(self._workshop, context, question, taken)
            case _:
                assert_never(taken.kind)

    def _reply(self, context: BuiltContext) -> str:
        return word("answer_noted_plainly", context.lang) if self._chat is None else replied(self._chat, context)

    def _written(self, workshop: Workshop, context: BuiltContext, question: str, taken: Taken) -> Creation:
        is_text = taken.kind is TurnKind.TEXT
        request = Request(
            asked=question,
            prompt=context.prompt(),
            chapter=context.chapter,
            lang=context.lang,
            count=1 if is_text else min(max(self._fewest, taken.count), max(MOST, self._fewest)),
            as_asked=is_text,
        )
        if taken.options and (named := self._numbered(context.task.id, taken.options)):
            return _reworked(workshop, request, named)
        options = workshop.options(replace(request, before=tuple(self._offered(context.task))))
        return Creation(text="\n\n".join([_lead(options, request), *numbered(options, context.lang)]), options=options)


def _reworked(workshop: Workshop, request: Request, named: Sequence[Offer]) -> Creation:
    """One option out of those that the author names."""
    option = workshop.reworked(named, request)
    names = joined((str(offer.number) for offer in named), request.lang)
    lead = word("answer_reworked", request.lang, options=names, answer=named[0].turn)
    return Creation(text="\n\n".join([lead, *numbered([option], request.lang)]), options=(option,))


def _lead(options: Sequence[Option], request: Request) -> str:
    """What the options are, and whether they are fewer than were wanted."""
    count = len(options)
    lead = word("answer_text" if count == 1 else "answer_options", request.lang, count=count)
    if count >= request.count:
        return lead
    fewer = word("answer_fewer", request.lang, written=count, wanted=request.count)
    return (" " if request.lang == "en" else "").join([lead, fewer])
