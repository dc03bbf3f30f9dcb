"""The life of a conflict as its records tell it: every step, in order, each with the events it rests on."""

from __future__ import annotations

from pathlib import Path

from memorybank.memory import events
from memorybank.memory.contracts import StatedVerdict
from memorybank.memory.types import ConflictId, ConflictStatus, EntryId, Lang, MergeEventId, NodeId, Task, TaskType
from memorybank.runs.run_folder import load, state_at
from memorybank.views.memory.conflict_life import LifeStep, lives
from tests import scripted
from tests.made_events import recorded
from tests.recorded import recorded_run

C1 = ConflictId("c1")


def test_every_conflict_of_a_recorded_run_has_its_life(lang: Lang) -> None:
    records = load(recorded_run(lang).path)
    found, bank = lives(records), state_at(records)
    assert found.keys() == bank.conflicts.all.keys()
    for conflict_id, steps in found.items():
        conflict = bank.conflicts.all[conflict_id]
        kinds = [step.kind for step in steps]
        if "planned" not in kinds:  # the verdict on another conflict stands for it
            assert kinds == ["found", "closed", *(["merged"] if conflict.status.merges else [])]
            continue
        assert kinds[:4] == ["found", "planned", "checked", "closed"]
        assert kinds[4:] == (["merged"] if conflict.status.merges else [])
        assert [step.place.seq for step in steps] == sorted(step.place.seq for step in steps)
        found_, planned, checked, closed = steps[:4]
        assert found_.nodes == conflict.node_ids
        assert closed.status is conflict.status
        assert closed.who == conflict.closed_by
        # What a step rests on is what it says it is.
        event = records[found_.call - 1].event
        assert isinstance(event, events.AgentCalled)
        assert event.role == "analysis"
        said = [one["conflict_description"] for one in event.answer["relationships"]]
        assert conflict.description in said
        assert not planned.call, "planned by rule"
        assert isinstance(records[checked.prompt - 1].event, events.PromptEnhanced)
        assert checked.transcript is not None
        assert bank.tree.entries[checked.transcript].kind == "transcript"
        used = [one for one in records[checked.prompt : checked.place.seq] if isinstance(one.event, events.ToolUsed)]
        assert checked.tools == len(used) > 0
        if conflict.status.merges:
            merged = steps[4]
            assert merged.merge in bank.tree.merge_events
            assert bank.graph.successor(conflict.node_ids[0]) == bank.graph.successor(merged.nodes[0])
            assert records[merged.call - 1].event.role == "integration"


def test_at_a_past_moment_a_life_is_as_long_as_it_was() -> None:
    records = load(recorded_run("en").path)
    whole = lives(records)[C1]
    finished = [record.seq for record in records if isinstance(record.event, events.StageFinished)]
    for step in whole:
        committed = next(seq for seq in finished if seq >= step.place.seq)
        assert step not in lives(records[: committed - 1]).get(C1, ()), "it was not committed yet"
        assert lives(records[:committed])[C1] == tuple(one for one in whole if one.place.seq <= committed)
    assert lives([]) == {}


# -- made by hand: what the demo does not do ---------------------------------------------------------------------------

N1, N2 = NodeId("n1"), NodeId("n2")
TASK = Task(type=TaskType.CROSS_VALIDATE, description="check it", conflict_ids=(C1,))


def found() -> list[object]:
    return [
        events.StageStarted(stage="analyse", round=0),
        events.ConflictFound(conflict_id=C1, node_ids=(N1, N2), description="they differ"),
        events.StageFinished(stage="analyse", round=0),
    ]


def failed_round(round_: int, *closing: object) -> list[object]:
    executed = events.TaskExecuted(
        executor="ReAct agent", answer="", transcript=EntryId("e1"), failure="no answer came"
    )
    return [
        events.PlanUpdated(next_task=TASK, reasoning=""),
        events.StageFinished(stage="plan", round=round_),
        events.StageStarted(stage="execute", round=round_ + 1),
        executed,
        events.StageFinished(stage="execute", round=round_ + 1),
        events.ConflictAttempted(conflict_id=C1),
        *closing,
        events.ContextIntercepted(route="failed"),
        events.StageFinished(stage="intercept", round=round_ + 1),
    ]


def kinds(steps: tuple[LifeStep, ...]) -> list[str]:
    return [step.kind for step in steps]


def test_two_failed_checks_and_what_went_wrong() -> None:
    closed = events.ConflictClosed(
        conflict_id=C1, status=ConflictStatus.INCONCLUSIVE, reason="twice", closed_by="ReAct agent"
    )
    steps = lives(recorded(*found(), *failed_round(1), *failed_round(2, closed)))[C1]
    assert kinds(steps) == [
        "found", "planned", "checked", "attempted", "planned", "checked", "attempted", "closed",
    ]  # fmt: skip
    assert [step.words for step in steps if step.kind == "attempted"] == ["no answer came"] * 2
    assert steps[2].place.round == 2
    assert steps[2].prompt == 0, "there was no prompt"
    assert steps[0].call == 0, "there was no call"


def test_a_stated_verdict_and_an_undone_merge(tmp_path: Path) -> None:
    """By the product's own path: state a verdict before the check, then take the merge back, and again."""
    with scripted.start(tmp_path / "run", "qubits: 1", "qubits: 2", goal="How many?") as session:
        session.run_until(lambda report: report.stage == "plan")
        conflict = session.bank.conflicts.all[C1]
        session.resolve(StatedVerdict(conflict=C1, status=ConflictStatus.RESOLVED, winner="left", value="1"))
        session.run_until(lambda report: report.stage == "resolve")
        steps = lives(session.records)[C1]
        assert kinds(steps) == ["found", "planned", "stated", "closed", "merged"]
        assert (steps[2].who, steps[2].prompt) == ("user", 0)
        assert session.bank.tree.entries[steps[2].transcript or EntryId("")].source == "user"
        merge = steps[-1].merge
        assert merge is not None
        session.undo_merge(merge)
        *_, undone = lives(session.records)[C1]
        assert (undone.kind, undone.merge, undone.who) == ("undone", merge, "user")
        assert set(conflict.node_ids) <= set(undone.nodes)
        assert undone.status is session.bank.conflicts.all[C1].status is ConflictStatus.INCONCLUSIVE
        session.restore_merge(merge)
        session.run_until(lambda report: report.stage == "plan")
        session.tell_apart(C1)
        session.take_back(C1)
        session.undo_merge(merge)
        *_, again, told, back, gone = lives(session.records)[C1]
        assert kinds((again, told, back, gone)) == ["restored", "closed", "restored", "undone"]
        assert (again.merge, told.status, told.who, back.who) == (merge, ConflictStatus.FALSE_ALARM, "user", "user")


def test_a_call_is_named_only_when_it_says_the_conflicts_words() -> None:
    def call(description: object) -> events.AgentCalled:
        answer = {"relationships": [{"relationship": "conflict", "conflict_description": description}, "nonsense"]}
        return events.AgentCalled(role="analysis", engine="llm", key="k", outcome="ok", answer=answer)

    started, conflict, finished = found()
    steps = lives(recorded(started, call("others differ"), call("they differ"), conflict, finished))[C1]
    assert steps[0].call == 3
    assert lives(recorded(started, call(None), conflict, finished))[C1][0].call == 0
    assert MergeEventId("m1") not in [step.merge for step in steps]
