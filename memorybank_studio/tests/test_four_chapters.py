"""Four chapters of a novel in each language, as their author says, checks, writes and settles them.

The answers (`four_chapters/<lang>.yaml`) are those of a careful reader who saw the requests alone, and each call takes
one. They were given before the mends that they led to: what a mend renumbered was renumbered in them. Where a prompt is
changed on purpose, do so again, or have the answer given anew.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import pytest
import yaml
from pydantic import TypeAdapter

from memorybank.embedding.hashed import HashedNgrams
from memorybank.llm.around import MeteredChat
from memorybank.memory.types import Lang
from memorybank_studio.chapters.manuscript import Manuscript
from memorybank_studio.hub.stores import next_chapter
from memorybank_studio.hub.verbalisation import tell_fact
from memorybank_studio.page.demo import Answer, RecordedChat, Story, put
from memorybank_studio.studio import Studio, StudioSettings
from memorybank_studio.tasks.settings import TaskSettings
from memorybank_studio.types import Command, PlanKind, PlanStatus, TaskId
from tests.lent_engine import lent_engines

__all__ = ["lent_engines"]
STORIES: Final = Path(__file__).parent / "four_chapters"


@pytest.mark.usefixtures("lent_engines")
@pytest.mark.parametrize("lang", ["en", "zh"])
def test_four_chapters_plans_are_no_facts_the_clock_goes_by_them_and_every_fault_is_marked(
    tmp_path: Path, lang: Lang
) -> None:
    story = yaml.safe_load((STORIES / f"{lang}.yaml").read_text("utf-8"))
    begins = {name: story[name] for name in ("title", "entities", "facts", "plans", "settings")}
    steps = [plan["title"] for plan in story["plans"] if plan["kind"] == PlanKind.STEP]
    chat = RecordedChat(TypeAdapter(tuple[Answer, ...]).validate_python(story["answers"]), lang)
    settings = StudioSettings(tasks=TaskSettings(lang=lang))
    with Studio.open(tmp_path, HashedNgrams(), settings, chat=MeteredChat(chat)) as studio:
        put(studio, Story(chapters=(), **begins), lang)
        for number, chapter in enumerate(story["chapters"], start=1):
            _discuss(studio, chapter)
            assert next_chapter(studio.stores) == number, "what is planned moves nothing"
            fault = story["planted"][number - 1]
            ((words, against, kind),) = _marked(studio, number, chapter)
            assert (fault["in"] in words, against.startswith(fault["against"]), kind) == (True, True, fault["kind"])
            made = _written(studio, number, chapter)
            assert [piece.marks for piece in made.pieces] == [()] * len(made.pieces), "and what fits is not"
            _settle(studio, made)
            assert next_chapter(studio.stores) == number + 1
            (pointer,) = studio.stores.plans.pointer(chapter=number + 1)
            assert (pointer.completed, pointer.overdue) == (number, ())
            assert pointer.current is not None
            assert number == len(steps) or pointer.current.title == steps[number]
        facts = studio.stores.facts
        told = [tell_fact(fact, facts.entity, lang) for key in facts.names().values() for fact in facts.history(key)]
        assert [words for words in story["settled"] if not any(fact.startswith(words) for fact in told)] == []
        assert [fact for fact in told if any(words in fact for words in story["never"])] == []
        done = studio.stores.plans.all(kind=PlanKind.STEP, status=PlanStatus.COMPLETED)
        assert [plan.title for plan in done] == steps
    assert chat.left == 0, "each answer served once, none was sent back"


def _discuss(studio: Studio, chapter: dict[str, Any]) -> None:
    """A task in which its author says what is to come, settled as it is offered."""
    task: TaskId | None = None
    for said in chapter.get("said", ()):
        command, title = (Command.CONTINUE, "") if task else (Command.NEW, chapter["title"])
        opened = studio.gateway.handle(said, task=task, command=command, argument=title).task
        assert opened is not None
        task = opened.id
    if task is not None:
        table = studio.gateway.handle("", task=task, command=Command.SETTLE).table
        assert table is not None
        assert studio.gateway.confirm(task, table.proposals).applied


def _marked(studio: Studio, number: int, chapter: dict[str, Any]) -> list[tuple[str, str, str]]:
    """Return the sentences that are marked in a draft, each with its line of the record and the kind of its fault. The
    author drops the draft then."""
    draft = studio.gateway.chapters.begin_with(chapter["draft"], number, chapter["title"]).id
    (piece,) = studio.gateway.chapters.check(draft).pieces
    studio.gateway.chapters.drop(draft)
    return [(piece.text[mark.start : mark.end], mark.against, mark.kind) for mark in piece.marks or ()]


def _written(studio: Studio, number: int, chapter: dict[str, Any]) -> Manuscript:
    """Return the chapter in its author's words, checked, or as the model wrote it by their outline."""
    chapters, title = studio.gateway.chapters, chapter["title"]
    if "text" in chapter:
        return chapters.check(chapters.begin_with(chapter["text"], number, title).id)
    (step,) = studio.stores.plans.all(kind=PlanKind.STEP, status=PlanStatus.IN_PROGRESS)
    begun = chapters.begin(number, title, length=chapter["length"], plan=step.key, outline=chapter["outline"])
    return chapters.write(begun.id)


def _settle(studio: Studio, made: Manuscript) -> None:
    """The chapter in the archive, its table confirmed as it is offered."""
    reply = studio.gateway.archive_chapter(made.id)
    assert reply is not None
    assert reply.task is not None
    assert reply.table is not None
    assert studio.gateway.confirm(reply.task.id, reply.table.proposals).applied
