"""The Replay page: a slider over all events, and below it the moment, a difference of two, or the branches."""

from __future__ import annotations

import time
from collections.abc import Sequence
from functools import partial
from typing import Any, Literal

import streamlit as st

from memorybank.contradiction.disputes.dispute import describe
from memorybank.hosting.new_runs import branch_off
from memorybank.hosting.run import Run
from memorybank.memory.events import PromptEnhanced, SessionForked
from memorybank.memory.types import Lang
from memorybank.runs.run_folder import fork_border, run_id_of
from memorybank.runs.stages import ends_stage
from memorybank.ui.batch import draw_batch, has_batch
from memorybank.ui.components.graph.component import draw as draw_network
from memorybank.ui.components.paged import draw_more, page_end
from memorybank.ui.components.problems import guarded
from memorybank.ui.components.rich import draw
from memorybank.ui.components.timeline.component import draw_timeline, mark_shown
from memorybank.ui.graph_page.graph import HEIGHT, details_of, draw_graph, selected_node
from memorybank.ui.graph_page.node_card import draw_node_card
from memorybank.ui.session.run import POLL
from memorybank.ui.shell import state
from memorybank.ui.shell.links import clear_focus, focus
from memorybank.ui.shell.saved import compare_listed, open_listed, stored_runs
from memorybank.ui.shell.switch import button, draw_switch
from memorybank.ui.shell.tab import kept, problems_kept, selection, this_tab
from memorybank.ui.shell.widgets import REPLAY_SECTION
from memorybank.views.box import Box, Piece, box, chip, label, marked, muted, note
from memorybank.views.boxes.answer_card import answer_card
from memorybank.views.boxes.state import insight_box
from memorybank.views.graph.model import build_view
from memorybank.views.graph.moment_view import raw_characters
from memorybank.views.i18n import t
from memorybank.views.link import link
from memorybank.views.run.commits import (
    DisputeChange,
    NodeChange,
    SessionStep,
    StepDiff,
    borders_of,
    step_at,
    step_diff,
)
from memorybank.views.run.feed import FeedItem, say
from memorybank.views.run.playback import Moment
from memorybank.views.text.display import relative_time, unheaded

Name = Literal["a", "b"]
Part = Literal["graph", "nodes", "conflicts"]
PARTS: tuple[Part, ...] = ("graph", "nodes", "conflicts")
GRAPH = "diff-graph"
MOST = 30
"""The number of rows of a list that are shown at once."""
LOOKS = {"added": "new", "removed": "failure", "changed": "changed"}
"""The look of each change; its word stands beside it."""


# -- the two moments --------------------------------------------------------------------------------------------------


def named_moments(worker: Run) -> tuple[int, int]:
    """Return A and B: as chosen, else the first prompt (or stage) that was ready, and the newest event."""
    chosen, count = _chosen(worker), len(worker.records)
    return min(chosen.get("a", _first_moment(worker)), count), min(chosen.get("b", count), count)


def set_moment(name: Name) -> None:
    """Make the moment at which the slider stands A or B from now on. It is called from callbacks."""
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
    """Return the difference, worked out once for a pair of moments."""
    a, b = named_moments(worker)
    return kept(("diff", worker.run_id, a, b), lambda: step_diff(worker.records, a, b, state.bank_at))


# -- the section ------------------------------------------------------------------------------------------------------


def draw_diff(worker: Run, lang: Lang) -> None:
    diff = difference(worker)
    with st.container(horizontal=True, vertical_alignment="center"):
        part = None if diff.is_same_moment else _draw_parts(diff, lang)
        for step in sorted((diff.earlier, diff.later), key=lambda step: step.name):  # each leads to its moment
            letter, name = box("span", "step-letter", step.name), step_name(step, lang).removeprefix(f"{step.name} · ")
            draw(box("p", "step-name", letter, name, choose=link("moment", step.seq)), key=f"step-{step.name.lower()}")
    if diff.swapped:
        draw(note(t("replay.diff.swapped", lang)), key="diff-swapped")
    if part is None:
        draw(box("p", "notice", t("replay.diff.same", lang)), key="diff-same")
    else:
        _draw_part(part, diff, worker, lang)


def step_name(step: SessionStep, lang: Lang) -> str:
    """Return a moment's name: `A · event 120 · plan, round 3`."""
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
    head = chip(t(f"replay.diff.change.{change}", lang), LOOKS[change])
    return box("li", "", box("div", f"change {change}", head, box("div", "change-text", *inside), choose=choose))


def _before_after(was: str, now: str) -> list[Box]:
    from memorybank.views.text.display import mark_difference

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
            box("p", "text muted small clamp", unheaded(node.summary)),
            box("p", "small", t("replay.diff.into", lang, topic=into.context)) if into else None,
            choose=link("node", target),
        )
    return _row(change.change, lang, *_rewritten(change, lang), choose=link("node", target))


def _rewritten(change: NodeChange, lang: Lang) -> list[Box]:
    """Return a node's topic, summary and keywords before and after the change."""
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


def draw_fork(worker: Run, lang: Lang) -> None:
    """Draw the form for a fork, while it is open."""
    if not this_tab().replay.fork_open:
        return
    records, at = worker.records, state.at_event()
    border = fork_border(records, len(records) if at is None else at)
    with st.container(border=True, key="fork-card", gap="small"):
        st.subheader(t("replay.fork.title", lang), anchor=False)
        draw(box("p", "text", _lead(records, border, lang)), key="fork-words")
        with st.container(horizontal=True):
            button(
                t("replay.fork.do", lang),
                "fork-do",
                partial(_fork, worker, border),
                icon="fork_right",
                look="primary",
                disabled=not border,
            )
            button(t("replay.fork.cancel", lang), "fork-cancel", _close)


def _lead(records: Any, border: int, lang: Lang) -> str:
    if border:
        step = step_at(records, border)
        values: dict[str, object] = {"seq": border, "stage": t(f"stage.{step.stage}", lang)}
        if not step.round:
            return t("replay.fork.lead", lang, **values)
        return t("replay.fork.lead_round", lang, **values, round=step.round)
    first = next((record.seq for record in records if ends_stage(record)), 0)
    return t("replay.fork.too_early", lang, seq=first) if first else t("replay.fork.never", lang)


def _fork(worker: Run, at: int) -> None:
    """Make the branch and open it as the tab's run. The parent is parked, not changed."""
    _close()
    branch_off_here(worker, at)
    this_tab().replay.redraw = True


def branch_off_here(worker: Run, at: int) -> None:
    """Make a branch with the first `at` events the tab's run, or keep the reason why that cannot be."""
    with problems_kept():
        runs = state.runs()
        run_id = branch_off(runs, runs.folder_of(worker), worker.records, at)
        branch = runs.open(run_id, by=state.visitor())
        worker.leave()
        state.keep(branch)
        REPLAY_SECTION.set("branches")


def _close() -> None:
    this_tab().replay.fork_open = False


Section = Literal["moment", "diff", "branches", "batch"]
SECTIONS: tuple[Section, ...] = ("moment", "diff", "branches", "batch")
"""The sections of the page; the last two are there where there is something to show in them."""


def draw_replay(worker: Run, lang: Lang) -> None:
    busy = worker.busy
    is_branch, branches = _forked(worker) is not None, stored_runs().branches_of(run_id_of(worker.records))
    is_there = {"branches": is_branch or bool(branches), "batch": has_batch()}
    sections = [name for name in SECTIONS if is_there.get(name, True)]
    st.fragment(_draw_now, run_every=POLL if busy else None)(worker, lang, busy, sections)


def _draw_section(worker: Run, moment: Moment, sections: Sequence[Section], lang: Lang) -> None:
    if REPLAY_SECTION.held() not in sections:
        REPLAY_SECTION.set(sections[0])
    words = t("replay.section", lang)
    section = draw_switch(words, sections, lambda name: t(f"replay.section.{name}", lang), key=REPLAY_SECTION.key)
    if section == "diff":
        draw_diff(worker, lang)
    elif section == "branches":
        draw_branches(worker, lang)
    elif section == "batch":
        draw_batch(lang, here=worker.run_id)
    else:
        draw_state(worker, moment, lang)


def _follow_link(worker: Run) -> None:
    """Stand at the moment that a link led to. A number that the run does not have is its newest event."""
    wanted = focus("moment")
    clear_focus("moment")  # the slider moves on from there; the same link leads there again
    if wanted.isascii() and wanted.isdecimal() and len(wanted) < 10:
        state.look_at(int(wanted) if int(wanted) < len(worker.records) else None)


@guarded
def _draw_now(worker: Run, lang: Lang, was_busy: bool, sections: Sequence[Section]) -> None:
    """Draw what changes while the slider moves, or while the run goes on."""
    worker.see()
    _follow_link(worker)
    is_compared = REPLAY_SECTION.held() == "diff"
    with st.container(key="timeline-card"):
        draw_timeline(worker, lang, moments=named_moments(worker) if is_compared else ())
    moment = state.moment(worker)
    draw_event(moment, lang, is_compared=is_compared)
    draw_fork(worker, lang)
    _draw_section(worker, moment, sections, lang)
    mark_shown(moment.at)
    replay = this_tab().replay
    redraw, replay.redraw = replay.redraw, False
    if worker.busy != was_busy or redraw:
        st.rerun()


# -- the branches of a run --------------------------------------------------------------------------------------------


def _forked(worker: Run) -> SessionForked | None:
    return next((record.event for record in worker.records if isinstance(record.event, SessionForked)), None)


def draw_branches(worker: Run, lang: Lang) -> None:
    stored, forked = stored_runs(), _forked(worker)
    parent = stored.by_run_id(forked.parent_run_id) if forked is not None else None
    if forked is not None and parent is None:
        draw(box("p", "notice", t("replay.branches.parent_gone", lang, seq=forked.parent_seq)), key="parent-gone")
    for run in (parent, *stored.branches_of(run_id_of(worker.records))):
        if run is None:
            continue
        is_parent = run is parent
        seq = forked.parent_seq if is_parent and forked is not None else run.parted
        when = relative_time(run.changed, time.time(), lang)
        words = t(f"replay.branches.{'parent' if is_parent else 'item'}", lang, seq=seq, when=when)
        with st.container(horizontal=True, vertical_alignment="center", key=f"branch-{run.address}"):
            draw(box("p", "text", words), key=f"branch-{run.address}-words")
            pair = (run.address, worker.run_id) if is_parent else (worker.run_id, run.address)
            button(t("runs.compare", lang), f"branch-{run.address}-compare", partial(compare_listed, *pair))
            button(t("runs.open", lang), f"branch-{run.address}-open", partial(open_listed, run.address))


# -- the moment that the slider stands at -----------------------------------------------------------------------------


def draw_event(moment: Moment, lang: Lang, *, is_compared: bool) -> None:
    words, buttons = st.columns([3, 2], vertical_alignment="center", gap="medium")
    with words:
        draw(event_box(moment, lang), key="replay-event")
    with buttons.container(horizontal=True, horizontal_alignment="right", gap="small"):
        for name in ("a", "b") if is_compared else ():
            button(t(f"replay.moment.set_{name}", lang), f"set-{name}", partial(set_moment, name), icon="flag")
        button(t("replay.moment.fork", lang), "fork-here", _open_fork, icon="fork_right")


def draw_state(worker: Run, moment: Moment, lang: Lang) -> None:
    """Draw the memory at the moment: the graph, and beside it the Insight Doc or the node that is selected."""
    graph, beside = st.columns([3, 2], gap="medium")
    with graph:
        draw_graph(moment, lang)
    with beside.container(height=HEIGHT, border=True, key="beside"):
        chosen = selected_node(moment.bank)
        if chosen is None:
            st.subheader(t("layer.insight_doc", lang), anchor=False)
            _draw_insight(moment, worker, lang)
        else:
            draw_node_card(chosen, details_of(worker.records, moment), lang)


def _draw_insight(moment: Moment, worker: Run, lang: Lang) -> None:
    if moment.bank.settings is None:
        draw(muted(t("run.opening", lang)), key="insight")
        return
    card = answer_card(moment, lang, replay=state.is_replay(worker))
    draw(card, insight_box(moment, lang, has_goal=card is None), key="insight")


def _open_fork() -> None:
    this_tab().replay.fork_open = not this_tab().replay.fork_open


def event_box(moment: Moment, lang: Lang) -> Box:
    """Return the event's line with its links; for bookkeeping, the line before it."""
    if not moment.at or not moment.feed:
        return muted(t("replay.moment.start", lang))
    item = moment.feed[-1]
    return box(
        "div",
        "moment",
        None if item.seq == moment.at else note(t("replay.moment.quiet", lang)),
        box("ol", "feed", box("li", item.tone, box("span", "text", say(item, lang)))),
        box("div", "row moment-links", *_links(item, lang)),
    )


def _links(item: FeedItem, lang: Lang) -> list[Box]:
    return [
        box("span", "cite", t(f"replay.moment.open.{kind}", lang), choose=link(kind, id_), title=id_)
        for kind, id_ in item.targets
    ]
