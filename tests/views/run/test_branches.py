"""Branches: the past is shared and never run again, and the two are found and compared again."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from memorybank.errors import InputError, JournalError, LockedError
from memorybank.hosting import new_runs
from memorybank.hosting.browser_mark import Visitor
from memorybank.hosting.registry import CORPUS, Runs
from memorybank.hosting.saved import StoredRuns
from memorybank.hosting.storage import TRASH, discard
from memorybank.memory.events import AgentCalled, SessionForked, StageFinished, TaskExecuted
from memorybank.runs.run_folder import RunFolder, fork, fork_border, load, run_id_of, state_at
from memorybank.session.assembly import Parts
from memorybank.session.session import Session
from memorybank.settings.config import WITHOUT_MERGE, Settings
from memorybank.views.run.branches import compare_branches, parent_of
from tests.recorded import recorded_run
from tests.scripted import parts, start
from tests.waiting import wait_until

WILLOW = "willow qubits: 105\n\nsycamore qubits: 53\n"
WRONG = "willow qubits: 98\n"


class Counting:
    """An engine's agents or an executor, with every call counted: the work itself is the engine's own."""

    def __init__(self, inner: Any, calls: list[Any]) -> None:
        self._inner, self._calls = inner, calls
        self.name = getattr(inner, "name", "")

    def run(self, *given: Any) -> Any:
        self._calls.append(given[0])
        return self._inner.run(*given)


def counted(calls: list[Any], **options: Any) -> Parts:
    whole = parts(**options)
    for role in ("classification", "structure", "analysis", "integration", "planning"):
        setattr(whole.engine, role, Counting(getattr(whole.engine, role), calls))
    return replace(whole, executor=Counting(whole.executor, calls))


@pytest.fixture
def parent(tmp_path: Path) -> Path:
    with start(tmp_path / "parent", WILLOW, WRONG, goal="How many?", world={"willow qubits": "105"}) as session:
        session.run()
    return tmp_path / "parent"


def asked(records: Any) -> list[AgentCalled]:
    return [record.event for record in records if isinstance(record.event, AgentCalled)]


def test_a_branch_repeats_no_call_of_the_past(parent: Path, tmp_path: Path) -> None:
    records = load(parent)
    borders = [record.seq for record in records if isinstance(record.event, StageFinished)]
    for number, border in enumerate(borders):
        target = RunFolder(tmp_path / f"branch{number}")
        assert fork(RunFolder(parent), records, border, target) == border
        calls: list[Any] = []
        with Session.open(target.path, lambda _, calls=calls: counted(calls, world={"willow qubits": "105"})) as branch:
            assert calls == []  # opening asks nobody
            branch.run()
            own = asked(branch.records[border:])
        came = load(target.path)
        assert came[:border] == records[:border]  # times and answers too: they are the parent's own records
        rounds = sum(isinstance(record.event, TaskExecuted) for record in came[border:])
        assert len(calls) == len(own) + rounds  # whoever was asked was asked for the branch's own future
        assert [one.key for one in own] == [one.key for one in asked(records[border:])]  # the same world, the same way
    assert load(parent) == records


def test_a_branch_of_the_last_border_asks_nobody_at_all(parent: Path, tmp_path: Path) -> None:
    records, calls = load(parent), list[Any]()
    fork(RunFolder(parent), records, len(records), RunFolder(tmp_path / "branch"))
    with Session.open(tmp_path / "branch", lambda _: counted(calls)) as branch:
        branch.run()
    assert calls == []


def test_a_fork_needs_no_session_and_starts_at_a_border(parent: Path, tmp_path: Path) -> None:
    records = load(parent)
    borders = [record.seq for record in records if isinstance(record.event, StageFinished)]
    assert fork_border(records, borders[2] + 1) == borders[2]
    assert fork_border(records, 10_000) == borders[-1]
    assert fork_border(records, 0) == fork_border([], 5) == 0
    with pytest.raises(InputError, match=f"fork at {borders[0]} or later"):
        fork(RunFolder(parent), records, borders[0] - 1, RunFolder(tmp_path / "early"))
    assert not (tmp_path / "early").exists()
    with pytest.raises(JournalError, match="already holds a run"):
        fork(RunFolder(parent), records, 20, RunFolder(parent))


def test_changed_settings_hold_for_the_branch_also_after_it_is_opened_again(parent: Path, tmp_path: Path) -> None:
    records = load(parent)
    fork(RunFolder(parent), records, 30, RunFolder(tmp_path / "branch"))
    with Session.open(tmp_path / "branch", lambda _: parts()) as branch:
        branch.change_settings(retrieval_k=2, retrieval_alpha=0.25, neighbor_share=0.75, relations=WITHOUT_MERGE)
    with Session.open(tmp_path / "branch", lambda _: parts(settings=Settings(engine="scripted"))) as branch:
        held = branch.parts.settings
        assert (held.retrieval_k, held.retrieval_alpha, held.neighbor_share) == (2, 0.25, 0.75)
        assert held.relations == WITHOUT_MERGE
        branch.run()
    both = compare_branches(records, load(tmp_path / "branch"))
    assert (both.branch.k, both.branch.alpha, both.branch.share) == (2, 0.25, 0.75)
    assert both.branch.relations == ("conflict", "related")
    assert (both.parent.k, both.parent.alpha) == (5, 0.5)


def test_what_the_two_share_and_what_each_came_to(parent: Path, tmp_path: Path) -> None:
    records = load(parent)
    border = fork_border(records, next(seq for seq in range(1, 99) if len(state_at(records, seq).conflicts.all)) + 5)
    target = RunFolder(tmp_path / "branch")
    fork(RunFolder(parent), records, border, target)
    with Session.open(target.path, lambda _: parts(world={"willow qubits": "98"})) as branch:
        branch.run()
    both = compare_branches(records, load(target.path))
    assert both.parted == border
    assert both.stage == records[border - 1].event.stage
    assert [node.summary for node in both.parent.nodes] != [node.summary for node in both.branch.nodes]
    assert any("98" in node.summary for node in both.branch.nodes if node.id in both.branch.born)
    assert any("105" in node.summary for node in both.parent.nodes if node.id in both.parent.born)
    assert both.shared_nodes == len(both.branch.nodes) - len(both.branch.born)
    assert both.branch.merged == both.branch.born
    assert both.branch.events_own > 0 < both.branch.calls
    assert set(both.branch.points) >= {node.id for node in both.branch.nodes}
    assert both.parent.points["n1"] == both.branch.points["n1"]
    assert both.branch.changes.added == both.branch.born
    assert both.parent.answer
    assert both.branch.answer


def test_a_branch_that_has_done_nothing_yet(parent: Path, tmp_path: Path) -> None:
    records = load(parent)
    fork(RunFolder(parent), records, 20, RunFolder(tmp_path / "branch"))
    both = compare_branches(records, load(tmp_path / "branch"))
    assert (both.branch.events_own, both.branch.calls, both.branch.born) == (0, 0, frozenset())


def test_a_branch_of_a_branch_knows_its_own_parent(parent: Path, tmp_path: Path) -> None:
    fork(RunFolder(parent), load(parent), 30, RunFolder(tmp_path / "one"), run_id="1" * 32)
    one = load(tmp_path / "one")
    fork(RunFolder(tmp_path / "one"), one, len(one), RunFolder(tmp_path / "two"), run_id="2" * 32)
    two = load(tmp_path / "two")
    forked = parent_of(two)
    assert isinstance(forked, SessionForked)
    assert (forked.parent_run_id, run_id_of(two)) == ("1" * 32, "2" * 32)
    assert compare_branches(one, two).parted == len(one)
    with pytest.raises(JournalError, match="do not share the past"):
        compare_branches(load(parent), two)


def test_strangers_are_told_apart(parent: Path, tmp_path: Path) -> None:
    with pytest.raises(JournalError, match="do not share the past"):
        compare_branches(load(parent), load(parent))
    fork(RunFolder(parent), load(parent), 30, RunFolder(tmp_path / "branch"))
    with pytest.raises(JournalError, match="do not share the past"):
        compare_branches(load(recorded_run().path), load(tmp_path / "branch"))


# -- in the app's folder ----------------------------------------------------------------------------------------------

RUN = "a" * 32


@pytest.fixture
def runs(tmp_path: Path) -> Runs:
    root = tmp_path / "runs"
    shutil.copytree(recorded_run().path, root / RUN)
    return Runs(root, local=Settings(embedding_model="hashed-ngrams"))


def test_a_saved_run_is_branched_off_without_being_opened(runs: Runs) -> None:
    folder = runs.folder(RUN)
    (folder.path / CORPUS).mkdir()
    (folder.path / CORPUS / "own.md").write_text("mine", "utf-8")
    before = folder.journal.read_bytes()
    records = load(folder.path)
    name = new_runs.branch_off(runs, folder, records, 200)
    assert name != RUN
    assert (runs.root / name / CORPUS / "own.md").read_text("utf-8") == "mine"
    assert folder.journal.read_bytes() == before
    branch = StoredRuns(runs.root).branches_of(run_id_of(records))
    assert [run.address for run in branch] == [name]
    for attachment in state_at(records).tree.attachments.values():
        assert runs.folder(name).files.read(attachment.path) == folder.files.read(attachment.path)
    worker = runs.open(name, by=Visitor("tab"))
    try:
        wait_until(lambda: not worker.busy, 30)
        assert worker.records[: branch[0].parted] == records[: branch[0].parted]
    finally:
        worker.close()


def test_a_branch_that_cannot_be_made_leaves_nothing(runs: Runs) -> None:
    with pytest.raises(InputError):
        new_runs.branch_off(runs, runs.folder(RUN), load(runs.folder(RUN).path), 1)
    assert [path.name for path in runs.root.iterdir()] == [RUN]


def test_a_file_becomes_a_run_under_an_address_that_nobody_can_guess(runs: Runs) -> None:
    data = new_runs.packed(runs, runs.folder(RUN))
    one, two = (new_runs.open_file(runs, "run.zip", data)[0] for _ in range(2))
    assert len({RUN, one, two}) == 3
    assert load(runs.folder(one).path) == load(runs.folder(RUN).path)
    opened = runs.look(one, by=Visitor("tab"))
    assert not opened.takes_orders
    with pytest.raises(InputError, match="damaged zip"):
        new_runs.open_file(runs, "../../run.zip", data[:1000])
    assert {path.name for path in runs.root.iterdir()} == {RUN, one, two}


def test_a_run_is_deleted_unless_somebody_writes_it(runs: Runs) -> None:
    other = new_runs.branch_off(runs, runs.folder(RUN), load(runs.folder(RUN).path), 100)
    with (
        Session.open(runs.folder(other).path, lambda begun: parts(settings=Settings(engine="scripted"))),
        pytest.raises(LockedError),
    ):
        discard(runs, other, owner="tab")
    discard(runs, other, owner="tab")
    assert {path.name for path in runs.root.iterdir()} == {RUN, TRASH}
    for name in ("../" + RUN, "0" * 32, ""):
        with pytest.raises(InputError):
            discard(runs, name, owner="tab")


@pytest.mark.parametrize(
    ("goal", "name"),
    [
        ("Where was it launched?", "memorybank-1970-01-02-Where-was-it-launched.zip"),
        ("中国天眼 FAST 何时落成？", "memorybank-1970-01-02-中国天眼-FAST-何时落成.zip"),
        ("../../etc/passwd\x00\u202e", "memorybank-1970-01-02-etc-passwd.zip"),
        ("", "memorybank-1970-01-02-run.zip"),
    ],
)
def test_a_saved_run_is_named_by_its_task(goal: str, name: str) -> None:
    assert new_runs.file_name(goal, ".zip", 100_000.0) == name
