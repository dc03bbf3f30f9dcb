"""The Graph page through AppTest: every state, both ways between canvas and lists, and asking retrievals again."""

from __future__ import annotations

import json
from pathlib import Path

from streamlit.testing.v1 import AppTest

from memorybank.memory.events import CandidatesRetrieved, PromptEnhanced
from memorybank.memory.types import Lang, Node, NodeId
from memorybank.views.i18n import t
from memorybank.views.memory.edges import edges_of
from memorybank_lab.bench.long_run import make_long_run
from tests.app.driving import bank_of, choose, component, follow, keys, open_page, press, says, shown, tab_of
from tests.waiting import wait_until

PAGE = "2_graph"
RUN = "a" * 32
LINKS = {lang: t("graph.card.tab.links", lang, count=0).split(" (")[0].split("（")[0] for lang in ("en", "zh")}


def select(app: AppTest, node: str) -> AppTest:
    """As a click into the canvas."""
    tab_of(app).selections["graph"] = NodeId(node)
    return app.run()


def test_every_node_has_its_card_and_its_line_in_the_list(app: AppTest, lang: Lang) -> None:
    open_page(app, PAGE, lang)
    bank = bank_of(app)
    listed = shown(app, "graph-list")
    for node in bank.graph.nodes.values():
        assert node.context[:20] in listed
        select(app, node.id)
        assert not app.exception
        assert node.context in shown(app, "node-head")
        assert node.summary in shown(app, "node-about")
        assert t("graph.origin.title", lang) in shown(app, "node-about")
    edge = max(edges_of(bank).values(), key=lambda edge: len(edge.conflicts))
    for end, other in (edge.ends, edge.ends[::-1]):
        select(app, end)
        app.session_state["node-tabs"] = next(one.label for one in app.tabs if one.label.startswith(LINKS[lang]))
        links = shown(app.run(), "node-links")
        assert bank.graph.nodes[other].context[:30] in links
        assert all(conflict.description in links for conflict in edge.conflicts)
        assert "%" in links  # how sure the verdict was


def test_an_id_that_was_merged_away_leads_to_its_successor_and_one_that_never_was_is_named(app: AppTest) -> None:
    open_page(app, PAGE)
    bank = bank_of(app)
    gone = next(iter(bank.graph.gone))
    select(app, gone)
    assert "was merged into" in shown(app, "node-head")
    assert component(app, "graph")["selected"] == bank.graph.successor(gone)
    assert tab_of(app).selections["graph"] == gone  # at an earlier moment it is itself again
    assert bank.graph.nodes[bank.graph.successor(gone)].summary in shown(app, "node-about")
    select(app, "n9999<script>")
    assert not app.exception
    assert "There is no node n9999<script>" in shown(app, "graph-unknown")


def test_a_search_lights_what_it_finds_and_goes_to_the_first(app: AppTest) -> None:
    open_page(app, PAGE)
    nodes = bank_of(app).graph.nodes
    app.text_input(key="graph-search").set_value("TELESCOPE").run()
    assert not app.exception
    found = [node_id for node_id in nodes if "telescope" in text_of(nodes[node_id])]
    assert f"{len(found)} nodes match “TELESCOPE”." in shown(app, "graph-found")
    assert len(found) > 1
    assert tab_of(app).selections["graph"] in found
    assert all((nodes[one].context[:20] in shown(app, "graph-list")) == (one in found) for one in nodes)
    app.text_input(key="graph-search").set_value("no such words").run()
    assert "0 nodes match" in shown(app, "graph-found")
    assert shown(app, "graph-list").endswith(t("graph.list.none", "en"))
    app.text_input(key="graph-search").set_value("").run()
    assert not says(app, "match “")


def text_of(node: Node) -> str:
    return "\n".join((node.context, *node.keywords, node.summary)).casefold()


def test_every_retrieval_is_shown_as_it_was_used(app: AppTest, lang: Lang) -> None:
    open_page(app, PAGE, lang)
    choose(app, "graph-view", "why")
    records = tab_of(app).run.records
    for kind, event_type in (("prompt", PromptEnhanced), ("node", CandidatesRetrieved)):
        choose(app, "why-kind", kind)
        for record in [one for one in records if isinstance(one.event, event_type)][-4:]:
            app.selectbox(key=f"why-{kind}").set_value(record.seq).run()
            assert not app.exception
            table = shown(app, "why-found")
            assert t("graph.why.as_used", lang) in table
            for hit in record.event.hits:
                assert f"{hit.score:.3f}" in table
                assert f"{hit.keyword_raw:.2f}" in table
            assert app.button(key="why-reset").disabled


def test_moving_the_sliders_says_what_would_come_in_and_drop_out(app: AppTest) -> None:
    open_page(app, PAGE)
    calls = len(tab_of(app).run.records)
    choose(app, "graph-view", "why")
    app.slider(key="why-k").set_value(2).run()
    assert not app.exception
    assert "would drop out" in shown(app, "why-found")
    assert t("graph.why.change.out", "en") in shown(app, "why-found")
    assert "Cut-off: k = 2" in shown(app, "why-found")
    drawn = json.dumps(component(app, "why-found"))
    assert json.dumps(["span", "chip", [t("graph.why.change.out", "en")]]) in drawn
    assert 'disputed"' not in drawn, "amber is kept for what is disputed"
    app.slider(key="why-alpha").set_value(0.0).run()
    assert not app.exception
    app.slider(key="why-share").set_value(1.0).run()
    wait_until(
        lambda: t("graph.why.group.aside", "en", count=9).partition(" (")[0] in shown(app.run(), "why-found"), 30
    )
    assert "Neighbours below 1 of the last hit's score" in shown(app, "why-found")
    app.button(key="why-reset").click().run()
    assert app.slider(key="why-share").value == 0.5
    assert (app.slider(key="why-k").value, app.slider(key="why-alpha").value) == (5, 0.5)
    assert t("graph.why.as_used", "en") in shown(app, "why-found")
    assert len(tab_of(app).run.records) == calls


def test_why_a_node_was_compared_opens_from_its_card(app: AppTest) -> None:
    open_page(app, PAGE)
    asked = next(
        one.event.node_id
        for one in reversed(tab_of(app).run.records)
        if isinstance(one.event, CandidatesRetrieved) and one.event.node_id in bank_of(app).graph.nodes
    )
    select(app, asked)
    press(app, "why-compared")
    assert app.session_state["graph-view"] == "why"
    seq = app.selectbox(key="why-node").value
    assert seq is not None
    assert tab_of(app).run.records[seq - 1].event.node_id == asked
    for _ in range(2):
        follow(choose(app, "graph-view", "why"), "node", "n1")
        assert app.session_state["graph-view"] == "memory", "each time"


def test_a_run_of_a_model_that_is_not_here_can_be_looked_at_and_says_why_not_asked(
    app: AppTest, tmp_path: Path
) -> None:
    make_long_run(tmp_path / "runs" / RUN, nodes=120)
    app.query_params["run"] = RUN
    app.run()
    app.switch_page(f"pages/{PAGE}.py").run()
    assert not app.exception
    total = len(bank_of(app).graph.nodes)
    assert f"Showing 50 of {total}" in shown(app, "graph-list-cut")
    app.button(key="graph-list-more").click().run()
    assert f"Showing 100 of {total}" in shown(app, "graph-list-cut")
    choose(app, "graph-view", "why")
    wait_until(lambda: says(app.run(), "As the run found it"), 30)
    assert not app.exception
    assert "Retrieved directly" in shown(app, "why-found")  # the run's own record needs no model
    assert keys(app).isdisjoint({"why-k", "why-again"})
    choose(app, "graph-view", "memory")
    assert "graph-list" in keys(app)
