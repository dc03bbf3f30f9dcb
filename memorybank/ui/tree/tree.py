"""The Interaction Tree: from a node or an entry to the raw text and the files, exactly as they are stored, and back."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from types import MappingProxyType

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from memorybank.engines.offline.units import plain as unmarked
from memorybank.hosting.run import Run
from memorybank.memory.state import MemoryState
from memorybank.memory.types import AgentFailure, Entry, EntryId, Lang, Node, NodeId
from memorybank.runs.run_folder import RunFolder
from memorybank.session.stages.agent_failures import unfiled_entries
from memorybank.ui.components.problems import guarded
from memorybank.ui.components.rich import draw
from memorybank.ui.conflicts.conflict_rows import Row, draw_rows
from memorybank.ui.session.refiling import draw_refile
from memorybank.ui.shell import links, state
from memorybank.ui.shell.switch import draw_search, draw_switch
from memorybank.ui.shell.widgets import TREE_VIEW
from memorybank.ui.tree.tree_entry import draw_entry_whole, open_at
from memorybank.ui.tree.tree_node import draw_node_whole
from memorybank.views.box import Box, aside, box, chip, cut_note, go, muted, note, row_of, section
from memorybank.views.boxes.entries import characters
from memorybank.views.boxes.state import row_chips, states_of
from memorybank.views.graph.items import node_label, node_title
from memorybank.views.graph.style import NodeState
from memorybank.views.i18n import t
from memorybank.views.link import link
from memorybank.views.memory.provenance import Provenance, provenance
from memorybank.views.run.playback import Moment
from memorybank.views.text.display import clip, format_bytes
from memorybank.views.text.passages import address, find, read_address

POLL = 2.0
"""Seconds between two looks at a run that goes on."""
TITLE = 100
"""The most columns of a line in the list."""
SEARCH, KIND = "tree-search", "tree-kind"


def draw_tree(worker: Run, folder: RunFolder, lang: Lang) -> None:
    """Draw the page, and poll while the run goes on, so that what is filed appears."""
    state.moment(worker)  # a journal that contradicts itself is told here, where the page can say so
    busy = worker.busy
    st.fragment(_draw_tree, run_every=POLL if busy else None)(worker, folder, lang, busy)


@guarded
def _draw_tree(worker: Run, folder: RunFolder, lang: Lang, was_busy: bool) -> None:
    worker.see()
    if worker.busy != was_busy:
        st.rerun()
    moment = state.moment(worker)
    tree = moment.bank.tree
    if not tree.entries:
        draw(muted(t("tree.empty", lang)), key="tree-empty")
        return
    origins = moment.read(worker.records, provenance)
    _turn_to_what_was_asked(tree.entries)
    beside, whole = st.columns([2, 5], gap="large")
    with beside:
        counts = {"nodes": len(moment.bank.graph.nodes), "entries": len(tree.entries)}
        view = draw_switch(
            t("tree.view", lang),
            list(counts),
            lambda name: t(f"tree.view_{name}", lang, number=f"{counts[name]:,}"),
            key=TREE_VIEW.key,
        )
        words = draw_search(t("tree.search", lang), SEARCH)
    if view == "entries":
        _draw_entries(words, moment, origins, folder, beside, whole, lang)
    else:
        _draw_nodes(words, moment, origins, folder, beside, whole, lang)
    draw_unfiled(worker, moment, lang)


def _turn_to_what_was_asked(entries: Mapping[EntryId, Entry]) -> None:
    """Turn to what a link asked for: raw text of a node opens the nodes, an entry the entries, at the place named."""
    kind, id_ = links.take_followed("tree", "entry")
    if not kind:
        return
    TREE_VIEW.set("nodes" if kind == "tree" else "entries")
    if kind == "entry":
        place = read_address(id_)
        if place.id in entries:
            open_at(entries[EntryId(place.id)], place.start)


# -- by node ----------------------------------------------------------------------------------------------------------


def _draw_nodes(
    words: str,
    moment: Moment,
    origins: Provenance,
    folder: RunFolder,
    beside: DeltaGenerator,
    whole: DeltaGenerator,
    lang: Lang,
) -> None:
    bank = moment.bank
    folded = words.casefold().strip()
    nodes = [node for node in reversed(bank.graph.nodes.values()) if not folded or folded in _words_of(node)]
    wanted = state.asked_in_tree()
    live = bank.graph.successor(wanted) if wanted else next((node.id for node in nodes), None)
    with beside:
        states = states_of(bank, new=moment.new, merged=moment.merged)
        draw_rows(
            [node.id for node in nodes],
            lambda node_id: _node_row(bank.graph.nodes[NodeId(node_id)], states[NodeId(node_id)], bank, lang),
            "tree",
            live or "",
            lang,
            key="tree-nodes",
        )
    with whole:
        if not bank.graph.nodes:
            draw(muted(t("tree.no_nodes", lang)), key="tree-none")
        elif live is not None:
            if live not in bank.graph.nodes:
                draw(_unknown("tree.node_unknown", lang, node_id=clip(live, 40)), key="tree-unknown")
                live = next(reversed(bank.graph.nodes))
            elif wanted and wanted != live:
                words = t("tree.moved", lang, topic=node_label(bank.graph.nodes[live], lang))
                draw(box("p", "notice merge text", words), key="tree-moved")
            draw_node_whole(live, moment, origins, folder.files, lang)


def _unknown(words: str, lang: Lang, **values: str) -> Box:
    return box("p", "notice text", t(words, lang, **values))


def _words_of(node: Node) -> str:
    return " ".join((node.id, node.context, node.summary, *node.keywords)).casefold()


def _node_row(node: Node, states: Collection[NodeState], bank: MemoryState, lang: Lang) -> Row:
    sources = bank.tree.entries_of(node.id)
    return Row(
        id=node.id,
        title=node_title(node, lang),
        chips=tuple(row_chips(states, lang)),
        note=t("tree.entries", lang, count=len(sources)),
    )


# -- by entry ---------------------------------------------------------------------------------------------------------


def _draw_entries(
    words: str,
    moment: Moment,
    origins: Provenance,
    folder: RunFolder,
    beside: DeltaGenerator,
    whole: DeltaGenerator,
    lang: Lang,
) -> None:
    entries = moment.bank.tree.entries
    place = read_address(links.focus("entry"))
    with beside:
        counts: dict[str, int] = {}
        for entry in entries.values():
            counts[entry.kind] = counts.get(entry.kind, 0) + 1
        kind = st.selectbox(
            t("tree.kind", lang),
            list(counts),
            index=None,
            format_func=lambda entry_kind: f"{t(f'entry.kind.{entry_kind}', lang)} ({counts.get(entry_kind, 0)})",
            placeholder=t("tree.kind_all", lang),
            key=KIND,
            persist_state="session",
        )
        matching = _matching(entries, words.strip(), kind)
        chosen = EntryId(place.id) if place.id else next(iter(matching), EntryId(""))
        draw_rows(
            list(matching),
            lambda entry_id: _entry_row(entries[EntryId(entry_id)], matching.get(EntryId(entry_id), ""), lang),
            "entry",
            chosen,
            lang,
            key="tree-entries",
        )
    with whole:
        if chosen in entries:
            draw_entry_whole(entries[chosen], place if place.id else None, moment, origins, folder.files, lang)
        elif chosen:
            draw(_unknown("tree.entry_unknown", lang, entry_id=clip(chosen, 40)), key="tree-entry-unknown")


def _matching(entries: Mapping[EntryId, Entry], words: str, kind: str | None) -> dict[EntryId, str]:
    """Map the entries found to a click's target, newest first: those of that name, then those that hold the words."""
    named: dict[EntryId, str] = {}
    holding: dict[EntryId, str] = {}
    folded = words.casefold()
    for entry in reversed(list(entries.values())):
        if kind is not None and entry.kind != kind:
            continue
        if not folded or folded in f"{entry.id} {entry.source}".casefold():
            named[entry.id] = entry.id
        elif (at := _place_in(entry.text, words)) is not None:
            holding[entry.id] = address(entry.id, *at)
    return named | holding


def _entry_row(entry: Entry, target: str, lang: Lang) -> Row:
    return Row(
        id=entry.id,
        title=clip(entry.source, TITLE),
        chips=(chip(t(f"entry.kind.{entry.kind}", lang), "node"),),
        note=characters(len(entry.text), lang),
        target=target,
    )


def _place_in(text: str, words: str) -> tuple[int, int] | None:
    """Return where words stand, upper and lower case alike."""
    exact = find(text, words)
    if exact is not None:
        return exact
    folded = text.lower()
    at = folded.find(words.lower()) if len(folded) == len(text) else -1
    return (at, at + len(words)) if at >= 0 else None


# -- what no node took ------------------------------------------------------------------------------------------------


MOST_UNFILED = 20
TOPIC = 100
"""The most columns of a node's topic."""


def draw_unfiled(worker: Run, moment: Moment, lang: Lang) -> None:
    """Draw what an agent's failure left out, and why, and apart from it others that no node took. Both can be filed,
    what failed by itself.
    """
    bank = moment.bank
    failed, uncompared = unfiled_entries(bank), bank.uncompared()
    waiting = (*bank.progress.queue, *(span for cluster in bank.progress.clusters for span in cluster.spans))
    rest = [entry_id for entry_id in bank.tree.unfiled(waiting, live=bank.graph.nodes) if entry_id not in failed]
    if not (failed or uncompared or rest):
        return
    draw(
        _failed_group(failed, uncompared, moment, lang) if failed or uncompared else None,
        _unfiled_group(t("tree.unfiled", lang), "tree.unfiled_help", rest, moment, lang) if rest else None,
        key="tree-unfiled",
    )
    if not worker.takes_orders or state.at_event() is not None:
        draw(note(t("tree.refile_not", lang)), key="refile-not")
        return
    with st.container(horizontal=True, key="refiling"):
        if failed or uncompared:
            draw_refile(worker, lang)
        if rest:
            draw_refile(worker, lang, rest)


def _failed_group(
    failed: Mapping[EntryId, AgentFailure], uncompared: Mapping[NodeId, AgentFailure], moment: Moment, lang: Lang
) -> Box:
    head = t("tree.failed", lang, count=len(failed) + len(uncompared))
    nodes = list(uncompared.items())[:MOST_UNFILED]
    more = [_uncompared_node(moment.bank.graph.nodes[node_id], failure, lang) for node_id, failure in nodes]
    return _unfiled_group(head, "tree.failed_help", list(failed), moment, lang, failed=failed, more=more)


def _uncompared_node(node: Node, failure: AgentFailure, lang: Lang) -> Box:
    words = t("tree.failed_node", lang, topic=clip(node.context, TOPIC))
    return box("li", "", row_of(go(words, link("node", node.id))), _why(failure, lang))


def _why(failure: AgentFailure, lang: Lang) -> Box:
    why = t("tree.failed_why", lang, agent=t(f"role.{failure.agent}", lang), reason=failure.reason)
    return box("p", "muted small text", why)


def _unfiled_group(
    words: str,
    help_: str,
    entry_ids: list[EntryId],
    moment: Moment,
    lang: Lang,
    *,
    failed: Mapping[EntryId, AgentFailure] = MappingProxyType({}),
    more: Iterable[Box] = (),
) -> Box:
    shown = entry_ids[:MOST_UNFILED]
    return section(
        words,
        box("p", "part-lead", t(help_, lang)),
        box(
            "ul",
            "unfiled-list",
            *(_unfiled_entry(entry_id, moment, lang, failed.get(entry_id)) for entry_id in shown),
            *more,
        ),
        cut_note(len(shown), len(entry_ids), lang),
    )


def _unfiled_entry(entry_id: EntryId, moment: Moment, lang: Lang, failure: AgentFailure | None) -> Box:
    entry = moment.bank.tree.entries[entry_id]
    return box(
        "li",
        "",
        row_of(
            go(entry.source, link("entry", entry_id)),
            aside(t(f"entry.kind.{entry.kind}", lang)),
            aside(format_bytes(len(entry.text.encode("utf-8", "replace")), lang)),
            box("span", "muted small mono", entry_id),
        ),
        _left_out(entry, moment.bank, lang) if failure else None,
        _why(failure, lang) if failure else None,
        box("p", "muted small text", clip(unmarked(entry.text[:1_000]), 220)),
    )


def _left_out(entry: Entry, bank: MemoryState, lang: Lang) -> Box:
    part = sum(span.end - span.start for span in bank.unfiled_text() if span.entry_id == entry.id)
    words = t("tree.failed_part", lang, part=f"{part:,}", whole=f"{len(entry.text):,}")
    return box("p", "small text", words)
