"""Rarer states of the pages: a run that broke off midway, one of another program, a proxy in front, both engines."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from memorybank.contradiction.disputes.gathering import stated_at
from memorybank.engines.offline.planning import OfflinePlanning
from memorybank.memory.events import CandidatesRetrieved
from memorybank.memory.types import Lang
from memorybank.session.phase import Phase
from memorybank.ui.components.graph.component import Sender
from memorybank.ui.shell import visitors
from memorybank.views.graph.model import GraphView
from memorybank.views.graph.style import NodeMark
from memorybank.views.i18n import t
from memorybank.views.text.passages import passage
from tests.app.driving import keys, rest, says, shown, start, worker_of
from tests.app.recorded_page import bank_of, follow, open_page, targets
from tests.recorded import recorded_run
from tests.waiting import wait_until

ONE = "The Tamar Bridge was opened in 1961. It is 335 metres long and carries three lanes of traffic."
OTHER = "The Tamar Bridge was opened in 1981. It is a toll bridge and ferries run beside it."
TASK = "When was the Tamar Bridge opened?"


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")  # told on the terminal as well
def test_a_run_that_broke_off_midway_says_why_and_goes_on_from_there(
    app: AppTest, monkeypatch: pytest.MonkeyPatch
) -> None:
    def breaks(self: object, given: object) -> None:
        raise RuntimeError("the planner fell over <b>here</b>")

    start(app, TASK, ("one.txt", ONE.encode()), ("other.txt", OTHER.encode()), button="new-step")
    rest(app)
    with monkeypatch.context() as broken:
        broken.setattr(OfflinePlanning, "run", breaks)
        app.button(key="run").click().run()
        worker = worker_of(app)
        wait_until(lambda: worker.phase is Phase.FAILED, 30, lambda: worker.phase)
        app.run()
        assert not app.exception
        assert says(app, "the planner fell over <b>here</b>")
        assert says(app, TASK), "the rest of the page stands"
        assert "run" not in keys(app)
        done = len(worker.records)
        for page in ("2_graph", "3_conflicts", "4_tree", "5_prompt", "6_replay"):
            app.switch_page(f"pages/{page}.py").run()
            assert not app.exception, page
    app.switch_page("pages/1_session.py").run()
    app.button(key="resume").click().run()
    rest(app)
    app.button(key="run").click().run()
    rest(app)
    again = worker_of(app)
    assert again is not worker
    assert again.session is not None
    assert again.session.result.result == "complete"
    before = [one.event for one in worker.records[:done]]
    assert [one.event for one in again.records[: len(before)]] == before, "what had been done stands"


def test_a_run_that_another_program_writes_is_offered_and_watched(
    app: AppTest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "theirs"
    monkeypatch.setenv("WATCH_DIR", str(folder))
    app.run()
    assert all(one.key != "watch" for one in app.button), "there is nothing yet"
    assert says(app, t("watch.offer", "en", name="theirs"))
    shutil.copytree(recorded_run("en").path, folder)
    app.run()
    app.button(key="watch").click().run()
    assert not app.exception
    wait_until(lambda: bool(worker_of(app).records), 30)
    app.run()
    assert "James Webb" in shown(app, "insight")
    assert all(one.key not in ("run", "step", "pause") for one in app.button)


@pytest.mark.parametrize("header", ["X-Forwarded-For", "Forwarded", "X-Real-Ip"])
def test_behind_a_proxy_nobody_is_told_anothers_runs(header: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def seen_from(address: str | None, headers: Mapping[str, str], served: str = "127.0.0.1") -> bool:
        monkeypatch.setattr(st, "context", SimpleNamespace(ip_address=address, headers=headers))
        monkeypatch.setattr(st, "get_option", {"server.address": served}.__getitem__)
        return visitors.is_served_here()

    assert seen_from("127.0.0.1", {})
    assert seen_from(None, {})
    assert seen_from("::1", {}, served="localhost")
    assert seen_from("127.0.0.1", {"Host": "localhost:8501"})
    assert not seen_from("127.0.0.1", {"Host": "named.example"}), "a name of the owner's may be others', too"
    assert not seen_from("127.0.0.1", {header: "203.0.113.9"})
    assert not seen_from("203.0.113.9", {})
    assert not seen_from("127.0.0.1", {}, served="0.0.0.0")
    assert not seen_from("127.0.0.1", {}, served="")


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_under_each_claim_stands_the_raw_text_that_it_rests_on(app: AppTest, lang: Lang) -> None:
    open_page(app, "3_conflicts", lang)
    bank = bank_of(app)
    looked_at = 0
    for conflict in bank.conflicts.all.values():
        follow(app, "conflict", conflict.id)
        whole = shown(app, f"conflict-{conflict.id}")
        for one in conflict.contradictions:
            for side, node_id in zip((one.left, one.right), conflict.node_ids, strict=True):
                span, at = next(
                    (span, at)
                    for span in bank.tree.spans[node_id]
                    if (at := stated_at(side, bank.tree.text(span))) is not None
                )  # the demo's claims all come from its documents
                raw = passage(bank.tree.entries[span.entry_id], span.start + at[0], span.start + at[1])
                assert raw.before[-20:] + raw.match + raw.after[:20] in whole
                assert any(target.startswith(f"entry:{raw.entry.id}@") for target in targets(app))
                looked_at += 1
    assert looked_at >= 4


@pytest.fixture
def drawn(monkeypatch: pytest.MonkeyPatch) -> list[GraphView]:
    """Every picture of the graph that a page has sent."""
    views: list[GraphView] = []
    send = Sender.send

    def remember(self: Sender, view: GraphView, **named: Any) -> dict[str, Any]:
        views.append(view)
        return send(self, view, **named)

    monkeypatch.setattr(Sender, "send", remember)
    return views


def test_what_a_retrieval_brought_is_a_trail_on_the_graph(app: AppTest, drawn: list[GraphView]) -> None:
    open_page(app, "2_graph")
    assert not any("mark" in node for node in drawn[-1].nodes)
    app.session_state["graph-view"] = "why"
    app.session_state["why-kind"] = "node"
    app.run()
    graph = bank_of(app).graph
    found = [one for one in worker_of(app).records if isinstance(one.event, CandidatesRetrieved) and one.event.hits]
    asked = found[-1]
    app.selectbox(key="why-node").set_value(asked.seq).run()
    assert not app.exception
    marked = {node["id"]: node["badge"] for node in drawn[-1].nodes if node.get("mark") == NodeMark.HIT.value}
    hits = {graph.successor(one.node_id): "↳" if one.via else str(one.rank) for one in asked.event.hits}
    assert marked.keys() == {one for one in hits if one in graph.nodes}
    assert marked == {one: rank for one, rank in hits.items() if one in marked}, "each with its rank, or as a neighbour"
    assert drawn[-1].dim < 1, "all else steps back"
