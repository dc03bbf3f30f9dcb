"""A session from start to finish on a scripted engine: stages, conflicts, merges, undo, resume, fork, bad input."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from memorybank import MemoryBank, Settings, offline_parts
from memorybank.embedding.hashed import HashedNgrams
from memorybank.errors import InputError, JournalError
from memorybank.memory.contracts import StatedVerdict
from memorybank.memory.events import AgentCalled, CandidatesRetrieved, ConflictFound, NodesMerged, StageFinished
from memorybank.memory.types import ConflictStatus, TaskType
from memorybank.runs.export import fingerprint, to_json
from memorybank.runs.run_folder import load, state_at
from memorybank.session.session import Session
from memorybank.views.memory.conflict_life import lives
from tests.scripted import finished, parts, source, start

WILLOW = "willow qubits: 105\n\nsycamore qubits: 53\n"
WRONG = "willow qubits: 98\n"
MAKER = "willow maker: Google\n"


def summaries(session: Session) -> list[str]:
    return [node.summary for node in session.bank.graph.nodes.values()]


def test_a_conflict_is_found_checked_and_merged(run_dir: Path) -> None:
    with start(
        run_dir, WILLOW, WRONG, MAKER, goal="How many qubits has Willow?", world={"willow qubits": "105"}
    ) as session:
        result = session.run()
        bank = session.bank

    assert result.result == "complete"
    assert result.engine == "scripted"
    assert [record.event.stage for record in session.records if isinstance(record.event, StageFinished)] == [
        *("receive", "classify", "structure", "file", "analyse"),
        *("plan", "enhance", "execute", "intercept", "resolve", "analyse"),
        *("plan", "enhance", "execute", "intercept", "plan", "finish"),
    ]
    (conflict,) = bank.conflicts.all.values()
    assert (conflict.status, conflict.winner, conflict.value) == (ConflictStatus.RESOLVED, "left", "105")
    assert sorted(summaries(session)) == ["sycamore qubits: 53", "willow maker: Google", "willow qubits: 105"]
    (merge,) = bank.tree.merge_events.values()
    assert merge.trigger == "conflict"
    assert set(bank.tree.sources_of(merge.new_node_id)) == {"note1.txt", "note2.txt"}
    assert {bank.tree.entries[span.entry_id].kind for span in bank.tree.validations[merge.new_node_id]} == {
        "transcript"
    }
    assert [task.type for task in bank.doc.completed_tasks] == [TaskType.CROSS_VALIDATE, TaskType.NORMAL]
    assert bank.doc.pending_tasks == ()


def test_every_pair_is_judged_once(run_dir: Path) -> None:
    with start(run_dir, *(f"topic {n} size: {n}\n" for n in range(6))) as session:
        session.run()
        seen = [
            frozenset((record.event.node_id, hit.node_id))
            for record in session.records
            if isinstance(record.event, CandidatesRetrieved)
            for hit in record.event.hits
        ]
    assert len(seen) == len(set(seen)) > 0
    assert session.result.result == "filed"


@pytest.mark.parametrize(
    ("world", "status", "left_over"),
    [
        ({"willow qubits": "98"}, ConflictStatus.RESOLVED, ["willow qubits: 98"]),
        ({"willow qubits": "72"}, ConflictStatus.BOTH_WRONG, ["willow qubits: 72"]),
        ({}, ConflictStatus.INCONCLUSIVE, ["willow qubits: 105", "willow qubits: 98"]),
    ],
)
def test_verdicts(run_dir: Path, world: dict[str, str], status: ConflictStatus, left_over: list[str]) -> None:
    session = finished(run_dir, "willow qubits: 105\n", WRONG, goal="How many?", world=world)
    result = session.result
    (conflict,) = session.bank.conflicts.all.values()
    assert conflict.status is status
    assert summaries(session) == left_over
    assert result.result == "complete"
    assert bool(session.bank.disputed()) == (status is ConflictStatus.INCONCLUSIVE)


@pytest.mark.parametrize(("tokens", "rounds"), [(8_000, 1), (500, 2)])
def test_all_open_conflicts_that_fit_are_checked_in_one_round(run_dir: Path, tokens: int, rounds: int) -> None:
    texts = [
        "willow qubits: 105\n",
        "willow qubits: 98\n",
        "willow qubits: 72\n",
        "bridge metres: 31\n",
        "bridge metres: 29\n",
    ]
    world = {"willow qubits": "98", "bridge metres": "31"}
    settings = replace(parts().settings, prompt_tokens=tokens)
    session = finished(
        run_dir,
        *(f"{text}{'Of it more is told. ' * 20}\n" for text in texts),
        goal="How many?",
        world=world,
        settings=settings,
    )
    assert len(session.bank.conflicts.all) == 4
    checked = [task for task in session.bank.doc.completed_tasks if task.type is TaskType.CROSS_VALIDATE]
    assert len(checked) == rounds
    assert [summary.split("\n")[0] for summary in summaries(session)] == ["willow qubits: 98", "bridge metres: 31"]


def test_direct_merge_and_its_presets(run_dir: Path, tmp_path: Path) -> None:
    texts = ["willow maker: Google\nwillow year: 2024\n", "willow maker: Google\n"]
    session = finished(run_dir, *texts)
    assert summaries(session) == ["willow maker: Google\nwillow year: 2024"]

    final = parts().settings.with_preset("final")
    session = finished(tmp_path / "final", *texts, settings=final)
    assert len(session.bank.graph.nodes) == 2, "without the relation, nothing is merged directly"

    v3 = parts().settings.with_preset("v3")
    session = finished(tmp_path / "v3", *texts, "willow colour: blue\n", settings=v3)
    assert len(session.bank.graph.nodes) == 2
    asked = [r.event for r in session.records if isinstance(r.event, AgentCalled) and r.event.role == "analysis"]
    assert len(asked) == 2, "two stages ask a second time for a node that is neither in conflict nor merged"


@pytest.mark.parametrize("by_hand", [False, True])
def test_a_conflict_outlives_the_merge_whose_node_it_was_found_with(run_dir: Path, by_hand: bool) -> None:
    """It goes on with a source of the merge: the check, or a person's verdict, unites that one with the other side."""
    united = ["qubits: 105\nmaker: Google\n", "maker: Google\nyear: 2024\n"]
    with start(run_dir, *united, goal="How many?", world={"qubits": "105"}) as session:
        while not session.bank.graph.merges:
            session.step()
        session.add(source("qubits: 98\nmaker: Google\n", "late.txt"))
        while not session.bank.conflicts.open():
            session.step()
        (found,) = session.bank.conflicts.all.values()
        merge = next(iter(session.bank.graph.merges.values()))
        assert merge.new_node_id in found.node_ids
        session.undo_merge(merge.event_id)
        (carried,) = session.bank.conflicts.open()
        assert carried.node_ids == (merge.sources[0].id, found.node_ids[1])
        assert session.bank.disputed().keys() == set(carried.node_ids)
        if by_hand:
            verdict = StatedVerdict(
                conflict=found.id, status=ConflictStatus.RESOLVED, winner="left", value="105", reasoning="read it"
            )
            session.resolve(verdict)
        session.run()
        (closed,) = session.bank.conflicts.all.values()
        assert closed.status is ConflictStatus.RESOLVED
        left = session.bank.graph.gone[carried.node_ids[0]]
        assert left == session.bank.graph.gone[carried.node_ids[1]]
        assert fingerprint(state_at(load(run_dir))) == fingerprint(session.bank)
        steps = [step.kind for step in lives(session.records)[found.id]]
        assert steps[-2:] == ["closed", "merged"], steps


def test_run_until_stops_at_a_border_and_pause_before_the_next_call(run_dir: Path) -> None:
    with start(run_dir, WILLOW, WRONG, goal="How many?", world={"willow qubits": "105"}) as session:
        report = session.run_until(lambda done: any(isinstance(fact, ConflictFound) for fact in done.facts))
        assert report.stage == "analyse"
        assert session.next_stage == "plan"
        session.pause()
        assert session.step() is None
        session.unpause()
        report = session.run_until(lambda done: any(isinstance(fact, NodesMerged) for fact in done.facts))
        assert report is not None
        assert session.run().result == "complete"


def test_a_fork_shares_the_past_and_goes_its_own_way(run_dir: Path, tmp_path: Path) -> None:
    with start(run_dir, "willow qubits: 105\n", WRONG, goal="How many?", world={"willow qubits": "105"}) as session:
        session.run()
        border = next(r.seq for r in session.records if isinstance(r.event, ConflictFound))
        with pytest.raises(InputError, match="no stage had finished"):
            session.fork(0, tmp_path / "early")
        fork = session.fork(border + 3, tmp_path / "fork")
    before = len(load(run_dir))
    with Session.open(fork, lambda _: parts(world={"willow qubits": "98"})) as branch:
        branch.run()
        assert summaries(branch) == ["willow qubits: 98"]
        assert branch.bank.forked_from.parent_run_id == session.bank.settings.run_id  # type: ignore[union-attr]
    assert len(load(run_dir)) == before


def test_bad_input_begins_no_run(run_dir: Path) -> None:
    with pytest.raises(InputError, match="give a task"):
        Session.start(run_dir, parts(), goal="  ")
    with pytest.raises(InputError, match=r"photo\.png"):
        Session.start(run_dir, parts(), goal="Read it", images=[("photo.png", b"not an image")])
    assert not (run_dir / "journal.jsonl").exists()
    with start(run_dir, MAKER):
        pass
    with pytest.raises(JournalError, match="already holds a run"):
        start(run_dir, MAKER)


def test_a_verdict_waits_until_a_rounds_outcome_is_in(run_dir: Path) -> None:
    with start(run_dir, WILLOW, WRONG, goal="How many qubits has Willow?", world={"willow qubits": "105"}) as session:
        session.run_until(lambda report: report.stage == "execute")
        (conflict,) = session.bank.conflicts.open()
        false_alarm = StatedVerdict(conflict=conflict.id, status=ConflictStatus.FALSE_ALARM, reasoning="two chips")
        with pytest.raises(InputError, match="run to the next plan"):
            session.resolve(false_alarm)
        session.run()
        assert session.bank.conflicts.all[conflict.id].closed_by != "user"


@pytest.mark.parametrize("clock", [-86_400.0, 0.0, 253_402_300_800.0, 1e300])
def test_a_clock_out_of_range_makes_a_run_that_reads_back(
    run_dir: Path, monkeypatch: pytest.MonkeyPatch, clock: float
) -> None:
    monkeypatch.setattr("time.time", lambda: clock)
    with start(run_dir, "willow qubits: 105\n", goal="How many qubits has Willow?") as session:
        session.run()
        session.export()
        written = list(session.records)
    records = load(run_dir)
    assert records == written
    assert state_at(records).progress.result
    memory = (run_dir / "memory.json").read_text("utf-8")
    with Session.start(run_dir.parent / "again", parts(), memory=memory) as session:
        assert session.bank.graph.nodes


# -- the final specification's entry: a text in, the layers out, a file that another run begins with ------------------


SETTINGS = Settings(embedding_model="hashed-ngrams")
CONTEXT = "The Harnby lighthouse is 34 metres tall. It was built in 1861 by the harbour board."


@pytest.fixture
def bank(tmp_path: Path) -> MemoryBank:
    return MemoryBank(SETTINGS, folder=str(tmp_path / "run"))


def test_a_text_goes_in_and_the_layers_come_out_and_a_second_one_asks_on(bank: MemoryBank, tmp_path: Path) -> None:
    result = bank.run(f"Context: {CONTEXT}\n\nQuestion: How tall is the Harnby lighthouse?")
    assert result["insight_doc"]["task_goal"] == "How tall is the Harnby lighthouse?"
    assert result["insight_doc"]["completed_tasks"]
    assert not result["insight_doc"]["pending_tasks"]
    assert "34 metres" in result["answer"]
    assert any("34 metres" in node["summary"] for node in result["query_graph"]["nodes"])
    assert any(CONTEXT in entry["text"] for entry in result["interaction_tree"]["entries"])
    again = bank.run("Context: The Harnby lighthouse was painted red in 1920.\n\nQuestion: When was it painted red?")
    assert "1920" in again["answer"]
    assert len(again["query_graph"]["nodes"]) > len(result["query_graph"]["nodes"])
    bank.export_memory(tmp_path / "memory.json")
    exported = json.loads((tmp_path / "memory.json").read_text("utf-8"))
    assert exported == {name: again[name] for name in exported}
    parts = offline_parts(SETTINGS, "en", HashedNgrams())
    with Session.start(tmp_path / "next", parts, goal="Go on", memory=json.dumps(exported)) as session:
        assert to_json(session.bank)["query_graph"] == exported["query_graph"]


def test_what_cannot_be_asked_leaves_nothing(bank: MemoryBank) -> None:
    with pytest.raises(InputError):
        bank.run("Context: The lighthouse is 34 metres tall.\n\nQuestion: ")
    assert not bank.folder.exists()
    with pytest.raises(JournalError):
        bank.export_memory(bank.folder.with_suffix(".json"))


def test_without_a_folder_each_has_one_of_its_own_where_the_app_keeps_its_runs(tmp_path: Path) -> None:
    settings = Settings(embedding_model="hashed-ngrams", storage_dir=tmp_path)
    first, second = MemoryBank(settings).folder, MemoryBank(settings).folder
    assert first.parent == second.parent == tmp_path
    assert first != second
