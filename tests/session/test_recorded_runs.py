"""The recorded runs that come with the app are what today's code makes of their answers, request by request.

Where a prompt was changed on purpose: `RECORDED=write pytest tests/session/test_recorded_runs.py` gives the recorded
answers by role and order, and writes the recording anew when each of them still serves; those of the offline engine are
run anew. Read what changed first: an answer to another question has to be given anew (`LLM_PROVIDER=hand`).
"""

from __future__ import annotations

import difflib
import json
import os
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from memorybank.errors import InputError
from memorybank.hosting.ready_tasks import ReadyTask, RecordedRun, demo_corpus, ready_tasks, recorded_runs
from memorybank.language.text import sha256
from memorybank.llm.base import ChatMessage, ChatRequest
from memorybank.llm.faults import AttemptError
from memorybank.memory.events import (
    AgentCalled,
    ConflictClosed,
    ImageStaged,
    SessionFinished,
    SessionStarted,
    TaskReceived,
)
from memorybank.memory.types import Lang
from memorybank.runs.archive import pack, unpack
from memorybank.runs.journal import Record
from memorybank.runs.run_folder import RunFolder, load, state_at
from memorybank.session.assembly import Parts, assemble, reassemble
from memorybank.session.recorded import RecordedAnswer, RecordedChat, recorded_answers, recorded_chat
from memorybank.session.session import Session
from memorybank.settings.config import Settings
from memorybank.settings.llm import HAND, RECORDING, LLMSettings
from memorybank.testing.cases import comparable
from memorybank.tools.corpus import Corpus
from memorybank_lab.evaluation.planted.truth import CONFLICTS, read_truth
from tests.engines.offline.outcomes import outcome

MOST_LINES = 24
"""Lines of a changed request that are shown."""


class Reader(RecordedChat):
    """A chat model in the place of the person of the recording, which notes what it was asked otherwise."""

    def __init__(self, answers: Sequence[RecordedAnswer]) -> None:
        super().__init__(answers, HAND)
        self.changed: list[str] = []
        """What became different, call by call."""

    @property
    def is_used_up(self) -> bool:
        return not self._left

    def _take(self, role: str, prompt: str) -> int:
        place = super()._take(role, prompt)
        answer = self.answers[place]
        if sha256(answer.prompt) != sha256(prompt):
            self.changed.append(f"{role} {answer.number} ({answer.notes[0]}):\n{difference(answer.prompt, prompt)}")
        return place


def difference(before: str, after: str) -> str:
    """The first lines that differ between two requests."""
    lines = [
        [line for message in json.loads(text) for line in (f"[{message['role']}]", *message["content"].splitlines())]
        for text in (before, after)
    ]
    return "\n".join(list(difflib.unified_diff(*lines, "recorded", "now", lineterm="", n=1))[:MOST_LINES])


def play(
    source: RunFolder, target: Path, corpus: Path | None, run_id: str, patch: pytest.MonkeyPatch
) -> tuple[list[Record[Any]], Reader]:
    """Play a recorded run again in another folder. Answers with its records and what the reader met."""
    records = load(source.path)
    reader = Reader(list(recorded_answers(source)))
    patch.setattr("memorybank.llm.build.HandChat", lambda folder: reader)
    begun = records[0].event
    assert isinstance(begun, SessionStarted)
    goal = next(record.event.goal for record in records if isinstance(record.event, TaskReceived))
    bank = state_at(records)
    staged = [record.event.image for record in records if isinstance(record.event, ImageStaged)]
    images = [(image.name, source.image(bank, image.sha256)) for image in staged if not image.found_in]
    settings = replace(Settings().with_beginning_of(begun), corpus=corpus, parallel_calls=1)
    settings = replace(settings, llm=replace(settings.llm, provider=HAND))
    parts = assemble(settings, embedding_model=begun.embedding_model, lang=begun.lang)
    with Session.start(target, parts, goal=goal, images=images, run_id=run_id) as session:
        session.run()
    return load(target), reader


RUNS = [*recorded_runs("en"), *recorded_runs("zh")]
OF_A_MODEL = [run for run in RUNS if run.engine == "llm"]
OF_THE_DAY = ("version", "ms", "output_blob")
"""Parts of events; the blob of a raw reply holds its milliseconds."""
ANOTHER_PROCESSOR = 4e-3
"""How far its scores may be off (measured: up to .0018 with the model of four bits a weight, .0001 with the other)."""


@pytest.fixture
def source(recorded: RecordedRun, tmp_path: Path) -> RunFolder:
    folder = RunFolder(tmp_path / "recorded")
    unpack(recorded.file, folder)
    return folder


def outcomes(records: list[Record[Any]]) -> list[dict[str, Any]]:
    """What became of the answers: every event, but for what differs from one day to another."""
    events = [comparable(record.event) for record in records]
    return [{name: value for name, value in event.items() if name not in OF_THE_DAY} for event in events]


def near(now: Any, before: Any) -> bool:
    """Whether two values are the same, scores as far as another processor gives the same."""
    if isinstance(now, float) and isinstance(before, float):
        return abs(now - before) < ANOTHER_PROCESSOR
    if isinstance(now, dict) and isinstance(before, dict) and now.keys() == before.keys():
        if {"node_id", "score"} <= now.keys() and now["node_id"] != before["node_id"]:
            return near(now["score"], before["score"])  # of hits that are level it says which comes first
        return all(near(value, before[name]) for name, value in now.items())
    if isinstance(now, list) and isinstance(before, list) and len(now) == len(before):
        return all(map(near, now, before))
    return bool(now == before)


@pytest.mark.parametrize("recorded", OF_A_MODEL, ids=lambda run: run.id)
def test_every_request_is_the_recorded_one_and_the_answers_become_the_same(
    recorded: RecordedRun, source: RunFolder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = load(source.path)
    records, reader = play(source, tmp_path / "again", demo_corpus(recorded.corpus), recorded.run_id, monkeypatch)
    now, then = outcomes(records), outcomes(before)
    if os.environ.get("RECORDED") == "write":
        if reader.changed or not near(now, then):
            print("\n".join(reader.changed))
            calls = [record.event for record in records if isinstance(record.event, AgentCalled)]
            failed = [call for call in calls if call.outcome == "failed"]
            assert not failed, f"answers that no longer serve: {failed}"
            pack(RunFolder(tmp_path / "again"), recorded.file)
        return
    assert not reader.changed, "see the head of this file; changed requests:\n" + "\n".join(reader.changed)
    assert [pair for pair in zip(now, then, strict=False) if not near(*pair)][:1] == []
    assert len(now) == len(then)
    assert reader.is_used_up, "some requests are made no more"


if os.environ.get("RECORDED") == "write":

    @pytest.mark.parametrize("recorded", [run for run in RUNS if run.engine == "offline"], ids=lambda run: run.id)
    def test_an_offline_recording_is_run_anew(recorded: RecordedRun, source: RunFolder, tmp_path: Path) -> None:
        goal = next(record.event.goal for record in load(source.path) if isinstance(record.event, TaskReceived))
        parts = assemble(replace(Settings(), corpus=demo_corpus(recorded.corpus)), [goal])
        with Session.start(tmp_path / "again", parts, goal=goal, run_id=recorded.run_id) as session:
            session.run()
        pack(RunFolder(tmp_path / "again"), recorded.file)


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_together_the_recorded_runs_of_a_model_settle_all_that_is_planted_as_the_truth_says(
    lang: Lang, tmp_path: Path
) -> None:
    truth = read_truth(demo_corpus(lang).parent / "truth.yaml")[lang]
    raised: dict[tuple[str, str], set[str]] = {}
    for number, recorded in enumerate(run for run in OF_A_MODEL if run.lang == lang):
        folder = RunFolder(tmp_path / str(number))
        unpack(recorded.file, folder)
        records = load(folder.path)
        bank = state_at(records)
        without = [each.id for each in bank.conflicts.all.values() if not each.contradictions]
        assert not without, "each has its two statements: a quote that is not in memory would take them away"
        for pair, statuses in outcome(bank, records).raised.items():
            raised.setdefault(pair, set()).update(status.value for status in statuses)
    for item in truth.of(*CONFLICTS, "false_alarm"):
        met = {pair: raised[pair] for pair in item.pairs if pair in raised}
        assert met, f"{item.id} is met by no recorded run"
        expected = {"resolved": {"resolved", "checked"}}
        for pair, statuses in met.items():
            verdict = item.verdict_of(pair)
            assert statuses <= expected.get(verdict, {verdict}), (item.id, pair, statuses)
    allowed = truth.pairs(*CONFLICTS, "false_alarm")
    documents = {document.name for document in Corpus.open(demo_corpus(lang)).documents}  # an image may repeat one
    assert not [pair for pair in raised if set(pair) <= documents and pair not in allowed], "nothing else is raised"


# -- A recorded session as a language model: every request of a new session is answered from the recording -------------


LANGS: tuple[Lang, ...] = ("en", "zh")
DEMOS = [task for lang in LANGS for task in ready_tasks(lang) if task.recorded]


def acted_again(task: ReadyTask) -> Parts:
    llm = LLMSettings(provider=RECORDING, model=task.recorded)
    settings = replace(Settings(), engine="llm", lang=task.lang, llm=llm, corpus=demo_corpus(task.corpus))
    return assemble(settings, [task.task])


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


@pytest.mark.parametrize("task", [ready_tasks(lang)[0] for lang in LANGS], ids=lambda task: task.recorded)
def test_a_demo_ends_with_every_kind_of_verdict_without_key_and_network(task: ReadyTask, tmp_path: Path) -> None:
    parts = acted_again(task)
    assert parts.models == f"recorded:{task.recorded}"
    with Session.start(tmp_path / "run", parts, goal=task.task) as session:
        session.run()
    events = [record.event for record in load(tmp_path / "run" / "journal.jsonl")]
    assert not [event for event in events if isinstance(event, AgentCalled) and event.outcome == "failed"]
    closed = {event.status.value for event in events if isinstance(event, ConflictClosed)}
    assert closed >= {"inconclusive", "false_alarm"}
    assert next(event.result for event in events if isinstance(event, SessionFinished)) == "complete"


def test_a_demo_that_was_stopped_goes_on_with_its_recording(tmp_path: Path) -> None:
    task = DEMOS[0]
    with Session.start(tmp_path / "run", acted_again(task), goal=task.task) as session:
        session.step()
    begun = load(tmp_path / "run" / "journal.jsonl")[0].event
    assert isinstance(begun, SessionStarted)
    local = replace(Settings(), llm=LLMSettings(provider="openai"))
    assert reassemble(begun, local, demo_corpus(task.corpus)).models == f"recorded:{task.recorded}"
