"""Bad input on the command line: exit code 2, one clear line, nothing lost, nothing half written.

In the app it is tried by tests/app/test_bad_input.py, a damaged journal by tests/runs/test_salvage.py, and traps in a
folder by tests/runs/test_traps.py.
"""

from __future__ import annotations

import errno
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from memorybank.__main__ import EXIT_CODES, main
from memorybank.commands import configuration
from memorybank.errors import InputError, JournalBrokenError, JournalError, LockedError, ModelUnavailableError
from memorybank.runs.run_folder import RunFolder
from memorybank.session.assembly import Parts, assemble
from memorybank.session.session import Session
from memorybank.session.stages.recording import Source
from memorybank.settings.config import Settings
from tests import hostile
from tests.command_line import refused
from tests.documents import pdf_files
from tests.tables import tables

TABLES = tables(__file__)

MODEL = ("--embedding-model", "hashed-ngrams")
ONE = "The Tamar Bridge was opened in 1961. It is 335 metres long and carries three lanes of traffic."
OTHER = "The Tamar Bridge was opened in 1981. It is a toll bridge and ferries run beside it."


def files_below(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.name != ".lock" and path.stat().st_size < hostile.HUGE
    }


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run with two documents, a conflict and an answer."""
    folder = tmp_path_factory.mktemp("runs") / "run"
    sources = [Source(name=f"{n}.txt", text=text, kind="document") for n, text in enumerate((ONE, OTHER))]
    with Session.start(folder, parts(), goal="When was the Tamar Bridge opened?", sources=sources) as session:
        session.run()
        session.export()
    return folder


@pytest.fixture
def run(finished: Path, tmp_path: Path) -> Path:
    """A copy of it, to do harm to."""
    return Path(shutil.copytree(finished, tmp_path / "run"))


def parts(**settings: object) -> Parts:
    return assemble(Settings(embedding_model="hashed-ngrams", **settings), [ONE])  # type: ignore[arg-type]


# -- what is handed over ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "make", "says"),
    [
        ("empty.txt", lambda path: path.write_bytes(b""), "the file is empty"),
        ("huge.txt", hostile.huge_file, "200 MB is more than the 20 MB"),
        ("huge.pdf", hostile.huge_file, "200 MB is more than the 50 MB"),
        ("bomb.pdf", lambda path: path.write_bytes(pdf_files.bomb(2_000)), "unpacks to far more than its size"),
        ("missing.txt", lambda path: None, "no such file: check the path"),
    ],
    ids=lambda value: value if isinstance(value, str) and "." in value else "",
)
@pytest.mark.parametrize("command", ["run", "ingest"])
def test_an_unreadable_context(
    tmp_path: Path, command: str, name: str, make: Callable[[Path], object], says: str
) -> None:
    make(tmp_path / name)
    before = files_below(tmp_path)
    given = ["run", "--task", "What?", "--context"] if command == "run" else ["ingest"]
    line = refused(*given, tmp_path / name, "--out", tmp_path / "out", *MODEL)
    assert name in line
    assert says in line
    assert files_below(tmp_path) == before
    assert not (tmp_path / "out").exists()


def test_one_bad_file_among_good_ones_leaves_nothing(tmp_path: Path) -> None:
    (tmp_path / "good.py").write_text("print(1)\n")  # its original would be kept
    (tmp_path / "bad.txt").write_bytes(b"")
    (tmp_path / "bad.png").write_bytes(b"no image")
    before = files_below(tmp_path)
    out, good = tmp_path / "out", tmp_path / "good.py"
    assert "bad.txt" in refused("ingest", good, tmp_path / "bad.txt", "--out", out, *MODEL)
    assert files_below(tmp_path) == before
    task = ("run", "--task", "What?", "--context", good)
    assert "bad.png" in refused(*task, "--image", tmp_path / "bad.png", "--out", out, *MODEL)
    assert "nowhere" in refused(*task, "--corpus", tmp_path / "nowhere", "--out", out, *MODEL)
    assert "EMBEDDING_MODEL" in refused(*task, "--out", out, "--embedding-model", "a/b/c")
    (tmp_path / "empty").mkdir()
    assert "no document in it can be read" in refused(*task, "--corpus", tmp_path / "empty", "--out", out, *MODEL)
    assert files_below(tmp_path) == before
    assert not out.exists()


@pytest.mark.parametrize(
    ("name", "content", "says"),
    [
        ("photo.png", b"no image at all", "not an image that can be read"),
        ("bomb.png", hostile.image_bomb(), "million pixels"),
        ("drawing.png", hostile.SVG, "an SVG is not a picture"),
        ("huge.png", None, "is over 30 MB"),
        ("missing.png", None, "there is no image"),
    ],
    ids=lambda value: value if isinstance(value, str) and "." in value else "",
)
def test_an_image_that_cannot_be_used(tmp_path: Path, name: str, content: bytes | None, says: str) -> None:
    if content is not None:
        (tmp_path / name).write_bytes(content)
    elif name.startswith("huge"):
        hostile.huge_file(tmp_path / name)
    line = refused("run", "--task", "Read it.", "--image", tmp_path / name, "--out", tmp_path / "out", *MODEL)
    assert name in line
    assert says in line
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("arguments", "names"),
    TABLES["bad_arguments_are_one_line"],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_bad_arguments_are_one_line(arguments: list[str], names: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as end:
        main(arguments)
    assert end.value.code == 2
    said = capsys.readouterr()
    assert said.out == ""
    (line,) = said.err.splitlines()
    assert line.startswith("memorybank: ")
    assert names in line
    assert line.endswith("--help")


def test_what_is_no_text_is_refused(finished: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Bytes that are not UTF-8 come as halves of pairs: in words, in names of files, in variables and settings."""
    out, odd = tmp_path / "out", "a\udcff\udcfeb"
    (tmp_path / odd).write_text(ONE)
    before = files_below(tmp_path)
    for command in (
        ("run", "--task", odd, "--out", out),
        ("run", "--task", "What?", "--out", tmp_path / odd),
        ("run", "--task", "What?", "--context", tmp_path / odd, "--out", out),
        ("run", "--task", "What?", "--corpus", tmp_path / odd, "--out", out),
        ("run", "--task", "What?", "--out", out, "--embedding-model", odd),
        ("ingest", tmp_path / odd, "--out", out),
        ("ask", finished, odd),
        ("retrieve", finished, odd),
        ("deep", finished, odd),
        ("undo-merge", finished, odd),
        ("import", tmp_path / odd, "--out", out),
        ("pack", finished, tmp_path / odd),
        ("export", finished, "--html", tmp_path / odd),
        ("mcp", tmp_path / "new", "--task", odd),
    ):
        assert "is not UTF-8 text" in refused(*command), command
    for name in ("EMBEDDING_MODEL", "LLM_API_KEY", "STORAGE_DIR"):
        with monkeypatch.context() as patch:
            patch.setenv(name, odd)
            assert f"{name}: its value is not UTF-8 text" in refused("config")
    assert files_below(tmp_path) == before


def test_a_path_or_a_task_that_cannot_be_used_is_bad_input(finished: Path, tmp_path: Path) -> None:
    file, nowhere = tmp_path / "file.txt", tmp_path / "nowhere"
    file.write_text(ONE)
    for command, says in (
        (("run", "--task", "  ", "--out", nowhere, *MODEL), "--task is empty"),
        (("ask", nowhere, "What?"), "journal"),
        (("replay", nowhere), "nowhere"),
        (("import", tmp_path / "missing.json", "--out", nowhere, *MODEL), "missing.json"),
        (("ask", file, "What?"), "file.txt is a file"),
        (("resume", file), "file.txt is a file"),
        (("undo-merge", file, "m1"), "file.txt is a file"),
        (("mcp", file), "file.txt is a file"),
        (("ingest", file, "--out", file / "out", *MODEL), "Not a directory"),
        (("ingest", file, "--out", tmp_path / ("n" * 300), *MODEL), "File name too long"),
        (("pack", finished, nowhere / "o.zip"), "o.zip"),
        (("pack", finished, file / "o.zip"), "o.zip"),
        (("export", finished, "--html", nowhere / "o.html"), "nowhere"),
    ):
        assert says in refused(*command), command
    assert [path.name for path in tmp_path.iterdir()] == ["file.txt"]


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (InputError("no"), 2),
        (LockedError("no"), 2),
        (JournalError("no"), 2),
        (JournalBrokenError("no"), 1),
        (ModelUnavailableError("no"), 1),
        (KeyboardInterrupt(), 1),
        (OSError(errno.ENOSPC, "No space left on device", "a"), 1),
        (OSError(errno.EIO, "Input/output error"), 1),
        (OSError(errno.EIO, "Input/output error", f"run/blobs/{'f' * 64}"), 1),
        (PermissionError(errno.EACCES, "Permission denied", "a"), 2),
        (OSError(errno.EBADF, "Bad file descriptor", 7), 1),
    ],
    ids=lambda value: value if isinstance(value, int) else type(value).__name__,
)
def test_exit_codes(
    error: BaseException, code: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail(arguments: object) -> int:
        raise error

    monkeypatch.setattr(configuration, "config", fail)
    assert main(["config"]) == code
    assert "f" * 64 not in capsys.readouterr().err, "a hash names nothing to a person"


def test_exit_codes_are_told(capsys: pytest.CaptureFixture[str]) -> None:
    for arguments in (["--help"], ["run", "--help"]):
        with pytest.raises(SystemExit) as end:
            main(arguments)
        assert end.value.code == 0
        assert capsys.readouterr().out.endswith(EXIT_CODES)
    page = (Path(__file__).parents[1] / "docs/reference/commands.md").read_text("utf-8")
    assert "**Exit codes**: 0 done; 2 bad arguments or input" in page


def test_bytes_and_pipes_of_a_real_process(finished: Path, tmp_path: Path) -> None:
    """What only a process meets: arguments as bytes, a reader that has enough, a terminal that knows no Chinese."""
    line = [sys.executable, "-m", "memorybank"]
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[1])}
    done = subprocess.run(
        [*line, b"run", b"--task", b"\xff\xfe", b"--out", b"out"], cwd=tmp_path, env=environment, capture_output=True
    )
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr.decode().splitlines() == [
        "memorybank: --task \ufffd\ufffd is not UTF-8 text: type it as UTF-8, or rename the file"
    ]
    with subprocess.Popen(
        [*line, "replay", str(finished)], env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        process.stdout.close()
        assert process.stderr.read() == b""
    assert process.returncode == 1
    narrow = {**environment, "PYTHONIOENCODING": "ascii", "LLM_MODEL": "水"}
    done = subprocess.run([*line, "config"], cwd=tmp_path, env=narrow, capture_output=True)
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"\\u6c34" in done.stdout


# -- a run that cannot be trusted -------------------------------------------------------------------------------------

READING = (("replay",), ("retrieve", "bridge"), ("deep", "n1"))
WRITING = (("resume",), ("ask", "How long is it?"), ("undo-merge", "m1"))


@pytest.mark.parametrize("kind", hostile.BROKEN_JOURNALS)
def test_a_broken_journal_is_refused_by_every_command(run: Path, kind: str) -> None:
    says = hostile.break_journal(run / "journal.jsonl", kind)
    before = files_below(run)
    for command, *rest in (*READING, *WRITING):
        line = refused(command, run, *rest)
        assert says in line
        assert "journal.jsonl" in line
    assert files_below(run) == before, "nothing is repaired, nothing lost"
    assert main(["clear", str(run)]) == 0, "a broken run can be cleared all the same"


def test_a_journal_cannot_choose_where_models_come_from(run: Path) -> None:
    hostile.name_a_model_elsewhere(run / "journal.jsonl")
    before = files_below(run)
    for command, *rest in (("retrieve", "bridge"), *WRITING):
        assert "embedding model" in refused(command, run, *rest)
    assert files_below(run) == before


@pytest.mark.parametrize("content", ["files/../../../etc/passwd", "/etc/passwd", "files/" + "0" * 64 + ".pdf", "C:\\x"])
def test_a_memory_that_points_outside_is_refused(run: Path, tmp_path: Path, content: str) -> None:
    memory = json.loads((run / "memory.json").read_text("utf-8"))
    attachment = {"id": "a1", "type": "document", "content": content}
    memory["interaction_tree"]["entries"][0]["attachments"].append(attachment)
    changed = tmp_path / "changed.json"
    changed.write_text(json.dumps(memory), "utf-8")
    line = refused("import", changed, "--out", tmp_path / "copy", *MODEL)
    assert "attachment a1" in line
    assert re.search(r"outside|missing", line)
    assert not (tmp_path / "copy").exists()


def test_a_second_writer_is_turned_away(run: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with Session.open(run, lambda begun: parts()) as session:
        before = files_below(run)
        for command, *rest in WRITING:
            assert "is being written by another session" in refused(command, run, *rest)
        for command, *rest in READING:
            assert main([command, str(run), *rest, "--json"]) == 0, "readers need no lock"
        assert files_below(run) == before
        session.ask("How long is the Tamar Bridge?")
        assert session.run().result.startswith("complete")
    capsys.readouterr()
    assert main(["resume", str(RunFolder(run).path), "--json"]) == 0
    assert "335" in json.loads(capsys.readouterr().out)["answer"]
