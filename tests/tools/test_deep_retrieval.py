"""From a memory back to its raw text, merged-away ids and budgets included."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from memorybank.errors import InputError, ToolError
from memorybank.session.session import Session
from memorybank.tools.base import Tool
from memorybank.tools.deep_retrieval import deep_retrieval_tool, view
from tests.scripted import LetterEmbedder, start


@pytest.fixture
def session(run_dir: Path) -> Session:
    with start(
        run_dir,
        "willow qubits: 105\n\nother topic: 1\n",
        "willow qubits: 98\n",
        goal="How many?",
        world={"willow qubits": "105"},
    ) as session:
        session.run()
        return session


def tool(session: Session, budget: int = 4_000) -> Tool:
    count = LetterEmbedder().count_tokens
    return deep_retrieval_tool(
        lambda: session.bank, session.folder.files.read, token_budget=budget, count_tokens=count, lang="en"
    )


def test_a_node_gives_its_pieces_and_on_request_the_whole_entry(session: Session) -> None:
    pieces = view(session.bank, "n2")
    assert [one.text.strip() for one in pieces.entries] == ["other topic: 1"]
    assert [one.text for one in view(session.bank, "n2", full=True).entries] == [session.bank.tree.entries["e1"].text]


def test_a_merged_away_id_answers_with_its_successor_and_says_so(session: Session) -> None:
    found = view(session.bank, "n1")
    assert (found.asked, found.node_id) == ("n1", "n4")
    result = tool(session).run({"node_id": "n1"})
    assert result.text.startswith("n1 was merged into n4")
    assert result.materials == (), "recalled text is never filed a second time"
    answer = json.loads(result.text.partition("\n")[2])
    assert {"note1.txt", "note2.txt"} < {entry["source"] for entry in answer["entries"]}
    assert {"entry_id", "text", "metadata", "attachments"} <= set(answer["entries"][0])
    assert "timestamp" not in answer["entries"][0], "what an executor is shown is the same at any hour"


def test_the_answer_is_cut_to_the_budget_and_goes_on_where_it_stopped(session: Session) -> None:
    whole = tool(session, budget=100_000).run({"node_id": "n4"}).text
    read, offset = "", 0
    for _ in range(200):
        part = tool(session, budget=40).run({"node_id": "n4", "offset": offset}).text
        shown, mark, rest = part.rpartition("\n… ")
        if not mark:
            read += part
            break
        read += shown
        offset = int(rest.rpartition("offset=")[2])
    assert read == whole


def test_unknown_nodes_and_attachments_are_named(session: Session) -> None:
    with pytest.raises(InputError, match="no node 'n77'"):
        view(session.bank, "n77")
    with pytest.raises(ToolError, match="no node"):
        tool(session).run({"node_id": "../../etc"})
    with pytest.raises(ToolError, match="no attachment 'a9'"):
        tool(session).run({"node_id": "n4", "attachment_id": "a9"})
    with pytest.raises(ToolError, match="node_id"):
        tool(session).run({"nod": "n4"})
