"""Both sides of a conflict: every contradiction with what differs marked, and under each claim its raw sources."""

from __future__ import annotations

from collections.abc import Iterable

from memorybank.contradiction.disputes.gathering import stated_at
from memorybank.memory.state import MemoryState
from memorybank.memory.types import Claim, Conflict, Contradiction, Lang, NodeId
from memorybank.prompts.claim_words import matter, opened, shown
from memorybank.views.box import Box, aside, box, chip, facts_of, go, label, note, row_of
from memorybank.views.boxes.conflicts import ClaimSide, mark_claims, sides_of
from memorybank.views.boxes.entries import quoted_passage
from memorybank.views.graph.model import node_label
from memorybank.views.i18n import t
from memorybank.views.link import link
from memorybank.views.text.display import clip
from memorybank.views.text.passages import passage

PAGE = 12
"""Contradictions, and pieces of evidence on one side, that are shown at first."""
MOST_SOURCES = 4
"""Raw sources shown of one claim."""
TOPIC = 80
"""Columns."""


def claims(conflict: Conflict, bank: MemoryState, most: int, lang: Lang) -> list[Box]:
    """A block a contradiction; without any (an engine that cannot take claims apart), the two summaries."""
    if not conflict.contradictions:
        return [
            note(t("conflicts.no_claims", lang)),
            *(_pair(conflict, 0, sides, (None, None), bank, lang) for sides in sides_of(conflict, bank)),
        ]
    count = len(conflict.contradictions)
    return [
        box(
            "div",
            "contradiction",
            _matter(contradiction, place, count, lang),
            _pair(
                conflict,
                place - 1,
                mark_claims(
                    (contradiction.left.text, contradiction.left.value),
                    (contradiction.right.text, contradiction.right.value),
                ),
                (contradiction.left, contradiction.right),
                bank,
                lang,
            ),
        )
        for place, contradiction in enumerate(conflict.contradictions[:most], start=1)
    ]


def _matter(contradiction: Contradiction, place: int, count: int, lang: Lang) -> Box:
    """What the two disagree on, in one line."""
    sides = (contradiction.left, contradiction.right)
    subject, attribute = sides[0].subject or sides[1].subject, sides[0].attribute or sides[1].attribute
    about = opened(matter(subject, attribute, sides, lang))
    number = t("conflicts.matter", lang, place=place, count=count) if count > 1 else None
    sure = t("conflicts.sure", lang, percent=round(100 * contradiction.confidence))
    return row_of(
        box("span", "label", number) if number else None,
        box("span", "small text", about) if about else None,
        aside(sure),
    )


def _pair(
    conflict: Conflict,
    point: int,
    sides: tuple[ClaimSide, ClaimSide],
    stated: tuple[Claim | None, Claim | None],
    bank: MemoryState,
    lang: Lang,
) -> Box:
    winner = conflict.ruling_on(point).winner
    columns = zip(("left", "right"), ("older", "newer"), sides, stated, conflict.node_ids, strict=True)
    return box(
        "div",
        "beside conflict",
        *(
            box(
                "div",
                "side holds" if winner == name else "side",
                row_of(
                    box("span", "label", t(f"conflict.{age}", lang)),
                    chip(t("conflicts.holds_chip", lang), "done") if winner == name else None,
                ),
                box("p", "claim-text text", *side.pieces),
                _facts(claim, lang) if claim is not None else None,
                box("div", "", *node_line(node_id, bank, lang)),
                *(_sources(node_id, claim, bank, lang) if claim is not None else ()),
            )
            for name, age, side, claim, node_id in columns
        ),
    )


def _facts(claim: Claim, lang: Lang) -> Box | None:
    """The value in dispute and the time it is said of, where the claim was taken apart so far."""
    known = (("conflicts.value", shown(claim) if claim.value else ""), ("conflicts.time", claim.time))
    return facts_of(*((t(words, lang), content) for words, content in known if content != claim.text))


def node_line(node_id: NodeId, bank: MemoryState, lang: Lang) -> Iterable[Box]:
    """The node that says it; where it is now, if it was merged away."""
    live = bank.graph.successor(node_id)
    node = bank.graph.nodes.get(live)
    if node is None:
        yield box("p", "muted small text", node_id)
        return
    topic = clip(node.context or node_label(node, lang), TOPIC)
    if live == node_id:
        yield box("p", "small", go(topic, link("node", node_id)), box("span", "muted mono", f"  {node_id}"))
        return
    yield box(
        "p",
        "small",
        box("span", "muted", t("conflicts.now_in", lang, node=node_id)),
        " ",
        go(topic, link("node", live)),
        box("span", "muted mono", f"  {live}"),
    )


def _sources(node_id: NodeId, claim: Claim, bank: MemoryState, lang: Lang) -> Iterable[Box]:
    """The sentences of the node's raw text that state a claim."""
    spans = [span for span in bank.tree.spans.get(node_id, ()) if bank.tree.entries[span.entry_id].is_source]
    found = ((span, stated_at(claim, bank.tree.text(span))) for span in spans)
    passages = [
        passage(bank.tree.entries[span.entry_id], span.start + at[0], span.start + at[1]) for span, at in found if at
    ]
    if not passages:
        yield note(t("conflicts.no_raw", lang))
        return
    yield label(t("conflicts.raw", lang))
    for each in passages[:MOST_SOURCES]:
        yield quoted_passage(each, aside(t(f"entry.kind.{each.entry.kind}", lang)))
    if len(passages) > MOST_SOURCES:
        more = t("conflicts.more_sources", lang, count=len(passages) - MOST_SOURCES)
        yield box("p", "small", go(more, link("tree", bank.graph.successor(node_id))))
