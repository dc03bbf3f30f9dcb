"""A node's way back: how it came about, where it was used, and the raw text it stands on."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import streamlit as st

from memorybank.memory.state import MemoryState
from memorybank.memory.types import Lang, Node, NodeId
from memorybank.runs.files.stores import FormalStore
from memorybank.tools.deep_retrieval import view
from memorybank.ui.components.paged import draw_more, page_end
from memorybank.ui.components.rich import draw
from memorybank.ui.tree.tree_entry import draw_attachment
from memorybank.views.box import Box, aside, box, cut_note, go, go_moment, gos, note, row_of, section
from memorybank.views.boxes.conflict_claims import moment_line
from memorybank.views.boxes.conflict_evidence import checks_box, summary_box
from memorybank.views.boxes.entries import entry_part
from memorybank.views.boxes.state import node_chips
from memorybank.views.graph.items import node_title
from memorybank.views.i18n import t
from memorybank.views.link import link
from memorybank.views.memory.provenance import NodeCreation, Provenance, Use
from memorybank.views.run.playback import Moment
from memorybank.views.text.display import clip, task_words

MOST_USES = 8
MOST_ENTRIES = 8
"""The number of entries shown at first, and added each time."""


def draw_node_whole(node_id: NodeId, moment: Moment, origins: Provenance, store: FormalStore, lang: Lang) -> None:
    bank = moment.bank
    node = bank.graph.nodes[node_id]
    draw(
        _about(node, moment, origins.born.get(node_id), lang),
        *_uses(origins.prompts.get(node_id, ()), origins.answers.get(node_id, ()), lang),
        key="tree-about",
    )
    _draw_sources(node_id, bank, store, lang)


def _about(node: Node, moment: Moment, born: NodeCreation | None, lang: Lang) -> Box:
    chips = node_chips(node.id, moment, lang)
    return box(
        "div",
        "card spaced node",
        row_of(*chips, box("span", "muted small mono", node.id)),
        box("p", "head-line text", node_title(node, lang)),
        summary_box(node, lang),
        checks_box(node, moment.bank, lang),
        row_of(*(box("span", "word-chip", clip(word, 40)) for word in node.keywords)),
        note(_birth(born, lang)) if born is not None else None,
        gos(
            go(t("tree.go_graph", lang), link("node", node.id)),
            go_moment(born.place.seq, lang) if born is not None else None,
        ),
    )


def _birth(born: NodeCreation, lang: Lang) -> str:
    how = "imported" if born.imported else "merged" if born.merge else "filed"
    return f"{t(f'tree.born.{how}', lang)} · {moment_line(born.place, lang)}"


def _part(words: str, *lines: Box) -> Iterable[Box]:
    if lines:
        yield section(words, *lines)


def _uses(prompts: Sequence[Use], answers: Sequence[Use], lang: Lang) -> Iterable[Box]:
    """Yield the prompts that held the node and the answers that cite it, the newest first."""
    lines = [_use(use, "tree.in_prompt", link("prompt", use.place.seq), lang) for use in reversed(prompts)]
    cited = [
        _use(
            use,
            "tree.in_final" if use.final else "tree.in_answer",
            link("entry", use.transcript) if use.transcript else link("moment", use.place.seq),
            lang,
        )
        for use in reversed(answers)
    ]
    if not lines and not cited:
        yield from _part(t("tree.uses", lang), note(t("tree.uses_none", lang)))
        return
    shown = [*cited[:MOST_USES], *lines[:MOST_USES]]
    cut = cut_note(len(shown), len(cited) + len(lines), lang)
    lines_shown = box("ul", "line-list", *(box("li", "", line) for line in shown))
    yield from _part(t("tree.uses", lang), lines_shown, *([cut] if cut else []))


def _use(use: Use, words: str, target: str, lang: Lang) -> Box:
    sentence = t(words, lang, count=use.tokens) if words == "tree.in_prompt" else t(words, lang)
    return row_of(
        go(sentence, target),
        aside(moment_line(use.place, lang)),
        box("span", "small text", clip(task_words(use.task, lang), 120)) if use.task else None,
    )


def _draw_sources(node_id: NodeId, bank: MemoryState, store: FormalStore, lang: Lang) -> None:
    sources = view(bank, node_id)
    with st.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="center"):
        st.subheader(t("tree.raw", lang, count=len(sources.entries)), anchor=False, width="content")
        whole = st.toggle(t("tree.whole", lang), value=True, key="tree-whole", persist_state="session")
    key = f"tree-entries-of-{node_id}"
    most = page_end(key, MOST_ENTRIES)
    for source in sources.entries[:most]:
        is_evidence = source.is_evidence
        draw(
            note(t("tree.check_read", lang)) if is_evidence else None,
            *entry_part(source.entry, source.spans, lang, whole=whole),
            *(
                box("p", "muted small mono text", line)
                for line in source.entry.tool_calls
                if len(source.entry.tool_calls) == 1
            ),
            key=f"entry-{source.entry.id}{'-evidence' if is_evidence else ''}",
        )
        for attachment in sources.attachments:
            if attachment.id in source.entry.attachments and not is_evidence:
                draw_attachment(attachment, store, lang, key=f"attachment-{source.entry.id}-{attachment.id}")
    draw_more(key, MOST_ENTRIES, len(sources.entries), lang)
