"""Both sides of a conflict with their raw sources, what differs marked; and its life as steps, left to right."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime

from memorybank.contradiction.disputes.gathering import stated_at
from memorybank.memory.state import MemoryState
from memorybank.memory.types import Claim, Conflict, ConflictStatus, Contradiction, Lang, NodeId
from memorybank.prompts.claim_words import matter, opened, shown
from memorybank.runs.stages import Place
from memorybank.views.box import Box, aside, box, chip, div, facts_of, go, go_call, go_moment, gos, label, note, row_of
from memorybank.views.boxes.conflicts import LOOKS, ClaimSide, executor_name, mark_claims, sides_of
from memorybank.views.boxes.entries import quoted_passage
from memorybank.views.graph.model import node_label
from memorybank.views.i18n import t
from memorybank.views.link import link
from memorybank.views.memory.conflict_life import LifeStep
from memorybank.views.text.passages import passage

_TONES = {
    "imported": "node",
    "found": "conflict",
    "planned": "node",
    "checked": "node",
    "attempted": "disputed",
    "stated": "node",
    "merged": "merge",
    "joined": "merge",
    "apart": "node",
    "undone": "disputed",
    "restored": "node",
}


def timeline(conflict: Conflict, steps: Sequence[LifeStep], bank: MemoryState, lang: Lang) -> Box:
    ahead = _ahead(conflict, bank, lang)
    return box("ol", "life-steps", *(_step(step, lang) for step in steps), ahead)


def _step(step: LifeStep, lang: Lang) -> Box:
    tone = LOOKS[step.status] if step.kind == "closed" and step.status else _TONES.get(step.kind, "node")
    return box(
        "li",
        tone,
        box("p", "strong", _title(step, lang)),
        box("p", "muted small", moment_line(step.place, lang), title=day(step.place.at)),
        *_details(step, lang),
        gos(
            go_moment(step.place.seq, lang),
            go_call(step.call, lang) if step.call else None,
            go(t("conflicts.go_prompt", lang), link("prompt", step.prompt)) if step.prompt else None,
            go(t("conflicts.go_record", lang), link("entry", step.transcript)) if step.transcript else None,
            go(t("conflicts.go_merge", lang), link("merge", step.merge)) if step.merge else None,
        ),
    )


def _title(step: LifeStep, lang: Lang) -> str:
    if step.kind == "closed" and step.status is not None:
        return t(f"conflict.status.{step.status}", lang)
    return t(f"conflicts.step.{step.kind}", lang)


def _details(step: LifeStep, lang: Lang) -> list[Box]:
    """Return what there is to say of a step, in a line or two."""
    lines: list[Box] = []
    if step.kind == "checked":
        by = t("conflicts.step.checked_by", lang, name=executor_name(step.who, lang), count=step.tools)
        lines += [box("p", "text", by), box("p", "text", t("conflicts.step.read", lang, count=len(step.materials)))]
    if step.kind in ("checked", "attempted") and step.words:
        lines.append(box("p", "text failure", step.words))
    if step.kind in ("stated", "closed", "undone", "restored"):
        lines.append(box("p", "text", t("conflicts.step.by", lang, name=executor_name(step.who, lang))))
    if step.kind in ("merged", "undone", "joined", "apart") or (step.kind == "restored" and step.nodes):
        lines.append(box("p", "text", t("graph.nodes", lang, count=len(step.nodes))))
    return lines


def _ahead(conflict: Conflict, bank: MemoryState, lang: Lang) -> Box | None:
    """Return what an open conflict waits for; None for one that is not open."""
    if conflict.status is not ConflictStatus.OPEN:
        return None
    task, need = bank.doc.current_task, bank.progress.need
    checked = task is not None and conflict.id in task.conflict_ids
    words = "conflicts.ahead.plan"
    if checked:
        words = "conflicts.ahead.verdict" if need in ("intercept", "resolve") else "conflicts.ahead.check"
    return box("li", "ahead", box("p", "strong", t("conflicts.step.ahead", lang)), box("p", "text", t(words, lang)))


def moment_line(place: Place, lang: Lang) -> str:
    """Return a moment in words: `round 2 · event 155`."""
    known = [t("conflicts.round", lang, round=place.round)] if place.round else []
    return " · ".join([*known, t("conflicts.event", lang, seq=place.seq)])


def day(at: float) -> str:
    """Return date and time where the server stands, the reader's own machine; empty when it is not known."""
    return datetime.fromtimestamp(at, tz=UTC).astimezone().strftime("%Y-%m-%d %H:%M:%S") if at > 0 else ""


PAGE = 12
"""The number of contradictions, and of pieces of evidence on one side, that are shown at first."""
MOST_SOURCES = 4
"""The most raw sources shown of one claim."""


def claims(conflict: Conflict, bank: MemoryState, most: int, lang: Lang) -> list[Box]:
    """Return a block a contradiction; without any (an engine that cannot take claims apart), the two summaries."""
    if not conflict.contradictions:
        return [
            note(t("conflicts.no_claims", lang)),
            *(_pair(conflict, 0, sides, (None, None), bank, lang) for sides in sides_of(conflict, bank)),
        ]
    count = len(conflict.contradictions)
    return [
        div(
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
    """Return what the two sides disagree on, in one line."""
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
    return div(
        "beside conflict",
        *(
            div(
                "side holds" if winner == name else "side",
                row_of(
                    box("span", "label", t(f"conflict.{age}", lang)),
                    chip(t("conflicts.holds_chip", lang), "done") if winner == name else None,
                ),
                box("p", "claim-text text", *side.pieces),
                _facts(claim, lang) if claim is not None else None,
                div("", *node_line(node_id, bank, lang)),
                *(_sources(node_id, claim, bank, lang) if claim is not None else ()),
            )
            for name, age, side, claim, node_id in columns
        ),
    )


def _facts(claim: Claim, lang: Lang) -> Box | None:
    """Return the value in dispute and the time it is said of, where the claim was taken apart so far."""
    known = (("conflicts.value", shown(claim) if claim.value else ""), ("conflicts.time", claim.time))
    return facts_of(*((t(words, lang), content) for words, content in known if content != claim.text))


def node_line(node_id: NodeId, bank: MemoryState, lang: Lang) -> Iterable[Box]:
    """Return the node that says it, or where it is now, if it was merged away."""
    live = bank.graph.successor(node_id)
    node = bank.graph.nodes.get(live)
    if node is None:
        yield box("p", "muted small text", node_id)
        return
    moved = None if live == node_id else box("span", "muted", t("conflicts.now_in", lang), " ")
    yield box("p", "small", moved, go(node_label(node, lang), link("node", live)))


def _sources(node_id: NodeId, claim: Claim, bank: MemoryState, lang: Lang) -> Iterable[Box]:
    """Return the sentences of the node's raw text that state a claim."""
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
