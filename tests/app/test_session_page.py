"""The Session page: from the form to the answer and beyond, at work, past, stopped, read only; feed and settings."""

from __future__ import annotations

from streamlit.testing.v1 import AppTest

from memorybank.hosting.tabs import Watcher
from memorybank.memory.events import AnswerGiven, SettingsChanged, TaskReceived
from memorybank.memory.types import Lang, Relation
from memorybank.session.phase import Phase
from memorybank.views.i18n import t
from tests.app.driving import (
    ROOT,
    follow,
    keys,
    open_page,
    order,
    press,
    rest,
    says,
    shown,
    start,
    submit,
    tab_of,
    texts,
    view,
    worker_of,
)
from tests.waiting import wait_until

PAGE = "1_session"
ONE = "The Tamar Bridge was opened in 1961. It is 335 metres long and carries three lanes of traffic."
OTHER = "The Tamar Bridge was opened in 1981. It is a toll bridge and ferries run beside it."
TASK = "When was the Tamar Bridge opened?"


def begin(app: AppTest) -> AppTest:
    """Two documents that contradict each other are taken in; nothing is worked on yet."""
    start(app, TASK, ("one.txt", ONE.encode()), ("other.txt", OTHER.encode()), button="new-step")
    return rest(app)


def test_stop_ends_the_run_here_and_it_can_be_read_and_continued(app: AppTest) -> None:
    worker = worker_of(order(begin(app), "until-plan"))
    press(app, "stop")
    wait_until(lambda: worker.phase is Phase.PARKED, 20)
    assert isinstance(tab_of(app).run, Watcher)
    app = AppTest.from_file(app._script_path, default_timeout=30)  # a tab that comes by its address finds it so
    app.query_params["run"] = worker.run_id
    app.run()
    assert says(app, "Stopped")
    assert says(app, "read-only")
    assert not {"run", "step", "pause"} & keys(app)
    assert says(app, TASK)
    order(order(app, "continue-run"), "run")
    assert worker_of(app).session.result.result == "complete"  # type: ignore[union-attr]
    worker_of(app).close()


def test_settings_change_between_two_stages(app: AppTest) -> None:
    begin(app)
    app.number_input(key="change-k").set_value(2)
    app.slider(key="change-alpha").set_value(1.0)
    app.selectbox(key="change-preset").set_value("final")
    submit(app, t("session.change.apply", "en"))
    rest(app)
    (changed,) = [one.event for one in worker_of(app).records if isinstance(one.event, SettingsChanged)]
    assert (changed.k, changed.alpha, changed.neighbor_share, changed.strategy) == (2, 1.0, 0, "single")
    assert Relation.MERGE not in changed.relations
    assert says(view(app, "feed"), "Settings changed: k = 2, α = 1.0, neighbours' share = 0")
    app.switch_page("pages/8_settings.py").run()
    assert says(app, "changed in this run")
    assert says(app, "Conflict > Related")


def test_a_saved_run_shows_everything_and_offers_nothing_that_writes(app: AppTest, lang: Lang) -> None:
    open_page(app, PAGE, lang)
    worker = worker_of(app)
    assert not {"run", "step", "pause", "stop", "popover-change"} & keys(app)
    assert t("run.result.complete", lang) in shown(app, "run-top")
    goal = [record.event.goal for record in worker.records if isinstance(record.event, TaskReceived)][-1]
    answer = shown(app, "answer")
    assert goal in answer
    assert goal not in shown(app, "insight"), "the answer beside it begins with the question"
    points = next(record.event.points for record in worker.records if isinstance(record.event, AnswerGiven))
    assert points
    assert all(t(f"answer.state.{point.state}", lang) in answer for point in points)
    assert t("feed.session_finished", lang, result=t("run.result.complete", lang)) in shown(view(app, "feed"), "feed")
    assert t("conflict.status.resolved", lang) in shown(view(app, "conflicts"), "disputes")
    assert goal in shown(app, "insight")


def test_a_past_moment_shows_nothing_of_what_came_later(app: AppTest) -> None:
    """The view that fits is a widget of its own: what the browser sends late is told of the one before."""
    open_page(app, PAGE)
    assert "session-view-answer" in keys(app)
    for k in (0, 3, 120, 300):
        tab_of(app).at = k
        app.run()
        assert keys(app) & {"session-view-answer", "session-view-graph"} == {"session-view-graph"}
        assert not app.exception
        view(app, "feed")
        assert "answer-first" not in str(list(texts(app)))
        numbers = [int(word[1:]) for word in texts(app) if word.startswith("#") and word[1:].isdigit()]
        assert all(number <= k for number in numbers)
        assert t("run.result.complete", "en") not in shown(app, "run-top")
        assert (t("feed.empty", "en") in shown(app, "feed")) == (k == 0)


def test_the_feed_is_searched_and_its_oldest_lines_come_on_demand(app: AppTest) -> None:
    view(open_page(app, PAGE), "feed")
    assert "earlier events are not shown" in shown(app, "feed")
    while "feed-more" in keys(app):
        press(app, "feed-more").run()
    assert "Recorded: " in shown(app, "feed")
    app.text_input(key="feed-text").set_value("merged:").run()
    assert "Recorded: " not in shown(app, "feed")
    app.text_input(key="feed-text").set_value("planning without a model").run()
    assert "Planning (without a model) in" in shown(app, "feed"), "calls are found, too"
    app.text_input(key="feed-text").set_value("nothing says <this>").run()
    assert not app.exception
    assert t("feed.empty", "en") in shown(app, "feed")


def test_a_run_from_the_form_to_the_answer_and_beyond(app: AppTest) -> None:
    start(app, TASK, ("one.txt", ONE.encode()), ("other.txt", OTHER.encode()))
    assert not app.exception
    worker = worker_of(app)
    assert app.query_params["run"] == worker.run_id
    rest(app)
    assert worker.error is None
    assert says(app, TASK)
    assert says(app, "Complete")
    assert "The Tamar Bridge was opened in 1961." in shown(app, "insight")
    assert not {"run", "step", "pause", "stop"} & keys(app), "nothing is left to be run"
    assert "1961" in shown(app, "answer")
    assert ": 1961 (one.txt) or 1981 (other.txt)" in shown(view(app, "feed"), "feed")
    assert "The Tamar Bridge" in shown(view(app, "conflicts"), "disputes")
    assert {"1961", "1981"} <= set(texts(app))  # each marked alone

    app.text_area(key="ask-question").set_value("How long is the Tamar Bridge?")
    submit(app, "Ask")
    rest(app)
    assert says(app, "How long is the Tamar Bridge?")
    assert "335" in worker.session.bank.progress.answer  # type: ignore[union-attr]

    press(app, "new-session")
    assert app.button(key="demo").label == "Run the demo"
    assert "run" not in app.query_params
    app.query_params["run"] = worker.run_id
    app.run()
    rest(app)
    assert not app.exception
    assert says(app, "How long is the Tamar Bridge?")


def test_an_empty_task_is_not_begun(app: AppTest) -> None:
    start(app, "   ")
    assert says(app, "Write a task, or add a document to file.")
    assert tab_of(app).run is None


def test_documents_and_images_are_added_at_any_time(app: AppTest) -> None:
    worker = worker_of(rest(start(app, TASK, ("one.txt", ONE.encode()))))
    poster = (ROOT / "assets" / "images" / "willow_poster_en.png").read_bytes()
    app.file_uploader(key="add-files").upload("ferry.txt", b"The Torpoint Ferry began in 1791. It has three boats.")
    app.file_uploader(key="add-images").upload("poster.png", poster)
    submit(app, "Add and file")
    rest(app, 120)
    assert worker.error is None
    tree = worker.session.bank.tree  # type: ignore[union-attr]
    assert {"ferry.txt", "poster.png"} <= {entry.source for entry in tree.entries.values()}
    assert tree.staged == {}
    node_id = next(one for one in tree.spans if any(tree.entries[e].attachments for e in tree.entries_of(one)))
    app.switch_page("pages/4_tree.py").run()
    live = worker.session.bank.graph.successor(node_id)  # type: ignore[union-attr]
    follow(app, "tree", live)
    assert not app.exception
    assert app.get("image")
    assert says(app, "SHA-256")
