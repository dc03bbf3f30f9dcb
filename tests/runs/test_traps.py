"""What a folder or file from elsewhere may bring in place of a plain file: a link that leads out, a pipe, a device.

Refused at once and in one line, before anything is written; a link that the user named is the user's own wish.
"""

from __future__ import annotations

import os
import shutil
import signal
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from memorybank.embedding.hashed import NAME, HashedNgrams
from memorybank.errors import UnsafeInputError
from memorybank.hosting.registry import parts_of
from memorybank.hosting.saved import StoredRuns
from memorybank.hosting.tabs import Looks, Watcher
from memorybank.memory.events import SessionStarted
from memorybank.runs.journal import is_written
from memorybank.runs.run_folder import STORES, WRITTEN, RunFolder, fork, load
from memorybank.session.session import Session
from memorybank.settings.config import Settings
from memorybank_studio.journal.desk import Desk
from memorybank_studio.page.shelf import Shelf
from memorybank_studio.studio import Studio
from tests.command_line import refused
from tests.scripted import LetterEmbedder, opened, parts, source
from tests.test_bad_input import MODEL, ONE, files_below

TRAPS = ("link", "dangling", "pipe", "device")


@pytest.fixture(autouse=True)
def at_once() -> Iterator[None]:
    """A pipe that is waited for ends the test instead of the patience."""

    def late(number: int, frame: object) -> None:
        raise TimeoutError("waited for a pipe")

    before = signal.signal(signal.SIGALRM, late)
    signal.alarm(60)
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run that has been given a note, and still has something to do."""
    folder = tmp_path_factory.mktemp("runs") / "run"
    with Session.start(folder, parts(), goal="What is a?", sources=[source("a=1")]) as session:
        session.step()
        session.export()
    return folder


@pytest.fixture
def run(begun: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(begun, tmp_path / "run"))


def lay(trap: str, path: Path, outside: Path, *, folder: bool = False) -> None:
    """Put a trap in place of what is there; `outside` is what must not be touched."""
    if path.is_dir():
        shutil.rmtree(path)
    path.unlink(missing_ok=True)
    if trap == "pipe":
        os.mkfifo(path)
    else:
        goal = {"link": outside / ("folder" if folder else "file"), "dangling": outside / "new"}
        path.symlink_to(goal.get(trap, Path("/dev/null")))


@pytest.fixture
def outside(tmp_path: Path) -> Path:
    place = tmp_path / "outside"
    (place / "folder").mkdir(parents=True)
    (place / "file").write_text("mine")
    return place


@pytest.mark.parametrize("name", [*WRITTEN, *STORES])
def test_a_run_is_not_gone_on_with_through_a_trap(run: Path, outside: Path, name: str) -> None:
    at_first = shutil.copytree(run, run.with_name("at-first"))
    for trap in TRAPS:
        shutil.rmtree(run)
        shutil.copytree(at_first, run)
        lay(trap, run / name, outside, folder=name in STORES)
        theirs, ours = files_below(outside), files_below(run)
        with pytest.raises(UnsafeInputError, match=rf"^{name} is a .*, not a f.*: move it away") as error:
            opened(run)
        assert "\n" not in str(error.value)
        assert (files_below(outside), files_below(run)) == (theirs, ours)
        assert os.path.lexists(run / name)
    assert not (outside / "new").exists()


def test_a_trap_that_is_laid_while_a_run_goes_on_is_not_written_through(run: Path, outside: Path) -> None:
    theirs = files_below(outside)
    with opened(run) as session:
        for name in ("memory.json", "answer.md"):
            lay("link", run / name, outside)
        lay("link", run / "files", outside, folder=True)
        lay("link", run / "temp", outside, folder=True)
        with pytest.raises(UnsafeInputError, match=r"^memory\.json is a link"):
            session.export()
        with pytest.raises(UnsafeInputError, match=r"^files is a link"):
            session.folder.files.put(b"%PDF-", ".pdf")
        assert files_below(outside) == theirs


def test_the_commands_that_read_wait_for_nothing(run: Path, outside: Path, tmp_path: Path) -> None:
    for trap, told in (("pipe", "journal.jsonl is a pipe"), ("link", "journal.jsonl is a link")):
        lay(trap, run / "journal.jsonl", outside)
        for command in (
            ["replay", run],
            ["deep", run, "n1"],
            ["retrieve", run, "a"],
            ["export", run, "--html", tmp_path / "out.html"],
            ["pack", run, tmp_path / "out.zip"],
            ["resume", run],
            ["ask", run, "What is b?"],
            ["undo-merge", run, "m1", *MODEL],
            ["mcp", run],
        ):
            assert told in refused(*command), command
    os.mkfifo(tmp_path / "pipe.md")
    os.mkfifo(tmp_path / "pipe.png")
    out = tmp_path / "new"
    for command in (
        ["unpack", tmp_path / "pipe.md", "--out", out],
        ["import", tmp_path / "pipe.md", "--out", out, *MODEL],
        ["ingest", tmp_path / "pipe.md", "--out", out, *MODEL],
        ["run", "--task", "What?", "--image", tmp_path / "pipe.png", "--out", out, *MODEL],
        ["replay", tmp_path / "pipe.md"],
        ["unpack", "/dev/zero", "--out", out],
        ["import", "/dev/zero", "--out", out, *MODEL],
    ):
        assert "not a file" in refused(*command), command
    assert not out.exists()
    assert {path.name for path in tmp_path.iterdir()} == {"run", "outside", "pipe.md", "pipe.png"}


def test_what_the_user_named_through_a_link_works(begun: Path, tmp_path: Path) -> None:
    run = tmp_path / "real"
    shutil.copytree(begun, run)
    (tmp_path / "named").symlink_to("real")
    (tmp_path / "one.jsonl").symlink_to("real/journal.jsonl")
    assert load(tmp_path / "named") == load(tmp_path / "one.jsonl") == load(run)
    with opened(tmp_path / "named") as session:
        session.run()
        session.export()
    assert (run / "answer.md").read_text().strip() == session.result.answer
    assert not (run / "memory.json").is_symlink()


def test_a_branch_takes_nothing_over_that_is_not_the_runs(run: Path, outside: Path, tmp_path: Path) -> None:
    RunFolder(run).blobs.put("one")
    kept = {path.name: path.read_bytes() for path in (run / "blobs").iterdir()}
    for number, trap in enumerate(TRAPS):
        lay(trap, run / "blobs" / f"{number}{'a' * 63}", outside)
    (run / "blobs" / "mine.txt").write_text("mine")
    lay("link", run / "files", outside, folder=True)
    (outside / "folder" / ("b" * 64 + ".pdf")).write_text("secret")
    records = load(run)
    fork(RunFolder(run), records, len(records), RunFolder(tmp_path / "branch"))
    assert files_below(tmp_path / "branch" / "blobs") == kept
    assert not (tmp_path / "branch" / "files").exists()


def test_the_app_passes_over_a_saved_run_with_a_trap(run: Path, outside: Path, tmp_path: Path) -> None:
    root = tmp_path / "root"
    for number, trap in enumerate(TRAPS):
        folder = root / f"{number:032x}"
        shutil.copytree(run, folder)
        lay(trap, folder / "journal.jsonl", outside)
        watcher = Watcher(folder.name, folder, "tab", Looks(lambda _: False), live=False)
        assert not watcher.records
        assert str(watcher.error).startswith("journal.jsonl is a")
        lay(trap, folder / ".lock", outside)
        with pytest.raises(UnsafeInputError, match=r"^\.lock is a"):
            is_written(folder / "journal.jsonl")
    shutil.copytree(run, root / ("f" * 32))
    assert [one.address for one in StoredRuns(root).newest_first()] == ["f" * 32]
    assert (outside / "file").read_text() == "mine"


def test_a_studio_with_a_trap_is_not_opened(tmp_path: Path, outside: Path) -> None:
    traps: dict[str, Callable[[Path], Path]] = {
        "graph": lambda studio: studio / "graph",
        "journal": lambda studio: studio / "tasks" / "journal.jsonl",
        "log": lambda studio: studio / "graph" / "log" / "arcadedb.log",
        "chroma": lambda studio: studio / "chroma" / "chroma.sqlite3",
    }
    for name, place in traps.items():
        for trap in ("link", "dangling", "pipe"):
            studio = tmp_path / f"{name}-{trap}"
            place(studio).parent.mkdir(parents=True)
            lay(trap, place(studio), outside, folder=name == "graph")
            with pytest.raises(UnsafeInputError, match="is a"):
                Studio.open(studio, LetterEmbedder())
    with pytest.raises(UnsafeInputError, match=r"^journal\.jsonl is a"):
        Desk(tmp_path / "journal-link" / "tasks")
    shelf = Shelf(tmp_path / "shelf", lambda folder, card: pytest.fail("opened"))
    ours = shelf.add("A title", "en")
    lay("pipe", tmp_path / "shelf" / shelf.add("Another", "en") / "studio.json", outside)
    assert [saved.id for saved in shelf.saved()] == [ours]
    assert files_below(outside) == {"file": b"mine"}


def test_a_corpus_that_is_a_link_is_not_the_runs(run: Path, outside: Path) -> None:
    (outside / "folder" / "secret.md").write_text(ONE)
    (run / "corpus").symlink_to(outside / "folder")
    begun = load(run)[0].event
    assert isinstance(begun, SessionStarted)
    begun = replace(begun, engine="offline", embedding_model=NAME, embedding_dim=HashedNgrams().dim)
    chosen = parts_of(begun, RunFolder(run), Settings(embedding_model=NAME))
    try:
        assert chosen.settings.corpus is None
    finally:
        chosen.close()
