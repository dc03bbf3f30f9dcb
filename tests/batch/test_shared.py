"""Runs on shared storage, a path and a real S3 server: what is sent, who goes on from where, who overwrites nothing."""

from __future__ import annotations

import io
import shutil
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from memorybank.batch.cluster.home import SentInputs, received
from memorybank.batch.plan import BatchTask
from memorybank.batch.results import TaskRow
from memorybank.batch.shared import SharedRun, SharedStorage, attempts, checked_place, fetch
from memorybank.batch.worker import run_task
from memorybank.errors import InputError, StoreUnavailableError, message_of
from memorybank.runs.export import fingerprint
from memorybank.runs.run_folder import RunFolder, load, state_at
from tests.batch.making import FERRY, PLAN, documents, stages_of
from tests.batch.s3 import KEY, SECRET, serving

pytest.importorskip("fsspec", reason="shared storage: the extra ray is not installed")

PLACE = "runs/渡轮"


@pytest.fixture(scope="module")
def s3() -> Iterator[dict[str, str]]:
    pytest.importorskip("s3fs", reason="an S3 server: the extra ray is not installed")
    pytest.importorskip("moto", reason="an S3 server: moto is not installed")
    with serving() as environment:
        yield environment


@pytest.fixture(params=["path", "s3"])
def storage(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Callable[[], SharedStorage]]:
    if request.param == "path":
        yield lambda: SharedStorage(str(tmp_path / "shared"))
        return
    for name, value in request.getfixturevalue("s3").items():
        monkeypatch.setenv(name, value)
    shared = SharedStorage(f"s3://shared/{tmp_path.name}")
    yield lambda: shared


@pytest.fixture
def task(tmp_path: Path) -> BatchTask:
    corpus = documents(tmp_path)
    return BatchTask(id="渡轮", task=FERRY, context=(corpus / "ferry.md", corpus / "harbour.md"))


class Lost(BaseException):
    """Ends a worker as a kill does: nothing of ours catches it."""


def work(task: BatchTask, synced: SharedRun, folder: Path, *, until: int = 1_000) -> TaskRow:
    """Work on a run that is held; its worker is lost before it has sent the stage of that number."""
    stages = iter(range(1, until))

    def ended() -> None:
        if next(stages, None) is None:
            raise Lost
        synced.send()

    row = run_task(task, folder, PLAN, stage_ended=ended)
    synced.send()
    return row


def test_who_takes_a_lost_run_over_goes_on_from_its_last_stage(
    storage: Callable[[], SharedStorage], task: BatchTask, tmp_path: Path
) -> None:
    alone = tmp_path / "alone"
    run_task(task, alone, PLAN)
    whole = stages_of(alone)
    for lost_at in (1, 2, 5, len(whole)) if "://" not in storage().place else (5,):
        place, here, there = f"runs/{lost_at}", tmp_path / f"here{lost_at}", tmp_path / f"there{lost_at}"
        with pytest.raises(Lost):
            work(task, SharedRun.take(storage(), place, RunFolder(here)), here, until=lost_at)
        shutil.rmtree(here)
        synced = SharedRun.take(storage(), place, RunFolder(there))
        if lost_at > 1:
            assert stages_of(there) == whole[: lost_at - 1], "all but the one that was not sent"
        row = work(task, synced, there)
        assert (row.outcome, row.error) == ("complete", "")
        came = tmp_path / f"came{lost_at}"
        assert fetch(storage(), place, came)
        assert stages_of(came) == whole, "no stage twice"
        assert fingerprint(state_at(load(came))) == fingerprint(state_at(load(alone)))
        files = {path.relative_to(there) for path in there.rglob("*") if path.name != ".lock" and path.is_file()}
        assert files == {path.relative_to(came) for path in came.rglob("*") if path.is_file()}
        assert all((there / name).read_bytes() == (came / name).read_bytes() for name in files)


def test_a_worker_that_was_cut_off_but_lives_overwrites_nothing(
    storage: Callable[[], SharedStorage], task: BatchTask, tmp_path: Path
) -> None:
    first, second = tmp_path / "first", tmp_path / "second"
    old = SharedRun.take(storage(), PLACE, RunFolder(first))
    taken: list[SharedRun] = []

    def ended() -> None:
        if len(stages_of(first)) == 3 and not taken:  # cut off; meanwhile somebody else does it all
            taken.append(SharedRun.take(storage(), PLACE, RunFolder(second)))
            assert work(task, taken[0], second).outcome == "complete"
        old.send()

    run_task(task, first, PLAN, stage_ended=ended)
    assert attempts(storage(), PLACE) == [old.name, taken[0].name]
    for attempt in ("", taken[0].name):
        fetch(storage(), PLACE, tmp_path / "came", attempt)
        assert (tmp_path / "came" / "journal.jsonl").read_bytes() == (second / "journal.jsonl").read_bytes()


def test_what_was_sent_is_sent_once_and_what_is_gone_is_removed(
    storage: Callable[[], SharedStorage], task: BatchTask, tmp_path: Path
) -> None:
    folder = tmp_path / "run"
    shared = SharedRun.take(storage(), PLACE, RunFolder(folder))
    work(task, shared, folder)
    sent = storage().files(PLACE)
    for name in ("blobs/0a", "blobs/.hidden", "note.txt"):
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text("x", "utf-8")
    written: list[str] = []
    with pytest.MonkeyPatch.context() as patching:
        patching.setattr(shared._storage, "write", lambda place, name, data: written.append(name))
        shared.send()
    assert written == ["blobs/0a"]
    (folder / "answer.md").unlink()
    shared._sent.pop("blobs/0a")
    (folder / "blobs/0a").unlink()
    shared.send()
    assert storage().files(PLACE) == sent - {f"{shared.name}/answer.md"}
    again = SharedRun.take(storage(), PLACE, RunFolder(tmp_path / "again"))
    assert work(task, again, tmp_path / "again").outcome == "complete"
    assert stages_of(tmp_path / "again") == stages_of(folder)


@pytest.mark.parametrize(
    "place",
    [
        "s3://key:password@bucket/x",
        "s3://bucket/x?secret=password",
        "http://password.example",
        "s3://bucket/../x",
        "s3://",
        "s3://b::file:///etc/password",
    ],
)
def test_an_address_that_holds_more_than_a_place_is_refused_and_not_repeated(place: str) -> None:
    with pytest.raises(InputError) as caught:
        checked_place(place)
    assert "password" not in str(caught.value) + message_of(caught.value, "zh")


def test_a_server_that_does_not_answer_is_told_without_its_keys(
    monkeypatch: pytest.MonkeyPatch, s3: dict[str, str], tmp_path: Path
) -> None:
    for name, value in s3.items():
        monkeypatch.setenv(name, value)
    with pytest.raises(StoreUnavailableError) as caught:
        SharedStorage("s3://nobody-has-it/x").write("runs/a", "journal.jsonl", b"")
    assert "s3://nobody-has-it/x" in str(caught.value)
    assert SECRET not in str(caught.value)
    assert KEY not in str(caught.value)


def test_from_the_storage_comes_only_what_has_the_name_of_a_runs_file(task: BatchTask, tmp_path: Path) -> None:
    storage = SharedStorage(str(tmp_path / "shared"))
    shared = SharedRun.take(storage, PLACE, RunFolder(tmp_path / "run"))
    work(task, shared, tmp_path / "run")
    for name in ("blobs/.hidden", "blobs/deep/0a", ".lock", "journal.jsonl.bak"):
        storage.write(f"{PLACE}/{shared.name}", name, b"evil")
    fetch(storage, PLACE, tmp_path / "came")
    assert not [path for path in (tmp_path / "came").rglob("*") if path.is_file() and path.read_bytes() == b"evil"]


def test_what_a_task_reads_goes_by_the_storage(storage: Callable[[], SharedStorage], tmp_path: Path) -> None:
    corpus = documents(tmp_path)
    (corpus / "deep").mkdir()
    (corpus / "deep" / "水.md").write_text("水", "utf-8")
    (corpus / "away.md").symlink_to("/etc/hostname")
    other = tmp_path / "ferry.md"
    other.write_text("another of the same name", "utf-8")
    task = BatchTask(id="a", task=FERRY, context=(corpus / "ferry.md", other), corpus=corpus)
    before = {path.relative_to(corpus): path.read_bytes() for path in corpus.rglob("*.md") if not path.is_symlink()}
    inputs = SentInputs(storage(), "b/inputs")
    sent = inputs.send(task)
    assert inputs.send(task) == sent
    assert storage().files("b/inputs") == set(sent.values())
    shutil.rmtree(corpus)
    other.unlink()
    there = received(task, sent, storage(), "b/inputs", tmp_path / "there")
    assert [path.name for path in there.context] == ["ferry.md", "ferry.md"]
    assert [path.read_bytes() for path in there.context] == [before[Path("ferry.md")], b"another of the same name"]
    assert there.corpus is not None
    assert {
        path.relative_to(there.corpus): path.read_bytes() for path in there.corpus.rglob("*") if path.is_file()
    } == before
    assert received(task, sent, storage(), "b/inputs", tmp_path / "again").corpus == there.corpus


def test_a_corpus_that_would_leave_its_folder_is_refused(tmp_path: Path) -> None:
    storage = SharedStorage(str(tmp_path / "shared"))
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as target:
        target.writestr("../outside.md", "x")
    storage.write("b/inputs", "hash", packed.getvalue())
    task = BatchTask(id="a", task=FERRY, corpus=tmp_path)
    with pytest.raises(StoreUnavailableError):
        received(task, {tmp_path: "hash"}, storage, "b/inputs", tmp_path / "there")
    assert not list(tmp_path.rglob("outside.md"))
