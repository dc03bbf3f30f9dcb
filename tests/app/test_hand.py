"""Your turn: a person plays an agent in the app, in JSON or in text."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from memorybank.engines.llm import wire
from memorybank.engines.llm.schemas import analysis_answer
from memorybank.engines.llm.wire import ModelAnswer
from memorybank.llm.hand.chat import awaited
from memorybank.llm.schemas import strict_schema
from memorybank.memory.events import AgentCalled, ConflictFound
from memorybank.memory.types import Relation
from memorybank.session.phase import Phase
from memorybank.tools.extraction import ExtractionAnswer
from memorybank.ui.shell import state
from memorybank.views.i18n import catalogue, t
from memorybank.views.run.origin import chip_of, origin_of
from memorybank_lab.scripted import ScriptedServer
from tests.app.driving import says, shown, start, worker_of
from tests.hostile import PAYLOADS
from tests.llm.sessions import recorded
from tests.waiting import wait_until

TASK = "When was the Tamar Bridge opened?"
ONE = ("one.txt", b"The Tamar Bridge was opened in 1961. It is 335 metres long.")
OTHER = ("other.txt", b"The Tamar Bridge was opened in 1981. Ferries run beside it.")


def run_of(page: AppTest) -> Path:
    return state.runs().root / worker_of(page).run_id


def turn(page: AppTest, count: int = 1) -> str:
    """Wait for requests, look at the page, and answer with the name of the first."""
    wait_until(lambda: len(awaited(run_of(page))) >= count, 30, lambda: worker_of(page).error)
    page.run()
    assert not page.exception
    return awaited(run_of(page))[0]


def taken(page: AppTest, role: str, count: int = 1) -> AgentCalled:
    def calls() -> list[AgentCalled]:
        events = (record.event for record in tuple(worker_of(page).records))
        return [event for event in events if isinstance(event, AgentCalled) and event.role == role]

    wait_until(lambda: len(calls()) >= count, 30)
    return calls()[-1]


def answer(page: AppTest, name: str, text: str) -> None:
    page.text_area(key=f"hand-{name}-text").set_value(text)
    page.button(key=f"hand-{name}-send").click().run()
    assert not page.exception


def test_a_contradiction_found_by_a_person(app: AppTest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Who plays the analysis agent beside the offline engine."""
    monkeypatch.setenv("LLM_PROVIDER_ANALYSIS", "hand")
    app.query_params["lang"] = lang = "zh"
    start(app, TASK, ONE, OTHER)
    name = turn(app)
    assert name == "001.analysis"
    assert says(app, t("hand.title", lang))
    assert says(app, t("hand.for.analysis", lang))
    assert "1981" in shown(app, "hand-message-1")
    assert '"relationships"' in str(app.code[0].value), "the shape of the answer"
    answer(app, name, "no JSON")
    assert t("hand.no_json", lang) in shown(app, "hand-problems")
    row = {"pair": "A-0", "reasoning": "1961 or 1981", "relationship": "elsewhere", "confidence": 1.0, "details": None}
    answer(app, name, json.dumps({"relationships": [row], "unrelated": []}))
    assert awaited(run_of(app)) == [name], "what has a problem is not sent"
    assert "relationships[0].relationship: " in shown(app, "hand-problems"), "and its place is told"
    details = {"contradictions": [], "conflict_description": "opened in 1961 or in 1981", "same_subject": True}
    given = {"relationships": [{**row, "relationship": "conflict", "details": details}], "unrelated": []}
    answer(app, name, f"This is how I see it:\n```json\n{json.dumps(given)}\n```")
    call = taken(app, "analysis")
    assert (call.engine, call.outcome, call.model) == ("llm", "ok", "hand")
    wait_until(lambda: any(isinstance(record.event, ConflictFound) for record in worker_of(app).records), 30)
    app.run()
    made = chip_of(origin_of(worker_of(app).records), lang)
    assert t("session.origin.part_by_hand", lang) in str(made), "what made the result is told"


def test_two_wait_at_once_one_is_sent_back_and_nothing_in_them_is_markup(
    app: AppTest, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LLM_PROVIDER", "hand")
    monkeypatch.setenv("ENGINE", "llm")
    monkeypatch.setenv("CLASSIFICATION_AGENT_WINDOW", "2048")  # the two texts do not fit together
    hostile = "\n".join(payload for payload in PAYLOADS.values() if payload.isprintable() and len(payload) < 500)
    start(app, TASK, ("one.txt", 80 * ONE[1] + hostile.encode()), (OTHER[0], 80 * OTHER[1]))
    turn(app, 2)
    names = awaited(run_of(app))
    assert [name.partition(".")[2] for name in names] == ["classification", "classification"]
    assert app.segmented_control(key="hand-chosen").options == ["001 · Classification", "002 · Classification"]
    assert says(app, "2 requests wait for your answer")
    assert not any("onerror" in str(element.value) for element in app.markdown), "prompts are drawn as text alone"
    answer(app, names[0], '{"reasoning": "", "topics": []}')
    assert "topics: at least 1" in shown(app, "hand-problems")
    seen = {"Ferries" in shown(app, "hand-message-1")}
    app.segmented_control(key="hand-chosen").set_value(names[1]).run()
    seen.add("Ferries" in shown(app, "hand-message-1"))
    assert seen == {True, False}, "the other document"
    app.segmented_control(key="hand-chosen").set_value(names[0]).run()
    assert "topics" in str(app.text_area(key=f"hand-{names[0]}-text").value), "what was written is still there"


def test_a_person_works_on_the_task_in_text_while_a_model_does_the_rest(
    app: AppTest, monkeypatch: pytest.MonkeyPatch
) -> None:
    with ScriptedServer(recorded("en")) as server:
        own = {"LLM_BASE_URL": server.base_url, "LLM_MODEL": "scripted", "LLM_CACHE": "0", "LLM_NATIVE_TOOLS": "1"}
        for name, value in {**own, "ENGINE": "llm", "LLM_PROVIDER_REACT": "hand"}.items():
            monkeypatch.setenv(name, value)
        start(app, TASK, ONE)
        assert turn(app) == "001.react"
        assert "<tool_call>" in shown(app, "hand-system"), "tools are used in the text"
        answer(app, "001.react", "")
        assert t("hand.empty", "en") in shown(app, "hand-problems")
        for name in ("001.react", "002.react"):  # the task, and the last one, which answers the goal
            assert turn(app) == name
            answer(app, name, "<answer>\nIn 1961, says one.txt.\n</answer>")
            wait_until(lambda name=name: name not in awaited(run_of(app)), 20)  # type: ignore[misc]
        wait_until(lambda: worker_of(app).phase is Phase.RESTING, 30)
        assert taken(app, "react").model == "hand"
        app.run()
        assert says(app, "In 1961, says one.txt.")


def test_every_field_that_may_be_asked_for_has_a_name() -> None:
    def names(schema: Any) -> Iterator[str]:
        parts = list(schema.values()) if isinstance(schema, dict) else schema if isinstance(schema, list) else []
        yield from schema.get("properties", {}) if isinstance(schema, dict) else ()
        for part in parts:
            yield from names(part)

    answers = [answer for answer in vars(wire).values() if isinstance(answer, type) and issubclass(answer, ModelAnswer)]
    narrowed = analysis_answer((Relation.CONFLICT, Relation.MERGE, Relation.RELATED))
    asked = {name for answer in (*answers, narrowed, ExtractionAnswer) for name in names(strict_schema(answer))}
    assert len(asked) > 20
    assert {name for name in asked if f"prompt.field.{name}" not in catalogue("zh")} == set()
