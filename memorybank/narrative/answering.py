"""What the author is answered: looked-up lines for a question of fact, scored options for what is to be written.

The workshop behind it is stateless; whatever it may know is in the built context or behind its look-ups.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from memorybank.errors import AgentError
from memorybank.narrative.creativity.options import Option, Request
from memorybank.narrative.creativity.workshop import Workshop
from memorybank.narrative.scheduler.context import BuiltContext, Part, PartKind
from memorybank.narrative.scheduler.gateway import Creation
from memorybank.narrative.scheduler.routing import RouteKind
from memorybank.narrative.telling import word
from memorybank.types import Lang

TOLD: Final[tuple[PartKind, ...]] = ("facts", "setting", "pointer", "hook", "plan")
"""Parts that answer a question of fact as they stand."""
SHOWN_CHARS: Final = 900
"""Of one part in an answer."""


class Answers:
    """The scheduler's creativity engine (`gateway.Creative`)."""

    def __init__(self, workshop: Workshop, *, by_patterns: bool) -> None:
        """`by_patterns`: without a language model; the answer says so."""
        self._workshop = workshop
        self._by_patterns = by_patterns

    def __call__(self, context: BuiltContext, asked: str) -> Creation:
        told = looked_up(context)
        if _only_facts(context):
            return Creation(text=told or word("answer_nothing", context.lang))
        request = Request(
            asked=asked, prompt=context.prompt(), chapter=context.chapter, lang=context.lang, storyline=""
        )
        try:
            options = self._workshop.options(request)
        except AgentError as error:
            if not self._by_patterns:
                raise
            return Creation(text="\n\n".join(part for part in (told, str(error)) if part))
        lead = word("answer_patterns" if self._by_patterns else "answer_options", context.lang, count=len(options))
        return Creation(text="\n\n".join([lead, *numbered(options, context.lang)]), options=options)


def looked_up(context: BuiltContext) -> str:
    """What the hub holds on what was asked, part by part."""
    parts = [part for part in context.parts if part.kind in TOLD]
    return "\n\n".join(_shown(part) for part in parts)


def _shown(part: Part) -> str:
    text = part.text if len(part.text) <= SHOWN_CHARS else f"{part.text[: SHOWN_CHARS - 1]}…"
    return f"{part.title}\n{text}"


def _only_facts(context: BuiltContext) -> bool:
    return {route.kind for route in context.routes} == {RouteKind.FACTS}


def numbered(options: Sequence[Option], lang: Lang) -> list[str]:
    """As the task's history keeps them: what was written, and how it was scored."""
    return [
        word("answer_option", lang, number=number, total=f"{option.total:.2f}", text=option.draft.text)
        for number, option in enumerate(options, start=1)
    ]
