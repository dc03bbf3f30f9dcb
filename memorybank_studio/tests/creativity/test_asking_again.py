"""Asking again: other options than those that were offered before, as many as are wanted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from memorybank.errors import AgentError
from memorybank.memory.types import Lang
from memorybank_studio.creativity.options import (
    MOST,
    Allowance,
    Draft,
    Generator,
    Option,
    Request,
    Score,
    TooFewError,
    Workshop,
)
from memorybank_studio.hub.stores import Stores
from memorybank_studio.journal.context import BuiltContext, Taken, TurnKind
from memorybank_studio.tasks.answering import Answers
from memorybank_studio.tasks.settings import TaskSettings
from memorybank_studio.tests.creativity.conftest import CHAPTER
from memorybank_studio.types import Command, Task, TaskId, TaskState

OPTIONS = Taken(kind=TurnKind.OPTIONS, reason="asked for", by="author")
TASK = Task(id=TaskId("t1"), title="Gate", state=TaskState.OPEN, opened_at=0.0)


def texts(options: Sequence[Option]) -> list[str]:
    return [option.draft.text for option in options]


def context(lang: Lang) -> BuiltContext:
    return BuiltContext(
        command=Command.CONTINUE, task=TASK, lang=lang, asked="", shown="", chapter=CHAPTER, why="", budget=None
    )


class Nobody:
    def scores(self, drafts: Sequence[Draft], request: Request, calls: Allowance) -> list[tuple[Score, ...]]:
        return [() for _ in drafts]


def workshop_of(generators: Sequence[Generator]) -> Workshop:
    """With nobody who judges."""
    return Workshop(generators, Nobody())


class Writer:
    """Gives one text a call, from its list; then nothing."""

    def __init__(self, brief: str, *given: str) -> None:
        self.brief = brief
        self.asked: list[Request] = []
        self._given = list(given)

    def drafts(self, request: Request, calls: Allowance) -> tuple[Draft, ...]:
        self.asked.append(request)
        return (Draft(brief=self.brief, text=self._given.pop(0), made_by="m"),) if self._given else ()


REQUEST = Request(asked="What now?", prompt="p", chapter=1, lang="en")


def test_generators_are_asked_on_until_there_are_as_many_as_the_author_wants() -> None:
    one, two, three = Writer("a", "1", "4"), Writer("b", "2", "5"), Writer("c", "3", "6")
    options = workshop_of([one, two, three]).options(replace(REQUEST, count=5))
    assert {option.draft.text for option in options} == {"1", "2", "3", "4", "5", "6"}
    assert one.asked[1].before == ("1", "2", "3"), "told what there is already"


def test_a_generator_that_fails_is_made_up_for_by_the_others() -> None:
    class Away:
        brief = "away"

        def drafts(self, request: Request, calls: Allowance) -> tuple[Draft, ...]:
            raise AgentError("no answer")

    one, two = Writer("a", "1", "3"), Writer("b", "2", "4")
    assert len(workshop_of([Away(), one, two]).options(REQUEST)) == 4
    assert len(workshop_of([Away(), Writer("a", "1", "3")]).options(REQUEST)) == 2, "fewer are better than none"
    with pytest.raises(TooFewError, match=r"only 0 of 3 .*away: no answer"):
        workshop_of([Away()]).options(REQUEST)


@pytest.mark.parametrize(("said", "count"), [(0, 3), (2, 3), (5, 5), (99, MOST)])
def test_as_many_as_the_author_says_come_back_and_never_fewer_than_usual(stores: Stores, said: int, count: int) -> None:
    writer = Writer("a", *map(str, range(20)))
    answers = Answers(workshop_of([writer]), stores, TaskSettings(), chat=None)
    answers(context("en"), "Plot: Lin", replace(OPTIONS, count=said))
    assert writer.asked[0].count == count


@pytest.mark.parametrize(("lang", "words"), [("en", "page Settings"), ("zh", "“设置”页")])
@pytest.mark.parametrize("kind", [TurnKind.OPTIONS, TurnKind.TEXT])
def test_without_a_model_who_asks_for_options_is_told_what_it_takes(
    stores: Stores, lang: Lang, words: str, kind: TurnKind
) -> None:
    answers = Answers(None, stores, TaskSettings(lang=lang), chat=None)
    created = answers(context(lang), "Plot: Lin", replace(OPTIONS, kind=kind))
    assert words in created.text
    assert not created.options


def test_what_was_offered_before_comes_back_only_when_a_model_writes_nothing_else() -> None:
    writers = [Writer("a", "old", "one"), Writer("b", "1"), Writer("c", "2")]
    options = workshop_of(writers).options(replace(REQUEST, before=(" old",)))
    assert {option.draft.text for option in options} == {"one", "1", "2"}
    insisting = [Writer("a", "old"), Writer("b", "1"), Writer("c", "older")]
    options = workshop_of(insisting).options(replace(REQUEST, before=("old", "older")))
    assert texts(options) == ["1", "old", "older"]
