"""A run and a branch of it, side by side: where they parted, and what each came to."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import streamlit as st

from memorybank.contradiction.disputes import Dispute, describe
from memorybank.errors import JournalError, MemoryBankError
from memorybank.hosting.run import Run
from memorybank.hosting.saved import StoredRun
from memorybank.memory.bank import MemoryBank
from memorybank.memory.types import Lang
from memorybank.runs.journal import Record
from memorybank.runs.run_folder import load, run_id_of, state_at
from memorybank.ui.components.graph.component import draw as draw_network
from memorybank.ui.components.rich import draw
from memorybank.ui.shell import state
from memorybank.ui.shell.memo import kept, past
from memorybank.ui.shell.saved import open_listed, stored_runs
from memorybank.views.box import Box, aside, box, chip, label, muted, note, row_of, stack_of
from memorybank.views.boxes.answer import answer_boxes
from memorybank.views.boxes.conflicts import status_chip
from memorybank.views.graph.model import build_view
from memorybank.views.graph.moment_view import raw_characters
from memorybank.views.i18n import t
from memorybank.views.link import link
from memorybank.views.run.branches import Branching, BranchSide, compare_branches, parent_of
from memorybank.views.text.display import clip
from memorybank.views.text.quantities import relative_time

HEIGHT = 380
MOST = 12
"""Lines of a list that are shown."""


def draw_branches(worker: Run, lang: Lang) -> None:
    records = worker.records
    stored = stored_runs()
    forked = parent_of(records)
    parent = stored.by_run_id(forked.parent_run_id) if forked is not None else None
    branches = stored.branches_of(run_id_of(records))
    if forked is not None and parent is None:
        draw(box("p", "notice", t("replay.branches.parent_gone", lang, seq=forked.parent_seq)), key="parent-gone")
    others = [run for run in (parent, *branches) if run is not None]
    if not others:
        if forked is None:
            draw(muted(t("replay.branches.none", lang)), key="no-branches")
        return
    shown_run = _choose(others, parent, lang) if len(others) > 1 else others[0]
    try:
        branching = _branching(worker, shown_run, is_parent=shown_run is parent)
    except JournalError:
        draw(box("p", "notice", t("replay.branches.not_theirs", lang)), key="not-theirs")
        return
    except MemoryBankError:
        draw(box("p", "notice failure", t("replay.branches.not_theirs", lang)), key="not-theirs")
        return
    _draw_both(branching, shown_run, is_parent=shown_run is parent, lang=lang)


def _choose(others: Sequence[StoredRun], parent: StoredRun | None, lang: Lang) -> StoredRun:
    names = {run.address: run for run in others}

    def words(address: str) -> str:
        if parent is not None and address == parent.address:
            return t("replay.branches.parent", lang)
        run = names[address]
        when = relative_time(run.changed, time.time(), lang)
        return t("replay.branches.item", lang, seq=run.parted, when=when)

    chosen = st.selectbox(t("replay.branches.choose", lang), list(names), format_func=words, key="branch-chosen")
    return names[chosen] if chosen else others[0]


def _records_of(stored: StoredRun) -> Sequence[Record[Any]]:
    """Read once for as long as the journal does not grow."""
    name = ("branch-records", stored.address, stored.size)
    return kept(name, lambda: load(state.runs().folder(stored.address).path))


def _branching(worker: Run, compared_run: StoredRun, *, is_parent: bool) -> Branching:
    """Worked out once for as long as neither run grows; the memory of the tab's own run is not folded again."""
    mine, theirs = worker.records, _records_of(compared_run)

    def bank_at(records: Sequence[Record[Any]], k: int) -> MemoryBank:
        return state.bank_at(records, k) if records is mine else state_at(records, k)

    def compared() -> Branching:
        return compare_branches(theirs, mine, bank_at) if is_parent else compare_branches(mine, theirs, bank_at)

    own = past(worker.run_id, mine, len(mine))
    return kept(("branching", *own, compared_run.address, compared_run.size, is_parent), compared)


def _draw_both(both: Branching, compared_run: StoredRun, *, is_parent: bool, lang: Lang) -> None:
    values: dict[str, object] = {"seq": both.parted, "stage": t(f"stage.{both.stage}", lang)}
    parted = t("replay.branches.parted", lang, **values)
    if both.round:
        parted = t("replay.branches.parted_round", lang, **values, round=both.round)
    shared = t("replay.branches.shared", lang, count=both.shared_nodes)
    same = bool(both.parent.answer) and both.parent.answer == both.branch.answer
    draw(
        box(
            "p",
            "row",
            box("span", "strong", parted, choose=link("moment", both.parted)),
            aside(shared),
            aside(t("replay.branches.same_answer", lang)) if same else None,
        ),
        key="parted",
    )
    left, right = st.columns(2, gap="medium")
    for name, side, column, is_other in (
        ("parent", both.parent, left, is_parent),
        ("branch", both.branch, right, not is_parent),
    ):
        with column.container(border=True, key=f"side-{name}"):
            _draw_side(name, side, compared_run if is_other else None, lang)


def _settings(side: BranchSide, lang: Lang) -> str:
    return t("replay.branches.settings", lang, k=side.k, alpha=f"{side.alpha:g}", share=f"{side.share:g}")


def _draw_side(name: str, side: BranchSide, stored_run: StoredRun | None, lang: Lang) -> None:
    """One of the two. `stored_run`: it is not the run that is open."""
    own = t("replay.branches.own", lang, events=side.events_own, calls=side.calls)
    opens = "" if stored_run is None else "open"
    draw(
        row_of(
            box("span", "strong", t(f"replay.branches.{name}", lang)),
            box("span", "cite", t("replay.branches.open", lang), choose=opens)
            if opens
            else chip(t("replay.branches.this", lang), "task"),
            aside(_settings(side, lang)),
            aside(own if side.events_own else t("replay.branches.none_own", lang)),
        ),
        key=f"side-head-{name}",
        on_choose=lambda _: open_listed(stored_run.address) if stored_run is not None else None,
    )
    bank = side.bank
    view = build_view(
        bank.graph.nodes,
        side.points,
        conflicts=bank.conflicts.all.values(),
        successor=bank.graph.successor,
        merged=side.merged,
        diff=replace(
            side.changes, before=t("replay.branches.past", lang), after=t(f"replay.branches.the_{name}", lang)
        ),
        raw_characters=raw_characters(bank),
        lang=lang,
    )
    draw_network(view, key=f"graph-{name}", height=HEIGHT)
    linked = stored_run is None
    draw(
        stack_of(*_answer(side, lang)),
        _part("conflicts", [_dispute(side, dispute, linked, lang) for dispute in side.disputes], lang),
        _part("merges", [_merge(side, merge, linked, lang) for merge in side.merges], lang),
        _part("nodes", [_node(side, node, linked, lang) for node in side.nodes], lang),
        key=f"side-lists-{name}",
    )


def _answer(side: BranchSide, lang: Lang) -> list[Box]:
    head = label(t("replay.branches.answer", lang))
    if not side.answer:
        return [box("div", "", head, muted(t("replay.branches.no_answer", lang)))]
    return [box("div", "answer-box", head, *answer_boxes(side.answer, lang))]


def _part(name: str, rows: list[tuple[bool, Box]], lang: Lang) -> Box:
    """Its own first; of a long list the rest is counted."""
    ordered = [row for own, row in rows if own] + [row for own, row in rows if not own]
    shown = ordered[:MOST]
    cut = t("replay.diff.showing", lang, shown=len(shown), total=len(ordered))
    return box(
        "div",
        "gap",
        label(f"{t(f'replay.branches.{name}', lang)} {len(rows)}"),
        box("ul", "plain-list", *shown) if rows else note(t("replay.branches.nothing", lang)),
        note(cut) if len(shown) < len(ordered) else None,
    )


def _item(words: str, own: bool, target: str, lang: Lang, *more: Box) -> tuple[bool, Box]:
    mark = chip(t("replay.branches.mark_own", lang), "new") if own else None
    return own, box("li", "row", box("span", "text", clip(words, 120)), *more, mark, choose=target)


def _dispute(side: BranchSide, dispute: Dispute, linked: bool, lang: Lang) -> tuple[bool, Box]:
    conflicts = [side.bank.conflicts.all[conflict_id] for conflict_id in dispute.conflict_ids]
    own = any(node_id in side.made for conflict in conflicts for node_id in conflict.node_ids)
    target = link("conflict", dispute.conflict_ids[0]) if linked else ""
    return _item(describe(dispute, lang), own, target, lang, status_chip(dispute.status, lang))


def _merge(side: BranchSide, merge: Any, linked: bool, lang: Lang) -> tuple[bool, Box]:
    node = side.bank.graph.nodes.get(side.bank.graph.successor(merge.new_node_id))
    words = node.context if node is not None else merge.description
    return _item(words, merge.new_node_id in side.made, link("merge", merge.id) if linked else "", lang)


def _node(side: BranchSide, node: Any, linked: bool, lang: Lang) -> tuple[bool, Box]:
    return _item(node.context or node.id, node.id in side.born, link("node", node.id) if linked else "", lang)
