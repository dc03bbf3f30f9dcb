"""What a summary leaves out: the compression audit of a node, as a line and the facts that it does not say."""

from __future__ import annotations

from memorybank.memory.bank import MemoryBank
from memorybank.memory.types import Lang, Node
from memorybank.views.box import Box, box, labelled, note, row_of
from memorybank.views.i18n import t
from memorybank.views.link import link
from memorybank.views.memory.audit import Audit, Lost, audit
from memorybank.views.text.display import clip
from memorybank.views.text.passages import address

MOST = 24
"""Facts that are shown; the rest is counted."""


def compression_of(node: Node, bank: MemoryBank, lang: Lang) -> Box | None:
    """None for a node without raw text of its own."""
    node_audit = audit(node, bank.tree)
    if node_audit is None:
        return None
    return labelled(t("graph.audit.title", lang), *_lines(node_audit, lang))


def _lines(node_audit: Audit, lang: Lang) -> list[Box | None]:
    kept = node_audit.kept
    if not kept.total:
        return [box("p", "text muted", t("graph.audit.none", lang, share=f"{node_audit.share:.0%}"))]
    sentence = t("graph.audit.line", lang, kept=kept.kept, total=kept.total, share=f"{node_audit.share:.0%}")
    lost = node_audit.lost
    return [
        box("p", "text", sentence),
        note(t("graph.audit.lost", lang)) if lost else None,
        row_of(*(_chip(fact, lang) for fact in lost[:MOST])) if lost else None,
        note(t("graph.card.more", lang, count=len(lost) - MOST)) if len(lost) > MOST else None,
        box("p", "text small", t("graph.audit.added", lang, facts=" · ".join(node_audit.added)))
        if node_audit.added
        else None,
    ]


def _chip(fact: Lost, lang: Lang) -> Box:
    return box(
        "span",
        "chip gr-word",
        clip(fact.text, 40),
        choose=link("entry", address(fact.entry_id, fact.start, fact.end)),
        title=t("graph.audit.open", lang, kind=t(f"graph.audit.kind.{fact.kind}", lang)),
    )
