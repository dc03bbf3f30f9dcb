"""A sample run, from the first page: opened at once, on every page, without a key."""

from __future__ import annotations

import pytest
from streamlit.testing.v1 import AppTest

from memorybank.hosting.ready_tasks import RecordedRun, recorded_runs
from memorybank.memory.events import SessionFinished
from memorybank.runs.run_folder import JOURNAL
from memorybank.ui.shell import state
from memorybank.ui.shell.saved import address_of, stored_runs
from memorybank.views.i18n import t
from memorybank.views.link import PAGES
from tests.app.driving import lines, open_listed, says, tab_of, worker_of

RUNS = [*recorded_runs("en"), *recorded_runs("zh")]


@pytest.mark.parametrize("recorded", RUNS, ids=lambda run: run.id)
def test_a_recorded_run_is_read_on_every_page(app: AppTest, recorded: RecordedRun) -> None:
    app.query_params["lang"] = recorded.lang
    app.run()
    samples = [line for line in lines(app, "runs-rows") if t("runs.sample", recorded.lang) in line]
    assert sum(f"{recorded.title} {t('runs.sample', recorded.lang)}" in line for line in samples) == 1
    tab_of(app).runs.ticked = [recorded.run_id]
    app.run()
    assert {app.button(key=f"runs-{name}").disabled for name in ("compare", "rename", "pin", "delete")} == {True}
    open_listed(app, address_of(recorded.run_id))
    assert worker_of(app).is_saved, "it is read: nothing is asked"
    assert isinstance(worker_of(app).records[-2].event, SessionFinished)
    for file, *_ in PAGES.values():
        app.switch_page(file).run()
        assert not app.exception, (file, app.exception)


def test_it_is_unpacked_once_and_is_one_line_until_it_is_gone_on_with(whole_app: AppTest) -> None:
    recorded = recorded_runs("en")[0]
    whole_app.run()
    before = lines(whole_app, "runs-rows")
    address = address_of(recorded.run_id)
    assert address_of(recorded.run_id) == address
    open_listed(whole_app, address)
    assert says(whole_app, t("badge.replay", "en"))
    whole_app.button(key="new-session").click().run()
    assert lines(whole_app, "runs-rows") == before
    with (state.runs().root / address / JOURNAL).open("ab") as journal:
        journal.write(b"{}\n")  # somebody has gone on with it
    whole_app.run()
    assert len(lines(whole_app, "runs-rows")) == len(before) + 1
    assert len(stored_runs().newest_first()) == 1
