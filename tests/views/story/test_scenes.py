"""The story of a run: its decisive scenes, on demos, recorded runs, runs that fail, long ones and imported memory."""

from __future__ import annotations

import re
from collections import Counter
from itertools import groupby
from pathlib import Path
from typing import Any

import pytest

from memorybank.hosting.ready_tasks import recorded_runs
from memorybank.memory.events import (
    ConflictClosed,
    ConflictFound,
    NodeCreated,
    SessionFinished,
    StageFinished,
    ToolUsed,
)
from memorybank.runs.archive import unpack
from memorybank.runs.journal import Record
from memorybank.runs.run_folder import RunFolder, load
from memorybank.session.session import Session
from memorybank.views.i18n import LANGUAGES
from memorybank.views.run.playback import Playback
from memorybank.views.story import Scene, build_scenes, scene_card, scene_seconds, scene_sentence
from memorybank.views.story.scenes import MOST_FAILED, MOST_WHOLE
from tests import scripted
from tests.boxes_read import words_of
from tests.recorded import recorded_run

HOSTILE = "<img src=x onerror=alert(1)> {goal} $a$ :red[b] \x00‮"
GOLDEN = sorted((Path(__file__).parents[2] / "data").glob("journal-*.jsonl"))


def kinds(scenes: tuple[Scene, ...]) -> list[str]:
    return [scene.kind for scene in scenes]


def runs_of_the_app(folder: Path) -> dict[str, list[Record[Any]]]:
    runs = {lang: list(load(recorded_run(lang).path)) for lang in ("en", "zh")}
    for recorded in (*recorded_runs("en"), *recorded_runs("zh")):
        run = RunFolder(folder / recorded.id)
        unpack(recorded.file, run)
        runs[recorded.id] = list(load(run.path))
    return runs


def check(records: list[Record[Any]], scenes: tuple[Scene, ...]) -> None:
    """What holds of every story."""
    playback = Playback()
    assert [scene.seq for scene in scenes] == sorted(scene.seq for scene in scenes)
    for scene in scenes:
        event = records[scene.seq - 1].event
        allowed = (StageFinished, *{"source": (ToolUsed,), "verdict": (ConflictClosed,)}.get(scene.kind, ()))
        assert isinstance(event, allowed), scene
        moment = playback.at(records, scene.seq)
        if scene.kind != "fold":
            known = moment.bank.graph.nodes.keys() | moment.bank.graph.gone.keys()
            assert known.issuperset(scene.nodes), "what it points at is on the graph"
        for lang in ("en", "zh"):
            sentence = scene_sentence(scene, lang)
            card = words_of(scene_card(scene, moment, lang), " ")
            assert not re.search(r"[{}]|None|  ", sentence.replace("{goal}", "x")), sentence
            assert 1.8 <= scene_seconds(scene, lang) <= 4.5
            assert "\x00" not in sentence
            for side in scene.sides if scene.kind != "fold" else ():
                assert side.value in card
        assert re.search("[\u4e00-\u9fff]", scene_sentence(scene, "zh"))


def test_the_story_of_every_run_that_comes_with_the_app(tmp_path: Path) -> None:
    for name, records in runs_of_the_app(tmp_path).items():
        scenes = build_scenes(records)
        check(records, scenes)
        assert 8 <= len(scenes) <= 20, name
        assert kinds(scenes)[0] == "task"
        assert kinds(scenes)[-1] == "answer"
        assert {"filed", "clash", "check", "source", "verdict"} <= set(kinds(scenes)), name
        assert sum(scene_seconds(scene, "en") for scene in scenes) < 60
        clash = kinds(scenes).index("clash")
        for lang in LANGUAGES:
            assert sum(scene_seconds(scene, lang) for scene in scenes[:clash]) < 6.5, "of the ten that may pass"
        first = scenes[clash].conflicts
        course = [kind for kind, _ in groupby(scene.kind for scene in scenes if scene.conflicts == first)]
        assert course[:4] == ["clash", "check", "source", "verdict"], "a dispute goes its way"
        ended = [record.event for record in records if isinstance(record.event, SessionFinished)]
        assert len(ended) == 1


def test_a_story_of_a_run_that_goes_on_grows_at_its_end() -> None:
    records = load(recorded_run("en").path)
    before: tuple[Scene, ...] = ()
    for k in (record.seq for record in records if isinstance(record.event, StageFinished)):
        assert build_scenes(records[: k - 1]) == before, "a stage at work is not shown"
        now = build_scenes(records[:k])
        assert now[: len(before)] == before, "no scene is taken back"
        before = now
    assert build_scenes([]) == ()


def test_forty_conflicts_in_thirty_rounds_make_a_story_that_a_room_can_bear(run_dir: Path) -> None:
    subjects = [f"{first}{second}" for first in "abcdefgh" for second in ("kav", "low", "mix", "nay", "puz")]
    texts = [f"{subject}: {value}" for value in (1, 2) for subject in subjects]
    world = {subject: "1" for place, subject in enumerate(subjects) if place % 5}
    records = scripted.finished(run_dir, *texts, goal="What is each?", world=world).records
    found = Counter(type(record.event) for record in records)
    scenes = build_scenes(records)
    assert found[ConflictFound] == len(subjects)
    check(records, scenes)
    shown = Counter(kinds(scenes))
    assert len(scenes) <= 22
    assert (shown["clash"], shown["verdict"]) == (MOST_WHOLE, MOST_WHOLE)
    rest = [scene.values for scene in scenes if scene.kind == "rest"]
    ruled = found[ConflictClosed] - MOST_WHOLE
    assert sum(int(str(values["count"])) for values in rest) == ruled
    assert len(rest) == 1
    assert scenes[-1].words == "answer_disputed"
    assert "Two memories contradict each other: akav differs" in scene_sentence(
        next(scene for scene in scenes if scene.kind == "clash"), "en"
    ), "an engine that names no values says it in its own words"


def test_a_run_without_a_conflict_and_with_a_hostile_task(run_dir: Path) -> None:
    records = scripted.finished(run_dir, "qubits: 105\nmaker: Google", goal=f"{HOSTILE} How many?").records
    scenes = build_scenes(records)
    check(records, scenes)
    assert kinds(scenes) == ["task", "filed", "answer"]
    assert "<img src=x onerror=alert(1)> {goal}" in scene_sentence(scenes[0], "en"), "as text, and no place for a value"


def test_documents_without_a_task_that_say_the_same(run_dir: Path) -> None:
    records = scripted.finished(run_dir, "qubits: 105", "qubits: 105\nmaker: Google", goal="").records
    scenes = build_scenes(records)
    check(records, scenes)
    assert [scene.words for scene in scenes] == ["task_sources", "filed_given", "fold_same", "answer_filed"]
    created = [one.event.node_id for one in records if isinstance(one.event, NodeCreated)]
    assert scenes[2].nodes == tuple(created)


def test_a_run_that_fails_says_so_and_not_at_every_step(run_dir: Path) -> None:
    failing = {"analysis": lambda _: True}
    texts = [f"qubits{number}: {number}" for number in range(4)]
    records = scripted.finished(run_dir, *texts, goal="How many?", failing=failing).records
    scenes = build_scenes(records)
    check(records, scenes)
    assert 1 <= kinds(scenes).count("failed") <= MOST_FAILED
    assert scenes[-1].words == "answer_complete_with_failures"


def test_a_check_that_fails_leaves_the_conflict_open_on_the_stage(run_dir: Path) -> None:
    executor = scripted.WorldExecutor(say=lambda given: "no verdict" if given.briefs else None)
    records = scripted.finished(run_dir, "qubits: 1", "qubits: 2", goal="How many?", executor=executor).records
    verdicts = [scene for scene in build_scenes(records) if scene.kind == "verdict"]
    assert [scene.words for scene in verdicts] == ["verdict_open", "verdict_inconclusive"]


def test_what_a_person_says_of_a_dispute_is_the_storys_last_word(run_dir: Path) -> None:
    executor = scripted.WorldExecutor(say=lambda given: "no verdict" if given.briefs else None)
    with scripted.start(run_dir, "qubits: 1", "qubits: 2", goal="How many?", executor=executor) as session:
        session.run_until(lambda report: report.stage == "plan")
        session.tell_apart("c1")
        session.take_back("c1")
        session.run()
        session.tell_apart("c1")
        session.take_back("c1")
        scenes = [scene for scene in build_scenes(session.records) if scene.kind == "verdict"]
    assert [scene.words.removeprefix("verdict_") for scene in scenes] == [
        *("false_alarm", "open_again"), "open", "inconclusive", *("false_alarm", "inconclusive")
    ]  # fmt: skip
    assert scene_sentence(scenes[1], "en") == "A person reopens the conflict."


def test_a_merge_that_stands_again_settles_what_its_undoing_had_opened(run_dir: Path) -> None:
    with scripted.start(run_dir, "qubits: 1", "qubits: 2", goal="How many?", world={"qubits": "1"}) as session:
        session.run()
        session.undo_merge("m1")
        session.restore_merge("m1")
        scenes = build_scenes(session.records)
    told = [scene.words for scene in scenes if scene.kind in ("verdict", "undone")]
    assert told == ["verdict_resolved", "undone", "verdict_resolved"]


def test_a_side_keeps_who_stated_it_first_and_gains_who_bears_it_out_in_other_words(run_dir: Path) -> None:
    unpack(next(one.file for one in recorded_runs("en") if one.id == "en-quantum"), run := RunFolder(run_dir))
    verdicts = [scene for scene in build_scenes(load(run.path)) if scene.kind == "verdict"]
    assert [scene_sentence(scene, "en") for scene in verdicts] == [
        "“105 qubits” holds: 3 for it, 1 against.",
        "“9 December 2024” holds: 3 for it, 1 against.",
    ]


def test_a_memory_that_is_taken_over_is_shown_and_an_open_conflict_of_it_goes_its_way(run_dir: Path) -> None:
    with scripted.start(run_dir, "qubits: 1", "qubits: 2\nmaker: Google") as before:
        before.run()
        nodes = tuple(before.bank.graph.nodes)
        # A run that begins with the memory of another one, to its end.
        before.export()
        memory = (before.folder.path / "memory.json").read_text("utf-8")
        parts = scripted.parts(world={"qubits": "1"})
        with Session.start(run_dir.parent / "next", parts, memory=memory, goal="How many qubits?") as session:
            session.run()
        records = session.records
    scenes = build_scenes(records)
    check(list(records), scenes)
    assert kinds(scenes) == ["imported", "task", "clash", "check", "source", "verdict", "fold", "answer"]
    assert scenes[0].nodes == nodes
    assert scene_sentence(scenes[0], "en") == "The memory of an earlier run is taken over: 2 nodes."
    card = words_of(scene_card(scenes[0], Playback().at(records, scenes[0].seq), "en"), " ")
    assert card == "qubits: 1 qubits: 2"
    assert scenes[-1].words == "answer_settled"


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_journals_of_before_have_a_story(path: Path, tmp_path: Path) -> None:
    (tmp_path / "run").mkdir()
    (tmp_path / "run" / "journal.jsonl").write_bytes(path.read_bytes())
    records = list(load(tmp_path / "run"))
    check(records, build_scenes(records))
