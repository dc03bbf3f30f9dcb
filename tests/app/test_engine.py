"""The engine of a run, chosen on the page: a language model where one is set up, else the offline engine and why."""

from __future__ import annotations

import pytest
from streamlit.testing.v1 import AppTest

from memorybank.engines.offline import limits
from memorybank.hosting.ready_tasks import ready_tasks
from memorybank.llm.hand.chat import awaited
from memorybank.memory.events import SessionStarted
from memorybank.settings.env import VARIABLES
from memorybank.ui.shell import state
from memorybank_lab.scripted import ScriptedServer, scripted_agents
from tests.app.driving import keys, rest, says, shown, start, worker_of
from tests.waiting import wait_until

NOTE = b"The Tamar Bridge is 335 metres long. It was opened in 1961. The bridge crosses the river at Saltash.\n"
KEY = "sk-app-0123456789abcdefghijkl"


def begun(page: AppTest) -> SessionStarted:
    event = worker_of(page).records[0].event
    assert isinstance(event, SessionStarted)
    return event


def choose(page: AppTest, engine: str) -> None:
    page.run()
    page.radio(key="new-engine").set_value(engine).run()


def test_without_a_key_the_page_says_what_to_set_and_the_offline_engine_serves(
    app: AppTest, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("LLM_API_KEY", "LLM_BASE_URL", "LLM_PROVIDER"):
        monkeypatch.delenv(name, raising=False)
    state.local.clear()
    choose(app, "llm")
    assert says(app, "LLM_API_KEY")
    assert says(app, "Until then it runs without a model.")
    line = limits("en").in_language("en")
    assert says(app, line), "what the offline engine misses, and which settings help"
    assert {"LLM_API_KEY", "LLM_PROVIDER"} <= {one.name for one in VARIABLES if one.name in line}
    rest(start(app, "How long is the Tamar Bridge?", ("one.txt", NOTE)))
    assert not app.exception
    assert begun(app).engine == "offline"


def test_the_recorded_answers_serve_the_tasks_they_were_recorded_for(app: AppTest) -> None:
    choose(app, "recorded")
    assert "new-prompt" not in keys(app), "only those tasks are offered"
    assert says(app, "Recorded"), "the header tells what is chosen"
    assert ready_tasks("en")[0].task in app.radio(key="new-recorded").options


def test_whoever_is_the_model_is_asked_and_the_corpus_is_ones_own_files(app: AppTest) -> None:
    choose(app, "hand")
    app.text_area(key="new-prompt").set_value("How long is the Tamar Bridge?")
    app.file_uploader(key="new-context").upload("one.txt", NOTE).run()
    assert app.selectbox(key="new-corpus").value == "none"
    app.button(key="new-run").click().run()
    wait_until(lambda: awaited(state.runs().root / worker_of(app).run_id), 30)
    assert says(app.run(), "Your turn")
    assert begun(app).model == "hand"
    worker_of(app).close()


@pytest.mark.parametrize("key", [KEY, ""])
def test_a_run_on_a_language_model(app: AppTest, monkeypatch: pytest.MonkeyPatch, key: str) -> None:
    """Without a key, the address and the name of a local model are all that is set."""
    with ScriptedServer(scripted_agents(), api_key=key) as server:
        for name in ("LLM_PROVIDER", "LLM_API_KEY"):
            monkeypatch.delenv(name, raising=False)
        monkeypatch.setenv("LLM_BASE_URL", server.base_url)
        monkeypatch.setenv("LLM_MODEL", "small-talk")
        if key:
            monkeypatch.setenv("LLM_API_KEY", key)
        monkeypatch.setenv("LLM_CACHE", "false")
        state.local.clear()
        choose(app, "llm")
        assert not says(app, limits("en").in_language("en"))
        app.selectbox(key="new-corpus").set_value("none").run()
        assert says(app, "No search key and no corpus"), "what the agent can look at is said before the start"
        rest(start(app, "How long is the Tamar Bridge?", ("one.txt", NOTE)))
        assert not app.exception
        assert not says(app, limits("en").in_language("en"))
        assert (begun(app).engine, begun(app).model) == ("llm", "small-talk")
        worker = worker_of(app)
        assert worker.session is not None
        assert worker.session.result.result == "complete"
        assert "335" in worker.session.result.answer
        assert server.chats
        app.switch_page("pages/8_settings.py").run()
        assert not app.exception
        assert "small-talk" in shown(app, "models")
        assert not says(app, KEY)
        worker.close()
