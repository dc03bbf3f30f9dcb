"""The story on the page: its bar, the moment that follows, what a scene is about beside the graph, the way out."""

from __future__ import annotations

import shutil
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from memorybank.memory.types import Lang
from memorybank.runs.run_folder import load
from memorybank.session.phase import Phase
from memorybank.ui.shell import course, state
from memorybank.ui.shell.tab import this_tab
from memorybank.views.i18n import t
from memorybank.views.story import Scene, build_scenes, scene_seconds, scene_sentence
from tests.app.driving import component, keys, press, shown, tab_of, texts
from tests.recorded import recorded_run

RUN = "5b" * 16


@pytest.fixture
def saved(whole_app: AppTest, tmp_path: Path, request: pytest.FixtureRequest) -> AppTest:
    """A saved run of a language, open on the Conflicts page."""
    lang: Lang = getattr(request, "param", "en")
    shutil.copytree(recorded_run(lang).path, tmp_path / "runs" / RUN)
    whole_app.query_params.update({"run": RUN, "lang": lang})
    tab_of(whole_app).page_wanted = "conflicts"
    return whole_app.run()


def scenes(lang: Lang = "en") -> tuple[Scene, ...]:
    return build_scenes(load(recorded_run(lang).path))


@pytest.mark.parametrize("saved", ["en", "zh"], indirect=True)
def test_from_the_first_scene_to_the_answer_and_out(saved: AppTest) -> None:
    lang: Lang = saved.session_state["lang"]
    story = scenes(lang)
    press(saved, "story-start")
    assert tab_of(saved).page == "session", "where the graph is"
    press(saved, "story-previous")  # there is none
    for place, scene in enumerate(story, start=1):
        assert tab_of(saved).at == scene.seq
        said = shown(saved, "story-words")
        assert scene_sentence(scene, lang) in said
        assert t("story.bar.place", lang, step=place, total=len(story)) in said
        assert t(f"stage.{scene.stage}", lang) in said
        clock = component(saved, "story-clock")
        assert clock["seconds"] == pytest.approx(scene_seconds(scene, lang))
        assert clock["sentence"] == scene_sentence(scene, lang), "for who does not see it"
        assert clock["playing"] is (place == 1), "whoever steps by hand has paused"
        for side in scene.sides if scene.kind != "fold" else ():
            assert any(side.value == text for text in texts(saved)), "what it is about stands beside the graph"
        assert not {"timeline-line", "step", "insight"} & (keys(saved) if scene.sides else set()), "and nothing else"
        if place < len(story):
            press(saved, "story-next")
    assert saved.button(key="story-pause").label == t("story.bar.again", lang)
    press(saved, "story-next")
    assert tab_of(saved).at == story[-1].seq, "there is none behind the last"
    press(saved, "story-leave")
    assert tab_of(saved).at is None
    assert "story" not in keys(saved)
    assert "story-start" in keys(saved)


def test_pace_another_page_and_the_way_back(saved: AppTest) -> None:
    story = scenes()
    clash = next(place for place, scene in enumerate(story) if scene.kind == "clash")
    press(saved, "story-start")
    for _ in range(clash):
        press(saved, "story-next")
    assert scene_sentence(story[clash], "en") in shown(saved, "story-words")
    saved.segmented_control(key="story-speed").set_value(2.0).run()
    assert component(saved, "story-clock")["seconds"] == pytest.approx(scene_seconds(story[clash], "en") / 2)
    assert f"conflict:{story[clash].conflicts[0]}" in texts(saved), "its card leads to where it can be seen closely"
    tab_of(saved).page_wanted = "conflicts"
    saved.run()
    assert "story-words" not in keys(saved), "there the page has the screen"
    assert tab_of(saved).at == story[clash].seq
    press(saved, "story-start")
    assert scene_sentence(story[clash], "en") in shown(saved, "story-words"), "it waited where it was"


# -- the course, without a page ---------------------------------------------------------------------------------------


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch) -> Any:
    """A run of which a tab has the beginning, so far."""
    records = load(recorded_run().path)
    monkeypatch.setattr(st, "session_state", dict[str, Any]())
    monkeypatch.setattr(st, "rerun", lambda _scope="app": None)
    run = SimpleNamespace(run_id=RUN, records=records[: scenes()[2].seq], busy=True, phase=Phase.RUNNING, whole=records)
    this_tab().run = run  # type: ignore[assignment]
    this_tab().page = "graph"
    course.begin()
    return run


def test_a_scene_lasts_as_long_as_its_own_clock_and_the_story_waits_for_the_run(run: Any) -> None:
    story = this_tab().story
    assert (story.place, state.at_event()) == (0, scenes()[0].seq)
    course.scene_over(story.turn - 1)
    assert story.place == 0, "a word that comes late is on another scene"
    for place in (1, 2):
        course.scene_over(story.turn)
        assert (story.place, state.at_event()) == (place, scenes()[place].seq)
    course.scene_over(story.turn)
    assert story.place == 2, "there is no next one yet"
    run.records = run.whole[: scenes()[3].seq]
    assert course.move_on(run)
    assert (story.place, state.at_event()) == (3, scenes()[3].seq)
    run.records, run.busy = run.whole, False
    course.pause()
    course.scene_over(story.turn)
    assert story.place == 3, "paused"
    course.pause()
    for _ in scenes()[3:]:
        course.scene_over(story.turn)
    assert (story.place, story.is_playing) == (len(scenes()) - 1, False), "it ends with the answer"
    course.pause()
    assert (story.place, story.is_playing) == (0, True), "and is played again"


def test_a_step_at_the_front_of_a_run_that_goes_on_waits_for_the_next_scene(run: Any) -> None:
    story = this_tab().story
    for place in (1, 2):
        course.step(1)
        assert (story.place, state.at_event()) == (place, scenes()[place].seq)
    course.step(1)
    course.settle(run)
    assert (course.current_scene(run), state.at_event()) == (None, scenes()[2].seq), "it is awaited"
    course.step(1)
    run.records = run.whole[: scenes()[3].seq]
    course.settle(run)
    newest = (3, scenes()[3].seq)
    assert (story.place, state.at_event()) == newest, "a second step over what is not there counts for nothing"
    assert not story.is_playing

    course.step(1)
    course.step(-1)
    assert (story.place, state.at_event()) == newest, "back from what is awaited"
    course.step(1)
    run.busy = False
    course.settle(run)
    assert (story.place, state.at_event(), story.waits) == (*newest, False), "none came before the end"

    run.busy = True
    course.step(1)
    state.look_at(scenes()[1].seq)
    course.settle(run)
    run.records = run.whole[: scenes()[4].seq]
    course.settle(run)
    assert (story.place, state.at_event()) == (1, scenes()[1].seq), "who looks elsewhere meanwhile stays there"


def test_a_run_at_rest_that_is_read_along_has_no_scene_after_its_last(run: Any) -> None:
    run.records, run.phase = run.whole, Phase.RESTING
    course.begin(len(scenes()) - 1)
    course.step(1)
    assert course.current_scene(run) == scenes()[-1]


def test_who_looks_elsewhere_has_paused_there_and_who_goes_to_the_newest_has_left(run: Any) -> None:
    run.records, story = run.whole, this_tab().story
    state.look_at(scenes()[5].seq + 1)
    course.settle(run)
    assert scenes()[story.place or 0].seq <= scenes()[5].seq + 1
    assert not story.is_playing
    assert state.at_event() == scenes()[5].seq + 1, "the reader stays where they went"
    state.look_at(None)
    course.settle(run)
    assert not course.is_on()
    course.begin()
    this_tab().run = None
    course.settle(None)
    assert not course.is_on(), "no run, no story"
