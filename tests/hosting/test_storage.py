"""What runs take on disk and what may go: only runs, never one that is open."""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from memorybank.errors import InputError, LockedError, UnsafeInputError
from memorybank.hosting.browser_mark import Visitor
from memorybank.hosting.registry import Runs
from memorybank.hosting.saved import StoredRun, StoredRuns
from memorybank.hosting.storage import TRASH, clean_up, discard, discarded, empty, folder_size, restore
from memorybank.hosting.tabs import Looks
from memorybank.runs import local_state
from memorybank.runs.label import RunLabel, write_label
from memorybank.settings.config import Settings
from tests.recorded import recorded_run
from tests.waiting import wait_until

SETTINGS = Settings(embedding_model="hashed-ngrams")
TAB = "this tab"


@pytest.fixture
def runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Runs]:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    root = tmp_path / "runs"
    for number in range(3):
        shutil.copytree(recorded_run("en").path, root / (str(number) * 32))
    (root / "not a run").mkdir()
    (root / "not a run" / "thesis.txt").write_text("mine")
    (root / ("a" * 32)).mkdir()
    (root / ("a" * 32) / "thesis.txt").write_text("a folder that only looks like a run")
    (root / ("b" * 32)).symlink_to(root / "not a run")
    found = Runs(root, local=SETTINGS, is_open=lambda tab: tab != "a closed tab")
    yield found
    for worker in list(found._workers.values()):
        worker.close()


def found(runs: Runs) -> list[StoredRun]:
    return StoredRuns(runs.root).newest_first()


def addresses(runs: Runs) -> list[str]:
    return [run.address for run in found(runs)]


def test_every_byte_of_a_run_is_counted_and_nothing_else(runs: Runs) -> None:
    assert sorted(address[0] for address in addresses(runs)) == ["0", "1", "2"]
    folder = runs.root / ("0" * 32)
    assert folder_size(folder) == sum(file.stat().st_size for file in folder.rglob("*") if file.is_file())


def test_what_is_not_open_goes_and_what_is_not_a_run_stays(runs: Runs) -> None:
    worker = runs.open("1" * 32, by=Visitor("tab"))
    wait_until(lambda: not worker.busy, 30)
    done = clean_up(runs, addresses(runs), keep={"2" * 32}, owner=TAB)
    assert (done.runs, done.open, done.problem) == (("0" * 32,), 2, None)
    left = [TRASH, "1" * 32, "2" * 32, "a" * 32, "b" * 32, "not a run"]
    assert sorted(path.name for path in runs.root.iterdir()) == left
    assert (runs.root / "not a run" / "thesis.txt").read_text() == "mine"
    assert (runs.root / ("a" * 32) / "thesis.txt").exists()
    assert worker.records, "the open one can still be read"


def test_a_run_that_another_tab_reads_is_left(runs: Runs) -> None:
    for number, tab in enumerate(("another tab", TAB, "a closed tab")):
        runs.look(str(number) * 32, by=Visitor(tab))
    done = clean_up(runs, addresses(runs), keep=(), owner=TAB)
    assert (len(done.runs), done.open) == (2, 1)
    assert [path.name for path in runs.root.iterdir() if path.name in ("0" * 32, "1" * 32, "2" * 32)] == ["0" * 32]
    with pytest.raises(LockedError, match="open in another tab"):
        discard(runs, "0" * 32, owner=TAB)
    discard(runs, "0" * 32, owner="another tab")


def test_closed_tabs_are_not_remembered_as_readers_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    most = 4
    monkeypatch.setattr("memorybank.hosting.tabs.MOST_TABS", most)
    looks = Looks(lambda tab: not tab.startswith("closed"))
    looks.note("another tab", "0" * 32)
    for number in range(5 * most):
        looks.note(f"closed tab {number}", "1" * 32)
        assert len(looks._run_of) <= most + 1
    assert looks.is_seen("0" * 32, but_by=TAB), "an open tab that has long looked at it counts all the same"


def test_what_lies_in_a_runs_folder_beside_it_stays(runs: Runs) -> None:
    (runs.root / ("0" * 32) / "notes.txt").write_text("mine")
    clean_up(runs, addresses(runs), keep=(), owner=TAB)
    empty(runs)
    assert [path.name for path in (runs.root / TRASH / ("0" * 32)).iterdir()] == ["notes.txt"]
    assert [path.name for path in (runs.root / TRASH).iterdir()] == ["0" * 32]


def test_a_deleted_run_comes_back_whole_with_its_name_until_the_trash_is_emptied(runs: Runs) -> None:
    first, second = "0" * 32, "1" * 32
    write_label(runs.root / first, RunLabel(name="The bridge", pinned=True))
    local_state.remember_corpus(first, runs.root)
    before = {path: path.read_bytes() for path in (runs.root / first).rglob("*") if path.is_file()}
    for run_id in (first, second):
        discard(runs, run_id, owner=TAB)
    assert {run.address for run in discarded(runs)} == {first, second}
    assert set(addresses(runs)) == {"2" * 32}
    with pytest.raises(InputError, match="no such run"):
        runs.look(first, by=Visitor(TAB))

    restore(runs, first)
    assert {path: path.read_bytes() for path in (runs.root / first).rglob("*") if path.is_file()} == before
    assert next(run for run in found(runs) if run.address == first).name == "The bridge"
    assert local_state.known_corpus(first) == runs.root
    for run_id in (first, "9" * 32, "..", "../" + "2" * 32):
        with pytest.raises(InputError, match="not in the trash"):
            restore(runs, run_id)

    empty(runs)
    assert discarded(runs) == []
    assert (runs.root / first / "journal.jsonl").is_file()


def test_what_has_been_in_the_trash_for_a_month_goes_with_the_next(runs: Runs) -> None:
    for number, days in ((0, 31), (1, 29)):
        discard(runs, str(number) * 32, owner=TAB)
        then = time.time() - days * 86_400
        os.utime(runs.root / TRASH / (str(number) * 32), (then, then))
    clean_up(runs, ["2" * 32], keep=(), owner=TAB)
    assert {run.address[0] for run in discarded(runs)} == {"1", "2"}


def test_a_trash_that_leads_elsewhere_takes_nothing(runs: Runs, tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    (runs.root / TRASH).symlink_to(tmp_path / "elsewhere")
    with pytest.raises(UnsafeInputError):
        discard(runs, "0" * 32, owner=TAB)
    assert (runs.root / ("0" * 32)).is_dir()


def test_what_this_machine_remembers_of_a_run_is_forgotten(runs: Runs, tmp_path: Path) -> None:
    run = found(runs)[0]
    local_state.remember_corpus(run.address, tmp_path)
    local_state.remember_corpus("the run it was copied from", tmp_path)
    clean_up(runs, addresses(runs), keep=(), owner=TAB)
    assert local_state.known_corpus(run.address) == tmp_path, "until it is gone for good"
    empty(runs)
    assert local_state.known_corpus(run.address) is None
    assert local_state.known_corpus("the run it was copied from") == tmp_path
