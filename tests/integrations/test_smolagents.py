"""smolagents, the real package, against a scripted endpoint."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from memorybank.integrations.smolagents import as_smolagents, inputs_of
from memorybank.integrations.turns import Turns
from memorybank.session.session import Session
from memorybank_lab.scripted import ScriptedServer, tool_reply
from tests.integrations.test_frameworks import smolagents
from tests.integrations.world import GOAL, parts_with, sources


def test_a_pause_is_seen_after_the_step(run_dir: Path, tmp_path: Path) -> None:
    def script(request: Any) -> Any:
        session.pause()
        return tool_reply(("search", {"query": "willow"}))

    with ScriptedServer(script) as server:
        session = Session.start(run_dir, parts_with(smolagents(server), tmp_path), goal=GOAL, sources=sources()[:1])
        with session:
            session.run()
            assert session.next_stage == "execute"
            assert len(server.chats) == 1


def test_schemas_are_told_in_smolagents_form(run_dir: Path, tmp_path: Path) -> None:
    schema = {
        "properties": {
            "query": {"anyOf": [{"type": "array", "items": {"type": "string"}}, {"type": "string"}]},
            "names": {"type": "array", "items": {"type": "string"}, "description": "which"},
            "id": {"anyOf": [{"type": "string"}, {"type": "null"}], "default": None},
        },
        "required": ["query", "names"],
    }
    assert inputs_of(schema) == {
        "query": {"type": "any", "description": "query"},
        "names": {"type": "array", "description": "which", "items": {"type": "string"}},
        "id": {"type": "string", "description": "id", "nullable": True},
    }
    with Turns.start(run_dir, GOAL, sources=sources(), parts=parts_with(None, tmp_path)) as turns:
        turns.enhance_prompt()
        search, deep, *_ = as_smolagents(turns.bank.tools())
        assert "willow qubits: 105" in search(query="willow", k=None)
        assert "right.txt" in deep(node_id="n1")
