"""Each page through AppTest: what a person does, what the page says, and that text stays text."""

from __future__ import annotations

import pytest
from streamlit.testing.v1 import AppTest

from tests.app.driving import ROOT, keys, press, rest, says, shown, start, tab_of, texts, view, worker_of
from tests.app.recorded_page import follow

ONE = "The Tamar Bridge was opened in 1961. It is 335 metres long and carries three lanes of traffic."
OTHER = "The Tamar Bridge was opened in 1981. It is a toll bridge and ferries run beside it."


@pytest.mark.parametrize(
    ("lang", "words"),
    [("en", ("Run the demo", "Without a model", "Watch a memory at work")), ("zh", ("运行演示", "不用模型"))],
)
def test_first_page_in_the_language_of_its_address(app: AppTest, lang: str, words: tuple[str, ...]) -> None:
    app.query_params["lang"] = lang
    app.run()
    assert not app.exception
    assert app.button(key="demo").label == words[0]
    assert all(says(app, text) for text in words[1:])


def test_the_browsers_language_is_the_first_choice(app: AppTest) -> None:
    app.context = {"locale": "zh-CN"}
    app.run()
    assert app.button(key="demo").label == "运行演示"


def test_a_run_from_the_form_to_the_answer_and_beyond(app: AppTest) -> None:
    start(app, "When was the Tamar Bridge opened?", ("one.txt", ONE.encode()), ("other.txt", OTHER.encode()))
    assert not app.exception
    worker = worker_of(app)
    assert app.query_params["run"] == worker.run_id
    rest(app)
    assert worker.error is None
    assert says(app, "When was the Tamar Bridge opened?")
    assert says(app, "Complete")
    assert "The Tamar Bridge was opened in 1961." in shown(app, "insight")
    assert not {"run", "step", "pause", "stop"} & keys(app), "nothing is left to be run"
    assert "1961" in shown(app, "answer")
    assert ": 1961 (one.txt) or 1981 (other.txt)" in shown(view(app, "feed"), "feed")
    assert "The Tamar Bridge" in shown(view(app, "conflicts"), "disputes")
    assert {"1961", "1981"} <= set(texts(app))  # each marked alone

    app.text_area(key="ask-question").set_value("How long is the Tamar Bridge?")
    next(button for button in app.form_submit_button if button.label == "Ask").click().run()
    rest(app)
    assert says(app, "How long is the Tamar Bridge?")
    assert "335" in worker.session.bank.progress.answer  # type: ignore[union-attr]

    app.button(key="new-session").click().run()
    assert app.button(key="demo").label == "Run the demo"
    assert "run" not in app.query_params
    app.query_params["run"] = worker.run_id
    app.run()
    rest(app)
    assert not app.exception
    assert says(app, "How long is the Tamar Bridge?")


def test_settings_show_what_holds(app: AppTest) -> None:
    app.run()
    app.switch_page("pages/8_settings.py").run()
    assert not app.exception
    assert says(app, "hashed-ngrams")
    assert says(app, "0 B in 0 runs")
    app.switch_page("pages/1_session.py")
    start(app, "", ("one.txt", ONE.encode()))
    rest(app)
    app.switch_page("pages/8_settings.py").run()
    assert says(app, "in 1 run")
    assert says(app, "Conflict > Same content > Related")


def test_an_empty_task_and_an_image_that_is_none(app: AppTest) -> None:
    start(app, "   ")
    assert says(app, "Write a task, or add a document to file.")
    app.text_area(key="new-prompt").set_value("Read it")
    app.file_uploader(key="new-images").upload("photo.png", b"<svg onload=alert(1)></svg>")
    app.button(key="new-run").click().run()
    assert says(app, "photo.png")
    assert tab_of(app).run is None


def test_documents_and_images_are_added_at_any_time(app: AppTest) -> None:
    start(app, "When was the Tamar Bridge opened?", ("one.txt", ONE.encode()))
    rest(app)
    worker = worker_of(app)
    app.file_uploader(key="add-files").upload("empty.txt", b"")
    press(app, "Add and file")
    assert says(app, "empty.txt")
    assert len(worker.session.bank.tree.by_content) == len(worker.session.bank.tree.entries)  # type: ignore[union-attr]

    poster = (ROOT / "assets" / "images" / "willow_poster_en.png").read_bytes()
    app.file_uploader(key="add-files").upload("ferry.txt", b"The Torpoint Ferry began in 1791. It has three boats.")
    app.file_uploader(key="add-images").upload("poster.png", poster)
    press(app, "Add and file")
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
