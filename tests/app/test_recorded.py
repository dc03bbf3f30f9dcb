"""A recorded run with a language model, from the first page: opened at once, on every page, without a key."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Browser
from streamlit.testing.v1 import AppTest

from memorybank.hosting.ready_tasks import RecordedRun, recorded_runs
from memorybank.memory.events import SessionFinished
from memorybank.memory.types import Lang
from memorybank.ui.shell.saved import stored_runs
from memorybank.views.i18n import t
from memorybank.views.link import PAGES
from tests.app.driving import SMALL, says, tab_of, worker_of
from tests.app.test_demo import opened
from tests.watching import expect

RUNS = [*recorded_runs("en"), *recorded_runs("zh")]


@pytest.mark.parametrize("recorded", RUNS, ids=lambda run: run.id)
def test_a_recorded_run_is_read_on_every_page(app: AppTest, recorded: RecordedRun) -> None:
    app.query_params["lang"] = recorded.lang
    app.run()
    assert t("home.recorded", recorded.lang) in [text.value for text in app.text]
    app.button(key=f"recorded-{recorded.id}").click().run()
    assert worker_of(app).is_saved, "it is read: nothing is asked"
    assert isinstance(worker_of(app).records[-2].event, SessionFinished)
    for file, *_ in PAGES.values():
        app.switch_page(file).run()
        assert not app.exception, (file, app.exception)


def test_it_is_unpacked_once_for_a_browser_and_says_what_it_is(whole_app: AppTest) -> None:
    whole_app.run()
    whole_app.button(key="recorded-en-willow").click().run()
    assert says(whole_app, t("session.origin.recorded", "en"))
    first = tab_of(whole_app).run
    whole_app.button(key="new-session").click().run()
    whole_app.button(key="recorded-en-willow").click().run()
    again = tab_of(whole_app).run
    assert first is not None
    assert again is not None
    assert first.run_id == again.run_id
    assert len(stored_runs().newest_first()) == 1


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_it_is_watched_in_a_browser_to_its_merge_and_its_answer(
    browser: Browser, serve_app: Callable[..., str], lang: Lang
) -> None:
    recorded = recorded_runs(lang)[0]
    with opened(browser, serve_app(**SMALL), lang) as (_, page):
        page.get_by_role("button", name=recorded.title).click(timeout=60_000)
        expect(page.locator(".answer-box")).to_be_visible(timeout=60_000)
        expect(page.locator(".chip.origin", has_text=t("session.origin.recorded", lang)).first).to_be_visible()
        expect(page.locator(".feed .conflict").first).to_be_visible()
        expect(page.locator(".feed .merge").first).to_be_visible()
