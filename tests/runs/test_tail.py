"""A run read by others: followed while it is written, and as memory.json, out and in again."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from memorybank.memory.events import NodeCreated
from memorybank.memory.types import ConflictStatus, TaskType
from memorybank.runs.export import to_json
from memorybank.runs.run_folder import RunFolder, load, state_at
from memorybank.runs.tail import Tail
from memorybank.session.assembly import Parts, assemble
from memorybank.session.intake import text_source
from memorybank.session.session import Session
from memorybank.settings.config import Settings
from tests.scripted import finished, source, start
from tests.tables import tables


def test_a_look_reads_only_what_is_new(run_dir: Path) -> None:
    with start(run_dir, "willow qubits: 105") as session:
        tail = Tail(run_dir / "journal.jsonl")
        assert tail.poll() == session.records
        session.run()
        seen = list(tail.records)
        new = tail.poll()
        assert [*seen, *new] == tail.records == session.records
        assert any(isinstance(record.event, NodeCreated) for record in new)


def test_a_torn_line_waits_until_it_is_whole(run_dir: Path) -> None:
    finished(run_dir, "willow qubits: 105")
    whole = RunFolder(run_dir).journal.read_bytes()
    cut = whole.rfind(b"\n", 0, -1) + 20
    RunFolder(run_dir).journal.write_bytes(whole[:cut])
    tail = Tail(run_dir)
    before = len(tail.poll())
    with RunFolder(run_dir).journal.open("ab") as file:
        file.write(whole[cut:])
    assert [record.seq for record in tail.poll()] == [before + 1]


def test_lines_of_a_write_that_was_taken_back_are_forgotten(run_dir: Path) -> None:
    tail = Tail(run_dir)
    with start(run_dir, "willow qubits: 105") as session:
        session.run()
        path = RunFolder(run_dir).journal
        good = path.stat().st_size
        seen = len(tail.poll())
        session.add(source("beta masts: 5", "b.txt"))
        tail.poll()
        os.truncate(path, good)  # as after a write of which only a part came through
        kept = tail.records
        assert tail.poll() == tail.records
        assert len(tail.records) == seen
        assert kept is not tail.records, "what a page holds is not changed under it"
        line = path.read_bytes().splitlines(keepends=True)[-1]
        longer = line.replace(f'"seq": {seen}'.encode(), f'"seq": {seen + 1}'.encode())
        with path.open("ab") as file:
            file.write(longer)
        assert [record.seq for record in tail.poll()] == [seen + 1]
        os.truncate(path, good)
        with path.open("ab") as file:  # another line, longer than what was seen: it does not begin where that ended
            file.write(longer.replace(b'"ms": ', b'"ms": 1234'))
        assert tail.poll() == tail.records
        assert len(tail.records) == seen + 1


# -- memory.json in and out: nothing that it holds is lost, and what was open can still be settled ---------------------

PROMISED = {
    "insight_doc": {"doc_id", "task_goal", "completed_tasks", "pending_tasks"},
    "query_graph": {"nodes", "edges"},
    "interaction_tree": {"entries", "node_to_entries", "merge_events"},
}
TOWER = "The Eiffel Tower is {} m tall."
TOWER_ZH = "埃菲尔铁塔高{}米。"


def offline(folder: Path) -> Parts:
    """Offline parts with a corpus that decides."""
    corpus = folder / "corpus"
    corpus.mkdir(exist_ok=True)
    (corpus / "guide.md").write_text(
        "In 1889 it was new. The height of the Eiffel Tower is 330 m, says this guide.", "utf-8"
    )
    (corpus / "指南.md").write_text("旅行指南。埃菲尔铁塔高330米。", "utf-8")
    return assemble(Settings(embedding_model="hashed-ngrams", corpus=corpus), [TOWER])


@pytest.mark.parametrize("text", [TOWER, TOWER_ZH])
def test_an_open_conflict_of_an_export_is_weighed_by_its_nodes(tmp_path: Path, text: str) -> None:
    # Two nodes, joined by an edge only, in an open conflict that says nothing of its claims; a check is pending.
    memory = json.dumps(tables(__file__)["written_by_hand"])
    memory = memory.replace("LEFT", text.format(300)).replace("RIGHT", text.format(330))
    with Session.start(tmp_path / "run", offline(tmp_path), memory=memory) as session:
        taken = to_json(session.bank)
        assert taken["query_graph"]["edges"] == [["n1", "n2"]]
        assert [node["links"] for node in taken["query_graph"]["nodes"]] == [["n2"], ["n1"]]
        assert taken["insight_doc"]["pending_tasks"] == json.loads(memory)["insight_doc"]["pending_tasks"]
        (conflict,) = session.bank.conflicts.open()
        assert {conflict.contradictions[0].left.value[:3], conflict.contradictions[0].right.value[:3]} == {"300", "330"}
        assert session.next_stage == "plan", "a pending task is gone on with"
        session.run()
        (conflict,) = session.bank.conflicts.all.values()
        assert (conflict.status, conflict.winner) == (ConflictStatus.RESOLVED, "right")
        assert session.bank.doc.completed_tasks[0].type is TaskType.CROSS_VALIDATE
        assert session.result.result.startswith("complete")
    assert to_json(state_at(load(tmp_path / "run")))["conflicts"][0]["status"] == "resolved"


def test_a_memory_exported_in_the_middle_of_a_task_comes_back_whole(tmp_path: Path) -> None:
    texts = [TOWER.format(300), TOWER.format(330)]
    with Session.start(tmp_path / "run", offline(tmp_path), goal="How tall is the Eiffel Tower?") as session:
        session.add(*(text_source(text, f"{place}.txt") for place, text in enumerate(texts)))
        session.run_until(lambda report: report.stage == "plan")
        exported = to_json(session.bank)
    for part, fields in PROMISED.items():
        assert fields <= exported[part].keys()
    (conflict,) = exported["conflicts"]
    assert {"id", "status", "node_ids", "description", "evidence"} <= conflict.keys()
    assert conflict["contradictions"], "the claims travel with an open conflict"
    assert len(exported["insight_doc"]["pending_tasks"]) == 1
    with Session.start(tmp_path / "copy", offline(tmp_path), memory=json.dumps(exported)) as copy:
        assert to_json(copy.bank) == exported
        copy.run()
        assert copy.bank.conflicts.all[conflict["id"]].status is ConflictStatus.RESOLVED
        assert "330" in copy.result.answer


def test_the_answer_on_disk_is_that_of_the_last_question(run_dir: Path) -> None:
    answer = run_dir / "answer.md"
    with start(run_dir, "willow qubits: 105\n", goal="How many?") as session:
        session.run()
        assert answer.read_text("utf-8").strip() == session.result.answer
        session.ask("Who made it?")
        session.export()
        assert not answer.exists(), "the new question has no answer yet"
        session.run()
        assert answer.read_text("utf-8").strip() == session.result.answer
