"""What the author is answered: looked-up lines for a question of fact, scored options for what is to be written.

The workshop behind it is stateless; whatever it may know is in the built context or behind its look-ups.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Final

from memorybank.memory.types import Lang
from memorybank.narrative.creativity.lookups import Lookups
from memorybank.narrative.creativity.offline import missing_places
from memorybank.narrative.creativity.option_count import option_count
from memorybank.narrative.creativity.options import FEWEST, Option, Request, TooFewError, UsedUpError
from memorybank.narrative.creativity.workshop import Workshop
from memorybank.narrative.hub.stores import Stores
from memorybank.narrative.hub.verbalisation import word
from memorybank.narrative.journal.context import BuiltContext, Part, PartKind, RouteKind
from memorybank.narrative.names import names_in
from memorybank.narrative.tasks import pointing
from memorybank.narrative.tasks.replies import Creation
from memorybank.narrative.tasks.routing import routes
from memorybank.narrative.types import Task
from memorybank.narrative.wording import joined

Offered = Callable[[Task], Sequence[str]]
"""Texts of the options that a task was offered so far."""

LOOKED_UP: Final[tuple[PartKind, ...]] = ("facts", "setting", "pointer", "hook", "plan")
"""Parts that answer a question of fact as they stand."""
SHOWN_CHARS: Final = 900
"""Of one part in an answer."""


_INVENTS_RE: Final = re.compile(
    r"\b(?:could|would|should|might|may|if|suggest|ideas?|options?|write|draft|invent|imagine|propose|how about)\b"
    r"|如果|假如|怎么办|怎样|怎么写|写一|构思|建议|主意|想法|方案|设想|可能|应该",
    re.IGNORECASE,
)


_YES_OR_NO_RE: Final = re.compile(
    r"(?:^|[.!?,;:]\s+|\b(?:so|and|but|now|tell me)\s+)"
    r"(?:is|are|am|was|were|does|do|did|has|have|had|isn['’]t|aren['’]t|wasn['’]t|weren['’]t|doesn['’]t|didn['’]t"
    r"|hasn['’]t|haven['’]t)\b[^.!?]*\?"
    r"|(?:吗|(?<![怎什那这要])么|没有|没|不是|是不是|有没有|还在不在|在不在|与否)[？?]|有没有|是不是|是否",
    re.IGNORECASE,
)
"""A question that is answered by yes or no: whether something is so."""


class Answers:
    """The tasks' creativity engine (`gateway.Creative`)."""

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

    def __call__(self, context: BuiltContext, question: str) -> Creation:
        facts = looked_up(context)
        if self._by_patterns and (answered := self._answered(question, context, facts)):
            return Creation(text=answered)
        request = Request(
            asked=question,
            prompt=context.prompt(),
            chapter=context.chapter,
            lang=context.lang,
            storyline="",
            count=option_count(question, self._fewest),
            before=tuple(self._offered(context.task)),
        )
        try:
            options = self._workshop.options(request)
        except (TooFewError, UsedUpError) as error:
            if not self._by_patterns:
                raise
            return Creation(text="\n\n".join(part for part in (facts, self._missing(error, request)) if part))
        lead = self._lead(options, request)
        return Creation(text="\n\n".join([lead, *numbered(options, context.lang)]), options=options)

    def _answered(self, question: str, context: BuiltContext, facts: str) -> str:
        """What is on record of what was asked; empty for what asks for something to be made up."""
        if _INVENTS_RE.search(question):
            return ""
        if stands := pointing.answer(question, self._stores.plans, context.chapter, context.lang):
            return stands
        if not self._only_facts(question, context.lang):
            return ""
        return facts or self._known(question, context) or word("answer_nothing", context.lang)

    def _only_facts(self, question: str, lang: Lang) -> bool:
        """Whether it asks what holds, and for nothing that would have to be made up. "Is Tomas dead?" names whom it
        asks about and no other source; a sentence that only names somebody asks nothing."""
        if _INVENTS_RE.search(question):
            return False
        names = names_in(question, tuple(self._stores.facts.names())) if _YES_OR_NO_RE.search(question) else ()
        return {route.kind for route in routes(question, names, lang)} - {RouteKind.HOOKS} == {RouteKind.FACTS}

    def _lead(self, options: Sequence[Option], request: Request) -> str:
        """What the options are; when they are fewer than were wanted, that they are the last ones, or what is missing
        for more."""
        count = len(options)
        lead = word("answer_patterns" if self._by_patterns else "answer_options", request.lang, count=count)
        if count >= request.count:
            return lead
        why = word("answer_last", request.lang) if request.before else self._too_few(count, request)
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

    def _known(self, question: str, context: BuiltContext) -> str:
        """What holds of everything the question names; a turn of an open task looks nothing up by itself."""
        lookups = Lookups(self._stores, context.chapter, context.lang)
        names = names_in(question, tuple(self._stores.facts.names()))
        lines = [
            line for name in names for line in (*self._notes_of(name, context.lang), *lookups.facts(name).splitlines())
        ]
        return "\n".join(dict.fromkeys(lines))

    def _notes_of(self, name: str, lang: Lang) -> Iterator[str]:
        """Its entry in the setting base, else what its card says."""
        colon = "：" if lang == "zh" else ": "
        if setting := self._stores.settings.exact(name):
            yield f"{setting.key}{colon}{setting.text}"
            return
        yield from (f"{item.name}{colon}{item.note}" for item in self._stores.facts.named(name) if item.note)


def looked_up(context: BuiltContext) -> str:
    """What the hub holds on what was asked, part by part."""
    parts = [part for part in context.parts if part.kind in LOOKED_UP]
    return "\n\n".join(_shown(part) for part in parts)


def _shown(part: Part) -> str:
    text = part.text if len(part.text) <= SHOWN_CHARS else f"{part.text[: SHOWN_CHARS - 1]}…"
    return f"{part.title}\n{text}"


def numbered(options: Sequence[Option], lang: Lang) -> list[str]:
    """As the task's history keeps them: what was written, and how it was scored."""
    return [
        word("answer_option", lang, number=number, total=f"{option.total:.2f}", text=option.draft.text)
        for number, option in enumerate(options, start=1)
    ]
