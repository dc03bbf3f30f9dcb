"""A sample run, from the first page: opened at once, on every page, without a key."""

from __future__ import annotations

import re

import pytest
from streamlit.testing.v1 import AppTest

from memorybank.hosting.ready_tasks import RecordedRun, recorded_runs
from memorybank.memory.events import NodesMerged, SessionFinished
from memorybank.memory.types import RECORDED, Lang
from memorybank.runs.run_folder import JOURNAL
from memorybank.ui.shell import state
from memorybank.ui.shell.saved import address_of, stored_runs
from memorybank.ui.shell.tab import Selection
from memorybank.views.i18n import t
from memorybank.views.link import PAGES
from tests.app.driving import arrive_by, lines, open_listed, says, sent, shown, tab_of, worker_of

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


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_a_value_is_walked_back_to_its_document_and_from_a_call_to_what_it_brought(app: AppTest, lang: Lang) -> None:
    recorded, value, source = {
        "en": ("en-quantum", "105", "willow_announcement.md"),
        "zh": ("zh-quantum", "76", "九章发布.md"),
    }[lang]
    app.query_params["lang"] = lang
    app.run()
    open_listed(app, address_of(f"{RECORDED}{recorded}"))
    trail = re.findall(r"value:n\d+@\d+-\d+", sent(app, "answer"))
    assert trail, "each value of the answer leads to where it came from"
    merges = (one.event for one in worker_of(app).records if isinstance(one.event, NodesMerged))
    merge = next(one for one in merges if value in one.summary)
    app.switch_page("pages/2_graph.py").run()
    tab_of(app).selections["graph"] = Selection(merge.merged_node_ids[0], None)
    app.run()
    app.button(key="node-values").click().run()
    app.switch_page("pages/5_prompt.py").run()  # as `turn_page` does in the app
    assert app.selectbox(key="value-of").value == merge.new_node_id, "a node's card leads to its values"
    app.text_input(key="value-search").set_value(value).run()
    assert t("value.ended.merged", lang) in shown(app, "value-found")
    arrive_by(app, re.findall(rf"value:{merge.new_node_id}@\d+-\d+", sent(app, "value-found"))[0])
    app.run()
    way = shown(app, "value-way")
    stations = [t("value.merged", lang), t("value.prompt", lang), t("value.source", lang), source]
    assert [words for words in stations if words not in way] == []
    assert f'["mark","",["{value}"]]' in sent(app, "value-way").replace(" ", ""), "the words are marked"

    integration = re.findall(r"call:(\d+)", sent(app, "value-way"))[0]
    arrive_by(app, f"call:{integration}")
    app.run()
    back = re.findall(r"value:n\d+", sent(app, "call-head"))
    assert back, "and back: the call leads to what it brought"
    arrive_by(app, back[0])
    app.run()
    assert t("value.choose", lang) in shown(app, "value-statements")
    arrive_by(app, "value:n999@1-2")
    app.run()
    assert t("value.unknown", lang) in shown(app, "value-unknown")
    assert not app.exception


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
