"""A whole author's session in each language: every request is the recorded one, and its answer becomes the same.

The answers (`assets/studio/recorded.<lang>.yaml`) are those of a careful reader who saw the requests alone. Where a
prompt was changed on purpose: `RECORDED=write pytest memorybank_studio/tests/test_recorded_studio.py` keeps the
requests as they are now. Read what changed first: an answer whose numbers or words no longer serve has to be given
anew.
"""

from __future__ import annotations

import difflib
import gzip
import json
import os
from pathlib import Path
from typing import Final

import pytest

from memorybank.embedding.hashed import HashedNgrams
from memorybank.llm.around import MeteredChat
from memorybank.llm.base import AroundChat, ChatReply, ChatRequest
from memorybank.memory.types import Lang
from memorybank_studio.chapters.manuscript import Manuscript
from memorybank_studio.hub.verbalisation import tell_fact, tell_plan
from memorybank_studio.page.demo import CHAPTER, RecordedChat, play, recording
from memorybank_studio.studio import Studio, StudioSettings
from memorybank_studio.tasks.settings import TaskSettings
from memorybank_studio.types import TaskId, TaskState
from tests.lent_engine import lent_engines
from tests.tables import tables

TABLES = tables(__file__)

__all__ = ["lent_engines"]
KEPT: Final = Path(__file__).parent / "recorded"
PARTS: Final = "\n\n----\n\n"
MOST_CALLS: Final = 35


class Listening(AroundChat):
    """Keeps what is asked."""

    def __init__(self, inner: RecordedChat) -> None:
        super().__init__(inner)
        self.asked: list[tuple[str, str]] = []

    def complete(self, request: ChatRequest) -> ChatReply:
        told = PARTS.join(f"[{message.role}]\n{message.content}" for message in request.messages)
        self.asked.append((request.schema_name, told))
        return self._inner.complete(request)


def kept(lang: Lang) -> list[tuple[str, str]]:
    return [(role, text) for role, text in json.loads(gzip.decompress((KEPT / f"{lang}.json.gz").read_bytes()))]


def changes(now: list[tuple[str, str]], before: list[tuple[str, str]]) -> list[str]:
    """Return of each request that is another one the first lines that differ."""
    told = []
    for number, (one, other) in enumerate(zip(now, before, strict=False), start=1):
        if one != other:
            lines = difflib.unified_diff(
                other[1].splitlines(), one[1].splitlines(), "recorded", "now", lineterm="", n=0
            )
            told.append("\n".join([f"request {number} ({one[0]}):", *list(lines)[:12]]))
    return told


@pytest.mark.usefixtures("lent_engines")
@pytest.mark.parametrize("lang", ["en", "zh"])
def test_a_session_is_asked_as_it_was_recorded_and_its_answers_become_the_same(tmp_path: Path, lang: Lang) -> None:
    recorded = RecordedChat(recording(lang).answers, lang)
    chat = Listening(recorded)
    told = StudioSettings(tasks=TaskSettings(lang=lang))
    with Studio.open(tmp_path, HashedNgrams(), told, chat=MeteredChat(chat)) as studio:
        (checked,) = [made for _, made in play(studio, recording(lang), lang) if made is not None]
        _look_at(studio, checked, lang)
    if os.environ.get("RECORDED") == "write":
        written = json.dumps(chat.asked, ensure_ascii=False, indent=0).encode()
        (KEPT / f"{lang}.json.gz").write_bytes(gzip.compress(written, mtime=0))
    assert changes(chat.asked, kept(lang)) == [], "see the head of this file"
    assert (len(chat.asked), recorded.left) == (MOST_CALLS, 0), "each answer served once, none was sent back"


def _look_at(studio: Studio, checked: Manuscript, lang: Lang) -> None:
    gateway, stores = studio.gateway, studio.stores
    states = [task.state for task in gateway.tasks()]
    assert states == [TaskState.CLOSED, TaskState.OPEN, TaskState.OPEN, TaskState.OPEN]
    assert len(gateway._desk.offers(TaskId("t2"))) == 4, "three, and the one that was made of two"
    assert [offer.option.draft.brief for offer in gateway._desk.offers(TaskId("t4"))] == ["asked"]
    held = {tell_fact(fact, stores.facts.entity, lang) for fact in stores.facts.of_task(TaskId("t2"))}
    assert set(TABLES["facts"][lang]) <= held
    plans = [tell_plan(plan, lang) for plan in stores.plans.all()]
    assert all(any(plan.startswith(words) for plan in plans) for words in TABLES["plans"][lang])
    chapter = gateway.chapters.chapter(CHAPTER)
    assert (len(chapter.pieces), chapter.problem, chapter.archived) == (3, None, True)
    assert [piece.marks for piece in chapter.pieces] == [()] * 3
    (piece,) = checked.pieces
    assert (piece.check_failure, [mark.kind for mark in piece.marks or ()]) == (None, TABLES["planted"][lang])
    _, spent = gateway.stands_on(TaskId("t2"), 10)
    assert spent.calls == 4, "what the turn is, a look-up, the proposals, their judging"
