"""The page Prompt & calls: prompts taken apart, calls in a table and whole, at any moment of a run."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from memorybank.events import AgentCalled, PromptEnhanced, ToolUsed
from memorybank.types import Lang
from memorybank.ui import state
from tests.app.driving import says, shown
from tests.recorded import recorded_run

RUN_ID = "ab" * 16


@pytest.fixture(params=["en", "zh"])
def page(app: AppTest, request: pytest.FixtureRequest) -> Iterator[AppTest]:
    lang: Lang = request.param
    yield opened(app, lang)


def opened(app: AppTest, lang: Lang) -> AppTest:
    """The page on a copy of the recorded run."""
    root = state.runs().root
    shutil.copytree(recorded_run(lang).path, root / RUN_ID)
    app.query_params["run"] = RUN_ID
    app.query_params["lang"] = lang
    app.run()
    app.switch_page("pages/5_prompt.py").run()
    assert not app.exception, app.exception
    return app


def records(page: AppTest):
    return page.session_state["worker"].records


def test_first(page: AppTest) -> None:
    print([type(one).__name__ + ":" + str(getattr(one, "key", "")) for one in page])
    print(shown(page, "prompt-shares"))
    print(shown(page, "prompt-pieces")[:3000])
    page.session_state["prompt-view"] = "calls"
    page.run()
    assert not page.exception
    print(shown(page, "calls")[:1000])
    print(shown(page, "totals-agents"))
    for wanted in (AgentCalled, ToolUsed):
        seq = [r.seq for r in records(page) if isinstance(r.event, wanted)][-1]
        page.session_state["focus-call"] = str(seq)
        page.session_state["followed"] = f"call:{seq}"
        for form in ("fields", "exchanges", "raw"):
            page.session_state["call-show"] = form
            page.run()
            assert not page.exception, page.exception
            print(shown(page, "call-head"))
