"""The final specification's entry: a text in, the layers out, a file that another run begins with."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from memorybank import MemoryBank, Session, Settings, offline_parts
from memorybank.embedding.hashed import HashedNgrams
from memorybank.errors import InputError, JournalError
from memorybank.runs.export import to_json

SETTINGS = Settings(embedding_model="hashed-ngrams")
CONTEXT = "The Harnby lighthouse is 34 metres tall. It was built in 1861 by the harbour board."


@pytest.fixture
def bank(tmp_path: Path) -> MemoryBank:
    return MemoryBank(SETTINGS, folder=str(tmp_path / "run"))


def test_a_text_goes_in_and_the_layers_come_out_and_a_second_one_asks_on(bank: MemoryBank, tmp_path: Path) -> None:
    result = bank.run(f"Context: {CONTEXT}\n\nQuestion: How tall is the Harnby lighthouse?")
    assert result["insight_doc"]["task_goal"] == "How tall is the Harnby lighthouse?"
    assert result["insight_doc"]["completed_tasks"]
    assert not result["insight_doc"]["pending_tasks"]
    assert "34 metres" in result["answer"]
    assert any("34 metres" in node["summary"] for node in result["query_graph"]["nodes"])
    assert any(CONTEXT in entry["text"] for entry in result["interaction_tree"]["entries"])
    again = bank.run("Context: The Harnby lighthouse was painted red in 1920.\n\nQuestion: When was it painted red?")
    assert "1920" in again["answer"]
    assert len(again["query_graph"]["nodes"]) > len(result["query_graph"]["nodes"])
    bank.export_memory(tmp_path / "memory.json")
    exported = json.loads((tmp_path / "memory.json").read_text("utf-8"))
    assert exported == {name: again[name] for name in exported}
    parts = offline_parts(SETTINGS, "en", HashedNgrams())
    with Session.start(tmp_path / "next", parts, goal="Go on", memory=json.dumps(exported)) as session:
        assert to_json(session.bank)["query_graph"] == exported["query_graph"]


def test_what_cannot_be_asked_leaves_nothing(bank: MemoryBank) -> None:
    with pytest.raises(InputError):
        bank.run("Context: The lighthouse is 34 metres tall.\n\nQuestion: ")
    assert not bank.folder.exists()
    with pytest.raises(JournalError):
        bank.export_memory(bank.folder.with_suffix(".json"))


def test_without_a_folder_each_has_one_of_its_own_where_the_app_keeps_its_runs(tmp_path: Path) -> None:
    settings = Settings(embedding_model="hashed-ngrams", storage_dir=tmp_path)
    first, second = MemoryBank(settings).folder, MemoryBank(settings).folder
    assert first.parent == second.parent == tmp_path
    assert first != second
