"""Asking again: other options than those that were offered before, until there are none, and then it is said."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from memorybank.embedding.hashed import HashedNgrams
from memorybank.errors import AgentError
from memorybank.memory.types import Lang
from memorybank.narrative.creativity.allowance import Allowance
from memorybank.narrative.creativity.judges import RulePanel
from memorybank.narrative.creativity.option_count import MOST, option_count
from memorybank.narrative.creativity.options import Draft, Generator, Option, Request, TooFewError, UsedUpError
from memorybank.narrative.creativity.workshop import Workshop
from memorybank.narrative.hub.stores import Stores
from memorybank.narrative.journal.answers import Taken, TurnKind
from memorybank.narrative.journal.context import BuiltContext
from memorybank.narrative.studio import made_workshop
from memorybank.narrative.tasks.answering import Answers
from memorybank.narrative.tasks.settings import TaskSettings
from memorybank.narrative.types import Command, Task, TaskId, TaskState
from tests.narrative.creativity.conftest import CHAPTER

OPTIONS = Taken(kind=TurnKind.OPTIONS, reason="asked for", by="author")
TASK = Task(id=TaskId("t1"), title="Gate", state=TaskState.OPEN, opened_at=0.0)


def rounds(workshop: Workshop, request: Request) -> list[tuple[Option, ...]]:
    """Asked again until all is used up."""
    found: list[tuple[Option, ...]] = []
    for _ in range(200):
        try:
            options = workshop.options(request)
        except UsedUpError:
            return found
        found.append(options)
        request = replace(request, before=(*request.before, *(option.draft.text for option in found[-1])))
    raise AssertionError("never used up")


def texts(options: Sequence[Option]) -> list[str]:
    return [option.draft.text for option in options]


def test_asked_again_no_outline_comes_twice_and_the_same_history_gives_the_same(
    stores: Stores, request_: Request
) -> None:
    workshop = made_workshop(stores, HashedNgrams(), None)
    found = rounds(workshop, request_)
    assert len(found) >= 2
    offered = [text for options in found for text in texts(options)]
    assert len(offered) == len(set(offered))
    assert all(len(options) >= request_.count for options in found[:-1]), "only the last may be fewer"
    assert found == rounds(workshop, request_), "deterministic"


@pytest.mark.parametrize(("lang", "none"), [("en", "are used up"), ("zh", "用完")])
def test_the_answer_says_when_nothing_is_left_and_how_much_was_offered(stores: Stores, lang: Lang, none: str) -> None:
    offered: list[str] = []
    workshop = made_workshop(stores, HashedNgrams(), None)
    answers = Answers(workshop, stores, TaskSettings(lang=lang), chat=None, offered=lambda task: offered)
    for _ in range(200):
        created = answers(context(lang), "Plot: Lin", OPTIONS)
        if not created.options:
            break
        assert not set(texts(created.options)) & set(offered)
        offered += texts(created.options)
    assert len(offered) >= 6
    assert none in created.text
    assert str(len(offered)) in created.text


def test_fewer_than_wanted_are_offered_when_they_are_the_last_and_it_is_said(stores: Stores) -> None:
    workshop = workshop_of([Writer("a", "new"), Writer("b")])
    answers = Answers(workshop, stores, TaskSettings(), chat=None, offered=lambda task: ("old",))
    created = answers(context("en"), "Plot: Lin", OPTIONS)
    assert texts(created.options) == ["new"]
    assert "the last that your material allows" in created.text
    workshop = workshop_of([Writer("a", "1"), Writer("b", "2"), Writer("c", "3")])
    whole = Answers(workshop, stores, TaskSettings(), chat=None)
    assert "the last" not in whole(context("en"), "Plot: Lin", OPTIONS).text


def context(lang: Lang) -> BuiltContext:
    return BuiltContext(
        command=Command.CONTINUE, task=TASK, lang=lang, asked="", shown="", chapter=CHAPTER, why="", budget=None
    )


def workshop_of(generators: Sequence[Generator]) -> Workshop:
    """With nobody who judges."""
    return Workshop(generators, RulePanel(()), HashedNgrams())


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
    with pytest.raises(TooFewError, match=r"only 2 of 3 .*away: no answer"):
        workshop_of([Away(), Writer("a", "1", "3")]).options(replace(REQUEST, before=("x",)))


def test_what_was_offered_before_comes_back_only_when_a_model_writes_nothing_else() -> None:
    writers = [Writer("a", "old", "one"), Writer("b", "1"), Writer("c", "2")]
    options = workshop_of(writers).options(replace(REQUEST, before=(" old",)))
    assert {option.draft.text for option in options} == {"one", "1", "2"}
    insisting = [Writer("a", "old"), Writer("b", "1"), Writer("c", "older")]
    options = workshop_of(insisting).options(replace(REQUEST, before=("old", "older")))
    assert texts(options) == ["1", "old", "older"]


@pytest.mark.parametrize(
    ("asked", "count"),
    [
        ("What could go wrong for Lin?", 3),
        ("Give me five options for the gate.", 5),
        ("Give me 6 very different proposals", 6),
        ("two ideas, please", 3),
        ("写七个不同的方案", 7),
        ("给我5种走向", 5),
        ("99 versions", MOST),
        ("Five men stand at the gate.", 3),
        ("第五章怎么写？给我几个方案。", 3),
    ],
)
def test_how_many_an_author_asks_for_is_read_from_the_words(asked: str, count: int) -> None:
    assert option_count(asked, 3) == count
    assert option_count(asked, 4) == max(4, count)
