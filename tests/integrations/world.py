"""What the tests of all frameworks share: a memory with one contradiction, a corpus that decides it, and a model that
looks it up. The model is a script behind a real HTTP endpoint; it searches first and answers from what came back.
"""

from __future__ import annotations

from pathlib import Path

from memorybank.memory.events import ToolUsed
from memorybank.memory.types import ConflictStatus
from memorybank.session.assembly import Parts
from memorybank.session.executors.base import Executor
from memorybank.session.session import Session
from memorybank.session.stages.recording import Source
from memorybank.tools.corpus import Corpus
from memorybank_lab.scripted import Answer, SeenRequest, tool_reply
from tests.scripted import parts, source

GOAL = "How many qubits has Willow?"
RIGHT, WRONG = "willow qubits: 105\n", "willow qubits: 98\n"
DECIDES = "A third report was made.\n\nIt agrees: the willow qubits number 105.\n"
VERDICT = (
    '<verdict>{"conflict": "c1", "status": "resolved", "winner": "left", "value": "105", '
    '"evidence": [{"source": "third.md", "quote": "the willow qubits number 105", "supports": "left"}], '
    '"reasoning": "third.md says 105"}</verdict>'
)


def sources() -> list[Source]:
    return [source(RIGHT, "right.txt"), source(WRONG, "wrong.txt")]


def parts_with(executor: Executor | None, folder: Path) -> Parts:
    """Parts of a session whose search tool reads a corpus of one document."""
    corpus = folder / "corpus"
    corpus.mkdir(exist_ok=True)
    (corpus / "third.md").write_text(DECIDES, "utf-8")
    return parts(executor=executor, corpus=Corpus.open(corpus))


def is_validation(prompt: str) -> bool:
    """Only such a prompt asks for verdicts; a later one may list the validation among what was done."""
    return "<verdict>" in prompt


def answer_text(request: SeenRequest) -> str:
    if is_validation(request.text):
        return f"<answer>Checked against third.md.\n{VERDICT}</answer>"
    return "<answer>Willow has 105 qubits.</answer>"


def researcher(request: SeenRequest) -> Answer:
    """Searches once, reads what was found, answers. smolagents wants its answer as a call of `final_answer`."""
    if "third.md" not in request.text:
        return tool_reply(("search", {"query": "willow qubits report"}))
    if DECIDES.strip() not in request.text:  # a search shows its lines, but not as it stands
        return tool_reply(("visit", {"url": ["third.md"]}), first_id=2)
    if "final_answer" in request.tools:
        return tool_reply(("final_answer", {"answer": answer_text(request)}))
    return answer_text(request)


def check_settled(session: Session, executor: str) -> None:
    """The contradiction was checked by the framework's agent, and memory followed."""
    bank = session.bank
    assert session.result.result == "complete"
    assert session.result.answer == "Willow has 105 qubits."
    (conflict,) = bank.conflicts.all.values()
    assert (conflict.status, conflict.winner, conflict.closed_by) == (ConflictStatus.RESOLVED, "left", executor)
    summaries = [node.summary for node in bank.graph.nodes.values()]
    assert "willow qubits: 105" in summaries
    assert not any("98" in summary for summary in summaries)
    used = [record.event for record in session.records if isinstance(record.event, ToolUsed)]
    assert {"search", "visit"} <= {event.tool for event in used}
    assert all(event.outcome == "ok" for event in used)
    entries = list(bank.tree.entries.values())
    assert any(entry.source == "third.md" and entry.text == DECIDES for entry in entries), "what it read is recorded"
    rounds = [entry for entry in entries if entry.kind == "transcript"]
    assert len(rounds) == 2
    assert all("<tool_call>" in entry.text and "It agrees" in entry.text for entry in rounds)
