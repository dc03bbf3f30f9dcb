"""The difference of two moments, A and B: which they are, then the graph or the lists."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import streamlit as st

from memorybank.contradiction.disputes.dispute import describe
from memorybank.hosting.run import Run
from memorybank.memory.events import PromptEnhanced
from memorybank.memory.types import Lang
from memorybank.ui.components.graph.component import draw as draw_network
from memorybank.ui.components.paged import draw_more, page_end
from memorybank.ui.components.rich import draw
from memorybank.ui.graph_page.graph import HEIGHT
from memorybank.ui.shell import state
from memorybank.ui.shell.memo import kept
from memorybank.ui.shell.selections import selection
from memorybank.ui.shell.switch import draw_switch
from memorybank.ui.shell.tab import this_tab
from memorybank.ui.shell.widgets import REPLAY_SECTION
from memorybank.views.box import Box, Piece, box, chip, label, marked, muted, note
from memorybank.views.graph.model import build_view
from memorybank.views.graph.moment_view import raw_characters
from memorybank.views.i18n import t
from memorybank.views.link import link
from memorybank.views.run.commits import borders_of
from memorybank.views.run.step_diff import DisputeChange, NodeChange, SessionStep, StepDiff, step_diff

Name = Literal["a", "b"]
Part = Literal["graph", "nodes", "conflicts"]
PARTS: tuple[Part, ...] = ("graph", "nodes", "conflicts")
GRAPH = "diff-graph"
MOST = 30
"""Rows of a list that are shown at once."""
LOOKS = {"added": "new", "removed": "failure", "changed": "changed"}
"""What a change looks like; its word stands beside it."""


# -- the two moments --------------------------------------------------------------------------------------------------


def named_moments(worker: Run) -> tuple[int, int]:
    """A and B: as chosen, else the first prompt (or stage) that was ready, and the newest event."""
    chosen = _chosen(worker)
    count = len(worker.records)
    a = chosen.get("a", _first_moment(worker))
    b = chosen.get("b", count)
    return min(a, count), min(b, count)


def set_moment(name: Name) -> None:
    """For callbacks: the moment that the slider stands at is A, or B, from now on."""
    mine = this_tab().shown_run
    at = state.at_event()
    k = len(mine.records) if at is None else at
    this_tab().replay.moments = (mine.run_id, {**_chosen(mine), name: k})
    REPLAY_SECTION.set("diff")
    this_tab().replay.redraw = True


def _chosen(worker: Run) -> dict[str, int]:
    run_id, chosen = this_tab().replay.moments
    return chosen if run_id == worker.run_id else {}


def _first_moment(worker: Run) -> int:
    begun = next((record.seq for record in worker.records if isinstance(record.event, PromptEnhanced)), 0)
    return next((border for border in borders_of(worker.records) if border >= begun), 0)


def difference(worker: Run) -> StepDiff:
    """Worked out once for a pair of moments."""
    a, b = named_moments(worker)
    return kept(("diff", worker.run_id, a, b), lambda: step_diff(worker.records, a, b, state.bank_at))


# -- the section ------------------------------------------------------------------------------------------------------


def draw_diff(worker: Run, lang: Lang) -> None:
    diff = difference(worker)
    with st.container(border=True, key="diff-card"):
        _draw_moments(diff, lang)
        if diff.is_same_moment:
            draw(box("p", "notice", t("replay.diff.same", lang)), key="diff-same")
            return
        if diff.swapped:
            draw(note(t("replay.diff.swapped", lang)), key="diff-swapped")
        part = _draw_parts(diff, lang)
        _draw_part(part, diff, worker, lang)


def _draw_moments(diff: StepDiff, lang: Lang) -> None:
    """Each leads to its moment on the slider, where the other one is set."""
    steps = sorted((diff.earlier, diff.later), key=lambda step: step.name)
    for step, column in zip(steps, st.columns(2, gap="medium"), strict=True):
        with column:
            words = box("p", "step-name", *step_words(step, lang), choose=link("moment", step.seq))
            draw(words, key=f"step-{step.name.lower()}")


def step_words(step: SessionStep, lang: Lang) -> list[Piece]:
    return [box("span", "step-letter", step.name), step_name(step, lang).removeprefix(step.name).removeprefix(" · ")]


def step_name(step: SessionStep, lang: Lang) -> str:
    """`A · event 120 · plan, round 3`."""
    values: dict[str, object] = {"name": step.name, "seq": step.seq}
    if not step.stage:
        return t("replay.diff.name", lang, **values)
    values["stage"] = t(f"stage.{step.stage}", lang)
    if not step.round:
        return t("replay.diff.name_stage", lang, **values)
    return t("replay.diff.name_round", lang, **values, round=step.round)


def _draw_parts(diff: StepDiff, lang: Lang) -> Part:
    counts = {"graph": 0, "nodes": len(diff.nodes), "conflicts": len(diff.disputes)}

    def words(part: Part) -> str:
        name = t(f"replay.diff.{part}", lang)
        return f"{name} {counts[part]}" if counts[part] else name

    return draw_switch(t("replay.diff.view", lang), PARTS, words, key="diff-part")


def _draw_part(part: Part, diff: StepDiff, worker: Run, lang: Lang) -> None:
    match part:
        case "graph":
            _draw_graph(diff, worker, lang)
        case "nodes":
            _draw_list([_node(change, diff, lang) for change in diff.nodes], part, lang)
        case "conflicts":
            _draw_list([_dispute(change, lang) for change in diff.disputes], part, lang)


def _draw_graph(diff: StepDiff, worker: Run, lang: Lang) -> None:
    after = diff.after
    merged = frozenset(merge.new_node_id for merge in after.tree.merge_events.values() if not merge.undone)
    view = build_view(
        after.graph.nodes,
        state.moment(worker).points,
        conflicts=after.conflicts.all.values(),
        successor=after.graph.successor,
        merged=merged,
        raw_characters=raw_characters(after),
        lang=lang,
        diff=diff.graph,
    )
    draw_network(view, key=GRAPH, height=HEIGHT)
    chosen = selection(GRAPH)
    rows = [_node(change, diff, lang) for change in diff.nodes if change.node.id == chosen]
    if rows:
        draw(box("ul", "changes", *rows), key="diff-chosen")


# -- rows -------------------------------------------------------------------------------------------------------------


def _draw_list(rows: Sequence[Box], part: Part, lang: Lang) -> None:
    if not rows:
        draw(muted(t(f"replay.diff.none.{part}", lang)), key=f"diff-none-{part}")
        return
    key = f"diff-list-{part}"
    draw(box("ul", "changes", *rows[: page_end(key, MOST)]), key=key)
    draw_more(key, MOST, len(rows), lang)


def _row(change: str, lang: Lang, *inside: Piece | None, choose: str = "") -> Box:
    words = t(f"replay.diff.change.{change}", lang)
    return box("li", f"change {change}", chip(words, LOOKS[change]), box("div", "change-text", *inside), choose=choose)


def _before_after(was: str, now: str) -> list[Box]:
    from memorybank.views.text.diff import mark_difference

    left, right = mark_difference(was, now)
    return [box("p", "text was", *marked(left)), box("p", "text", *marked(right))]


def _node(change: NodeChange, diff: StepDiff, lang: Lang) -> Box:
    node = change.node
    target = change.into or node.id
    into = diff.after.graph.nodes.get(change.into) if change.into else None
    if change.change != "changed":
        return _row(
            change.change,
            lang,
            box("p", "text strong", node.context or node.id),
            box("p", "text muted small clamp", node.summary),
            box("p", "small", t("replay.diff.into", lang, topic=into.context)) if into else None,
            choose=link("node", target),
        )
    return _row(change.change, lang, *_rewritten(change, lang), choose=link("node", target))


def _rewritten(change: NodeChange, lang: Lang) -> list[Box]:
    """What a node's topic, summary and keywords were, and are."""
    was, node = change.was or change.node, change.node
    gone, added = change.keywords
    rows = [box("p", "text strong", node.context)]
    if was.context != node.context:
        rows = [label(t("replay.diff.topic", lang)), *_before_after(was.context, node.context)]
    if was.summary != node.summary:
        rows += [label(t("replay.diff.summary", lang)), *_before_after(was.summary, node.summary)]
    if gone or added:
        words = [*(box("del", "", word) for word in gone), *(box("ins", "", word) for word in added)]
        heading = box("span", "label", t("replay.diff.keywords", lang))
        rows.append(box("p", "row small keywords", heading, *words))
    return rows


def _dispute(change: DisputeChange, lang: Lang) -> Box:
    now = t(f"conflict.status.{change.dispute.status}", lang)
    before = t(f"conflict.status.{change.was.status}", lang) if change.was else ""
    return _row(
        change.change,
        lang,
        box("p", "text", describe(change.dispute, lang)),
        box("p", "small muted text", f"{before} → {now}" if before and before != now else now),
        choose=link("conflict", change.dispute.conflict_ids[0]),
    )
