"""The state pointer in words: where each storyline stands, what comes next, what is overdue (fact-planning
specification, section 3.1.2)."""

from __future__ import annotations

from collections.abc import Iterator

from memorybank.memory.types import Lang
from memorybank_studio.hub.contracts import PlanLayer
from memorybank_studio.hub.verbalisation import tell_plan
from memorybank_studio.names import names_in
from memorybank_studio.types import Plan, Pointer
from memorybank_studio.wording import joined, say


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


def told(question: str, plans: PlanLayer, chapter: int, lang: Lang) -> tuple[str, ...]:
    """Where the plans stand, those that are named or all, a line each; none where nothing is planned."""
    named = _named(question, plans)
    storylines = {plan.storyline for plan in named}
    lines = [tell_plan(plan, lang) for plan in named]
    for pointer in plans.pointer(chapter=chapter):
        if not named or pointer.storyline in storylines:
            lines += lines_of(pointer, lang)
    return tuple(dict.fromkeys(lines))


def _named(question: str, plans: PlanLayer) -> list[Plan]:
    return [plan for plan in plans.all() if names_in(question, (plan.title,))]


def _overdue(pointer: Pointer, lang: Lang) -> Iterator[str]:
    if pointer.overdue:
        titles = joined((plan.title for plan in pointer.overdue), lang)
        yield say("pointer_overdue", lang, storyline=pointer.storyline or say("no_storyline", lang), plans=titles)
