"""The table of "Why this memory": each memory with its scores, the cut-off line, and what would change."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from memorybank.memory.events import JudgedRelation
from memorybank.memory.types import Hit, Lang, NodeId
from memorybank.ui.graph_page.graph import Details
from memorybank.views.box import Box, Piece, aside, box, chip, labelled, note, row_of, stack_of
from memorybank.views.boxes.conflicts import RELATION_LOOKS
from memorybank.views.i18n import t
from memorybank.views.memory.why import Explanation, MemoryRow, Question, cut_off

PLACES = ("direct", "neighbour", "aside", "below")
HEADS = ("rank", "memory", "keyword", "vector", "score")


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """The values that every line of the table needs."""

    explanation: Explanation
    details: Details
    judged: Mapping[NodeId, JudgedRelation]
    """The agent's verdict on each memory, where a new node was compared."""
    selected: NodeId | None
    lang: Lang
    asking: NodeId | None = None
    """The node that was compared; None for a question."""


def why_table(rows: Sequence[MemoryRow], table: Table) -> Box:
    lang, explanation = table.lang, table.explanation
    groups = [(place, [row for row in rows if row.place == place]) for place in PLACES]
    direct = len(groups[0][1])
    inside: list[Piece | None] = []
    for place, members in groups:
        if place == "neighbour" and direct:
            inside.append(box("p", "gr-cut", _cut_words(explanation, direct, lang)))
        if place == "aside" and members:
            inside.append(box("p", "gr-cut", _share_words(explanation, lang)))
        if members:
            inside.append(_group(place, members, table))
    inside.append(_selected(rows, table))
    return stack_of(*inside)


def _selected(rows: Sequence[MemoryRow], table: Table) -> Box | None:
    """Return the line of the selected node where the table lacks it: it says why the node was not retrieved."""
    successor = table.details.moment.bank.graph.successor
    if table.selected is None or any(successor(row.hit.node_id) == table.selected for row in rows):
        return None
    hit = table.explanation.everything.get(table.selected)
    if hit is None:
        return note(t("graph.why.selected_absent", table.lang))
    return _group("selected", [MemoryRow(hit=hit, place="below", change="")], table)


def _cut_words(explanation: Explanation, direct: int, lang: Lang) -> str:
    line = cut_off(explanation)
    if line is None or direct < explanation.k:
        return t("graph.why.no_cut", lang, k=explanation.k)
    return t("graph.why.cut_off", lang, k=explanation.k, score=f"{line:.3f}")


def _share_words(explanation: Explanation, lang: Lang) -> str:
    """Say from which score on a neighbour comes along."""
    least = explanation.share * (cut_off(explanation) or 0.0)
    return t("graph.why.share_line", lang, share=f"{explanation.share:g}", score=f"{least:.3f}")


def _group(place: str, rows: Sequence[MemoryRow], table: Table) -> Box:
    lang = table.lang
    heads = [box("th", f"gr-{name}", t(f"graph.why.head.{name}", lang)) for name in HEADS]
    return labelled(
        t(f"graph.why.group.{place}", lang, count=len(rows)),
        box(
            "table",
            "gr-scores",
            box("thead", "" if place == "direct" else "gr-quiet", box("tr", "", *heads)),
            box("tbody", "", *(_row(row, table) for row in rows)),
        ),
    )


def _row(row: MemoryRow, table: Table) -> Box:
    hit, lang = row.hit, table.lang
    here = table.details.moment.bank.graph.successor(hit.node_id) == table.selected
    return box(
        "tr",
        "gr-selected" if here else "",
        box("td", "gr-rank gr-number", str(hit.rank) if row.place in ("direct", "below") else "↳"),
        box("td", "gr-memory", *_memory(row, table)),
        box("td", "gr-keyword", *_part(hit.keyword, t("graph.why.raw_bm25", lang, number=f"{hit.keyword_raw:.2f}"))),
        box("td", "gr-vector", *_part(hit.vector, t("graph.why.raw_cosine", lang, number=f"{hit.cosine:.3f}"))),
        box("td", "gr-score", box("p", "gr-number strong", f"{hit.score:.3f}"), _stacked(hit, table.explanation.alpha)),
    )


def _memory(row: MemoryRow, table: Table) -> list[Piece | None]:
    hit, details, lang = row.hit, table.details, table.lang
    node = details.moment.bank.graph.nodes.get(hit.node_id)
    marks: list[Piece | None] = [
        chip(t(f"graph.why.change.{row.change}", lang), "new" if row.change == "in" else "") if row.change else None,
        chip(t("graph.why.left_out", lang)) if row.left_out else None,
        _verdict(table.judged[hit.node_id], lang) if hit.node_id in table.judged else None,
        None if node else _gone(hit.node_id, details, lang),
    ]
    via = None
    if hit.via and hit.via == table.asking:
        via = box("p", "muted small gr-line", t("graph.why.named", lang))
    elif hit.via:
        via = box("p", "muted small gr-line", t("graph.why.via", lang), " ", details.topic(hit.via, lang))
    words = details.topic(hit.node_id, lang)
    title = f"{hit.node_id} · {node.context}" if node else hit.node_id
    return [
        box("p", "text gr-two", words, choose=f"pick:{hit.node_id}", title=title),
        via,
        row_of(*marks) if any(marks) else None,
    ]


def _verdict(judged: JudgedRelation, lang: Lang) -> Box:
    """Return the agent's verdict on a pair as a chip; its reason is shown when the pointer rests on it."""
    words = t(f"graph.relation.{judged.relation}", lang)
    return box("span", f"chip {RELATION_LOOKS[judged.relation]}".strip(), words, title=judged.reasoning)


def _gone(node_id: NodeId, details: Details, lang: Lang) -> Box:
    """Say that a memory that was retrieved then was merged away since, or is not there at the moment shown."""
    is_merged = node_id in details.moment.bank.graph.gone
    return aside(t("graph.why.merged_since" if is_merged else "graph.why.not_here", lang))


def _part(share: float, raw: str) -> list[Piece]:
    return [
        box("p", "gr-number", f"{share:.3f}"),
        box("span", "gr-bar", box("span", "gr-fill", share=_seen(share))),
        box("p", "gr-number muted gr-raw", raw),
    ]


def _stacked(hit: Hit, alpha: float) -> Box:
    """Return a bar of what keywords and meaning each add to the score."""
    keyword, vector = _seen(alpha * hit.keyword), _seen((1 - alpha) * hit.vector)
    by_meaning = box("span", "gr-fill gr-by-meaning", share=min(vector, 1 - keyword))
    return box("span", "gr-bar", box("span", "gr-fill gr-by-word", share=keyword), by_meaning)


def _seen(share: float) -> float:
    """Return the share to be seen: one above nothing shows as something."""
    return min(1.0, max(share, 0.05 if share > 0 else 0.0))


def change_words(rows: Sequence[MemoryRow], explanation: Explanation, question: Question, lang: Lang) -> str:
    """Say in a sentence what the settings change in what the question finds."""
    direct = sum(row.place == "direct" for row in rows)
    brought = sum(row.place == "neighbour" for row in rows)
    what = t("graph.why.found", lang, direct=direct, brought=brought)
    if (explanation.k, explanation.alpha, explanation.share) == (question.k, question.alpha, question.share):
        return f"{t('graph.why.as_used', lang)} {what}"
    comes = sum(row.change == "in" for row in rows)
    drops = sum(row.change == "out" for row in rows)
    if not comes and not drops:
        return f"{t('graph.why.no_change', lang)} {what}"
    return f"{t('graph.why.changed', lang, comes=comes, drops=drops)} {what}"
