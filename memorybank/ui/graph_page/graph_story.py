"""The parts of the whole node card: its links with their reasons, how it came about, what it was compared with."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from memorybank.memory.events import JudgedRelation
from memorybank.memory.types import EntryId, Lang, Node, NodeId, Relation
from memorybank.ui.graph_page.graph_details import Details, event_link
from memorybank.views.box import Box, Piece, aside, box, chip, label, labelled, marked, muted, row_of
from memorybank.views.graph.style import EdgeKind
from memorybank.views.i18n import t
from memorybank.views.link import link
from memorybank.views.memory.edges import NodeLink, Reason, reasons_of
from memorybank.views.memory.node_history import Comparison, HistoryStep, NodeStory
from memorybank.views.text.diff import Mark, mark_difference

MOST_LINKS, MOST_STEPS, MOST_REASONS = 30, 20, 3
MOST_SOURCES = 12
LOOKS = {Relation.CONFLICT: "conflict", Relation.MERGE: "merge", Relation.RELATED: "node", Relation.UNRELATED: ""}
EDGE_LOOKS = {EdgeKind.CONFLICT: "conflict", EdgeKind.DISPUTED: "disputed", EdgeKind.RELATED: "node"}
_STEP_LOOKS = {"merged": "merge", "gone": "merge", "created": "new", "imported": "new", "restored": "new"}


def more(hidden: int, lang: Lang) -> Box | None:
    return box("p", "muted small gap", t("graph.card.more", lang, count=hidden)) if hidden > 0 else None


# -- links ------------------------------------------------------------------------------------------------------------


def links_of(node: Node, details: Details, lang: Lang) -> Box:
    """Its neighbours, contested ones first, each with why."""
    edges = [edge for edge in details.edges.values() if node.id in edge.ends]
    rows = [_link(node.id, edge, details, lang) for edge in edges[:MOST_LINKS]]
    none = muted(t("node.links_none", lang))
    inside = [box("ul", "gr-plain", *rows), more(len(edges) - MOST_LINKS, lang)] if rows else [none]
    return labelled(t("node.links", lang), *inside)


def _link(node_id: NodeId, edge: NodeLink, details: Details, lang: Lang) -> Box:
    neighbour = edge.ends[0] if edge.ends[1] == node_id else edge.ends[1]
    reasons = reasons_of(edge, details.reasons, details.members)
    contested = edge.kind is not EdgeKind.RELATED
    return box(
        "li",
        "gr-step",
        row_of(
            chip(t(f"edge.{edge.kind}", lang), EDGE_LOOKS[edge.kind]) if contested else None,
            details.name(neighbour, lang, "text strong gr-name"),
        ),
        *(conflict_line(conflict, details, lang) for conflict in edge.conflicts),
        *(box("p", "text small muted", reason.words) for reason in newest_first(reasons)[:1] if edge.linked),
        box("span", "small gr-link", t("graph.card.show_edge", lang), choose=f"edge:{edge.id}"),
    )


def conflict_line(conflict_id: str, details: Details, lang: Lang) -> Box:
    conflict = details.moment.bank.conflicts.all[conflict_id]  # type: ignore[index]
    return box(
        "p",
        "text small",
        conflict.description,
        " ",
        box("span", "gr-link", t("graph.card.open_conflict", lang), choose=link("conflict", conflict_id)),
    )


def newest_first(reasons: Iterable[Reason]) -> list[Reason]:
    """What found something first; among these the latest."""
    return sorted(reasons, key=lambda reason: (reason.relation is Relation.UNRELATED, -reason.seq))


# -- how it came about ------------------------------------------------------------------------------------------------


def origin_of(story: NodeStory, details: Details, lang: Lang) -> Box | None:
    """Why the node exists, in a sentence, with what it was made from."""
    born = story.born
    if born is None:
        return None
    if born.kind == "merged":
        sources = [details.name(source, lang) for source, _ in born.before]
        words = t("graph.origin.merged", lang, count=len(sources))
        merge = details.moment.bank.tree.merge_events.get(born.merge) if born.merge else None
        inside: list[Piece | None] = [
            box("ul", "gr-plain", *(box("li", "", source) for source in sources)),
            box("p", "text small muted", merge.description) if merge else None,
            box("span", "small gr-link", t("graph.origin.open_merge", lang), choose=link("merge", born.merge or "")),
        ]
    else:
        entries = dict.fromkeys(span.entry_id for span in born.spans)
        kind = "imported" if born.kind == "imported" else "cluster" if born.cluster else "filed"
        words = t(f"graph.origin.{kind}", lang, count=len(entries))
        sources = [_entry(entry_id, details) for entry_id in list(entries)[:MOST_SOURCES]]
        inside = [box("ul", "gr-plain", *(box("li", "", source) for source in sources))]
    head = box("p", "text", words, " ", event_link(born.seq, born.round, lang))
    return labelled(t("graph.origin.title", lang), head, *inside)


def _entry(entry_id: EntryId, details: Details) -> Box:
    entry = details.moment.bank.tree.entries.get(entry_id)
    return box(
        "span", "text gr-name", entry.source if entry else entry_id, choose=link("entry", entry_id), title=entry_id
    )


def history_of(story: NodeStory, details: Details, lang: Lang) -> Box | None:
    """Each rewrite, the last one first: before and after, on whose account, when."""
    steps = [step for step in reversed(story.steps) if step.kind not in ("created", "imported")]
    if not steps:
        return labelled(t("graph.history.title", lang), muted(t("graph.history.none", lang)))
    rows = [_step(step, details, lang) for step in steps[:MOST_STEPS]]
    return labelled(t("graph.history.title", lang), box("ul", "gr-plain", *rows), more(len(steps) - MOST_STEPS, lang))


def _step(step: HistoryStep, details: Details, lang: Lang) -> Box:
    head = row_of(
        chip(t(f"graph.history.{step.kind}", lang), _STEP_LOOKS.get(step.kind, "node")),
        event_link(step.seq, step.round, lang),
    )
    cause = None
    if step.because:
        cause = box("p", "small", t("graph.history.because", lang), " ", details.name(step.because, lang))
    elif step.merge:
        cause = box("p", "small gr-link", t("graph.origin.open_merge", lang), choose=link("merge", step.merge))
    return box("li", "gr-step", head, cause, *_changes(step, lang))


def _changes(step: HistoryStep, lang: Lang) -> Iterable[Box]:
    """Before and after of what changed, differing words marked."""
    if not step.before:
        return
    for part in ("context", "summary"):
        before = [getattr(wording, part) for _, wording in step.before]
        after = getattr(step.after, part)
        if before != [after]:
            yield _texts(t(f"node.{part}", lang), before, after, lang)
    kept = [word for _, wording in step.before for word in wording.keywords]
    if set(kept) != set(step.after.keywords):
        yield _keywords(dict.fromkeys(kept), step.after.keywords, lang)


def _texts(name: str, before: Sequence[str], after: str, lang: Lang) -> Box:
    old, new = mark_against_all(before, after)
    return box(
        "div",
        "gr-rewrite",
        label(name),
        *(box("p", "text small gr-was clamp", *marked(pieces)) for pieces in old),
        box("p", "arrow", t("graph.history.after", lang)),
        box("p", "text small clamp", *marked(new)),
    )


def mark_against_all(before: Sequence[str], after: str) -> tuple[list[list[Mark]], list[Mark]]:
    """Each old text against the new one; the new one with what stands in none of the old ones marked."""
    old: list[list[Mark]] = []
    known = bytearray(len(after))
    for text in before:
        left, right = mark_difference(text, after)
        old.append(left)
        at = 0
        for piece in right:
            if not piece.differs:
                known[at : at + len(piece.text)] = b"\1" * len(piece.text)
            at += len(piece.text)
    new: list[Mark] = []
    start = 0
    for at in range(1, len(after) + 1):
        if at == len(after) or known[at] != known[start]:
            new.append(Mark(after[start:at], not known[start]))
            start = at
    return old, new


def _keywords(before: Iterable[str], after: Sequence[str], lang: Lang) -> Box:
    gone = [word for word in before if word not in after]
    kept = set(before)
    return box(
        "div",
        "gr-rewrite",
        label(t("node.keywords", lang)),
        row_of(
            *(box("del", "chip", word) for word in gone),
            *(box("span", "chip", word) if word in kept else box("ins", "chip new", word) for word in after),
        ),
    )


# -- what it was compared with ----------------------------------------------------------------------------------------


def comparisons_of(story: NodeStory, details: Details, lang: Lang) -> Box | None:
    """What it was compared with when it was new, and what was found."""
    if not story.comparisons:
        return None
    return labelled(
        t("graph.compared.title", lang),
        *(_comparison(comparison, details, lang) for comparison in reversed(story.comparisons)),
    )


def _comparison(comparison: Comparison, details: Details, lang: Lang) -> Box:
    rows = [
        box(
            "li",
            "gr-compared",
            box("span", "muted small gr-number", str(hit.rank)),
            details.name(hit.node_id, lang, "text gr-line gr-name"),
            verdict_chip(comparison.judged[hit.node_id], lang)
            if hit.node_id in comparison.judged
            else aside(t("graph.compared.unjudged", lang)),
        )
        for hit in comparison.hits
    ]
    none = muted(t("graph.compared.none", lang))
    return box(
        "div",
        "gap",
        box("p", "", event_link(comparison.seq, comparison.round, lang)),
        box("ul", "gr-plain", *rows) if rows else none,
        *(box("p", "muted small text", t("graph.compared.ignored", lang, words=words)) for words in comparison.ignored),
    )


def verdict_chip(judged: JudgedRelation, lang: Lang) -> Box:
    """What the agent made of a pair; why, when the pointer rests on it."""
    words = t(f"graph.relation.{judged.relation}", lang)
    return box("span", f"chip {LOOKS[judged.relation]}".strip(), words, title=judged.reasoning)
