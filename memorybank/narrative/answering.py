"""What the author is answered: looked-up lines for a question of fact, scored options for what is to be written.

The workshop behind it is stateless; whatever it may know is in the built context or behind its look-ups.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Final

from memorybank.narrative.creativity.lookups import Lookups, Stores
from memorybank.narrative.creativity.options import FEWEST, Option, Request, TooFewError, UsedUpError
from memorybank.narrative.creativity.wanted import wanted
from memorybank.narrative.creativity.workshop import Workshop
from memorybank.narrative.scheduler.context import BuiltContext, Part, PartKind
from memorybank.narrative.scheduler.replies import Creation
from memorybank.narrative.scheduler.routing import RouteKind, names_in, routes
from memorybank.narrative.telling import word
from memorybank.narrative.types import Task
from memorybank.types import Lang

Offered = Callable[[Task], Sequence[str]]
"""Texts of the options that a task was offered so far."""

TOLD: Final[tuple[PartKind, ...]] = ("facts", "setting", "pointer", "hook", "plan")
"""Parts that answer a question of fact as they stand."""
SHOWN_CHARS: Final = 900
"""Of one part in an answer."""


_INVENTS_RE: Final = re.compile(
    r"\b(?:could|would|should|might|may|if|suggest|ideas?|options?|write|draft|invent|imagine|propose|how about)\b"
    r"|如果|假如|怎么办|怎样|怎么写|写一|构思|建议|主意|想法|方案|设想|可能|应该",
    re.IGNORECASE,
)


class Answers:
    """The scheduler's creativity engine (`gateway.Creative`)."""

    def __init__(
        self,
        workshop: Workshop,
        stores: Stores,
        *,
        by_patterns: bool,
        fewest: int = FEWEST,
        offered: Offered = lambda task: (),
    ) -> None:
        """`by_patterns`: without a language model; the answer says so, a question of fact is answered by quoting.
        `fewest`: options that come back unless the author asks for more. `offered`: what is not to be offered again."""
        self._workshop = workshop
        self._stores = stores
        self._by_patterns = by_patterns
        self._fewest = fewest
        self._offered = offered

    def __call__(self, context: BuiltContext, asked: str) -> Creation:
        told = looked_up(context)
        if self._by_patterns and _only_facts(asked, context.lang):
            told = told or self._known(asked, context)
            return Creation(text=told or word("answer_nothing", context.lang))
        request = Request(
            asked=asked,
            prompt=context.prompt(),
            chapter=context.chapter,
            lang=context.lang,
            storyline="",
            count=wanted(asked, self._fewest),
            before=tuple(self._offered(context.task)),
        )
        try:
            options = self._workshop.options(request)
        except (TooFewError, UsedUpError) as error:
            if not self._by_patterns:
                raise
            return Creation(text="\n\n".join(part for part in (told, _missing(error, context.lang)) if part))
        lead = self._lead(len(options), request)
        return Creation(text="\n\n".join([lead, *numbered(options, context.lang)]), options=options)

    def _lead(self, count: int, request: Request) -> str:
        """What the options are; that they are the last ones, when fewer are left than were wanted."""
        lead = word("answer_patterns" if self._by_patterns else "answer_options", request.lang, count=count)
        if count >= request.count:
            return lead
        return (" " if request.lang == "en" else "").join([lead, word("answer_last", request.lang)])

    def _known(self, asked: str, context: BuiltContext) -> str:
        """What holds of everything the question names; a turn of an open task looks nothing up by itself."""
        lookups = Lookups(self._stores, context.chapter, context.lang)
        names = names_in(asked, tuple(self._stores.facts.names()))
        return "\n".join(dict.fromkeys(line for name in names for line in lookups.facts(name).splitlines()))


def looked_up(context: BuiltContext) -> str:
    """What the hub holds on what was asked, part by part."""
    parts = [part for part in context.parts if part.kind in TOLD]
    return "\n\n".join(_shown(part) for part in parts)


def _missing(error: TooFewError | UsedUpError, lang: Lang) -> str:
    """Why outline patterns gave nothing, in the story's language."""
    if isinstance(error, UsedUpError):
        return word("answer_used_up", lang, count=error.offered)
    return word("answer_few", lang, written=error.written, wanted=error.wanted)


def _shown(part: Part) -> str:
    text = part.text if len(part.text) <= SHOWN_CHARS else f"{part.text[: SHOWN_CHARS - 1]}…"
    return f"{part.title}\n{text}"


def _only_facts(asked: str, lang: Lang) -> bool:
    """Whether it asks what holds, and for nothing that would have to be made up."""
    if _INVENTS_RE.search(asked):
        return False
    return {route.kind for route in routes(asked, (), lang)} - {RouteKind.HOOKS} == {RouteKind.FACTS}


def numbered(options: Sequence[Option], lang: Lang) -> list[str]:
    """As the task's history keeps them: what was written, and how it was scored."""
    return [
        word("answer_option", lang, number=number, total=f"{option.total:.2f}", text=option.draft.text)
        for number, option in enumerate(options, start=1)
    ]
