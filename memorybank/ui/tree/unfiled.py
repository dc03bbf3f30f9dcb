"""What no node took: what a failure left out, and the rest."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType

import streamlit as st

from memorybank.hosting.orders import Until
from memorybank.hosting.run import Run
from memorybank.memory.state import MemoryState
from memorybank.memory.types import AgentFailure, Entry, EntryId, Lang, Node, NodeId
from memorybank.session.phase import Phase
from memorybank.session.stages.agent_failures import unfiled_entries
from memorybank.ui.components.rich import draw
from memorybank.ui.session.refiling import draw_refile
from memorybank.ui.shell import state
from memorybank.views.box import Box, aside, box, note, row_of, section
from memorybank.views.boxes.cut import cut_note
from memorybank.views.boxes.leads import go
from memorybank.views.i18n import t
from memorybank.views.link import link
from memorybank.views.run.playback import Moment
from memorybank.views.text.display import clip
from memorybank.views.text.quantities import format_bytes

MOST_UNFILED = 20
TOPIC = 100
"""Columns of a node's topic."""


def draw_unfiled(worker: Run, moment: Moment, lang: Lang) -> None:
    """What an agent's failure left out, and why; apart from it, others that no node took. All can be filed, what failed
    by itself.
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
            st.button(
                t("action.refile_rest", lang),
                key="refile-rest",
                icon=":material/inbox:",
                help=t("action.refile_rest_help", lang),
                disabled=worker.busy or worker.phase is Phase.FAILED,
                on_click=worker.obey,
                args=(lambda session: session.refile(*rest), Until.END),
            )


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
        box("p", "muted small text", clip(entry.text, 220)),
    )


def _left_out(entry: Entry, bank: MemoryState, lang: Lang) -> Box:
    part = sum(span.end - span.start for span in bank.unfiled_text() if span.entry_id == entry.id)
    words = t("tree.failed_part", lang, part=f"{part:,}", whole=f"{len(entry.text):,}")
    return box("p", "small text", words)
