"""Four chapters of a novel in each language, its model a script that answers from the requests alone.

The script reads what the story's file says of the sentences it is shown, a plan's sentence as a fact too, and marks a
planted fault only where the line that it goes against is in the request: a line that is not shown is a mark missed.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
import yaml

from memorybank.embedding.hashed import HashedNgrams
from memorybank.llm.base import ChatReply, ChatRequest, TokenUsage
from memorybank.llm.meter import MeteredChat
from memorybank.memory.types import Lang
from memorybank_studio.chapters.manuscript import Manuscript
from memorybank_studio.hub.stores import next_chapter
from memorybank_studio.hub.verbalisation import tell_fact
from memorybank_studio.journal.context import TurnKind
from memorybank_studio.page.demo import Story, put
from memorybank_studio.settlement.model_answer import Settlement
from memorybank_studio.studio import Studio, StudioSettings
from memorybank_studio.tasks.settings import TaskSettings
from memorybank_studio.types import Command, Fact, PlanKind, PlanStatus
from tests.lent_engine import lent_engines

__all__ = ["lent_engines"]
STORIES = Path(__file__).parent / "four_chapters"
_NUMBERED_RE = re.compile(r"^\[?([sr]?\d+)\]? (.*)$", re.MULTILINE)


class ScriptedReader:
    """Reads settlements and drafts of one story."""

    name = "script"
    context_window: int | None = None

    def __init__(self, story: dict[str, Any]) -> None:
        self._story = story

    def complete(self, request: ChatRequest) -> ChatReply:
        lines = dict(_NUMBERED_RE.findall(request.messages[-1].content))
        answer = self._settlement(lines) if request.schema_name == "settlement" else self._marks(lines)
        return ChatReply(text=json.dumps(answer), usage=TokenUsage(input_tokens=1, output_tokens=1, measured=False))

    def _settlement(self, lines: dict[str, str]) -> dict[str, Any]:
        answer: dict[str, list[Any]] = {name: [] for name in Settlement.model_fields}
        left = {int(number) for number in lines if number.isdecimal()}
        for row in self._story["rows"]:
            told = [int(number) for number, words in lines.items() if number.isdecimal() and row["quote"] in words]
            own = {"properties": [], "chapter": None, "happened": True} if row["in"] == "facts" else {}
            if told:
                answer[row["in"]].append(
                    {**own, **{key: row[key] for key in row.keys() - {"in", "quote"}}, "sentences": told}
                )
                left -= {*told}
        if left:
            answer["not_taken"] = [{"sentences": sorted(left), "why": "nothing", "note": ""}]
        return answer

    def _marks(self, lines: dict[str, str]) -> dict[str, Any]:
        marks = [
            {"sentence": sentence, "against": line, "quote": fault["quote"], "kind": fault["kind"], "reason": record}
            for fault in self._story["planted"]
            for sentence, words in lines.items()
            for line, record in lines.items()
            if sentence[0] == "s" and fault["quote"] in words and line[0] == "r" and fault["against"] in record
        ]
        return {"marks": marks}

    def close(self) -> None:
        """Nothing is held open."""


@pytest.mark.usefixtures("lent_engines")
@pytest.mark.parametrize("lang", ["en", "zh"])
def test_four_chapters_plans_are_no_facts_the_clock_goes_by_them_and_every_fault_is_marked(
    tmp_path: Path, lang: Lang
) -> None:
    story = yaml.safe_load((STORIES / f"{lang}.yaml").read_text("utf-8"))
    begins = {name: story[name] for name in ("title", "entities", "facts", "plans", "settings")}
    steps = [plan["title"] for plan in story["plans"] if plan["kind"] == PlanKind.STEP]
    settings = StudioSettings(tasks=TaskSettings(lang=lang))
    with Studio.open(tmp_path, HashedNgrams(), settings, chat=MeteredChat(ScriptedReader(story))) as studio:
        put(studio, Story(chapters=(), **begins), lang)
        before = len(studio.stores.facts.links())
        for number, chapter in enumerate(story["chapters"], start=1):
            if "said" in chapter:
                _discuss(studio, chapter["title"], chapter["said"])
            assert next_chapter(studio.stores) == number, "what is planned moves nothing"
            draft = studio.gateway.chapters.begin_with(chapter["draft"], number, chapter["title"]).id
            (piece,) = studio.gateway.chapters.check(draft).pieces
            fault = story["planted"][number - 1]
            assert [mark.kind for mark in piece.marks or ()] == [fault["kind"]], fault
            studio.gateway.chapters.drop(draft)
            made = _written(studio, number, chapter)
            assert studio.gateway.chapters.check(made.id).pieces[0].marks == (), "and what fits is not"
            assert next_chapter(studio.stores) == number + 1
            (pointer,) = studio.stores.plans.pointer(chapter=number + 1)
            assert (pointer.completed, pointer.overdue) == (number, ())
            assert pointer.current is not None
            assert number == len(steps) or pointer.current.title == steps[number]
        facts = studio.stores.facts
        every = {fact.key: fact for key in facts.names().values() for fact in facts.history(key)}
        told = {tell_fact(fact, facts.entity, lang) for fact in every.values()}
        assert set(story["settled"]) <= told
        assert len(every) - before == 5, "what the chapters tell, and nothing that is planned"
        done = studio.stores.plans.all(kind=PlanKind.STEP, status=PlanStatus.COMPLETED)
        assert [plan.title for plan in done] == steps


def _discuss(studio: Studio, title: str, said: str) -> None:
    """A task in which its author says what is to come, settled as it is offered."""
    task = studio.gateway.handle(said, task=None, command=Command.NEW, argument=title, kind=TurnKind.REMARK).task
    assert task is not None
    table = studio.gateway.handle("", task=task.id, command=Command.SETTLE).table
    assert table is not None
    facts = [row for row in table.proposals if isinstance(row.item, Fact)]
    assert [row.ticked for row in facts] == [False], "it is shown, and not ticked"
    assert studio.gateway.confirm(task.id, table.proposals).applied


def _written(studio: Studio, number: int, chapter: dict[str, str]) -> Manuscript:
    """A chapter in the archive, its table confirmed as it is offered."""
    made = studio.gateway.chapters.begin_with(chapter["text"], number, chapter["title"])
    reply = studio.gateway.archive_chapter(made.id)
    assert reply is not None
    assert reply.task is not None
    assert reply.table is not None
    assert studio.gateway.confirm(reply.task.id, reply.table.proposals).applied
    return made
