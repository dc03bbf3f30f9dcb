"""Any agent, as the executor of a session or as a loop around it: tools through fx, pauses, limits, failures."""

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
from memorybank.errors import AgentError, EndpointError, InputError
from memorybank.integrations.foreign import AgentTool, EventLoop, ForeignExecutor
from memorybank.integrations.turns import Turns
from memorybank.memory.events import ToolUsed
from memorybank.memory.types import TaskStatus
from memorybank.runs.run_folder import load
from memorybank.session.executors.base import Execution
from memorybank.session.session import Session
from tests.integrations.world import DECIDES, GOAL, VERDICT, check_settled, is_validation, parts_with, sources
from tests.picturing import picture


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


# -- The plain adapter: a prompt before a turn, the answer after; any loop, and one with the `openai` package ----------


def start(run_dir: Path, tmp_path: Path) -> Turns:
    return Turns.start(run_dir, GOAL, sources=sources(), parts=parts_with(None, tmp_path), name="my loop")


def test_a_loop_without_tools_hands_in_what_it_read(run_dir: Path, tmp_path: Path) -> None:
    prompts = []
    with start(run_dir, tmp_path) as turns:
        while prompt := turns.enhance_prompt():
            prompts.append(prompt)
            if is_validation(prompt):
                turns.intercept(f"Checked. {VERDICT}", sources={"https://example.org/third?a=1": DECIDES})
            else:
                turns.intercept("Willow has 105 qubits.")
        assert turns.answer == "Willow has 105 qubits."
        bank = turns.session.bank
        (conflict,) = bank.conflicts.all.values()
        assert conflict.closed_by == "my loop"
        assert conflict.status.merges
        assert "https://example.org/third?a=1" in {entry.source for entry in bank.tree.entries.values()}
        (read,) = [one.event for one in turns.session.records if isinstance(one.event, ToolUsed)]
        assert (read.tool, read.sources) == ("read", ("https://example.org/third?a=1",))
    assert len(prompts) == 2
    assert all("<task>" in prompt and "<memory>" in prompt for prompt in prompts)


def test_a_loop_with_the_sessions_tools_and_a_second_question(run_dir: Path, tmp_path: Path) -> None:
    with start(run_dir, tmp_path) as turns:
        while prompt := turns.enhance_prompt():
            tools = {tool.name: tool for tool in turns.tools}
            assert "third.md" in tools["search"].run_json('{"query": "willow qubits report"}')
            assert "It agrees" in tools["visit"](url="third.md")
            assert "no JSON" in tools["visit"](url=b"third.md"), "what no journal holds is refused before the turn ends"
            turns.intercept(f"Checked. {VERDICT}" if is_validation(prompt) else "Willow has 105 qubits.")
        check_settled(turns.session, "my loop")
        assert turns.enhance_prompt() is None
        turns.ask("And how many has Sycamore?")
        assert "Sycamore" in (turns.enhance_prompt() or "")


def test_a_killed_loop_gets_the_same_prompt_again(run_dir: Path, tmp_path: Path) -> None:
    with start(run_dir, tmp_path) as turns:
        prompt = turns.enhance_prompt()
        assert turns.enhance_prompt() == prompt, "asking twice changes nothing"
        turns.tools[0](query="willow")
    before = len(load(run_dir))
    with Turns.open(run_dir, parts=parts_with(None, tmp_path), name="my loop") as turns:
        assert turns.enhance_prompt() == prompt
        turns.intercept(f"Checked. {VERDICT}")
        assert not is_validation(turns.enhance_prompt() or "<verdict>")
    assert len(load(run_dir)) > before
    json.dumps([one.openai for one in turns.tools])


def test_a_failed_turn_is_a_failed_task(run_dir: Path, tmp_path: Path) -> None:
    with start(run_dir, tmp_path) as turns:
        with pytest.raises(InputError, match="enhance_prompt first"):
            turns.intercept("too early")
        while prompt := turns.enhance_prompt():
            failed = is_validation(prompt)
            turns.intercept("" if failed else "Not known.", failure="the model refused" if failed else "")
        tasks = turns.session.bank.doc.completed_tasks
        assert [task.status for task in tasks] == [TaskStatus.FAILED, TaskStatus.FAILED, TaskStatus.SUCCESS]
        assert turns.session.result.result == "complete_with_failures"
        assert "2" in turns.notes[0], "who reads the answer is told"
        with pytest.raises(InputError, match="empty"):
            turns.ask("  ")


def test_memory_may_grow_between_turns(run_dir: Path, tmp_path: Path) -> None:
    with start(run_dir, tmp_path) as turns:
        turns.enhance_prompt()
        done = turns.bank.ingest("willow maker: Google\n", "maker.txt")
        assert done.new_nodes
        found = turns.bank.search_memory("willow maker", passages=2)
        assert found.memories[0].node_id == done.new_nodes[0]
        assert 1 <= len(found.passages) <= 2
        assert all(one.text for one in found.passages)
        turns.intercept(f"Checked. {VERDICT}")
        assert "willow maker: Google" in (turns.enhance_prompt() or "")


def test_images_are_read_by_the_outside_agent(run_dir: Path, tmp_path: Path) -> None:
    parts = parts_with(None, tmp_path)
    with Turns.start(run_dir, GOAL, images=[("note.png", picture("willow"))], parts=parts) as turns:
        prompt = turns.enhance_prompt()
        assert prompt is not None
        assert "i1" in prompt
        turns.intercept('<answer><image id="i1">willow qubits: 105</image></answer>')
        assert [node.summary for node in turns.session.bank.graph.nodes.values()] == ["willow qubits: 105"]
        assert turns.session.bank.tree.staged == {}
        assert turns.enhance_prompt()


def test_a_paused_session_loses_no_turn(run_dir: Path, tmp_path: Path) -> None:
    with start(run_dir, tmp_path) as turns:
        turns.enhance_prompt()
        turns.session.pause()
        with pytest.raises(InputError, match="paused"):
            turns.intercept(f"Checked. {VERDICT}")
        turns.session.unpause()
        turns.intercept(f"Checked. {VERDICT}")
        assert not turns.session.bank.conflicts.open()


def test_a_verdict_stated_meanwhile_makes_the_prompt_anew(run_dir: Path, tmp_path: Path) -> None:
    with start(run_dir, tmp_path) as turns:
        assert is_validation(turns.enhance_prompt() or "")
        assert turns.bank.resolve("c1", "resolved", winner="left", value="105", reasoning="known").merged_into
        with pytest.raises(InputError, match="enhance_prompt first"):
            turns.intercept("too late")
        assert not is_validation(turns.enhance_prompt() or "<verdict>")
