"""What no node took: what a failure left out, sources that were only read to check a conflict, and the rest."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType

import streamlit as st

from memorybank.hosting.orders import Until
from memorybank.hosting.run import Run
from memorybank.memory.bank import MemoryBank
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
from memorybank.views.memory.conflict_life import number
from memorybank.views.run.playback import Moment
from memorybank.views.text.display import clip
from memorybank.views.text.quantities import format_bytes

MOST_UNFILED, MOST_CHECKS = 20, 2
TOPIC = 100
"""Columns of a node's topic."""


def draw_unfiled(worker: Run, moment: Moment, lang: Lang) -> None:
    """What an agent's failure left out, and why; apart from it, sources that were only read to check a conflict, and
    others that no node took. All can be filed, what failed by itself.
    """
    bank = moment.bank
    failed, uncompared = unfiled_entries(bank), bank.uncompared()
    waiting = (*bank.progress.queue, *(span for cluster in bank.progress.clusters for span in cluster.spans))
    rest = [entry_id for entry_id in bank.tree.unfiled(waiting, live=bank.graph.nodes) if entry_id not in failed]
    if not (failed or uncompared or rest):
        return
    checked = [entry_id for entry_id in rest if entry_id in moment.checked]
    left = [entry_id for entry_id in rest if entry_id not in moment.checked]
    groups = (("tree.unfiled", "tree.unfiled_help", left), ("tree.checked", "tree.checked_help", checked))
    draw(
        _failed_group(failed, uncompared, moment, lang) if failed or uncompared else None,
        *(_unfiled_group(t(words, lang), help_, ids, moment, lang) for words, help_, ids in groups if ids),
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
    entry, conflicts = moment.bank.tree.entries[entry_id], moment.bank.conflicts.all
    checked = sorted(
        (conflict_id for conflict_id in moment.checked.get(entry_id, ()) if conflict_id in conflicts), key=number
    )
    checks = list(dict.fromkeys(clip(conflicts[conflict_id].description, 120) for conflict_id in checked))
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
        *(
            box("p", "muted small text", t("tree.checks", lang, conflict=description))
            for description in checks[:MOST_CHECKS]
        ),
        note(t("tree.more_checks", lang, count=len(checks) - MOST_CHECKS)) if len(checks) > MOST_CHECKS else None,
        box("p", "muted small text", clip(entry.text, 220)),
    )


def _left_out(entry: Entry, bank: MemoryBank, lang: Lang) -> Box:
    part = sum(span.end - span.start for span in bank.unfiled_text() if span.entry_id == entry.id)
    words = t("tree.failed_part", lang, part=f"{part:,}", whole=f"{len(entry.text):,}")
    return box("p", "small text", words)
