"""Prompt & calls: the prompt of a round taken apart, or every call."""

from __future__ import annotations

import re

import streamlit as st

from memorybank.errors import InputError
from memorybank.hosting.run import Run
from memorybank.memory.types import Hit, Lang, NodeId
from memorybank.runs.run_folder import RunFolder
from memorybank.session.prompt_layout import NAMES
from memorybank.tools.deep_retrieval import view as deep_view
from memorybank.ui.components.problems import guarded
from memorybank.ui.components.rich import draw
from memorybank.ui.prompt.calls import draw_calls
from memorybank.ui.shell import state
from memorybank.ui.shell.links import clear_focus, focus, follow, take_followed
from memorybank.ui.shell.switch import draw_switch
from memorybank.ui.shell.tab import kept, this_tab
from memorybank.ui.shell.widgets import PROMPT_CHOSEN, PROMPT_VIEW
from memorybank.views.box import Box, aside, box, chip, div, go, muted, note
from memorybank.views.calls import prompt_parts
from memorybank.views.graph.model import node_label
from memorybank.views.i18n import t
from memorybank.views.link import link
from memorybank.views.run.playback import Moment
from memorybank.views.text.display import clip, format_tokens, task_words

MOST_TEXT = 60_000
"""The most characters shown of a prompt that cannot be taken apart."""
MOST_PIECE = 12_000
MOST_OPEN = 400
"""The most characters of a part that is not folded; a memory always is."""
MOST_CLUE = 90
"""The most columns of a folded part's beginning, by which it is known."""
MOST_ENTRIES = 4
"""The most entries named below a memory; the Tree page has them all."""


def draw_pieces(view: prompt_parts.PromptView, moment: Moment, lang: Lang) -> None:
    """Draw the prompt, its memories and long parts folded to a line each."""
    if not view.pieces:
        prompt = view.event.prompt
        draw(
            box("p", "notice text", t("prompt.whole", lang)),
            box("pre", "raw gap", prompt[:MOST_TEXT], _rest(len(prompt) - MOST_TEXT, lang)),
            key="prompt-pieces",
        )
        return
    pieces, heading = [], ""
    for piece in view.pieces:
        if piece.name == prompt_parts.BETWEEN:
            heading = re.sub(r"</?\w+>", "", view.text(piece)).strip()  # the tags around memory and task are no heading
            continue
        pieces.append(_piece(piece, heading, view, moment, lang))
        heading = ""
    draw(div("prompt-text", *pieces), key="prompt-pieces")


def _piece(piece: prompt_parts.Piece, heading: str, view: prompt_parts.PromptView, moment: Moment, lang: Lang) -> Box:
    """Return a part of the prompt under its name, with its heading in the prompt."""
    text, look_ = view.text(piece), f"piece part-{look(piece.name)}"
    is_folded = piece.node is not None or len(text) > MOST_OPEN
    head = (
        box("span", "name", part_words(piece.name, lang)),
        *(_origin(piece.node, view, lang) if piece.node else ()),
        aside(clip(text, MOST_CLUE)) if is_folded and not piece.node else None,
        aside(format_tokens(piece.tokens, lang)),
    )
    inside = (
        box("p", "between", heading) if heading else None,
        box("p", "text", text[:MOST_PIECE], _rest(len(text) - MOST_PIECE, lang)),
        _leads(piece.node, view, moment, lang) if piece.node else None,
    )
    return (
        box("details", look_, box("summary", "row head", *head), *inside)
        if is_folded
        else div(look_, div("row head", *head), *inside)
    )


def _rest(hidden: int, lang: Lang) -> Box | None:
    return aside(f" {t('prompt.more_text', lang, count=hidden)}") if hidden > 0 else None


def _origin(node_id: NodeId, view: prompt_parts.PromptView, lang: Lang) -> list[Box]:
    """Return the memory's name, and how it came up."""
    hit = view.hit(node_id)
    boxes = [box("span", "strong", clip(node_label(view.bank.graph.nodes[node_id], lang), 60))]
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
        boxes.append(chip(t(f"state.{tone}", lang), tone))
    return boxes


def _leads(node_id: NodeId, view: prompt_parts.PromptView, moment: Moment, lang: Lang) -> Box:
    """Return the ways on from a memory: the raw text behind it, source by source, as it is at the moment that is looked
    at, its node, and its conflict."""
    conflict = view.bank.disputed().get(node_id)
    leads = [
        go(t("tree.go_graph", lang), link("node", moment.bank.graph.successor(node_id))),
        go(t("graph.card.open_conflict", lang), link("conflict", conflict.id)) if conflict is not None else None,
    ]
    try:
        behind = deep_view(moment.bank, node_id)
    except InputError:
        return div("row stands small", *leads)
    more = len(behind.entries) - MOST_ENTRIES
    sources = (source.entry for source in behind.entries[:MOST_ENTRIES])
    return div(
        "row stands small",
        aside(t("prompt.stands_on", lang)),
        *(box("span", "cite", clip(one.source, 40), choose=link("entry", one.id), title=one.id) for one in sources),
        aside(t("prompt.more_entries", lang, count=more)) if more > 0 else None,
        go(t("prompt.to_tree", lang), link("tree", behind.node_id)),
        *leads,
    )


# -- what it is made of, and what was left out ------------------------------------------------------------------------


def _budget(view: prompt_parts.PromptView, lang: Lang) -> list[Box]:
    pieces = [box("span", "strong", format_tokens(view.tokens, lang), title=t("prompt.not_counted", lang))]
    if view.budget:
        share = percent(view.tokens, view.budget)
        pieces.append(box("span", "muted", t("prompt.of_budget", lang, budget=f"{view.budget:,}", share=share)))
    return pieces


def _legend(share: prompt_parts.Share, whole: int, lang: Lang) -> Box:
    count = t("prompt.part_count", lang, count=share.count) if share.count > 1 else None
    return box(
        "li",
        f"part-{look(share.name)}",
        box("span", "swatch"),
        box("span", "name", part_words(share.name, lang)),
        aside(count) if count else None,
        box("span", "numbers", f"{share.tokens:,} · {percent(share.tokens, whole)}"),
    )


def _segment(share: prompt_parts.Share, whole: int, lang: Lang) -> Box:
    words = f"{part_words(share.name, lang)} · {format_tokens(share.tokens, lang)} · {percent(share.tokens, whole)}"
    return box("span", f"segment part-{look(share.name)}", title=words, share=max(0.004, share.tokens / whole))


def look(name: str) -> str:
    """Return the class of a part; a name that this version does not know gets a muted one."""
    return name if name in NAMES else "other"


def part_words(name: str, lang: Lang) -> str:
    return t(f"prompt.part.{name}", lang) if name in NAMES else name


def percent(part: int, whole: int) -> str:
    share = 100 * part / whole if whole else 0.0
    return f"{share:.0f}%" if share >= 1 or not part else "<1%"


def scores(hit: Hit, lang: Lang) -> str:
    """Return why a memory came up: its scores."""
    return t("prompt.scores", lang, score=f"{hit.score:.2f}", keyword=f"{hit.keyword:.2f}", vector=f"{hit.vector:.2f}")


def draw_left_out(view: prompt_parts.PromptView, moment: Moment, lang: Lang) -> None:
    """Draw the memories that are not in the prompt, each with the reason, or say that none was left out."""
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


def _left_out(item: prompt_parts.LeftOut, view: prompt_parts.PromptView, moment: Moment, lang: Lang) -> Box:
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


POLL = 2.0
"""Seconds between two looks at a run that goes on."""
VIEWS = ("prompt", "calls")
_VIEW_OF = {"call": "calls"}
"""The view to which a link of a kind leads, where that has another name."""
NEWEST = 0
"""The choice of the newest prompt in the list, whichever that is."""
TITLE = 110
"""The most columns of a task in that list."""


def draw_prompt_page(worker: Run, folder: RunFolder, lang: Lang) -> None:
    """Draw the page, and poll while the run goes on, so that new prompts and calls appear."""
    busy = worker.busy
    st.fragment(_draw, run_every=POLL if busy else None)(worker, folder, lang, busy)


@guarded
def _draw(worker: Run, folder: RunFolder, lang: Lang, was_busy: bool) -> None:
    worker.see()
    if worker.busy != was_busy:
        st.rerun()
    moment = state.moment(worker)
    _turn()
    view = draw_switch(
        t("prompt.view", lang), VIEWS, lambda view: t(f"prompt.view.{view}", lang), key=PROMPT_VIEW.key, persists=False
    )
    if view == "calls":
        draw_calls(worker, moment, folder, lang)
    else:
        _draw_prompts(worker, moment, lang)


def _turn() -> None:
    """Turn to the view of the link that was followed last."""
    kind, _ = take_followed("prompt", "call")
    if kind:
        PROMPT_VIEW.set(_VIEW_OF.get(kind, kind))
    # Kept beside the widget, whose own value is lost when the page is left.
    known = PROMPT_VIEW.held() or this_tab().prompt_view
    PROMPT_VIEW.set(known)
    this_tab().prompt_view = known


# -- one prompt -------------------------------------------------------------------------------------------------------


def _draw_prompts(worker: Run, moment: Moment, lang: Lang) -> None:
    marks = moment.read(worker.records, prompt_parts.prompts)
    if not marks:
        draw(muted(t("prompt.none", lang)), key="prompt-none")
        return
    mark = _choose(marks, moment, lang)
    name = ("prompt-view", worker.run_id, mark.seq, worker.records[mark.seq - 1].at)
    # A few are kept, for a reader goes back and forth between two.
    view = kept(name, lambda: prompt_parts.prompt_view(worker.records, mark, state.bank_at), most=4)
    # The bar, the budget, and each part's share in words: colour alone tells nothing.
    shares, whole = view.shares(), max(1, view.tokens)
    bar = (_segment(share, whole, lang) for share in shares)
    draw(
        box("p", "prompt-budget", *_budget(view, lang)),
        div("prompt-bar", *bar),
        box("ul", "prompt-shares", *(_legend(share, whole, lang) for share in shares)),
        key="prompt-shares",
    )
    draw_pieces(view, moment, lang)
    draw_left_out(view, moment, lang)


def _choose(marks: tuple[prompt_parts.PromptMark, ...], moment: Moment, lang: Lang) -> prompt_parts.PromptMark:
    """Return the prompt that was asked for, else the newest at this moment."""
    by_seq = {str(mark.seq): mark for mark in marks}
    wanted = focus("prompt")
    if wanted and wanted not in by_seq:
        later = wanted.isdecimal() and len(wanted) < 10 and int(wanted) > moment.at
        words = t("prompt.later" if later else "prompt.unknown", lang)
        draw(box("p", "notice text", words), key="prompt-unknown")
    chosen = by_seq.get(wanted)
    PROMPT_CHOSEN.set(chosen.seq if chosen else NEWEST)
    options = [NEWEST, *(mark.seq for mark in reversed(marks))]
    st.selectbox(
        t("prompt.which", lang),
        options,
        format_func=lambda seq: _name(by_seq[str(seq)] if seq else marks[-1], lang, newest=not seq),
        key=PROMPT_CHOSEN.key,
        label_visibility="collapsed",
        on_change=_choose_now,
    )
    return chosen or marks[-1]


def _choose_now() -> None:
    seq = PROMPT_CHOSEN.held()
    if seq:
        follow(link("prompt", seq))
    else:
        clear_focus("prompt")


def _name(mark: prompt_parts.PromptMark, lang: Lang, *, newest: bool = False) -> str:
    task = task_words(mark.task, lang) if mark.task else t("prompt.no_task", lang)
    key = "prompt.name_newest" if newest else "prompt.name"
    return t(key, lang, round=mark.round, task=clip(task, TITLE))
