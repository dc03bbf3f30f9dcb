"""The Session page in each of its states: at work, past, stopped, read only; its buttons, its feed, its settings."""

from __future__ import annotations

import pytest
from streamlit.testing.v1 import AppTest

from memorybank.hosting.orders import Until
from memorybank.hosting.tabs import Watcher
from memorybank.memory.events import AnswerGiven, ConflictFound, NodesMerged, SettingsChanged, StageFinished
from memorybank.memory.types import Lang, Relation
from memorybank.session.phase import Phase
from memorybank.views.i18n import t
from tests.app.driving import keys, press, rest, says, shown, start, tab_of, texts, view, worker_of
from tests.app.recorded_page import open_page
from tests.waiting import wait_until

PAGE = "1_session"
ONE = "The Tamar Bridge was opened in 1961. It is 335 metres long and carries three lanes of traffic."
OTHER = "The Tamar Bridge was opened in 1981. It is a toll bridge and ferries run beside it."
TASK = "When was the Tamar Bridge opened?"


def begin(app: AppTest) -> AppTest:
    """Two documents that contradict each other are taken in; nothing is worked on yet."""
    start(app, TASK, ("one.txt", ONE.encode()), ("other.txt", OTHER.encode()), button="new-step")
    return rest(app)


def stages(app: AppTest) -> list[str]:
    return [record.event.stage for record in worker_of(app).records if isinstance(record.event, StageFinished)]


@pytest.mark.parametrize(
    ("until", "last"),
    [(Until.CONFLICT, "analyse"), (Until.PLAN, "plan"), (Until.EXECUTE, "enhance"), (Until.INTERCEPT, "intercept")],
)
def test_a_run_stops_where_it_was_told_to(app: AppTest, until: Until, last: str) -> None:
    begin(app)
    app.button(key=f"until-{until}").click().run()
    rest(app)
    assert stages(app)[-1] == last
    assert stages(app).count(last) == 1, "at the next one, not at a later one"
    events = [record.event for record in worker_of(app).records]
    assert any(isinstance(event, ConflictFound) for event in events)
    assert not any(isinstance(event, NodesMerged) for event in events)
    assert says(app, "Paused")
    assert {"run", "step"} <= keys(app)


def test_stop_ends_the_run_here_and_it_can_be_read_and_continued(app: AppTest) -> None:
    begin(app)
    app.button(key="until-plan").click().run()
    rest(app)
    worker = worker_of(app)
    app.button(key="stop").click().run()
    assert not app.exception
    wait_until(lambda: worker.phase is Phase.PARKED, 20)
    assert isinstance(tab_of(app).run, Watcher)
    app = AppTest.from_file(app._script_path, default_timeout=30)  # a tab that comes by its address finds it so
    app.query_params["run"] = worker.run_id
    app.run()
    assert says(app, "Stopped")
    assert says(app, "read-only")
    assert all(button.key not in ("run", "step", "pause") for button in app.button)
    assert says(app, TASK)
    app.button(key="continue-run").click().run()
    rest(app)
    app.button(key="run").click().run()
    rest(app)
    assert worker_of(app).session.result.result == "complete"  # type: ignore[union-attr]
    worker_of(app).close()


def test_settings_change_between_two_stages(app: AppTest) -> None:
    begin(app)
    app.number_input(key="change-k").set_value(2)
    app.slider(key="change-alpha").set_value(1.0)
    app.selectbox(key="change-preset").set_value("final")
    press(app, t("session.change.apply", "en"))
    rest(app)
    (changed,) = [one.event for one in worker_of(app).records if isinstance(one.event, SettingsChanged)]
    assert (changed.k, changed.alpha, changed.neighbor_share, changed.strategy) == (2, 1.0, 0, "single")
    assert Relation.MERGE not in changed.relations
    assert says(view(app, "feed"), "Settings changed: k = 2, α = 1.0, neighbours' share = 0")
    app.switch_page("pages/8_settings.py").run()
    assert says(app, "changed in this run")
    assert says(app, "Conflict > Related")


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_a_saved_run_shows_everything_and_offers_nothing_that_writes(app: AppTest, lang: Lang) -> None:
    open_page(app, PAGE, lang)
    worker = worker_of(app)
    for key in ("run", "step", "pause", "stop", "popover-change"):
        assert all(button.key != key for button in app.button)
    assert t("run.result.complete", lang) in shown(app, "run-top")
    insight = shown(app, "insight")
    assert t("doc.goal", lang) in insight
    answer = shown(app, "answer")
    assert t("badge.offline", lang) in answer
    points = next(record.event.points for record in worker.records if isinstance(record.event, AnswerGiven))
    assert points
    assert all(t(f"answer.state.{point.state}", lang) in answer for point in points)
    assert t("feed.session_finished", lang, result=t("run.result.complete", lang)) in shown(view(app, "feed"), "feed")
    assert t("conflict.status.resolved", lang) in shown(view(app, "conflicts"), "disputes")


@pytest.mark.parametrize("k", [0, 3, 120, 300])
def test_a_past_moment_shows_nothing_of_what_came_later(app: AppTest, k: int) -> None:
    open_page(app, PAGE)
    tab_of(app).at = k
    app.run()
    assert not app.exception
    view(app, "feed")
    assert "answer-first" not in str(list(texts(app)))
    numbers = [int(word[1:]) for word in texts(app) if word.startswith("#") and word[1:].isdigit()]
    assert all(number <= k for number in numbers)
    assert t("run.result.complete", "en") not in shown(app, "run-top")
    assert (t("feed.empty", "en") in shown(app, "feed")) == (k == 0)


def test_the_feed_is_searched_and_its_oldest_lines_come_on_demand(app: AppTest) -> None:
    open_page(app, PAGE)
    view(app, "feed")
    assert "earlier events are not shown" in shown(app, "feed")
    while any(button.key == "feed-more" for button in app.button):
        app.button(key="feed-more").click().run()
        app.run()
    assert "Recorded: " in shown(app, "feed")
    app.text_input(key="feed-text").set_value("merged:").run()
    assert "Recorded: " not in shown(app, "feed")
    app.text_input(key="feed-text").set_value("planning without a model").run()
    assert "Planning (without a model) in" in shown(app, "feed"), "calls are found, too"
    app.text_input(key="feed-text").set_value("nothing says <this>").run()
    assert not app.exception
    assert t("feed.empty", "en") in shown(app, "feed")
