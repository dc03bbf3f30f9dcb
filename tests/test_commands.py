"""The command line as a user meets it: real files, exit codes, one line for bad input; once in a process of its own."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.command_line import memorybank, refused, typed

MODEL = ("--embedding-model", "hashed-ngrams")

WILLOW = """Willow has 105 qubits. The chip was made in a clean room in Santa Barbara.
Its floor stands on springs. The air is changed every minute. Nobody may bring paper.

Google announced Willow in December 2024."""
WRONG = """Willow has 98 qubits. So says a leaflet that lay in the tram on Monday."""
THIRD = """Reports from three trade fairs agree on the chip by Google. Willow has 105 qubits."""


def as_json(done: subprocess.CompletedProcess[str]) -> dict[str, Any]:
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("\n") == 1, "one JSON object on standard output, and nothing else"
    loaded: dict[str, Any] = json.loads(done.stdout)
    return loaded


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("corpus")
    for name, text in (("willow.md", WILLOW), ("wrong.txt", WRONG), ("third.md", THIRD)):
        (folder / name).write_text(text, "utf-8")
    return folder


@pytest.fixture(scope="module")
def run(corpus: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, Any]]:
    out = tmp_path_factory.mktemp("out") / "run"
    done = memorybank(
        "run", "--task", "How many qubits does Willow have?", "--corpus", corpus, "--out", out, "--json", *MODEL
    )
    return out, as_json(done)


def test_run_writes_its_folder_and_settles_the_conflict(run: tuple[Path, dict[str, Any]]) -> None:
    out, summary = run
    assert summary["result"] == "complete"
    assert summary["engine"] == "offline"
    assert [conflict["status"] for conflict in summary["conflicts"]] == ["resolved"] * len(summary["conflicts"])
    assert summary["conflicts"]
    assert "105" in summary["answer"]
    assert {path.name for path in out.iterdir()} >= {"journal.jsonl", "blobs", "memory.json", "answer.md"}
    memory = json.loads((out / "memory.json").read_text("utf-8"))
    assert "105 qubits" in json.dumps(memory["query_graph"])
    losing = [node for node in memory["query_graph"]["nodes"] if "98 qubits" in node["summary"]]
    assert losing, "no word of a memory is lost"
    for node in losing:
        marks = [mark for check in node["checks"] for mark in check["refuted"]]
        assert any("98 qubits" in node["summary"][mark["start"] : mark["end"]] for mark in marks), "but it is marked"


def test_replay_gives_the_memory_at_any_event(run: tuple[Path, dict[str, Any]]) -> None:
    out, _ = run
    memory = json.loads((out / "memory.json").read_text("utf-8"))
    assert as_json(memorybank("replay", out, "--json")) == memory
    assert as_json(memorybank("replay", out / "journal.jsonl", "--json")) == memory
    assert as_json(memorybank("replay", out, "--at", 0, "--json"))["query_graph"]["nodes"] == []
    assert "--at 99999" in refused("replay", out, "--at", 99999)


def test_what_is_not_drawn_parts_no_words(tmp_path: Path) -> None:
    """A page's soft hyphens and spaces without width are in no memory and hide no word; the raw text has them."""
    sentence = "The Lud\u00adwen quay was re\u00adbuilt by Bran\u200bnoc Works in 1977, after a storm had broken it."
    page = f"<article><h1>Quay</h1><p>{sentence} The works took two years and forty people.</p></article>"
    others = {f"{name}.md": f"# {name}\n\nThe {name} dam is old." for name in ("Parrick", "Thorle", "Wex")}
    for name, text in {"quay.html": page.replace("\u00ad", "&shy;").replace("\u200b", "&#8203;"), **others}.items():
        (tmp_path / name).write_text(text, "utf-8")
    out = tmp_path / "run"
    as_json(
        memorybank("ingest", tmp_path / "quay.html", *map(tmp_path.joinpath, others), "--out", out, *MODEL, "--json")
    )
    for query in ("Ludwen", "rebuilt", "Brannoc", "Bran\u00adnoc"):
        (best, *_) = as_json(memorybank("retrieve", out, query, "-k", 1, "--json"))["hits"]
        assert best["keyword"] == 1
    memory = json.loads((out / "memory.json").read_text("utf-8"))
    (node,) = (node for node in memory["query_graph"]["nodes"] if "Ludwen" in node["summary"])
    assert not {"\u00ad", "\u200b"} & {*node["summary"], *node["context"], *"".join(node["keywords"])}
    assert any(sentence in entry["text"] for entry in memory["interaction_tree"]["entries"])


def test_retrieve_says_why(run: tuple[Path, dict[str, Any]]) -> None:
    out, _ = run
    found = as_json(memorybank("retrieve", out, "how many qubits has Willow", "-k", 2, "--alpha", 0.5, "--json"))
    assert [hit["rank"] for hit in found["hits"]] == list(range(1, len(found["hits"]) + 1))
    for hit in found["hits"]:
        assert hit["final"] == pytest.approx(0.5 * hit["keyword"] + 0.5 * hit["vector"], abs=1e-5)
    assert "k" in refused("retrieve", out, "x", "-k", "-1")
    raw = as_json(memorybank("retrieve", out, "how many qubits has Willow", "--raw", 3, "--json"))["passages"]
    memory = json.loads((out / "memory.json").read_text("utf-8"))
    texts = {entry["entry_id"]: entry["text"] for entry in memory["interaction_tree"]["entries"]}
    assert len(raw) == 3
    assert "qubits" in raw[0]["text"]
    for one in raw:
        assert texts[one["entry_id"]][one["start"] : one["end"]].strip() == one["text"]
    assert "--raw" in refused("retrieve", out, "x", "--raw", "-1")
    named = as_json(memorybank("retrieve", out, "how many qubits has Willow", "--documents", 2, "--json"))["documents"]
    assert len({one["entry_id"] for one in named}) == 2
    assert any("qubits" in texts[one["entry_id"]] for one in named)
    assert "--documents" in refused("retrieve", out, "x", "--documents", "-1")
    assert "alpha" in refused("retrieve", out, "x", "--alpha", "7")


def test_ask_undo_resume_and_clear(run: tuple[Path, dict[str, Any]], corpus: Path, tmp_path: Path) -> None:
    out, _ = run
    second = as_json(memorybank("ask", out, "When was Willow announced?", "--json"))
    assert second["result"].startswith("complete")
    assert "2024" in second["answer"]
    assert as_json(memorybank("resume", out, "--json"))["result"] == second["result"]
    merge = json.loads((out / "memory.json").read_text("utf-8"))["interaction_tree"]["merge_events"][-1]
    with_a_model(out / "journal.jsonl")
    undone = as_json(memorybank("undo-merge", out, merge["event_id"], "--json"))
    assert (undone["merge"], undone["gone"]) == (merge["event_id"], merge["new_node_id"])
    assert undone["restored"] == merge["merged_node_ids"]
    assert "undone already" in refused("undo-merge", out, merge["event_id"])
    assert "already holds a run" in refused("run", "--task", "x", "--out", out, *MODEL)
    copy = as_json(memorybank("import", out / "memory.json", "--out", tmp_path / "copy", "--json", *MODEL))
    assert copy["nodes"] == len(json.loads((out / "memory.json").read_text("utf-8"))["query_graph"]["nodes"])
    idle = memorybank("resume", tmp_path / "copy")
    assert idle.returncode == 0
    assert "nothing to do" in idle.stderr
    assert "without an answer" not in idle.stderr
    journal = tmp_path / "copy" / "journal.jsonl"
    (tmp_path / "begun").mkdir()
    (tmp_path / "begun" / "journal.jsonl").write_bytes(journal.read_bytes().partition(b"\n")[0] + b"\n")
    for command in (["resume"], ["replay"], ["run", "--task", "x", *MODEL, "--out"]):
        assert "clear it and start again" in refused(*command, tmp_path / "begun"), "one way out, not a circle"
    (tmp_path / "copy" / "mine.txt").write_text("not the run's")
    assert memorybank("clear", tmp_path / "copy").returncode == 0
    assert [path.name for path in (tmp_path / "copy").iterdir()] == ["mine.txt"]
    assert "no run" in refused("clear", tmp_path / "copy")


def with_a_model(journal: Path) -> None:
    """As if a language model had made the run; taking a merge back asks none, so no key is needed."""
    lines = journal.read_text("utf-8").splitlines(keepends=True)
    assert '"engine": "offline"' in lines[1]
    lines[1] = lines[1].replace('"engine": "offline"', '"engine": "llm"')
    journal.write_text("".join(lines), "utf-8")


def test_a_process_of_its_own(tmp_path: Path) -> None:
    """`python -m memorybank`, from a folder that is not the project's."""
    (tmp_path / "note.md").write_text(WILLOW, "utf-8")
    assert memorybank("--version").stdout.startswith("memorybank ")
    assert as_json(typed("ingest", "note.md", "--out", "run", "--json", *MODEL, cwd=tmp_path))["result"] == "filed"
    again = typed("ingest", "note.md", "--out", "run", *MODEL, cwd=tmp_path)
    assert (again.returncode, again.stderr.count("\n"), "already holds a run" in again.stderr) == (2, 1, True)
