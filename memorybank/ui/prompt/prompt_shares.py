"""What a prompt is made of, as a bar and a list of shares, and what was left out of it."""

from __future__ import annotations

from memorybank.memory.types import Hit, Lang
from memorybank.session.prompt_layout import NAMES
from memorybank.ui.components.rich import draw
from memorybank.views.box import Box, aside, box, note
from memorybank.views.calls.prompt_parts import LeftOut, PromptView, Share
from memorybank.views.graph.model import node_label
from memorybank.views.i18n import t
from memorybank.views.link import link
from memorybank.views.run.playback import Moment
from memorybank.views.text.quantities import format_tokens


def draw_shares(view: PromptView, lang: Lang) -> None:
    """The bar, the budget, and each part's share in words: colour alone tells nothing."""
    shares, whole = view.shares(), max(1, view.tokens)
    bar = (_segment(share, whole, lang) for share in shares)
    draw(
        box("p", "prompt-budget", *_budget(view, lang)),
        box("div", "prompt-bar", *bar),
        box("ul", "prompt-shares", *(_legend(share, whole, lang) for share in shares)),
        key="prompt-shares",
    )


def _budget(view: PromptView, lang: Lang) -> list[Box]:
    pieces = [box("span", "strong", format_tokens(view.tokens, lang))]
    if view.budget:
        share = percent(view.tokens, view.budget)
        pieces.append(box("span", "muted", t("prompt.of_budget", lang, budget=f"{view.budget:,}", share=share)))
    pieces.append(aside(t("prompt.not_counted", lang)))
    return pieces


def _legend(share: Share, whole: int, lang: Lang) -> Box:
    count = t("prompt.part_count", lang, count=share.count) if share.count > 1 else None
    return box(
        "li",
        f"part-{look(share.name)}",
        box("span", "swatch"),
        box("span", "name", part_words(share.name, lang)),
        aside(count) if count else None,
        box("span", "numbers", f"{share.tokens:,} · {percent(share.tokens, whole)}"),
    )


def _segment(share: Share, whole: int, lang: Lang) -> Box:
    words = f"{part_words(share.name, lang)} · {format_tokens(share.tokens, lang)} · {percent(share.tokens, whole)}"
    return box("span", f"segment part-{look(share.name)}", title=words, share=max(0.004, share.tokens / whole))


def look(name: str) -> str:
    """Class of a part: of a name that this version does not know, a muted one."""
    return name if name in NAMES else "other"


def part_words(name: str, lang: Lang) -> str:
    return t(f"prompt.part.{name}", lang) if name in NAMES else name


def percent(part: int, whole: int) -> str:
    share = 100 * part / whole if whole else 0.0
    return f"{share:.0f}%" if share >= 1 or not part else "<1%"


def scores(hit: Hit, lang: Lang) -> str:
    """Why a memory came up: its scores."""
    return t("prompt.scores", lang, score=f"{hit.score:.2f}", keyword=f"{hit.keyword:.2f}", vector=f"{hit.vector:.2f}")


def draw_left_out(view: PromptView, moment: Moment, lang: Lang) -> None:
    """Memories that are not in it, each with the reason; nothing is shown where nothing was left out."""
    left_out, older = view.left_out(), view.older()
    if not left_out and not older:
        draw(note(t("prompt.left_out_none", lang)), key="prompt-left-out")
        return
    rows = [_left_out(item, view, moment, lang) for item in left_out]
    if older:
        rows.append(box("li", "", box("p", "text", t("prompt.left_out_tasks", lang, count=older))))
    draw(
        box("h3", "prompt-heading", t("prompt.left_out", lang)),
        box("ul", "prompt-left-out", *rows),
        key="prompt-left-out",
    )


def _left_out(item: LeftOut, view: PromptView, moment: Moment, lang: Lang) -> Box:
    node = view.bank.graph.nodes.get(item.node)
    name = node_label(node, lang) if node is not None else item.node
    live = moment.bank.graph.successor(item.node)
    known = live in moment.bank.graph.nodes
    why = "prompt.left_out_below" if item.below else "prompt.left_out_budget"
    return box(
        "li",
        "",
        box("p", "text", name, choose=link("node", live) if known else "", title=node.context if node else ""),
        note(t(why, lang), f" · {scores(item.hit, lang)}" if item.hit else None),
    )
