"""The Interaction Tree: from a node to the raw text and the files it stands on, exactly as they are stored."""

from __future__ import annotations

import streamlit as st

from memorybank.bank import MemoryBank
from memorybank.files.formal import FormalStore
from memorybank.run_folder import RunFolder
from memorybank.tools.deep_retrieval import DeepView, view
from memorybank.types import EntryId, Lang, NodeId
from memorybank.ui import state
from memorybank.ui.display import clip
from memorybank.ui.graph.model import node_label
from memorybank.ui.i18n import t
from memorybank.ui.links import follow, link
from memorybank.ui.orders import Phase, Until
from memorybank.ui.panels.conflicts import merge_card
from memorybank.ui.panels.entries import draw_attachment, draw_entry, entry_head
from memorybank.ui.panels.node_card import merges_into, states_of
from memorybank.ui.playback import Moment
from memorybank.ui.rich import box, chip, draw
from memorybank.ui.watcher import Watcher
from memorybank.ui.worker import Worker

MOST_UNFILED = 20
POLL = 2.0
"""Seconds between two looks at a run that goes on."""


def draw_tree(worker: Worker | Watcher, folder: RunFolder, lang: Lang) -> None:
    """It polls while the run goes on: what is filed appears."""
    state.moment(worker)  # a journal that contradicts itself is told here, where the page can say so
    busy = worker.busy
    st.fragment(_draw_tree, run_every=POLL if busy else None)(worker, folder, lang, busy)


def _draw_tree(worker: Worker | Watcher, folder: RunFolder, lang: Lang, was_busy: bool) -> None:
    worker.see(state.tab())
    if worker.busy != was_busy:
        st.rerun()
    moment = state.moment(worker)
    bank = moment.bank
    if not bank.tree.entries:
        draw([box("p", "muted", t("tree.empty", lang))], key="tree-empty")
        return
    node_id = _choose(bank, lang)
    if node_id is not None:
        _draw_node(node_id, moment, folder.files, lang)
    _draw_unfiled(worker, moment, lang)


def _choose(bank: MemoryBank, lang: Lang) -> NodeId | None:
    """The node to show; an id that was merged away leads to its successor, and that is said."""
    nodes = list(reversed(bank.graph.nodes))
    if not nodes:
        draw([box("p", "muted", t("tree.no_nodes", lang))], key="tree-none")
        return None
    asked = state.asked_in_tree()
    live = bank.graph.successor(asked) if asked else nodes[0]
    if live not in bank.graph.nodes:
        draw([box("p", "notice disputed text", t("tree.node_unknown", lang, node_id=asked))], key="tree-unknown")
        live = nodes[0]
    st.session_state["tree-node"] = live
    st.selectbox(
        t("tree.node", lang),
        nodes,
        format_func=lambda one: f"{node_label(bank.graph.nodes[one], lang)} · {one}",
        key="tree-node",
        on_change=lambda: follow(link("tree", st.session_state["tree-node"])),
    )
    if asked and asked != live and asked in bank.graph.gone:
        topic = node_label(bank.graph.nodes[live], lang)
        draw([box("p", "notice merge text", t("node.merged_into", lang, topic=topic))], key="tree-moved")
    return live


def _draw_node(node_id: NodeId, moment: Moment, store: FormalStore, lang: Lang) -> None:
    bank = moment.bank
    node, found = bank.graph.nodes[node_id], view(bank, node_id)
    about, raw = st.columns([2, 3], gap="large")
    with about:
        chips = [chip(t(words, lang), look) for words, look in states_of(node_id, moment)]
        draw(
            [
                box(
                    "div",
                    "stack",
                    box("div", "row", *chips, box("span", "muted small mono", node_id)),
                    box("div", "", box("p", "label", t("node.context", lang)), box("p", "text strong", node.context)),
                    box("div", "", box("p", "label", t("node.summary", lang)), box("p", "text", node.summary)),
                    box("p", "muted small text", " · ".join(node.keywords)),
                )
            ],
            key="tree-about",
        )
        _draw_merges(node_id, bank, lang)
    with raw:
        _draw_entries(found, store, lang)


def _draw_merges(node_id: NodeId, bank: MemoryBank, lang: Lang) -> None:
    merges = merges_into(node_id, bank)
    if merges:
        st.subheader(t("tree.merges", lang), anchor=False)
    for merge in merges:
        draw([merge_card(merge, bank, lang)], key=f"tree-merge-{merge.id}")


def _draw_entries(found: DeepView, store: FormalStore, lang: Lang) -> None:
    with st.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="center"):
        st.subheader(t("tree.entries", lang, count=len(found.entries)), anchor=False, width="content")
        whole = st.toggle(t("tree.whole", lang), value=True, key="tree-whole", persist_state="session")
    for one in found.entries:
        draw_entry(one, lang, key=f"entry-{one.entry.id}", whole=whole)
        for line in one.entry.tool_calls[:10]:
            draw([box("p", "muted small mono text", line)], key=f"call-{one.entry.id}-{line}")
        for attachment in found.attachments:
            if attachment.id in one.entry.attachments:
                draw_attachment(attachment, store, lang, key=f"attachment-{one.entry.id}-{attachment.id}")


def _draw_unfiled(worker: Worker | Watcher, moment: Moment, lang: Lang) -> None:
    """Sources that no node took; apart from them, those that were only read to check a conflict. All can be filed."""
    bank = moment.bank
    waiting = (*bank.progress.queue, *(span for cluster in bank.progress.clusters for span in cluster.spans))
    unfiled = bank.tree.unfiled(waiting, live=bank.graph.nodes)
    if not unfiled:
        return
    checked = [entry_id for entry_id in unfiled if entry_id in moment.checked]
    left = [entry_id for entry_id in unfiled if entry_id not in moment.checked]
    for words, entry_ids in (("tree.unfiled", left), ("tree.checked", checked)):
        if entry_ids:
            st.subheader(t(words, lang), anchor=False)
        for entry_id in entry_ids[:MOST_UNFILED]:
            _draw_unfiled_entry(entry_id, moment, lang)
    if isinstance(worker, Watcher):
        return
    st.button(
        t("action.refile", lang),
        key="refile",
        icon=":material/inbox:",
        help=t("action.refile_help", lang),
        disabled=worker.busy or worker.phase is Phase.FAILED,
        on_click=worker.obey,
        args=(lambda session: session.refile(), Until.END),
    )


def _draw_unfiled_entry(entry_id: EntryId, moment: Moment, lang: Lang) -> None:
    entry, conflicts = moment.bank.tree.entries[entry_id], moment.bank.conflicts.all
    notes = [
        box("p", "muted small text", t("tree.checks", lang, conflict=clip(conflicts[conflict_id].description, 120)))
        for conflict_id in sorted(moment.checked.get(entry_id, ()), key=lambda one: int(one[1:]))
    ]
    with st.container(border=True):
        draw([entry_head(entry, lang), *notes, box("p", "raw", entry.text[:2_000])], key=f"unfiled-{entry_id}")
