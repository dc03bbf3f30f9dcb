"""Where runs lie, how they are begun and worked on, who may open them; bad input leaves nothing behind."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from memorybank.errors import InputError, LockedError
from memorybank.hosting.browser_mark import Visitor
from memorybank.hosting.registry import Runs
from memorybank.hosting.run import NewRun, Run, Until, Upload
from memorybank.hosting.tabs import SharedRun, Watcher
from memorybank.hosting.worker import Worker
from memorybank.llm.base import ChatMessage, ChatRequest
from memorybank.memory.events import ConflictFound, NodesMerged
from memorybank.session.assembly import assemble
from memorybank.session.phase import Phase
from memorybank.session.session import Session
from memorybank.settings.config import Settings
from memorybank.settings.llm import LLMSettings
from tests import scripted
from tests.waiting import wait_until

MARK = "m" * 43
MINE, OTHER = Visitor("open tab", MARK), Visitor("open tab 2", MARK)
SETTINGS = Settings(embedding_model="hashed-ngrams")
NOTE = Upload(
    name="../../etc/note.txt", data="The bridge in Örsundsbro was opened in 1912. It is 88 metres long.".encode()
)


@pytest.fixture
def runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Runs]:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    found = Runs(tmp_path / "runs", is_open=lambda tab: tab.startswith("open tab"))
    yield found
    for worker in list(found._workers.values()):
        worker.close()


def rest(worker: Run) -> None:
    wait_until(lambda: not worker.busy, 60, lambda: worker.phase)


def new(**given: object) -> NewRun:
    return NewRun(settings=SETTINGS, **given)  # type: ignore[arg-type]


@pytest.mark.parametrize("mark", ["", "0" * 43, MARK[:-1], "é"])
@pytest.mark.parametrize("owner", ["open tab", "a tab that was closed", ""])
def test_a_living_run_is_shut_to_other_browsers(runs: Runs, mark: str, owner: str) -> None:
    run = runs.start(new(prompt="", context=(NOTE,)), by=MINE, until=Until.END)
    run.worker.owner = owner  # its address alone does not make it anyone's, closed or not
    for way in (runs.look, runs.open):
        with pytest.raises(LockedError):
            way(run.run_id, by=Visitor("another tab", mark))


def test_a_living_run_of_a_browser_without_a_mark_is_its_tabs_alone(runs: Runs) -> None:
    run = runs.start(new(prompt="", context=(NOTE,)), by=Visitor("open tab"))
    assert runs.look(run.run_id, by=Visitor("open tab")).takes_orders
    with pytest.raises(LockedError):
        runs.look(run.run_id, by=Visitor("another tab"))


def roles(*shared: Run) -> tuple[str, ...]:
    return tuple("orders" if run.takes_orders else "along" if run.is_shared else "saved" for run in shared)


def test_a_run_lives_as_long_as_a_tab_of_its_browser_looks(runs: Runs) -> None:
    mine = runs.start(new(prompt="", context=(NOTE,)), by=MINE, until=Until.END)
    rest(mine)
    mine.worker._patience = 0.0
    other = runs.look(mine.run_id, by=OTHER)
    mine.leave()
    assert other.is_left
    assert mine.worker.is_watched(), "it is read along"
    assert other.busy

    came = runs.look(mine.run_id, by=Visitor("open tab, loaded again", MARK))
    assert roles(came, other) == ("orders", "along"), "nobody had it"
    came.leave()
    other.leave()
    assert not mine.worker.is_watched()
    wait_until(lambda: mine.phase is Phase.PARKED, 20)
    assert roles(runs.look(mine.run_id, by=OTHER)) == ("saved",)


def test_a_run_that_is_just_parking_is_read_and_gone_on_with(runs: Runs) -> None:
    worker = runs.start(new(prompt="When was the bridge opened?", context=(NOTE,)), by=Visitor("tab"), until=Until.END)
    wait_until(lambda: len(worker.records) > 5, 60)
    worker.close(timeout=0.0)
    read = runs.look(worker.run_id, by=Visitor("tab"))
    assert isinstance(read, Watcher)
    assert read.is_saved, "nobody else writes it"
    again = runs.open(worker.run_id, by=Visitor("tab"))
    assert isinstance(again, SharedRun)
    assert again.worker is not worker.worker
    rest(again)
    assert (again.phase, again.error) == (Phase.RESTING, None), "it waited for the lock"


def test_a_session_that_is_refused_before_it_begins_closes_its_model(tmp_path: Path) -> None:
    endpoint = LLMSettings(base_url="http://127.0.0.1:9/v1", model="none", api_key="k", cache=False)
    parts = assemble(replace(SETTINGS, engine="llm", llm=endpoint))
    assert parts.chats is not None
    with pytest.raises(InputError, match="nothing to do"):
        Session.start(tmp_path / "run", parts)
    with pytest.raises(RuntimeError, match="closed and cannot be asked again"):
        parts.chats.of("react").complete(ChatRequest(messages=(ChatMessage(role="user", content="Hi"),)))
    parts.close()


def test_an_uploaded_corpus_stays_with_the_run(runs: Runs) -> None:
    files = (
        NOTE,
        replace(NOTE, name="note.txt", data=b"The bridge in Kisa was opened in 1933."),
        replace(NOTE, name="长" * 110 + ".txt"),
    )
    worker = runs.start(
        new(prompt="When was the bridge in Kisa opened?", corpus=files), by=Visitor("tab"), until=Until.END
    )
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
        pytest.param({"context": (Upload(name="a.exe", data=b"MZ" * 40),)}, "a.exe", id="kind we do not read"),
        pytest.param({"context": (NOTE,) * 51}, "at most 50", id="too many files"),
    ],
)
def test_bad_input_is_named_and_leaves_nothing(runs: Runs, given: dict[str, object], words: str) -> None:
    with pytest.raises(InputError, match=words):
        runs.start(new(**given), by=Visitor("tab"))
    assert not runs.root.exists() or list(runs.root.iterdir()) == []


# -- the worker of a run ----------------------------------------------------------------------------------------------


ONE, RIVAL = "qubits: 105\nmaker: Google", "qubits: 127\nmaker: Google"


def wait(worker: Worker, until: Callable[[], bool] | None = None) -> None:
    wait_until(until or (lambda: not worker.busy), 20, lambda: worker.phase)


@pytest.fixture
def begin(tmp_path: Path) -> Iterator[Callable[..., Worker]]:
    begun: list[Worker] = []

    def start(*texts: str, until: Until | None = None, patience: float = 60.0, **options: object) -> Worker:
        worker = Worker(
            "run",
            lambda: scripted.start(tmp_path / "run", *texts, goal="How many qubits?", **options),
            owner="tab",
            until=until,
            patience=patience,
        )
        begun.append(worker)
        return worker

    yield start
    for worker in begun:
        worker.close()


def test_a_run_goes_as_far_as_it_is_told(begin: Callable[..., Worker]) -> None:
    worker = begin(ONE, RIVAL, world={"qubits": "105"})
    wait(worker)
    assert worker.phase is Phase.RESTING
    assert worker.session is not None
    ahead = [worker.session.next_stage]

    worker.go(Until.STEP)
    assert worker.busy
    wait(worker)
    ahead.append(worker.session.next_stage)

    worker.go(Until.CONFLICT)
    wait(worker)
    assert any(isinstance(record.event, ConflictFound) for record in worker.records)
    assert not any(isinstance(record.event, NodesMerged) for record in worker.records)
    ahead.append(worker.session.next_stage)
    assert ahead == ["classify", "structure", "plan"]

    worker.go(Until.MERGE)
    wait(worker)
    assert any(isinstance(record.event, NodesMerged) for record in worker.records)

    worker.go(Until.END)
    wait(worker)
    assert worker.session.result.result == "complete"
    assert [record.seq for record in worker.records] == list(range(1, len(worker.records) + 1))
    assert worker.error is None


def test_orders_are_obeyed_between_stages_and_a_bad_one_is_told(begin: Callable[..., Worker]) -> None:
    worker = begin(ONE, until=Until.END)
    wait(worker)
    worker.obey(lambda session: session.undo_merge("m7"))
    wait(worker)
    assert "merge m7" in str(worker.error)
    assert worker.phase is Phase.RESTING

    before = len(worker.records)
    worker.obey(lambda session: session.add(scripted.source(RIVAL, "later.txt")), then=Until.END)
    assert worker.busy
    assert worker.error is None
    wait(worker)
    assert any(isinstance(record.event, ConflictFound) for record in worker.records[before:])


def test_a_run_that_nobody_watches_parks_and_can_be_opened_again(tmp_path: Path, begin: Callable[..., Worker]) -> None:
    asked, began = list[object](), list[Worker]()

    def until_it_is_paused(given: object) -> bool:
        asked.append(given)
        wait_until(lambda: any(one.session is not None and one.session.paused for one in began), 20)
        return False

    texts = [f"item{number}: {number}" for number in range(6)]
    began.append(worker := begin(*texts, until=Until.END, failing={"classification": until_it_is_paused}))
    wait(worker, lambda: bool(asked))
    worker._patience = 0.0
    wait(worker, lambda: worker.phase is Phase.PARKED)
    assert len(asked) < len(texts), "a stage ends before its next call, not when it is through"
    assert worker.session is not None
    kept = len(worker.records)
    with Session.open(tmp_path / "run", lambda begun: scripted.parts()) as session:  # the lock is free
        assert len(session.records) == kept + 1  # SessionResumed
        assert session.run().result == "complete"
