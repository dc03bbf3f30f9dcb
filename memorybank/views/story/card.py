"""A scene's matter as one card: a dispute on its scales, before and after of a fold, new nodes, the answer."""

from __future__ import annotations

from collections.abc import Iterable

from memorybank.contradiction.disputes.dispute import Dispute, title
from memorybank.memory.state import MemoryState
from memorybank.memory.types import ConflictStatus, Lang, Node
from memorybank.prompts.claim_words import opened, quoted
from memorybank.views.box import Box, aside, box, chip, div, label, muted, note, row_of
from memorybank.views.boxes.answer_card import answer_card
from memorybank.views.boxes.conflicts import LOOKS, dispute_line, in_words, status_chip
from memorybank.views.i18n import t
from memorybank.views.link import link
from memorybank.views.run.playback import Moment
from memorybank.views.story.scene import Scene, Side, Source, matter_of
from memorybank.views.text.display import clip, columns, unheaded

MOST_SIDES, MOST_SOURCES, MOST_OF_MANY, MOST_NODES = 4, 5, 2, 6
"""The most sides, sources and nodes shown; the rest are counted. Each of many sides has `MOST_OF_MANY` sources."""
MOST_OPENED = 2
"""The most documents of a check that are shown opened."""
MOST_WHOLE = 2
"""The most nodes that became one of which the summaries are shown."""
NAME, TOPIC, SUMMARY, DESCRIPTION = 44, 80, 260, 160
"""The most columns of each text."""


def scene_card(scene: Scene, moment: Moment, lang: Lang) -> Box | None:
    """Return the card; None where the sentence says all."""
    if scene.kind == "fold" and scene.merge in moment.bank.graph.merges:
        return _fold_card(scene, moment.bank, lang)
    if scene.dispute is not None:
        asked = _asked(scene, lang) if scene.kind == "source" else None
        return _dispute_card(scene.dispute, scene.sides, scene.status or scene.dispute.status, lang, asked)
    if scene.kind == "rest":
        counted = [dispute for dispute in moment.disputes if dispute.conflict_ids[0] in scene.conflicts]
        lines = (dispute_line(dispute, lang) for dispute in counted[:MOST_NODES])
        return div("card story-card", box("ul", "dispute-lines", *lines))
    if scene.kind == "answer" and moment.bank.progress.answer:
        return answer_card(moment, lang)
    nodes = [moment.bank.graph.nodes[node_id] for node_id in scene.nodes if node_id in moment.bank.graph.nodes]
    return _node_list(nodes, lang) if nodes else None


def _dispute_card(
    dispute: Dispute, sides: tuple[Side, ...], status: ConflictStatus, lang: Lang, asked: Box | None
) -> Box:
    """Return the dispute, how it stands, and each value with its sources; below it the check, where it is shown."""
    words = clip(title(dispute, lang), DESCRIPTION)
    rest, most = len(sides) - MOST_SIDES, MOST_SOURCES if len(sides) <= 2 else MOST_OF_MANY
    return div(
        f"card story-card {LOOKS[status]}",
        row_of(
            status_chip(status, lang),
            box("span", "story-matter text", words, choose=link("conflict", dispute.conflict_ids[0])),
        ),
        div(f"scales {_tilt(sides)}", *(_side(side, most, lang) for side in _foremost(sides))),
        note(t("conflicts.more_values", lang, count=rest)) if rest > 0 else None,
        asked,
    )


def _asked(scene: Scene, lang: Lang) -> Box | None:
    """Return what the check looked for, and each document that it opened, with the sentence that is its vote."""
    fresh = [source for side in scene.sides for source in side.sources if source.is_new and source.quote]
    if not fresh:
        return None
    return div(
        "asked",
        label(t("story.card.asked", lang)) if scene.query else None,
        box("p", "asked-query text", clip(scene.query, SUMMARY)) if scene.query else None,
        *(
            piece
            for source in fresh[:MOST_OPENED]
            for piece in (
                label(clip(source.name, NAME)),
                box("p", "text", box("mark", "", clip(source.quote, SUMMARY))),
            )
        ),
    )


def _foremost(sides: tuple[Side, ...]) -> tuple[Side, ...]:
    """Return the sides that are shown, each in its place; what holds is among them."""
    held = next((side for side in sides[MOST_SIDES:] if side.holds), None)
    return (*sides[: MOST_SIDES - 1], held) if held is not None else sides[:MOST_SIDES]


def _tilt(sides: tuple[Side, ...]) -> str:
    """Return to which of two pans the verdict tips them; more values hang level and the one that holds is marked."""
    held = next((place for place, side in enumerate(sides) if side.holds), None)
    if held is None or len(sides) != 2:
        return "level"
    return ("to-left", "to-right")[held]


def _side(side: Side, most: int, lang: Lang) -> Box:
    return div(
        "side holds" if side.holds else "side",
        box("p", "story-value text", side.value),
        row_of(
            chip(t("story.card.holds", lang), "done") if side.holds else None,
            aside(t("story.card.votes", lang, count=len(side.sources))),
        ),
        box("ul", "votes", *(_vote(source, lang) for source in side.sources[:most])),
    )


def _vote(source: Source, lang: Lang) -> Box:
    """Return a document; what the check brought is added, and marked so. What says the value in other words has them
    beside it."""
    name = box("span", "text", clip(source.name, NAME), title=in_words(source.name, source.quote, lang))
    words = None if source.is_exact else box("span", "text muted small", quoted(clip(source.quote, TOPIC)))
    return box("li", "vote new" if source.is_new else "vote", name, words)


def _fold_card(scene: Scene, bank: MemoryState, lang: Lang) -> Box:
    """Return the nodes as they were, beside the one that they became."""
    assert scene.merge is not None
    merge = bank.graph.merges[scene.merge]
    made = bank.graph.nodes.get(bank.graph.successor(merge.new_node_id))
    has_room = len(merge.sources) <= MOST_WHOLE
    before = [_node(node, is_whole=has_room) for node in merge.sources[:MOST_NODES]]
    rest = len(merge.sources) - MOST_NODES
    return div(
        "card story-card merge",
        div(
            "fold",
            div(
                "fold-before",
                label(t("story.card.before", lang)),
                *before,
                aside(t("story.card.more", lang, count=rest)) if rest > 0 else None,
            ),
            box("span", "fold-arrow", "→"),
            div(
                "fold-after",
                label(t("story.card.after", lang)),
                *_fact(scene, lang),
                _node(made, is_whole=not scene.sides, leads=True) if made is not None else None,
            ),
        ),
    )


def _fact(scene: Scene, lang: Lang) -> list[Box]:
    """Return what holds, what does not, and who says so: the node opens on it."""
    held = next((side for side in scene.sides if side.holds), None)
    if held is None:
        return []
    others = t("punctuation.list", lang).join(side.value for side in scene.sides if not side.holds)
    return [
        box("p", "story-value text", held.value),
        muted(t("story.card.not", lang, values=others) if others else ""),
        box("ul", "votes", *(_vote(source, lang) for source in held.sources[:MOST_SOURCES])),
    ]


def _node(node: Node, *, is_whole: bool, leads: bool = False) -> Box:
    return div(
        "side",
        box("p", "strong text", clip(node.context, TOPIC), choose=link("node", node.id) if leads else ""),
        box("p", "text", clip(unheaded(node.summary), SUMMARY)) if is_whole else None,
    )


def _node_list(nodes: Iterable[Node], lang: Lang) -> Box:
    shown = list(nodes)
    rest = len(shown) - MOST_NODES
    topics = ((clip(node.context, TOPIC), link("node", node.id)) for node in shown[:MOST_NODES])
    lines = (box("li", "", box("span", "text", topic, choose=to)) for topic, to in topics)
    more = box("li", "muted small", t("story.card.more", lang, count=rest)) if rest > 0 else None
    return div("card story-card", box("ul", "points", *lines, more))


VALUE, TALLIED = 60, 40
"""The most columns of a value, and of one that is tallied."""
SHORTEST, LONGEST = 2.5, 4.5
"""The least and the most seconds of a scene."""
LEADING, HASTE = ("imported", "task", "filed"), 0.75
"""The kinds of scenes that lead up to the first conflict, and the share of their time that they get."""


def scene_sentence(scene: Scene, lang: Lang) -> str:
    if scene.dispute is None:
        return t(f"story.{scene.words}", lang, **scene.values)
    matter, values = opened(matter_of(scene.dispute, lang)), _values(scene, lang)
    held = next((side for side in scene.sides if side.holds), None)
    votes = len(held.sources) if held is not None else 0
    return t(
        f"story.{scene.words}",
        lang,
        **scene.values,
        matter=matter,
        values=values,
        tally=_tally(scene, lang),
        value=quoted(clip(held.value, VALUE)) if held is not None else "",
        votes=votes,
        against=sum(len(side.sources) for side in scene.sides) - votes,
    )


def scene_seconds(scene: Scene, lang: Lang) -> float:
    """Return the seconds in which its sentence is read, and the graph looked at."""
    width = sum(map(columns, scene_sentence(scene, lang)))
    return max(SHORTEST, min(LONGEST, 1.0 + width / 40)) * (HASTE if scene.kind in LEADING else 1)


def _values(scene: Scene, lang: Lang) -> str:
    assert scene.dispute is not None
    if not scene.dispute.values:
        return clip(scene.dispute.description, DESCRIPTION)
    return t("punctuation.or", lang).join(quoted(clip(side.value, VALUE)) for side in scene.sides)


def _tally(scene: Scene, lang: Lang) -> str:
    counts = (
        t("story.count", lang, value=quoted(clip(side.value, TALLIED)), count=len(side.sources)) for side in scene.sides
    )
    return t("punctuation.list", lang).join(counts)
