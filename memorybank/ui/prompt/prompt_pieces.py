"""The prompt itself, its parts apart; every memory in it leads to its node and on to the entries it stands on."""

from __future__ import annotations

from memorybank.errors import InputError
from memorybank.memory.types import Lang, NodeId
from memorybank.tools.deep_retrieval import view as deep_view
from memorybank.ui.components.rich import draw
from memorybank.ui.prompt.prompt_shares import look, part_words, scores
from memorybank.views.box import Box, aside, box
from memorybank.views.calls.prompt_parts import BETWEEN, Piece, PromptView
from memorybank.views.graph.model import node_label
from memorybank.views.i18n import t
from memorybank.views.link import link
from memorybank.views.run.playback import Moment
from memorybank.views.text.display import clip
from memorybank.views.text.quantities import format_tokens

MOST_TEXT = 60_000
"""Characters of a prompt that cannot be taken apart."""
MOST_PIECE = 12_000
MOST_ENTRIES = 4
"""Named below a memory; the Tree page has them all."""


def draw_pieces(view: PromptView, moment: Moment, lang: Lang) -> None:
    if not view.pieces:
        prompt = view.event.prompt
        draw(
            box("p", "notice text", t("prompt.whole", lang)),
            box("pre", "raw gap", prompt[:MOST_TEXT], _rest(len(prompt) - MOST_TEXT, lang)),
            key="prompt-pieces",
        )
        return
    draw(box("div", "prompt-text", *(_piece(piece, view, moment, lang) for piece in view.pieces)), key="prompt-pieces")


def _piece(piece: Piece, view: PromptView, moment: Moment, lang: Lang) -> Box | None:
    text = view.text(piece)
    if piece.name == BETWEEN:
        return box("p", "between", text.strip("\n")) if text.strip() else None
    return box(
        "div",
        f"piece part-{look(piece.name)}",
        box(
            "div",
            "row head",
            box("span", "name", part_words(piece.name, lang)),
            *(_origin(piece.node, view, moment, lang) if piece.node else ()),
            aside(format_tokens(piece.tokens, lang)),
        ),
        box("p", "text", text[:MOST_PIECE], _rest(len(text) - MOST_PIECE, lang)),
        _entries(piece.node, moment, lang) if piece.node else None,
    )


def _rest(hidden: int, lang: Lang) -> Box | None:
    return aside(f" {t('prompt.more_text', lang, count=hidden)}") if hidden > 0 else None


def _origin(node_id: NodeId, view: PromptView, moment: Moment, lang: Lang) -> list[Box]:
    """The memory's node, and how it came up."""
    node, hit = view.bank.graph.nodes[node_id], view.hit(node_id)
    live = moment.bank.graph.successor(node_id)
    boxes = [
        box(
            "span",
            "strong link",
            clip(node_label(node, lang), 60),
            choose=link("node", live),
            title=t("tree.go_graph", lang),
        )
    ]
    if hit is None:
        boxes.append(box("span", "small", t("prompt.checked", lang)))
    elif hit.via is not None:
        via = view.bank.graph.nodes.get(hit.via)
        topic = clip(node_label(via, lang), 40) if via is not None else hit.via
        boxes.append(box("span", "small", t("prompt.via", lang, rank=hit.rank, topic=topic)))
    else:
        boxes.append(box("span", "small", t("prompt.rank", lang, rank=hit.rank)))
    if hit is not None:
        boxes.append(box("span", "muted small", scores(hit, lang), title=t("prompt.scores_help", lang)))
    conflict = view.bank.disputed().get(node_id)
    if conflict is not None:
        tone = "conflict" if node_id in view.bank.under_validation() else "disputed"
        boxes.append(box("span", f"chip {tone}", t(f"state.{tone}", lang), choose=link("conflict", conflict.id)))
    return boxes


def _entries(node_id: NodeId, moment: Moment, lang: Lang) -> Box | None:
    """The raw text behind a memory, source by source; as the memory stands at the moment that is looked at."""
    try:
        view = deep_view(moment.bank, node_id)
    except InputError:
        return None
    more = len(view.entries) - MOST_ENTRIES
    return box(
        "div",
        "row stands",
        aside(t("prompt.stands_on", lang)),
        *(
            box(
                "span",
                "cite",
                clip(source.entry.source, 40),
                choose=link("entry", source.entry.id),
                title=source.entry.id,
            )
            for source in view.entries[:MOST_ENTRIES]
        ),
        aside(t("prompt.more_entries", lang, count=more)) if more > 0 else None,
        box("span", "small go", t("prompt.to_tree", lang), choose=link("tree", view.node_id)),
    )
