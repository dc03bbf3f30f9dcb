"""Where runs lie, how they are begun, who may open them; bad input leaves nothing behind."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from memorybank.errors import InputError, JournalError, LockedError
from memorybank.hosting.orders import NewRun, Until, Upload
from memorybank.hosting.registry import Runs
from memorybank.hosting.watcher import Watcher
from memorybank.hosting.worker import Worker
from memorybank.llm.base import ChatMessage, ChatRequest
from memorybank.session.assembly import assemble
from memorybank.session.phase import Phase
from memorybank.session.session import Session
from memorybank.settings.config import Settings
from memorybank.settings.llm import LLMSettings
from tests.waiting import wait_until

SETTINGS = Settings(embedding_model="hashed-ngrams")
NOTE = Upload(
    name="../../etc/note.txt", data="The bridge in Örsundsbro was opened in 1912. It is 88 metres long.".encode()
)


@pytest.fixture
def runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Runs]:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    found = Runs(tmp_path / "runs", is_open=lambda tab: tab == "open tab")
    yield found
    for worker in list(found._workers.values()):
        worker.close()


def rest(worker: Worker) -> None:
    wait_until(lambda: not worker.busy, 60, lambda: worker.phase)


def new(**given: object) -> NewRun:
    return NewRun(settings=SETTINGS, **given)  # type: ignore[arg-type]


def test_a_run_from_ones_own_documents_and_back_to_it(runs: Runs, tmp_path: Path) -> None:
    worker = runs.start(new(prompt="When was the bridge opened?", context=(NOTE,)), owner="open tab", until=Until.END)
    rest(worker)
    assert worker.error is None
    assert worker.session is not None
    assert worker.session.bank.progress.result
    assert "1912" in worker.session.bank.progress.answer
    assert worker.session.bank.settings is not None
    assert worker.session.bank.settings.run_id == worker.run_id, "one name: its folder, its address, its journal"
    assert [path.name for path in (tmp_path / "runs").iterdir()] == [worker.run_id]
    assert next(iter(worker.session.bank.tree.entries.values())).source == "note.txt"

    assert runs.open(worker.run_id, owner="open tab") is worker
    with pytest.raises(LockedError):
        runs.open(worker.run_id, owner="another tab")
    worker.owner = "a tab that was closed"
    with pytest.raises(LockedError):
        runs.open(worker.run_id, owner="another tab")  # its address alone does not make a living run anyone's
    assert runs.open(worker.run_id, owner="another tab", key=worker.key) is worker

    worker.close()
    assert worker.phase is Phase.PARKED
    read = runs.look(worker.run_id, owner="a third tab")
    assert isinstance(read, Watcher), "its address opens it to be read"
    assert (read.phase, read.busy, len(read.records)) == (Phase.PARKED, False, len(worker.records))
    again = runs.open(worker.run_id, owner="another tab")
    rest(again)
    assert again is not worker
    assert again.session is not None
    assert again.session.bank.graph == worker.session.bank.graph

    assert len(list((tmp_path / "runs").iterdir())) == 1
    runs.clear(again)
    assert list((tmp_path / "runs").iterdir()) == []


def test_a_living_run_belongs_to_its_tab_and_to_that_tab_loaded_again(runs: Runs) -> None:
    worker = runs.start(new(prompt="", context=(NOTE,)), owner="open tab", until=Until.END)
    rest(worker)
    assert runs.look(worker.run_id, owner="open tab") is worker
    for key in ("", "0" * 32, worker.key):
        with pytest.raises(LockedError):
            runs.look(worker.run_id, owner="another tab", key=key)
    worker.owner = "a tab that was closed"
    for key in ("", "0" * 32, worker.key[:-1], "é"):
        with pytest.raises(LockedError):
            runs.look(worker.run_id, owner="another tab", key=key)
    assert runs.look(worker.run_id, owner="the tab again", key=worker.key) is worker
    assert worker.owner == "the tab again"


def test_a_run_that_is_just_parking_is_read_and_gone_on_with(runs: Runs) -> None:
    worker = runs.start(new(prompt="When was the bridge opened?", context=(NOTE,)), owner="tab", until=Until.END)
    wait_until(lambda: len(worker.records) > 5, 60)
    worker.close(timeout=0.0)
    read = runs.look(worker.run_id, owner="tab")
    assert isinstance(read, Watcher)
    assert read.is_saved, "nobody else writes it"
    again = runs.open(worker.run_id, owner="tab")
    assert isinstance(again, Worker)
    assert again is not worker
    rest(again)
    assert (again.phase, again.error) == (Phase.RESTING, None), "it waited for the lock"


def test_a_saved_run_that_cannot_be_read_says_so(runs: Runs) -> None:
    folder = runs.root / ("ab" * 16)
    folder.mkdir(parents=True)
    (folder / "journal.jsonl").write_bytes(b"")
    with pytest.raises(JournalError, match="is empty: no run was started in it"):
        runs.look(folder.name, owner="tab")
    (folder / "journal.jsonl").write_bytes(b"no journal\n")
    with pytest.raises(JournalError, match="is no journal"):
        runs.look(folder.name, owner="tab")


def test_a_session_that_is_refused_before_it_begins_closes_its_model(tmp_path: Path) -> None:
    endpoint = LLMSettings(base_url="http://127.0.0.1:9/v1", model="none", api_key="k", cache=False)
    parts = assemble(replace(SETTINGS, engine="llm", llm=endpoint))
    assert parts.chats is not None
    with pytest.raises(InputError, match="nothing to do"):
        Session.start(tmp_path / "run", parts)
    with pytest.raises(RuntimeError, match="closed and cannot be asked again"):
        parts.chats.of("react").complete(ChatRequest(messages=(ChatMessage(role="user", content="Hi"),)))
    parts.close()


def test_context_and_question_in_one_prompt(runs: Runs) -> None:
    text = "Context: The ferry holds 42 cars. It runs every hour.\nQuestion: How many cars does the ferry hold?"
    worker = runs.start(new(prompt=text), owner="tab", until=Until.END)
    rest(worker)
    assert worker.session is not None
    assert worker.session.bank.doc.task_goal == "How many cars does the ferry hold?"
    assert "42" in worker.session.bank.progress.answer


def test_an_uploaded_corpus_stays_with_the_run(runs: Runs) -> None:
    files = (
        NOTE,
        replace(NOTE, name="note.txt", data=b"The bridge in Kisa was opened in 1933."),
        replace(NOTE, name="长" * 110 + ".txt"),
    )
    worker = runs.start(new(prompt="When was the bridge in Kisa opened?", corpus=files), owner="tab", until=Until.END)
    rest(worker)
    assert worker.error is None
    kept = sorted(path.name for path in (runs.folder_of(worker).path / "corpus").iterdir())
    assert len(kept) == 3
    assert "note.txt" in kept
    assert worker.session is not None
    assert "1933" in worker.session.bank.progress.answer


@pytest.mark.parametrize(
    ("given", "words"),
    [
        pytest.param({"prompt": "  \n"}, "nothing to do", id="nothing"),
        pytest.param({"context": (Upload(name="a.txt", data=b""),)}, "a.txt", id="empty file"),
        pytest.param({"context": (Upload(name="a.txt", data=bytes(range(256)) * 40),)}, "a.txt", id="binary file"),
        pytest.param({"context": (Upload(name="a.exe", data=b"MZ" * 40),)}, "a.exe", id="kind we do not read"),
        pytest.param({"context": (Upload(name="a.pdf", data=b"no pdf"),)}, "a.pdf", id="no PDF"),
        pytest.param({"prompt": "x", "images": (Upload(name="a.png", data=b"no image"),)}, "a.png", id="no image"),
        pytest.param({"prompt": "x", "images": (Upload(name="a.svg", data=b"<svg onload='x'/>"),)}, "a.svg", id="SVG"),
        pytest.param({"context": (NOTE,) * 51}, "at most 50", id="too many files"),
    ],
)
def test_bad_input_is_named_and_leaves_nothing(runs: Runs, given: dict[str, object], words: str) -> None:
    with pytest.raises(InputError, match=words):
        runs.start(new(**given), owner="tab")
    assert not runs.root.exists() or list(runs.root.iterdir()) == []


@pytest.mark.parametrize("run_id", ["", "..", "../runs", "0" * 32, "x" * 32, "a/b"])
def test_an_id_that_names_no_run_opens_nothing(runs: Runs, run_id: str) -> None:
    with pytest.raises(InputError, match="no such run"):
        runs.open(run_id, owner="tab")
