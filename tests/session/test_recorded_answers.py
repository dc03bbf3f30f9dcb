"""A recorded session as a language model: every request of a new session is answered from the recording."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from memorybank.errors import InputError
from memorybank.hosting.ready_tasks import ReadyTask, demo_corpus, ready_tasks, recorded_runs
from memorybank.llm.base import ChatMessage, ChatRequest
from memorybank.llm.faults import AttemptError
from memorybank.memory.events import AgentCalled, ConflictClosed, SessionFinished, SessionStarted
from memorybank.memory.types import Lang
from memorybank.runs.run_folder import load
from memorybank.session.assembly import assemble, reassemble
from memorybank.session.recorded import RecordedAnswer, RecordedChat, recorded_chat
from memorybank.session.session import Session
from memorybank.settings.config import Settings
from memorybank.settings.llm import RECORDING, LLMSettings

LANGS: tuple[Lang, ...] = ("en", "zh")
DEMOS = [task for lang in LANGS for task in ready_tasks(lang) if task.recorded]


def asked(text: str, role: str = "planning") -> ChatRequest:
    return ChatRequest(messages=(ChatMessage(role="user", content=text),), schema_name=role, schema={})


def answer(role: str, number: int, prompt: str, reply: str) -> RecordedAnswer:
    return RecordedAnswer(role, number, prompt, reply, (f"answered by hand: 1.{role}",))


def test_a_request_takes_the_answer_to_the_same_words_else_the_next_of_its_role() -> None:
    same = '[{"role": "user", "content": "two"}]'
    chat = RecordedChat([answer("planning", 1, "one", "first"), answer("planning", 2, same, "second")], "recorded:x")
    assert chat.complete(asked("two")).text == "second"
    assert chat.complete(asked("two")).text == "first"
    with pytest.raises(AttemptError, match="no answer left for the planning agent"):
        chat.complete(asked("two"))


@pytest.mark.parametrize("name", ["no-such-run", "../recorded/en-willow", ""])
def test_a_recording_that_is_not_there_is_named(name: str) -> None:
    with pytest.raises(InputError, match="no recorded session called"):
        recorded_chat(name)


def test_the_first_ready_task_of_each_language_has_a_recording() -> None:
    for lang in LANGS:
        recorded = {run.id for run in recorded_runs(lang) if run.engine == "llm"}
        assert ready_tasks(lang)[0].recorded in recorded


@pytest.mark.parametrize("task", [ready_tasks(lang)[0] for lang in LANGS], ids=lambda task: task.recorded)
def test_a_demo_ends_with_every_kind_of_verdict_without_key_and_network(task: ReadyTask, tmp_path: Path) -> None:
    llm = LLMSettings(provider=RECORDING, model=task.recorded)
    settings = replace(Settings(), engine="llm", lang=task.lang, llm=llm, corpus=demo_corpus(task.corpus))
    parts = assemble(settings, [task.task])
    assert parts.models == f"recorded:{task.recorded}"
    with Session.start(tmp_path / "run", parts, goal=task.task) as session:
        session.run()
    events = [record.event for record in load(tmp_path / "run" / "journal.jsonl")]
    assert not [event for event in events if isinstance(event, AgentCalled) and event.outcome == "failed"]
    assert {event.status.value for event in events if isinstance(event, ConflictClosed)} >= {
        "inconclusive",
        "false_alarm",
    }
    assert next(event.result for event in events if isinstance(event, SessionFinished)) == "complete"


def test_a_demo_that_was_stopped_goes_on_with_its_recording(tmp_path: Path) -> None:
    task = DEMOS[0]
    llm = LLMSettings(provider=RECORDING, model=task.recorded)
    settings = replace(Settings(), engine="llm", lang=task.lang, llm=llm, corpus=demo_corpus(task.corpus))
    with Session.start(tmp_path / "run", assemble(settings, [task.task]), goal=task.task) as session:
        session.step()
    begun = load(tmp_path / "run" / "journal.jsonl")[0].event
    assert isinstance(begun, SessionStarted)
    local = replace(Settings(), llm=LLMSettings(provider="openai"))
    assert reassemble(begun, local, demo_corpus(task.corpus)).models == f"recorded:{task.recorded}"
