"""How texts become nodes, and what is said of those that were not read."""

from __future__ import annotations

from pathlib import Path

import memorybank
from memorybank.runs.run_folder import RunFolder
from memorybank.session.intake import file_source, text_source
from memorybank.session.session import Session
from memorybank.session.unread import not_read
from tests.scripted import parts

CODE = "cars = 12\n\n\ndef sail() -> int:\n    return cars\n\n\nclass Mill:\n    rooms = 3\n"


def test_a_code_file_stays_one_node(run_dir: Path, tmp_path: Path) -> None:
    folder = RunFolder(run_dir)
    for name in ("ferry.py", "notes.md", "table.csv"):
        (tmp_path / name).write_text(CODE if name == "ferry.py" else f"# {name}\n\nharbour: old\n\nmill: {name}\n")
    with folder.beginning():
        sources = [file_source(tmp_path / name, folder) for name in ("ferry.py", "notes.md", "table.csv")]
        with Session.start(run_dir, parts(), sources=sources) as session:
            session.run()
            tree = session.bank.tree
            (code,) = (entry for entry in tree.entries.values() if entry.source == "ferry.py")
            spans = [(node, span) for node, spans in tree.spans.items() for span in spans if span.entry_id == code.id]
            assert [(span.start, span.end) for _, span in spans] == [(code.body_start, len(code.text))]
            assert session.bank.graph.nodes[spans[0][0]].summary.startswith("cars = 12")
            assert len(session.bank.graph.nodes) > 3, "the others are cut at their topics"
    assert memorybank.load(str(run_dir)) == memorybank.load(run_dir)


def test_what_was_not_read_of_a_text_is_said_with_the_reason(run_dir: Path) -> None:
    texts = {
        "whole": "The mill was built in 1871.",
        "german": "Die Fähre fährt jeden Tag um neun Uhr ab und kostet drei Euro.",
        "rows": "Towns of the sound and their people.\n\n| Harnby | 12 |\n| Colmere | 14 |\n",
        "long": "The mill " + "and the mill " * 60 + "was built in 1871.",
        "damaged": "The m\ufffdll was built in 1871.",
    }
    with Session.start(run_dir, parts(), sources=[text_source(text, name) for name, text in texts.items()]) as session:
        said = [str(notice) for notice in not_read(session.bank, "offline")]
        assert [line.partition(":")[0].split()[0] for line in said] == ["german", "rows", "long", "damaged"]
        assert ["neither English nor Chinese" in said[0], "lines of tables" in said[1], "600" in said[2]] == [True] * 3
        assert [str(notice) for notice in not_read(session.bank, "llm")] == said[3:]
