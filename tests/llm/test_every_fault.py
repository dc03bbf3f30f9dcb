"""Each fault of an endpoint at each place where the session asks a model: said in an event, survived, replayable.

The table is printed with `-s`: for each fault, what became of the session when the fault hit one place every time.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from memorybank.errors import MemoryBankError
from memorybank.export import fingerprint
from memorybank.llm.scripted import FAULTS, Faulty, Predicate, ScriptedServer, SeenRequest
from memorybank.run_folder import load, state_at
from memorybank.session import Session
from memorybank.stages.recording import Source
from tests.llm.asking import KEY
from tests.llm.sessions import TASKS, agent_calls, parts, picture, recorded

SITES = ("classification", "structure", "analysis", "integration", "planning", "react", "visit")
"""Roles of `AgentCalled`; `visit` asks a model for what matters in a page."""

LONG = (
    "The Kessel viaduct has 24 stone arches. It was built by the Kessel line to cross the valley of the Orrin. "
    "Every spring the arches are cleaned of moss and leaves. The keeper of the line lives in a small house beside it. "
    "He rings a bell whenever a train leaves the northern station for the coast."
)
SHORT = "The Kessel viaduct has 42 stone arches. Visitors like to walk below them in spring."
SOURCES = [
    Source(name="guide.md", text=LONG, kind="document"),
    Source(name="postcard.md", text=SHORT, kind="document"),
]

SILENT = {"reasoning_content", "no_usage", "zero_usage"}
"""Ways of answering that cost nothing: the answer is there, and so nothing needs to be said."""


def at(site: str) -> Predicate:
    marks = {"visit": "extraction"}

    def matches(request: SeenRequest) -> bool:
        return request.kind == "chat" and _site_of(request) == marks.get(site, site)

    return matches


def _site_of(request: SeenRequest) -> str:
    """By the fields of the answer's schema, which a server without schemas is told in words; ReAct asks for text."""
    known = {
        "topics": "classification",
        "summary": "structure",
        "relationships": "analysis",
        "neighbor_updates": "integration",
        "next_task": "planning",
        "evidence": "extraction",
    }
    if request.schema_name:
        return request.schema_name
    if request.answer_format == "text" and '"properties"' not in request.prompt:
        return "react"
    fields = (request.schema or {}).get("properties", {})
    return next((site for field, site in reversed(known.items()) if field in fields), "react")


@pytest.mark.parametrize("name", sorted(FAULTS))
def test_a_fault_at_every_place(tmp_path: Path, name: str) -> None:
    outcomes = {site: _run(tmp_path / site, name, site) for site in SITES}
    print(f"{name:<24}", *(f"{site}: {outcome}" for site, outcome in outcomes.items()), sep="  ")
    assert any(outcome != "not met" for outcome in outcomes.values()), "a fault that never showed proves nothing"


def _run(folder: Path, name: str, site: str) -> str:
    script = Faulty(recorded("en"), FAULTS[name], at(site), times=3)
    with ScriptedServer(script, api_key=KEY) as server:
        ready = parts(server, "en", api_key=KEY, timeout=0.4, attempts=2)
        ready = replace(ready, settings=replace(ready.settings, max_rounds=4))
        outcome = ""
        with Session.start(
            folder, ready, goal=TASKS["en"], sources=SOURCES, images=[("sign.png", picture("PLATFORM NINE"))]
        ) as session:
            try:
                outcome = session.run().result
            except MemoryBankError as error:
                outcome = f"error: {error}"
            bank, calls = session.bank, agent_calls(session, site)
            said = [call for call in calls if call.outcome == "failed" or call.notes or call.attempt > 1]
    written = (folder / "journal.jsonl").read_text("utf-8")
    assert KEY not in written
    assert all(KEY.encode() not in path.read_bytes() for path in folder.rglob("*") if path.is_file())
    assert fingerprint(state_at(load(folder))) == fingerprint(bank), "the journal replays"
    for node in bank.graph.nodes.values():
        assert all(link in bank.graph.nodes for link in node.links)
        assert all(span.entry_id in bank.tree.entries for span in bank.tree.spans.get(node.id, ()))
    for conflict in bank.conflicts.all.values():
        assert all(bank.graph.successor(node_id) in bank.graph.nodes for node_id in conflict.node_ids)
    if not script.played:
        return "not met"
    plain_text = site == "react" and FAULTS[name].family == "spelling"  # no JSON is read there
    assert said or plain_text or name in SILENT, f"{name} at {site} was met {script.played} times and no event says so"
    assert outcome, "the session ended with a result or a clear error"
    assert "\n" not in outcome
    failed = sum(call.outcome == "failed" for call in calls)
    return f"{outcome} ({failed} of {len(calls)} calls failed)"
