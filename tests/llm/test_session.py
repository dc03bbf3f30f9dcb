"""A research session on the llm engine, over real HTTP: conflict, check, merge, image, deep retrieval, answer."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest

from memorybank.errors import EndpointLostError
from memorybank.language.text import encodable
from memorybank.memory.events import ConflictClosed, NodesMerged, PromptEnhanced, SessionStarted, ToolUsed
from memorybank.memory.types import ConflictStatus, Lang
from memorybank.runs.export import fingerprint
from memorybank.runs.run_folder import load, state_at
from memorybank.session.session import Session
from memorybank_lab.scripted import ScriptedReply, ScriptedServer, SeenRequest
from tests.llm.sessions import ANSWERS, TASKS, agent_calls, parts, recorded, sources
from tests.picturing import picture


@pytest.mark.parametrize("native", [False, True], ids=["blocks", "native tools"])
@pytest.mark.parametrize("lang", ["en", "zh"])
def test_a_research_session_from_task_to_answer(run_dir: Path, lang: Lang, native: bool) -> None:
    with ScriptedServer(recorded(lang)) as server:
        ready, images = parts(server, lang, native_tools=native), [("sign.png", picture("PLATFORM NINE"))]
        with Session.start(run_dir, ready, goal=TASKS[lang], sources=sources(lang), images=images) as session:
            result = session.run()
            bank = session.bank

        assert result.result == "complete"
        assert result.engine == "llm"
        assert result.answer == ANSWERS[lang]
        conflicts = list(bank.conflicts.all.values())
        assert conflicts
        assert {(one.status, one.value) for one in conflicts} == {(ConflictStatus.RESOLVED, "24")}
        assert all(one.contradictions for one in conflicts), "the quotes stand in the memories, so they are kept"
        events = [record.event for record in session.records]
        triggers = [event.trigger for event in events if isinstance(event, NodesMerged)]
        assert sorted(set(triggers)) == ["conflict", "merge"]
        assert not any("42" in node.summary for node in bank.graph.nodes.values())
        assert sum(isinstance(event, ConflictClosed) for event in events) == len(conflicts)

        read = [entry.text.splitlines()[-1] for entry in bank.tree.entries.values() if entry.kind == "image"]
        assert read == ["PLATFORM NINE"]
        assert any(request.images for request in server.chats), "the model saw the image itself"
        tools = [event.tool for event in events if isinstance(event, ToolUsed)]
        assert {"search", "visit", "deep_retrieval"} <= set(tools)
        assert any(request.tools for request in server.chats) is native

        calls = agent_calls(session)
        assert {"classification", "analysis", "integration", "planning", "react"} <= {call.role for call in calls}
        assert all(call.outcome == "ok" for call in calls)
        asked_of_model = [call for call in calls if call.model]
        assert {call.role for call in calls if not call.model} <= {"structure"}, "short texts stay whole, unasked"
        assert all(call.input_tokens > 0 and call.model == "scripted" for call in asked_of_model)
        asked = json.loads(session.folder.blobs.get(asked_of_model[0].output_blob))
        assert asked[0]["prompt"], "every call's prompt and raw answer are kept"
        assert all(len(event.prompt) > 0 for event in events if isinstance(event, PromptEnhanced))
    begun = events[0]
    assert isinstance(begun, SessionStarted)
    assert (begun.engine, begun.model) == ("llm", "scripted")
    assert "127.0.0.1" not in (run_dir / "journal.jsonl").read_text("utf-8"), "addresses are local, never journaled"
    assert fingerprint(state_at(load(run_dir))) == fingerprint(bank)


def test_a_rerun_costs_no_call_and_a_fork_reuses_the_past(tmp_path: Path) -> None:
    with ScriptedServer(recorded("en")) as server:
        made = []
        for name in ("first", "second"):
            ready = parts(server, cache=tmp_path / "cache")
            with Session.start(tmp_path / name, ready, goal=TASKS["en"], sources=sources("en")) as session:
                session.run()
                made.append(fingerprint(session.bank))
                border = len(session.records) // 2
                cached = [call.cached for call in agent_calls(session) if call.model]
            asked = len(server.chats)
            if name == "first":
                first = asked
                assert not any(cached)
        assert asked == first, "the second run asked the model nothing"
        assert all(cached)
        assert made[0] == made[1]
        with Session.open(tmp_path / "second", lambda _: parts(server, cache=tmp_path / "cache")) as session:
            session.fork(border, tmp_path / "fork")
        with Session.open(tmp_path / "fork", lambda _: parts(server, cache=tmp_path / "cache")) as forked:
            forked.run()
            assert fingerprint(forked.bank) == made[0]
        assert len(server.chats) == first


def test_a_lost_endpoint_stops_the_run_where_it_stands(run_dir: Path) -> None:
    with ScriptedServer(recorded("en")) as server:
        dead, images = ScriptedServer(recorded("en")), [("sign.png", picture("PLATFORM NINE"))]
        ready = parts(dead, attempts=1, timeout=1.0)
        with Session.start(run_dir, ready, goal=TASKS["en"], sources=sources("en"), images=images) as session:
            session.run_until(lambda report: report.stage == "analyse")
            dead.close()
            with pytest.raises(EndpointLostError, match="resume"):
                session.run()
            assert session.result.result == "", "nothing is over that was not answered"
            assert session.bank.tree.staged, "the image still waits"
        with Session.open(run_dir, lambda _: parts(server)) as resumed:
            assert resumed.run().answer == ANSWERS["en"]
            assert not resumed.bank.tree.staged


@pytest.mark.parametrize("half", ["\ud83d", "\\ud83d", "\udcff\ud83d"])
def test_half_a_character_in_every_answer_ends_nothing(run_dir: Path, half: str) -> None:
    class Halving:
        """Puts the half behind the first sentence or value of each answer."""

        script = recorded("en")

        def reply(self, request: SeenRequest) -> ScriptedReply | None:
            good, halved = self.script.reply(request), rf"\1{half}".replace("\\u", r"\\u")
            return good and replace(good, text=re.sub(r"([a-z])(?=[.\"])", halved, good.text))

    with ScriptedServer(Halving()) as server:
        with Session.start(run_dir, parts(server), goal=TASKS["en"], sources=sources("en")) as session:
            result = session.run()
            shown = fingerprint(session.bank)
        assert result.result.startswith("complete")
        assert fingerprint(state_at(load(run_dir))) == shown, "the disk holds what the memory holds"
        with Session.open(run_dir, lambda _: parts(server)) as again:
            assert again.run().answer == result.answer
    assert encodable(result.answer) == result.answer
