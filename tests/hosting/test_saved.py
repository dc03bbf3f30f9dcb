"""The list of saved runs: what it says of each, of journals that nobody should trust, and what may go from it."""

from __future__ import annotations

import json
import os
import shutil
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from memorybank.contradiction.disputes.gathering import disputes_of
from memorybank.errors import InputError, LockedError, UnsafeInputError
from memorybank.hosting.browser_mark import Visitor
from memorybank.hosting.ready_tasks import recorded_runs
from memorybank.hosting.registry import Runs
from memorybank.hosting.saved import SUMMARY, StoredRun, StoredRuns, summarise
from memorybank.hosting.storage import TRASH, clean_up, discard, discarded, empty, folder_size, restore
from memorybank.memory.types import ConflictStatus
from memorybank.runs import local_state
from memorybank.runs.archive import pack, unpack
from memorybank.runs.label import RunLabel, as_name, read_label, write_label
from memorybank.runs.run_folder import JOURNAL, RunFolder, fork, load, run_id_of, state_at
from memorybank.settings.config import Settings
from tests.recorded import recorded_run
from tests.waiting import wait_until

INCONCLUSIVE = ConflictStatus.INCONCLUSIVE
RUN, ZH, BRANCH = "a" * 32, "b" * 32, "c" * 32


@pytest.fixture
def root(tmp_path: Path) -> Path:
    shutil.copytree(recorded_run("en").path, tmp_path / RUN)
    unpack(next(run for run in recorded_runs("zh") if run.engine == "offline").file, RunFolder(tmp_path / ZH))
    records = load(tmp_path / RUN)
    fork(RunFolder(tmp_path / RUN), records, 200, RunFolder(tmp_path / BRANCH), run_id=BRANCH)
    return tmp_path


def test_each_run_in_a_few_words(root: Path) -> None:
    runs = {run.address: run for run in StoredRuns(root).newest_first()}
    assert runs.keys() == {RUN, ZH, BRANCH}
    records = load(root / RUN)
    run = runs[RUN]
    assert run.goal == state_at(records).doc.task_goal
    assert (run.events, run.result, run.engine, run.parent) == (len(records), "complete", "offline", "")
    disputes = disputes_of(state_at(records))
    settled = [dispute for dispute in disputes if dispute.status not in (ConflictStatus.OPEN, INCONCLUSIVE)]
    assert (run.lang, run.conflicts, run.settled) == ("en", len(disputes), len(settled))
    assert (run.name, run.pinned, run.is_damaged) == ("", False, False)
    assert run.run_id == run_id_of(records)
    assert run.begun == records[0].at <= run.changed == records[-1].at
    assert run.size == (root / RUN / JOURNAL).stat().st_size
    assert "本源悟空" in runs[ZH].goal
    assert runs[ZH].settled
    branch = runs[BRANCH]
    assert (branch.parent, branch.run_id, branch.result) == (run.run_id, BRANCH, "")
    assert 0 < branch.parted <= 200
    assert branch.goal == run.goal


def test_the_one_written_last_comes_first_and_branches_find_their_parent(root: Path) -> None:
    stored = StoredRuns(root)
    assert stored.newest_first()[0].address == BRANCH
    parent = stored.by_run_id(run_id_of(load(root / RUN)))
    assert parent.address == RUN
    assert [run.address for run in stored.branches_of(parent.run_id)] == [BRANCH]
    assert stored.by_run_id("") is None
    assert stored.branches_of("") == []
    assert stored.by_run_id("nobody") is None


def test_a_copy_that_was_opened_later_stands_before_what_it_was_made_of(root: Path) -> None:
    copies = ["0" * 32, "f" * 32]
    for later, address in enumerate(copies, start=1):
        shutil.copytree(root / RUN, root / address)
        os.utime(root / address / JOURNAL, (time.time() + later, time.time() + later))
    listed = [run.address for run in StoredRuns(root).newest_first()]
    assert [address for address in listed if address in {*copies, RUN}] == [*reversed(copies), RUN]


def test_a_journal_is_read_again_only_when_it_has_changed(root: Path) -> None:
    stored = StoredRuns(root)
    first = {run.address: run for run in stored.newest_first()}
    assert all(first[run.address] is run for run in stored.newest_first())
    with (root / ZH / JOURNAL).open("ab") as journal:
        journal.write(b"{}\n")
    second = {run.address: run for run in stored.newest_first()}
    assert second[RUN] is first[RUN]
    assert second[ZH].events == first[ZH].events + 1
    shutil.rmtree(root / ZH)
    assert ZH not in {run.address for run in stored.newest_first()}


def started(root: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[dict[str, StoredRun], list[str]]:
    """The runs as a server lists them that has just started, and those whose journals it read."""
    read: list[str] = []

    def reading(address: str, journal: bytes) -> StoredRun | None:
        read.append(address)
        return summarise(address, journal)

    with monkeypatch.context() as patched:
        patched.setattr("memorybank.hosting.saved.summarise", reading)
        listed = StoredRuns(root, keeps_summaries=True).newest_first()
    return {run.address: run for run in listed}, sorted(read)


def test_a_server_that_starts_reads_only_journals_that_have_changed(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, read = started(root, monkeypatch)
    assert read == [RUN, ZH, BRANCH]
    assert started(root, monkeypatch) == (first, [])
    with (root / ZH / JOURNAL).open("ab") as journal:
        journal.write(b"{}\n")
    write_label(root / RUN, RunLabel(name="The bridge"))
    (root / BRANCH).rename(root / ("d" * 32))
    second, read = started(root, monkeypatch)
    assert read == [RUN, ZH]
    assert (second[RUN].name, second[ZH].events) == ("The bridge", first[ZH].events + 1)
    assert second["d" * 32].address == "d" * 32
    assert started(root, monkeypatch) == (second, [])
    RunFolder(root / ZH).remove()
    assert not (root / ZH).exists(), "nothing of it is left"


def test_what_stands_in_place_of_a_kept_summary_is_passed_over(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = started(root, monkeypatch)[0]
    kept = root / RUN / SUMMARY
    whole = json.loads(kept.read_bytes())
    hostile = [whole | {"form": 0}, whole | {"run": whole["run"] | {"changed": float("inf")}}, whole | {"run": {}}, []]
    for data in (b"", b"[" * 100_000, b"\xff", *(json.dumps(content).encode() for content in hostile)):
        kept.write_bytes(data)
        assert started(root, monkeypatch) == (first, [RUN])
    kept.unlink()
    kept.symlink_to(root / ZH / SUMMARY)
    assert started(root, monkeypatch) == (first, [RUN])
    assert kept.is_symlink(), "nothing is written where it leads"


def test_what_is_no_run_is_not_listed(root: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    shutil.copytree(root / RUN, elsewhere / "run")
    (root / ("d" * 32)).symlink_to(elsewhere / "run")
    (root / ("e" * 32)).mkdir()
    (root / ("e" * 32) / JOURNAL).symlink_to(root / RUN / JOURNAL)
    (root / ("f" * 32)).mkdir()
    (root / "notes").mkdir()
    shutil.copy(root / RUN / JOURNAL, root / "notes" / JOURNAL)
    assert {run.address for run in StoredRuns(root).newest_first()} == {RUN, ZH, BRANCH}
    assert StoredRuns(root / "nowhere").newest_first() == []


def test_a_run_that_cannot_be_read_is_listed_by_its_name(root: Path) -> None:
    (root / ("0" * 32)).mkdir()
    (root / ("0" * 32) / JOURNAL).write_bytes(b"\xff\xfe not a journal\n{}\n")
    write_label(root / ("0" * 32), RunLabel(name="Lost"))
    runs = {run.address: run for run in StoredRuns(root).newest_first()}
    assert (runs["0" * 32].name, runs["0" * 32].is_damaged) == ("Lost", True)
    assert not any(runs[address].is_damaged for address in (RUN, ZH, BRANCH))


def test_a_name_goes_with_the_runs_folder_and_with_its_zip(root: Path, tmp_path: Path) -> None:
    stored = StoredRuns(root)
    assert not any(run.name for run in stored.newest_first())
    write_label(root / RUN, RunLabel(name="Willow, first try", pinned=True))
    named = {run.address: (run.name, run.pinned) for run in stored.newest_first()}
    assert named == {RUN: ("Willow, first try", True), ZH: ("", False), BRANCH: ("", False)}
    (root / RUN).rename(root / ("d" * 32))
    assert {run.address: run.name for run in stored.newest_first()}["d" * 32] == "Willow, first try"

    pack(RunFolder(root / ("d" * 32)), tmp_path / "run.zip")
    unpack(tmp_path / "run.zip", RunFolder(root / ("e" * 32)))
    assert read_label(root / ("e" * 32)) == RunLabel(name="Willow, first try"), "it is not pinned for somebody else"
    RunFolder(root / ("e" * 32)).remove()
    assert not (root / ("e" * 32)).exists()


@pytest.mark.parametrize(
    "data", [b"", b"[]", b'{"name": 7}', b"\xff", b'{"name": "' + b"x" * 5_000 + b'"}', b'{"pinned": "no idea"}']
)
def test_a_label_that_says_nothing_is_none(root: Path, data: bytes) -> None:
    (root / RUN / "label.json").write_bytes(data)
    assert read_label(root / RUN) == RunLabel()
    assert len(StoredRuns(root).newest_first()) == 3
    (root / RUN / "label.json").unlink()
    (root / RUN / "label.json").symlink_to(root / ZH / JOURNAL)
    assert read_label(root / RUN) == RunLabel()


def test_a_name_is_one_short_line() -> None:
    assert as_name("  The\nbridge \t in Kisa ") == "The bridge in Kisa"
    assert len(as_name("长" * 500)) == 120


@pytest.mark.parametrize(
    "event",
    [
        {"type": "SessionStarted"},
        {"run_id": 7, "engine": ["x"], "model": None, "type": "SessionStarted"},
        {"run_id": "<script>", "engine": "\u202e", "type": "SessionStarted"},
    ],
)
def test_a_hostile_journal_is_text_or_nothing(event: dict[str, object]) -> None:
    lines = [b'{"journal": "memorybank", "schema": 1}']
    lines += [json.dumps({"seq": 1, "at": 5, "event": event}).encode()]
    lines += [json.dumps({"seq": 2, "at": 1e308, "event": {"goal": {"a": 1}, "type": "TaskReceived"}}).encode()]
    lines += [b'{"seq": 3, "at": 1, "event": {"parent_seq": "x", "type": "SessionForked"}}', b"[" * 100_000, b""]
    run = summarise(RUN, b"\n".join(lines))
    assert (run.goal, run.parted, run.begun) == ("", 0, 5)
    assert isinstance(run.run_id, str)
    assert isinstance(run.engine, str)
    assert summarise(RUN, b"") is None


# -- what runs take on disk and what may go: only runs, never one that is open ----------------------------------------


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
