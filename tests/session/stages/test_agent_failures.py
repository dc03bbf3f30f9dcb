"""An agent without a usable answer fails its round's task; what it left undone is told, and can be done again."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from memorybank.errors import InputError
from memorybank.memory.events import PromptEnhanced, TaskFailed
from memorybank.memory.types import AgentFailure, Lang, TaskStatus
from memorybank.prompts import say
from memorybank.runs.export import fingerprint
from memorybank.runs.run_folder import load, state_at
from memorybank.session.effects import Effects
from memorybank.session.executors.base import Assignment, Execution
from memorybank.session.session import Session
from memorybank.session.stages.agent_failures import Refiled
from tests.scripted import Failing, WorldExecutor, parts, source, start

TEXTS = (
    "willow qubits: 105\n\nsycamore qubits: 53\n\nlane length: 4\n",
    "willow qubits: 98\n",
    "lane length: 4\nlane width: 2\n",
)
GOAL = "How many qubits has Willow?"
WORLD = {"willow qubits": "105"}

Pick = Callable[[Any], bool]

ONE: dict[str, Pick] = {
    "classification": lambda given: any("width" in each.text for each in given.texts),
    "structure": lambda given: "sycamore" in given.content,
    "analysis": lambda given: any("98" in one.new.summary for one in given.comparisons),
    "integration": lambda given: given.trigger == "merge",
    "planning": lambda given: given.finished is not None and given.finished.type == "CROSS_VALIDATE",
}
"""One call of several, by agent."""


def play(folder: Path, failing: dict[str, Pick], *, goal: str = GOAL, lang: Lang = "en") -> Session:
    session = start(folder, *TEXTS, goal=goal, world=WORLD, lang=lang, failing=failing)
    session.run()
    return session


def failed_of(session: Session) -> list[AgentFailure]:
    events = [record.event for record in session.records if isinstance(record.event, TaskFailed)]
    assert all(one.task.status is TaskStatus.FAILED for one in events)
    return [failure for one in events for failure in one.agents]


def planner_was_told(session: Session, words: str) -> bool:
    """In a later plan: of the task that was just finished, or of those before it."""
    planning = session.parts.engine.planning
    assert isinstance(planning, Failing)
    return any(
        words in text
        for given in planning.asked
        for text in (given.finished.failure if given.finished else "", *(one.context for one in given.completed_tasks))
    )


@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize("which", ["always", "one"])
@pytest.mark.parametrize("agent", list(ONE))
def test_a_failed_agent_fails_its_rounds_task(run_dir: Path, agent: str, which: str, lang: Lang) -> None:
    picks: dict[str, Pick] = {"planning": lambda given: False}
    picks[agent] = ONE[agent] if which == "one" else lambda given: True
    with play(run_dir, picks, lang=lang) as session:
        result, bank = session.result, session.bank
        (first, *_) = found = failed_of(session)

        assert result.result == "complete_with_failures"
        assert {one.agent for one in found} == {agent}
        assert first.reason == "no JSON in two tries"
        assert (first.failed < first.calls) == (which == "one" and agent not in ("planning", "integration"))
        name = say(f"agent_{agent}", lang)
        contexts = [task.context for task in bank.doc.completed_tasks if task.status is TaskStatus.FAILED]
        assert all(name in context and first.reason in context for context in contexts)
        assert agent == "planning" or planner_was_told(session, first.reason)
        prompts = [one.event.prompt for one in session.records if isinstance(one.event, PromptEnhanced)]
        assert agent == "planning" or any(first.reason in prompt for prompt in prompts)
        assert result.notes[0] == say("note_failed_tasks", lang, count=len(contexts))
        answer = run_dir / "answer.md"
        assert not result.answer or result.notes[0] in answer.read_text("utf-8")

        nodes = len(bank.graph.nodes)
        assert (nodes == 0) == (which == "always" and agent in ("classification", "structure"))
        assert bool(bank.unfiled_text()) == (agent in ("classification", "structure"))
        assert bool(bank.uncompared()) == (agent == "analysis" or (agent == "integration" and nodes > 0))
        assert fingerprint(state_at(load(run_dir))) == fingerprint(bank)


@pytest.mark.parametrize(
    ("when", "texts"),
    [("first", TEXTS[2:]), ("first", ()), ("middle", TEXTS), ("middle", ()), ("always", TEXTS), ("always", TEXTS[2:])],
)
def test_a_planner_without_a_plan_fails_its_task_and_the_goal_is_answered(
    run_dir: Path, when: str, texts: tuple[str, ...]
) -> None:
    """A check that follows without choice is made first; the task of the round is failed, and says what it brought."""
    picks: dict[str, Pick] = {
        "first": lambda given: given.finished is None,
        "middle": lambda given: given.finished is not None,
        "always": lambda given: True,
    }
    with start(run_dir, *texts, goal=GOAL, world=WORLD, failing={"planning": picks[when]}) as session:
        session.run()
        bank, planning = session.bank, session.parts.engine.planning
    assert isinstance(planning, Failing)
    assert len(planning.asked) == (2 if when == "middle" and not texts else 1)
    assert session.result.result == "complete_with_failures"
    assert session.result.answer.startswith("Done: ")
    assert not bank.conflicts.open()
    failed, answered = bank.doc.completed_tasks[-2:]
    assert [task.status for task in bank.doc.completed_tasks].count(TaskStatus.FAILED) == 1
    assert (failed.status, answered.status) == (TaskStatus.FAILED, TaskStatus.SUCCESS)
    assert "no JSON in two tries" in failed.context
    by_round = when == "middle" or texts == TEXTS
    assert failed.context.endswith((f"Done: {failed.description}", "c1: checked. Holds: 105.")) == by_round
    assert (failed.description == say("task_plan", "en")) == (not by_round)
    with Session.open(run_dir, lambda _: parts(world=WORLD)) as again:
        assert again.run().answer == session.result.answer
        again.ask("How long is the lane?")
        assert again.run().answer
        assert [task.status for task in again.bank.doc.completed_tasks].count(TaskStatus.FAILED) <= 1


def test_without_a_planner_and_an_answer_a_session_ends(run_dir: Path) -> None:
    class Mute:
        name = "world"

        def run(self, given: Assignment, fx: Effects) -> Execution:
            return Execution(answer="", transcript=given.prompt, failure="no words")

    with start(run_dir, *TEXTS, goal=GOAL, executor=Mute(), failing={"planning": lambda given: True}) as session:
        session.run()
    assert session.result.result == "complete_with_failures"
    assert session.result.answer == ""
    tasks = [task.description for task in session.bank.doc.completed_tasks]
    assert sum(task.startswith(say("task_answer", "en", how="").rstrip()) for task in tasks) == 2


@pytest.mark.parametrize("agent", ["classification", "structure", "analysis", "integration"])
@pytest.mark.parametrize("which", ["always", "one"])
def test_what_failed_is_done_again_once_the_agent_works(run_dir: Path, tmp_path: Path, agent: str, which: str) -> None:
    with play(tmp_path / "sound", {}, goal="") as session:
        expected = sorted(node.summary for node in session.bank.graph.nodes.values())
        edges, found = len(session.bank.graph.edges()), len(session.bank.conflicts.all)
    failing: dict[str, Pick] = {agent: ONE[agent] if which == "one" else lambda given: True}
    with play(run_dir, failing, goal="") as session:
        assert session.result.result == "filed_with_failures"
        assert session.result.notes
        before = len(session.records)
        again = session.refile()
        assert again != Refiled()
        assert session.refile() == Refiled(), "it waits already"
        session.run()
        assert session.result.result == "filed_with_failures", (
            "the agent fails as before: nothing loops, nothing is lost"
        )
        assert session.refile() == again
        assert len(session.records) > before
    with Session.open(run_dir, lambda _: parts(world=WORLD)) as session:
        session.run()
        assert session.result.result == "filed"
        assert session.result.notes == ()
        assert session.refile() == Refiled()
        assert sorted(node.summary for node in session.bank.graph.nodes.values()) == expected
        assert len(session.bank.conflicts.all) == found
        assert len(session.bank.graph.edges()) >= edges
        spans = [span for node_id in session.bank.graph.nodes for span in session.bank.tree.spans[node_id]]
        assert len(spans) == len(set(spans)), "no text is filed twice"
        assert fingerprint(state_at(load(run_dir))) == fingerprint(session.bank)


def test_a_source_that_is_given_again_is_filed_with_what_failed_of_it(run_dir: Path) -> None:
    with play(run_dir, {"classification": ONE["classification"]}, goal="") as session:
        failing = session.parts.engine.classification
        assert isinstance(failing, Failing)
        failing.when = lambda given: False
        session.add(source(TEXTS[2], "again.txt"))
        assert session.run().result == "filed"
        assert session.refile() == Refiled()


def test_only_what_failed_is_filed_again_unless_entries_are_named(run_dir: Path) -> None:
    """The answer, the transcripts and a source that was read to check a conflict stay where they are."""
    failing = {"structure": ONE["structure"]}
    executor = WorldExecutor(WORLD)
    session = start(run_dir, *TEXTS, goal=GOAL, executor=executor, failing=failing)
    with session:
        session.run()
        tree = session.bank.tree
        (entry_id,) = {span.entry_id for span in session.bank.unfiled_text()}
        with pytest.raises(InputError, match="no entry 'e99'"):
            session.refile("e99")  # type: ignore[arg-type]
        others = [one for one in tree.entries if one != entry_id]
        assert session.refile(*others) == Refiled(), "filed or not to be filed"
        assert session.refile(entry_id).entry_ids == (entry_id,)
