"""The plain adapter: a prompt before a turn, the answer after; any loop, and one with the `openai` package."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from memorybank.errors import InputError
from memorybank.integrations.turns import Turns
from memorybank.memory.events import ToolUsed
from memorybank.memory.types import TaskStatus
from memorybank.runs.run_folder import load
from tests.integrations.world import DECIDES, GOAL, VERDICT, check_settled, is_validation, parts_with, sources
from tests.picturing import picture


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
