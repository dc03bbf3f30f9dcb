"""The guided tour: what it says is what happened, in both languages, on any run."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from memorybank.memory.events import (
    ConflictFound,
    NodeCreated,
    NodesMerged,
    PromptEnhanced,
    SessionFinished,
    StageFinished,
    TaskExecuted,
    ToolUsed,
)
from memorybank.memory.types import Lang
from memorybank.runs.journal import Record
from memorybank.runs.run_folder import load
from memorybank.ui.tour import steps as module
from memorybank.ui.tour.steps import TourStep, build_tour
from memorybank.views.i18n import catalogue, t
from tests import scripted
from tests.recorded import recorded_run

HOSTILE = "<img src=x onerror=alert(1)> {goal} $a$ :red[b] \x00‮"


def sentence(step: TourStep, lang: Lang) -> str:
    return t(f"tour.{step.kind}", lang, **step.values)


def stage_of(records: list[Record[Any]], step: TourStep) -> list[Any]:
    """The events of the stage that a step tells of."""
    begun = max((one.seq for one in records[: step.seq - 1] if isinstance(one.event, StageFinished)), default=0)
    return [one.event for one in records[begun : step.seq]]


def count(events: list[Any], kind: type[Any]) -> int:
    return sum(isinstance(event, kind) for event in events)


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_a_demo_is_told_from_the_task_to_the_answer(lang: Lang) -> None:
    records = load(recorded_run(lang).path)
    tour = build_tour(records)
    assert 12 <= len(tour) <= 25, "one sentence a stage, and none twice"
    assert len({step.kind for step in tour}) == len(tour)
    assert [step.seq for step in tour] == sorted(step.seq for step in tour)
    assert (tour[0].kind, tour[-1].kind) == ("receive_both", "finish_complete")
    stages = {step.stage for step in tour}
    assert {"classify", "structure", "file", "analyse", "plan", "enhance", "execute", "intercept", "resolve"} <= stages
    for step in tour:
        commit = records[step.seq - 1].event
        assert isinstance(commit, StageFinished), "the moment is one at which its facts are true"
        assert commit.stage == step.stage
        said = {one: sentence(step, one) for one in ("en", "zh")}
        assert re.search("[\u4e00-\u9fff]", said["zh"])
        assert not re.search(r"[{}]|\b0 (nodes|sources|conflicts)\b", said["en"])

    told = {step.kind: step for step in tour}
    assert told["file"].values["count"] == count(stage_of(records, told["file"]), NodeCreated)
    found = stage_of(records, told["analyse_conflict"])
    assert told["analyse_conflict"].values["count"] == count(found, ConflictFound)
    first = next(event for event in found if isinstance(event, ConflictFound))
    assert told["analyse_conflict"].closer == f"conflict:{first.conflict_id}"
    assert str(told["analyse_conflict"].values["description"]).rstrip("…") in first.description
    searched = stage_of(records, told["execute"])
    assert told["execute"].values["tools"] == count(searched, ToolUsed)
    done = next(event for event in searched if isinstance(event, TaskExecuted))
    assert told["execute"].values["count"] == len(set(done.materials)) > 0, "its own transcript is no source"
    prompt = next(event for event in stage_of(records, told["enhance"]) if isinstance(event, PromptEnhanced))
    assert told["enhance"].values["count"] == sum(part.node_id is not None for part in prompt.parts) > 0
    settled = [step for kind, step in told.items() if kind.startswith("resolve_resolved")]
    assert settled, "the demo settles a conflict"
    merges = [event for event in stage_of(records, settled[0]) if isinstance(event, NodesMerged)]
    assert settled[0].values["nodes"] == sum(len(merge.merged_node_ids) for merge in merges)


def test_a_tour_of_a_run_that_goes_on_grows_at_its_end() -> None:
    records = load(recorded_run("en").path)
    borders = [one.seq for one in records if isinstance(one.event, StageFinished)]
    before: tuple[TourStep, ...] = ()
    for k in borders:
        now = build_tour(records[:k])
        assert now[: len(before)] == before, "no step is taken back while the first task is worked on"
        assert build_tour(records[: k - 1]) == before, "a stage at work is not told"
        before = now
    assert build_tour([]) == ()


def test_a_run_without_a_conflict_and_with_a_hostile_task(run_dir: Path) -> None:
    with scripted.start(run_dir, "qubits: 105\nmaker: Google", goal=f"{HOSTILE} How many qubits?") as session:
        session.run()
        tour = build_tour(session.records)
    kinds = [step.kind for step in tour]
    assert kinds[0] == "receive_both"
    assert kinds[-1].startswith("finish_")
    assert not any("conflict" in kind or "check" in kind or kind.startswith("resolve") for kind in kinds)
    assert "<img src=x onerror=alert(1)> {goal}" in sentence(tour[0], "en"), "as text, and no place for a value"
    assert "\x00" not in sentence(tour[0], "zh")


def test_documents_without_a_task(run_dir: Path) -> None:
    with scripted.start(run_dir, "qubits: 105", "qubits: 127", goal="") as session:
        session.run()
        ends = [one.event.result for one in session.records if isinstance(one.event, SessionFinished)]
        tour = build_tour(session.records)
    assert tour[0].kind == "receive_sources"
    assert tour[0].values["count"] == 2
    assert tour[-1].kind == f"finish_{ends[-1]}"


def test_every_sentence_is_told_by_something_and_everything_told_has_its_sentence() -> None:
    source = Path(module.__file__).read_text("utf-8")
    stages = ("receive", "classify", "structure", "file", "analyse", "plan", "enhance", "execute", "intercept", "undo")
    one_word = {"classify", "structure", "file", "enhance", "execute", "intercept", "undo"}
    literal = one_word | set(re.findall(rf'"((?:{"|".join(stages)})_\w+|resolve_\w+)"', source))
    literal |= {f"{kind}_many" for kind in module._OF_MANY} | {"resolve_inconclusive"}
    known = {key.removeprefix("tour.").removesuffix(".one") for key in catalogue("en") if key.startswith("tour.")}
    sentences = {key for key in known if key.split("_")[0] in (*stages, "resolve")}
    assert literal == sentences
    results = {"complete", "complete_with_failures", "out_of_rounds", "filed", "filed_with_failures"}
    assert {f"finish_{result}" for result in results} <= known
