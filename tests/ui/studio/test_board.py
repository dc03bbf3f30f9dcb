"""The plan board: what it shows, and what becomes of a move that is done, undone, stale, or makes no sense."""

from __future__ import annotations

import json
from typing import Any

import pytest

from memorybank.narrative.types import PlanKind
from memorybank.views.i18n import t
from tests.app.driving import keys, says, sent, shown
from tests.ui.studio.conftest import Tab

OUTLINE = """Outline: The feud
Book outline: Book one
Short outline: The road
Step 1: Lin leaves
Step 2: Lin is robbed
Step 3: Lin comes to the gate
Short outline: The siege
Step 1: Rao camps
Step 2: Rao storms the gate"""


@pytest.fixture
def tab(tabs: type[Tab]) -> Tab:
    tab = tabs().begin().say(f"/new Feud\n{OUTLINE}").press("studio-settle-t1").press("studio-confirm")
    return tab.show("hub", "plans")


def board(tab: Tab) -> list[dict[str, Any]]:
    ((data,),) = json.loads(sent(tab.page, "studio-board")).values()
    lanes: list[dict[str, Any]] = data["lanes"]
    return lanes


def titles(tab: Tab) -> dict[str, list[str]]:
    return {lane["name"]: [card["title"] for group in lane["groups"] for card in group["cards"]] for lane in board(tab)}


def key_of(tab: Tab, title: str) -> str:
    steps = tab.held.studio.stores.plans.all(kind=PlanKind.STEP)
    return next(step.key for step in steps if step.title == title)


def test_storylines_are_lanes_and_steps_stand_in_the_order_of_the_plan(tab: Tab) -> None:
    assert titles(tab) == {
        "The road": ["Lin leaves", "Lin is robbed", "Lin comes to the gate"],
        "The siege": ["Rao camps", "Rao storms the gate"],
    }
    assert [lane["notes"] for lane in board(tab)] == [
        ["0 of 3 steps", "next: Lin leaves"],
        ["0 of 2 steps", "next: Rao camps"],
    ]
    assert [group["title"] for lane in board(tab) for group in lane["groups"]] == ["The road", "The siege"]


def test_moves_are_done_and_undone_in_turn(tab: Tab) -> None:
    before = titles(tab)
    leaves, comes = key_of(tab, "Lin leaves"), key_of(tab, "Lin comes to the gate")
    tab.act(comes, act="place", was="The road", lane="The road", before=leaves)
    assert titles(tab)["The road"] == ["Lin comes to the gate", "Lin leaves", "Lin is robbed"]
    tab.act(leaves, act="place", was="The road", lane="The siege", before=None)
    assert titles(tab)["The road"] == ["Lin comes to the gate", "Lin is robbed"]
    assert "Lin leaves" in titles(tab)["The siege"]
    assert "“Lin leaves” was moved" in shown(tab.page, "studio-board-words")
    tab.press("studio-board-undo").press("studio-board-undo")
    assert titles(tab) == before
    assert "studio-board-undo" not in keys(tab.page)


def test_a_tab_that_has_not_seen_a_move_is_told_so_and_loses_nothing(tab: Tab, tabs: type[Tab]) -> None:
    other = tabs().press(f"studio-open-{tab.held.id}").show("hub", "plans")
    leaves, robbed = key_of(tab, "Lin leaves"), key_of(tab, "Lin is robbed")
    tab.act(leaves, act="place", was="The road", lane="The siege", before=None)
    other.act(robbed, act="place", was="The road", lane="The road", before=None, as_of=0)
    assert titles(other)["The road"] == ["Lin comes to the gate", "Lin is robbed"]
    after = titles(other)
    other.act(leaves, act="place", was="The road", lane="The road", before=None, as_of=0)
    assert says(other.page, "was moved in another tab meanwhile")
    assert titles(other) == after
    tab.act(leaves, act="status", was="InProgress", status="Completed")
    assert says(tab.page, "was changed in another tab meanwhile")


def test_what_names_nothing_on_the_board_is_refused(tab: Tab) -> None:
    before, leaves = titles(tab), key_of(tab, "Lin leaves")
    hostile = "<img src=x onerror=window.__ran=1>"
    for what in (
        {"plan": leaves, "act": "place", "was": "The road", "lane": hostile, "before": None},
        {"plan": leaves, "act": "place", "was": "The road", "lane": ["The road"], "before": {}},
        {
            "plan": leaves,
            "act": "place",
            "was": "The road",
            "lane": "The siege",
            "before": key_of(tab, "Lin is robbed"),
        },
        {"plan": hostile, "act": "place", "was": "", "lane": "The road", "before": None},
    ):
        tab.act(**what)
        assert says(tab.page, "cannot stand there"), what
        assert says(tab.page, t("studio.board_help", "en")), "the board is there still"
    for act in ({"act": "status", "was": "Pending", "status": hostile}, {"act": hostile}, {"act": "facts"}):
        tab.act(leaves, **act)
    assert titles(tab) == before
    assert len(tab.memory.studio.moved) == 0


def test_each_act_counts_once_however_often_it_is_said(tab: Tab) -> None:
    leaves = key_of(tab, "Lin leaves")
    tab.act(leaves, act="place", was="The road", lane="The siege", before=None)
    moves = tab.held.studio.gateway.by_hand.placements
    tab.run().run()
    assert tab.held.studio.gateway.by_hand.placements == moves
