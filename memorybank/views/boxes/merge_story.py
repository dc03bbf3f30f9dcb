"""A merge as before → after: full texts, what was kept and what was not, and why."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import combinations

from memorybank.memory.state import MemoryState
from memorybank.memory.types import Conflict, ConflictId, Contradiction, Lang, NodeId, Relation
from memorybank.session.checks import marks_of
from memorybank.views.box import Box, Piece, aside, box, chip, div, folded, go, go_call, go_moment, muted, note, row_of
from memorybank.views.boxes.conflict_claims import day, moment_line, node_line
from memorybank.views.boxes.conflict_evidence import Marks, checks_box, struck
from memorybank.views.boxes.conflicts import RELATION_LOOKS, mark_claims, merge_chip
from memorybank.views.graph.items import node_label, node_title
from memorybank.views.i18n import t
from memorybank.views.link import link
from memorybank.views.memory.edges import Reason, Reasons
from memorybank.views.memory.lineage import MergeStory, Sentence, Version, kept_and_dropped, old_and_new
from memorybank.views.run.commits import Records
from memorybank.views.run.origin import origin_chip
from memorybank.views.text.display import clip

MOST_SOURCES = 12
"""Nodes of one merge shown at first."""
MOST_OPEN = 2
"""Sources whose text is open (of more, each opens by its name), and pairs of the cause that are."""


def source_names(story: MergeStory, lang: Lang) -> dict[NodeId, str]:
    """Return a name for each node that was merged; namesakes are numbered."""
    names: dict[NodeId, str] = {}
    seen: Counter[str] = Counter()
    for source in story.sources:
        name = node_label(source, lang)
        seen[name] += 1
        names[source.id] = name if seen[name] == 1 else f"{name} ({seen[name]})"
    return names


def headline(story: MergeStory, made_by: Box | None, bank: MemoryState, lang: Lang) -> Box:
    """Return what was merged, when, and what wrote the result."""
    when = t("conflicts.imported_when", lang, time=day(story.place.at)) if story.imported else None
    return div(
        "card spaced" if story.undone else "card spaced merge",
        row_of(
            merge_chip(story, lang),
            aside(when or moment_line(story.place, lang)),
            box("span", "", aside(t("conflicts.made_by", lang)), " ", made_by) if made_by else None,
            go_moment(story.place.seq, lang),
            go_call(story.call, lang) if story.call else None,
            go(t("conflicts.go_undo_moment", lang), link("moment", story.undone.seq)) if story.undone else None,
        ),
        box("p", "head-line text", _title(story.result, bank, lang)),
        box("p", "text small", story.description) if story.description else None,
    )


def before(story: MergeStory, bank: MemoryState, most: int, lang: Lang) -> list[Box]:
    if story.imported:
        return [muted(t("conflicts.imported_sources", lang))]
    shown = [(node_title(each, lang), _source(each, story.dropped, bank, lang)) for each in story.sources[:most]]
    if len(story.sources) <= MOST_OPEN:
        return [box("div", "beside", *(text for _, text in shown))]
    return [box("div", "stack", *(folded(title, text) for title, text in shown))]


def after(story: MergeStory, bank: MemoryState, lang: Lang) -> Box:
    pieces = old_and_new(story.result.summary, [source.summary for source in story.sources])
    live = bank.graph.successor(story.result.id)
    is_elsewhere = live != story.result.id and live in bank.graph.nodes
    node = bank.graph.nodes.get(story.result.id)
    marks = marks_of(node) if node is not None and node.summary == story.result.summary else ()
    return div(
        "beside",
        div(
            "side merge taken-back" if story.undone else "side merge",
            box("p", "text small", *_marked(pieces, marks, "" if story.imported else "ins", lang)),
            checks_box(node, bank, lang, is_brief=True) if node is not None else None,
            div("", *node_line(story.result.id, bank, lang)) if is_elsewhere else None,
        ),
    )


def _source(version: Version, dropped: Collection[str], bank: MemoryState, lang: Lang) -> Box:
    pieces = kept_and_dropped(version.summary, dropped)
    text = box("p", "text small", *_marked(pieces, version.marks, "del", lang))
    return box("div", "side", box("p", "strong text", _title(version, bank, lang)), text)


def _title(version: Version, bank: MemoryState, lang: Lang) -> Piece:
    """Return the title; it leads to the node where that is still there."""
    title = node_title(version, lang)
    return go(title, link("node", version.id)) if version.id in bank.graph.nodes else title


def _marked(pieces: Sequence[Sentence], marks: Marks, tag: str, lang: Lang) -> Iterator[Piece]:
    """Yield the sentences, those told apart in a `tag`, and in each the words that a check refuted."""
    text, at = "".join(piece.text for piece in pieces), 0
    for piece in pieces:
        inside = struck(text, marks, lang, at, at + len(piece.text))
        at += len(piece.text)
        yield from [box(tag, "", *inside)] if piece.apart and tag else inside


def cause(
    story: MergeStory, known: Reasons, conflicts: Sequence[ConflictId], bank: MemoryState, records: Records, lang: Lang
) -> list[Box]:
    """Return a block a pair that was judged; `conflicts` are those that the merge settled."""
    if story.rest_of is not None:
        return [go(t("conflicts.rest_of", lang), link("merge", story.rest_of))]
    direct: list[tuple[Reason, Conflict | None]] = []
    for pair in combinations([source.id for source in story.sources], 2) if story.trigger == "merge" else ():
        judged = _said(pair, Relation.MERGE, known, story.place.seq)
        direct += [(judged, None)] if judged is not None else []
    disputed = {
        conflict: _said(conflict.node_ids, Relation.CONFLICT, known, story.place.seq)
        for conflict in map(bank.conflicts.all.__getitem__, conflicts)
    }
    pairs = [*((judged, conflict) for conflict, judged in disputed.items() if judged is not None), *direct]
    names = source_names(story, lang)
    blocks = [_pair(judged, conflict, names, bank, records, lang) for judged, conflict in pairs]
    rest = [conflict for conflict, judged in disputed.items() if judged is None]
    blocks += [go(clip(conflict.description, 140), link("conflict", conflict.id)) for conflict in rest]
    first, more = blocks[:MOST_OPEN], blocks[MOST_OPEN:]
    if more:
        first.append(folded(t("conflicts.cause.more", lang, count=len(more)), div("stack", *more)))
    return [div("stack", *first)] if first else [note(t("conflicts.cause.none", lang))]


def _said(pair: Iterable[NodeId], relation: Relation, known: Reasons, before: int) -> Reason | None:
    """Return the last reason before an event for a relation between two nodes."""
    reasons = known.get(frozenset(pair), ())
    return next((each for each in reversed(reasons) if each.relation is relation and each.seq < before), None)


def _pair(
    judged: Reason,
    conflict: Conflict | None,
    names: Mapping[NodeId, str],
    bank: MemoryState,
    records: Records,
    lang: Lang,
) -> Box:
    """Return the pair, who judged it how surely, and on which words; all of a conflict is one click away."""
    relation = Relation.MERGE if conflict is None else Relation.CONFLICT
    points = tuple(dict.fromkeys(conflict.contradictions if conflict is not None else ()))
    is_quoted = any(point.left.text in judged.words and point.right.text in judged.words for point in points)
    words = t("conflicts.cause.call", lang, seq=judged.call) if judged.call else t("conflicts.cause.no_call", lang)
    return div(
        f"card {RELATION_LOOKS[relation]}",
        row_of(
            chip(t(f"graph.relation.{relation}", lang), RELATION_LOOKS[relation]),
            _name(judged.left, names, bank, lang),
            box("span", "muted", "↔"),
            _name(judged.right, names, bank, lang),
            go(words, link("call", judged.call)) if judged.call else aside(words),
            origin_chip(records[judged.call - 1].event, lang) if judged.call else None,
            aside(t("conflicts.sure", lang, percent=round(100 * (judged.confidence or 0.0)))),
            go(t("conflicts.open", lang), link("conflict", conflict.id)) if conflict is not None else None,
        ),
        box("p", "text small", judged.words) if judged.words and not is_quoted else None,
        *map(_point, points),
    )


def _point(point: Contradiction) -> Box:
    left, right = mark_claims((point.left.text, point.left.value), (point.right.text, point.right.value))
    return box("p", "text small", *left.pieces, box("span", "muted", " ↔ "), *right.pieces)


def _name(node_id: NodeId, names: Mapping[NodeId, str], bank: MemoryState, lang: Lang) -> Box:
    """Return a link to a node, which leads to where it is now if it was merged away since."""
    live = bank.graph.nodes.get(bank.graph.successor(node_id))
    name = names.get(node_id) or (node_label(live, lang) if live is not None else node_id)
    return go(name, link("node", live.id)) if live is not None else box("span", "text", name)
