"""A run's folder: what it takes, what it gives back, and that it never touches what is not its own."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from memorybank.__main__ import main
from memorybank.errors import InputError, JournalError
from memorybank.hosting.registry import CORPUS, Runs, remove_run
from memorybank.hosting.storage import discard, empty
from memorybank.runs.export import to_json
from memorybank.runs.run_folder import JOURNAL, OWNED, RunFolder
from memorybank.session.session import Session
from memorybank.settings.config import Settings
from tests.command_line import refused
from tests.picturing import picture
from tests.scripted import parts, source, start
from tests.test_bad_input import MODEL, files_below

NOTE = "The Tamar Bridge was opened in 1961."


@pytest.mark.parametrize("name", OWNED)
def test_a_folder_with_a_name_of_a_run_is_refused_and_left_alone(tmp_path: Path, name: str) -> None:
    out, note = tmp_path / "project", tmp_path / "note.txt"
    out.mkdir()
    note.write_text(NOTE)
    (out / name).write_text("mine")
    before = files_below(tmp_path)
    for command in (["run", "--task", "When?", "--context", note], ["ingest", note]):
        line = refused(*command, "--out", out, *MODEL)
        assert "project already holds" in line
        assert name in line or "a run" in line
    with pytest.raises(JournalError if name == "journal.jsonl" else InputError, match="already holds") as error:
        RunFolder(out).check_vacant()
    assert "\n" not in str(error.value)
    assert files_below(tmp_path) == before
    assert (out / name).read_text() == "mine"


@pytest.mark.parametrize("command", ["run", "ingest", "import", "start"])
def test_a_run_that_cannot_begin_deletes_nothing_of_anyone(tmp_path: Path, command: str) -> None:
    out, bad = tmp_path / "project", tmp_path / "bad.json"
    # A person's own things, under the names that a run uses.
    for name in ("blobs", "files", "temp"):
        (out / name).mkdir(parents=True)
        (out / name / "mine").write_text(f"my {name}")
    for name in ("memory.json", "answer.md", "notes.txt"):
        (out / name).write_text(f"my {name}")
    bad.write_text("{not json")
    before = files_below(tmp_path)
    if command == "run":
        refused("run", "--task", "What?", "--context", tmp_path / "typo.md", "--out", out, *MODEL)
    elif command == "ingest":
        refused("ingest", tmp_path / "typo.md", "--out", out, *MODEL)
    elif command == "import":
        refused("import", bad, "--out", out, *MODEL)
    else:
        with pytest.raises(InputError, match=r"blobs, temp|memory\.json, answer\.md, blobs, temp"):
            Session.start(out, parts(), goal="What?")
    assert files_below(tmp_path) == before


def test_a_failing_import_keeps_the_attachments_it_was_given(tmp_path: Path) -> None:
    out, bad = tmp_path / "copy", tmp_path / "bad.json"
    (out / "files").mkdir(parents=True)
    (out / "files" / f"{'a' * 64}.pdf").write_bytes(b"%PDF-")
    (out / "files" / "mine.txt").write_text("mine")
    (out / "other").mkdir()
    bad.write_text('{"version": 1}')
    before = files_below(tmp_path)
    assert "memory.json" in refused("import", bad, "--out", out, *MODEL)
    assert files_below(tmp_path) == before
    assert sorted(path.name for path in out.iterdir()) == ["files", "other"]
    empty = tmp_path / "empty"
    empty.mkdir()
    refused("import", bad, "--out", empty, *MODEL)
    assert empty.is_dir(), "a folder that was there before stays"
    refused("import", bad, "--out", tmp_path / "new", *MODEL)
    assert not (tmp_path / "new").exists()


def test_clear_takes_away_what_the_run_wrote_and_no_more(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run = tmp_path / "run"
    with start(run, "willow qubits: 105\n", goal="How many?") as session:
        session.run()
        exported = json.dumps(to_json(session.bank))
    for folder in ("files", "blobs"):
        (run / folder).mkdir(exist_ok=True)
        (run / folder / "mine.txt").write_text("mine")
    (run / "notes.txt").write_text("mine")
    assert main(["clear", str(run), "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {"cleared": str(run)}
    assert sorted(files_below(run)) == ["blobs/mine.txt", "files/mine.txt", "notes.txt"]

    copy, elsewhere = tmp_path / "copy", tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / ("b" * 64 + ".png")).write_bytes(b"not the run's")
    with Session.start(copy, parts(), memory=exported) as session:
        session.export()
    (copy / "files").symlink_to(elsewhere)
    RunFolder(copy).remove()
    assert [path.name for path in copy.iterdir()] == ["files"]
    assert len(list(elsewhere.iterdir())) == 1


def test_images_that_wait_elsewhere_go_with_the_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run, temp = tmp_path / "run", tmp_path / "temp"
    monkeypatch.setenv("TEMP_DIR", str(temp))
    begun = parts(settings=Settings(engine="scripted", temp_dir=temp))
    with pytest.raises(InputError, match=r"b\.png"):
        Session.start(run, begun, goal="Read", images=[("a.png", picture("A")), ("b.png", b"no image")])
    assert not run.exists()
    assert not files_below(temp)
    with Session.start(run, begun, goal="Read", images=[("a.png", picture("A"))]) as session:
        assert len(session.bank.tree.staged) == 1
        assert len(files_below(temp)) == 1
    assert main(["clear", str(run)]) == 0
    assert not run.exists()
    assert list(temp.iterdir()) == []


def test_a_lost_race_for_a_folder_leaves_the_winner_alone(run_dir: Path) -> None:
    with start(run_dir, "willow qubits: 105\n") as session:
        before = files_below(run_dir)
        with pytest.raises(JournalError, match="already holds a run"):
            Session.start(run_dir, parts(), sources=[source("x: 1\n")], images=[("a.png", picture("A"))])
        with pytest.raises(JournalError), RunFolder(run_dir).beginning():
            raise JournalError("another began first")
        assert files_below(run_dir) == before
        session.run()
    assert not os.path.lexists(run_dir / "temp")


@pytest.mark.parametrize("also", ["clear", "trash"])
def test_a_removal_that_is_stopped_can_be_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, also: str) -> None:
    """As long as anything of a run is left, its journal is, and whoever deletes it again deletes the rest."""
    for stop in range(1, 100):
        runs = Runs(tmp_path / str(stop))
        folder = RunFolder(runs.root / ("a" * 32))
        with start(folder.path, NOTE) as session:
            session.run()
        (folder.path / CORPUS).mkdir()
        (folder.path / CORPUS / "mine.txt").write_text("private")
        if also == "trash":
            discard(runs, folder.path.name, owner="")

        def remove() -> None:
            empty(runs) if also == "trash" else remove_run(folder, folder.path.name)  # noqa: B023

        left = iter(range(stop))
        with monkeypatch.context() as failing:
            for name, real_call in (("unlink", os.unlink), ("rmdir", os.rmdir)):

                def fails(*given: Any, real: Any = real_call, left: Iterator[int] = left, **named: Any) -> Any:
                    if next(left, None) is None:
                        raise KeyboardInterrupt
                    return real(*given, **named)

                failing.setattr(os, name, fails)
            try:
                remove()
            except KeyboardInterrupt:
                pass
            else:
                assert stop > 5
                return
        rest = files_below(runs.root)
        assert not rest or any(name.endswith(JOURNAL) for name in map(str, rest)), rest
        remove()
        assert not any(path.is_file() for path in runs.root.rglob("*"))
