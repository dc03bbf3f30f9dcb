"""Options in a whole studio with a scripted model: what they cost, mixed in words, brought back from the shelf."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from memorybank.embedding.hashed import HashedNgrams
from memorybank.llm.build import build_chat
from memorybank.memory.types import Lang
from memorybank_lab.scripted import Script, ScriptedServer, asks, on
from memorybank_studio.creativity.options import MOST
from memorybank_studio.journal.context import TurnKind
from memorybank_studio.studio import Studio, StudioSettings
from memorybank_studio.tasks.settings import TaskSettings
from memorybank_studio.tests.creativity.judging import judged
from memorybank_studio.tests.creativity.test_model import STORIES, written
from memorybank_studio.tests.tasks.asking import taken
from memorybank_studio.types import Command
from tests.lent_engine import lent_engines
from tests.llm.asking import settings

__all__ = ["lent_engines"]
MIX = {"en": "the beginning of 1 with the end of 3", "zh": "把1的开头和3的结尾合起来"}


def writes_at_once(request: Any) -> dict[str, Any]:
    return written(request, lambda place, brief: STORIES[place % len(STORIES)])


def reads(request: Any) -> dict[str, Any]:
    """What the turn is: options to be mixed, or so many as the words say."""
    if any(words in request.text for words in MIX.values()):
        return taken("options", options=[1, 3])
    return taken("options", count=MOST if f"{MOST} options" in request.text else 0)


def script(writes: Any) -> Script:
    mixed = {"step": "", "event": "The gate is open.", "text": "Lin waits, and the gate opens."}
    return Script(
        rules=[
            on(asks(schema="turn"), reads),
            on(asks(schema="drafts"), writes),
            on(asks(schema="proposal"), mixed),
            on(asks(schema="judgements"), judged),
        ]
    )


@pytest.mark.usefixtures("lent_engines")
@pytest.mark.parametrize("lang", ["en", "zh"])
def test_options_mixed_in_words(tmp_path: Path, lang: Lang) -> None:
    told = StudioSettings(tasks=TaskSettings(lang=lang))
    with ScriptedServer(script(writes_at_once)) as server:
        chat = build_chat(settings(server, attempts=1), None)
        with Studio.open(tmp_path, HashedNgrams(), told, chat=chat) as studio:
            gateway = studio.gateway
            first = gateway.handle("?", task=None, command=Command.NEW, argument="Gate", kind=TurnKind.OPTIONS)
            assert first.task is not None
            assert len(first.options) == 3
            before = len(server.chats)
            mixed = gateway.handle(MIX[lang], task=first.task.id)
            assert [call.schema_name for call in server.chats[before:]] == ["turn", "proposal", "judgements"]
            (option,) = mixed.options
            assert option.draft.parents == ("t1-2-1", "t1-2-3")
            assert "1" in mixed.text.splitlines()[0]
            taken_for = gateway.taken(first.task.id, 3)
            assert taken_for is not None
            assert taken_for.options == (1, 3)
            assert (taken_for.kind, taken_for.by) == (TurnKind.OPTIONS, "model")


@pytest.mark.usefixtures("lent_engines")
def test_a_button_names_the_proposals_and_the_model_is_not_asked_which(tmp_path: Path) -> None:
    with ScriptedServer(script(writes_at_once)) as server:
        chat = build_chat(settings(server, attempts=1), None)
        with Studio.open(tmp_path, HashedNgrams(), chat=chat) as studio:
            gateway = studio.gateway
            first = gateway.handle("?", task=None, command=Command.NEW, argument="Gate", kind=TurnKind.OPTIONS)
            assert first.task is not None
            before = len(server.chats)
            reply = gateway.handle(
                "Shorter.", task=first.task.id, command=Command.CONTINUE, kind=TurnKind.OPTIONS, options=[2]
            )
            assert [call.schema_name for call in server.chats[before:]] == ["proposal", "judgements"], "two calls"
            assert [option.draft.parents for option in reply.options] == [("t1-2-2",)]
