"""Conflict and merge cards: both claims side by side with the differing words marked, then the verdict and why."""

from __future__ import annotations

from collections.abc import Iterable

from memorybank.bank import MemoryBank
from memorybank.types import Conflict, ConflictStatus, Evidence, Lang, MergeEvent, NodeId
from memorybank.ui.diff import mark_difference
from memorybank.ui.i18n import t
from memorybank.ui.panels.rich import Box, Piece, box, chip, marked

MOST_EVIDENCE = 8
MOST_MARKED = 0.4
"""Share of a statement that may be marked; more marks nothing."""
Pieces = tuple[Piece, ...]
_LOOKS = {
    ConflictStatus.OPEN: "conflict",
    ConflictStatus.RESOLVED: "done",
    ConflictStatus.BOTH_WRONG: "done",
    ConflictStatus.FALSE_ALARM: "node",
    ConflictStatus.INCONCLUSIVE: "disputed",
}


def conflict_card(conflict: Conflict, bank: MemoryBank, lang: Lang) -> Box:
    look = _LOOKS[conflict.status]
    status = t(f"conflict.status.{conflict.status}", lang)
    live = " live" if conflict.status is ConflictStatus.OPEN else ""
    return box(
        "div",
        f"card {look}",
        box(
            "div",
            "row",
            chip(status, look + live),
            box("span", "strong text", conflict.description),
        ),
        box("p", "muted small", t(f"conflict.status_help.{conflict.status}", lang)),
        *(_sides(conflict, claims, bank, lang) for claims in _claims(conflict, bank)),
        *_verdict(conflict, lang),
    )


def _claims(conflict: Conflict, bank: MemoryBank) -> list[tuple[Pieces, Pieces]]:
    """The pairs of statements that contradict each other, marked; without any, the two summaries."""
    pairs = dict.fromkeys(
        ((one.left.text, one.left.value), (one.right.text, one.right.value)) for one in conflict.contradictions
    )
    if not pairs:
        left, right = (_summary(node_id, bank) for node_id in conflict.node_ids)
        return [mark_claims((left, ""), (right, ""))]
    return [mark_claims(left, right) for left, right in pairs]


def mark_claims(left: tuple[str, str], right: tuple[str, str]) -> tuple[Pieces, Pieces]:
    """Two statements, each with its contested value, cut into pieces of which those that differ are marked.

    Where the sentences are built alike, the words that differ; where they have little in common, the values alone.
    """
    marks = mark_difference(left[0], right[0])
    most = max(
        sum(len(mark.text) for mark in side if mark.differs) / max(1, len(text))
        for side, (text, _) in zip(marks, (left, right), strict=True)
    )
    values = [value for _, value in (left, right)]
    if most > MOST_MARKED and all(value and value in text for text, value in (left, right)) and values[0] != values[1]:
        return _mark_value(*left), _mark_value(*right)
    return marked(marks[0]), marked(marks[1])


def _mark_value(text: str, value: str) -> Pieces:
    before, _, after = text.partition(value)
    return before, box("mark", "", value), after


def _summary(node_id: NodeId, bank: MemoryBank) -> str:
    node = bank.graph.nodes.get(node_id) or next(
        (source for merge in bank.graph.merges.values() for source in merge.sources if source.id == node_id), None
    )
    return node.summary if node else node_id


def _sides(conflict: Conflict, claims: tuple[Pieces, Pieces], bank: MemoryBank, lang: Lang) -> Box:
    sides = zip(("left", "right"), ("older", "newer"), claims, conflict.node_ids, strict=True)
    return box(
        "div",
        "sides conflict",
        *(
            box(
                "div",
                "side holds" if conflict.winner == side else "side",
                box("p", "label", t(f"conflict.{age}", lang)),
                box("p", "text", *pieces),
                _sources(node_id, bank),
            )
            for side, age, pieces, node_id in sides
        ),
    )


def _sources(node_id: NodeId, bank: MemoryBank) -> Box | None:
    entries = (bank.tree.entries[entry_id] for entry_id in bank.tree.entries_of(node_id))
    names = dict.fromkeys(entry.source for entry in entries if entry.kind != "transcript")
    return box("p", "muted small text", " · ".join(names)) if names else None


def _verdict(conflict: Conflict, lang: Lang) -> Iterable[Box]:
    if conflict.status is ConflictStatus.OPEN:
        if conflict.attempts:
            yield box("p", "muted small gap", t("conflict.attempts", lang, count=conflict.attempts))
        return
    decided = conflict.closed_by
    by = t("conflict.decided_by_user", lang) if decided == "user" else t("conflict.decided_by", lang, name=decided)
    yield box(
        "div",
        "gap",
        box("p", "label", t("conflict.verdict", lang)),
        box("p", "text strong", f"{t('conflict.holds', lang)}{t('punctuation.colon', lang)}{conflict.value}")
        if conflict.value
        else None,
        box("p", "text", conflict.reason) if conflict.reason else None,
        box("p", "muted small", by) if decided else None,
    )
    if conflict.evidence:
        yield box(
            "div",
            "gap",
            box("p", "label", t("conflict.evidence", lang)),
            box("ul", "evidence", *(_evidence(one, lang) for one in conflict.evidence[:MOST_EVIDENCE])),
            box("p", "muted small", t("conflict.more_evidence", lang, count=len(conflict.evidence) - MOST_EVIDENCE))
            if len(conflict.evidence) > MOST_EVIDENCE
            else None,
        )


def _evidence(one: Evidence, lang: Lang) -> Box:
    says = t(f"conflict.supports.{one.supports}", lang)
    notes = [one.source, says, *([] if one.independent else [t("conflict.not_independent", lang)])]
    counts = one.independent and one.supports != "neither"
    return box(
        "li",
        "counts" if counts else "",
        box("p", "text", one.quote),
        box("p", "muted small text", " · ".join(notes)),
    )


def merge_card(merge: MergeEvent, bank: MemoryBank, lang: Lang) -> Box:
    """Before and after, and what the merge says of itself."""
    standing = bank.graph.merges.get(merge.id)
    sources = standing.sources if standing else ()
    result = bank.graph.nodes.get(merge.new_node_id)
    look = "" if merge.undone else "merge"
    state = t("merge.undone", lang) if merge.undone else t(f"merge.trigger.{merge.trigger}", lang)
    before: list[Piece] = [
        box("div", "side", box("p", "strong text", source.context), box("p", "text small", source.summary))
        for source in sources
    ]
    return box(
        "div",
        f"card {look}",
        box("div", "row", chip(state, look), box("span", "strong text", merge.description)),
        box("div", "sides", *before) if before else None,
        box("p", "arrow", "↓") if before and result else None,
        box("div", "side", box("p", "strong text", result.context), box("p", "text small", result.summary))
        if result
        else None,
    )
