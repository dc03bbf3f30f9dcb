"""Why nodes were merged: which call said so, on which sentences, with which values, and what it had to choose from."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from memorybank.contradiction.words import shown
from memorybank.memory.state import MemoryState
from memorybank.memory.types import Claim, Conflict, ConflictId, Hit, Lang, NodeId, Relation
from memorybank.views.box import Box, aside, box, chip, folded, label, labelled, note, row_of, table_of
from memorybank.views.boxes.conflicts import RELATION_LOOKS, decided_by, mark_claims, status_chip
from memorybank.views.boxes.leads import go, go_call, go_moment, gos
from memorybank.views.graph.model import node_label
from memorybank.views.i18n import t
from memorybank.views.link import link
from memorybank.views.memory.lineage import Judgement, Judgements, MergeStory, Retrieved
from memorybank.views.run.commits import Records
from memorybank.views.run.origin import origin_chip
from memorybank.views.text.display import clip

MOST_PAIRS = 6
MOST_HITS = 12
TOPIC = 70
"""Columns."""


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
    return box(
        "div",
        f"card spaced {RELATION_LOOKS[judged.relation]}",
        row_of(
            chip(t(f"graph.relation.{judged.relation}", lang), RELATION_LOOKS[judged.relation]),
            _name(judged.older, bank, lang),
            box("span", "muted", "↔"),
            _name(judged.newer, bank, lang),
        ),
        _who(judged, conflict, records, lang),
        box("p", "text", judged.words) if judged.words else None,
        gos(go_call(judged.call, lang) if judged.call else None, go_moment(judged.place.seq, lang)),
        *(_points(conflict, lang) if conflict is not None else ()),
        _verdict(conflict, lang) if conflict is not None else None,
        _retrieval(judged, judged.retrieved, bank, lang) if judged.retrieved is not None else None,
    )


def _name(node_id: NodeId, bank: MemoryState, lang: Lang) -> Box:
    """A node that may have been merged away since leads to where it is now."""
    live = bank.graph.successor(node_id)
    if live not in bank.graph.nodes:
        return box("span", "mono", node_id)
    return box("span", "leads mono", node_id, choose=link("node", live), title=node_label(bank.graph.nodes[live], lang))


def _who(judged: Judgement, conflict: Conflict | None, records: Records, lang: Lang) -> Box:
    """The call that said so; of the offline engine the readers, too."""
    made_by = origin_chip(records[judged.call - 1].event, lang) if judged.call else None
    is_offline = judged.call > 0 and records[judged.call - 1].event.engine == "offline"
    readers = dict.fromkeys(point.found_by for point in conflict.contradictions) if conflict and is_offline else {}
    words = t("conflicts.cause.call", lang, seq=judged.call) if judged.call else t("conflicts.cause.no_call", lang)
    return row_of(
        box("span", "", words),
        made_by,
        *(aside(t(f"conflicts.cause.reader.{reader}", lang)) for reader in readers),
        aside(t("conflicts.sure", lang, percent=round(100 * judged.confidence))),
    )


# -- on which sentences -----------------------------------------------------------------------------------------------


def _points(conflict: Conflict, lang: Lang) -> Iterator[Box]:
    """The sentences that contradict each other, with the value of each."""
    for point in dict.fromkeys(conflict.contradictions):
        marked = mark_claims((point.left.text, point.left.value), (point.right.text, point.right.value))
        yield box(
            "div",
            "beside gap",
            *(
                box("div", "side", label(t(f"conflict.{age}", lang)), box("p", "claim-text text", *side.pieces), value)
                for age, side, value in zip(
                    ("older", "newer"), marked, (_value(point.left, lang), _value(point.right, lang)), strict=True
                )
            ),
        )
    if not conflict.contradictions:
        yield note(t("conflicts.no_claims", lang))


def _value(claim: Claim, lang: Lang) -> Box | None:
    words = f"{t('conflicts.value', lang)}{t('punctuation.colon', lang)}{shown(claim)}"
    return box("p", "strong text small", words) if claim.value else None


def _verdict(conflict: Conflict, lang: Lang) -> Box:
    holds = f"{t('conflict.holds', lang)}{t('punctuation.colon', lang)}{conflict.value}" if conflict.value else None
    return labelled(
        t("conflict.verdict", lang),
        row_of(
            status_chip(conflict.status, lang),
            box("span", "strong text", holds) if holds and conflict.status.decides else None,
            aside(decided_by(conflict, lang)) if conflict.closed_by else None,
            go(t("conflicts.open", lang), link("conflict", conflict.id)),
        ),
    )


# -- what there was to choose from ------------------------------------------------------------------------------------


def _retrieval(judged: Judgement, retrieved: Retrieved, bank: MemoryState, lang: Lang) -> Box:
    hits, rest = retrieved.hits[:MOST_HITS], len(retrieved.hits) - MOST_HITS
    above = {hit.node_id for hit in retrieved.hits}
    below = [hit for hit in retrieved.below if hit.node_id not in above]
    names = ("rank", "node", "score")
    heads = (box("th", f"gr-{name}", t(f"conflicts.cause.head.{name}", lang)) for name in names)
    return folded(
        t("conflicts.cause.retrieved", lang, node=retrieved.node_id, count=len(retrieved.hits)),
        table_of("gr-scores", heads, (_hit(hit, judged, bank, lang) for hit in hits)),
        note(t("conflicts.cause.more_hits", lang, count=rest)) if rest > 0 else None,
        label(t("conflicts.cause.below", lang)),
        box("table", "gr-scores", box("tbody", "", *(_hit(hit, judged, bank, lang) for hit in below)))
        if below
        else note(t("conflicts.cause.below_none", lang)),
        gos(go_moment(retrieved.seq, lang)),
        look="gap",
    )


def _hit(hit: Hit, judged: Judgement, bank: MemoryState, lang: Lang) -> Box:
    relation = judged.others.get(hit.node_id)
    live = bank.graph.successor(hit.node_id)
    topic = clip(bank.graph.nodes[live].context, TOPIC) if live in bank.graph.nodes else hit.node_id
    return box(
        "tr",
        "gr-selected" if hit.node_id == judged.older else "",
        box("td", "gr-rank", str(hit.rank) if hit.via is None else "↳"),
        box(
            "td",
            "",
            row_of(
                _name(hit.node_id, bank, lang),
                box("span", "text", topic),
                _relation(relation, lang) if relation else None,
            ),
        ),
        box("td", "gr-score", f"{hit.score:.3f}"),
    )


def _relation(relation: Relation, lang: Lang) -> Box:
    words = t(f"graph.relation.{relation}", lang)
    return aside(words) if relation is Relation.UNRELATED else chip(words, RELATION_LOOKS[relation])
