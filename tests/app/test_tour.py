"""The guided tour on the page: the moment follows, the stage is lit, the part is there, and it can be left."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from memorybank.hosting.ready_tasks import ready_tasks
from memorybank.memory.types import Lang
from memorybank.runs.run_folder import load
from memorybank.ui.tour.bar import PARTS
from memorybank.ui.tour.steps import build_tour
from memorybank.views.i18n import t
from tests.app.driving import keys, shown, tab_of, worker_of
from tests.recorded import recorded_run
from tests.waiting import wait_until

RUN = "5b" * 16


@pytest.fixture
def saved(whole_app: AppTest, tmp_path: Path, request: pytest.FixtureRequest) -> AppTest:
    """A saved run of a language, open on the Graph page."""
    lang: Lang = getattr(request, "param", "en")
    shutil.copytree(recorded_run(lang).path, tmp_path / "runs" / RUN)
    whole_app.query_params.update({"run": RUN, "lang": lang})
    tab_of(whole_app).page_wanted = "graph"
    return whole_app.run()


def lit(page: AppTest) -> str:
    """Key of the part of the page that the browser marks."""
    shell = next(one for one in page if one.type == "bidi_component" and one.proto.id.endswith("-shell"))
    return str(json.loads(shell.proto.json)["wrapped"][0]["lit"])


def current_stage(page: AppTest) -> list[str]:
    """Names of the stages that are lit in the strip."""

    def below(piece: Any) -> Any:
        if isinstance(piece, list) and len(piece) > 2:
            if len(piece) > 3 and piece[3].get("current"):
                yield piece[2][0][2][0]
            for one in piece[2]:
                yield from below(one)

    top = next(one for one in page if one.type == "bidi_component" and one.proto.id.endswith("-run-top-live"))
    return [name for one in json.loads(top.proto.json)["boxes"] for name in below(one)]


@pytest.mark.parametrize("saved", ["en", "zh"], indirect=True)
def test_from_the_first_step_to_the_answer_and_out(saved: AppTest) -> None:
    lang: Lang = saved.session_state["lang"]
    steps = build_tour(load(recorded_run(lang).path))
    saved.button(key="tour-start").click().run()
    assert tab_of(saved).page == "session"
    assert saved.button(key="tour-previous").disabled
    for place, step in enumerate(steps, start=1):
        assert not saved.exception
        assert tab_of(saved).at == step.seq
        said = shown(saved, "tour-words")
        assert t(f"tour.{step.kind}", lang, **step.values) in said
        assert t("tour.place", lang, step=place, total=len(steps)) in said
        assert t(f"stage.{step.stage}", lang) in said
        assert current_stage(saved) == [t(f"stage.{step.stage}", lang)]
        assert lit(saved) == PARTS[step.place]
        assert lit(saved) in keys(saved), "what is marked is on the page"
        assert "timeline-line" not in keys(saved), "the bar of the moment gives way"
        if place in (1, 2, 3, len(steps) - 1):
            saved.button(key="tour-next").click().run()
        elif place < len(steps):
            tab_of(saved).tour.step, tab_of(saved).tour.waits = place, True
            saved.run()
    assert saved.button(key="tour-next").disabled
    saved.button(key="tour-previous").click().run()
    assert tab_of(saved).at == steps[-2].seq
    saved.button(key="tour-leave").click().run()
    assert tab_of(saved).at is None
    assert "tour" not in keys(saved)
    assert lit(saved) == ""
    assert not saved.button(key="tour-start").disabled


def test_a_step_leads_to_where_it_can_be_seen_closely(saved: AppTest) -> None:
    saved.button(key="tour-start").click().run()
    steps = build_tour(worker_of(saved).records)
    place = next(place for place, step in enumerate(steps) if step.kind == "analyse_conflict")
    tab_of(saved).tour.step, tab_of(saved).tour.waits = place, True
    saved.run()
    saved.button(key="tour-closer").click().run()
    assert not saved.exception
    assert tab_of(saved).page == "conflicts"
    assert {"tour", "tour-next"} <= keys(saved), "the tour stays with the reader"
    assert tab_of(saved).at == steps[place].seq


def test_without_a_run_the_demo_is_started_and_followed(whole_app: AppTest) -> None:
    whole_app.run()
    whole_app.button(key="tour-start").click().run()
    assert not whole_app.exception
    worker = worker_of(whole_app)
    wait_until(lambda: len(build_tour(worker.records)) > 2, 60, lambda: worker.phase)
    whole_app.run()
    assert tab_of(whole_app).at == build_tour(worker.records)[0].seq
    assert ready_tasks("en")[0].task[:60] in shown(whole_app, "tour-words")
    whole_app.button(key="tour-next").click().run()
    assert tab_of(whole_app).at == build_tour(worker.records)[1].seq
    whole_app.button(key="new-session").click().run()
    assert not whole_app.exception
    assert "tour" not in keys(whole_app), "no run, no tour"
    worker.close()
