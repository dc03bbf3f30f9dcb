"""Any agent as an executor: tools through fx, a pause inside a round, limits, failures."""

from __future__ import annotations

import asyncio
import json
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from memorybank import calls
from memorybank.calls import Cancelled
from memorybank.errors import AgentError, EndpointError
from memorybank.integrations.foreign import AgentTool, EventLoop, ForeignExecutor
from memorybank.memory.events import ToolUsed
from memorybank.memory.types import TaskStatus
from memorybank.runs.run_folder import load
from memorybank.session.executors.base import Execution
from memorybank.session.session import Session
from tests.integrations.world import GOAL, is_validation, parts_with, sources


def named(tools: Sequence[AgentTool], name: str) -> AgentTool:
    return next(tool for tool in tools if tool.name == name)


def used(session: Session) -> list[ToolUsed]:
    return [record.event for record in session.records if isinstance(record.event, ToolUsed)]


def test_tools_say_what_is_wrong_and_end_at_the_limit(run_dir: Path, tmp_path: Path) -> None:
    said: list[str] = []

    def clumsy(prompt: str, tools: Sequence[AgentTool]) -> str:
        visit = named(tools, "visit")
        said.extend([visit(url="nowhere.md"), visit(place=1), visit.run_json("{"), visit.run_json("[1]")])
        said.append(named(tools, "deep_retrieval")(node_id="n1"))
        said.extend(visit(url="third.md") for _ in range(60))
        described = named(tools, "search").openai
        assert described["function"]["parameters"]["required"] == ["query"]
        json.dumps(described)
        return "An answer after many calls."

    with Session.start(
        run_dir, parts_with(ForeignExecutor(clumsy), tmp_path), goal=GOAL, sources=sources()[:1]
    ) as session:
        session.run_until(lambda report: report.stage == "execute")
        missing, misnamed, torn, listed, deep = said[:5]
        assert "nowhere.md" in missing
        assert "visit: argument" in misnamed
        assert "not JSON" in torn
        assert "not a JSON object" in listed
        assert "willow qubits: 105" in deep
        assert "A third report" in said[5]
        assert "No tool can be called any more" in said[-1]
        assert len(used(session)) == session.parts.settings.max_tool_calls
        transcript = next(one for one in session.bank.tree.entries.values() if one.kind == "transcript")
        assert transcript.text.count("<tool_call>") == transcript.text.count("<tool_response>") >= 60


def test_a_pause_within_a_round_is_not_swallowed_and_the_round_begins_again(run_dir: Path, tmp_path: Path) -> None:
    attempts: list[list[str]] = []

    def agent(prompt: str, tools: Sequence[AgentTool]) -> str:
        told: list[str] = []
        attempts.append(told)
        told.append(named(tools, "search")(query="willow qubits report"))
        if len(attempts) == 1:
            session.pause()
        try:
            told.append(named(tools, "visit")(url="third.md"))
        except Exception as error:  # noqa: BLE001 - what a framework does: any exception becomes the tool's answer
            told.append(repr(error))
        return "Willow has 105 qubits."

    executor = ForeignExecutor(agent)
    with Session.start(run_dir, parts_with(executor, tmp_path), goal=GOAL, sources=sources()[:1]) as session:
        session.run()
        assert session.next_stage == "execute"
        assert len(used(session)) == 1
    with Session.open(run_dir, lambda _: parts_with(executor, tmp_path)) as session:
        assert session.run().answer == "Willow has 105 qubits."
        first = [event for event in used(session) if event.arguments == {"query": "willow qubits report"}]
    assert attempts[0][0] == attempts[1][0], "the search was answered from the memo"
    assert len(first) == len(attempts) - 1
    assert "A third report" in attempts[1][1]


@pytest.mark.parametrize("outcome", [EndpointError("the model is not there"), None, b"bytes", ["a list"]], ids=str)
def test_a_failed_agent_is_a_failed_task_and_the_session_goes_on(outcome: Any, run_dir: Path, tmp_path: Path) -> None:
    def unlucky(prompt: str, tools: Sequence[AgentTool]) -> Any:
        if is_validation(prompt):
            if isinstance(outcome, Exception):
                raise outcome
            return outcome
        return Execution(answer="Not known.", transcript="asked nobody")

    with Session.start(
        run_dir, parts_with(ForeignExecutor(unlucky), tmp_path), goal=GOAL, sources=sources()
    ) as session:
        result = session.run()
        failed = [one for one in session.bank.doc.completed_tasks if one.status is TaskStatus.FAILED]
        assert result.result == "complete_with_failures"
        assert result.answer == "Not known."
        assert len(failed) == 2, "twice, then the conflict is inconclusive"
        says = str(outcome) if isinstance(outcome, Exception) else f"gave no text but {type(outcome).__name__}"
        assert says in failed[0].context
    assert issubclass(EndpointError, AgentError)


def test_tools_may_be_called_from_many_threads(run_dir: Path, tmp_path: Path) -> None:
    def hasty(prompt: str, tools: Sequence[AgentTool]) -> str:
        search = named(tools, "search")
        threads = [threading.Thread(target=search, kwargs={"query": f"willow {n}"}) for n in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        return "Willow has 105 qubits."

    with Session.start(run_dir, parts_with(ForeignExecutor(hasty), tmp_path), goal=GOAL) as session:
        session.run()
    records = load(run_dir)
    assert [record.seq for record in records] == list(range(1, len(records) + 1))


def test_a_coroutine_is_cancelled_where_it_waits() -> None:
    ended: list[str] = []

    async def long() -> str:
        try:
            await asyncio.sleep(60)
        except asyncio.CancelledError:
            ended.append("cancelled")
            raise
        return "never"

    async def short() -> str:
        await asyncio.sleep(0)
        return "done"

    loop = EventLoop()
    assert loop.run(short) == loop.run(short) == "done"
    began = time.monotonic()
    with calls.watch(lambda: time.monotonic() - began > 0.2), pytest.raises(Cancelled):
        loop.run(long)
    assert ended == ["cancelled"]
    assert not [thread for thread in threading.enumerate() if thread.name.startswith("foreign-agent")]
