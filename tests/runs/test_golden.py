"""A journal of every schema stays readable: the one in tests/data was written when the schema was new.

`python -m tests.runs.test_golden` writes the journal of the current schema, once, when a new schema is made.
"""

from __future__ import annotations

import json
import sys
import tempfile
from pathlib import Path

import pytest

from memorybank.runs.export import fingerprint, to_json
from memorybank.runs.run_folder import SESSION, load, state_at

DATA = Path(__file__).parents[1] / "data"
SCHEMAS = range(1, SESSION.schema + 1)


@pytest.mark.parametrize("schema", SCHEMAS)
def test_a_journal_of_this_schema_gives_the_memory_it_gave_then(schema: int) -> None:
    records = load(DATA / f"journal-{schema}.jsonl")
    told = json.loads((DATA / f"journal-{schema}.json").read_text("utf-8"))
    state = state_at(records)
    assert fingerprint(state) == told["fingerprint"]
    assert {type(record.event).__name__ for record in records} >= set(told["events"])
    assert len(to_json(state)["query_graph"]["nodes"]) == told["nodes"]


def test_an_entry_of_an_old_journal_knows_where_its_body_starts() -> None:
    entry = {"text": "[attachment a1: a.pdf]\nIts text.", "attachments": ["a1"]}
    plain = {"text": "Two\nlines.", "attachments": []}
    raise_to_3 = SESSION.upcasts[2]
    assert raise_to_3({"type": "EntryRecorded", "entry": dict(entry)})["entry"]["body_start"] == 23
    assert "body_start" not in raise_to_3({"type": "EntryRecorded", "entry": dict(plain)})["entry"]
    imported = raise_to_3({"type": "MemoryImported", "entries": [dict(entry), dict(plain)]})["entries"]
    assert [one.get("body_start") for one in imported] == [23, None]
    assert raise_to_3({"type": "StageFinished"}) == {"type": "StageFinished"}
    assert raise_to_3({"type": "EntryRecorded", "entry": 7}) == {"type": "EntryRecorded", "entry": 7}


def test_a_line_that_a_check_wrote_into_a_summary_is_a_check_and_what_it_took_out_is_marked() -> None:
    raise_to_4 = SESSION.upcasts[3]
    before = "The viaduct has 42 arches. It is long.\nIt is old."
    line = "Checked (c1, c2): It has 24 arches. [a.md, b.md]"
    described = {"type": "NodeDescribed", "node_id": "n1", "conflict_ids": ["c1", "c2"], "summary_before": before}
    checked = raise_to_4({**described, "summary": f"{line} What …\nIt is long.\nIt is old."})
    assert [(check["conflict_id"], check["holds"]) for check in checked["checks"]] == [
        ("c1", "It has 24 arches."),
        ("c2", "It has 24 arches."),
    ]
    (mark,) = checked["checks"][0]["refuted"]
    assert before[mark["start"] : mark["end"]] == "The viaduct has 42 arches."
    again = raise_to_4({**described, "summary_before": f"It is long.\n{line}", "summary": line})
    assert [check["refuted"] for check in again["checks"]] == [[], []]
    merged = raise_to_4({"type": "NodesMerged", "summary": "坝高46米。\n已核实（c3）：坝高46米。 [甲.md]"})
    assert merged["summary"] == "坝高46米。"
    plain = {"type": "NodeDescribed", "node_id": "n1", "summary": "", "conflict_ids": []}
    assert raise_to_4(dict(plain)) == {"type": "NodeDescribed", "node_id": "n1"}
    round_ = raise_to_4(
        {"type": "TaskExecuted", "answer": 'So.\n<verdict>{"conflict": "c1", "status": "false_alarm"}</verdict>'}
    )
    assert round_["answer"] == "So."
    assert [(verdict["conflict"], verdict["status"]) for verdict in round_["verdicts"]] == [("c1", "false_alarm")]


def write() -> None:
    from tests.scripted import source, start

    with tempfile.TemporaryDirectory() as folder:
        run = Path(folder) / "run"
        texts = ("willow qubits: 105\n\nsycamore qubits: 53\n", "willow qubits: 98\n", "willow maker: Google\n")
        world = {"willow qubits": "105"}
        with start(run, *texts, goal="How many qubits has Willow?", world=world) as session:
            session.run()
            session.add(source("willow maker: Google\nwillow year: 2024\n", "later.txt"))
            session.run()
            session.undo_merge("m1")
            session.restore_merge("m1")
            session.tell_apart("c1", "two chips")
            session.take_back("c1")
            session.undo_merge("m1")
            told = {
                "fingerprint": fingerprint(session.bank),
                "nodes": len(session.bank.graph.nodes),
                "events": sorted({type(record.event).__name__ for record in session.records}),
            }
        (DATA / f"journal-{SESSION.schema}.jsonl").write_bytes((run / "journal.jsonl").read_bytes())
    (DATA / f"journal-{SESSION.schema}.json").write_text(json.dumps(told, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    target = DATA / f"journal-{SESSION.schema}.jsonl"
    sys.exit(f"{target.name} is there already; a golden journal is never written again") if target.exists() else write()
