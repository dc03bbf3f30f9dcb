"""Why nodes were merged: a line a pair, with the call that said so and the words that it was said on."""

from __future__ import annotations

from collections.abc import Sequence

from memorybank.memory.state import MemoryState
from memorybank.memory.types import Conflict, ConflictId, Contradiction, Lang, NodeId
from memorybank.views.box import Box, aside, box, chip, note, row_of
from memorybank.views.boxes.conflicts import RELATION_LOOKS, mark_claims
from memorybank.views.boxes.leads import go, go_moment
from memorybank.views.graph.model import node_label
from memorybank.views.i18n import t
from memorybank.views.link import link
from memorybank.views.memory.lineage import Judgement, Judgements, MergeStory
from memorybank.views.run.commits import Records
from memorybank.views.run.origin import origin_chip
from memorybank.views.text.display import clip

MOST_PAIRS = 6


def cause(
    story: MergeStory,
    known: Judgements,
    conflicts: Sequence[ConflictId],
    bank: MemoryState,
    records: Records,
    lang: Lang,
) -> list[Box]:
    """A block a pair that was judged; `conflicts`: those that the merge settled."""
    if story.rest_of is not None:
        return [go(t("conflicts.rest_of", lang, merge=story.rest_of), link("merge", story.rest_of))]
    direct: list[tuple[Judgement, Conflict | None]] = [(judged, None) for judged in known.merges.get(story.id, ())]
    disputed = [(known.conflicts[each], bank.conflicts.all[each]) for each in conflicts if each in known.conflicts]
    pairs = [*disputed, *direct]
    blocks = [_pair(judged, conflict, bank, records, lang) for judged, conflict in pairs[:MOST_PAIRS]]
    rest = [bank.conflicts.all[each] for each in conflicts if each not in known.conflicts]
    rest += [conflict for _, conflict in pairs[MOST_PAIRS:] if conflict is not None]
    blocks += [go(clip(conflict.description, 140), link("conflict", conflict.id)) for conflict in rest]
    return [box("div", "stack", *blocks)] if blocks else [note(t("conflicts.cause.none", lang))]


def _pair(judged: Judgement, conflict: Conflict | None, bank: MemoryState, records: Records, lang: Lang) -> Box:
    """The pair, who judged it how surely, and on which words; all of a conflict is one click away."""
    words = t("conflicts.cause.call", lang, seq=judged.call) if judged.call else t("conflicts.cause.no_call", lang)
    return box(
        "div",
        f"card {RELATION_LOOKS[judged.relation]}",
        row_of(
            chip(t(f"graph.relation.{judged.relation}", lang), RELATION_LOOKS[judged.relation]),
            _name(judged.older, bank, lang),
            box("span", "muted", "↔"),
            _name(judged.newer, bank, lang),
            go(words, link("call", judged.call)) if judged.call else aside(words),
            origin_chip(records[judged.call - 1].event, lang) if judged.call else None,
            aside(t("conflicts.sure", lang, percent=round(100 * judged.confidence))),
            go_moment(judged.place.seq, lang),
            go(t("conflicts.open", lang), link("conflict", conflict.id)) if conflict is not None else None,
        ),
        *([box("p", "text", judged.words)] if judged.words else []),
        *(_point(point) for point in dict.fromkeys(conflict.contradictions if conflict is not None else ())),
    )


def _point(point: Contradiction) -> Box:
    left, right = mark_claims((point.left.text, point.left.value), (point.right.text, point.right.value))
    return box("p", "text small", *left.pieces, box("span", "muted", " ↔ "), *right.pieces)


def _name(node_id: NodeId, bank: MemoryState, lang: Lang) -> Box:
    """A node that may have been merged away since leads to where it is now."""
    live = bank.graph.successor(node_id)
    if live not in bank.graph.nodes:
        return box("span", "mono", node_id)
    return box("span", "leads mono", node_id, choose=link("node", live), title=node_label(bank.graph.nodes[live], lang))
