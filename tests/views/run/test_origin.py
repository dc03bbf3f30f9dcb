"""What made a result, what holds in a run and where it came from, and what was asked in it before."""

from __future__ import annotations

from typing import Any

import pytest

from memorybank.memory.events import (
    AgentCalled,
    AnswerGiven,
    ConflictClosed,
    SessionStarted,
    SettingsChanged,
    StageFinished,
    StageStarted,
    TaskReceived,
)
from memorybank.memory.types import ConflictId, ConflictStatus, EntryId, Lang, Relation
from memorybank.runs.run_folder import load, state_at
from memorybank.session.executors.react.agent import ReActAgent
from memorybank.session.executors.researcher import OfflineResearcher
from memorybank.settings import env
from memorybank.views.box import Box
from memorybank.views.boxes.answer_card import earlier_answers
from memorybank.views.run.origin import Holding, Origin, answer_origin, holding, origin_chip, origin_of
from tests.boxes_read import words_of
from tests.made_events import recorded
from tests.recorded import recorded_run


def begun(engine: str, model: str = "") -> SessionStarted:
    return SessionStarted(
        run_id="r", version="1", engine=engine, model=model, embedding_model="hashed", embedding_dim=1, lang="en",
        relations=(Relation.CONFLICT,), strategy="single", k=5, alpha=0.5, max_rounds=3, prompt_tokens=800,
    )  # fmt: skip


def call(cached: bool, engine: str = "llm", outcome: Any = "ok") -> AgentCalled:
    return AgentCalled(role="planning", engine=engine, key="k", outcome=outcome, cached=cached, model="small-talk")


def test_a_real_run_was_made_offline() -> None:
    run = load(recorded_run("en").path)
    assert origin_of(run) == Origin(engine="offline")
    assert words_of(origin_chip(run, "en"), " | ") == "Without a model"
    assert words_of(origin_chip(run, "zh", replay=True), " | ") == "不用模型 | 回放"
    answer = next(record.event for record in run if isinstance(record.event, AnswerGiven))
    verdict = next(record.event for record in run if isinstance(record.event, ConflictClosed))
    assert (
        words_of(origin_chip(answer, "en"), " | ") == words_of(origin_chip(verdict, "en"), " | ") == "Without a model"
    )


@pytest.mark.parametrize(
    ("calls", "words"),
    [
        pytest.param([call(False), call(False)], "Model: small-talk", id="asked"),
        pytest.param([call(True), call(True)], "Model: small-talk | From the cache", id="all from the cache"),
        pytest.param([call(True), call(False)], "Model: small-talk | Partly from the cache", id="some"),
        pytest.param(
            [call(False, outcome="failed"), call(True)], "Model: small-talk | From the cache", id="a failed one"
        ),
        pytest.param([], "Model: small-talk", id="nothing asked yet"),
    ],
)
def test_a_models_answers_and_the_cache(calls: list[AgentCalled], words: str) -> None:
    run = recorded(begun("llm", "small-talk"), call(True), StageStarted(stage="enhance", round=0), *calls)
    assert words_of(origin_chip(run, "en"), " | ") == words, "only the last round counts"


@pytest.mark.parametrize(
    ("by", "engine"), [(OfflineResearcher.name, "offline"), (ReActAgent.name, "llm"), ("user", "user")]
)
def test_who_settled_a_conflict(by: str, engine: str) -> None:
    event = ConflictClosed(conflict_id=ConflictId("c1"), status=ConflictStatus.RESOLVED, reason="", closed_by=by)
    assert origin_of(event).engine == engine
    verdict = origin_of(recorded(begun("llm", "m")), by=by)
    assert verdict == Origin(engine=engine, model="m" if engine == "llm" else ""), "whoever files the memory"


@pytest.mark.parametrize("memory", ["offline", "llm"])
def test_the_answer_of_an_outside_agent_is_its_own_and_the_memory_is_not(memory: str) -> None:
    given = AnswerGiven(answer="42", engine=memory, entry_id=EntryId("e1"), by="LangGraph agent")
    run = recorded(begun(memory, "m"), given)
    assert answer_origin(run) == origin_of(given) == Origin(engine="LangGraph agent")
    assert origin_of(run).engine == memory
    assert answer_origin(run[:1]).engine == memory, "before there is an answer"
    old = recorded(begun(memory, "m"), AnswerGiven(answer="42", engine=memory, entry_id=EntryId("e1")))
    assert answer_origin(old).engine == memory, "a journal from before it was told"
    again = [*run, *recorded(TaskReceived(doc_id="d1", goal="More?"))]
    assert answer_origin(again).engine == memory, "the next task has no answer yet"


def test_an_outside_agent_is_named_and_stays_text(lang: Lang) -> None:
    chip = origin_chip(call(False, engine="<b>other</b>"), lang)
    assert isinstance(chip, Box)
    assert "<b>other</b>" in words_of(chip)
    assert words_of(origin_chip([], lang), " | ") == ""
    assert origin_of(AnswerGiven(answer="a", engine="llm", entry_id=EntryId("e1"))).engine == "llm"


# -- what holds and where it came from --------------------------------------------------------------------------------


SET = {"RETRIEVAL_K": "9", "EMBEDDING_MODEL": "hashed-ngrams", "LLM_API_KEY": "sk-0123456789abcdefghij"}


def by_name(rows: tuple[Holding, ...]) -> dict[str, tuple[str, str]]:
    return {row.name: (row.value, row.origin) for row in rows}


def test_before_a_run_it_is_this_machines() -> None:
    acted = by_name(holding(env.load(SET, None), begun("llm", "recorded:x")))
    assert (acted["engine"][0], acted.get("model")) == ("recorded:x", None), "no model is asked"
    found = by_name(holding(env.load(SET, None)))
    assert (found["k"], found["alpha"]) == (("9", "environment"), ("0.5", "default"))
    assert found["embedding_model"] == ("hashed-ngrams", "environment")
    assert found["engine"] == ("offline", "default")
    assert not any("sk-" in value for value, _ in found.values())


def test_of_a_run_it_is_what_it_began_with_and_what_was_changed() -> None:
    begun = state_at(load(recorded_run("zh").path)).settings
    local = env.load({**SET, "RETRIEVAL_ALPHA": "1"}, None)
    found = by_name(holding(local, begun))
    assert found["k"] == ("5", "run")
    assert found["lang"] == ("zh", "run")
    assert "model" not in found, "the offline engine has none"
    relations = (Relation.CONFLICT, Relation.RELATED)
    changed = SettingsChanged(k=7, alpha=0.5, neighbor_share=0.0, relations=relations, strategy="single")
    found = by_name(holding(local, begun, changed))
    assert (found["k"], found["alpha"]) == (("7", "changed"), ("0.5", "run"))
    assert found["neighbor_share"] == ("0", "changed")
    assert found["relations"] == ("conflict,related", "changed")
    assert found["strategy"] == ("single", "run")


def test_a_question_is_earlier_once_another_is_asked() -> None:
    events = [
        TaskReceived(doc_id="d1", goal="first"),
        StageFinished(stage="record", round=0),
        AnswerGiven(answer="draft", engine="offline", entry_id=EntryId("e1")),
        StageFinished(stage="intercept", round=1),
        AnswerGiven(answer="105", engine="offline", entry_id=EntryId("e2")),
        StageFinished(stage="intercept", round=1),
        TaskReceived(doc_id="d2", goal="second"),
        StageFinished(stage="record", round=0),
        TaskReceived(doc_id="d3", goal="third"),
        StageFinished(stage="record", round=0),
        AnswerGiven(answer="now", engine="offline", entry_id=EntryId("e3")),
    ]
    records = recorded(*events)
    assert earlier_answers(records[:6]) == ()
    (earlier,) = earlier_answers(records)
    assert (earlier.goal, earlier.answer, earlier.seq) == ("first", "105", 6)
