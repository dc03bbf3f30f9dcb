"""The merges of a run: a list, the chosen one whole, and the way back from it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial

import streamlit as st

from memorybank.errors import MergeUndoError
from memorybank.hosting.run import Run
from memorybank.memory.types import ConflictId, Lang, MergeEventId
from memorybank.runs.run_folder import fork_border
from memorybank.session.phase import Phase
from memorybank.session.session import Session
from memorybank.ui.components.paged import draw_more, page_end
from memorybank.ui.components.rich import draw
from memorybank.ui.conflicts.conflict_rows import Row, draw_rows
from memorybank.ui.replay import branch_off_here
from memorybank.ui.shell import links, state
from memorybank.ui.shell.switch import button
from memorybank.views.box import Box, box, go, muted, section
from memorybank.views.boxes.conflict_claims import moment_line
from memorybank.views.boxes.conflicts import merge_chip
from memorybank.views.boxes.merge_story import MOST_SOURCES, after, before, cause, headline, source_names
from memorybank.views.graph.items import node_title
from memorybank.views.i18n import t
from memorybank.views.link import link
from memorybank.views.memory.conflict_life import number
from memorybank.views.memory.edges import reasons_in
from memorybank.views.memory.lineage import MergeStory, Undo, undo_of
from memorybank.views.run.origin import origin_chip
from memorybank.views.run.playback import Moment
from memorybank.views.text.display import clip


def draw_merges(
    worker: Run,
    moment: Moment,
    stories: Mapping[MergeEventId, MergeStory],
    settled: Mapping[MergeEventId, Sequence[ConflictId]],
    wanted: str,
    lang: Lang,
) -> None:
    """Draw the merges. `settled`: the conflicts that each closed. `wanted`: the merge of a link; it may be unknown."""
    if not stories:
        draw(muted(t("conflicts.merges_none", lang)), key="merges-none")
        return
    ordered = sorted(stories.values(), key=lambda story: number(story.id), reverse=True)
    chosen = stories.get(MergeEventId(wanted)) if wanted else ordered[0]
    beside, whole = st.columns([2, 5], gap="large")
    with beside:
        draw_rows(
            [story.id for story in ordered],
            lambda merge_id: _row(stories[MergeEventId(merge_id)], lang),
            "merge",
            chosen.id if chosen else "",
            lang,
            key="merge-rows",
        )
    with whole:
        if chosen is None:
            draw(box("p", "notice text", t("conflicts.merge_unknown", lang, id=clip(wanted, 40))), key="merge-unknown")
            return
        _draw_whole(worker, moment, chosen, settled.get(chosen.id, ()), lang)


def _row(story: MergeStory, lang: Lang) -> Row:
    became = t("conflicts.became", lang, count=len(story.sources))
    return Row(
        id=story.id,
        title=node_title(story.result, lang),
        chips=(merge_chip(story, lang),),
        note=f"{became} · {moment_line(story.place, lang)}",
    )


def _draw_whole(worker: Run, moment: Moment, story: MergeStory, conflicts: Sequence[ConflictId], lang: Lang) -> None:
    bank, key = moment.bank, f"merge-{story.id}"
    most = page_end(key, MOST_SOURCES)
    made_by = None
    if story.call and not story.imported:
        made_by = origin_chip(worker.records[story.call - 1].event, lang, replay=state.is_replay(worker))
    dropped = len(story.dropped)
    known = moment.read(worker.records, reasons_in)
    why = () if story.imported else cause(story, known, conflicts, bank, worker.records, lang)
    draw(headline(story, made_by, bank, lang), key=f"{key}-head")
    _draw_actions(worker, moment, story, lang)
    helps = t("conflicts.before_help" if dropped else "conflicts.before_all", lang, count=dropped)
    lead, marked = (
        None if story.imported else box("p", "part-lead", words) for words in (helps, t("conflicts.after_help", lang))
    )
    heading = t("conflicts.before", lang, count=len(story.sources))
    draw(section(heading, lead, *before(story, bank, most, lang)), key=f"{key}-before")
    draw_more(key, MOST_SOURCES, len(story.sources), lang)
    heading = t("conflicts.after_undone" if story.undone else "conflicts.after", lang)
    draw(section(heading, marked, after(story, bank, lang)), key=f"{key}-after")
    if why:
        draw(section(t("conflicts.cause", lang), *why), key=f"{key}-cause")


def _draw_actions(worker: Run, moment: Moment, story: MergeStory, lang: Lang) -> None:
    """Take it back, whole or by the node, or again; go another way from before it."""
    is_mine = worker.takes_orders and state.at_event() is None
    with st.container(key=f"merge-{story.id}-actions", horizontal=True, vertical_alignment="center"):
        can_undo = _say_undo(worker, moment, story, lang)
        if story.imported:
            return
        if can_undo:
            order_button(t("action.undo_merge", lang), f"undo-{story.id}", worker, lambda it: it.undo_merge(story.id))
            for source_id, name in source_names(story, lang).items() if len(story.sources) > 2 else ():
                words = t("conflicts.split_off", lang, node=name)
                split = partial(Session.undo_merge, event_id=story.id, node_id=source_id)
                order_button(words, f"split-{story.id}-{source_id}", worker, split)
        elif is_mine and story.id in moment.bank.graph.undone:
            words = t("conflicts.restore_merge", lang)
            order_button(words, f"restore-{story.id}", worker, lambda it: it.restore_merge(story.id), icon="redo")
        border = fork_border(worker.records, story.place.seq - 1)
        button(
            t("conflicts.branch", lang),
            f"branch-{story.id}",
            partial(_branch, worker, border),
            icon="fork_right",
            disabled=not border,
            help_text=t("conflicts.branch_help", lang, seq=border),
        )


def order_button(words: str, key: str, worker: Run, order: Callable[[Session], object], *, icon: str = "undo") -> None:
    """Draw the button with which a person undoes something, or does it again."""
    button(words, key, partial(worker.obey, order), icon=icon, disabled=worker.phase is Phase.FAILED)


def _branch(worker: Run, border: int) -> None:
    """Go on from before the merge, on the page where a run goes on."""
    branch_off_here(worker, border)
    links.clear_focus("merge")
    links.open_page("session")


def _say_undo(worker: Run, moment: Moment, story: MergeStory, lang: Lang) -> bool:
    """Say what an undo will do before it is done, or why it cannot be done; return True where it can."""
    key = f"merge-{story.id}-undo"
    what = undo_of(moment.bank, story.id)
    if story.undone:
        names = source_names(story, lang)
        split = t("punctuation.list", lang).join(names[node_id] for node_id in story.split)
        words = "conflicts.was_split" if story.split else "conflicts.was_undone"
        _say(key, box("p", "text", t(words, lang, nodes=split, count=len(names))))
    elif not worker.takes_orders:
        _say(key, muted(t("conflicts.undo_read_only", lang)))
    elif state.at_event() is not None:
        _say(key, muted(t("conflicts.undo_past", lang)))
        button(t("conflicts.to_newest", lang), "merges-newest", partial(state.look_at, None), icon="last_page")
    elif what is None:
        _say(key, muted(t("conflicts.undo_imported", lang)))
    elif what.blocked_by:
        later = go(t("conflicts.undo_blocked_go", lang), link("merge", what.blocked_by))
        _say(key, box("p", "text", t("conflicts.undo_blocked", lang)), later)
    else:
        _say(key, box("p", "text", ("" if lang == "zh" else " ").join(_outcome(what, len(story.sources), lang))))
        return True
    return False


def _say(key: str, *lines: Box) -> None:
    draw(box("div", "stack small", *lines), key=key)


def _outcome(what: Undo, count: int, lang: Lang) -> list[str]:
    lines = [t("conflicts.undo_restores", lang, count=count)]
    if what.disputed:
        lines.append(t("conflicts.undo_disputes", lang, count=len(what.disputed)))
    return [*lines, t("conflicts.undo_for_good", lang)]


def named_merges(error: MergeUndoError, known: Mapping[MergeEventId, MergeStory], lang: Lang) -> list[Box]:
    """Return links to the merges that a refused undo names."""
    named = dict.fromkeys(
        MergeEventId(merge_id) for value in error.notice.values.values() for merge_id in str(value).split(", ")
    )
    words = t("conflicts.undo_blocked_go", lang)
    return [go(words, link("merge", merge_id)) for merge_id in named if merge_id in known]
